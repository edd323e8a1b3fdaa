"""What a reviewer asks of a release, after NIST SP 800-226: what the scenario answers, what speaks against it, what it cannot see."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from par_core.decision.wishes import ErrorWish, GroupWish
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES
from par_core.old_names import old_attribute
from par_core.parameters import check_type
from par_core.plan import PlanScenario, off_in_words
from par_core.risk.attacks import believed_after, largest_loss, spent
from par_core.rounding import amount, brief, error, percent, rounded, small
from par_core.scenario import HARDLY_PRIVATE, Neighbours, Scenario

SOURCE: Final = (
    "NIST SP 800-226, Guidelines for Evaluating Differential Privacy Guarantees (March 2025), in our own words"
)

State = Literal["answered", "open", "against"]

_ASKED = (  # key, question, section by its chapter and title: numbers further down differ between the draft and the final text
    ("epsilon", "How strongly does one release protect?", "2, The Privacy Parameter ε"),
    ("total", "What do all releases add up to?", "2, The Privacy Parameter ε"),
    ("delta", "Is δ well below 1/n, with n persons in the table?", "2, Variants of Differential Privacy"),
    ("neighbours", "Which two tables must look alike?", "2, The Unit of Privacy"),
    ("unit", "Is a whole person protected, not one row or one visit?", "2, The Unit of Privacy"),
    (
        "elsewhere",
        "Are the same data published nowhere else, now or later?",
        "2, Mixing Differential Privacy With Other Data Releases",
    ),
    ("mechanism", "Is the mechanism a proven one, and its noise large enough?", "3, Basic Mechanisms"),
    ("bounds", "Were bounds and categories chosen without looking at the data?", "3, Analytics Queries"),
    ("accuracy", "Is it known how far off the numbers are?", "3, Utility and Accuracy"),
    ("groups", "Are small groups still served?", "3, Bias"),
    ("code", "Does tested code draw the noise, safe to the last digit?", "4, Mechanism Implementation Challenges"),
    ("channels", "Do running times and error messages give nothing away?", "4, Mechanism Implementation Challenges"),
    ("access", "Who can reach the raw data, and how is that guarded?", "4, Data Security and Access Control"),
    ("collection", "Is nothing collected that is not needed?", "4, Data Collection Exposure"),
)

_NEIGHBOURS = {
    Neighbours.REPLACE_ONE: "Replace one: one person's rows are exchanged, and the number of persons is public.",
    Neighbours.ADD_OR_REMOVE: "Add or remove: one person's rows come or go, and even the number of persons is protected.",
}


@dataclass(frozen=True)
class Duty:
    """A question of a reviewer, and what a scenario says to it, perhaps nothing: plain text, its numbers on the safe side.

    It is "answered" by the scenario, the scenario speaks "against" it, or it is "open": no scenario can see that, the steward has to
    say. `section` is where SP 800-226 treats it. It has an evidence where it says a `computed` number.
    """

    key: str
    question: str
    says: str
    state: State
    section: str
    computed: bool = False
    only_if: str = ""
    standing = old_attribute("standing", "evidence.basis")

    @property
    def source(self) -> str:
        """Where the question comes from."""
        return SOURCE

    @property
    def evidence(self) -> Evidence | None:
        """What its number rests on, if it says one."""
        return Evidence(PROVEN, source=SOURCE).only_if(self.only_if) if self.computed else None


@dataclass(frozen=True)
class Total(Result):
    """The smallest `epsilon` that goes with `delta` for all planned releases together, rounded up.

    `added` is what basic composition gives, infinite where a loss is.
    """

    epsilon: float
    delta: float
    releases: int
    added: float
    QUANTITIES = quantities(epsilon=stated("level", "up", beside=lambda found: found.added))
    only_if: str = ""
    USUALLY = Evidence(PROVEN, source="exact composition", limits="worst-case neighbours in every release")

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the reader's model where something has to be true."""
        return self.USUALLY.only_if(self.only_if)


def total(scenario: Scenario) -> Total:
    """Return what all planned releases of a scenario spend together, at its delta; ParameterError where its mechanism is impossible.

    >>> round(total(Scenario(epsilon0=0.5, releases=2)).epsilon, 5)
    0.99996
    """
    check_type("scenario", scenario, Scenario)
    epsilon, added = spent(scenario, scenario.delta), largest_loss(scenario)
    return Total(epsilon, scenario.delta, scenario.releases, added, scenario.only_if)


def duties(scenario: Scenario) -> tuple[Duty, ...]:
    """Return what a reviewer asks, in the order of SP 800-226, with what the scenario says to it.

    >>> found = duties(Scenario())
    >>> sum(each.state == "answered" for each in found), len(found)
    (6, 14)
    >>> duties(Scenario(delta=0.01, stakeholders=100))[2].state
    'against'
    """
    return _duties(check_type("scenario", scenario, Scenario))


KEYS: Final = tuple(key for key, _, _ in _ASKED)
"""The keys of all duties, whatever the scenario."""


@lru_cache(maxsize=256)
def _duties(scenario: Scenario) -> tuple[Duty, ...]:
    said = _said(scenario)
    computed = _COMPUTED & set(said) if "epsilon" in said else ()
    return tuple(
        Duty(key, question, *said.get(key, ("", "open")), f"section {section}", key in computed, scenario.only_if)
        for key, question, section in _ASKED
    )


_WHOLE, _FLOATS = (
    "Whole numbers have no last digits to leak.",
    "Noise drawn as ordinary floats can give the answer away.",
)
_COMPUTED = {"epsilon", "total", "mechanism", "accuracy", "groups"}
_Said = tuple[str, State]


