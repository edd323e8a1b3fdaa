"""A plan in the sidebar: which of its releases is looked at."""

from __future__ import annotations

import streamlit as st

from pages.shared import controls, plan
from pages.shared.settings import SEEN, drop_plan
from pages.shared.words import as_sentence
from par_core.questions.glossary import explain


def draw() -> None:
    """Draw the choice of the release, what is wrong with the plan, and the way back to one release."""
    releases, names = plan.releases(), plan.names()
    if SEEN.value() > len(releases):  # a link may ask for one that is not there
        SEEN.put(len(releases))
    SEEN.hold()
    st.selectbox(
        SEEN.label,
        range(1, len(releases) + 1),
        format_func=lambda at: names[at - 1],
        key=SEEN.held,
        help=explain("seen_release"),
        on_change=plan.take_wish,
        persist_state="session",
    )
    if why := plan.problem():
        st.error(as_sentence(why))
    controls.button("Close the plan", drop_plan, hint="The scenario is one release again, as it was before.")
