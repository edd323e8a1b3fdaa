"""Where to look for the cheapest ε, even in log ε, in ε and in the logarithm of the distance to ε0, and how to close in on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence

_Floats = NDArray[np.float64]
_Function = Callable[[_Floats], _Floats]

_SMALLEST = 1e-250  # no level below this is looked at
_EVEN = np.linspace(0.0, 1.0, 98)[1:-1]
_LAST = 1.0 - np.geomspace(1e-15, 0.1, 48)
_SHARES = np.union1d(_EVEN, _LAST)
APART = np.unique(np.concatenate([np.geomspace(1e-12, 1.0, 300)[:-1], _EVEN, 1.0 - np.geomspace(1e-8, 0.1, 40)]))
APART = APART[np.append(np.diff(APART) > 1e-9 * APART[:-1], True)]
"""Shares of epsilon0 at which a cost is looked at of which nothing is known: twelve decades.

No two of them are so close that rounding could decide which of their costs is larger.
"""
_LOG = np.linspace(0.0, 1.0, 120)
_NARROW = 1e-12  # a bracket of this relative width is close to a straight line to the last digit


@Evidence(PROVEN, source="a choice of levels to look at")
def levels(epsilon0: _Floats, landmarks: _Floats) -> _Floats:
    """Levels below each epsilon0 (one row each, rising) at which a cost is looked at, landmarks from both sides."""
    column = epsilon0[:, np.newaxis]
    last = np.nextafter(column, 0.0)
    smallest = np.minimum(column, landmarks.min() if landmarks.size else np.inf)
    start = np.maximum(1e-6 * smallest, np.minimum(_SMALLEST, 0.5 * column))
    parts = [np.exp(np.log(start) + (np.log(column) - np.log(start)) * _LOG), column * _SHARES, last]
    if landmarks.size:
        both = np.concatenate([np.nextafter(landmarks, 0.0), landmarks])
        parts.append(np.broadcast_to(both, (epsilon0.size, both.size)))
    found: _Floats = np.minimum(np.concatenate(parts, axis=1), last)
    found.sort(axis=1)
    return found


@Evidence(PROVEN, source="Illinois' bracketed secant, with bisection where that is too slow")
def roots(function: _Function, low: _Floats, high: _Floats) -> _Floats:
    """Solve function(x) = 0 in each bracket, where it is above 0 at `low` and not above 0 at `high`.

    Faster than `scipy.optimize.elementwise.find_root`, whose bookkeeping outweighs so cheap a function.
    """
    above, below = function(low), function(high)
    before, before_up = high - low, np.zeros(low.shape, dtype=bool)
    for step in range(1, 200):
        width = high - low
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            share = above / (above - below)  # of the way, where the straight line between the ends crosses 0
        x = low + width * np.where(np.isfinite(share), share, 0.5)
        if not (width > _NARROW * high).any():
            break
        least = (
            0.4 * _NARROW * high
        )  # from an end next to the root so far a step lands beyond it and closes the bracket
        x = np.clip(x, np.minimum(low + least, high), np.maximum(high - least, low))
        if step % 3 == 0:
            x = np.where(width > 0.5 * before, low + 0.5 * width, x)
            before = width
        here = function(x)
        up = here > 0.0
        again = np.where(up == before_up, 0.5, 1.0)  # Illinois: an end that stays for the second time counts for half
        below, above = np.where(up, again * below, here), np.where(up, here, again * above)
        before_up = up
        low, high = np.where(up, x, low), np.where(up, high, x)
    return x
