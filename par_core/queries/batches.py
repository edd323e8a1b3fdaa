"""The exact answer on a table in which no person has too many rows, in steps that can be stopped between."""

from __future__ import annotations

from collections.abc import Generator

import pandas as pd

from par_core.parameters import of_type
from par_core.queries.answer import Answer
from par_core.queries.columns import check_table, name_of
from par_core.queries.persons import Over, cap_in_batches, check_cap
from par_core.queries.question import BATCH, Question
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
    query : Count, CountBy, Sum or Mean
        What is asked.
    table : DataFrame
        One row or several for each person.
    person : str, optional
        The column that says whose row it is: rows over the cap are left out first. Without it all rows are looked at.
    rows_per_person, over
        As in `cap_rows`.
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
    if person is None:
        return (yield from query.answer_in_batches(table, batch=batch))
    # Only what is looked at: leaving rows out of all columns of a large table would take longer than a step may.
    check_table(table)
    used = table.loc[:, [name in (*query.used_columns, name_of("person", person)) for name in table.columns]]
    steps = cap_in_batches(used, person, rows_per_person=rows_per_person, over=over, batch=batch)
    kept = yield from scaled(steps, 0.0, 0.5)
    return (yield from scaled(query.answer_in_batches(kept, batch=batch), 0.5, 1.0))
