"""Laplace noise, and the exact privacy loss distribution.

The sum of k independent Laplace variables of scale 1 is, in size, T = |X1 - X2| with X1 and X2 independent Gamma(k, 1): a mixture of
Gamma(1, 1) to Gamma(k, 1).

Unless said otherwise the neighbours are the worst case: the whole L1 sensitivity sits in one coordinate. The other coordinates then
add nothing to the loss, so the dimension of the answer plays no part in it. The loss has atoms of 1/2 at epsilon0 and of
exp(-epsilon0)/2 at -epsilon0, and a density between them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.evidence import PROVEN, Evidence
from par_core.limits import LARGEST_K
from par_core.mechanisms.mechanism import (
    UNIT,
    moved_until,
    of_difference,
    releases,
    signed,
    tail_of_each,
    with_parameter,
    wrong_in_exponent,
)
from par_core.mechanisms.pure import PureNoise
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, like_input
from par_core.roots import crossing

_CLOSE = 1e-13
_FARTHEST = 1e6  # scales, beyond which a probability is 0
_MEAN_LOSS_SERIES = np.arange(1, 21) / special.factorial(np.arange(2, 22))  # (i-1)/i! from i = 2


@dataclass(frozen=True)
class Laplace(PureNoise):
    """Laplace noise of scale sensitivity/epsilon0, infinite beyond the floats; the loss does not depend on the sensitivity.

    >>> noise = Laplace.for_epsilon(0.5, sensitivity=1.0)
    >>> noise.scale, round(noise.error_quantile(0.95), 2), round(noise.delta(0.4), 4)
    (2.0, 5.99, 0.0488)
    """

    evidence = Evidence(
        PROVEN,
        source="privacy loss distribution of the Laplace mechanism: atoms 1/2 at epsilon0 and exp(-epsilon0)/2 at -epsilon0",
        limits="worst-case neighbours: the whole sensitivity in one coordinate",
    )

    name: ClassVar[str] = "Laplace"

    # --- accuracy ---

    @property
    def mean_error(self) -> FloatOrArray:
        """Mean absolute error of one number: the scale."""
        return self.scale

    def all_error(self, share: ArrayLike, k: int) -> FloatOrArray:
        """Solve (1 - exp(-x/scale))^k = share for x."""
        inside, outside = tail_of_each(share, k)
        with np.errstate(divide="ignore"):
            quantile = np.where(inside < 0.5, -np.log1p(-np.minimum(inside, 0.5)), -np.log(outside))
        with np.errstate(over="ignore"):
            return like_input(np.multiply(self.scale, quantile))

    def total_error(self, share: float, k: int) -> FloatOrArray:
        """Solve P(T <= x/scale) = share for x; the result holds at least `share`."""
        aim, number = (
            check_number("share", share, above=0.0, below=1.0),
            check_integer("k", k, at_least=1, at_most=LARGEST_K),
        )
        with np.errstate(over="ignore"):
            return like_input(np.multiply(self.scale, _quantile_of_total(aim, number)))

    def mean_total_error(self, k: int) -> FloatOrArray:
        number = check_integer("k", k, at_least=1, at_most=LARGEST_K)
        with np.errstate(over="ignore"):
            return like_input(np.multiply(self.scale, 2.0 * math.exp(-float(special.betaln(number, 0.5)))))

    def exceeds(self, off: ArrayLike) -> FloatOrArray:
        reach, width = with_parameter("off", check_numbers("off", off, at_least=0.0), scale=self.scale)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            return like_input(np.where(reach > 0.0, np.exp(-reach / width), 1.0))

    def mean_beyond(self, off: ArrayLike) -> FloatOrArray:
        """Half the mean noise beyond the value, and the distribution of the noise beyond it is the same again."""
        return like_input(0.5 * self.mean_error * self.exceeds(off))

    @staticmethod
    def difference_tail(value: ArrayLike, scale1: ArrayLike, scale2: ArrayLike) -> FloatOrArray:
        """P(X1 - X2 > value): with b1 and b2 the scales (b1²·exp(-value/b1) - b2²·exp(-value/b2))/(2(b1² - b2²)).

        Written so that nothing cancels where they are close.
        """
        off, wide, narrow = of_difference(value, scale1, scale2)
        with np.errstate(over="ignore"):
            ratio, reach = narrow / wide, off / wide
        gap = np.minimum(reach, _FARTHEST) * (1.0 - ratio)  # times 1/ratio, the difference of the exponents
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            exponent = gap / ratio
            mean_decay = np.where(exponent > 0.0, -np.expm1(-exponent) / exponent, 1.0)
        mean_decay = np.where(ratio > 0.0, mean_decay, 0.0)
        reach = np.minimum(reach, _FARTHEST)
        return like_input(0.5 * np.exp(-reach) * (1.0 + ratio * reach / (1.0 + ratio) * mean_decay))

    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        exact, number = releases(answer, size, rng)
        shape = np.broadcast_shapes(exact.shape, np.shape(self.scale))
        return np.asarray(exact + self.scale * rng.laplace(size=(number, *shape)))

    def log_density(self, off: ArrayLike) -> FloatOrArray:
        """Return -|off|/scale - log(2·scale); minus infinity below the floats."""
        at, calibrated, moves = with_parameter(
            "off", check_numbers("off", off), epsilon0=self.epsilon0, moves=self.sensitivity
        )
        with np.errstate(over="ignore"):
            return like_input(-np.abs(at) / moves * calibrated + np.log(calibrated) - np.log(moves) - math.log(2.0))

    # --- privacy loss ---

    def loss_at(self, off: ArrayLike) -> FloatOrArray:
        """Privacy loss of a number that is off by this: epsilon0·(1 - 2·off/Δ), held between ±epsilon0."""
        at, calibrated, moves = with_parameter(
            "off", check_numbers("off", off), epsilon0=self.epsilon0, moves=self.sensitivity
        )
        with np.errstate(over="ignore"):
            return like_input(calibrated * np.clip(1.0 - 2.0 * (at / moves), -1.0, 1.0))

    def with_same_delta(self) -> Laplace:
        """Return the noise for a sensitivity of 1."""
        return self if np.ndim(self.sensitivity) or self.sensitivity == 1 else Laplace(self.epsilon0)

    @property
    def loss_steps(self) -> int | None:
        return 1

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Smallest delta that goes with epsilon: 1 - exp(-(epsilon0 - epsilon)/2), and 0 from epsilon0 on."""
        return like_input(np.minimum(-np.expm1(-0.5 * self._gap(epsilon)[0]) * (1.0 + 8 * UNIT), 1.0))

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        aim, level = with_parameter(
            "delta", check_numbers("delta", delta, at_least=0.0, at_most=1.0), epsilon0=self.epsilon0
        )
        with np.errstate(divide="ignore"):
            found = np.maximum(level + 2.0 * np.log1p(-aim), 0.0)
        return like_input(moved_until(lambda each: self.delta(each) <= aim, found, toward=level))

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        level, calibrated = with_parameter("epsilon", signed(epsilon, two_sided=two_sided), epsilon0=self.epsilon0)
        with np.errstate(over="ignore"):  # at most epsilon
            inside = 0.5 * np.exp(-0.5 * np.maximum(calibrated - level, 0.0))
        if two_sided:
            inside = -inside * np.expm1(-level)  # and not below -epsilon either
        exceeds = np.where(level < calibrated, np.minimum((1.0 - inside) * (1.0 + 8 * UNIT), 1.0), 0.0)
        return like_input(np.where(level < -calibrated, 1.0, exceeds))

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        """Probability that the loss stays within ±epsilon: exp(-epsilon0/2)·sinh(epsilon/2), and 1 from epsilon0 on."""
        gap, level, calibrated = self._gap(epsilon)
        within = -0.5 * np.exp(-0.5 * gap) * np.expm1(-level) * (1.0 - 8 * UNIT)
        return like_input(np.where(level < calibrated, within, 1.0))

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        rate = check_numbers("false_positive", false_positive, at_least=0.0, at_most=1.0)
        rate, calibrated = with_parameter("false_positive", rate, epsilon0=self.epsilon0)
        with np.errstate(divide="ignore"):  # at 0 the logarithm is minus infinity, which is what is meant
            exponent = calibrated + np.log(rate)
        left = -np.expm1(np.minimum(exponent, 0.0))
        middle = np.exp(-np.maximum(exponent, -1.0)) / 4.0  # only used above -log 2
        right = np.exp(-calibrated) * (1.0 - rate)
        found = np.where(exponent <= -np.log(2.0), left, np.where(rate < 0.5, middle, right))
        return like_input(np.where(rate > 0.0, found * (1.0 - wrong_in_exponent(rate, calibrated)), 1.0))

    @property
    def mean_loss(self) -> FloatOrArray:
        """Mean loss, the Kullback-Leibler divergence: epsilon0 - 1 + exp(-epsilon0), accurate for small epsilon0 too."""
        calibrated = np.asarray(self.epsilon0)
        small = np.minimum(calibrated, 1.0)
        # exp(-e) · sum over i >= 2 of e^i (i-1)/i!: every term positive, where the closed form would cancel
        series = small**2 * np.polynomial.polynomial.polyval(small, _MEAN_LOSS_SERIES) * np.exp(-small)
        return like_input(np.where(calibrated < 1.0, series, calibrated + np.expm1(-calibrated)))

    def _corner(self) -> tuple[Any, Any, Any]:
        # The trade-off is exp(-epsilon0)/(4·rate) around its middle, where Φ⁻¹ is concave in the logarithm of a rate.
        half = -0.5 * np.asarray(self.epsilon0)
        return half - np.log(2.0), -special.ndtri_exp(half - np.log(2.0)), -np.expm1(half)

    def _gap(self, epsilon: ArrayLike) -> tuple[Any, Any, Any]:
        level, calibrated = with_parameter(
            "epsilon", check_numbers("epsilon", epsilon, at_least=0.0), epsilon0=self.epsilon0
        )
        return np.maximum(calibrated - level, 0.0), level, calibrated


@lru_cache(maxsize=256)
def _quantile_of_total(share: float, k: int) -> float:
    """Solve P(T <= x) = share; the weight of Gamma(m, 1) in T is 2·C(2k-1-m, k-1)/2^(2k-m)."""
    parts = np.arange(1, k + 1)
    falls = 2.0 * (k - parts[:-1]) / (2 * k - 1 - parts[:-1])
    weights = math.comb(2 * k - 2, k - 1) / (1 << (2 * k - 2)) * np.concatenate(([1.0], np.cumprod(falls)))
    parts, weights = parts[weights > 1e-300], weights[weights > 1e-300]

    def missing(x: float) -> float:
        if share > 0.5:  # so that the smaller of two probabilities is looked at
            return float(weights @ special.gammaincc(parts, x)) - (1.0 - share)
        return share - float(weights @ special.gammainc(parts, x))

    high = math.sqrt(2.0 * k)  # the standard deviation of the sum
    while missing(high) > 0.0:
        high *= 2.0
    return crossing(missing, 0.0, high, rtol=_CLOSE) * (1.0 + _CLOSE)  # for the rounding of so many terms
