"""Other densities: the level, and the rank of the individual there."""

from pages.empirical_audit.query_fields import EPSILON, RANK, choose
from pages.shared import controls
from pages.shared.dial import dial
from par_core.questions.empirical_audit.other_densities import OtherDensities
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table


def ask(_: Scenario, table: Table) -> OtherDensities:
    chosen, epsilon = choose(table), dial(EPSILON, hint=explain("audit_epsilon"))
    return OtherDensities(**chosen, epsilon=epsilon, rank=controls.whole(RANK, hint=explain("ranking")))
