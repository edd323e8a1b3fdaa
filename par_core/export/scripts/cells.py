"""Which cell of the counts a row falls into."""

import numpy as np
import opendp.prelude as dp

from par_core.export.scripts.asked import asked
from par_core.export.scripts.columns import numbers
from par_core.export.scripts.conditions import chosen, meets
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.plan_of_release import CATEGORIES_1, CATEGORIES_2, COLUMN, COLUMN_1, COLUMN_2, EDGES

if made_for.other:

    def place(values, categories):
        """Return for each value its place in the list, len(categories) if it is not there, and -1 if it is missing."""
        places = {category: number for number, category in enumerate(categories)}
        found = [places.get(value, len(categories)) for value in values.tolist()]
        return np.where(values.isna(), -1, np.array(found, dtype=np.int64))

else:

    def place(values, categories):
        """Return for each value its place in the list, and -1 if it is not there or missing."""
        places = {category: number for number, category in enumerate(categories)}
        found = [places.get(value, -1) for value in values.tolist()]
        return np.where(values.isna(), -1, np.array(found, dtype=np.int64))


def places(table):
    """Return for each column the place of every row in its list, and how many places there are."""
    if made_for.second and made_for.other:
        return [
            (place(asked(table, COLUMN_1, made_for.first), CATEGORIES_1), len(CATEGORIES_1) + 1),
            (place(asked(table, COLUMN_2, made_for.second), CATEGORIES_2), len(CATEGORIES_2) + 1),
        ]
    elif made_for.second:
        return [
            (place(asked(table, COLUMN_1, made_for.first), CATEGORIES_1), len(CATEGORIES_1)),
            (place(asked(table, COLUMN_2, made_for.second), CATEGORIES_2), len(CATEGORIES_2)),
        ]
    elif made_for.other:
        return [
            (place(asked(table, COLUMN_1, made_for.first), CATEGORIES_1), len(CATEGORIES_1) + 1),
        ]
    else:
        return [
            (place(asked(table, COLUMN_1, made_for.first), CATEGORIES_1), len(CATEGORIES_1)),
        ]


if made_for.bins:

    def cells(table):
        """Return the bin of each row, which holds its lower edge and not its upper one; -1 for a row that is counted nowhere."""
        values = numbers(table, COLUMN).astype(float)
        counted = (chosen(table) & values.notna()).to_numpy(dtype=bool, copy=True)
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
        bins = (space >> dp.t.then_find_bin(EDGES))(values.fillna(0.0).to_numpy(dtype=float, copy=True))
        return np.where(counted, np.array(bins, dtype=np.int64), -1)

elif made_for.first:

    def cells(table):
        """Return the cell of each row, and -1 for a row that is counted nowhere."""
        cell = np.zeros(len(table), dtype=np.int64)
        counted = chosen(table).to_numpy(dtype=bool, copy=True)
        for found, size in places(table):
            cell = cell * size + found
            counted &= found >= 0
        return np.where(counted, cell, -1)

else:

    def cells(table):
        """Return the cell of each row: 0, and -1 for a row that is not counted."""
        return np.where(meets(table) & chosen(table), 0, -1)
