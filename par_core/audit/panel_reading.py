"""From tables and arrays to the parts of a panel; a cell that cannot be used is named by its row and column.

Rows are counted from 1, without the line of headings. The value in a cell is never repeated in a message: it is private.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from par_core.audit.query import Codes, Values
from par_core.errors import DataError, ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.lazy_pandas import pd
from par_core.parameters import check_list, shown
from par_core.queries.columns import Kind, check_table, missing_in, name_of, values_of

LARGEST = 1e100
"""Of a value: squares of larger numbers leave the floats."""

_AS_GIVEN = "the table itself"
_ROWS_AT_ONCE = 65_536


@dataclass(frozen=True, eq=False, repr=False)
class Records(Result):
    """Records ordered by database, then individual, then as they came.

    `individual`, shape (R,), holds places among the individuals; `starts`, (n + 1,), where the records of each database begin,
    and where the last end; `values` has shape (R, columns).
    """

    individual: Codes
    starts: Codes
    values: Values
    evidence = Evidence(PROVEN, source=_AS_GIVEN)

    @classmethod
    def sorted(cls, individual: Codes, database: Codes, values: Values, *, databases: int) -> Records:
        """Put records into their order."""
        order = np.lexsort((individual, database))
        starts = np.concatenate([[0], np.cumsum(np.bincount(database, minlength=databases))]).astype(np.int64)
        parts = (individual[order], starts, values[order])
        for part in parts:
            part.setflags(write=False)
        return cls(*parts)

    def lacking(self, individual: int) -> Records:
        """Return the records of all others."""
        kept = self.individual != individual
        starts = np.concatenate([[0], np.cumsum(kept)])[self.starts].astype(np.int64)
        return Records(self.individual[kept], starts, self.values[kept])

    def part(self, place: int, start: int, stop: int) -> tuple[Codes, Values]:
        """Return the records of the individuals from `start` up to `stop` in one database; values (m,) if there is one column."""
        first, last = self.starts[place], self.starts[place + 1]
        inside = first + np.searchsorted(self.individual[first:last], [start, stop])
        values = self.values[inside[0] : inside[1]]
        return self.individual[inside[0] : inside[1]], values[:, 0] if values.shape[1] == 1 else values


@Evidence(PROVEN, source=_AS_GIVEN)
def matrix_of(values: ArrayLike) -> Values:
    """Return a matrix of floats, not copied if it is one already; masked cells are missing, NaN."""
    try:
        array = values if isinstance(values, np.ndarray) else np.ma.array(values)  # a list may hold masked rows
    except ValueError as error:  # rows of different lengths
        raise DataError("the values must be a matrix: a row for each individual, a column for each database") from error
    if array.ndim != 2 or array.dtype.kind not in "iuf":
        raise DataError(
            "the values must be a matrix of numbers, one row for each individual and one column for each database; "
            f"got shape {array.shape} of type {array.dtype}"
        )
    matrix: Values = array.astype(np.float64, copy=False)
    if isinstance(matrix, np.ma.MaskedArray):
        matrix = matrix.filled(np.nan)
    for start in range(0, len(matrix), _ROWS_AT_ONCE):
        bad = np.argwhere(np.abs(matrix[start : start + _ROWS_AT_ONCE]) > LARGEST)
        if bad.size:
            row, column = bad[0] + 1
            raise DataError(f"row {start + row}, column {column}: a number that is infinite or beyond {LARGEST:g}")
    return matrix


def labels(what: str, given: Sequence[Hashable] | pd.Index | None, wanted: int) -> pd.Index:
    """Return labels as an Index, by default 1, 2, 3 ...; DataError for a wrong number, a missing or a repeated label."""
    if given is None:
        return pd.RangeIndex(1, wanted + 1)
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):  # an Index of texts would leave the mask out
        raise DataError(f"{what}: label {int(np.argmax(np.ma.getmaskarray(given))) + 1} is missing")
    try:
        index = pd.Index(given)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} must be a sequence of {wanted:,} labels") from error
    if len(index) != wanted:
        raise DataError(f"{what}: {wanted:,} labels are needed, got {len(index):,}")
    if index.hasnans:
        raise DataError(f"{what}: label {int(np.argmax(index.isna())) + 1} is missing")
    if not index.is_unique:
        raise DataError(f"{what}: label {int(np.argmax(index.duplicated())) + 1} is there a second time")
    return index


def label(value: object) -> str:
    """Return what a message shows of the label of an individual or a database."""
    return shown(value.item() if isinstance(value, np.generic) else value)


def value_columns(value: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns of values, at least one and each of them once; ParameterError otherwise."""
    given = value if isinstance(value, Sequence) and not isinstance(value, str) else (value,)
    names = tuple(name_of("value", each) for each in given)
    if not names or len(set(names)) != len(names):
        raise ParameterError("value must name at least one column, and each only once")
    return names


