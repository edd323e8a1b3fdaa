"""What stands in place of the paper's figures where the scenario has another mechanism than Laplace noise: the exact curves alone."""

from collections.abc import Callable

import streamlit as st

from pages.explicit_risk.published_risk import DIALS, EPSILON, choose_epsilon
from pages.shared.chart import chart
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.release import is_possible
from pages.shared.say import say
from pages.shared.settings import present_scenario
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.risk.loss_curves import LossAt, LossCurves, loss_at, loss_curves


def draw_truth() -> None:
    """Draw how often the loss exceeds ε, in size and as it is, and the privacy profile."""
    _draw(lambda: None, lambda: figures.loss_truth(loss_curves(present_scenario())[0], own=_now()), "loss_and_profile")


def draw_levels(controls: Callable[[], object], epsilon0s: Callable[[], list[float]], key: str) -> None:
    """Draw how often the loss exceeds ε for several ε₀."""

    def figure() -> Drawing:
        return figures.loss_levels(_curves(epsilon0s()), own=_now())

    _draw(controls, figure, key)


def _draw(controls: Callable[[], object], figure: Callable[[], Drawing], key: str) -> None:
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        controls()
    with main:
        if not is_possible():
            return
        own = _now()
        st.markdown(_headline())
        st.markdown(f"That is two-sided, |loss| > ε, for {own.name} and worst-case neighbouring tables.")
        chart(
            figure,
            key,
            dials=DIALS,
            headline=_headline,
            alt="Probability that the privacy loss exceeds ε, exact, {what}. At ε = {own.epsilon:g} and ε₀ = {own.epsilon0:g}: "
            "{own.two_sided}.",
            own=own,
            what=own.name,
            notes={"source": own.source},
        )
        st.markdown(
            say(
                "One-sided, the loss exceeds ε in {own.one_sided} of releases; the smallest δ for ε is {own.delta}.",
                own=own,
            )
        )
        st.markdown(
            "The paper's formula is for Laplace noise only, so its curve is not drawn here. These hold for every k."
        )
        if own.largest <= own.epsilon0:
            st.caption(explain("loss"))


def _now() -> LossAt:
    return loss_at(present_scenario(), EPSILON.value())


def _curves(epsilon0s: list[float]) -> tuple[LossCurves, ...]:
    return loss_curves(present_scenario(), epsilon0s)


def _headline() -> str:
    own = _now()
    if own.epsilon >= own.largest:
        return say(
            "## One release with {own.epsilon0:level0} never loses more than {own.epsilon:level}",
            own=own,
            standing_of=own,
        )
    if own.two_sided == 1.0:
        return say("## Privacy loss exceeds {own.epsilon:level} in every release", own=own, standing_of=own)
    return say("## Privacy loss exceeds {own.epsilon:level} in {own.two_sided} of releases at worst", own=own)
