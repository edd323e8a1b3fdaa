"""A card for each question: a small picture, a sentence that answers it, and the way to the page that says more."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from pages.overview import printed_figures
from pages.shared import badges, navigation
from pages.shared.chart import chart
from pages.shared.say import say, written
from pages.shared.settings import present_scenario
from pages.shared.words import level0
from par_core import cost
from par_core.composition import LARGEST_EPSILON0, compare
from par_core.cost import CostModel
from par_core.decision import BeliefWish, ErrorWish, decide
from par_core.figures import overview as figures
from par_core.figures.your_table import small_error_against_epsilon0
from par_core.lab.two_worlds import two_worlds
from par_core.queries import Comparison, Condition, Count
from par_core.release import error_curves, plan, within
from par_core.risk import explicit_curves
from par_core.rounding import error, small
from par_core.sampling import samples_for_largest
from par_core.sampling.coupled_curves import Setting as Shared
from par_core.sampling.coupled_curves import by_samples
from par_core.scenario import Scenario

_PAIRS, _COVERED, _SURE = 15_000, 0.99, 0.9
_LEAST_IN_LAB, _MOST_IN_LAB = 1e-3, 20.0
_NUMBERS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)

_Answer = tuple[Any, str, str]
"""A small picture (None where there is nothing to draw), its words for who cannot see it, and the short answer."""


def draw() -> None:
    st.markdown("**ε₀** in the sidebar sets the noise.")
    for start in range(0, len(CARDS), 2):
        for place, card in zip(st.columns(2), CARDS[start : start + 2], strict=False):
            with place, st.container(border=True, height="stretch"):
                _card(card, replace(present_scenario(), mechanism=Scenario.mechanism))
    st.markdown(
        f"Every number says what it is worth: {badges.in_words()}. Solid dark curves are exact, dashed amber ones as published.",
        help=badges.legend(),
    )
    printed_figures.draw()


def _decided(scenario: Scenario) -> _Answer:
    wishes = (ErrorWish(10.0), BeliefWish(0.5, 0.7))
    found = decide(wishes, scenario)
    answer = (
        say("ε₀ from **{found.low}** to **{found.high}**.", found=found)
        if found.possible
        else say("no ε₀ does both.", standing_of=found)
    )
    return (
        figures.decided(found, ["error", "belief"], epsilon0=scenario.epsilon0),
        f"Levels that meet two wishes, and your ε₀ = {scenario.epsilon0:g} as a line.",
        f"Within 10 of the truth, an attacker at most 70\u00a0% sure: {answer}",
    )


def _noise(scenario: Scenario) -> _Answer:
    curves = explicit_curves.noise_overlap(scenario.epsilon0, scenario.epsilon0)
    off = say(
        "Each published number is off by **{off}** on average.", off=error(scenario.noise_scale), standing_of=curves
    )
    return (
        figures.noise(curves, unit=scenario.noise_scale * scenario.epsilon0),
        f"Density of the noise at ε₀ = {scenario.epsilon0:g}.",
        off,
    )


def _truth(scenario: Scenario) -> _Answer:
    words = (
        "The privacy loss exceeds half of ε₀ in {half.risk} of releases, a paper says; in truth, in the worst case, in "
        "**{half.exact_risk}**."
    )
    return (
        figures.truth(explicit_curves.truth(scenario.epsilon0, scenario.k, points=61)),
        f"Published risk under the exact risk at ε₀ = {scenario.epsilon0:g}.",
        say(words, half=explicit_curves.risk_at(scenario.epsilon0 / 2, scenario.epsilon0, k=scenario.k)),
    )


def _belief(scenario: Scenario) -> _Answer:
    curves = explicit_curves.attacks(scenario.epsilon0, scenario.epsilon0, points=61)
    words = (
        "Whether your record was used: the best attack by somebody who knows everyone else's data has a membership advantage "
        "(TPR − FPR) of **{curves.advantage0}**; 0 is blind guessing."
    )
    alt = f"Worst belief after the release against belief before, at ε₀ = {scenario.epsilon0:g}."
    return figures.belief(curves), alt, say(words, curves=curves)


def _cost(scenario: Scenario) -> _Answer:
    model = CostModel(scenario.compensation, scenario.stakeholders)
    curve = cost.curve(model, [scenario.epsilon0], k=scenario.k).curves[0]
    words = say(
        "A paper's choice of ε saves {curve.published_optimum.share_saved} of what a breach costs; under your cost model it truly "
        "saves **{curve.exact_optimum.share_saved}** on average over releases.",
        curve=curve,
    )
    little = " At this ε₀ the model says next to nothing." * cost.says_little(model, scenario.epsilon0)
    alt = f"Budget for a breach at ε₀ = {scenario.epsilon0:g}, as published and exact."
    return figures.cost(curve, currency=scenario.currency), alt, words + little


def _spent(scenario: Scenario) -> _Answer:
    if scenario.epsilon0 > LARGEST_EPSILON0:
        words = f"At {level0(scenario.epsilon0)} a single release protects nobody: there is nothing left to spend."
        return None, "", words
    compared = compare(scenario.epsilon0, _NUMBERS, delta=scenario.delta, keys=["basic"])
    words = say(
        f"{_NUMBERS[-1]} releases spend **{{compared.exact.upper[-1]}}** together (δ\u00a0=\u00a0{small(compared.delta)}), not the "
        "{added} of basic composition. See how many you can make.",
        compared=compared,
        added=written(compared.curves[0].quantity("epsilon", -1)),
    )
    alt = (
        f"Privacy spent by up to {_NUMBERS[-1]} releases at ε₀ = {scenario.epsilon0:g}, by basic composition and exact."
    )
    return figures.spent(compared), alt, words


def _sampled(scenario: Scenario) -> _Answer:
    setting = Shared(epsilon0=scenario.epsilon0, k=scenario.k)
    (curve,) = by_samples([_PAIRS], setting=setting, upto=setting.reached)
    words = say(
        "Sample it: of **{pairs:,}** pairs of tables the largest change is exceeded by less than {rest:percent} of all pairs that could "
        "be drawn, with {sure:percent} certainty.",
        pairs=samples_for_largest(_COVERED, _SURE),
        rest=1 - _COVERED,
        sure=_SURE,
        standing_of=samples_for_largest,
    )
    alt = f"Published and exact risk of noise at ε₀ = {scenario.epsilon0:g} for a sampled sensitivity, η = {setting.eta:.4g}."
    return figures.sampled(curve), alt, f"{words} See what noise for it is worth."


def _audited(scenario: Scenario) -> _Answer:
    curve = explicit_curves.excess(scenario.epsilon0)
    nobody = say(
        "With noise for {at:level0} no audit finds anybody beyond ε₀.", at=scenario.epsilon0, standing_of=curve
    )
    words = f"{nobody} Were answers published without noise, an audit of repeated ones estimates who stands out."
    return figures.excess(curve), f"Largest δ of releases with noise for ε₀ = {scenario.epsilon0:g}, against ε.", words


def _own_table(scenario: Scenario) -> _Answer:
    any_count = Count(Condition("any column", Comparison.EQUAL, "any value"))
    planned = plan(
        any_count,
        scenario.epsilon0,
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
        mechanism=scenario.mechanism,
        delta=scenario.delta,
        statistics=scenario.statistics,
    )
    off = within(planned).each
    words = say(
        "A count of rows {close} 95 times out of 100.",
        close=f"will be within **{off:,.0f}** of the truth" if off else "will be **exact**",
        standing_of=planned,
    )
    return (
        small_error_against_epsilon0(error_curves(planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics)),
        f"Error of a count against ε₀, with ε₀ = {scenario.epsilon0:g} marked.",
        words,
    )


def _worlds(scenario: Scenario) -> _Answer:
    seen = two_worlds("laplace", min(max(scenario.epsilon0, _LEAST_IN_LAB), _MOST_IN_LAB))
    words = say(
        "A published answer is at most **{seen.factor}** times as likely with you in the table as without.", seen=seen
    )
    return figures.worlds(seen), f"How likely each answer is in two worlds, at ε = {seen.epsilon:g}.", words


class Card(NamedTuple):
    """A question, the page and section that answer it, what the link to them says, and the short answer."""

    question: str
    module: str
    tab: str
    link: str
    answer: Callable[[Scenario], _Answer]


CARDS = (
    Card("Which ε₀ should I take?", "decide", "decide", "Decide", _decided),
    Card("What can I publish from my own table?", "your_table", "plan", "Plan a release", _own_table),
    Card("How accurate will it be?", "explicit_risk", "calibrate", "Calibrate ε₀", _noise),
    Card("How private is one release, in truth?", "explicit_risk", "truth", "Compare claim and truth", _truth),
    Card("What could an attacker find out?", "explicit_risk", "attacker", "See what an attacker gains", _belief),
    Card("What would a breach cost?", "budget_minimiser", "truth", "See what is saved in truth", _cost),
    Card("How many releases can I make?", "composition", "plan", "Compose the releases", _spent),
    Card(
        "What if nobody knows how far one person moves the answer?", "sample_planner", "sampled", "Sample it", _sampled
    ),
    Card("Did what is out already give anyone away?", "empirical_audit", "exposed", "Audit past answers", _audited),
    Card("How does noise keep a secret at all?", "mechanism_lab", "worlds", "Play in the lab", _worlds),
)


def _card(card: Card, scenario: Scenario) -> None:
    st.markdown(f"#### {card.question}")
    figure, alt, words = card.answer(scenario)
    if figure is not None:
        chart(figure, f"card{card.answer.__name__}", alt=alt, compact=True)
    st.markdown(words)
    st.page_link(navigation.entry(card.module), label=f":primary[{card.link} →]", query_params={"tab": card.tab})
