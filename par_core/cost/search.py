"""Where to look for the cheapest ε, and how to close in on it.

The levels looked at are dense on three scales at once: even in log ε, even in ε, and even in the logarithm of the distance
to ε0; a model adds the levels at which it changes its course. Only then are the basins so found closed in on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from par_core.standing import PROVEN, declare

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
_PARTS = np.linspace(0.0, 1.0, 34)[1:-1]
_LOG = np.linspace(0.0, 1.0, 120)
_NARROW = 1e-12  # a bracket of this relative width is close to a straight line to the last digit


@declare(PROVEN, source="a choice of levels to look at")
def levels(epsilon0: _Floats, landmarks: _Floats) -> _Floats:
    """Levels below each epsilon0 (one row each, rising) at which a cost is looked at.

    Parameters
    ----------
    epsilon0 : ndarray of shape (n,), above 0
        What the noise is calibrated to.
    landmarks : ndarray of shape (m,), above 0
        Levels at which the cost changes its course: those below epsilon0 are looked at, from both sides.
    """
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


@declare(PROVEN, source="Illinois' bracketed secant, with bisection where that is too slow")
def roots(function: _Function, low: _Floats, high: _Floats) -> _Floats:
    """Solve function(x) = 0 in each bracket, where it is above 0 at `low` and not above 0 at `high`.

    Parameters
    ----------
    function : callable
        Takes and returns an array with one entry per bracket.
    low, high : ndarray of shape (m,)
        Ends of the brackets.
    """
    low, high = low.copy(), high.copy()
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
        )  # from an end next to the root, this far a step lands beyond it and closes the bracket
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


@declare(PROVEN, source="sections into 33 parts, down to neighbouring floats")
def edges(holds: Callable[[_Floats], NDArray[np.bool_]], inside: _Floats, outside: _Floats) -> _Floats:
    """Last points, on the way from `inside` to `outside`, at which `holds` is still true.

    Parameters
    ----------
    holds : callable
        Takes an array and says for each entry whether the wish is met.
    inside, outside : ndarray of shape (m,), above 0
        Points where it is met, and points where it is not.
    """
    inside, outside = inside.copy(), outside.copy()
    for _ in range(400):  # neighbouring floats are reached in about 12 steps, on one scale
        from_inside, from_outside = inside[:, np.newaxis], outside[:, np.newaxis]
        even = from_inside + (from_outside - from_inside) * _PARTS
        steep = np.abs(np.log(from_outside / from_inside)) > 1.0
        points = np.where(steep, np.exp(np.log(from_inside) + np.log(from_outside / from_inside) * _PARTS), even)
        points = np.concatenate([from_inside, points, from_outside], axis=1)
        met = holds(points)
        met[:, 0], met[:, -1] = True, False
        first_not = np.argmin(met, axis=1)[:, np.newaxis]
        closer = np.take_along_axis(points, first_not - 1, axis=1)[:, 0]
        beyond = np.take_along_axis(points, first_not, axis=1)[:, 0]
        if ((closer == inside) & (beyond == outside)).all():
            break
        inside, outside = closer, beyond
    return inside
