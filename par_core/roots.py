"""Where functions of one number cross 0: one from the side on which a wish is met, or many at once."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence

_Floats = NDArray[np.float64]
_MOST = 2_000  # a bracket of all floats, halved in vain each other time


@Evidence(PROVEN, source="a bracketed search (Brent 1973), in SciPy")
def crossing(function: Callable[[float], float], fails: float, meets: float, *, rtol: float) -> float:
    """Return the point closest to the crossing at which the function was seen not to be above 0.

    `function` is above 0 at `fails`, and not above 0 at `meets`, the ends of the bracket in either order; between them it may jump, or be
    0 for a stretch. `rtol` says how close to the crossing, relative.

    >>> crossing(lambda x: 2.0 - x * x, 0.0, 2.0, rtol=1e-9) ** 2 >= 2.0
    True
    """
    from scipy.optimize import brentq  # late: it takes a quarter of a second to load

    ends = {False: fails, True: meets}

    def value(x: float) -> float:
        # A 0 meets the wish and is no end of the search: the crossing may be further on.
        found = function(x) or -math.ulp(0.0)
        if min(ends.values()) < x < max(ends.values()):
            ends[found <= 0] = x
        return found

    brentq(value, fails, meets, xtol=sys.float_info.min, rtol=max(rtol / 2, 4 * math.ulp(1.0)), maxiter=_MOST)
    return ends[True]


@Evidence(PROVEN, source="a bracketed search (Chandrupatla 1997)")
def zeros(function: Callable[[_Floats], _Floats], low: _Floats, high: _Floats) -> _Floats:
    """Return where each of many functions is 0 in its bracket, to the last digits; NaN where it has one sign at both ends.

    What `scipy.optimize.elementwise.find_root` finds, most of whose time is bookkeeping where there are few.

    >>> zeros(lambda x: x * x - [2.0, 9.0], np.array([0.0, 0.0]), np.array([2.0, 4.0])).round(6)
    array([1.414214, 3.      ])
    """
    # The last point looked at, the other end of the bracket, and the point before.
    one, other, of_one, of_other = low, high, function(low), function(high)
    third, of_third = other, of_other
    found, searched = np.full(np.shape(of_one), math.nan), np.ones(np.shape(of_one), dtype=bool)
    while True:
        nearer = np.abs(of_one) < np.abs(of_other)
        best, least = np.where(nearer, one, other), np.where(nearer, of_one, of_other)
        width, close = np.abs(other - one), 4.0 * math.ulp(1.0) * np.abs(best)
        valid = (np.sign(of_one) != np.sign(of_other)) & np.isfinite(width)
        found = np.where(searched & (valid | (least == 0.0)), best, found)
        searched = searched & valid & (least != 0.0) & (width >= close)
        if not searched.any():
            return found
        with np.errstate(all="ignore"):
            along, up = (one - other) / (third - other), (of_one - of_other) / (of_third - of_other)
            curved = (1.0 - np.sqrt(1.0 - along) < up) & (up < np.sqrt(along))  # rising or falling all the way
            bent = of_one / (of_one - of_other) * of_third / (of_third - of_other)
            bent -= (third - one) / (other - one) * of_one / (of_third - of_one) * of_other / (of_other - of_third)
            least_share = 0.5 * close / width
            share = np.clip(np.where(curved, bent, 0.5), least_share, 1.0 - least_share)
        here = np.where(searched, one + share * (other - one), one)
        of_here = function(here)
        same = np.sign(of_here) == np.sign(of_one)
        third, of_third = np.where(same, one, other), np.where(same, of_one, of_other)
        other, of_other = np.where(same, other, one), np.where(same, of_other, of_one)
        one, of_one = here, of_here


@Evidence(PROVEN, source="doubling, then halving")
def first_whole(holds: Callable[[int], bool], most: int) -> int | None:
    """Return the first whole number from 1 to `most` from which on something holds; None where it does not hold at `most`.

    What holds at a number has to hold at larger ones.

    >>> first_whole(lambda n: n * n > 50, 1000)
    8
    """
    fails, meets = 0, 1
    while not holds(meets):
        if meets == most:
            return None
        fails, meets = meets, min(2 * meets, most)
    while meets - fails > 1:
        middle = (fails + meets) // 2
        fails, meets = (fails, middle) if holds(middle) else (middle, meets)
    return meets
