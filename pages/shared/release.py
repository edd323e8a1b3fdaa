"""What makes the scenario's releases private, where a page follows the mechanism."""

from functools import partial

import streamlit as st

from pages.shared import downloads
from pages.shared.settings import present_scenario
from pages.shared.words import as_sentence, counted, level0, mechanism_name
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import NOISES
from par_core.scenario import Scenario


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


def offer_script() -> None:
    """Offer the script that publishes by the scenario, where its mechanism adds noise to numbers and takes its sensitivity."""
    scenario = present_scenario()
    try:
        if scenario.mechanism not in NOISES or not scenario.release:
            return
    except (ParameterError, InfeasibleError):
        return
    downloads.button(
        f"Release code for {level0(scenario.epsilon0)}",
        partial(_script, scenario),
        "release.py",
        key="scenario_code",
        hint="Adds the noise of your scenario to your exact answers, with OpenDP on your own machine. Its ledger counts "
        f"{counted(scenario.releases, 'release')}, and refuses any further one.",
    )


def _script(scenario: Scenario) -> str:
    """Return the script; imported here, because only a reader who wants it needs it."""
    from par_core.export.scenario_code import scenario_code

    return scenario_code(scenario).text
