"""Variance and quantiles of a database, with and without each individual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from par_core.audit.query import Codes, PanelQuery, Values, check_when_empty, ratio
from par_core.audit.sums import position, total, totals, without_part
from par_core.old_names import by_old_name
from par_core.parameters import check_integer
from par_core.queries import statistics

_FEW_DIGITS = 0.01  # of a sum of squares around the median: where less is left around the mean, two digits are gone


@dataclass(frozen=True)
class _Spread:
    """A database for `PanelVariance`: sums of the differences from the median and of their squares, as pairs of floats.

    `values` is there only where somebody has several records; else `afresh` holds the answer without each single value
    whose going away leaves too few digits.
    """

    records: int
    centre: float
    first: tuple[float, float]
    second: tuple[float, float]
    answer: float
    values: Values | None
    afresh: dict[float, float]


@dataclass(frozen=True)
class PanelVariance(PanelQuery):
    """Variance of the values.

    With `ddof` 1 the sum of squares is divided by one less than the number of records (the usual sample variance), with 0 by
    the number. `when_empty` is published where no more than `ddof` records are left; by default that is an error.
    """

    ddof: int = 1
    when_empty: float | None = None

    def __post_init__(self) -> None:
        check_integer("ddof", self.ddof, at_least=0, at_most=1)
        check_when_empty(self.when_empty)

    def summary(self, values: Values, *, most: int) -> _Spread:
        """Return the sums around the median: it stays near the others when a far value is taken away."""
        centre = float(np.median(values)) if len(values) else 0.0
        apart = values - centre
        first, second = total(apart), total(apart**2)
        spread = _Spread(len(values), centre, first, second, self._plainly(values), values if most > 1 else None, {})
        if most == 1:
            _, lossy = self._closed(spread, np.arange(len(values)), values, len(values))
            for value in np.unique(values[lossy]):
                spread.afresh[float(value)] = self._plainly(_others(values, np.array([value])))
        return spread

    def answer(self, summary: _Spread) -> float:
        return summary.answer

    def without(self, summary: _Spread, *, codes: Codes, values: Values, size: int) -> Values:
        """Return the variance of the others' values, computed afresh where the closed form would lose digits."""
        found, lossy = self._closed(summary, codes, values, size)
        for individual in np.unique(codes[lossy[codes]]):
            own = values[codes == individual]
            if summary.values is None:
                found[individual] = summary.afresh[float(own[0])]
            else:
                found[individual] = self._plainly(_others(summary.values, own))
        return found

    def _closed(self, summary: _Spread, codes: Codes, values: Values, size: int) -> tuple[Values, NDArray[np.bool_]]:
        """Return the closed form without each individual, and where too few digits are left of it."""
        apart = values - summary.centre
        left = summary.records - np.bincount(codes, minlength=size)
        squares = without_part(summary.second, totals(codes, apart**2, size=size))
        about_mean = squares - ratio(without_part(summary.first, totals(codes, apart, size=size)) ** 2, left, empty=0.0)
        return ratio(np.maximum(about_mean, 0.0), left - self.ddof), about_mean < _FEW_DIGITS * squares

    def _plainly(self, values: Values) -> float:
        if len(values) <= self.ddof:
            return np.nan
        return total((values - total(values)[0] / len(values)) ** 2)[0] / (len(values) - self.ddof)


@dataclass(frozen=True)
class _Ranks:
    """A database for `PanelQuantile`: the few sorted values that any answer can need, and the rank of the first of them."""

    records: int
    window: Values
    lowest: int


@dataclass(frozen=True)
class PanelQuantile(PanelQuery):
    """Quantile of the values: of the kind, and with a `share` (0.5 for the median), as in `par_core.queries.statistics.Quantile`."""

    share: float
    when_empty: float | None = None

    def __post_init__(self) -> None:
        statistics.Quantile(share=self.share)
        check_when_empty(self.when_empty)

    def summary(self, values: Values, *, most: int) -> _Ranks:
        """Return the sorted values around the quantile: taking `most` of them away moves it no further than that."""
        ranked, records = np.sort(values), len(values)
        (first, last), _ = self._place(np.array([records - most, records]))
        return _Ranks(records, ranked[first : last + most + 2].copy(), int(first))

    def answer(self, summary: _Ranks) -> float:
        if not summary.records:
            return np.nan
        place, part = self._place(np.array([summary.records]))
        return float(self._between(summary, place, place + 1, part)[0])

    def without(self, summary: _Ranks, *, codes: Codes, values: Values, size: int) -> Values:
        own = np.bincount(codes, minlength=size)
        left = summary.records - own
        place, part = self._place(left)
        order = np.lexsort((values, codes)) if len(codes) and own.max() > 1 else np.arange(len(codes))
        codes, values = codes[order], values[order]
        before = _rank(summary, codes, values) - position(_fresh(codes))  # of the others' values, below one's own
        lower = place + np.bincount(codes[before <= place[codes]], minlength=size)
        upper = place + 1 + np.bincount(codes[before <= place[codes] + 1], minlength=size)
        found = self._between(summary, lower, upper, part)
        found[left <= 0] = np.nan
        return found

    def _place(self, records: Codes) -> tuple[Codes, Values]:
        """Return between which sorted values the quantile lies: the lower one's rank, and the part of the way up."""
        return statistics.Quantile(share=self.share).place(records)

    def _between(self, summary: _Ranks, lower: Codes, upper: Codes, part: Values) -> Values:
        last = len(summary.window) - 1
        low = summary.window[np.clip(lower - summary.lowest, 0, last)]
        high = summary.window[np.clip(upper - summary.lowest, 0, last)]
        return np.where(part > 0, low + (high - low) * part, low)


def _fresh(codes: Codes, values: Values | None = None) -> NDArray[np.bool_]:
    """Return where a record differs from the one before it, in its code or (if values are given) in its value."""
    differs = codes[1:] != codes[:-1]
    if values is not None:
        differs = differs | (values[1:] != values[:-1])
    return np.concatenate([np.ones(min(len(codes), 1), dtype=bool), differs])


def _rank(summary: _Ranks, codes: Codes, values: Values) -> Codes:
    """Return the ranks of values among all of the database; values are sorted within each code, and ties take turns.

    A value that is no larger than the first of the window may get too high a rank, but none that any answer looks at.
    """
    first: Codes = summary.lowest + np.searchsorted(summary.window, values)
    return first + position(_fresh(codes, values))


def _others(values: Values, own: Values) -> Values:
    """Return values less those of one individual, each taken away once."""
    ranked, mine = np.sort(values), np.sort(own)
    turn = position(_fresh(np.zeros(len(mine), dtype=np.int64), mine))
    return np.delete(ranked, np.searchsorted(ranked, mine) + turn)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"Quantile": "PanelQuantile", "Variance": "PanelVariance"})
