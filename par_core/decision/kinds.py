"""The wishes that a steward can have, in one list: what each asks for, within which bounds, and what it is called everywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from par_core.decision.wishes import (
    AdvantageWish,
    AttackWish,
    BaselineWish,
    BeliefWish,
    ErrorWish,
    GroupWish,
    MoneyWish,
    ReleasesWish,
    RiseWish,
    Wish,
)
from par_core.mechanisms import NOISES
from par_core.parameters import check_type
from par_core.scenario import Scenario


@dataclass(frozen=True)
class Number:
    """A number of a wish: the field that holds it, its name in an address, its label, what it is by default, and its bounds."""

    field: str
    key: str
    label: str
    default: float
    at_least: float = 0.001
    at_most: float = 0.999


@dataclass(frozen=True)
class Kind:
    """A kind of wish: its option on the command line, its name in an address, its label, its word in the glossary, and its numbers.

    The first of the `numbers` is the wish's own, for which `steps` are round. What it is `called` in a sentence, in a `row` of a
    picture, what it is to be `allowed` and what a level that meets it `promises` are parts of sentences. Up to so many releases it is
    looked up `quickly`: at every stop of a dial within about a second. `by_default` everybody comes to it.
    """

    wish: type[Wish]
    option: str
    key: str
    label: str
    term: str
    numbers: tuple[Number, ...]
    steps: tuple[float, ...]
    called: str
    row: str
    allowed: str
    promises: str
    quickly: int = 10**6
    by_default: bool = False

    @property
    def of_noise(self) -> bool:
        """Whether only a mechanism that adds noise to numbers can meet it."""
        return not self.wish.upper

    def made(self, *numbers: float) -> Wish:
        """Return the wish with these numbers, in their order."""
        make: Callable[..., Wish] = self.wish
        return make(**{each.field: value for each, value in zip(self.numbers, numbers, strict=True)})

    def can_be_asked_of(self, scenario: Scenario) -> bool:
        """Return whether it makes sense for the mechanism of a scenario."""
        return not self.of_noise or scenario.mechanism in NOISES


_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 750, 1000)
_SHARES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9)
_RATES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9)
_SURE = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.51, 0.52, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
_AMOUNTS = tuple(float(lead * 10**power) for power in range(3, 8) for lead in (1, 1.5, 2, 3, 4, 5, 6, 8))
_LEVELS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20)

KINDS: Final = (
    Kind(
        *(ErrorWish, "error", "we", "Error", "wish_error"),
        (Number("within", "wev", "Error within, in 95 of 100", 10.0, 1e-6, 1e12),),
        _NUMBERS,
        *("error", "Error<br>within {}", "an error of {}"),
        "your numbers are within {number} of the truth in 95 of 100 releases",
        by_default=True,
    ),
    Kind(
        *(GroupWish, "group", "wg", "Smallest group", "wish_group"),
        (Number("rows", "wgv", "Groups right within 10 % from", 100, 1, 10**12),),
        tuple(10 * each for each in _NUMBERS),
        *("smallest group", "Groups<br>from {}", "a smallest group of {}"),
        "counts from {number} up, which one person moves by {moved} in all, are right within {part} in 95 of 100 releases",
    ),
    Kind(
        *(BeliefWish, "belief", "wb", "Belief", "wish_belief"),
        (Number("at_most", "wbv", "Belief after, at most", 0.7), Number("prior", "wbp", "Belief before", 0.5)),
        _SURE,
        *("belief", "Belief<br>up to {}", "a belief of {}"),
        "an attacker {prior} sure becomes at most {number} sure{after}",
        by_default=True,
    ),
    Kind(
        *(RiseWish, "rise", "wr", "Rise of belief", "wish_rise"),
        (Number("points", "wrv", "Belief rises by at most", 0.2),),
        _SHARES,
        *("rise of belief", "Rise up to<br>{}", "a rise of {}"),
        "no attacker's belief rises by more than {number}{after}",
    ),
    Kind(
        *(AttackWish, "attack", "wa", "Attack success", "wish_attack"),
        (
            Number("true_positive", "wav", "True positives, at most", 0.2),
            Number("false_positive", "waf", "At false positives", 0.05),
        ),
        _RATES,
        *("attack success", "Attack<br>up to {}", "an attack success of {}"),
        "an attack with {false_positive} false alarms hits at most {number}{after}",
        quickly=60,
    ),
    Kind(
        *(BaselineWish, "baseline", "wi", "Re-identification", "wish_found"),
        (
            Number("at_most", "wiv", "Found with the releases, at most", 0.1),
            Number("baseline", "wib", "Found without the releases", 0.01, 1e-6),
        ),
        _RATES,
        *("re-identification", "Re-identified<br>up to {}", "a re-identification of {}"),
        "whoever succeeds with {baseline} unaided succeeds with at most {number}{after}",
        quickly=60,
    ),
    Kind(
        *(AdvantageWish, "advantage", "wd", "Advantage", "wish_advantage"),
        (Number("at_most", "wdv", "Advantage, at most", 0.3),),
        _SHARES,
        *("advantage", "Advantage<br>up to {}", "an advantage of {}"),
        "an attack's advantage over guessing is at most {number}{after}",
        quickly=365,
    ),
    Kind(
        *(MoneyWish, "money", "wm", "Money", "wish_money"),
        (Number("budget", "wmv", "Breach costs on average at most", 100_000.0, 0.01, 1e15),),
        _AMOUNTS,
        *("budget", "Breach up to<br>{}", "a budget of {}"),
        "a breach costs at most {number} on average{after}",
        quickly=1,
    ),
    Kind(
        *(ReleasesWish, "total", "wt", "Total ε", "wish_total"),
        (Number("epsilon", "wtv", "ε of all planned releases", 3.0, 1e-6, 1e4),),
        _LEVELS,
        *("total ε", "Total ε<br>up to {}", "a total ε of {}"),
        "all releases together spend at most ε = {number} at δ\u00a0=\u00a0{delta}",
        quickly=365,
    ),
)
"""Every kind, in the order in which they are offered."""


def kind_of(wish: Wish) -> Kind:
    """Return which kind a wish is."""
    check_type("wish", wish, Wish)
    return next(each for each in KINDS if isinstance(wish, each.wish))


def example_wishes(scenario: Scenario) -> tuple[Wish, ...]:
    """Return the wishes that everybody comes to: those that the scenario's mechanism can meet."""
    check_type("scenario", scenario, Scenario)
    kinds = (each for each in KINDS if each.by_default and each.can_be_asked_of(scenario))
    return tuple(each.made(*(number.default for number in each.numbers)) for each in kinds)
