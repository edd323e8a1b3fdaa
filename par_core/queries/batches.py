"""The exact answer on a table in which no person has too many rows, and what the cap leaves of it, in steps."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import pandas as pd

from par_core.parameters import of_type
from par_core.queries.answer import Answer
from par_core.queries.columns import check_table, name_of
from par_core.queries.person_counts import PersonCounts, person_cells_in_batches
from par_core.queries.persons import Over, cap_in_batches, check_cap
from par_core.queries.question import BATCH, Question
from par_core.standing import PROVEN, Standing
from par_core.stepwise import scaled


def answer_in_batches(
    query: Question,
    table: pd.DataFrame,
    *,
    person: str | None = None,
    rows_per_person: int = 1,
    over: Over = "truncate",
    batch: int = BATCH,
) -> Generator[float, None, Answer]:
    """Find the exact answer in steps of `batch` rows, of 0.2 s at most; yields the share that is done, from 0 to 1.

    Parameters
    ----------
    query : Count, CountBy, Sum, Mean, PersonCount or PersonCountBy
        What is asked.
    table : DataFrame
        One row or several for each person.
    person : str, optional
        The column that says whose row it is: rows over the cap are left out first. Without it all rows are looked at.
    rows_per_person, over
        As in `cap_rows`; of a query that counts persons, how many cells each of them is counted in at most.
    batch : int, at least 1
        Rows of one step.

    Raises
    ------
    DataError, ParameterError
        As `cap_rows` and `Question.answer` do.

    Examples
    --------
    >>> from par_core.queries import Sum
    >>> visits = pd.DataFrame({"who": ["a", "b", "a"], "cost": [1, 2, 3]})
    >>> steps = answer_in_batches(Sum("cost", 0, 9), visits, person="who", batch=2)
    >>> list(steps)
    [0.3333333333333333, 0.5, 1.0]
    """
    of_type("query", query, Question)
    check_cap(rows_per_person, over)
    if isinstance(query, PersonCounts):
        return (yield from query.answer_in_batches(table, batch=batch, cells_per_person=rows_per_person, over=over))
    if person is None:
        return (yield from query.answer_in_batches(table, batch=batch))
    # Only what is looked at: leaving rows out of all columns of a large table would take longer than a step may.
    check_table(table)
    used = table.loc[:, [name in (*query.used_columns, name_of("person", person)) for name in table.columns]]
    steps = cap_in_batches(used, person, rows_per_person=rows_per_person, over=over, batch=batch)
    kept = yield from scaled(steps, 0.0, 0.5)
    return (yield from scaled(query.answer_in_batches(kept, batch=batch), 0.5, 1.0))


@dataclass(frozen=True, repr=False)
class Kept:
    """What the cap leaves of a table, in rows, or of counts of persons in pairs of a person and a cell.

    Both numbers are as private as the table and are for the steward's eyes only; `repr` hides them.
    """

    number: int
    of: int
    standing: Standing = PROVEN
    source: str = "the table itself"

    @property
    def left_out(self) -> int:
        """How many the cap leaves out."""
        return self.of - self.number

    def __repr__(self) -> str:
        return "Kept(<hidden>)"


def kept_in_batches(
    query: Question,
    table: pd.DataFrame,
    *,
    person: str,
    rows_per_person: int = 1,
    over: Over = "truncate",
    batch: int = BATCH,
) -> Generator[float, None, Kept]:
    """Find what the cap leaves of a table, in the same steps; parameters and errors as in `answer_in_batches`.

    Examples
    --------
    >>> from par_core.queries import Sum
    >>> visits = pd.DataFrame({"who": ["a", "b", "a"], "cost": [1, 2, 3]})
    >>> steps = kept_in_batches(Sum("cost", 0, 9), visits, person="who")
    >>> from par_core.stepwise import finished
    >>> finished(steps).left_out
    1
    """
    of_type("query", query, Question)
    if isinstance(query, PersonCounts):
        steps = person_cells_in_batches(query, table, cells_per_person=rows_per_person, over=over, batch=batch)
        cells, every = yield from steps
        return Kept(len(cells), every)
    check_table(table)
    persons = table.loc[:, [name == name_of("person", person) for name in table.columns]]
    kept = yield from cap_in_batches(persons, person, rows_per_person=rows_per_person, over=over, batch=batch)
    return Kept(len(kept), len(table))
