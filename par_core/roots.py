"""Where a function of one number crosses 0, from the side on which a wish is met."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

from par_core.standing import PROVEN, declare

_MOST = 2_000  # a bracket of all floats, halved in vain each other time


@declare(PROVEN, source="a bracketed search (Brent 1973), in SciPy")
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


@declare(PROVEN, source="doubling, then halving")
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
