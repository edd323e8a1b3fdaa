"""Where a mechanism that adds no noise to numbers can be tried."""

import streamlit as st

from pages.shared import navigation
from pages.shared.page import Section
from par_core.questions.question import Answer

_TOYS = {
    "randomised-response": ("Coins, in the Mechanism lab", "coins"),
    "exponential": ("Choose one of many, in the Mechanism lab", "choose"),
}


def toy_link(_: Section, answer: Answer) -> None:
    """Draw the link to it."""
    label, tab = _TOYS[answer.question.scenario.mechanism]
    st.page_link(
        navigation.entry("mechanism_lab"), label=f":primary[{label} →]", query_params={"tab": tab}, width="content"
    )
