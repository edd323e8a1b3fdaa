"""The accountants: the level and number of releases, which curves are drawn, and at which numbers the table is."""

from typing import Any

import streamlit as st

from pages.shared import controls, paper_switch, settings
from pages.shared.dial import dial
from pages.shared.page import Section
from par_core.composition import ACCOUNTANTS
from par_core.figures.composition import short_name
from par_core.questions.composition import accountants
from par_core.questions.composition.accountants import AS_DRAWN, Accountants
from par_core.questions.composition.claims_of_accountants import PANELS
from par_core.questions.composition.exact_count import FEW, LARGEST_LEVEL, MOST, SMALLEST_LEVEL, usual_epsilon0
from par_core.questions.glossary import explain
from par_core.questions.question import Answer
from par_core.scenario import Scenario

EPSILON0 = settings.following(
    settings.number("ce0", "ε₀ of each release", 0.5, at_least=SMALLEST_LEVEL, at_most=LARGEST_LEVEL),
    usual_epsilon0,
)
LARGEST = settings.following(
    settings.whole("cn", "Largest number of releases", FEW, at_least=2, at_most=MOST), accountants.usual_releases
)
DELTA = settings.following(
    settings.number("cd", "δ of the curves", 1e-5, at_least=1e-15, at_most=0.5), lambda scenario: scenario.delta
)
K = settings.following(
    settings.whole("ck", "k of the published curves", 1, at_least=1, at_most=10_000), lambda scenario: scenario.k
)
CURVES = settings.choices("curves", "Accountants", tuple(ACCOUNTANTS), AS_DRAWN)
AXES = settings.choice("cax", "Axes", ("plain", "log"))
CHOSEN = settings.following(
    settings.numbers("cno", "Numbers at", (), at_least=1, at_most=MOST, only_whole=True),
    lambda scenario: [str(each) for each in accountants.usual_numbers(scenario)],
)
PAPER_ONLY = paper_switch.setting("cpaper")

_PRINTED: dict[settings.Setting[Any], Any] = {
    LARGEST: 300,
    DELTA: 1e-5,
    K: 1,
    AXES: "plain",
    CURVES: list(AS_DRAWN),
    CHOSEN: ["1", "10", "100", "300"],
}


def ask(scenario: Scenario) -> Accountants:
    epsilon0 = dial(EPSILON0, hint=explain("epsilon0"))
    largest = controls.whole(LARGEST, hint=explain("largest_number"))
    delta = controls.number(DELTA, hint=explain("delta"))
    keys, k = controls.choices(CURVES, hint=explain("accountants"), words=short_name), K.value()
    if scenario.as_published and any(ACCOUNTANTS[key].at_risk for key in keys):
        k = controls.whole(K, hint=f"The paper draws figure 5 for k = 1. {explain('k')}")
    axes = controls.choice(AXES, words={"plain": "Plain", "log": "Logarithmic"}.__getitem__, hint=explain("axes"))
    with st.container(horizontal=True):
        for panel, level in PANELS.items() if scenario.as_published else ():
            hint = f"As in the paper: ε₀ = {level:g}, up to 300 releases."
            controls.button(f"Figure {panel}", settings.put_all, {EPSILON0: level, **_PRINTED}, hint=hint)
    if accountants.can_be_composed(scenario):
        own = {each: each.opens_on for each in (EPSILON0, LARGEST, DELTA, K, CHOSEN)}
        controls.button("With my scenario", settings.put_all, own, hint=explain("my_scenario"))
    paper_only = scenario.as_published and paper_switch.draw(PAPER_ONLY)
    numbers, _ = settings.usable(CHOSEN)
    return Accountants(
        scenario,
        drawn_epsilon0=settings.own(EPSILON0, epsilon0),
        largest=settings.own(LARGEST, largest),
        drawn_delta=settings.own(DELTA, delta),
        accountants=tuple(keys),
        drawn_k=settings.own(K, k),
        axes="log" if axes == "log" else "plain",
        numbers_at=settings.own(CHOSEN, tuple(map(int, numbers))),
        paper_only=paper_only,
    )


def choose_numbers(_: Section, __: Answer) -> None:
    controls.number_list(CHOSEN, hint=explain("numbers_at"), offers=("1", "2", "10", "100", "300", "1000"))
