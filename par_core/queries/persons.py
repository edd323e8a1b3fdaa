"""No more rows of one person than the sensitivity counts on."""

from __future__ import annotations

from typing import Any, Literal, NoReturn, get_args

import numpy as np

from par_core.errors import DataError
from par_core.lazy_pandas import pd
from par_core.parameters import check_choice, check_integer, shown
from par_core.progress import Progress, portion
from par_core.queries import columns
from par_core.queries.columns import missing_in, name_of
from par_core.queries.sensitivity import LARGEST_ROWS_PER_PERSON
from par_core.randomness import generator

Over = Literal["truncate", "refuse"]
"""What happens to the rows of a person who has too many: the further ones are left out, or there is an error."""


def cap_rows(
    table: pd.DataFrame,
    person: str,
    *,
    rows_per_person: int,
    over: Over = "truncate",
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Return the table with `rows_per_person` rows of each person (1 to 1,000,000) at most, in their old order.

    Which rows of a person stay depends on the order of that person's own rows, or on the draw, and on nothing else: on
    no value, and on no other person. So a person who is added, removed or replaced changes `rows_per_person` rows of
    the result at most, and the sensitivity holds for the whole table, with all the rows that were left out. (Keeping
    the first rows of the table until it is full would not do: one person could push out others.) A random choice is as
    good, because the draws for the other persons have the same law on both tables and can be taken to be equal.

    `person` is the column that says whose row it is; a row that does not is a DataError. With "refuse" persons with more
    rows are one too, which is itself private: it is for the steward only. With "truncate" the first rows stay, or random
    ones with `rng`: for a table ordered by a value or by date the first rows are not typical.

    >>> visits = pd.DataFrame({"who": ["a", "b", "a", "a"], "cost": [1, 2, 3, 4]})
    >>> cap_rows(visits, "who", rows_per_person=2)["cost"].tolist()
    [1, 2, 3]
    """
    tell = portion(progress)
    name_of("person", person)
    check_cap(rows_per_person, over)
    most = int(rows_per_person)
    draw = None if rng is None else generator(rng)
    check_persons(table, person)
    order = None if draw is None else draw.permutation(len(table))
    stays = np.zeros(len(table), dtype=bool)
    held: dict[Any, int] = {}
    for start in range(0, len(table), columns.BATCH):
        stop = min(start + columns.BATCH, len(table))
        at = np.arange(start, stop) if order is None else order[start:stop]
        who, found = pd.factorize(table[person].iloc[at])
        persons = found.tolist()
        before = np.array([held.get(each, 0) for each in persons], dtype=np.int64)
        place = before[who] + pd.Series(who).groupby(who).cumcount().to_numpy()
        stays[at] = place < most
        held.update(zip(persons, (before + np.bincount(who, minlength=len(before))).tolist(), strict=True))
        tell(stop / len(table))
    if over == "refuse" and any(number > most for number in held.values()):
        refuse_more(person, f"have more than {most} row{'s' * (most != 1)}", "rows")
    return table[stays]


def check_cap(rows_per_person: int, over: Over) -> None:
    """Raise a ParameterError for a cap out of range, and for an unknown way to deal with what is above it."""
    check_choice("over", over, get_args(Over))
    check_integer("rows_per_person", rows_per_person, at_least=1, at_most=LARGEST_ROWS_PER_PERSON)


def check_persons(table: pd.DataFrame, person: str) -> None:
    """Raise a DataError for the first row that does not say whose it is."""
    missing = missing_in(table, person)
    if missing.any():
        row = int(missing.argmax()) + 1
        raise DataError(f"row {row} below the heading, column {shown(person)}: it must say whose row it is")


def refuse_more(person: str, what: str, unit: str) -> NoReturn:
    """Raise a DataError for persons who have too much. How many they are is not said: nobody asked for a private number."""
    raise DataError(
        f"column {shown(person)}: some persons {what}; "
        f"allow more {unit} per person, or let their further {unit} be left out"
    )