@Evidence(PROVEN, source=_AS_GIVEN)
def wide(
    table: pd.DataFrame, individual: str | None, databases: Sequence[str] | None
) -> tuple[pd.Index, pd.Index, Values]:
    """Return the individuals, the databases and the matrix of a wide table; see `Panel.from_wide`."""
    check_table(table)
    if individual is not None:
        name_of("individual", individual)
    others = [column for column in table.columns if column != individual]
    chosen = (
        others if databases is None else [name_of("databases", each) for each in check_list("databases", databases)]
    )
    if not chosen or not len(table):
        raise DataError("a wide table needs at least one row and one column besides that of the individuals")
    people: pd.Index = pd.RangeIndex(1, len(table) + 1)
    if individual is not None:
        codes, people = _labelled(table, individual)
        if len(people) < len(codes):
            second = int(np.argmax(pd.Series(codes).duplicated())) + 1
            raise DataError(
                f"row {second} below the heading, column {shown(individual)}: an individual that has a row already"
            )
    matrix = np.empty((len(table), len(chosen)))
    for place, column in enumerate(chosen):
        matrix[:, place] = numbers(table, column)
    return people, labels("databases", chosen, len(chosen)), matrix


@Evidence(PROVEN, source=_AS_GIVEN)
def long(
    table: pd.DataFrame, database: str, individual: str, columns: tuple[str, ...]
) -> tuple[pd.Index, pd.Index, Codes, Codes, Values]:
    """Return individuals, databases, and of each record its individual, database and values; see `Panel.from_long`."""
    check_table(table)
    used = (name_of("database", database), name_of("individual", individual), *columns)
    if len(set(used)) != len(used):
        raise ParameterError("database, individual and value must be different columns")
    in_database, order = _labelled(table, database, ordered=True)
    whose, people = _labelled(table, individual)
    values, kept = _records(table, columns)
    return people, order, whose[kept], in_database[kept], values


@Evidence(PROVEN, source=_AS_GIVEN)
def rows(table: pd.DataFrame, individual: str | None, columns: tuple[str, ...]) -> tuple[pd.Index, Codes, Values]:
    """Return the individuals with a record, whose each record is, and the values; see `Panel.from_table`."""
    check_table(table)
    values, kept = _records(table, columns)
    if individual is None:
        return pd.Index(kept + 1), np.arange(len(kept)), values
    whose, people = _labelled(table, name_of("individual", individual))
    present, codes = np.unique(whose[kept], return_inverse=True)
    return people[present], codes.astype(np.int64), values


def _records(table: pd.DataFrame, columns: tuple[str, ...]) -> tuple[Values, Codes]:
    """Return the values of each record, (R, columns), and the rows that they stand in."""
    values = np.column_stack([numbers(table, column) for column in columns])
    missing = np.isnan(values)
    partly = missing.any(axis=1) & ~missing.all(axis=1)
    if partly.any():
        row = int(np.argmax(partly))
        column = columns[int(np.argmax(missing[row]))]
        raise DataError(
            f"row {row + 1} below the heading, column {shown(column)}: a value is missing while the others are there"
        )
    kept = np.flatnonzero(~missing[:, 0])
    return values[kept], kept


@Evidence(PROVEN, source=_AS_GIVEN)
def numbers(table: pd.DataFrame, column: str) -> Values:
    """Return the numbers of a column, NaN where one is missing; DataError for the first that cannot be used."""
    values, missing = values_of(table, column, kind=Kind.NUMBER)
    found = values.astype(np.float64)
    found[missing] = np.nan
    bad = np.abs(found) > LARGEST
    if bad.any():
        row = int(np.argmax(bad)) + 1
        raise DataError(f"row {row} below the heading, column {shown(column)}: infinite, or beyond {LARGEST:g}")
    return found


def _labelled(table: pd.DataFrame, column: str, *, ordered: bool = False) -> tuple[Codes, pd.Index]:
    """Return for each row the place of its label, and the labels: sorted, or in the order in which they come."""
    missing = missing_in(table, column)
    if missing.any():
        row = int(np.argmax(missing)) + 1
        raise DataError(f"row {row} below the heading, column {shown(column)}: the label is missing")
    if ordered:
        try:
            codes, found = pd.factorize(table[column], sort=True)
        except TypeError as error:  # numbers and text in one column
            raise DataError(f"column {shown(column)} mixes labels that have no common order") from error
    else:
        codes, found = pd.factorize(table[column])
    return np.asarray(codes, dtype=np.int64), pd.Index(np.asarray(found))
