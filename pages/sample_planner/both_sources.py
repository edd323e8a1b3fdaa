"""Both sources: what has a curve for each, the noise, where η comes from, and the confidence that is wanted."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.sample_planner import own_level
from pages.sample_planner.how_many import PAPER_ONLY
from pages.sample_planner.of_question import Fields
from pages.shared import controls, paper_switch, settings
from pages.shared.dial import dial
from pages.shared.page import Section
from pages.shared.settings import Setting
from par_core.questions.glossary import explain
from par_core.questions.question import Answer
from par_core.questions.sample_planner.both_sources import BothSources
from par_core.scenario import Scenario

FIELDS = Fields(BothSources)
VARY = FIELDS.setting("by", "bby", "One curve for each")
RHOS = FIELDS.setting("rhos", "brhos", "Distances ρ")
PAIRS = FIELDS.setting("samples", "bn", "Sampled pairs")
NUMBERS = FIELDS.setting("numbers_of_pairs", "bns", "Numbers of pairs")
RHO = FIELDS.setting("rho", "brho", "Distance ρ")
EPSILON0 = FIELDS.setting("noise_epsilon0", "be0", "ε₀ of the noise")
EPSILON = FIELDS.setting("epsilon", "be", "Level hoped for, ε")
SHARE = FIELDS.setting("quantile", "bc2", "Quantile that was taken")
ETA_FROM = FIELDS.setting("eta_from", "beta", "η")
BOUND = FIELDS.setting("bound", "bmax", "True bound")
SAMPLED = FIELDS.setting("sampled", "bds", "Sampled sensitivity")
ORDER = FIELDS.setting("order", "bc", "Constant c")
THOUSANDS = FIELDS.setting("thousands", "bk", "The same data in thousands")
K = FIELDS.setting("drawn_k", "bkk", "k")
WANTED = FIELDS.setting("wanted_confidence", "bw", "Wanted confidence")
FIELDS["paper_only"] = PAPER_ONLY

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
    dial(EPSILON, hint=explain("epsilon"))
    dial(EPSILON0, hint=explain("epsilon0"))
    own_level.say(scenario, EPSILON0, K)
    of_figures = {each: each.default for each in FIELDS.values() if each not in (EPSILON, WANTED, PAPER_ONLY)}
    with st.container(horizontal=True):
        for figure, by, what in (
            ("3a", "rho", "four distances ρ at 10,000 pairs"),
            ("3b", "samples", "10,000 to 25,000 pairs at ρ = 0.01"),
        ):
            controls.button(
                f"Figure {figure}", settings.put_all, {**of_figures, VARY: by}, hint=f"As in the paper: {what}."
            )
    paper_switch.draw(PAPER_ONLY)
    source = controls.choice(ETA_FROM, hint=explain("eta"), words=_ETA_WORDS.__getitem__)
    if source != "paper":
        controls.number(SAMPLED, hint=explain("sampled_sensitivity"))
    if source == "bound":
        where = "“Sampled sensitivity” shows it if there is one."
        controls.number(BOUND, hint=f"A sensitivity that no pair exceeds, in the same unit; {where}")
    if source == "model":
        controls.number(ORDER, hint="The paper’s constant; it uses 2, without a reason.")
        controls.switch(THOUSANDS, hint="Dollars become thousands of dollars: nothing changes but the unit.")
    controls.number(SHARE, hint=explain("quantile_taken"), step=0.05)
    controls.whole(K, hint=explain("k"))
    return BothSources(scenario, **FIELDS.now())


def choose_wanted(_: Section, __: Answer) -> None:
    controls.number(WANTED, hint=explain("empirical_confidence"), step=0.05)
    case_3 = "ε = 0.4, confidence 0.9, the 90 % quantile, 15,000 pairs at ρ = 0.01, which it answers with ε₀ = 0.8."
    controls.button("The paper’s own example", settings.put_all, _PAPER_EXAMPLE, hint=f"Section 6.2, case 3: {case_3}")
