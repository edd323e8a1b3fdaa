"""Where a function of one number crosses 0, from the side on which a wish is met."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from par_core.standing import PROVEN, declare


@declare(PROVEN, source="Chandrupatla's bracketed search (1997), in SciPy")
def crossing(function: Callable[[float], float], fails: float, meets: float, *, rtol: float) -> float:
    """Return the point closest to the crossing at which the function was seen not to be above 0.

    Parameters
    ----------
    function : callable
        Above 0 at `fails`, and not above 0 at `meets`; between them it may jump. Where it is 0 the search ends.
    fails, meets : float
        Ends of the bracket, in either order.
    rtol : float
        How close to the crossing, relative.

    Examples
    --------
    >>> crossing(lambda x: 2.0 - x * x, 0.0, 2.0, rtol=1e-9) ** 2 >= 2.0
    True
    """
    from scipy.optimize import elementwise  # late: it takes a quarter of a second to load

    ends = min(fails, meets), max(fails, meets)
    found = elementwise.find_root(np.vectorize(function, otypes=[float]), ends, tolerances={"xrtol": rtol})
    return float(found.x if found.f_x == 0.0 else found.bracket[int(meets > fails)])
