"""Which rows a query looks at: what all queries have in common."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.queries.columns import check_table, missing_in, shown
from par_core.queries.conditions import Condition
from par_core.standing import PROVEN, declare


def check_condition(parameter: str, value: object) -> None:
    """Raise a ParameterError unless a value is a condition."""
    if not isinstance(value, Condition):
        raise ParameterError(f"{parameter} must be a Condition, got {shown(value)}")


def used_columns(*columns: str, where: Condition | None) -> tuple[str, ...]:
    """Return the names of the columns that a query looks at, each once."""
    return tuple(dict.fromkeys((*columns, *(() if where is None else (where.column,)))))


@declare(PROVEN, source="the table itself")
def chosen_rows(table: pd.DataFrame, where: Condition | None) -> NDArray[np.bool_]:
    """For each row of a table whether it meets an optional condition."""
    check_table(table)
    return np.ones(len(table), dtype=bool) if where is None else where.met_by(table)


@declare(PROVEN, source="the table itself")
def count_missing(table: pd.DataFrame, columns: tuple[str, ...]) -> int:
    """How many rows of a table miss a value in at least one of the columns."""
    missing = np.zeros(len(table), dtype=bool)
    for column in columns:
        missing |= missing_in(table, column)
    return int(np.count_nonzero(missing))
