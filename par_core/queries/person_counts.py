"""How many persons fall into each cell: each once in a cell, however many of their rows fall there.

A person is counted in so many cells at most, those of their first rows in the order of their own rows: which they are
depends on no other person. So one person holds a set of at most m of the k cells. Added or removed, the set moves the
answer by its size, at most min(m, k). Replaced by another person's, it moves the answer by their symmetric difference:
at most 2m, and never more than k. How many rows either person has plays no part. Each of these cells moves by 1, so that in
L2 it is the root of their number.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.lazy_pandas import pd
from par_core.parameters import shown
from par_core.progress import Progress, portion
from par_core.queries import columns
from par_core.queries.answer import Answer, Kept
from par_core.queries.columns import check_table, name_of
from par_core.queries.counts import CountBy, TableCount
from par_core.queries.persons import Over, check_cap, check_persons, refuse_more
from par_core.queries.sensitivity import LARGEST_ROWS_PER_PERSON
from par_core.queries.shapes import CountsShape
from par_core.queries.table_query import TableQuery


class PersonCounts(TableQuery):
    """Counts of persons: what `PersonCount` and `PersonCountBy` have in common."""

    person: str

    @abstractmethod
    def _cells(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        """For each row the cell that it falls into, and -1 for none."""

    @property
    def shape(self) -> CountsShape:
        return CountsShape(self.k, persons=True)

    def answer(
        self,
        table: pd.DataFrame,
        *,
        person: str | None = None,
        rows_per_person: int | None = None,
        over: Over = "truncate",
        progress: Progress | None = None,
    ) -> Answer:
        """Return the exact answer; all but `exact` counts rows, those that are not counted again too. As in `TableQuery.answer`."""
        tell = portion(progress)
        most = LARGEST_ROWS_PER_PERSON if rows_per_person is None else rows_per_person
        self._check(table, self.person if person is None else person, most, over)
        rows = self._answer(table, portion(tell, 0.0, 0.5))
        cells, _ = self._cells_of_persons(table, int(most), over, portion(tell, 0.5, 1.0))
        return replace(rows, exact=np.bincount(cells, minlength=self.k).astype(float))

    def kept(
        self,
        table: pd.DataFrame,
        *,
        person: str,
        rows_per_person: int,
        over: Over = "truncate",
        progress: Progress | None = None,
    ) -> Kept:
        """Return what the cap leaves of a table, in pairs of a person and a cell. As in `TableQuery.kept`."""
        self._check(table, person, rows_per_person, over)
        cells, every = self._cells_of_persons(table, int(rows_per_person), over, portion(progress))
        return Kept(len(cells), every)

    def _check(self, table: pd.DataFrame, person: str, most: int, over: Over) -> None:
        check_table(table)
        check_cap(most, over)
        if name_of("person", person) != self.person:
            raise ParameterError(f"person must be {shown(self.person)}, as in the query, got {shown(person)}")

    def _cells_of_persons(
        self, table: pd.DataFrame, most: int, over: Over, progress: Progress
    ) -> tuple[NDArray[np.int64], int]:
        """Return the first cells of all persons one after another, and how many there would be without the limit."""
        check_persons(table, self.person)
        numbers: dict[Any, int] = {}  # of the persons, in the order in which they come
        pairs = [np.zeros(0, dtype=np.int64)]
        for start in range(0, len(table), columns.BATCH):
            stop = min(start + columns.BATCH, len(table))
            rows = table.iloc[start:stop]
            cell = np.where(self._chosen(rows), self._cells(rows), -1)
            who, found = pd.factorize(rows[self.person])
            number = np.array([numbers.setdefault(each, len(numbers)) for each in found.tolist()], dtype=np.int64)
            pairs.append((number[who] * self.k + cell)[cell >= 0])
            progress(stop / len(table))
        distinct = pd.unique(np.concatenate(pairs))  # in the order in which they come
        person, cell = np.divmod(distinct, self.k)
        stays = pd.Series(person).groupby(person).cumcount().to_numpy() < most
        if over == "refuse" and not stays.all():
            refuse_more(self.person, f"fall into more than {most} cell{'s' * (most != 1)}", "cells")
        return cell[stays], len(distinct)


@dataclass(frozen=True)
class PersonCount(PersonCounts, TableCount):
    """How many persons (column `person`) have a row that meets a condition; `condition` and `where` as in `Count`.

    >>> from par_core.queries import Condition
    >>> visits = pd.DataFrame({"who": ["a", "b", "a"], "cost": [7, 2, 8]})
    >>> from par_core.scenario import Neighbours
    >>> query = PersonCount(Condition("cost", ">", 5), person="who")
    >>> query.answer(visits).exact.tolist(), query.sensitivity(Neighbours.REPLACE_ONE, 3)
    ([1.0], 1.0)
    """

    person: str = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        name_of("person", self.person)

    def _cells(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        return np.where(self.condition.met_by(rows), 0, -1)


@dataclass(frozen=True)
class PersonCountBy(PersonCounts, CountBy):
    """How many persons (column `person`) have a row in each cell; `columns`, `categories`, `other` and `where` as in `CountBy`.

    >>> visits = pd.DataFrame({"who": ["a", "b", "a"], "ward": ["x", "x", "x"]})
    >>> from par_core.scenario import Neighbours
    >>> query = PersonCountBy(("ward",), (("x", "y", "z"),), person="who")
    >>> query.answer(visits).exact.tolist()
    [2.0, 0.0, 0.0]
    >>> query.sensitivity(Neighbours.REPLACE_ONE), query.sensitivity(Neighbours.REPLACE_ONE, 2)
    (2.0, 3.0)
    """

    person: str = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        name_of("person", self.person)

    def _cells(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        cell, present, listed = self._places(rows)
        return np.where(present & listed, cell, -1)
