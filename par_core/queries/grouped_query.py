"""What sums, means and shares have in common: all rows together or in each group, added up without rounding; and what makes a mean."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from par_core.errors import DataError
from par_core.lazy_pandas import pd
from par_core.queries.answer import Answer, MeansAnswer
from par_core.queries.groups import Groups
from par_core.queries.shapes import MeanShape
from par_core.queries.table_query import TableQuery
from par_core.scenario import Neighbours


class GroupedQuery(TableQuery):
    """Numbers that rows add to: one of all rows that `where` chooses, or one in each of the `groups`."""

    groups: Groups | None

    @property
    def k(self) -> int:
        return self.groups.k if self.groups else 1

    @property
    def whole(self) -> bool:
        return False

    @property
    def labels(self) -> tuple[str, ...]:
        return self.groups.labels if self.groups else (self.asks.noun,)

    @property
    def chooses(self) -> bool:
        """Whether rows may be left out, so that nobody may know how many are looked at."""
        return self.where is not None or self.groups is not None

    @abstractmethod
    def _adds(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        """For each row what it adds."""

    def _look(self, rows: pd.DataFrame, chosen: NDArray[np.bool_]) -> tuple[Iterator[NDArray[np.float64]], int]:
        place, absent = self._places(rows, chosen)
        return self._in_groups(self._adds(rows), place), absent

    def _places(self, rows: pd.DataFrame, chosen: NDArray[np.bool_]) -> tuple[NDArray[np.int64], int]:
        """For each row the place of its group, -1 for none, and how many chosen rows have a category that is not listed."""
        if self.groups is None:
            return np.where(chosen, 0, -1), 0
        place, present = self.groups.places(rows)
        return np.where(chosen, place, -1), int(np.count_nonzero(chosen & present & (place < 0)))

    def _in_groups(self, added: NDArray[np.float64], place: NDArray[np.int64]) -> Iterator[NDArray[np.float64]]:
        """Give arrays of k numbers that add up to exactly the sum of each group."""
        order = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[order], np.arange(self.k + 1))
        groups = [_exact_pieces(added[order[start:end]]) for start, end in itertools.pairwise(ends.tolist())]
        return (np.array(pieces) for pieces in itertools.zip_longest(*groups, fillvalue=0.0))


class MeanQuery(GroupedQuery):
    """A mean of what rows add, between bounds: over a public number of rows, or a noisy sum over a noisy count."""

    lower: float
    upper: float

    @property
    def shape(self) -> MeanShape:
        return MeanShape(self.k, lower=self.lower, upper=self.upper, chooses=self.chooses)

    def is_pair(self, neighbours: Neighbours) -> bool:
        """Whether the mean is released as a noisy sum over a noisy count."""
        return self.shape.is_pair(neighbours)

    @property
    def _added_up(self) -> int:
        return 2 * self.k  # the sums, and the rows under them

    def _in_groups(self, added: NDArray[np.float64], place: NDArray[np.int64]) -> Iterator[NDArray[np.float64]]:
        none = np.zeros(self.k)
        for sums in super()._in_groups(added, place):
            yield np.concatenate([sums, none])
        yield np.concatenate([none, np.bincount(place[place >= 0], minlength=self.k)])

    def _told(self, total: NDArray[np.float64], *, size: int, missing: int, absent: int, rows: int) -> Answer:
        if not rows:
            raise DataError(f"the table has no rows, so there is no {self.asks.noun}")
        sums, sizes = total.reshape(2, self.k)
        exact = np.clip(sums / np.maximum(sizes, 1.0), self.lower, self.upper)
        if self.groups is None:
            return Answer(exact, self.labels, size, missing, absent, rows)
        return MeansAnswer(exact, self.labels, size, missing, absent, rows, sizes)


def _exact_pieces(values: NDArray[np.float64]) -> Iterator[float]:
    """Give a few numbers that add up to exactly the sum of the values, so that batches lose no digit."""
    rest = values.tolist()
    while piece := math.fsum(rest):
        yield piece
        rest.append(-piece)
