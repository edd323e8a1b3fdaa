"""How a script keeps the promise to each person: by leaving out rows or cells, or by stopping."""

import numpy as np
import pandas as pd

from par_core.export.scripts.columns import numbers
from par_core.export.scripts.files import stop
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.plan_of_release import CELLS_PER_PERSON, PERSON, ROWS_PER_PERSON


def whose(table):
    """Return for each row whose it is."""
    if made_for.numbered_persons:
        who = numbers(table, PERSON)
    else:
        who = table[PERSON]
    missing = who.isna().to_numpy()
    if missing.any():
        stop(f"row {missing.argmax() + 1} below the heading, column {PERSON!r}: it must say whose row it is")
    return who


def cap(table):
    """Keep the first ROWS_PER_PERSON rows of each person, so that the promise holds."""
    who = whose(table)
    place = who.groupby(who, sort=False, observed=True).cumcount()
    if made_for.truncated:
        return table[place < ROWS_PER_PERSON].reset_index(drop=True)
    else:
        if (place >= ROWS_PER_PERSON).any():
            stop("a person has more rows than ROWS_PER_PERSON")
        return table


def once(table, cell):
    """Return the cells of all persons: each person once in a cell, and in CELLS_PER_PERSON cells at most."""
    pairs = pd.DataFrame({"who": whose(table), "cell": cell})[cell >= 0].drop_duplicates()
    place = pairs.groupby("who", sort=False, observed=True).cumcount()
    if made_for.truncated:
        return pairs["cell"][place < CELLS_PER_PERSON].to_numpy(dtype=np.int64, copy=True)
    else:
        if (place >= CELLS_PER_PERSON).any():
            stop("a person falls into more cells than CELLS_PER_PERSON")
        return pairs["cell"].to_numpy(dtype=np.int64, copy=True)
