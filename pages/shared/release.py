"""What a page for Laplace noise says where the scenario has another mechanism."""

import streamlit as st

from pages.shared.settings import present_scenario
from pages.shared.words import mechanism_name


def only_laplace(what: str) -> None:
    """Say that a page or a section is about Laplace noise, where the scenario has another mechanism."""
    scenario = present_scenario()
    if not scenario.as_published:
        st.caption(
            f"{what} for Laplace noise, as in the paper. Your scenario has another mechanism: {mechanism_name(scenario.mechanism)}."
        )
