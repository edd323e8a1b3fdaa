"""Calibrate: which of ε₀, ε and the confidence is to be found, and the other two."""

import streamlit as st

from pages.explicit_risk.risk_settings import EPSILON, choose_epsilon
from pages.shared import controls, settings
from pages.shared.words import level0
from par_core.questions.explicit_risk.calibration import WORDS, Calibrated, Find
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

FIND = settings.choice("find", "Find", ("epsilon0", "epsilon", "confidence"))
CONFIDENCE = settings.number("conf", "Wanted confidence", 0.6, at_least=1e-6, at_most=1.0)


def ask(scenario: Scenario) -> Calibrated:
    find: Find = controls.choice(FIND, hint="Any two of the three give the third.", words=WORDS.__getitem__)  # type: ignore[assignment]  # one of its options
    epsilon = EPSILON.value() if find == "epsilon" else choose_epsilon()
    confidence = CONFIDENCE.value()
    if find != "confidence":
        confidence = controls.number(CONFIDENCE, hint=explain("confidence"), step=0.05)
    if find != "epsilon0":
        st.caption(f"{level0(scenario.epsilon0)} is taken from your scenario.")
    return Calibrated(scenario, find, epsilon, confidence)
