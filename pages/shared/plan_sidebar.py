"""A plan in the sidebar: which of its releases is looked at."""

from __future__ import annotations

import streamlit as st

from pages.shared import controls, plan
from pages.shared.settings import PLAN, SEEN, present_scenario, single_scenario
from pages.shared.words import as_sentence
from par_core.errors import ParameterError
from par_core.questions.glossary import explain


def draw() -> None:
    """Draw the choice of the release, what is wrong with the plan, and the way back to one release."""
    releases, names = PLAN.value(), plan.names()
    if SEEN.value() > len(releases):  # a link may ask for one that is not there
        SEEN.put(len(releases))
    st.selectbox(
        SEEN.label,
        range(1, len(releases) + 1),
        format_func=lambda at: names[at - 1],
        key=SEEN.held,
        help=explain("seen_release"),
        persist_state="session",
    )
    _wrong()
    controls.button("Close the plan", plan.close, hint="The scenario is one release again, as it was before.")


def _wrong() -> None:
    """Say why the plan cannot be made, where that is so: the pages are about one release then."""
    if present_scenario() is single_scenario():
        from par_core.plan import PlanScenario

        try:
            PlanScenario.of(single_scenario(), PLAN.value())
        except ParameterError as error:
            st.error(as_sentence(f"this plan cannot be made with these neighbours: {error}"))
