"""How many persons fall into each cell: each once in a cell, however many of their rows fall there.

A person is counted in so many cells at most, those of their first rows in the order of their own rows: which they are
depends on no other person.

Sensitivity. One person holds a set of at most m of the k cells. Added or removed, the set moves the answer by its size,
at most min(m, k). Replaced by another person's, it moves the answer by their symmetric difference: at most 2m, and
never more than k. How many rows either person has plays no part.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.parameters import one_of, one_whole
from par_core.queries.answer import Answer
from par_core.queries.columns import check_table, name_of
from par_core.queries.counts import Count, CountBy
from par_core.queries.persons import Over, check_persons, refuse_more
from par_core.queries.question import BATCH, Question
from par_core.queries.selection import chosen_rows
from par_core.queries.sensitivity import LARGEST_ROWS_PER_PERSON, Part
from par_core.scenario import Neighbours
from par_core.stepwise import scaled


class PersonCounts(Question):
    """Counts of persons: what `PersonCount` and `PersonCountBy` have in common."""

    person: str

    @abstractmethod
    def _cells(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        """For each row the cell that it falls into, and -1 for none."""

    def _parts(self, neighbours: Neighbours, most: int, rows: int | None) -> tuple[Part, ...]:  # noqa: ARG002  # all are asked alike
        moves = 2 * most if neighbours is Neighbours.REPLACE_ONE else most
        return (Part("counts" if self.k > 1 else "count", float(min(moves, self.k)), k=self.k, whole=True),)

    def answer_in_batches(
        self,
        table: pd.DataFrame,
        *,
        batch: int = BATCH,
        cells_per_person: int = LARGEST_ROWS_PER_PERSON,
        over: Over = "truncate",
    ) -> Generator[float, None, Answer]:
        """Find the exact answer in steps of `batch` rows; all but `exact` counts rows, those that are not counted again too.

        Parameters and errors as in `person_cells_in_batches`.
        """
        rows = yield from scaled(super().answer_in_batches(table, batch=batch), 0.0, 0.5)
        steps = person_cells_in_batches(self, table, cells_per_person=cells_per_person, over=over, batch=batch)
        cells, _ = yield from scaled(steps, 0.5, 1.0)
        return replace(rows, exact=np.bincount(cells, minlength=self.k).astype(float))


@dataclass(frozen=True)
class PersonCount(PersonCounts, Count):
    """How many persons have a row that meets a condition; `condition` and `where` as in `Count`.

    Parameters
    ----------
    person : str
        The column that says whose row it is.

    Examples
    --------
    >>> from par_core.queries import Condition
    >>> visits = pd.DataFrame({"who": ["a", "b", "a"], "cost": [7, 2, 8]})
    >>> query = PersonCount(Condition("cost", ">", 5), person="who")
    >>> query.answer(visits).exact.tolist(), query.sensitivity(Neighbours.REPLACE_ONE, 3)
    ([1.0], 1.0)
    """

    person: str = field(kw_only=True)

    def __post_init__(self) -> None:
        """Check the parts."""
        super().__post_init__()
        name_of("person", self.person)

    def _cells(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        return np.where(self.condition.met_by(rows), 0, -1)


@dataclass(frozen=True)
class PersonCountBy(PersonCounts, CountBy):
    """How many persons have a row in each cell; `columns`, `categories`, `other` and `where` as in `CountBy`.

    Parameters
    ----------
    person : str
        The column that says whose row it is.

    Examples
    --------
    >>> visits = pd.DataFrame({"who": ["a", "b", "a"], "ward": ["x", "x", "x"]})
    >>> query = PersonCountBy(("ward",), (("x", "y", "z"),), person="who")
    >>> query.answer(visits).exact.tolist()
    [2.0, 0.0, 0.0]
    >>> query.sensitivity(Neighbours.REPLACE_ONE), query.sensitivity(Neighbours.REPLACE_ONE, 2)
    (2.0, 3.0)
    """

    person: str = field(kw_only=True)

    def __post_init__(self) -> None:
        """Check the parts."""
        super().__post_init__()
        name_of("person", self.person)

    def _cells(self, rows: pd.DataFrame) -> NDArray[np.int64]:
        cell, present, listed = self._places(rows)
        return np.where(present & listed, cell, -1)


def person_cells_in_batches(
    query: PersonCounts,
    table: pd.DataFrame,
    *,
    cells_per_person: int,
    over: Over = "truncate",
    batch: int = BATCH,
) -> Generator[float, None, tuple[NDArray[np.int64], int]]:
    """Find the cells that each person is counted in, in steps of `batch` rows; yields the share that is done, from 0 to 1.

    Parameters
    ----------
    query : PersonCount or PersonCountBy
        What is asked.
    table : DataFrame
        One row or several for each person.
    cells_per_person : int, 1 to 1,000,000
        In how many cells one person is counted at most.
    over : "truncate" or "refuse"
        What happens to persons who fall into more cells: the first ones stay, or an error, which is itself private.
    batch : int, at least 1
        Rows of one step.

    Returns
    -------
    tuple of ndarray and int
        The cells of all persons one after another, and how many there would be without the limit. Both are private.

    Raises
    ------
    DataError
        As `cap_rows` does.
    ParameterError
        A value out of range.
    """
    check_table(table)
    step = one_whole("batch", batch, at_least=1)
    most = one_whole("cells_per_person", cells_per_person, at_least=1, at_most=LARGEST_ROWS_PER_PERSON)
    one_of("over", over, get_args(Over))
    check_persons(table, query.person)
    numbers: dict[Any, int] = {}  # of the persons, in the order in which they come
    pairs = [np.zeros(0, dtype=np.int64)]
    for start in range(0, len(table), step):
        rows = table.iloc[start : start + step]
        cell = np.where(chosen_rows(rows, query.where), query._cells(rows), -1)
        who, found = pd.factorize(rows[query.person])
        number = np.array([numbers.setdefault(each, len(numbers)) for each in found.tolist()], dtype=np.int64)
        pairs.append((number[who] * query.k + cell)[cell >= 0])
        yield min(1.0, (start + step) / len(table))
    distinct = pd.unique(np.concatenate(pairs))  # in the order in which they come
    person, cell = np.divmod(distinct, query.k)
    stays = pd.Series(person).groupby(person).cumcount().to_numpy() < most
    if over == "refuse" and not stays.all():
        refuse_more(query.person, f"fall into more than {most} cell{'s' * (most != 1)}", "cells")
    return cell[stays], len(distinct)
