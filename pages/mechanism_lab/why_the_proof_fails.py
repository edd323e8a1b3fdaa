"""Why the proof of Theorem 4 fails: which of its steps is shown, for which draw of noise, or for which level hoped for."""

import streamlit as st

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon, toy_setting
from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.why_the_proof_fails import WhyTheProofFails
from par_core.scenario import Scenario

STEP = toy_setting("ps", WhyTheProofFails, "step")
DRAW = toy_setting("pn", WhyTheProofFails, "drawn")
HOPED = toy_setting("ph", WhyTheProofFails, "hoped")
DIALS = lab_settings.DIALS | {"step": STEP, "drawn": DRAW, "hoped": HOPED}

_DRAWS = tuple(step / 4 for step in range(-16, 21))
_PARTS = tuple(step / 20 for step in range(1, 20))


def ask(scenario: Scenario) -> WhyTheProofFails:
    step = int(dial(STEP, hint=explain("proof_step"), steps=(1, 2, 3, 4)))
    epsilon = choose_epsilon(label="Privacy level ε₀")
    if step < 4:
        dial(DRAW, hint=explain("noise_drawn"), steps=_DRAWS)
    else:
        dial(HOPED, hint=explain("epsilon"), steps=_PARTS)
    st.caption("ε₀ is what the noise is made for, ε what the paper hopes to reach with it.")
    hint = "Sets ε₀ = 1 and ε = 0.5."
    controls.button("The example with ε₀ = 1", settings.put_all, {EPSILON: 1.0, HOPED: 0.5}, hint=hint)
    return WhyTheProofFails(scenario, epsilon, step, DRAW.value(), HOPED.value())
