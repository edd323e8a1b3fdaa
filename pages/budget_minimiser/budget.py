"""Figure 4: what a breach costs, and for noise of which levels."""

import streamlit as st

from pages.budget_minimiser import affordable, cost_controls
from pages.shared import controls, paper_switch, settings
from par_core.cost import FIGURE_4
from par_core.questions.budget_minimiser.breach import NAMES
from par_core.questions.budget_minimiser.budget import STORY, BudgetForBreach
from par_core.questions.glossary import explain
from par_core.scenario import FIELDS, Scenario

LEVELS = settings.numbers("lv", NAMES["levels"], FIGURE_4, at_least=1e-8, at_most=700)
PAPER_ONLY = paper_switch.setting("bpaper")


def ask(scenario: Scenario) -> BudgetForBreach:
    costs = cost_controls.draw()
    hint = f"{explain('epsilon0')} Yours is always drawn too."
    levels = controls.number_list(LEVELS, hint=hint, offers=("0.1", "0.5", "0.6", "0.7", "1"))
    hint = "Figure 4 as in the paper, and its section 5.3: ε₀ = 0.5, 100 staff, 5,500 USD."
    controls.button("The paper's health centre", _health_centre, hint=hint)
    paper_only = paper_switch.draw(PAPER_ONLY)
    return BudgetForBreach(scenario, **costs, levels=tuple(reversed(levels)), paper_only=paper_only)


def _health_centre() -> None:
    """Put everything back to section 5.3 of the paper, with its releases of January and July, and open its story."""
    settings.drop_plan()
    for field in FIELDS:
        if field.name not in ("neighbours", "delta"):  # of which the section says nothing
            settings.scenario_setting(field.name).put(getattr(Scenario(), field.name))
    for setting in (*cost_controls.FIELDS.values(), LEVELS, affordable.BUDGET, affordable.ERROR):
        setting.put(setting.default)
    st.session_state[STORY] = True
