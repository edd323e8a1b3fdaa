"""A quantile of a column, chosen among public candidates: the median, a quartile, a percentile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from par_core.errors import DataError, ParameterError
from par_core.lazy_pandas import pd
from par_core.parameters import check_number, check_type
from par_core.queries import statistics
from par_core.queries.answer import Answer
from par_core.queries.columns import Kind, missing_in, name_of, values_of
from par_core.queries.conditions import Condition, used_columns
from par_core.queries.quantile_shape import FINEST_ALPHA, MOST_CANDIDATES, QuantileShape, check_alpha, quantile_name
from par_core.queries.statistics import LARGEST_BOUND, Bounds
from par_core.queries.table_query import TableQuery

_MOST_DECIMALS = 30


@dataclass(frozen=True, eq=False, repr=False)
class QuantileAnswer(Answer):
    """The exact quantile, and the utility of each candidate, shape (candidates,), read-only: as private as the table.

    A utility is 0 at best, and otherwise below by the rows that are too many on one side, as `par_core.queries.quantile_shape` weighs them.
    """

    utilities: NDArray[np.float64]

    def __post_init__(self) -> None:
        super().__post_init__()
        self.utilities.setflags(write=False)


@dataclass(frozen=True)
class TableQuantile(TableQuery):
    """The quantile `alpha` of a column, 0.5 for the median: that of public candidates which has as near alpha of the rows below as may be.

    Candidates go from `lower` to `upper` in steps, in the unit of the column: 2 to 10,000, from public knowledge. Rows without a value are
    left out, and each value is moved to the candidate next to it. (Values between two candidates would tell nothing of themselves: with all
    of them there, one candidate would be as good as any other.)

    The exact answer is the candidate with the best score, as OpenDP's private quantile has it; of several as good, the middle one. alpha
    has four decimals at most. ParameterError for bounds the wrong way round, and for fewer or more candidates.

    >>> ages = pd.DataFrame({"age": [30, 41, 52, None, 97]})
    >>> TableQuantile("age", 0, 110, 1).answer(ages).exact.tolist()
    [46.0]
    """

    asks = statistics.Quantile
    column: str
    lower: float
    upper: float
    step: float
    alpha: float = 0.5
    where: Condition | None = None

    def __post_init__(self) -> None:
        """Check all, and store numbers as floats."""
        name_of("column", self.column)
        bounds = Bounds(self.lower, self.upper)
        object.__setattr__(self, "lower", bounds.lower)
        object.__setattr__(self, "upper", bounds.upper)
        object.__setattr__(self, "step", check_number("step", self.step, above=0.0, at_most=2 * LARGEST_BOUND))
        object.__setattr__(self, "alpha", check_alpha(self.alpha))
        if self.where is not None:
            check_type("where", self.where, Condition)
        for name in ("lower", "upper", "step"):
            if Fraction(repr(getattr(self, name))).denominator > 10**_MOST_DECIMALS:
                raise ParameterError(f"{name} must have at most {_MOST_DECIMALS} decimals, got {getattr(self, name):g}")
        numbers, _ = self.in_parts
        number = (numbers.stop - 1 - numbers.start) // numbers.step + 1  # which may be too large for `len`
        if number < 2:
            raise ParameterError(f"step must leave two candidates at least from lower to upper, got {self.step:g}")
        if number > MOST_CANDIDATES:
            raise ParameterError(f"step must leave {MOST_CANDIDATES:,} candidates at most, got {number:,}")
        if (np.diff(self.candidates) <= 0.0).any():
            raise ParameterError(f"step must be so large that candidates differ, got {self.step:g}")

    @cached_property
    def in_parts(self) -> tuple[range, int]:
        """The candidates as whole numbers of equal parts, and how many parts make 1: 0.1 and 0.3 are decimals, and three steps apart."""
        lower, upper, step = (Fraction(repr(each)) for each in (self.lower, self.upper, self.step))
        parts = int(np.lcm.reduce([lower.denominator, upper.denominator, step.denominator], dtype=object))
        return range(int(lower * parts), int(upper * parts) + 1, int(step * parts)), parts

    @cached_property
    def candidates(self) -> NDArray[np.float64]:
        """What can be published, rising, in the unit of the column; read-only."""
        numbers, parts = self.in_parts
        found = np.array([each / parts for each in numbers])
        found.setflags(write=False)
        return found

    @property
    def whole(self) -> bool:
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        return (quantile_name(self.alpha),)

    @property
    def used_columns(self) -> tuple[str, ...]:
        return used_columns(self.column, where=self.where)

    @property
    def shape(self) -> QuantileShape:
        return QuantileShape(self.alpha, len(self.in_parts[0]))

    def _chosen(self, rows: pd.DataFrame) -> NDArray[np.bool_]:
        return np.asarray(super()._chosen(rows) & ~missing_in(rows, self.column))

    @property
    def _added_up(self) -> int:
        return len(self.in_parts[0])

    def _look(self, rows: pd.DataFrame, chosen: NDArray[np.bool_]) -> tuple[Iterator[NDArray[np.float64]], int]:
        values, _ = values_of(rows, self.column, kind=Kind.NUMBER)
        nearest = np.searchsorted(0.5 * (self.candidates[:-1] + self.candidates[1:]), values[chosen])
        return iter((np.bincount(nearest, minlength=self._added_up).astype(float),)), 0

    def _told(self, total: NDArray[np.float64], *, size: int, missing: int, absent: int, rows: int) -> Answer:
        if not size:
            raise DataError("no row that is looked at has a value, so there is no quantile")
        here, share = total.astype(np.int64), round(self.alpha * FINEST_ALPHA)
        below = here.cumsum() - here
        above = size - here - below
        score = np.abs((FINEST_ALPHA - share) * below - share * above)
        best = np.flatnonzero(score == score.min())  # these are neighbours
        exact = self.candidates[[best[(len(best) - 1) // 2]]]
        return QuantileAnswer(exact, self.labels, size, missing, absent, rows, -score / FINEST_ALPHA)
