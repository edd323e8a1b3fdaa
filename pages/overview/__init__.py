"""Overview: the questions a steward comes with, each leading to the page that answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.shared import badges, navigation
from pages.shared.chart import chart
from pages.shared.settings import Setting, present_scenario
from pages.shared.words import amount, level0, percent, points
from par_core import cost
from par_core.composition import LARGEST_EPSILON0, compare
from par_core.cost import CostModel
from par_core.figures import overview as figures
from par_core.figures.composition import small
from par_core.figures.your_table import small_error_against_epsilon0
from par_core.queries import Comparison, Condition, Count
from par_core.release import error_curves, plan, split_evenly, within
from par_core.risk import explicit_curves
from par_core.sampling import samples_for_largest
from par_core.sampling.coupled_curves import Setting as Shared
from par_core.sampling.coupled_curves import by_samples
from par_core.scenario import Scenario
from par_core.standing import ESTIMATE, MODEL, PROVEN

QUESTION = "You are about to publish a number about people. How much noise should it carry?"
SETTINGS: tuple[Setting[str], ...] = ()

_THEOREM_4 = "par-theorem-4"
_PAIRS, _COVERED, _SURE = 15_000, 0.99, 0.9
_NUMBERS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)


@dataclass(frozen=True)
class Card:
    """A question, the page and section that answer it, and what draws the short answer."""

    question: str
    module: str
    tab: str
    link: str
    draw: Callable[[Scenario], None]


def show() -> None:
    """Draw the page: what to do first, then one card for each question."""
    st.markdown(
        "To protect people, a small random amount, the noise, is added before a number is published. **ε₀** says how much: set it "
        "and the rest of your scenario in the sidebar, every picture here follows. Then open the question that worries you most."
    )
    scenario = present_scenario()
    for start in range(0, len(CARDS), 2):
        for place, card in zip(st.columns(2), CARDS[start : start + 2], strict=False):
            with place, st.container(border=True, height="stretch"):
                st.markdown(f"#### {card.question}")
                card.draw(scenario)
                st.page_link(
                    navigation.entry(card.module), label=f":primary[{card.link} →]", query_params={"tab": card.tab}
                )
    st.markdown(
        f"Every number says what it is worth: {badges.inline(PROVEN)} holds, {badges.badge('Refuted')} stands in a paper and fails, "
        f"{badges.badge('Unproven')} stands in one too, {badges.inline(MODEL)} is as good as your assumptions, "
        f"{badges.inline(ESTIMATE)} comes from data. Solid dark curves are exact, dashed amber ones as published.",
        help=badges.legend(),
    )


def _noise(scenario: Scenario) -> None:
    curves = explicit_curves.noise_overlap(scenario.epsilon0, scenario.epsilon0)
    unit = scenario.noise_scale * scenario.epsilon0
    chart(
        figures.noise(curves, unit=unit),
        "card_noise",
        alt=f"Density of the noise at ε₀ = {scenario.epsilon0:g}.",
        compact=True,
    )
    st.markdown(
        f"Each published number is off by **{amount(scenario.noise_scale, toward='up')}** on average. {badges.inline(PROVEN)} See "
        "which ε₀ truly gives the privacy that you wish for, and what the paper's way of choosing gives."
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
        f"Less private than half of ε₀ in {percent(half.risk)} of releases, a paper says {badges.published(_THEOREM_4)}; in truth, in "
        f"the worst case, in **{percent(half.exact_risk, toward='up')}** {badges.inline(PROVEN)}."
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
        "The best attack by somebody who knows everyone else's data says yes in "
        f"**{points(curves.advantage0, toward='up')}** more cases when your record was used than when not. "
        f"{badges.inline(PROVEN)} 0 is blind guessing."
    )


def _cost(scenario: Scenario) -> None:
    model = CostModel(scenario.compensation, scenario.stakeholders)
    curve = cost.curve(model, [scenario.epsilon0], k=scenario.k).curves[0]
    chart(
        figures.cost(curve, currency=scenario.currency),
        "card_cost",
        alt=f"Budget for a breach at ε₀ = {scenario.epsilon0:g}, as published and exact.",
        compact=True,
    )
    st.markdown(
        f"A paper's choice of ε saves {percent(curve.published_optimum.share_saved)} of what a breach costs "
        f"{badges.published(_THEOREM_4)}; under your cost model it truly saves "
        f"**{percent(curve.exact_optimum.share_saved, toward='down')}** on average over releases. {badges.inline(MODEL)}"
        + (" At this ε₀ the model says next to nothing." if cost.says_little(model, scenario.epsilon0) else "")
    )


def _spent(scenario: Scenario) -> None:
    if scenario.epsilon0 > LARGEST_EPSILON0:
        st.markdown(
            f"At {level0(scenario.epsilon0)} a single release protects nobody: there is nothing left to add up."
        )
        return
    compared = compare(scenario.epsilon0, _NUMBERS, delta=scenario.delta, keys=["basic"])
    chart(
        figures.spent(compared),
        "card_spent",
        alt=f"Privacy spent by up to {_NUMBERS[-1]} releases at ε₀ = {scenario.epsilon0:g}, added up and exact.",
        compact=True,
    )
    st.markdown(
        f"{_NUMBERS[-1]} releases spend **{amount(compared.exact.upper[-1], 4, toward='up')}** together "
        f"(δ\u00a0=\u00a0{small(compared.delta)}), not the {amount(compared.curves[0].epsilon[-1], 4)} that adding up gives. "
        f"{badges.inline(PROVEN)} See how many you can make."
    )


def _sampled(scenario: Scenario) -> None:
    setting = Shared(epsilon0=scenario.epsilon0, k=scenario.k)
    (curve,) = by_samples([_PAIRS], setting=setting, upto=setting.reached)
    chart(
        figures.sampled(curve),
        "card_sampled",
        alt=f"Published and exact risk of noise at ε₀ = {scenario.epsilon0:g} for a sampled sensitivity, η = {setting.eta:.4g}.",
        compact=True,
    )
    st.markdown(
        f"Sample it: of **{samples_for_largest(_COVERED, _SURE):,}** pairs of tables the largest change is exceeded by less than "
        f"{percent(1 - _COVERED)} of all pairs that could be drawn, with {percent(_SURE)} certainty. {badges.inline(PROVEN)} "
        "See what noise for it is worth."
    )


def _audited(scenario: Scenario) -> None:
    curve = explicit_curves.excess(scenario.epsilon0)
    chart(
        figures.excess(curve),
        "card_audited",
        alt=f"Largest δ of releases with noise for ε₀ = {scenario.epsilon0:g}, against ε.",
        compact=True,
    )
    st.markdown(
        f"With noise for {level0(scenario.epsilon0)} no audit finds anybody beyond ε₀. {badges.inline(PROVEN)} Were answers published "
        "without noise, an audit of repeated ones estimates who stands out."
    )


def _own_table(scenario: Scenario) -> None:
    any_count = Count(Condition("any column", Comparison.EQUAL, "any value"))
    planned = plan(
        any_count,
        split_evenly(scenario.epsilon0, scenario.statistics).parts[0],
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
    )
    curves = error_curves(planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics)
    chart(
        small_error_against_epsilon0(curves),
        "card_own_table",
        alt=f"Error of a count against ε₀, with ε₀ = {scenario.epsilon0:g} marked.",
        compact=True,
    )
    st.markdown(
        f"A count of rows, which one person moves by {planned.error.sensitivity:,.0f}, {_within(within(planned).each)} 95 times out of "
        f"100. {badges.inline(PROVEN)} Bring a table, or look at the US Census; leave with a plan and the code that publishes by it."
    )


def _within(error: float) -> str:
    return f"will be within **{error:,.0f}** of the truth" if error else "will be **exact**"


CARDS = (
    Card("What can I publish from my own table?", "your_table", "plan", "Plan a release", _own_table),
    Card("How accurate will it be, and which ε₀?", "explicit_risk", "calibrate", "Calibrate ε₀", _noise),
    Card("How private is one release, in truth?", "explicit_risk", "truth", "Compare claim and truth", _truth),
    Card("What could an attacker find out?", "explicit_risk", "attacker", "See what an attacker gains", _belief),
    Card("What would a breach cost?", "budget_minimiser", "truth", "See what is saved in truth", _cost),
    Card("How many releases can I make?", "composition", "plan", "Add up the releases", _spent),
    Card(
        "What if nobody knows how far one person moves the answer?", "sample_planner", "sampled", "Sample it", _sampled
    ),
    Card("Did what is out already give anyone away?", "empirical_audit", "exposed", "Audit past answers", _audited),
)
