"""Scenarios side by side: which of them takes the least budget, in truth and as published, as words need it and as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from par_core.cost import Optimum
from par_core.evidence import MODEL, PUBLISHED
from par_core.figures import style, theme
from par_core.figures.drawing import Drawing
from par_core.figures.money import brief_money, money_axis

if TYPE_CHECKING:
    import pandas as pd

_SAME = 1e-9  # budgets that differ by less than this share are the same


@dataclass(frozen=True)
class Compared:
    """One scenario of a comparison: what it is called, in which currency it counts, and its two optima."""

    name: str
    currency: str
    published: Optimum
    exact: Optimum


@dataclass(frozen=True)
class Ranking:
    """Who takes the least in truth, and how far the two ends lie apart.

    `least` are all with the least true budget. `low` and `high` have the least and the largest true budget or, where all of these are
    the same, published one. The gaps are the budget of `high` minus that of `low`, 0 where they are the same; the published one may be
    negative.
    """

    least: tuple[Compared, ...]
    low: Compared
    high: Compared
    gap: float
    published_gap: float


def ranked(scenarios: Sequence[Compared]) -> Ranking:
    """Rank scenarios of one currency by their true budgets."""
    low, high = (choose(scenarios, key=lambda each: float(each.exact.budget)) for choose in (min, max))
    least = tuple(each for each in scenarios if not _gap(low.exact, each.exact))
    if len(least) == len(scenarios):
        low, high = (choose(scenarios, key=lambda each: float(each.published.budget)) for choose in (min, max))
    return Ranking(least, low, high, _gap(low.exact, high.exact), _gap(low.published, high.published))


def _gap(one: Optimum, other: Optimum) -> float:
    if math.isclose(one.budget, other.budget, rel_tol=_SAME):
        return 0.0
    return float(other.budget - one.budget)


def compared(scenarios: Sequence[Compared]) -> Drawing:
    """Draw the three budgets of each scenario beside each other: without, as published, exact."""
    currencies = sorted({each.currency for each in scenarios})
    unit = f"unit: {currencies[0]}" if len(currencies) == 1 else "unit: each in its own currency"
    names = ", ".join(each.name for each in scenarios)
    drawing = Drawing(title=f"Least budget for a breach: {names}", x="Scenario", y=f"Budget for a breach ({unit})")
    places = np.arange(1, len(scenarios) + 1)
    columns = (
        ("counting on ε₀ alone", [each.published.baseline for each in scenarios], "grid", MODEL, -0.26),
        ("least, published", [each.published.budget for each in scenarios], "published", PUBLISHED, 0.0),
        ("least, exact", [each.exact.budget for each in scenarios], "exact", MODEL, 0.26),
    )
    for name, amounts, role, basis, at in columns:
        drawing.add(
            style.bars(
                places + at,
                amounts,
                name,
                width=0.24,
                marker={"color": theme.LIGHT[role], "line": {"color": theme.LIGHT["muted"], "width": 1}},
                meta=basis.value,
                customdata=[
                    brief_money(size, each.currency, toward="near" if basis is PUBLISHED else "up")
                    for size, each in zip(amounts, scenarios, strict=True)
                ],
                hovertemplate="%{customdata}<extra>" + name + "</extra>",
            )
        )
    axis = money_axis(max((max(amounts) for _, amounts, *_ in columns), default=0.0))
    drawing.set_y(**axis, rangemode="tozero")
    drawing.set_x(tickvals=list(places), ticktext=[each.name for each in scenarios], showgrid=False)
    drawing.set_x(range=[0.5, max(3, len(scenarios)) + 0.5])
    drawing.layout["barmode"] = "overlay"
    return drawing


def compared_table(scenarios: Sequence[Compared], columns: Sequence[dict[str, object]]) -> pd.DataFrame:
    """Return one row for each scenario: what it was computed from (`columns`, one dict each) and every result."""
    import pandas as pd

    return pd.DataFrame(
        {
            "scenario": each.name,
            **inputs,
            "budget at epsilon0": each.published.baseline,
            **{
                f"{name} {what}": getattr(found, field)
                for name, found in (("published", each.published), ("exact", each.exact))
                for what, field in (
                    ("least budget", "budget"),
                    ("epsilon", "epsilon"),
                    ("confidence", "confidence"),
                    ("saving", "saving"),
                    ("share saved", "share_saved"),
                )
            },
        }
        for each, inputs in zip(scenarios, columns, strict=True)
    )
