"""Totals that keep their digits when a part is taken away again: each total is carried as a pair of floats.

A sum of m numbers, one of which is far larger than all the others, loses the others' digits; taking the large one away
then leaves noise. A pair (high, low) with high + low = the sum to about 32 digits does not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from par_core.audit.query import Codes, Values
from par_core.evidence import PROVEN, Evidence

_EXACT = "error-free addition (Knuth 1969; Dekker 1971)"


@Evidence(PROVEN, source=_EXACT)
def total(values: Values) -> tuple[float, float]:
    """Return (high, low) of the sum of values of shape (m,): pairwise addition whose rounding errors are summed too."""
    high, low = np.asarray(values, dtype=np.float64), 0.0
    while len(high) > 1:
        if len(high) % 2:
            high = np.append(high, 0.0)
        left, right = high[0::2], high[1::2]
        high = left + right
        low += float(_rounding(left, right, high).sum())
    first = float(high[0]) if len(high) else 0.0
    rounded = first + low
    return rounded, float(_rounding(first, low, rounded))


@Evidence(PROVEN, source=_EXACT)
def totals(codes: Codes, values: Values, *, size: int) -> tuple[Values, Values]:
    """Return (high, low), each of shape (size,): the sums of the values of each code; codes are ascending, 0 to size − 1."""
    high, low = np.zeros(size), np.zeros(size)
    while True:
        begins = np.concatenate([[True], codes[1:] != codes[:-1]]) if len(codes) else np.zeros(0, dtype=bool)
        if begins.all():
            high[codes] = values
            return high, low
        odd = position(begins) % 2 == 1
        right = np.where(odd, values, 0.0)
        left = np.flatnonzero(~odd)
        added = np.append(right, 0.0)[left + 1]
        both = values[left] + added
        low += np.bincount(codes[left], weights=_rounding(values[left], added, both), minlength=size)
        codes, values = codes[left], both


@Evidence(PROVEN, source=_EXACT)
def position(begins: NDArray[np.bool_]) -> Codes:
    """Return 0, 1, 2 ... from each place that begins a run (the first place always does)."""
    places = np.arange(len(begins))
    return np.asarray(places - np.maximum.accumulate(np.where(begins, places, 0)))


@Evidence(PROVEN, source=_EXACT)
def without_part(pair: tuple[float, float], part: tuple[Values, Values]) -> Values:
    """Return the total less each part, of shape (size,), rounded once at the end."""
    high, low = pair
    difference = high - part[0]
    return np.asarray(difference + (_rounding(high, -part[0], difference) + (low - part[1])))


def _rounding(left: Values | float, right: Values | float, rounded: Values | float) -> Values:
    """Return left + right − rounded exactly, where rounded is the float sum of the two."""
    back = rounded - left
    return np.asarray((left - (rounded - back)) + (right - back))
