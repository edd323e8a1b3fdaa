"""What a page for Laplace noise says where the scenario has another mechanism."""

import streamlit as st

from pages.shared.settings import present_scenario
from par_core.questions import scenario_blocks


def only_laplace(what: str) -> None:
    """Say that a page or a section is about Laplace noise, where the scenario has another mechanism."""
    for note in scenario_blocks.only_laplace(what, present_scenario()):
        st.caption(note.told())