def _said(scenario: Scenario) -> dict[str, _Said]:
    """Return what the scenario says to some of the duties, by their keys."""
    if isinstance(scenario, PlanScenario):
        return _of_plan(scenario)
    rows = f"{scenario.rows_per_person:,} row{'s' * (scenario.rows_per_person > 1)}"
    said: dict[str, _Said] = {
        "delta": _delta(scenario),
        "neighbours": (_NEIGHBOURS[scenario.neighbours], "answered"),
        "unit": (f"The noise covers {rows} per person; anyone with more is less protected.", "open"),
    }
    try:
        made = scenario.release
    except (ParameterError, InfeasibleError) as refused:
        return said | {"mechanism": (f"Not possible: {refused}.", "against")}
    name = made.name[0].upper() + made.name[1:]
    if scenario.mechanism in NOISES:
        name = f"{name} noise of scale {amount(made.scale, 4)}"  # type: ignore[attr-defined]  # noise has one
        off, least = ErrorWish(1.0).reached(scenario), max(math.ceil(GroupWish(1).reached(scenario)), 1)
        said["bounds"] = f"Your sensitivity of {amount(scenario.sensitivity, 4)} rests on them.", "open"
        said["accuracy"] = f"Each number is within {error(off)} of the truth in 95 of 100 releases.", "answered"
        moved = f", if one person moves them by {amount(scenario.moves, 4)} in all"
        said["groups"] = f"Counts from {least:,} up are right within 10 % in 95 of 100 releases{moved}.", "open"
        said["code"] = _WHOLE if made.loss_is_discrete else _FLOATS, "open"
    needs = made.guarantee.delta if made.guarantee else 0.0
    with_delta = f" and δ = {small(needs)}" if needs else ""
    level = f"ε₀\u00a0=\u00a0{amount(scenario.level, 10)}"
    said["mechanism"] = f"{name}: proven for {level}{with_delta}.", "answered"
    said["epsilon"] = _level(scenario, level)
    with suppress(ParameterError, InfeasibleError):  # too little or too much to be composed
        said["total"] = _spent(total(scenario))
    return said


def _of_plan(scenario: PlanScenario) -> dict[str, _Said]:
    """Return what the scenario of a plan says; of a single release that of the one which protects least, whichever is looked at."""
    most = sorted({each.rows_per_person for each in scenario.plan})
    rows = f"{most[-1]:,} row{'s' * (most[-1] > 1)}" if len(most) == 1 else f"{most[0]:,} to {most[-1]:,} rows"
    number, joint = len(scenario.plan), sum(each.norm == "L2" for each in scenario.plan) > 1
    selects = any(each.shape.is_selection for each in scenario.plan)
    weakest = max((replace(scenario, at=at) for at in range(number)), key=lambda each: each.level)
    level, proven = (
        f"ε₀\u00a0=\u00a0{amount(weakest.level, 4)}",
        f"Each release has noise{' or a choice' * selects} that is proven for its part of ε₀",
    )
    said: dict[str, _Said] = {
        "delta": _delta(scenario),
        "neighbours": (_NEIGHBOURS[scenario.neighbours], "answered"),
        "unit": (f"The noise covers {rows} per person; anyone with more is less protected.", "open"),
        "mechanism": (f"{proven}{'; Gaussian releases jointly for theirs' * joint}.", "answered"),
        "epsilon": _level(weakest, f"Release {weakest.at + 1} has {level}" if number > 1 else level),
    }
    with suppress(ParameterError):  # a mean over a private number of rows of which nobody has guessed it
        each = "; ".join(_within(scenario, at) for at in range(number))
        said["accuracy"] = f"In 95 of 100 releases {each}.", "answered"
    with suppress(ParameterError, InfeasibleError):
        said["total"] = _spent(total(scenario))
    return said


def _within(scenario: PlanScenario, at: int) -> str:
    release = scenario.plan[at]
    far = off_in_words(release, error(scenario.whole.error(at))).removeprefix("±")
    if release.size is None or not release.shape.is_pair(scenario.neighbours):
        return f"release {at + 1} is within {far}"
    return f"release {at + 1} is within {far} if at least {release.size:,} rows are {release.shape.rows_are}"


def _level(scenario: Scenario, level: str) -> _Said:
    found = believed_after(scenario, 0.5)
    often = f", in all but {percent(found.rare, toward='up')} of releases" if found.rare else ""
    sure = percent(found.believed, toward="up")
    says = f"{level}: someone 50 % sure becomes {'' if sure.startswith('almost') else 'at most '}{sure} sure{often}."
    return says, "against" if scenario.level > HARDLY_PRIVATE else "answered"


def _spent(found: Total) -> _Said:
    together = f"{found.releases:,} releases together" if found.releases > 1 else "One release"
    says = f"{together}: ε up to {brief(found.epsilon, toward='up', beside=found.added)} at δ = {small(found.delta)}."
    return says, "against" if found.epsilon > HARDLY_PRIVATE else "answered"


def _delta(scenario: Scenario) -> _Said:
    persons = scenario.stakeholders
    well_below = min(1 / persons**2, 0.01 / persons)  # of few persons 1/n² is no small number
    one, limit = small(rounded(1 / persons)), small(float(brief(well_below, toward="down")))
    says = f"δ = {small(scenario.delta)}. If your table holds about n = {persons:,} persons, 1/n = {one}; “well below” is at most {limit}."
    if scenario.delta * persons >= 1:
        return says, "against"
    return says, "answered" if scenario.delta <= well_below else "open"
