"""If the year goes on like this: a plan made again and again at the pace of the year so far, and when the budget ends."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

from par_core.evidence import MODEL, Evidence, Result
from par_core.ledger.record import Record, released
from par_core.ledger.remaining import Left
from par_core.ledger.spending import Spent, spent
from par_core.plan import Plan

_POINTS = 12  # plans that are told, at most


@dataclass(frozen=True)
class Forecast(Result):
    """What a year comes to with a plan made every so many days: `days` and what is spent by then, in order.

    `made` releases in `elapsed` days are its pace. `ends` is the day of the first plan that no longer fits; None where all
    of this year do.
    """

    made: int
    elapsed: int
    days: tuple[tuple[datetime.date, Spent], ...]
    ends: datetime.date | None
    evidence = Evidence(
        MODEL,
        source="exact composition of all records of the year with the plan",
        limits="if the year goes on at its pace so far, counted in releases",
    )


def forecast(left: Left, records: Sequence[Record], plan: Plan, today: datetime.date) -> Forecast | None:
    """Return what the `records` of a year come to, from what is `left`, if a plan is made at the pace of that year so far.

    The pace is that of the releases, from 1 January to `today`, both counted: a plan of n releases is made in the time of n. None where
    nothing was released this year, or what is spent has no epsilon.
    """
    elapsed = today.timetuple().tm_yday
    if not left.year.releases or math.isinf(left.year.epsilon):
        return None
    each = elapsed * plan.number / left.year.releases  # days from one plan to the next
    # What is dated later counts already: the plan goes on from there.
    start = max(today, max(one.date for one in records))
    until = (datetime.date(today.year, 12, 31) - start).days
    fitting = math.floor(until / each) if until > 0 else 0
    made = math.inf if left.at_limit else left.times + 1
    last = int(min(fitting, made))
    step = max(math.ceil(last / _POINTS), 1)
    found = list[tuple[datetime.date, Spent]]()
    for times in range(last, 0, -step):
        more = released(plan, records[0].data_set, today, times=times)
        found.append((_after(start, times * each), spent((*records, more), delta=left.year.delta)))
    ends = _after(start, made * each) if made <= fitting else None
    return Forecast(left.year.releases, elapsed, tuple(reversed(found)), ends)


def _after(start: datetime.date, days: float) -> datetime.date:
    return start + datetime.timedelta(days=math.floor(days))
