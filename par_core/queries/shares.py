"""The share of rows that meet a condition: a mean of 1 for a row that does and 0 for one that does not."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from par_core.lazy_pandas import pd
from par_core.parameters import check_type
from par_core.queries import statistics
from par_core.queries.conditions import Condition, used_columns
from par_core.queries.grouped_query import MeanQuery
from par_core.queries.groups import Groups
from par_core.queries.shapes import ShareShape


@dataclass(frozen=True)
class TableShare(MeanQuery):
    """Which part of the rows meets a condition, 0 to 1: of all rows, of those that meet a second one, `where`, or in each of the `groups`.

    A row without a value in the column of the condition does not meet it, and is one of the rows all the same. Where the number of rows
    is public (REPLACE_ONE, all rows) the share is one release; otherwise it is a noisy sum over a noisy count, as a mean is.

    >>> from par_core.scenario import Neighbours
    >>> query = TableShare(Condition("age", ">=", 18))
    >>> query.sensitivity(Neighbours.REPLACE_ONE, rows=1000)
    0.001
    >>> query.answer(pd.DataFrame({"age": [17, 18, 40, None]})).exact.tolist()
    [0.5]
    """

    asks = statistics.Share
    condition: Condition
    where: Condition | None = None
    groups: Groups | None = field(default=None, kw_only=True)
    lower: float = field(default=0.0, init=False, repr=False)
    upper: float = field(default=1.0, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check each field."""
        statistics.Share(self.condition)
        if self.where is not None:
            check_type("where", self.where, Condition)
        if self.groups is not None:
            check_type("groups", self.groups, Groups)

    @property
    def shape(self) -> ShareShape:
        return ShareShape(self.k, chooses=self.chooses)

    @property
    def used_columns(self) -> tuple[str, ...]:
        grouped = (self.groups.column,) if self.groups else ()
        return used_columns(self.condition.column, *grouped, where=self.where)

    def _adds(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        return self.condition.met_by(rows).astype(float)
