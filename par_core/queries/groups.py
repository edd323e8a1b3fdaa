"""The groups in which values are added up or averaged: the categories of one column, from what is publicly known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.lazy_pandas import pd
from par_core.queries.counts import CountBy
from par_core.queries.dates import Category


@dataclass(frozen=True)
class Groups:
    """The public `categories` of a `column`, each a group: text, numbers or truth values, of dates as in `CountBy`; 10,000 at most.

    A row is in one group at most. One whose category is not listed, or missing, is in none.

    >>> Groups("education", (12, 16)).labels
    ('12', '16')
    """

    column: str
    categories: tuple[Category, ...]

    def __post_init__(self) -> None:
        """Check both and store the categories as Python's own values."""
        object.__setattr__(self, "categories", self._cells.categories[0])

    @property
    def k(self) -> int:
        """How many groups there are."""
        return len(self.categories)

    @property
    def labels(self) -> tuple[str, ...]:
        """One label for each group."""
        return self._cells.labels

    def places(self, rows: pd.DataFrame) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """For each row the place of its group, -1 for none, and whether its category is not missing."""
        place, present, _ = self._cells._places(rows)
        return np.where(present, place, -1), present

    @property
    def _cells(self) -> CountBy:
        return CountBy((self.column,), (self.categories,))
