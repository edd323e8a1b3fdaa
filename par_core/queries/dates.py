"""Columns of dates, which are asked for as text: by year (2020), by month (2020-01) or by day (2020-01-31).

How the values of a question are written says which of the three is meant. A time with a zone counts in UTC.
"""

from __future__ import annotations

import datetime
import re

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.lazy_pandas import pd
from par_core.parameters import check_integer, check_list, check_type

Category = str | int | float | bool
"""A value that a category list or a condition may hold."""

_UNITS = {4: "Y", 7: "M", 10: "D"}
_WRITTEN = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


@Evidence(PROVEN, source="the values as written")
def date_letters(parameter: str, values: tuple[Category, ...]) -> int:
    """How many letters the dates of a question have: 4 for years, 7 for months, 10 for days; all must have as many.

    >>> date_letters("categories", ("2020-01", "2020-02"))
    7
    """
    written = check_list(parameter, values)
    if not written:
        raise ParameterError(f"{parameter} must hold at least one date, got an empty list")
    for value in written:
        if not isinstance(value, str) or not _is_date(value):
            raise ParameterError(
                f"{parameter} must be years, months or days such as 2020, 2020-01 or 2020-01-31 for a column of dates, "
                f"got {repr(value)[:40]}"
            )
    letters = len(written[0])
    if any(len(value) != letters for value in written):
        raise ParameterError(f"{parameter} must be all years, all months or all days, got some of each")
    return letters


def is_dates(series: pd.Series) -> bool:
    """Whether a column holds dates or times."""
    return bool(pd.api.types.is_datetime64_any_dtype(series.dtype))


@Evidence(PROVEN, source="the table itself")
def dates_as_text(series: pd.Series, letters: int) -> NDArray[np.object_]:
    """Return a column of dates as text of so many letters (4, 7 or 10); where a date is missing the text means nothing."""
    length = check_integer("letters", letters, at_least=min(_UNITS), at_most=max(_UNITS))
    if length not in _UNITS:
        raise ParameterError(f"letters must be 4, 7 or 10, got {length}")
    if not is_dates(check_type("series", series, pd.Series)):
        raise ParameterError(f"series must hold dates, got {series.dtype}")
    if isinstance(series.dtype, pd.DatetimeTZDtype):
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    unit = _UNITS[length]
    text: NDArray[np.object_] = np.datetime_as_string(series.to_numpy().astype(f"datetime64[{unit}]")).astype(object)
    return text


def _is_date(text: str) -> bool:
    if not _WRITTEN.fullmatch(text):
        return False
    try:
        datetime.date.fromisoformat(text + "-01-01"[len(text) - 4 :])
    except ValueError:
        return False
    return True
