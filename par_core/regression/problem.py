"""A table made ready for ridge regression: rows of length one, a target between 0 and 1.

The sensitivity of the fit rests on this scaling (Privacy at Risk, section 6.1). Each row is divided by its own length, which tells
nothing of another one's: someone twice as old with twice the schooling is the same row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from par_core.errors import DataError, ParameterError
from par_core.parameters import as_array, check_choice, check_list, check_numbers, check_type, shown
from par_core.queries.columns import check_table, name_of

Coding = Literal["indicator", "code"]
Categories = Mapping[str, Sequence[str | int]]

INTERCEPT = "intercept"
LONGEST_ROW = 1.0 + 1e-12  # a row of length one, and what rounding makes of it

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RidgeProblem:
    """Rows and target of a ridge regression, scaled as its sensitivity requires.

    `design`, shape (rows, k), has rows of Euclidean length at most 1 (`from_table` makes it exactly 1), the target, shape (rows,), lies
    from 0 to 1, `names` says what the k columns are, and `target_bounds` what 0 and 1 stand for, in the unit of the target. Copies
    are kept that cannot be written to. No rows, a longer row or a target outside are a DataError.
    """

    design: _Floats
    target: _Floats
    names: tuple[str, ...]
    target_bounds: tuple[float, float] = (0.0, 1.0)

    def __post_init__(self) -> None:
        design, target = _copied("design", self.design), _copied("target", self.target)
        names = check_list("names", self.names)
        if design.ndim != 2 or target.shape != design.shape[:1] or len(names) != design.shape[1] or not names:
            raise ParameterError(
                "design must have shape (rows, k), target shape (rows,) and names k entries,"
                f" got {design.shape}, {target.shape} and {len(names)}"
            )
        if not len(design):
            raise DataError("a regression needs at least one row, got none")
        if not (np.isfinite(design).all() and (np.linalg.norm(design, axis=1) <= LONGEST_ROW).all()):
            raise DataError("every row of a ridge problem must have a length of at most 1; from_table scales them")
        if not ((target >= 0.0) & (target <= 1.0)).all():
            raise DataError("the target of a ridge problem must lie from 0 to 1; from_table scales it")
        for array in (design, target):
            array.setflags(write=False)
        for name, value in (("design", design), ("target", target), ("names", names)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "target_bounds", _bounds(self.target_bounds))

    @property
    def unit(self) -> float:
        """What 1 of the scaled target is in the unit of the target."""
        return self.target_bounds[1] - self.target_bounds[0]

    @cached_property
    def with_target(self) -> _Floats:
        """The design with the target as its last column: all that a fit ever reads of a row, side by side."""
        joined = np.column_stack((self.design, self.target))
        joined.setflags(write=False)
        return joined

    @classmethod
    def from_table(
        cls,
        table: pd.DataFrame,
        target: str,
        *,
        predictors: Sequence[str],
        target_bounds: tuple[float, float],
        categories: Categories | None = None,
        coding: Coding = "indicator",
        intercept: bool = False,
    ) -> RidgeProblem:
        """Read the columns, clamp and scale the target, and give every row of predictors the length 1.

        The target is a column of numbers; values outside its public bounds, in its unit and never its smallest and largest value, are
        moved to the nearer bound. Predictors are columns of numbers, or columns whose values are listed in `categories`: public lists,
        needed for columns of text. By the coding "indicator" there is one column of 0 and 1 for each value, by "code" one with the
        place in the list, from 0, as the paper's own table has it; a number then stands for an order that may not exist. An intercept
        is a column of ones, added before the rows are scaled: its coefficient is then one of those that are protected. Without it
        nothing is released in its place.

        A DataError for a column that is not there or not of numbers, missing or infinite values, a value that is in no list, no rows,
        or a row of nothing but zeros.

        >>> staff = pd.DataFrame({"pay": [900, 2500], "age": [30, 40], "grade": ["b", "a"]})
        >>> found = RidgeProblem.from_table(
        ...     staff, "pay", predictors=["age"], target_bounds=(0, 2000), intercept=True)
        >>> found.names, found.target.tolist(), found.design.round(3).tolist()
        (('age', 'intercept'), [0.45, 1.0], [[0.999, 0.033], [1.0, 0.025]])
        """
        check_table(table)
        chosen = _predictors(predictors, name_of("target", target))
        check_choice("coding", coding, get_args(Coding))
        lower, upper = _bounds(target_bounds)
        if not len(table):
            raise DataError("a regression needs at least one row, the table has none")
        if not isinstance(categories, Mapping | None):
            raise ParameterError(f"categories must be a mapping from column to its values, got {shown(categories)}")
        lists = {name: check_list("categories", values) for name, values in (categories or {}).items()}
        blocks = [_block(table, name, lists.get(name), coding) for name in chosen]
        if check_type("intercept", intercept, bool):
            blocks.append(((INTERCEPT,), np.ones((len(table), 1))))
        names = tuple(name for labels, _ in blocks for name in labels)
        scaled = (np.clip(_numbers(table, target), lower, upper) - lower) / (upper - lower)
        design = _unit_rows(np.hstack([columns for _, columns in blocks]))
        return cls(design=design, target=np.clip(scaled, 0.0, 1.0), names=names, target_bounds=(lower, upper))


def _copied(name: str, value: ArrayLike) -> _Floats:
    array = as_array(name, value)
    if array.dtype.kind not in "biuf":
        raise ParameterError(f"{name} must hold numbers, got {shown(value)}")
    return array.astype(float)


def _bounds(bounds: ArrayLike) -> tuple[float, float]:
    pair = check_numbers("target_bounds", bounds)
    if pair.shape != (2,) or not pair[0] < pair[1] or not pair[1] / 2.0 - pair[0] / 2.0 < np.finfo(float).max / 2.0:
        raise ParameterError(f"target_bounds must be two finite numbers, the lower one first, got {shown(bounds)}")
    return float(pair[0]), float(pair[1])


def _predictors(predictors: Sequence[str], target: str) -> tuple[str, ...]:
    given = (predictors,) if isinstance(predictors, str) else check_list("predictors", predictors)
    chosen = tuple(name_of("predictors", each) for each in given)
    if not chosen:
        raise ParameterError("predictors must name at least one column")
    if len(set(chosen)) < len(chosen) or target in chosen:
        raise ParameterError("predictors must be different columns, and the target none of them")
    return chosen


def _block(
    table: pd.DataFrame, name: str, values: tuple[str | int, ...] | None, coding: Coding
) -> tuple[tuple[str, ...], _Floats]:
    """Read one predictor: the names of its columns in the design, and the columns."""
    if values is None:
        return (name,), _numbers(table, name)[:, None]
    if not values or len(set(values)) < len(values):
        raise ParameterError(f"categories must list the values of {name!r}, each once")
    column = _column(table, name)
    _refuse(column.isna().to_numpy(), name, "no value")
    codes = pd.Index(values).get_indexer(pd.Index(column))
    _refuse(codes < 0, name, "a value that is not in its list of categories")
    if coding == "code":
        return (name,), codes[:, None].astype(float)
    return tuple(f"{name} = {value}" for value in values), np.eye(len(values))[codes]


def _column(table: pd.DataFrame, name: str) -> pd.Series:
    if list(table.columns).count(name) != 1:
        raise DataError(f"the table must have exactly one column {name!r}")
    return table[name]


def _numbers(table: pd.DataFrame, name: str) -> _Floats:
    column = _column(table, name)
    if column.dtype.kind not in "iufb":
        raise DataError(f"column {name!r} must hold numbers; a column of text needs a list of categories")
    _refuse(column.isna().to_numpy(), name, "no value")
    values: _Floats = np.asarray(column.to_numpy(dtype=float))
    _refuse(~np.isfinite(values), name, "an infinite value")
    return values


def _refuse(bad: NDArray[np.bool_], name: str, what: str) -> None:
    count = int(np.count_nonzero(bad))
    if count:
        first = int(np.argmax(bad)) + 1
        raise DataError(f"column {name!r} has {what} in {count:,} of {bad.size:,} rows, first in row {first:,}")


def _unit_rows(design: _Floats) -> _Floats:
    """Divide each row by its length; by its largest entry first, so that no square overflows or vanishes."""
    largest = np.abs(design).max(axis=1, keepdims=True)
    empty = largest[:, 0] == 0.0
    if empty.any():
        raise DataError(
            f"{int(empty.sum()):,} rows have nothing but zeros in the predictors and cannot be scaled,"
            f" first row {int(np.argmax(empty)) + 1:,}; with an intercept they can"
        )
    shrunk = design / largest
    return np.asarray(shrunk / np.linalg.norm(shrunk, axis=1, keepdims=True), dtype=float)
