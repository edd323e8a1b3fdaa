"""The figure of a budget over a year: what is spent from day to day, and what it comes to if the year goes on like this."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from par_core.evidence import MODEL, Basis
from par_core.figures import points, style
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.theme import LIGHT
from par_core.ledger import Spent
from par_core.rounding import amount, brief, small

if TYPE_CHECKING:
    import pandas as pd

_HOVER = "%{customdata}"  # rounded here: what is spent upward
_FAR = 10  # times what is spent: a budget that is farther off would press the rest flat

Days = Sequence[tuple[datetime.date, Spent]]


@dataclass(frozen=True)
class BurnDown:
    """What the records of the year of `today` have `spent` together by some of its days, with the last, against its `budget`.

    The budget is an epsilon at `delta`. `forecast` is what it comes to if the year goes on like this.
    """

    today: datetime.date
    delta: float
    budget: float
    spent: Days
    forecast: Days


def burn_down(found: BurnDown) -> Drawing:
    """Draw the privacy spent after each day of a year, what it comes to if it goes on like this, and the budget."""
    year = found.today.year
    first, last = datetime.date(year, 1, 1), datetime.date(year, 12, 31)
    drawing = Drawing(
        title=f"Privacy spent in {year} (budget {found.budget:g}, δ = {small(found.delta)})",
        x=f"Date of the releases in {year}",
        y="Privacy spent, ε of all together",
    )
    held = [(first, 0.0), *((day, each.epsilon) for day, each in found.spent if math.isfinite(each.epsilon))]
    end = max(held[-1][0], found.today)
    basis = found.spent[-1][1].evidence.basis if found.spent else Spent.USUALLY.basis
    told = [*held, (end, held[-1][1])] if end > held[-1][0] else held
    drawing.add(_steps(told, year, "spent", basis))
    if found.forecast:
        goes_on = [(end, held[-1][1]), *((day, each.epsilon) for day, each in found.forecast)]
        if goes_on[-1][0] < last and goes_on[-1][1] <= found.budget:
            goes_on.append((last, goes_on[-1][1]))
        look = {"mode": "lines+markers", "marker": {"color": LIGHT["muted"], "symbol": "circle", "size": 6}}
        drawing.add(_steps(goes_on, year, "if the year goes on like this", MODEL, which=2) | look)
    most = max(value for _, value in (held if not found.forecast else goes_on))
    if most == 0.0 or found.budget <= _FAR * most:
        most = max(most, found.budget)
    budget = style.reference(_numbers((first, last), year), [found.budget] * 2, "budget", role="accent", width=1.6)
    drawing.add(budget | {"customdata": [amount(found.budget, 12)] * 2, "hovertemplate": _HOVER})
    months = [
        datetime.date(year, month, 1) for month in range(1, 13, 2)
    ]  # of all twelve the names would stand upright on a phone
    drawing.set_x(
        tickvals=_numbers(months, year), ticktext=[f"{each:%b}" for each in months], range=_numbers((first, last), year)
    )
    drawing.set_y(range=[0, 1.08 * most], nticks=5)
    return drawing


def burn_down_table(drawing: Drawing, year: int) -> pd.DataFrame:
    """Return the points of the picture with their dates, as they can be downloaded."""
    found = points.table(drawing)
    date = found.columns[1]
    first = datetime.date(year, 1, 1)
    found[date] = [(first + datetime.timedelta(days=int(each) - 1)).isoformat() for each in found[date]]
    return found


def _steps(
    steps: Sequence[tuple[datetime.date, float]], year: int, name: str, basis: Basis, *, which: int = 0
) -> Trace:
    """Return what stays as it is until the next day that is told, rounded up under the pointer."""
    days, values = zip(*steps, strict=True)
    trace = style.exact(_numbers(days, year), values, name, which=which, basis=basis, shape="hv")
    told = [f"{day.day} {day:%B}: ε = {brief(each, toward='up')}" for day, each in steps]
    return trace | {"customdata": told, "hovertemplate": _HOVER}


def _numbers(days: Sequence[datetime.date], year: int) -> list[int]:
    """Return days as their numbers in a year, from 1, as a picture on paper knows no dates; what is later stands at its end."""
    first, last = datetime.date(year, 1, 1), datetime.date(year, 12, 31)
    return [(min(each, last) - first).days + 1 for each in days]
