"""A card for each question: a small picture, a sentence that answers it, and the way to the page that says more."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import streamlit as st

from pages.overview import first_view
from pages.shared import answers, badges, navigation, printed_figures
from pages.shared.chart import chart, show
from pages.shared.release import only_laplace
from pages.shared.say import say
from pages.shared.settings import present_scenario
from par_core.claims.inventory import rows
from par_core.figures import overview as figures
from par_core.figures import paper_check
from par_core.lab.two_worlds import two_worlds
from par_core.questions.blocks import Chart, Words
from par_core.questions.overview.in_brief import BeliefInBrief, CostInBrief, CountInBrief, SpentInBrief, TruthInBrief
from par_core.questions.question import Question
from par_core.risk import explicit_curves
from par_core.sampling import samples_for_largest
from par_core.sampling.coupled_curves import Setting as Shared
from par_core.sampling.coupled_curves import by_samples
from par_core.scenario import Scenario

_PAIRS, _COVERED, _SURE = 15_000, 0.99, 0.9
_LEAST_IN_LAB, _MOST_IN_LAB = 1e-3, 20.0
_NUMBERS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)

_Answer = tuple[Any, str, str]
"""A small picture, its words for who cannot see it, and the short answer."""


def draw() -> None:
    first_view.draw()
    only_laplace("The pictures below are")
    for start in range(0, len(CARDS), 2):
        for place, card in zip(st.columns(2), CARDS[start : start + 2], strict=False):
            with place, st.container(border=True, height="stretch"):
                _card(card, replace(present_scenario(), mechanism=Scenario.mechanism))
    st.markdown(
        f"Every number says what it is worth: {badges.in_words()}. Solid dark curves are exact, dashed amber ones as published.",
        help=badges.legend(),
    )
    printed_figures.draw()


def _sampled(scenario: Scenario) -> _Answer:
    setting = Shared(epsilon0=scenario.epsilon0, k=scenario.k)
    (curve,) = by_samples([_PAIRS], setting=setting, upto=setting.reached)
    words = say(
        "Sample it: the largest change among **{pairs:,}** pairs of tables covers {covered:percent} of all, with {sure:percent} certainty.",
        pairs=samples_for_largest(_COVERED, _SURE),
        covered=_COVERED,
        sure=_SURE,
        standing_of=samples_for_largest,
    )
    alt = f"Published and exact risk of noise at ε₀ = {scenario.epsilon0:g} for a sampled sensitivity, η = {setting.eta:.4g}."
    return figures.sampled(curve), alt, words


def _audited(scenario: Scenario) -> _Answer:
    curve = explicit_curves.excess(scenario.epsilon0)
    words = say(
        "With noise for {at:level0} no audit finds anyone above ε₀; without noise it may.",
        at=scenario.epsilon0,
        standing_of=curve,
    )
    return figures.excess(curve), f"Largest δ of releases with noise for ε₀ = {scenario.epsilon0:g}, against ε.", words


def _worlds(scenario: Scenario) -> _Answer:
    seen = two_worlds("laplace", min(max(scenario.epsilon0, _LEAST_IN_LAB), _MOST_IN_LAB))
    words = say("An answer is at most **{seen.factor}** times as likely with you in the table as without.", seen=seen)
    return figures.worlds(seen), f"How likely each answer is in two worlds, at ε = {seen.epsilon:g}.", words


def _checked(_: Scenario) -> _Answer:
    number = sum(bool(each.claims) for each in rows())
    words = f"**{number}** statements of five texts are recomputed here; refute what fails with your own numbers."
    return paper_check.small_inventory(rows()), f"How many statements of each text are checked: {number} in all.", words


class Card(NamedTuple):
    """A question, the page and section that answer it, and the short answer."""

    question: str
    module: str
    tab: str
    answer: Callable[[Scenario], _Answer] | type[Question]


CARDS = (
    Card("How far off are my numbers?", "your_table", "plan", CountInBrief),
    Card("What could an attacker find out?", "explicit_risk", "attacker", BeliefInBrief),
    Card("How private is one release, in truth?", "explicit_risk", "truth", TruthInBrief),
    Card("How many releases can I make?", "composition", "plan", SpentInBrief),
    Card("What would a breach cost?", "budget_minimiser", "truth", CostInBrief),
    Card("What if one person's influence is unknown?", "sample_planner", "sampled", _sampled),
    Card("Did past answers give anyone away?", "empirical_audit", "exposed", _audited),
    Card("How does noise keep a secret?", "mechanism_lab", "worlds", _worlds),
    Card("Is it true what the papers say?", "paper_check", "claims", _checked),
)


def _card(card: Card, scenario: Scenario) -> None:
    st.markdown(f"## {card.question}")
    if isinstance(card.answer, type):
        _in_brief(card.answer(scenario))
    else:
        figure, alt, words = card.answer(scenario)
        chart(figure, f"card{card.answer.__name__}", alt=alt, compact=True)
        st.markdown(words)
    info = navigation.PageInfo(card.module)
    st.page_link(navigation.entry(card.module), label=f":primary[{info.title} →]", query_params={"tab": card.tab})


def _in_brief(question: Question) -> None:
    told = answers.told(question)
    for block in told.story():
        if isinstance(block, Chart):
            height = told.drawing(block).layout.get("height")
            show(block.key, told.json(block), height=height, alt=block.alt.told(), source="", compact=True)
        elif isinstance(block, Words):
            st.markdown(block.marked(badges.of))
    answers.weigh(told)
