"""What is left of a budget: how often a plan can still be made, and what was spent from day to day, each time composed exactly."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.ledger.ledger import Ledger
from par_core.ledger.record import Record, check_date, released
from par_core.ledger.spending import Spent, spent, supposed
from par_core.parameters import check_number, check_type
from par_core.plan import Plan
from par_core.progress import Progress, portion

_MOST = 1_000_000  # mechanisms that are composed
_POINTS = 40  # days that are told, at most


@dataclass(frozen=True)
class Left(Result):
    """How many more `times` a whole plan can be made within a budget for the year and one for ever.

    `year` and `ever` are what is spent now, `year_with` and `ever_with` what it comes to with the plan made once more.
    Where `at_limit`, more may fit than could be composed; `is_for_ever` where it is the budget for ever that ends first. By the user's
    model where it rests on assumptions.
    """

    times: int
    at_limit: bool
    year: Spent
    ever: Spent
    year_with: Spent
    ever_with: Spent
    epsilon_per_year: float
    epsilon_for_ever: float
    is_for_ever: bool
    QUANTITIES = quantities(times=stated("count", "down"))
    USUALLY = Evidence(
        PROVEN,
        source="exact composition of all records with the plan; of other tools as randomised response, with delta added",
        limits="worst-case neighbours in every release",
    )

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        return supposed(self.USUALLY, self.ever_with.assumptions)

    @property
    def is_overspent(self) -> bool:
        """Whether more is spent already than one of the budgets allows."""
        return self.year.epsilon > self.epsilon_per_year or self.ever.epsilon > self.epsilon_for_ever


def left(
    ledger: Ledger,
    plan: Plan,
    data_set: str,
    today: datetime.date,
    *,
    delta: float,
    epsilon_per_year: float,
    epsilon_for_ever: float = math.inf,
) -> Left:
    """Return how often a plan can still be made: the most times at which all records with it stay within both budgets at delta.

    The year is that of `today`, as in `check`: all that is dated from its first day on counts. Budgets are above 0, and delta above 0
    and below 1. Errors as those of `spent`; ParameterError where the records and the plan are too many to be composed.

    >>> from par_core.plan import Release
    >>> from par_core.queries.shapes import CountsShape
    >>> plan = Plan((Release(CountsShape(12)),), 0.25)
    >>> day = datetime.date(2026, 3, 1)
    >>> ledger = Ledger((released(plan, "visits", day, times=4),))
    >>> left(ledger, plan, "visits", day, delta=1e-6, epsilon_per_year=2).times
    4
    """
    start = datetime.date(check_date("today", today).year, 1, 1)
    per_year = check_number("epsilon_per_year", epsilon_per_year, above=0.0)
    for_ever = (
        math.inf if epsilon_for_ever == math.inf else check_number("epsilon_for_ever", epsilon_for_ever, above=0.0)
    )
    year, ever = (check_type("ledger", ledger, Ledger).of(data_set, since=each) for each in (start, datetime.date.min))
    once = released(plan, data_set, today)

    def made(records: Sequence[Record], times: int) -> Spent:
        return spent((*records, replace(once, times=times)) if times else records, delta=delta)

    def fits_year(times: int) -> bool:
        return made(year, times).epsilon <= per_year

    def fits_ever(times: int) -> bool:
        return for_ever == math.inf or made(ever, times).epsilon <= for_ever

    if (most := _room(ever, once)) < 1:
        raise ParameterError(
            f"the ledger and the plan lose privacy more than {_MOST:,} times: so many cannot be composed"
        )
    fits, beyond = 0, 1
    while beyond <= most and fits_year(beyond) and fits_ever(beyond):
        fits, beyond = beyond, beyond * 2
    beyond = min(beyond, most + 1)
    while fits + 1 < beyond:
        middle = (fits + beyond) // 2
        fits, beyond = (middle, beyond) if fits_year(middle) and fits_ever(middle) else (fits, middle)
    now, all_now = made(year, 0), made(ever, 0)
    # Where the next plan fits into the year, or the year is not overspent, it is the other budget that has no room for it.
    is_for_ever = fits < most and (fits_year(fits + 1) or (all_now.epsilon > for_ever and now.epsilon <= per_year))
    return Left(fits, fits == most, now, all_now, made(year, 1), made(ever, 1), per_year, for_ever, is_for_ever)


def _room(records: Sequence[Record], once: Record) -> int:
    """Return how often a plan can be composed with records."""
    held, each = (sum(number * one.times for one in many for _, number in one.mechanisms) for many in (records, [once]))
    return (_MOST - held) // each


def spent_by_day(
    records: Sequence[Record], *, delta: float, progress: Progress | None = None
) -> tuple[tuple[datetime.date, Spent], ...]:
    """Return what records have spent together by the end of each of their days, in order; of more than 40 days every so many.

    The last day is always told. Errors as those of `spent`.
    """
    days, tell = sorted({each.date for each in records}), portion(progress)
    step, found = max(math.ceil(len(days) / _POINTS), 1), list[tuple[datetime.date, Spent]]()
    told = days[::-1][::step][::-1]
    for done, day in enumerate(told, start=1):
        found.append((day, spent([each for each in records if each.date <= day], delta=delta)))
        tell(done / len(told))
    return tuple(found)
