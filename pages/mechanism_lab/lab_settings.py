"""What several toys of the lab share: ε, the noise and its δ, each beginning at the reader's scenario."""

import streamlit as st

from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.settings import present_scenario
from pages.shared.words import level0
from par_core.mechanisms import NOISES
from par_core.questions.glossary import explain

EPSILON = settings.following(
    settings.number("le", "Privacy level ε", 0.5, at_least=1e-3, at_most=20), lambda scenario: scenario.epsilon0
)
NOISE = settings.following(settings.choice("lm", "Noise", tuple(NOISES)), lambda scenario: scenario.mechanism)
DELTA = settings.following(
    settings.number("ld", "δ of Gaussian noise", 1e-5, at_least=1e-15, at_most=0.5), lambda scenario: scenario.delta
)


def choose_epsilon(*, hint: str = "lab_epsilon", label: str = "") -> None:
    """Draw the dial of ε, under another label where a toy gives it another meaning; say where it no longer follows the scenario."""
    dial(EPSILON, hint=explain(hint), label=label)
    if not EPSILON.is_following and EPSILON.value() != EPSILON.opens_on:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Your scenario has {level0(present_scenario().epsilon0)}.", width="content")
            controls.button("Follow it", EPSILON.put, EPSILON.opens_on)
