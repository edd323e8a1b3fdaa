"""How a script takes numbers, texts and dates out of a table."""

import numpy as np
import pandas as pd

from par_core.export.scripts.files import stop


def numbers(table, column):
    """Return a column of numbers; missing values stay missing."""
    found = pd.to_numeric(table[column], errors="coerce")
    wrong = (found.isna() & table[column].notna()).to_numpy()
    if wrong.any() or pd.api.types.is_bool_dtype(found.dtype):
        stop(f"row {wrong.argmax() + 1} below the heading, column {column!r}: a number is expected")
    if found.isna().any() or pd.api.types.is_float_dtype(found.dtype):
        found = pd.Series(found.to_numpy(dtype=float, na_value=np.nan), index=table.index)
    return found


def values_of(table, column, kinds):
    """Return a column of text, or of true and false; missing values stay missing."""
    found = table[column].astype(object)
    wrong = np.array([not isinstance(value, kinds) for value in found], dtype=bool) & found.notna().to_numpy()
    if wrong.any():
        stop(f"row {wrong.argmax() + 1} below the heading, column {column!r}: another kind of value is expected")
    return found


def dates_of(table, column, letters):
    """Return a column of dates as text: 4 letters for years, 7 for months, 10 for days; a time with a zone counts in UTC."""
    found = pd.to_datetime(table[column], errors="coerce", utc=True, format="ISO8601")
    wrong = (found.isna() & table[column].notna()).to_numpy()
    if wrong.any():
        stop(f"row {wrong.argmax() + 1} below the heading, column {column!r}: a date such as 2020-01-31 is expected")
    return found.dt.strftime("%Y-%m-%d").str[:letters].astype(object).where(found.notna(), None)
