"""The databases: whether the exact answers on those of the reader's own are shown."""

from pages.empirical_audit.query_fields import choose
from pages.shared import controls, settings
from pages.shared.uploads import is_own
from par_core.questions.empirical_audit.each_database import EachDatabase
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table

SHOW_ANSWERS = settings.unlinked(settings.switch("eanswers", "Show the exact answers"))  # asked anew in each session


def ask(_: Scenario, table: Table) -> EachDatabase:
    chosen = choose(table)
    return EachDatabase(
        **chosen, hidden=is_own(table) and not controls.switch(SHOW_ANSWERS, hint=explain("exact_answer"))
    )
