"""Queries whose sensitivity can be sampled fast: their answers on two neighbouring tables differ by what few numbers tell."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence
from par_core.parameters import check_integer
from par_core.queries import statistics
from par_core.queries.columns import kind_of, name_of, places, values_of
from par_core.queries.conditions import Condition
from par_core.queries.dates import Category
from par_core.queries.sensitivity import WORST_CASE, round_up
from par_core.queries.statistics import (
    Count,
    Histogram,
    Mean,
    OfNumbers,
    Quantile,
    Statistic,
    Sum,
    Variance,
    check_share,
)
from par_core.sampling.columns import numbers_of, refuse_missing
from par_core.sampling.pair_query import PairQuery
from par_core.sampling.population import Pairs

_Floats = NDArray[np.float64]
Bounds = tuple[float, float]


@dataclass(frozen=True)
class CountOf(PairQuery):
    """How many rows meet a condition."""

    condition: Condition
    uses_common = False

    def __post_init__(self) -> None:
        Count(self.condition)

    @property
    def used_columns(self) -> tuple[str, ...]:
        return (self.condition.column,)

    @property
    def label(self) -> str:
        return f"{Count.name} of rows by a condition on {self.condition.column}"

    def __call__(self, table: pd.DataFrame) -> float:
        return float(np.count_nonzero(self.condition.met_by(table)))

    def prepare(self, table: pd.DataFrame) -> NDArray[np.bool_]:
        return self.condition.met_by(table)

    def differences(self, prepared: NDArray[np.bool_], pairs: Pairs) -> _Floats:
        return np.asarray(prepared[pairs.one] != prepared[pairs.other], dtype=np.float64)

    @Evidence(PROVEN, source=WORST_CASE)
    def worst_case(self, rows: int) -> float:
        check_integer("rows", rows, at_least=1)
        return 1.0


@dataclass(frozen=True)
class _OfNumbers(PairQuery):
    """A statistic of a column of numbers, `asks`, clamped to public bounds if there are any."""

    asks: ClassVar[type[OfNumbers]]
    column: str
    bounds: Bounds | None = None

    def __post_init__(self) -> None:
        name_of("column", self.column)
        if (limits := self._limits) is not None:
            object.__setattr__(self, "bounds", (limits.lower, limits.upper))

    @property
    def used_columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def label(self) -> str:
        return f"{self.asks.name} of {self.column}"

    @property
    def _limits(self) -> statistics.Bounds | None:
        return None if self.bounds is None else statistics.Bounds.of_pair(self.bounds)

    @property
    def _statistic(self) -> OfNumbers:
        return self.asks(self._limits)

    def prepare(self, table: pd.DataFrame) -> _Floats:
        return self._statistic.clamp(numbers_of(table, self.column))

    @Evidence(PROVEN, source=WORST_CASE, limits="only with bounds; None without")
    def worst_case(self, rows: int) -> float | None:
        number = check_integer("rows", rows, at_least=1)
        limits = self._limits
        return None if limits is None else round_up(self._worst(limits.width, number))

    @abstractmethod
    def _worst(self, spread: Fraction, rows: int) -> Fraction:
        """The worst case for values that are `spread` apart at most."""


@dataclass(frozen=True)
class SumOf(_OfNumbers):
    """Sum of a column.

    Its values are clamped to `bounds`, in its unit: public, and never read off the table. Without them the sum has no worst case.

    >>> SumOf("pay", (0, 50)).worst_case(1000)
    50.0
    """

    asks = Sum
    uses_common = False

    def __call__(self, table: pd.DataFrame) -> float:
        return float(np.sum(self.prepare(table)))

    def differences(self, prepared: _Floats, pairs: Pairs) -> _Floats:
        return np.asarray(np.abs(prepared[pairs.one] - prepared[pairs.other]))

    def _worst(self, spread: Fraction, rows: int) -> Fraction:  # noqa: ARG002  # the same for any number of rows
        return spread


@dataclass(frozen=True)
class MeanOf(_OfNumbers):
    """Mean of a column; parameters as for `SumOf`."""

    asks = Mean
    uses_common = False

    def __call__(self, table: pd.DataFrame) -> float:
        return float(np.mean(self.prepare(table)))

    def differences(self, prepared: _Floats, pairs: Pairs) -> _Floats:
        return np.asarray(np.abs(prepared[pairs.one] - prepared[pairs.other]) / pairs.rows)

    def _worst(self, spread: Fraction, rows: int) -> Fraction:
        return spread / rows


@dataclass(frozen=True)
class VarianceOf(_OfNumbers):
    """Mean squared distance from the mean (the divisor is the number of rows); parameters as for `SumOf`.

    With m rows in common, whose mean is c, the squared distances of all rows from their mean add up to those of the common
    rows plus m/(m + 1)·(a - c)² for one more row a. Exchanging a for b moves the variance by m/(m + 1)²·|(a - c)² - (b - c)²|.
    That is m/(m + 1)²·(upper - lower)² at most, reached where all common rows lie at one bound.
    """

    asks = Variance

    def __call__(self, table: pd.DataFrame) -> float:
        return float(np.var(self.prepare(table)))

    def differences(self, prepared: _Floats, pairs: Pairs) -> _Floats:
        if pairs.rows == 1:
            return np.zeros(len(pairs.one))
        first, second = prepared[pairs.one], prepared[pairs.other]
        centre = np.mean(prepared[pairs.common], axis=1)
        moved = np.abs(first - second) * np.abs((first - centre) + (second - centre))
        return np.asarray(moved * ((pairs.rows - 1) / pairs.rows**2))

    def _worst(self, spread: Fraction, rows: int) -> Fraction:
        return spread**2 * Fraction(rows - 1, rows**2)


@dataclass(frozen=True)
class QuantileOf(_OfNumbers):
    """Median, or any other quantile, of a column: linear between the two sorted values beside it.

    The j-th of the common rows sorted together with one more row v is v, but no less than the (j - 1)-th and no more than the j-th of
    the common rows alone. So a pair differs by what lies between three neighbouring common rows at most. `at`, in [0, 1], says which
    quantile: 0.5 is the median. Column and bounds are as for `SumOf`.

    >>> QuantileOf("pay")(pd.DataFrame({"pay": [1, 2, 9, 10]})), QuantileOf("pay", (0, 10)).worst_case(101)
    (5.5, 10.0)
    """

    asks = Quantile
    at: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "at", check_share("at", self.at))

    @property
    def label(self) -> str:
        return f"median of {self.column}" if self.at == 0.5 else f"{self.at:g} {super().label}"

    @property
    def _statistic(self) -> Quantile:
        return Quantile(self._limits, self.at)

    def __call__(self, table: pd.DataFrame) -> float:
        return float(np.quantile(self.prepare(table), self.at))

    def differences(self, prepared: _Floats, pairs: Pairs) -> _Floats:
        lower, weight = self._place(pairs.rows)
        below, at, above = _sorted_values(prepared, pairs, lower)
        moved = np.zeros(len(pairs.one))
        # Both values move the same way, so their distances add up.
        for share, floor, ceiling in ((1 - weight, below, at), (weight, at, above)):
            if share:
                ends = (np.clip(prepared[each], floor, ceiling) for each in (pairs.one, pairs.other))
                moved += share * np.abs(np.subtract(*ends))
        return moved

    def _place(self, rows: int) -> tuple[int, float]:
        """Which sorted value the quantile starts from, counted from 0, and how much weight the next one has."""
        lower, weight = self._statistic.place(rows)
        return int(lower), float(weight)

    def _worst(self, spread: Fraction, rows: int) -> Fraction:
        """With the common rows at the two bounds, one of the two sorted values moves all the way and the other stays."""
        _, weight = self._place(rows)
        return spread * max(1 - Fraction(weight), Fraction(weight))


@dataclass(frozen=True)
class HistogramOf(PairQuery):
    """How many rows fall into each cell of a column: categories, or intervals between edges.

    Each of the `categories` is a cell; or each interval between `edges`, at least two, rising, in the unit of the column, holds its
    lower edge, the last one its upper edge too. Other values are in no cell. Either of the two is given, public and never read off the
    table.

    >>> HistogramOf("age", edges=(0, 20, 40))(pd.DataFrame({"age": [5, 20, 40, 41]})).tolist()
    [1.0, 2.0]
    """

    column: str
    categories: tuple[Category, ...] | None = None
    edges: tuple[float, ...] | None = None
    uses_common = False

    def __post_init__(self) -> None:
        name_of("column", self.column)
        asked = self._statistic
        object.__setattr__(self, "categories", asked.categories)
        object.__setattr__(self, "edges", asked.edges)

    @property
    def _statistic(self) -> Histogram:
        return Histogram(self.categories, self.edges)

    @property
    def k(self) -> int:
        return self._statistic.k

    @property
    def used_columns(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def label(self) -> str:
        return f"{Histogram.name} of {self.column}"

    def __call__(self, table: pd.DataFrame) -> _Floats:
        cells = self.prepare(table)
        return np.bincount(cells[cells >= 0], minlength=self.k).astype(np.float64)

    def prepare(self, table: pd.DataFrame) -> NDArray[np.int64]:
        """Return the cell of each row, -1 for none."""
        if self.categories is not None:
            refuse_missing(table, (self.column,))
            values, _ = values_of(
                table, self.column, kind=kind_of("categories", self.categories), asked=self.categories
            )
            return places(values, self.categories)
        edges, numbers = np.asarray(self.edges), numbers_of(table, self.column)
        cells = np.searchsorted(edges, numbers, side="right") - 1
        cells = np.where(numbers == edges[-1], self.k - 1, cells)
        return np.asarray(np.where(cells >= self.k, -1, cells), dtype=np.int64)

    def differences(self, prepared: NDArray[np.int64], pairs: Pairs) -> _Floats:
        """Return 2 for each pair whose two rows lie in different cells, 1 where one of them lies in none."""
        first, second = prepared[pairs.one], prepared[pairs.other]
        cells = (first >= 0).astype(np.float64) + (second >= 0)
        return np.where(first == second, 0.0, cells)

    @Evidence(PROVEN, source=WORST_CASE)
    def worst_case(self, rows: int) -> float:
        check_integer("rows", rows, at_least=1)
        return 2.0 if self.k > 1 else 1.0


PAIR_QUERIES: Final[Mapping[type[Statistic], type[PairQuery]]] = {
    Count: CountOf,
    Sum: SumOf,
    Mean: MeanOf,
    Variance: VarianceOf,
    Quantile: QuantileOf,
    Histogram: HistogramOf,
}
"""What the sample planner does with each statistic."""


def _sorted_values(prepared: _Floats, pairs: Pairs, lower: int) -> tuple[_Floats, _Floats, _Floats]:
    """The sorted common rows at lower - 1, lower and lower + 1, from 0; infinite where there are none."""
    assert pairs.common is not None
    last = pairs.rows - 2
    wanted = [place for place in (lower - 1, lower, lower + 1) if 0 <= place <= last]
    values = prepared[pairs.common]
    if wanted:
        values.partition(wanted, axis=1)

    def at(place: int) -> _Floats:
        outside = -np.inf if place < 0 else np.inf
        return values[:, place] if 0 <= place <= last else np.full(len(values), outside)

    return at(lower - 1), at(lower), at(lower + 1)
