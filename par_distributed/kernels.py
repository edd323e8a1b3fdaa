"""Sums of each database with all digits, and the answers without each individual, compiled."""

from __future__ import annotations

import math
from typing import Any

import numba

from par_core.audit.kernels_numba import compiled

_ROW, _TABLE = numba.float64[::1], numba.float64[:, ::1]


@compiled(numba.void(_TABLE, _ROW, _ROW, _ROW), fastmath=set())
def add_up(values: Any, high: Any, low: Any, count: Any) -> None:
    """Add each row of `values` (n, B) to a pair (`high`, `low`) and its numbers to `count`, each (n,); NaN is no record."""
    for j in range(len(values)):
        first, second, number = high[j], low[j], count[j]
        for i in range(values.shape[1]):
            value = values[j, i]
            if not math.isnan(value):
                added = first + value
                back = added - first
                second += (first - (added - back)) + (value - back)
                first = added
                number += 1.0
        high[j] = first + second
        low[j] = second - (high[j] - first)
        count[j] = number


@compiled(numba.int64(_TABLE, numba.float64), fastmath=set())
def first_beyond(values: Any, limit: float) -> int:
    """Return the place (counted row by row) of the first number of larger size than the limit, or -1; NaN is none."""
    for j in range(len(values)):
        for i in range(values.shape[1]):
            if abs(values[j, i]) > limit:
                return j * values.shape[1] + i  # type: ignore[no-any-return]  # numba says nothing of the type
    return -1


@compiled(
    numba.int64(_ROW, _ROW, _ROW, _ROW, _TABLE, _TABLE, _TABLE, numba.boolean, _TABLE, numba.int32[::1]), fastmath=set()
)
def leave_out(
    high: Any,
    low: Any,
    count: Any,
    answers: Any,
    own: Any,
    own_low: Any,
    own_count: Any,
    divide: bool,
    found: Any,
    present: Any,
) -> int:
    """Fill `found` (B, n) with the answers without each individual: the sum of the others, or (`divide`) their mean.

    `high`, `low`, `count` and `answers`, (n,), are those of everybody; `own`, (n, B), is the sum of an individual's own values,
    NaN where there are none: then the answer is that with everybody. `own_low` and `own_count` are empty where each individual
    has at most one record in each database. NaN where a mean has no record left; returns how many these are. `present`, (B,), is in
    how many databases each individual is.
    """
    several, missing = len(own_low) > 0, 0
    for i in range(own.shape[1]):
        present[i] = 0
        for j in range(len(own)):
            part = own[j, i]
            if math.isnan(part):
                found[i, j] = answers[j]
                continue
            present[i] += 1
            rest = high[j] - part
            back = rest - high[j]
            lost = (high[j] - (rest - back)) + (-part - back)
            rest += lost + (low[j] - (own_low[j, i] if several else 0.0))
            if divide:
                left = count[j] - (own_count[j, i] if several else 1.0)
                if left > 0.0:
                    rest /= left
                else:
                    rest = math.nan
                    missing += 1
            found[i, j] = rest
    return missing
