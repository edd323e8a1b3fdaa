"""Where a function of one number crosses 0, from the side on which a wish is met."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from par_core.standing import PROVEN, declare


@declare(PROVEN, source="Chandrupatla's bracketed search (1997), in SciPy")
def crossing(function: Callable[[float], float], fails: float, meets: float, *, rtol: float) -> float:
    """Return the point closest to the crossing at which the function was seen not to be above 0.

    `function` is above 0 at `fails`, and not above 0 at `meets`, the ends of the bracket in either order; between them it may jump, or be
    0 for a stretch. `rtol` says how close to the crossing, relative.

    >>> crossing(lambda x: 2.0 - x * x, 0.0, 2.0, rtol=1e-9) ** 2 >= 2.0
    True
    """
    from scipy.optimize import elementwise  # late: it takes a quarter of a second to load

    # A 0 meets the wish and is no end of the search: the crossing may be further on.
    below = np.vectorize(lambda x: function(x) or -math.ulp(0.0), otypes=[float])
    ends = min(fails, meets), max(fails, meets)
    found = elementwise.find_root(below, ends, tolerances={"xrtol": rtol, "fatol": 0.0})
    return float(found.bracket[int(meets > fails)])
