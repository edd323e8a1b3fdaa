"""Reading the columns that a query uses: one kind of value in each, missing values apart, bad cells named by place.

A message names the row (counted from 1, without the line of headings) and the column, never the private value in the cell.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from par_core.errors import DataError, ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.lazy_pandas import pd
from par_core.parameters import shown
from par_core.queries.dates import Category, date_letters, dates_as_text, is_dates

BATCH = 50_000
"""Rows that are looked at between two calls of `progress`: 0.01 s for a column of text, so that the work can be stopped at once."""

_NUMERAL = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
_LARGEST = 1e300  # of a number in a question


class Kind(StrEnum):
    """What a column has to hold to answer a question."""

    NUMBER = "a number"
    TEXT = "text"
    TRUTH = "true or false"


_INFERRED = {
    Kind.NUMBER: ("integer", "floating", "mixed-integer-float", "empty"),
    Kind.TEXT: ("string", "empty"),
    Kind.TRUTH: ("boolean", "empty"),
}


def name_of(parameter: str, value: object) -> str:
    """Return the name of a column; ParameterError unless it is text."""
    if not isinstance(value, str):
        raise ParameterError(f"{parameter} must be the name of a column, got {shown(value)}")
    return value


@Evidence(PROVEN, source="the value as given")
def category(parameter: str, value: object) -> Category:
    """Return a value of a question as text, a finite number or a truth value of Python itself."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, str | bool):
        return plain
    if isinstance(plain, int | float) and abs(plain) <= _LARGEST:  # false for NaN and infinities
        return plain
    raise ParameterError(f"{parameter} must be text, a finite number, or true or false, got {shown(value)}")


def kind_of(parameter: str, values: tuple[Category, ...]) -> Kind:
    """Return the kind that all values of a question have in common; ParameterError where they have none."""
    found = [_kind(value) for value in values]
    for value, kind in zip(values, found, strict=True):
        if kind is not found[0]:
            raise ParameterError(f"{parameter} must be all of one kind, got {shown(values[0])} and {shown(value)}")
    if found[0] is None:
        raise ParameterError(f"{parameter} must be text, numbers, or true or false")
    return found[0]


def check_table(table: object) -> None:
    """Raise a ParameterError unless a table is a pandas DataFrame."""
    if not isinstance(table, pd.DataFrame):
        raise ParameterError(f"table must be a pandas DataFrame, got {type(table).__name__}")


@Evidence(PROVEN, source="the table itself")
def missing_in(table: pd.DataFrame, column: str) -> NDArray[np.bool_]:
    """For each row of a table whether its value in a column is missing; raises like `values_of`."""
    series = _series(table, column)
    missing: NDArray[np.bool_] = series.isna().to_numpy(dtype=bool)
    if pd.api.types.is_float_dtype(series.dtype):  # some types tell "not a number" from "missing"; here it is the same
        missing = missing | np.isnan(series.to_numpy(dtype=float, na_value=np.nan))
    return missing


@Evidence(PROVEN, source="the table itself")
def values_of(
    table: pd.DataFrame, column: str, *, kind: Kind, asked: tuple[Category, ...] = ()
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the values of a column and where they are missing; at those places the value means nothing.

    Whole numbers stay whole numbers, so that large ones keep all their digits. Dates become text like that of the values
    that are `asked` for: years, months or days. DataError for a column that is not there or is there twice, and for the
    first cell of another kind.
    """
    series = _series(table, column)
    missing = missing_in(table, column)
    if missing.all():
        return np.full(len(series), _BLANK[kind], dtype=object if kind is Kind.TEXT else None), missing
    if kind is Kind.TEXT and asked and is_dates(series):
        return dates_as_text(series, date_letters("values", asked)), missing
    if not _holds(series, kind):
        _refuse(series, column, kind)
    if kind is Kind.TEXT:
        return series.astype(object).where(~missing, "").to_numpy(dtype=object), missing
    if kind is Kind.TRUTH:
        return series.astype(object).where(~missing, False).to_numpy(dtype=bool), missing
    if pd.api.types.is_integer_dtype(series.dtype):
        width = "uint64" if pd.api.types.is_unsigned_integer_dtype(series.dtype) else "int64"
        return series.fillna(0).to_numpy(dtype=width), missing
    numbers_only = series.where(~missing, np.nan) if series.dtype == object else series
    try:
        return numbers_only.to_numpy(dtype=float, na_value=np.nan), missing
    except OverflowError:  # a whole number beyond every float
        _refuse(series, column, kind)


@Evidence(PROVEN, source="the values as given")
def places(values: NDArray[np.generic], among: tuple[Category, ...]) -> NDArray[np.int64]:
    """Return for each value its place in `among`, and -1 where it is not there."""
    wanted = pd.Index(among, dtype=object if isinstance(among[0], str) else None)
    return np.asarray(wanted.get_indexer(pd.Index(values)), dtype=np.int64)


_BLANK: dict[Kind, Category] = {Kind.NUMBER: 0.0, Kind.TEXT: "", Kind.TRUTH: False}


def _series(table: pd.DataFrame, column: str) -> pd.Series:
    check_table(table)
    found = int((table.columns == column).sum())
    if found != 1:
        raise DataError(f"the table has {'no' if found == 0 else found} column{'s'[: found > 1]} named {shown(column)}")
    series = table[column]
    return series.astype(object) if isinstance(series.dtype, pd.CategoricalDtype) else series


def _holds(series: pd.Series, kind: Kind) -> bool:
    """Whether every value of a column is of one kind, as far as its type or a quick look at each tells."""
    types = pd.api.types
    if series.dtype == object:
        return types.infer_dtype(series, skipna=True) in _INFERRED[kind]
    if kind is Kind.TRUTH or types.is_bool_dtype(series.dtype):
        return kind is Kind.TRUTH and bool(types.is_bool_dtype(series.dtype))
    if kind is Kind.TEXT:
        return bool(types.is_string_dtype(series.dtype))
    return bool(types.is_integer_dtype(series.dtype) or types.is_float_dtype(series.dtype))


def _refuse(series: pd.Series, column: str, kind: Kind) -> NoReturn:
    """Raise the DataError for the first cell that is in the way: numerals are text in a file because of another cell."""

    def in_the_way(numerals: bool) -> Iterator[tuple[int, Kind | None]]:
        for row, (value, missing) in enumerate(zip(series, series.isna(), strict=True), start=1):
            found = _kind(value)
            is_wrong = found is not kind or (kind is Kind.NUMBER and abs(value) > _LARGEST)
            if not missing and is_wrong and (numerals or not _is_numeral(value)):
                yield row, found

    row, found = next(in_the_way(numerals=False), None) or next(in_the_way(numerals=True), (0, None))
    if not row:
        raise DataError(f"column {shown(column)} cannot be read as {kind}")
    other = found if found is not None and found is not kind else "a value that cannot be used"
    raise DataError(f"row {row} below the heading, column {shown(column)}: {other} where {kind} is expected")


def _is_numeral(value: object) -> bool:
    return isinstance(value, str) and bool(_NUMERAL.fullmatch(value))


def _kind(value: object) -> Kind | None:
    if isinstance(value, bool | np.bool_):
        return Kind.TRUTH
    if isinstance(value, str):
        return Kind.TEXT
    return Kind.NUMBER if isinstance(value, numbers.Real) else None
