"""Both sources: what has a curve for each, the noise, where η comes from, and the confidence that is wanted."""

from __future__ import annotations

from typing import Any, cast

import streamlit as st

from pages.sample_planner import own_level
from pages.sample_planner.how_many import PAPER_ONLY
from pages.shared import controls, paper_switch, settings
from pages.shared.dial import dial
from pages.shared.page import Section
from pages.shared.settings import Setting
from par_core.questions.glossary import explain
from par_core.questions.question import Answer
from par_core.questions.sample_planner.both_sources import (
    LEAST_LEVEL,
    LEAST_SENSITIVITY,
    LEAST_WANTED,
    MOST_K,
    MOST_LEVEL,
    MOST_ORDER,
    MOST_SENSITIVITY,
    BothSources,
    By,
    EtaFrom,
)
from par_core.questions.sample_planner.how_many import LEAST_RHO, MOST_PAIRS
from par_core.scenario import Scenario

_PLAIN = BothSources
_LEVELS: dict[str, Any] = {"at_least": LEAST_LEVEL, "at_most": MOST_LEVEL}
_SENSITIVITIES: dict[str, Any] = {"at_least": LEAST_SENSITIVITY, "at_most": MOST_SENSITIVITY}

VARY = settings.choice("bby", "One curve for each", ("rho", "samples"))
RHOS = settings.numbers("brhos", "Distances ρ", _PLAIN.rhos, at_least=LEAST_RHO, at_most=1.0)
PAIRS = settings.whole("bn", "Sampled pairs", _PLAIN.samples, at_least=1, at_most=MOST_PAIRS)
NUMBERS = settings.numbers("bns", "Numbers of pairs", _PLAIN.numbers, at_least=1, at_most=MOST_PAIRS, only_whole=True)
RHO = settings.number("brho", "Distance ρ", _PLAIN.rho, at_least=LEAST_RHO, at_most=1.0)
EPSILON0 = settings.number("be0", "ε₀ of the noise", _PLAIN.drawn_epsilon0, **_LEVELS)
EPSILON = settings.number("be", "Level hoped for, ε", _PLAIN.epsilon, **_LEVELS)
SHARE = settings.number("bc2", "Quantile that was taken", _PLAIN.quantile, at_least=0.0, at_most=1.0)
ETA_FROM = settings.choice("beta", "η", ("paper", "bound", "model"))
BOUND = settings.number("bmax", "True bound", _PLAIN.bound, **_SENSITIVITIES)
SAMPLED = settings.number("bds", "Sampled sensitivity", _PLAIN.sampled, **_SENSITIVITIES)
ORDER = settings.number("bc", "Constant c", _PLAIN.order, at_least=0.0, at_most=MOST_ORDER)
THOUSANDS = settings.switch("bk", "The same data in thousands")
K = settings.whole("bkk", "k", _PLAIN.drawn_k, at_least=1, at_most=MOST_K)
WANTED = settings.number("bw", "Wanted confidence", _PLAIN.wanted, at_least=LEAST_WANTED, at_most=1.0)

_OF_FIGURES: tuple[Setting[Any], ...] = (
    *(RHOS, PAIRS, NUMBERS, RHO, EPSILON0, SHARE),
    *(ETA_FROM, BOUND, SAMPLED, ORDER, THOUSANDS, K),
)
_PAPER_EXAMPLE: dict[Setting[Any], Any] = {
    VARY: "samples",
    NUMBERS: ["15000"],
    RHO: 0.01,
    SHARE: 0.9,
    EPSILON: 0.4,
    WANTED: 0.9,
    ETA_FROM: "paper",
    K: 1,
}
_VARY_WORDS = {"rho": "distance ρ", "samples": "number of pairs"}
_ETA_WORDS = {"paper": "The paper’s", "bound": "From a bound", "model": "The paper’s model"}


def ask(scenario: Scenario) -> BothSources:
    vary = controls.choice(VARY, words=_VARY_WORDS.__getitem__, hint=explain("rho"))
    if vary == "rho":
        controls.number_list(RHOS, hint=explain("rho"), offers=("0.01", "0.012", "0.015", "0.02"))
        controls.whole(PAIRS, hint=explain("pairs"))
    else:
        controls.number_list(NUMBERS, hint=explain("pairs"), offers=("10000", "15000", "20000", "25000"))
        controls.number(RHO, hint=explain("rho"))
    epsilon, epsilon0 = dial(EPSILON, hint=explain("epsilon")), dial(EPSILON0, hint=explain("epsilon0"))
    own_level.say(scenario, EPSILON0, K)
    with st.container(horizontal=True):
        for figure, by, what in (
            ("3a", "rho", "four distances ρ at 10,000 pairs"),
            ("3b", "samples", "10,000 to 25,000 pairs at ρ = 0.01"),
        ):
            as_published = {each: each.default for each in _OF_FIGURES} | {VARY: by}
            controls.button(f"Figure {figure}", settings.put_all, as_published, hint=f"As in the paper: {what}.")
    paper_switch.draw(PAPER_ONLY)
    eta_from = _choose_eta()
    return BothSources(
        scenario,
        cast(By, vary),
        rhos=tuple(settings.usable(RHOS)[0]),
        samples=PAIRS.value(),
        numbers=tuple(map(int, settings.usable(NUMBERS)[0])),
        rho=RHO.value(),
        drawn_epsilon0=epsilon0,
        epsilon=epsilon,
        quantile=controls.number(SHARE, hint=explain("quantile_taken"), step=0.05),
        eta_from=eta_from,
        bound=BOUND.value(),
        sampled=SAMPLED.value(),
        order=ORDER.value(),
        thousands=THOUSANDS.value(),
        drawn_k=controls.whole(K, hint=explain("k")),
        wanted=WANTED.value(),
        paper_only=PAPER_ONLY.value(),
    )


def _choose_eta() -> EtaFrom:
    source = controls.choice(ETA_FROM, hint=explain("eta"), words=_ETA_WORDS.__getitem__)
    if source != "paper":
        controls.number(SAMPLED, hint=explain("sampled_sensitivity"))
    if source == "bound":
        where = "“Sampled sensitivity” shows it if there is one."
        controls.number(BOUND, hint=f"A sensitivity that no pair exceeds, in the same unit; {where}")
    if source == "model":
        controls.number(ORDER, hint="The paper’s constant; it uses 2, without a reason.")
        controls.switch(THOUSANDS, hint="Dollars become thousands of dollars: nothing changes but the unit.")
    return cast(EtaFrom, source)


def choose_wanted(_: Section, __: Answer) -> None:
    controls.number(WANTED, hint=explain("empirical_confidence"), step=0.05)
    case_3 = "ε = 0.4, confidence 0.9, the 90 % quantile, 15,000 pairs at ρ = 0.01, which it answers with ε₀ = 0.8."
    controls.button("The paper’s own example", settings.put_all, _PAPER_EXAMPLE, hint=f"Section 6.2, case 3: {case_3}")
