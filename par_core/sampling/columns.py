"""The columns that a sampled sensitivity looks at: no value missing, every number finite."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.errors import DataError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import shown
from par_core.queries.columns import Kind, missing_in, values_of

_LARGEST = 1e100  # of a column without bounds: squares of larger numbers leave the floats


def refuse_missing(table: pd.DataFrame, columns: Sequence[str]) -> None:
    """Raise a DataError that counts the missing values of each column, if there are any."""
    counts = {column: int(np.count_nonzero(missing_in(table, column))) for column in columns}
    found = [f"{count:,} in column {shown(column)}" for column, count in counts.items() if count]
    if found:
        raise DataError(f"the table has missing values: {', '.join(found)}; leave those rows out first")


@Evidence(PROVEN, source="the table itself")
def numbers_of(table: pd.DataFrame, column: str) -> NDArray[np.float64]:
    """Return a column of numbers as floats; a DataError where one is missing, not finite or beyond 1e100."""
    values, missing = values_of(table, column, kind=Kind.NUMBER)
    if missing.any():
        refuse_missing(table, (column,))
    numbers = values.astype(np.float64)
    bad = ~(np.abs(numbers) <= _LARGEST)
    if bad.any():
        row = int(np.argmax(bad)) + 1
        raise DataError(f"row {row} below the heading, column {shown(column)}: a number beyond {_LARGEST:g}")
    return numbers
