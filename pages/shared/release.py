"""What makes the scenario's releases private, where a page follows the mechanism."""

import streamlit as st

from pages.shared.settings import present_scenario
from pages.shared.words import as_sentence, mechanism_name
from par_core.errors import InfeasibleError, ParameterError


def is_possible() -> bool:
    """Return whether the scenario's mechanism takes its numbers; say why where it does not."""
    scenario = present_scenario()
    try:
        return bool(scenario.release)
    except (ParameterError, InfeasibleError) as error:
        st.warning(f"{mechanism_name(scenario.mechanism)} cannot be used here. {as_sentence(str(error))}")
        return False


def only_laplace(what: str) -> None:
    """Say that a page or a section is about Laplace noise, where the scenario has another mechanism."""
    scenario = present_scenario()
    if not scenario.as_published:
        st.caption(
            f"{what} for Laplace noise, as in the paper. Your scenario has another mechanism: {mechanism_name(scenario.mechanism)}."
        )
