"""Conditions on one column, which choose the rows that a query counts or adds up."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.lazy_pandas import pd
from par_core.parameters import shown
from par_core.queries.columns import Kind, category, kind_of, name_of, places, values_of
from par_core.queries.dates import Category


class Comparison(StrEnum):
    """How a condition compares a cell with its value."""

    EQUAL = "=="
    UNEQUAL = "!="
    BELOW = "<"
    AT_MOST = "<="
    ABOVE = ">"
    AT_LEAST = ">="
    AMONG = "in"


_COMPARE: dict[Comparison, Callable[[Any, Any], Any]] = {
    Comparison.EQUAL: operator.eq,
    Comparison.UNEQUAL: operator.ne,
    Comparison.BELOW: operator.lt,
    Comparison.AT_MOST: operator.le,
    Comparison.ABOVE: operator.gt,
    Comparison.AT_LEAST: operator.ge,
}
_ORDER = (Comparison.BELOW, Comparison.AT_MOST, Comparison.ABOVE, Comparison.AT_LEAST)


@dataclass(frozen=True)
class Condition:
    """What a row has to meet to be chosen. A row with a missing value in the column meets no condition, not even `!=`.

    The four comparisons by size need a number, `in` a tuple of values. Text is compared letter by letter, and never run or
    read as anything else. A column of dates is compared with text too: a year (2020), a month (2020-01) or a day (2020-01-31).

    >>> import pandas as pd
    >>> table = pd.DataFrame({"age": [17, 18, 40, None]})
    >>> Condition("age", ">=", 18).met_by(table).tolist()
    [False, True, True, False]
    """

    column: str
    comparison: Comparison
    value: Category | tuple[Category, ...]

    def __post_init__(self) -> None:
        name_of("column", self.column)
        try:
            comparison = Comparison(self.comparison)
        except ValueError as error:
            known = ", ".join(Comparison)
            raise ParameterError(f"comparison must be one of {known}, got {shown(self.comparison)}") from error
        object.__setattr__(self, "comparison", comparison)
        object.__setattr__(self, "value", self._checked(comparison))
        kind = self.kind
        if comparison in _ORDER and kind is not Kind.NUMBER:
            raise ParameterError(f"value must be a number for the comparison {comparison}, got {shown(self.value)}")

    @property
    def values(self) -> tuple[Category, ...]:
        """The value or values as a tuple."""
        return self.value if isinstance(self.value, tuple) else (self.value,)

    @property
    def kind(self) -> Kind:
        """What the column has to hold."""
        return kind_of("value", self.values)

    def met_by(self, table: pd.DataFrame) -> NDArray[np.bool_]:
        """Return for each row whether it meets the condition; DataError with row and column if that cannot be compared."""
        values, missing = values_of(table, self.column, kind=self.kind, asked=self.values)
        if self.comparison is Comparison.AMONG:
            met = places(values, self.values) >= 0
        else:
            met = np.asarray(_COMPARE[self.comparison](values, self.value), dtype=bool)
        return met & ~missing

    def _checked(self, comparison: Comparison) -> Category | tuple[Category, ...]:
        if comparison is not Comparison.AMONG:
            return category("value", self.value)
        if not isinstance(self.value, tuple | list) or not self.value:
            raise ParameterError(f"value must be a list of at least one value for `in`, got {shown(self.value)}")
        return tuple(category("value", each) for each in self.value)


def used_columns(*columns: str, where: Condition | None) -> tuple[str, ...]:
    """Return the names of the columns that a query looks at, each once."""
    return tuple(dict.fromkeys((*columns, *(() if where is None else (where.column,)))))
