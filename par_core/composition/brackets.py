"""What an exact count is told as: two ends that hold the truth, and the likeliest value between them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import FloatOrArray, like_input

SMALLEST_DELTA = 1e-15
NARROW = 1e-3  # how far the ends may be apart, relative, so that a value between them is shown
SOURCE = (
    "n-fold convolution of the privacy loss distribution of the Laplace mechanism (PaR section 3; Dwork and Rothblum 2016), "
    "piecewise polynomials with counted rounding and truncation"
)
_LIMITS = "every release with the worst-case neighbours: its whole sensitivity in one number"

Ends = tuple[float, float, float]  # likeliest value, lower and upper end


@dataclass(frozen=True)
class ExactComposition(Result):
    """The smallest epsilon, or delta, of many releases together; numbers, or arrays of the shape of the broadcast arguments.

    `lower` and `upper` certainly hold the truth: truncation is counted and rounding goes outward. `value` is the likeliest one
    where they are within 1e-3 of each other, relative to the upper one; else the upper end, so that it is never far on the
    unsafe side. What is called proven is `upper`. `added` is what basic composition
    gives for epsilon, infinite where that is not known; `counted_by` says how they were found.
    """

    value: FloatOrArray
    lower: FloatOrArray
    upper: FloatOrArray
    added: FloatOrArray = math.inf
    counted_by: str = SOURCE
    QUANTITIES = quantities(
        lower=stated("level", "down"),
        upper=stated("level", "up", beside=lambda found: found.added),
        of_target=stated("share", "up"),
    )
    USUALLY = Evidence(PROVEN, source=SOURCE, limits=_LIMITS)

    @property
    def evidence(self) -> Evidence:
        """Proven, by what counted it."""
        return replace(self.USUALLY, source=self.counted_by)

    @property
    def is_bound(self) -> bool:
        """Whether the truth may lie well below `upper` somewhere, so that nothing here may be called exact."""
        return bool(np.any(np.asarray(self.lower) < (1 - NARROW) * np.asarray(self.upper)))


def bracket(
    centre: ArrayLike, lower: ArrayLike, upper: ArrayLike, *, added: ArrayLike = math.inf, counted_by: str = SOURCE
) -> ExactComposition:
    """Return guaranteed ends with the value between them, as `ExactComposition` says which."""
    high = np.asarray(upper, dtype=np.float64)
    low = np.minimum(lower, high)
    value = np.where(high - low <= NARROW * high, np.clip(centre, low, high), high)
    return ExactComposition(like_input(value), like_input(low), like_input(high), added, counted_by)
