"""The level hoped for, the published risk of missing it beside the exact one, in words and as curves."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import streamlit as st

from pages.shared import badges, controls, paper_switch, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.glossary import explain
from pages.shared.say import say
from pages.shared.settings import present_scenario
from pages.shared.words import level0
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.mechanisms import default_noise
from par_core.risk import explicit_curves

EPSILON = settings.number("e", "Level hoped for, ε", 0.4, at_least=1e-8, at_most=700)
AXIS = settings.choice("axis", "Axis", ("risk", "confidence"))
PAPER_ONLY = paper_switch.setting("paper")
DIALS = (EPSILON, settings.scenario_setting("epsilon0"))
THEOREM_4 = "par-theorem-4"


def choose_epsilon() -> float:
    return dial(EPSILON, hint=explain("epsilon"))


def choose_axis() -> None:
    controls.choice(AXIS, hint=explain("risk"), words=str.capitalize)


def choose_paper(hint: str, printed: Mapping[settings.Setting[Any], Any]) -> None:
    """Draw what brings a printed figure back: its settings, with the axis of all of them, and nothing that it does not hold."""
    controls.button("As in the paper", settings.put_all, {AXIS: "risk", **printed}, hint=hint)
    controls.button("With my scenario", settings.put_all, {each: each.opens_on for each in printed})
    paper_switch.draw(PAPER_ONLY)


def risk_now() -> explicit_curves.RiskAt:
    """Return the published and the exact risk at the reader's setting."""
    scenario = present_scenario()
    return explicit_curves.risk_at(EPSILON.value(), scenario.epsilon0, k=scenario.k)


def headline() -> str:
    """Return what the exact number and the published one are at the reader's setting."""
    own = risk_now()
    if own.epsilon >= own.epsilon0:
        always = "## Noise for {own.epsilon0:level0} is always at least as private as {own.epsilon:level}"
        return say(always, own=own, standing_of=default_noise(own.epsilon0))
    return say(
        "## Privacy loss exceeds {own.epsilon:level} in {own.exact_risk} of releases at worst; the paper claims {own.risk}",
        own=own,
    )


def claim_and_truth() -> None:
    """Say above the chart what is claimed and what is true."""
    own = risk_now()
    bold = own.epsilon < own.epsilon0
    st.markdown(headline(), help=badges.legend(THEOREM_4) if bold else None)
    # There is always a sentence: the chart below keeps its place.
    st.markdown(
        f"That is two-sided, |loss| > ε, with noise for {level0(own.epsilon0)} and worst-case neighbouring tables."
        if bold
        else f"Choose ε below {own.epsilon0:.4g} to see what the paper claims beyond that."
    )


def why_they_differ() -> None:
    """Say under the chart why the two numbers are not the same, or where they would not be."""
    own = risk_now()
    if own.epsilon >= own.epsilon0:
        return
    with st.popover("Why is this not what the paper says?"):
        st.markdown(
            "*Privacy at Risk* treats the noise seen from the two tables as independent, but it is the same noise. Averaged over "
            "tables that mostly agree the probability can be less than in the worst case."
        )


def risk_chart(
    curves: Callable[[], tuple[explicit_curves.RiskCurve, ...]], by: Literal["k", "epsilon0"], key: str, where: str
) -> None:
    """Draw published curves over the exact ones, and say why they differ; `where` is their place in the paper."""
    axis: figures.Axis = "confidence" if AXIS.value() == "confidence" else "risk"
    own, now = risk_now(), curves()

    def figure() -> Drawing:
        return paper_switch.shown(figures.risk_curves(curves(), by=by, axis=axis, own=risk_now()), PAPER_ONLY)

    chart(
        figure,
        key,
        alt="Privacy level against published {axis}, curves: {curves}. At ε = {own.epsilon:g} and ε₀ = {own.epsilon0:g} the published "
        "risk is {own.risk}, the exact one in the worst case {own.exact_risk}.",
        axis=axis,
        curves=len(now),
        own=own,
        dials=DIALS,
        headline=headline,
        notes={"source": f"{where} of Privacy at Risk; {now[0].source}; exact: {now[0].exact_source}"},
    )
    if not PAPER_ONLY.value() and not any((each.epsilon0, each.k) == (own.epsilon0, own.k) for each in now):
        st.caption(
            f"The diamonds are for your {level0(own.epsilon0)} and k\u00a0=\u00a0{own.k:,}, which have no curve here."
        )
    why_they_differ()
