"""The level hoped for, the published risk of missing it beside the exact one, in words and as curves."""

from typing import Literal

import streamlit as st

from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.glossary import explain
from pages.shared.say import say
from pages.shared.settings import present_scenario
from pages.shared.words import level0
from par_core.figures import explicit_risk as figures
from par_core.mechanisms import default_noise
from par_core.risk import explicit_curves

EPSILON = settings.number("e", "Level hoped for, ε", 0.4, at_least=1e-8, at_most=700)
AXIS = settings.choice("axis", "Axis", ("risk", "confidence"))
SCENARIO_EPSILON0 = settings.scenario_setting("epsilon0")
THEOREM_4 = "par-theorem-4"


def choose_epsilon() -> float:
    return dial(EPSILON, hint=explain("epsilon"))


def choose_axis() -> None:
    controls.choice(AXIS, hint=explain("risk"), words=str.capitalize)


def risk_now() -> explicit_curves.RiskAt:
    """Return the published and the exact risk at the reader's setting."""
    scenario = present_scenario()
    return explicit_curves.risk_at(EPSILON.value(), scenario.epsilon0, k=scenario.k)


def headline() -> str:
    """Return what the exact number and the published one are at the reader's setting."""
    own = risk_now()
    if own.epsilon >= own.epsilon0:
        always = "#### Noise for {own.epsilon0:level0} is always at least as private as {own.epsilon:level}"
        return say(always, own=own, standing_of=default_noise(own.epsilon0))
    return say(
        "#### At worst {own.exact_risk} of releases are less private than {own.epsilon:level}; the paper claims {own.risk}",
        own=own,
    )


def claim_and_truth() -> None:
    """Say above the chart what is claimed and what is true."""
    own = risk_now()
    bold = own.epsilon < own.epsilon0
    st.markdown(headline(), help=badges.legend(THEOREM_4) if bold else None)
    if bold:
        st.markdown(f"That is for noise with {level0(own.epsilon0)} and two tables that differ as much as they can.")


def why_they_differ() -> None:
    """Say under the chart why the two numbers are not the same, or where they would not be."""
    own = risk_now()
    if own.epsilon >= own.epsilon0:
        st.markdown(f"Choose ε below {own.epsilon0:.4g} to see what the paper claims beyond that.")
        return
    st.markdown(
        "Averaged over tables that mostly agree it can be less. *Privacy at Risk* takes the noise seen from the two tables for "
        "independent, but it is the same noise."
    )


def risk_chart(
    curves: tuple[explicit_curves.RiskCurve, ...], by: Literal["k", "epsilon0"], key: str, where: str
) -> None:
    """Draw published curves over the exact ones, and say why they differ; `where` is their place in the paper."""
    axis: figures.Axis = "confidence" if AXIS.value() == "confidence" else "risk"
    own, first = risk_now(), curves[0]
    chart(
        figures.risk_curves(curves, by=by, axis=axis, own=own),
        key,
        alt="Privacy level against published {axis}, curves: {curves}. At ε = {own.epsilon:g} and ε₀ = {own.epsilon0:g} the published "
        "risk is {own.risk}, the exact one in the worst case {own.exact_risk}.",
        axis=axis,
        curves=len(curves),
        own=own,
        notes={"source": f"{where} of Privacy at Risk; {first.source}; exact: {first.exact_source}"},
    )
    why_they_differ()
