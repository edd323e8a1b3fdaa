"""A list of releases at different levels, and what can be counted of such a list."""

from __future__ import annotations

from typing import Final

from par_core.errors import ParameterError
from par_core.parameters import check_integer, check_number
from par_core.plan import PlanScenario
from par_core.questions.composition.exact_count import LARGEST_LEVEL, SMALLEST_LEVEL
from par_core.scenario import Scenario

Rows = tuple[tuple[float, ...], ...]
"""Levels, each with how many releases have it."""

MOST_RELEASES: Final = 1_000_000


def planned(scenario: Scenario) -> Rows:
    """Return the planned releases as a list, which the reader's own begins with."""
    if isinstance(scenario, PlanScenario):
        return tuple((scenario.whole.level_alone(at), float(each.times)) for at, each in enumerate(scenario.plan))
    return ((scenario.epsilon0, float(scenario.releases)),)


def check(rows: Rows) -> None:
    """Raise ParameterError for rows that cannot be composed, naming the row."""
    if not rows:
        raise ParameterError("the table must hold at least one release")
    for number, row in enumerate(rows, start=1):
        wrong = wrong_with(*row) if len(row) == 2 else "a level and how many releases have it are needed, as in 0.5_3"
        if wrong:
            raise ParameterError(f"row {number}: {wrong}")
    if sum(int(count) for _, count in rows) > MOST_RELEASES:
        raise ParameterError(f"the table must hold at most {MOST_RELEASES:,} releases in all")


def wrong_with(level: float, count: float) -> str:
    """Return why a row cannot be composed, nothing if it can."""
    try:
        check_number("ε₀", level, at_least=SMALLEST_LEVEL, at_most=LARGEST_LEVEL)
        check_integer("Count", count, at_least=1, at_most=MOST_RELEASES)
    except ParameterError as error:
        return str(error)
    return ""
