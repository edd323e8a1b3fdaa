"""Where pairs of neighbouring data sets come from: a table that is sub-sampled, or a fitted population.

The neighbours are those of Privacy at Risk: one record is replaced, the number of rows is public. A pair has rows - 1 rows in
common and one more row on each side.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.errors import DataError, ParameterError
from par_core.parameters import as_array, shown
from par_core.sampling.columns import refuse_missing
from par_core.sampling.fitted_population import FittedPopulation

Rows: TypeAlias = pd.DataFrame | NDArray[Any]
Population: TypeAlias = pd.DataFrame | NDArray[Any] | FittedPopulation

_Whole = NDArray[np.int64]


class Pairs(NamedTuple):
    """Which rows of a table make up some pairs of neighbouring data sets of `rows` rows each.

    Row numbers: of the row that only the first, only the second data set has, shape (pairs,), and of those in common, shape
    (pairs, rows - 1), or None for a query that does not look at them.
    """

    one: _Whole
    other: _Whole
    common: _Whole | None
    rows: int


class TableSource:
    """Pairs out of one finite table: the rows of a pair are all different, every choice of them as likely as any other.

    The rows of different pairs overlap. The same generator gives the same pairs, whether drawn at once or a few at a time,
    and the same two rows of each pair whether their common rows are drawn or not.
    """

    def __init__(self, table: Rows, *, rows: int, pairs: int, rng: np.random.Generator) -> None:
        self._size = len(table)
        if self._size < rows + 1:
            raise DataError(
                f"the table has {self._size:,} rows: a pair of neighbours of {rows:,} rows each needs {rows + 1:,} different ones"
            )
        self.table = table
        self._rows = rows
        self._rng = rng
        self._one = rng.integers(self._size, size=pairs)
        other = rng.integers(self._size - 1, size=pairs)
        self._other = other + (other >= self._one)
        self._next = 0

    def take(self, count: int, *, common: bool) -> tuple[Rows, Pairs]:
        """Return the table and the next so many pairs."""
        part = slice(self._next, self._next + count)
        self._next += count
        one, other = self._one[part], self._other[part]
        return self.table, Pairs(one, other, self._common(one, other) if common else None, self._rows)

    def _common(self, one: _Whole, other: _Whole) -> _Whole:
        """Draw rows - 1 of the rows that are left once the two are taken out: numbers from theirs on move up by one."""
        found = np.empty((len(one), self._rows - 1), dtype=np.int64)
        if self._rows > 1:
            for line in found:
                line[:] = self._rng.choice(self._size - 2, self._rows - 1, replace=False)
        found += found >= np.minimum(one, other)[:, None]
        found += found >= np.maximum(one, other)[:, None]
        return found


class FittedSource:
    """Pairs of independent rows out of a fitted population; each call returns a table of new rows.

    Every column has generators of its own, so that the same generator gives the same pairs however many are drawn at a time.
    """

    def __init__(
        self, population: FittedPopulation, *, used: tuple[str, ...] | None, rows: int, rng: np.random.Generator
    ) -> None:
        unknown = [name for name in used or () if name not in population.names]
        if unknown:
            raise DataError(f"the population has no column named {shown(unknown[0])}")
        seeds = rng.integers(2**63, size=(len(population.columns), 2)).tolist()
        self._columns = [
            (column, np.random.default_rng(ends), np.random.default_rng(shared))
            for column, (ends, shared) in zip(population.columns, seeds, strict=True)
            if used is None or column.name in used
        ]
        self._rows = rows

    def take(self, count: int, *, common: bool) -> tuple[Rows, Pairs]:
        """Return a table of new rows and so many pairs out of it."""
        shared = count * (self._rows - 1) if common else 0
        drawn = {}
        for column, for_ends, for_shared in self._columns:
            ends, rest = column.draw(2 * count, rng=for_ends), column.draw(shared, rng=for_shared)
            both = isinstance(ends, pd.Categorical)
            drawn[column.name] = (
                pd.concat([pd.Series(ends), pd.Series(rest)]).array if both else np.concatenate([ends, rest])
            )
        ends = np.arange(2 * count).reshape(count, 2)
        numbers = np.arange(2 * count, 2 * count + shared).reshape(count, self._rows - 1) if common else None
        return pd.DataFrame(drawn), Pairs(ends[:, 0], ends[:, 1], numbers, self._rows)


def source_of(
    population: Population, *, used: tuple[str, ...] | None, rows: int, pairs: int, rng: np.random.Generator
) -> TableSource | FittedSource:
    """Return where the pairs of a population come from, so many in all, of data sets of so many rows.

    `used` are the columns that the query looks at; None: all of them.
    """
    if isinstance(population, FittedPopulation):
        return FittedSource(population, used=used, rows=rows, rng=rng)
    if isinstance(population, pd.DataFrame):
        refuse_missing(population, tuple(population.columns) if used is None else used)
    elif isinstance(population, np.ndarray) and population.ndim in (1, 2):
        population = as_array("population", population)
        if pd.isna(population).any():
            columns = pd.DataFrame(population)
            columns.columns = range(1, columns.shape[1] + 1)
            refuse_missing(columns, columns.columns)
    else:
        raise ParameterError(
            f"population must be a DataFrame, an array of one or two axes, or a FittedPopulation, got {type(population).__name__}"
        )
    return TableSource(population, rows=rows, pairs=pairs, rng=rng)
