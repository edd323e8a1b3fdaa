"""Error of a mean that is released as a noisy sum over a noisy count.

The release is R = (S + sum noise)/max(N + count noise, 1), clamped to the bounds of what is added up, with S the true sum, N the true
count and m = S/N. Of a mean these are distances from the middle of its bounds, which is added to R at the end (`mean_quotient_error`).
Let G be the event that the noisy count is at least 1. There R > m + w says the same as

    sum noise - (m + w) · count noise > w · N,

and the difference of two independent Laplace variables, or two Gaussian ones, has a closed form; R < m - w likewise. So

    P(|R - m| > w) <= tail(w, above) + tail(w, below) + P(not G),

where a tail is 0 as soon as m ± w is outside the bounds. That is exact up to P(not G), for Laplace noise exp(-(N - 1)/scale)/2, which
is below 1e-8 once N exceeds 18 times the scale of the count noise. Where it matters, the range grows until it goes from bound to bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms import drawn
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, like_input
from par_core.queries.shapes import MeanShape
from par_core.roots import crossing

_SOURCE = "tail of a difference of two noise variables and a union bound over the event that the count is below 1"
_STEP = 1e-3  # of the grid under the expected error, relative
_MOST_STEPS = 100_000
_CLOSE = 1e-12
_LARGEST = 1e100
_LIMITS = (
    "Upper bounds for continuous noise; the range is nearly exact where the count is far above its noise. It holds as well with "
    "the discrete noise on the count that the release scripts draw, as long as the sum gets no more than twice the epsilon of the "
    "count. A count that is rounded after continuous noise is further off: with equal parts of epsilon, up to 13 of 100 releases "
    "leave a range that is to hold 90."
)
_LIMITS_IN_L2 = "Upper bounds; the range is nearly exact where the count is far above its noise."


@dataclass(frozen=True)
class QuotientError(Result):
    """Upper bounds on the error of a mean released as a quotient, in the unit of the column.

    Made from a true number of rows or a true mean they are as private as these (`repr` shows neither).
    """

    sum_scale: float
    count_scale: float
    size: float = field(repr=False)
    mean: float | None = field(repr=False)
    lower: float
    upper: float
    mechanism: str = "laplace"
    USUALLY = Evidence(PROVEN, source=_SOURCE, limits=_LIMITS)

    @property
    def evidence(self) -> Evidence:
        """Bounds, closer where the noise is in L2."""
        in_l1 = drawn(whole=False, mechanism=self.mechanism).norm == "L1"
        return self.USUALLY if in_l1 else replace(self.USUALLY, limits=_LIMITS_IN_L2)

    @property
    def farthest(self) -> float:
        """No release is farther off than this, because it is clamped to the bounds."""
        if self.mean is None:
            return self.upper - self.lower
        return max(self.mean - self.lower, self.upper - self.mean)

    @property
    def range95(self) -> float:
        """The mean is off by at most this with probability 0.95 at least."""
        return self.range(0.95)

    def range(self, share: float) -> float:
        """The mean is off by at most this with probability `share` (above 0 and below 1) at least."""
        aim = check_number("share", share, above=0.0, below=1.0)

        def missing(off: float) -> float:
            return float(self.exceeded(off)) - (1.0 - aim)

        return crossing(missing, 0.0, self.farthest, rtol=_CLOSE) if missing(0.0) > 0.0 else 0.0

    def range_of_all(self, share: float, k: int) -> float:
        """None of k such means, each of at least `size` rows of its own, is off by more than this with probability `share` at least.

        Each has noise of its own, so that the probabilities of being as close multiply.
        """
        aim = check_number("share", share, above=0.0, below=1.0)
        return self.range(aim ** (1.0 / check_integer("k", k, at_least=1)))

    @cached_property
    def expected(self) -> float:
        """Mean absolute error: the integral of the probability of an error above w, by rectangles that lie above it.

        That probability falls as w grows, so its bound at the left end of a step, or anywhere before, is above it on
        the whole step. The rectangles are about a thousandth larger than what they cover.
        """
        largest = max(abs(self.lower), abs(self.upper))
        typical = (self.sum_scale + largest * self.count_scale) / max(self.size, 1.0)
        first = _STEP * min(typical, self.farthest)
        if first == 0.0:  # bounds so close that no part of their distance is a float
            return self.farthest
        steps = min(math.ceil((math.log(self.farthest) - math.log(first)) / _STEP), _MOST_STEPS)
        ends = np.concatenate(([0.0], np.geomspace(first, self.farthest, steps + 1)))
        heights = np.minimum.accumulate(self.exceeded(ends[:-1]))
        return min(float(heights @ np.diff(ends)), self.farthest)

    def exceeded(self, off: ArrayLike) -> FloatOrArray:
        """Upper bound on the probability that the mean is off by more than `off`, at least 0; shape of `off`."""
        asked = check_numbers("off", off, at_least=0.0)
        width = np.minimum(asked, self.farthest)
        if self.mean is None:  # a tail grows with the size of mean ± off, which is never beyond the bounds
            tails = 2.0 * self._tail(width, np.asarray(max(abs(self.lower), abs(self.upper))))
        else:
            above, below = self.mean + width, self.mean - width
            tails = np.where(above < self.upper, self._tail(width, np.abs(above)), 0.0)
            tails = tails + np.where(below > self.lower, self._tail(width, np.abs(below)), 0.0)
        return like_input(np.where(width < self.farthest, np.minimum(tails + self._few, 1.0), 0.0))

    @cached_property
    def _few(self) -> float:
        """Probability of a noisy count below 1; 1 where the true one is."""
        rows = (self.size - 1.0) / self.count_scale
        return float(self._difference(rows, 1.0, 0.0)) if rows >= 0.0 else 1.0

    def _tail(self, off: NDArray[np.float64], factor: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self._difference(off * self.size, self.sum_scale, factor * self.count_scale))

    def _difference(self, value: ArrayLike, scale1: float, scale2: ArrayLike) -> FloatOrArray:
        return drawn(whole=False, mechanism=self.mechanism).difference_tail(value, scale1, scale2)


def mean_quotient_error(
    of_sum: float,
    of_count: float,
    shape: MeanShape,
    *,
    size: float,
    mean: float | None = None,
    mechanism: str = "laplace",
) -> QuotientError:
    """Return upper bounds on the error of a mean whose values are added up as their distance from the middle of its bounds.

    The scales of the noise are those of the sum and of the count; all else as in `quotient_error`.
    """
    middle = shape.middle
    if mean is not None:
        near = check_number("mean", mean, at_least=shape.lower, at_most=shape.upper) - middle
        mean = min(max(near, shape.lower - middle), shape.upper - middle)
    lower, upper = shape.lower - middle, shape.upper - middle
    return quotient_error(of_sum, of_count, size=size, mean=mean, lower=lower, upper=upper, mechanism=mechanism)


def quotient_error(
    sum_scale: float,
    count_scale: float,
    *,
    size: float,
    mean: float | None = None,
    lower: float,
    upper: float,
    mechanism: str = "laplace",
) -> QuotientError:
    """Return upper bounds on the error of a noisy sum over a noisy count.

    The scales of the noise, 1e-100 to 1e100, are in the unit of the column and in rows. `size`, 0 to 1e100, is how many rows the
    mean is taken over: private, or a public guess on the low side. `mean` is the true one, or a guess, within the bounds `lower` and
    `upper`, -1e100 to 1e100, that values are clamped to; without it the result holds for every mean. `mechanism` is a name in
    `par_core.mechanisms.MECHANISMS`, for which the noise is that of release scripts.

    >>> found = quotient_error(4000.0, 2.0, size=1000, mean=800.0, lower=0.0, upper=2000.0)
    >>> round(found.range95, 1), round(found.expected, 1)
    (12.7, 4.5)
    """
    low, high = (
        check_number(name, bound, at_least=-_LARGEST, at_most=_LARGEST)
        for name, bound in (("lower", lower), ("upper", upper))
    )
    if not low < high:
        raise ParameterError(f"lower must be below upper, got lower {low:g} and upper {high:g}")
    drawn(whole=False, mechanism=mechanism)  # refuses what is no mechanism
    return QuotientError(
        check_number("sum_scale", sum_scale, at_least=1 / _LARGEST, at_most=_LARGEST),
        check_number("count_scale", count_scale, at_least=1 / _LARGEST, at_most=_LARGEST),
        check_number("size", size, at_least=0.0, at_most=_LARGEST),
        None if mean is None else check_number("mean", mean, at_least=low, at_most=high),
        low,
        high,
        mechanism,
    )
