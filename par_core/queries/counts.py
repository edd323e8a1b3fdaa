"""How many rows meet a condition, and how many fall into each cell of one or two columns."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.lazy_pandas import pd
from par_core.old_names import by_old_name
from par_core.parameters import check_type, shown
from par_core.queries import statistics
from par_core.queries.columns import category, kind_of, name_of, places, values_of
from par_core.queries.conditions import Condition, used_columns
from par_core.queries.dates import Category
from par_core.queries.shapes import LARGEST_K, CountsShape
from par_core.queries.table_query import TableQuery

OTHER = "(all others)"
"""Label of the cell for the categories that are not on the list."""


@dataclass(frozen=True)
class TableCount(TableQuery):
    """How many rows meet a condition, among all rows or among those that meet a second condition, `where`.

    Each row of a person moves the count by 1, whatever the neighbours.

    >>> from par_core.scenario import Neighbours
    >>> query = TableCount(Condition("age", ">=", 18))
    >>> query.sensitivity(Neighbours.REPLACE_ONE, 3)
    3.0
    """

    asks = statistics.Count
    condition: Condition
    where: Condition | None = None

    def __post_init__(self) -> None:
        statistics.Count(self.condition)
        if self.where is not None:
            check_type("where", self.where, Condition)

    @property
    def labels(self) -> tuple[str, ...]:
        return (self.asks.noun,)

    @property
    def used_columns(self) -> tuple[str, ...]:
        return used_columns(self.condition.column, where=self.where)

    @property
    def shape(self) -> CountsShape:
        return CountsShape()

    def _look(self, rows: pd.DataFrame, chosen: NDArray[np.bool_]) -> tuple[Iterator[NDArray[np.float64]], int]:
        return iter((np.array([np.count_nonzero(self.condition.met_by(rows) & chosen)], dtype=float),)), 0


@dataclass(frozen=True)
class CountBy(TableQuery):
    """How many rows fall into each category of one column, or into each pair of categories of two columns.

    The categories are the user's own, from what is publicly known. Reading them off the private table would tell the
    world which categories occur in it, and noise in the cells would not undo that.

    For each of one or two `columns` there is a list, without repetitions: text, numbers or truth values, of a column of dates
    all years (2020), all months (2020-01) or all days (2020-01-31). The cells are all their combinations, 10,000 at most, the
    last column varying fastest. With `other` each column gets one more category for the values that are not on its list;
    without it their rows are counted nowhere, and `Answer.absent` tells the steward how many they are. A missing value is in
    no category, not even in this one.

    >>> from par_core.scenario import Neighbours
    >>> query = CountBy(("education",), ((12, 16),), other=True)
    >>> query.k, query.labels
    (3, ('12', '16', '(all others)'))
    >>> query.sensitivity(Neighbours.REPLACE_ONE), query.sensitivity(Neighbours.ADD_OR_REMOVE)
    (2.0, 1.0)
    >>> round(query.sensitivity(Neighbours.REPLACE_ONE, norm="L2"), 4)
    1.4142
    """

    asks = statistics.Histogram
    columns: tuple[str, ...]
    categories: tuple[tuple[Category, ...], ...]
    other: bool = False
    where: Condition | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", _columns(self.columns))
        object.__setattr__(self, "categories", _lists(self.categories, len(self.columns)))
        if not isinstance(self.other, bool):
            raise ParameterError(f"other must be true or false, got {shown(self.other)}")
        for column, listed in zip(self.columns, self.categories, strict=True):
            statistics.check_categories(listed, of=column, taken=(OTHER,) * self.other)
        if self.k > LARGEST_K:
            raise ParameterError(f"categories must make at most {LARGEST_K} cells, got {self.k}")
        if self.where is not None:
            check_type("where", self.where, Condition)

    @property
    def k(self) -> int:
        return math.prod(len(listed) + self.other for listed in self.categories)

    @property
    def cells(self) -> tuple[tuple[Category, ...], ...]:
        """The categories of each cell, in the order of the answer; `OTHER` stands for all that are not listed."""
        return tuple(itertools.product(*(listed + (OTHER,) * self.other for listed in self.categories)))

    @property
    def labels(self) -> tuple[str, ...]:
        """One label for each cell, such as "12" or "12 × Georgia"."""
        return tuple(" × ".join(map(label_of, cell)) for cell in self.cells)

    @property
    def used_columns(self) -> tuple[str, ...]:
        return used_columns(*self.columns, where=self.where)

    @property
    def shape(self) -> CountsShape:
        return CountsShape(self.k)

    def _look(self, rows: pd.DataFrame, chosen: NDArray[np.bool_]) -> tuple[Iterator[NDArray[np.float64]], int]:
        cell, present, listed = self._places(rows)
        counts = np.bincount(cell[chosen & present & listed], minlength=self.k).astype(float)
        return iter((counts,)), int(np.count_nonzero(chosen & present & ~listed))

    def _places(self, table: pd.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
        """For each row its cell, whether no value is missing, and whether every category is listed (or other)."""
        cell = np.zeros(len(table), dtype=np.int64)
        present, listed = np.ones(len(table), dtype=bool), np.ones(len(table), dtype=bool)
        for column, categories in zip(self.columns, self.categories, strict=True):
            values, missing = values_of(table, column, kind=kind_of("categories", categories), asked=categories)
            place = places(values, categories)
            if self.other:
                place = np.where(place < 0, len(categories), place)
            cell = cell * (len(categories) + self.other) + place
            present &= ~missing
            listed &= place >= 0
        return cell, present, listed


def _columns(columns: object) -> tuple[str, ...]:
    if not isinstance(columns, tuple | list) or len(columns) not in (1, 2):
        raise ParameterError(f"columns must be one or two names in a tuple, got {shown(columns)}")
    names = tuple(name_of("columns", column) for column in columns)
    if len(set(names)) < len(names):
        raise ParameterError(f"columns must be two different ones, got {shown(names[0])} twice")
    return names


def _lists(lists: object, wanted: int) -> tuple[tuple[Category, ...], ...]:
    if not isinstance(lists, tuple | list) or not all(isinstance(listed, tuple | list) for listed in lists):
        raise ParameterError(f"categories must be a list for each column, in a tuple, got {shown(lists)}")
    if len(lists) != wanted:
        raise ParameterError(
            f"categories must be {wanted} list{'s'[: wanted > 1]}, one for each column, got {len(lists)}"
        )
    return tuple(tuple(category("categories", value) for value in listed) for listed in lists)


@Evidence(PROVEN, source="the value as given")
def label_of(value: Category) -> str:
    """Return how a value is written in the label of a cell."""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"Count": "TableCount"})
