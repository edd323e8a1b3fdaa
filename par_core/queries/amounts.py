"""Sum and mean of a column whose values are first clamped to bounds that the user gives.

The bounds come from what is publicly known about the column. Reading them off the private table (its smallest and
largest value, or a quantile) would publish something about single persons without any noise.

A missing value is taken for 0 and then clamped like every other value: where 0 lies within the bounds it adds nothing,
otherwise it adds the bound nearest to 0. (Adding 0 outside the bounds would let a replaced row move the sum by more
than upper - lower.) To leave missing values out, restrict the query: `Condition(column, ">=", -1e12)`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.errors import DataError, ParameterError
from par_core.parameters import one, one_whole
from par_core.queries.answer import Answer
from par_core.queries.columns import Kind, name_of, values_of
from par_core.queries.conditions import Condition
from par_core.queries.selection import check_condition, chosen_rows, count_missing, used_columns
from par_core.queries.sensitivity import WORST_CASE, Part, one_person, round_up
from par_core.scenario import Neighbours
from par_core.standing import PROVEN, declare

LARGEST_BOUND = 1e12


@dataclass(frozen=True)
class _Clamped:
    """A column, its bounds, and which rows are looked at."""

    column: str
    lower: float
    upper: float
    where: Condition | None = None

    def __post_init__(self) -> None:
        """Check the bounds and store them as floats."""
        name_of("column", self.column)
        lower = one("lower", self.lower, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
        upper = one("upper", self.upper, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
        if not lower < upper:
            raise ParameterError(f"lower must be below upper, got lower {lower:g} and upper {upper:g}")
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)
        if self.where is not None:
            check_condition("where", self.where)

    @property
    def k(self) -> int:
        """How many numbers the answer holds."""
        return 1

    @property
    def whole(self) -> bool:
        """Whether the exact answer is always whole numbers."""
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        """One label for each number."""
        return (type(self).__name__.lower(),)

    @property
    def used_columns(self) -> tuple[str, ...]:
        """The columns that the query looks at, each once."""
        return used_columns(self.column, where=self.where)

    def _sum_moves_by(self, neighbours: Neighbours, most: int) -> float:
        """Worst-case change of the sum: each row adds a number in [lower, upper], or nothing if it is not chosen.

        With a condition a replaced row may leave or enter the choice. The formula is then the exact worst case for a
        condition on another column; a condition on the column itself may make it larger than needed.
        """
        lower, upper = Fraction(self.lower), Fraction(self.upper)
        one_row = upper - lower
        if neighbours is Neighbours.ADD_OR_REMOVE:
            one_row = max(abs(lower), abs(upper))
        elif self.where is not None:
            one_row = max(abs(lower), abs(upper), one_row)
        return round_up(most * one_row)

    def _chosen(self, table: pd.DataFrame) -> NDArray[np.float64]:
        """Return the clamped values of the chosen rows."""
        values, missing = values_of(table, self.column, kind=Kind.NUMBER)
        numbers = np.where(missing, 0.0, values.astype(float))
        chosen: NDArray[np.float64] = np.clip(numbers, self.lower, self.upper)[chosen_rows(table, self.where)]
        return chosen

    def _answer(self, table: pd.DataFrame, exact: float, size: int) -> Answer:
        return Answer(
            np.array([exact]),
            self.labels,
            size=size,
            missing=count_missing(table, self.used_columns),
            absent=0,
            rows=len(table),
        )


@dataclass(frozen=True)
class Sum(_Clamped):
    """Sum of a column, each value clamped to [lower, upper].

    Parameters
    ----------
    column : str
        A column of numbers.
    lower, upper : float, -1e12 to 1e12
        What values are clamped to, in the unit of the column: public, and never read off the private table.
    where : Condition, optional
        Only rows that meet this.

    Examples
    --------
    >>> query = Sum("income", 0, 2000)
    >>> query.sensitivity(Neighbours.REPLACE_ONE, 2)
    4000.0
    """

    @declare(PROVEN, source=WORST_CASE, limits="exact arithmetic; sums of floats are off by rounding on top of it")
    def sensitivity(self, neighbours: Neighbours, rows_per_person: int = 1, *, rows: int | None = None) -> float:
        """L1 sensitivity in the unit of the column.

        For one row it is upper - lower where a row is replaced, the larger of |lower| and |upper| where it appears or
        disappears, and the largest of the three where a row is replaced and a condition may let it in or out.

        Parameters
        ----------
        neighbours : Neighbours
            What may happen to one person's rows.
        rows_per_person : int, 1 to 1,000,000
            How many rows one person may have at most.
        rows : int, optional
            Not needed; only the mean of a column depends on it.

        Raises
        ------
        ParameterError
            A value out of range.
        """
        return self.parts(neighbours, rows_per_person, rows=rows)[0].sensitivity

    def parts(self, neighbours: Neighbours, rows_per_person: int = 1, *, rows: int | None = None) -> tuple[Part, ...]:  # noqa: ARG002  # all queries are asked alike
        """Return the noisy releases that the query is made of; parameters as in `sensitivity`."""
        kind, most = one_person(neighbours, rows_per_person)
        return (Part("sum", self._sum_moves_by(kind, most)),)

    def answer(self, table: pd.DataFrame) -> Answer:
        """Return the exact answer on a table, rounded once: the order of the rows plays no part.

        Raises
        ------
        DataError
            If a column is not there, is there twice or holds another kind of value; with the row where there is one.
        """
        chosen = self._chosen(table)
        return self._answer(table, math.fsum(chosen), chosen.size)


@dataclass(frozen=True)
class Mean(_Clamped):
    """Mean of a column, each value clamped to [lower, upper].

    Where the number of rows is public (REPLACE_ONE, no condition) the mean is a sum over a known number, one release.
    Otherwise the number of chosen rows is private too: then a noisy sum is divided by a noisy count, each released with
    its own share of epsilon, and the quotient costs nothing more.

    Parameters
    ----------
    column : str
        A column of numbers.
    lower, upper : float, -1e12 to 1e12
        What values are clamped to, in the unit of the column: public, and never read off the private table.
    where : Condition, optional
        Only rows that meet this.

    Examples
    --------
    >>> query = Mean("income", 0, 2000)
    >>> query.sensitivity(Neighbours.REPLACE_ONE, rows=1000)
    2.0
    >>> [(part.name, part.sensitivity) for part in query.parts(Neighbours.ADD_OR_REMOVE)]
    [('sum', 2000.0), ('count', 1.0)]
    """

    def is_pair(self, neighbours: Neighbours) -> bool:
        """Whether the mean is released as a noisy sum over a noisy count."""
        kind, _ = one_person(neighbours, 1)
        return kind is Neighbours.ADD_OR_REMOVE or self.where is not None

    @declare(PROVEN, source=WORST_CASE, limits="exact arithmetic; sums of floats are off by rounding on top of it")
    def sensitivity(self, neighbours: Neighbours, rows_per_person: int = 1, *, rows: int | None = None) -> float:
        """L1 sensitivity in the unit of the column, where the number of rows is public and there is no condition.

        Parameters
        ----------
        neighbours : Neighbours
            What may happen to one person's rows.
        rows_per_person : int, 1 to 1,000,000
            How many rows one person may have at most.
        rows : int, at least 1
            How many rows the table has, which is public here.

        Raises
        ------
        ParameterError
            A value out of range, and where the mean is two releases: `parts` has the sensitivity of each.
        """
        parts = self.parts(neighbours, rows_per_person, rows=rows)
        if len(parts) > 1:
            raise ParameterError(
                "the mean is released as a noisy sum over a noisy count, because the number of rows that it is taken "
                "over is private; `parts` has the sensitivity of each"
            )
        return parts[0].sensitivity

    def parts(self, neighbours: Neighbours, rows_per_person: int = 1, *, rows: int | None = None) -> tuple[Part, ...]:
        """Return the noisy releases that the query is made of: one mean, or a sum and a count.

        Parameters as in `sensitivity`; `rows` is needed for one mean only.
        """
        kind, most = one_person(neighbours, rows_per_person)
        if self.is_pair(kind):
            return Part("sum", self._sum_moves_by(kind, most)), Part("count", float(most), whole=True)
        if rows is None:
            raise ParameterError("rows must be given: the sensitivity of a mean depends on the number of rows")
        public = one_whole("rows", rows, at_least=1)
        held = min(most, public)  # nobody has more rows than there are
        return (Part("mean", round_up(held * (Fraction(self.upper) - Fraction(self.lower)) / public)),)

    def answer(self, table: pd.DataFrame) -> Answer:
        """Return the exact answer on a table; over no chosen row, the number within the bounds nearest to 0.

        Raises
        ------
        DataError
            If the table has no rows, a column is not there, is there twice or holds another kind of value; with the
            row where there is one.
        """
        chosen = self._chosen(table)
        if len(table) == 0:
            raise DataError("the table has no rows, so there is no mean")
        mean = min(max(math.fsum(chosen) / max(chosen.size, 1), self.lower), self.upper)
        return self._answer(table, mean, chosen.size)
