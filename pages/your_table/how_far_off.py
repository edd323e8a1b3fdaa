"""How far off: the query on the table, and the level of its release."""

from collections.abc import Callable

from pages.shared import controls, plan
from pages.shared.settings import scenario_setting
from pages.your_table import into_plan
from pages.your_table.query_controls import choose
from pages.your_table.query_settings import ASK
from par_core.questions.glossary import explain
from par_core.questions.your_table.how_far_off import HowFarOff
from par_core.scenario import Scenario
from par_core.tables.table import Table


def ask(scenario: Scenario, table: Table, *, open_counts: Callable[[], None]) -> HowFarOff:
    """Draw the controls; `open_counts` opens the section for readers without a file."""
    try:
        question = into_plan.at_its_level(HowFarOff(scenario, **choose(scenario, table, ASK.value())))
        label, term = ("ε₀ of the plan", "epsilon0_of_plan") if plan.releases() else ("ε₀ of the release", "epsilon0")
        controls.beside(scenario_setting("epsilon0"), label, hint=explain(term))
        into_plan.say(question, scenario)
        return question
    finally:
        controls.button("No file at hand? Bring only counts", open_counts)
