"""Overview: the questions a steward comes with, each leading to the page that answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.shared import badges, frame, navigation
from pages.shared.chart import chart
from pages.shared.settings import Setting, present_scenario
from pages.shared.words import amount, percent
from par_core import explicit_curves
from par_core.figures import overview as figures
from par_core.scenario import Scenario
from par_core.standing import PROVEN, PUBLISHED

QUESTION = "You are about to publish a number about people. How much noise should it carry?"
SETTINGS: tuple[Setting[str], ...] = ()


@dataclass(frozen=True)
class Card:
    """A question, the page and section that answer it, and what draws the short answer."""

    question: str
    module: str
    tab: str
    draw: Callable[[Scenario], None]


def show() -> None:
    """Draw the page: what to do first, then one card for each question."""
    st.markdown(
        "Set your own numbers under **Your scenario** in the sidebar; every picture here follows. Then open the question that "
        "worries you most."
    )
    scenario = present_scenario()
    for start in range(0, len(CARDS), 2):
        for place, card in zip(st.columns(2), CARDS[start : start + 2], strict=False):
            with place, st.container(border=True, height="stretch"):
                st.markdown(f"#### {card.question}")
                card.draw(scenario)
                st.page_link(navigation.entry(card.module), label="Open this question", query_params={"tab": card.tab})
    st.markdown(
        f"Every number says what it is worth: {badges.inline(PROVEN)} holds, {badges.inline(PUBLISHED)} stands in a paper and is "
        "known to fail somewhere, and an estimate comes from data with its interval. Solid dark curves are exact, dashed amber "
        "ones are as published."
    )


def _noise(scenario: Scenario) -> None:
    curves = explicit_curves.noise_overlap(scenario.epsilon0, scenario.epsilon0)
    chart(
        figures.noise(curves, unit=scenario.sensitivity),
        "card_noise",
        alt=f"Density of the noise at ε₀ = {scenario.epsilon0:g}.",
        compact=True,
    )
    st.markdown(
        f"Each published number is off by **{amount(scenario.noise_scale)}** on average. {badges.inline(PROVEN)} Say how private "
        "or how confident you need to be, and get ε₀ back."
    )


def _truth(scenario: Scenario) -> None:
    curves = explicit_curves.truth(scenario.epsilon0, scenario.k, points=61)
    half = explicit_curves.risk_at(scenario.epsilon0 / 2, scenario.epsilon0, k=scenario.k)
    chart(
        figures.truth(curves),
        "card_truth",
        alt=f"Published risk under the exact risk at ε₀ = {scenario.epsilon0:g}.",
        compact=True,
    )
    st.markdown(
        f"Less private than half of ε₀ in {percent(half.risk)} of releases, says the paper {badges.inline(PUBLISHED)}; in truth "
        f"in **{percent(half.exact_risk)}** {badges.inline(PROVEN)}."
    )


def _belief(scenario: Scenario) -> None:
    curves = explicit_curves.attacks(scenario.epsilon0, scenario.epsilon0, points=61)
    chart(
        figures.belief(curves),
        "card_belief",
        alt=f"Worst belief after the release against belief before, at ε₀ = {scenario.epsilon0:g}.",
        compact=True,
    )
    st.markdown(
        f"The best attack is right **{percent(curves.advantage0)}** more often about people who are in the table than about "
        f"people who are not. {badges.inline(PROVEN)}"
    )


def _post_processing(scenario: Scenario) -> None:
    curves = explicit_curves.post_processing(scenario.epsilon0, 0.5, points=61)
    chart(
        figures.post_processing(curves),
        "card_post_processing",
        alt=f"How often the loss is above ε before and after a threshold, at ε₀ = {scenario.epsilon0:g}.",
        compact=True,
    )
    st.markdown(
        "Rounding or a threshold can make a weak promise false, and never breaks the guarantee of ε₀. "
        f"{badges.inline(PROVEN)} See it happen."
    )


CARDS = (
    Card("How accurate will it be, and which ε₀ do I need?", "explicit_risk", "calibrate", _noise),
    Card("How private is one release, in truth?", "explicit_risk", "truth", _truth),
    Card("What could an attacker find out?", "explicit_risk", "attacker", _belief),
    Card("What if the number is processed afterwards?", "explicit_risk", "pieces", _post_processing),
)


if (
    __name__ == "__main__"
):  # a server's very first visitor opened this page: Streamlit then runs this file instead of app.py
    frame.start()
