"""An attack: the level, and the rank of the individual there."""

from pages.empirical_audit.query_fields import EPSILON, RANK, choose
from pages.shared import controls
from pages.shared.dial import dial
from par_core.questions.empirical_audit.attack import OneAnswerAttack
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table


def ask(_: Scenario, table: Table) -> OneAnswerAttack:
    chosen, epsilon = choose(table), dial(EPSILON, hint=explain("audit_epsilon"))
    return OneAnswerAttack(**chosen, epsilon=epsilon, rank=controls.whole(RANK, hint=explain("ranking")))
