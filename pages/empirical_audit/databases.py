"""The databases: whether the exact answers on those of the reader's own are shown."""

from pages.empirical_audit.query_fields import SHOW_ANSWERS, choose
from pages.shared import controls
from pages.shared.scenario_sidebar import talk_is_on
from pages.shared.uploads import is_own
from par_core.questions.empirical_audit.each_database import EachDatabase
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table


def ask(_: Scenario, table: Table) -> EachDatabase:
    chosen = choose(table)
    # An audience sees no exact answer of a file.
    hidden = is_own(table) and (talk_is_on() or not controls.switch(SHOW_ANSWERS, hint=explain("exact_answer")))
    return EachDatabase(**chosen, hidden=hidden)
