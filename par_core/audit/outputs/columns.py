"""Outputs on two neighbouring inputs, read from two columns of a table."""

from __future__ import annotations

import numpy as np
import pandas as pd

from par_core.audit.outputs.answer_sets import Floats
from par_core.audit.panel_reading import numbers
from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, Evidence
from par_core.parameters import shown
from par_core.queries.columns import name_of


@Evidence(ESTIMATE, source="the table as given")
def outputs_of(table: pd.DataFrame, first: str, second: str) -> tuple[Floats, Floats]:
    """Return the outputs in two columns, each without the empty cells at its end: one input may have more outputs.

    DataError with row and column for a cell that is no finite number, and for an empty one with an output below it: where an output
    is missing can depend on the input, so that pairs left out would make a true claim look false.

    >>> outputs_of(pd.DataFrame({"with": [1.0, 0.5], "without": [0.25, None]}), "with", "without")
    (array([1. , 0.5]), array([0.25]))
    """
    if name_of("first", first) == name_of("second", second):
        raise ParameterError(f"second must be another column than first, got {shown(second)}")
    return _outputs(table, first), _outputs(table, second)


def _outputs(table: pd.DataFrame, column: str) -> Floats:
    found = numbers(table, column)
    there = np.flatnonzero(~np.isnan(found))
    rows = int(there[-1]) + 1 if there.size else 0
    if there.size < rows:
        row = int(np.argmax(np.isnan(found))) + 1
        raise DataError(f"row {row} below the heading, column {shown(column)}: an output is missing")
    return found[:rows]
