"""All that a report tells, computed once from a scenario and from wishes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from par_core.composition import ExactComposition
from par_core.composition.of_mechanism import basic_of, exact_of
from par_core.decision import Decision, Duty, Odds, ReleasesWish, Wish, decide, duties, odds
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import NOISES
from par_core.release.made_up_numbers import MadeUpNumbers, made_up_numbers
from par_core.scenario import Scenario

_Result = TypeVar("_Result")

_FEW = 12  # releases are drawn at least, and this many numbers of more of them


@dataclass(frozen=True)
class Spent:
    """What the first releases spend together at rising numbers of them, exactly and added up; `at` is the place of all planned ones."""

    releases: tuple[int, ...]
    exact: ExactComposition
    basic: tuple[float, ...]
    at: int


@dataclass(frozen=True)
class Found:
    """All that is computed for a report; what cannot be is None, and `refused` says why."""

    scenario: Scenario
    wishes: tuple[Wish, ...]
    refused: str
    decision: Decision | None
    odds: Odds | None
    numbers: MadeUpNumbers | None
    spent: Spent | None
    duties: tuple[Duty, ...]


@lru_cache(maxsize=8)
def find(scenario: Scenario, wishes: tuple[Wish, ...]) -> Found:
    """Compute what a report says of a scenario and of wishes."""
    try:
        release = scenario.release
        decision = decide(wishes, scenario)
    except (ParameterError, InfeasibleError) as error:
        return Found(scenario, wishes, str(error), None, None, None, None, duties(scenario))
    number = scenario.releases
    counted = sorted({number, *(max(round(max(number, _FEW) * each / _FEW), 1) for each in range(1, _FEW + 1))})

    def spent() -> Spent:
        exact = exact_of(release, counted, delta=scenario.delta)
        basic = [basic_of([release], [each], delta=scenario.delta) for each in counted]
        return Spent(tuple(counted), exact, tuple(basic), counted.index(number))

    return Found(
        scenario,
        wishes,
        "",
        decision,
        _or_none(lambda: odds(scenario, releases=number)),
        _or_none(lambda: made_up_numbers(scenario)) if scenario.mechanism in NOISES else None,
        _or_none(spent),
        duties(scenario),
    )


def _or_none(make: Callable[[], _Result]) -> _Result | None:
    try:
        return make()
    except (ParameterError, InfeasibleError):
        return None


def wished_total(wishes: Sequence[Wish], delta: float) -> float | None:
    """Return the total that is wished for at this delta, if one is."""
    return next(
        (each.number for each in wishes if isinstance(each, ReleasesWish) and each.delta in (None, delta)), None
    )
