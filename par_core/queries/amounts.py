"""Sum and mean of a column whose values are first clamped to bounds that the user gives, from what is publicly known.

A missing value is taken for 0 and then clamped like every other value: where 0 lies within the bounds it adds nothing,
otherwise it adds the bound nearest to 0. (Adding 0 outside the bounds would let a replaced row move the sum by more
than upper - lower.) A mean can leave the rows without a value out instead: how many rows it is taken over is then private.

Both can be taken in each group of a public list (`par_core.queries.groups`): a row is in one group at most, and may be in none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.lazy_pandas import pd
from par_core.old_names import by_old_name
from par_core.parameters import check_type, shown
from par_core.progress import Progress, portion
from par_core.queries import columns, statistics
from par_core.queries.columns import Kind, check_table, missing_in, name_of, values_of
from par_core.queries.conditions import Condition, used_columns
from par_core.queries.grouped_query import GroupedQuery, MeanQuery
from par_core.queries.groups import Groups
from par_core.queries.persons import Over
from par_core.queries.shapes import SumShape
from par_core.queries.statistics import Bounds, OfNumbers


@dataclass(frozen=True)
class TableAmount(GroupedQuery):
    """A statistic of a column of numbers, `asks`: the column, its bounds, which rows are looked at, and in which groups, if any."""

    asks: ClassVar[type[OfNumbers]]
    column: str
    lower: float
    upper: float
    where: Condition | None = None
    groups: Groups | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        """Check the bounds and store them as floats."""
        name_of("column", self.column)
        bounds = self._statistic.bounds
        assert bounds is not None
        object.__setattr__(self, "lower", bounds.lower)
        object.__setattr__(self, "upper", bounds.upper)
        if self.where is not None:
            check_type("where", self.where, Condition)
        if self.groups is not None:
            check_type("groups", self.groups, Groups)

    @property
    def used_columns(self) -> tuple[str, ...]:
        grouped = (self.groups.column,) if self.groups else ()
        return used_columns(self.column, *grouped, where=self.where)

    @property
    def ends(self) -> tuple[float, float] | None:
        """The least and the most that a row adds; None where these are the bounds, or 0."""
        return None

    @property
    def takes_blanks(self) -> bool:
        """Whether a row without a value counts; it meets no condition on the column, and is in no group of it."""
        asked = [each.column for each in (self.where, self.groups) if each is not None]
        return self.column not in asked

    @property
    def blank(self) -> float:
        """What a missing value counts as."""
        return min(max(0.0, self.lower), self.upper)

    @Evidence(PROVEN, source="the table itself")
    def blanks(
        self,
        table: pd.DataFrame,
        *,
        person: str | None = None,
        rows_per_person: int | None = None,
        over: Over = "truncate",
        progress: Progress | None = None,
    ) -> int:
        """Return how many rows without a value count, which is private; parameters and errors as in `answer`."""
        tell = portion(progress)
        check_table(table)
        if person is not None:
            table = self._capped(table, person, rows_per_person, over, portion(tell, 0.0, 0.5))
            tell = portion(tell, 0.5, 1.0)
        found = 0
        for start in range(0, len(table), columns.BATCH):
            rows = table.iloc[start : start + columns.BATCH]
            place, _ = self._places(rows, self._chosen(rows))
            found += int(np.count_nonzero((place >= 0) & missing_in(rows, self.column)))
            tell(min(1.0, (start + columns.BATCH) / len(table)))
        return found

    @property
    def _statistic(self) -> OfNumbers:
        return self.asks(Bounds(self.lower, self.upper))

    def _adds(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        values, missing = values_of(rows, self.column, kind=Kind.NUMBER)
        return self._added(np.where(missing, 0.0, values.astype(float)))

    def _added(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what each row adds."""
        return self._statistic.clamp(values)


@dataclass(frozen=True)
class TableSum(TableAmount):
    """Sum of a column, each value clamped to [lower, upper]: bounds that are public, and never read off the private table.

    One row moves it by upper - lower where a row is replaced, by the larger of |lower| and |upper| where it appears or
    disappears, and by the largest of the three where a row is replaced and a condition may let it in or out.

    >>> from par_core.scenario import Neighbours
    >>> query = TableSum("income", 0, 2000)
    >>> query.sensitivity(Neighbours.REPLACE_ONE, 2)
    4000.0

    In groups a replaced row may leave one and enter another, so that all sums together move by twice the larger of |lower| and |upper|.

    >>> TableSum("income", 0, 2000, groups=Groups("town", ("Rome", "Oslo"))).sensitivity(Neighbours.REPLACE_ONE, 2)
    8000.0
    """

    asks = statistics.Sum

    @property
    def shape(self) -> SumShape:
        return SumShape(self.k, lower=self.lower, upper=self.upper, chooses=self.chooses)


@dataclass(frozen=True)
class TableMean(MeanQuery, TableAmount):
    """Mean of a column, each value clamped to public bounds [lower, upper].

    Where the number of rows is public (REPLACE_ONE, all rows averaged) the mean is a sum over a known number, one release.
    Otherwise the number of chosen rows is private too: then a noisy sum is divided by a noisy count, each released with
    its own share of epsilon, and the quotient costs nothing more. With `skip_missing` rows without a value are left out. In groups
    it is always so, with a sum and a count for each group.

    >>> from par_core.scenario import Neighbours
    >>> query = TableMean("income", 0, 2000)
    >>> query.sensitivity(Neighbours.REPLACE_ONE, rows=1000)
    2.0
    >>> [(part.name, part.sensitivity) for part in query.parts(Neighbours.ADD_OR_REMOVE)]
    [('sum', 1000.0), ('count', 1.0)]
    """

    asks = statistics.Mean
    skip_missing: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.skip_missing, bool):
            raise ParameterError(f"skip_missing must be true or false, got {shown(self.skip_missing)}")

    @property
    def chooses(self) -> bool:
        return super().chooses or self.skip_missing

    @property
    def takes_blanks(self) -> bool:
        return super().takes_blanks and not self.skip_missing

    def _chosen(self, rows: pd.DataFrame) -> NDArray[np.bool_]:
        chosen = super()._chosen(rows)
        return chosen & ~missing_in(rows, self.column) if self.skip_missing else chosen


_AMOUNTS: tuple[type[TableAmount], ...] = (
    TableSum,
    TableMean,
)
AMOUNTS: Final[Mapping[str, type[TableAmount]]] = {each.asks.name: each for each in _AMOUNTS}
"""What a table answers about a column of numbers, by the name of the statistic; command line, page and scripts have each of them."""


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"Sum": "TableSum", "Mean": "TableMean"})
