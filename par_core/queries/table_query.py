"""What all queries have in common: which rows they look at, and how an answer is put together batch by batch."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from par_core.errors import DataError, ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.lazy_pandas import pd
from par_core.mechanisms import Norm
from par_core.parameters import check_integer
from par_core.progress import Progress, portion
from par_core.queries import columns
from par_core.queries.answer import Answer, Kept
from par_core.queries.columns import check_table, missing_in, name_of
from par_core.queries.conditions import Condition
from par_core.queries.persons import Over, cap_rows
from par_core.queries.sensitivity import LARGEST_ROWS_PER_PERSON, WORST_CASE, Part
from par_core.queries.shapes import Shape
from par_core.queries.statistics import Statistic
from par_core.scenario import Neighbours


class TableQuery(ABC):
    """A count, counts by category, a histogram, a sum, a mean, a share or a quantile: what is asked of a table."""

    asks: ClassVar[type[Statistic]]
    where: Condition | None

    @property
    def k(self) -> int:
        """How many numbers the answer holds."""
        return 1

    @property
    def whole(self) -> bool:
        """Whether the exact answer is always whole numbers."""
        return True

    @property
    @abstractmethod
    def shape(self) -> Shape:
        """What it publishes, without the names in it."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """One label for each number."""

    @property
    @abstractmethod
    def used_columns(self) -> tuple[str, ...]:
        """The columns that the query looks at, each once."""

    # --- by how much one person can move the answer ---

    @Evidence(PROVEN, source=WORST_CASE, limits="exact arithmetic; sums of floats are off by rounding on top of it")
    def sensitivity(
        self, neighbours: Neighbours, rows_per_person: int = 1, *, rows: int | None = None, norm: Norm = "L1"
    ) -> float:
        """Sensitivity of all numbers together, in the unit of the answer, where one person has `rows_per_person` rows at most.

        It is that in L1, which Laplace noise is calibrated to, or in L2, which Gaussian noise is.

        `rows` is the number of rows of the table where that is public: needed only for the mean of a column that is one release.
        ParameterError where a mean is two releases: `parts` has the sensitivity of each.
        """
        parts = self.parts(neighbours, rows_per_person, rows=rows)
        if len(parts) > 1:
            raise ParameterError(
                "the mean is released as a noisy sum over a noisy count, because the number of rows that it is taken "
                "over is private; `parts` has the sensitivity of each"
            )
        return parts[0].moves(norm)

    def parts(self, neighbours: Neighbours, rows_per_person: int = 1, *, rows: int | None = None) -> tuple[Part, ...]:
        """Return the noisy releases that the query is made of: one, or for some means a sum and a count; as in `sensitivity`."""
        return self.shape.parts(neighbours, rows_per_person, rows=rows)

    def needs_as_many(self, neighbours: Neighbours, rows_per_person: int = 1) -> bool:
        """Whether the sensitivity holds only where as many rows replace a person's rows, so that their number stays the same."""
        return self.shape.needs_as_many(neighbours, rows_per_person)

    # --- the exact answer ---

    def answer(
        self,
        table: pd.DataFrame,
        *,
        person: str | None = None,
        rows_per_person: int | None = None,
        over: Over = "truncate",
        progress: Progress | None = None,
    ) -> Answer:
        """Return the exact answer on a table; the order of the rows plays no part.

        A row with a missing value is in no cell and meets no condition; in a sum or a mean a missing value is taken for 0,
        and a quantile leaves it out.
        Without `person`, the column that says whose row it is, all rows are looked at; with it, rows over the cap are left out
        first, as in `cap_rows`. Of a query that counts persons `rows_per_person` is how many cells each of them is counted in at
        most (without it, all). DataError also for the mean of a table without rows, or a quantile without a value.
        """
        tell = portion(progress)
        check_table(table)
        if person is not None:
            table = self._capped(table, person, rows_per_person, over, portion(tell, 0.0, 0.5))
            tell = portion(tell, 0.5, 1.0)
        return self._answer(table, tell)

    def _capped(
        self, table: pd.DataFrame, person: str, rows_per_person: int | None, over: Over, progress: Progress
    ) -> pd.DataFrame:
        most = check_integer("rows_per_person", rows_per_person, at_least=1, at_most=LARGEST_ROWS_PER_PERSON)
        # Only what is looked at: leaving rows out of all columns of a large table would take longer than a step may.
        wanted = (*self.used_columns, name_of("person", person))
        used = table.loc[:, [name in wanted for name in table.columns]]
        return cap_rows(used, person, rows_per_person=most, over=over, progress=progress)

    def kept(
        self,
        table: pd.DataFrame,
        *,
        person: str,
        rows_per_person: int,
        over: Over = "truncate",
        progress: Progress | None = None,
    ) -> Kept:
        """Return what the cap leaves of a table; parameters and errors as in `answer`."""
        check_table(table)
        persons = table.loc[:, [name == name_of("person", person) for name in table.columns]]
        left = cap_rows(persons, person, rows_per_person=rows_per_person, over=over, progress=progress)
        return Kept(len(left), len(table))

    def _answer(self, table: pd.DataFrame, progress: Progress) -> Answer:
        size = missing = absent = 0
        pieces = [np.zeros(self._added_up)]
        for start in range(0, max(len(table), 1), columns.BATCH):  # an empty table has to have its columns too
            stop = start + columns.BATCH
            rows = table.iloc[start:stop]
            try:
                chosen = self._chosen(rows)
                more, not_listed = self._look(rows, chosen)
                lacking = [missing_in(rows, column) for column in self.used_columns]
                missing += int(np.count_nonzero(np.any(lacking, axis=0)))
            except DataError:
                if start:  # once more with all rows so far, so that the message counts from the first one
                    self._look(table.iloc[:stop], self._chosen(table.iloc[:stop]))
                raise
            size += int(np.count_nonzero(chosen))
            absent += not_listed
            pieces.extend(more)
            progress(min(1.0, stop / max(len(table), 1)))
        total = np.array([math.fsum(numbers) for numbers in zip(*pieces, strict=True)])  # rounded once, here
        return self._told(total, size=size, missing=missing, absent=absent, rows=len(table))

    def _chosen(self, rows: pd.DataFrame) -> NDArray[np.bool_]:
        """For each row whether it is looked at."""
        return np.ones(len(rows), dtype=bool) if self.where is None else self.where.met_by(rows)

    @abstractmethod
    def _look(self, rows: pd.DataFrame, chosen: NDArray[np.bool_]) -> tuple[Iterator[NDArray[np.float64]], int]:
        """Return arrays of numbers that add up to those of a few rows, as many as `_added_up`, and how many rows are in no cell."""

    @property
    def _added_up(self) -> int:
        """How many numbers are added up for the answer."""
        return self.k

    def _told(self, total: NDArray[np.float64], *, size: int, missing: int, absent: int, rows: int) -> Answer:
        """Return the answer that the numbers make, with what was counted beside them."""
        return Answer(total, self.labels, size=size, missing=missing, absent=absent, rows=rows)
