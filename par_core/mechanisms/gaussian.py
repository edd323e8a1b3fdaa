"""Gaussian noise, calibrated exactly for any epsilon, and the exact privacy loss distribution.

Its loss is normal with mean μ²/2 and variance μ², μ = sensitivity/σ with the L2 sensitivity, so that
delta(epsilon) = Φ(μ/2 - epsilon/μ) - exp(epsilon)·Φ(-μ/2 - epsilon/μ) (Balle and Wang, 2018, Theorem 8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import InfeasibleError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms.mechanism import (
    UNIT,
    Floats,
    GaussianGuarantee,
    Guarantee,
    Mechanism,
    Noise,
    Norm,
    grown,
    moved_until,
    of_difference,
    releases,
    signed,
    tail_of_each,
    with_parameter,
)
from par_core.old_names import old_attribute
from par_core.parameters import FloatOrArray, check_integer, check_numbers, check_type, like_input, together
from par_core.roots import zeros

_SMALLEST = 1e-300  # of a probability; one below it is given as this
_ROOT_2 = math.sqrt(2.0)
# Gauss's rule on [0, 1], and up to which distance of neighbours so many points leave no more than a few units in the last place.
_RULES = tuple(
    (most, 0.5 + 0.5 * points, 0.5 * weights)
    for most, (points, weights) in (
        (most, np.polynomial.legendre.leggauss(number)) for most, number in ((0.3, 6), (0.7, 8), (1.0, 12))
    )
)
_, _NODES, _WEIGHTS = _RULES[-1]
_FARTHEST = 40.0  # standard deviations, beyond which a probability is below the smallest
_LARGEST = 1e307
_LARGEST_MU = 1e150


@dataclass(frozen=True)
class Gaussian(Noise, Result):
    """Gaussian noise of standard deviation sigma, for an L2 sensitivity of the whole answer, both above 0 and in its unit.

    Its largest loss is infinite, and so is an error beyond the floats.

    >>> noise = Gaussian.for_epsilon(0.5, sensitivity=1.0, delta=1e-5)
    >>> round(noise.scale, 4), round(noise.error_quantile(0.95), 3), noise.delta(0.5) <= 1e-5
    (7.0318, 13.782, True)
    """

    sigma: FloatOrArray
    sensitivity: FloatOrArray = 1.0
    calibrated_to: Guarantee | None = None
    evidence = Evidence(
        PROVEN,
        source="normal privacy loss distribution of the Gaussian mechanism (Balle and Wang 2018, Theorem 8)",
        limits="neighbours that differ by the whole L2 sensitivity",
    )

    name: ClassVar[str] = "Gaussian"
    norm: ClassVar[Norm] = "L2"

    def __post_init__(self) -> None:
        width, moves = (
            check_numbers("sigma", self.sigma, above=0.0),
            check_numbers("sensitivity", self.sensitivity, above=0.0),
        )
        together(sigma=width, sensitivity=moves)
        if self.calibrated_to is not None:
            check_type("calibrated_to", self.calibrated_to, Guarantee)
        object.__setattr__(self, "sigma", like_input(width))
        object.__setattr__(self, "sensitivity", like_input(moves))

    @classmethod
    def for_epsilon(cls, epsilon0: ArrayLike, *, sensitivity: ArrayLike, delta: ArrayLike = 0.0) -> Self:
        """Return the least Gaussian noise that is (epsilon0, delta)-differentially private, rounded up.

        ParameterError also for a delta of 0: Gaussian noise has no largest loss. InfeasibleError for a sigma beyond the largest float.
        """
        level, aim, moves = together(
            epsilon0=check_numbers("epsilon0", epsilon0, above=0.0),
            delta=check_numbers("delta", delta, at_least=_SMALLEST, below=1.0),
            sensitivity=check_numbers("sensitivity", sensitivity, above=0.0),
        )
        # Releases of one plan ask for the same level: they move their numbers by different amounts.
        found = _kept_distance(float(level), float(aim)) if level.ndim == 0 else _distance(level, aim)
        with np.errstate(over="ignore"):
            width = moves / found
        width = moved_until(lambda each: _delta(level, _mu(moves, each)) <= aim, width)
        if not np.isfinite(width).all():
            raise InfeasibleError("no finite sigma is enough")
        return cls(
            like_input(width), like_input(moves), Guarantee(like_input(np.asarray(level)), like_input(np.asarray(aim)))
        )

    @classmethod
    def with_scale(cls, scale: ArrayLike) -> Self:
        return cls(like_input(check_numbers("scale", scale, above=0.0)))

    @classmethod
    def epsilon_for_scale(cls, scale: ArrayLike, *, sensitivity: ArrayLike, delta: ArrayLike = 0.0) -> FloatOrArray:
        """Return the smallest epsilon that goes with delta; InfeasibleError for noise below a part in 10^150 of the sensitivity."""
        noise = cls(scale, sensitivity)
        if np.max(noise.mu) > _LARGEST_MU:
            raise InfeasibleError("no finite epsilon0 goes with so little noise")
        return noise.epsilon(delta)

    @property
    def scale(self) -> FloatOrArray:
        return self.sigma

    @property
    def guarantee(self) -> Guarantee | None:
        return self.calibrated_to

    # --- accuracy ---

    error = old_attribute("error", "error_quantile")

    @property
    def mean_error(self) -> FloatOrArray:
        """Mean absolute error of one number: σ·sqrt(2/π)."""
        return like_input(np.multiply(self.sigma, math.sqrt(2.0 / math.pi)))

    def all_error(self, share: ArrayLike, k: int) -> FloatOrArray:
        """Solve (2Φ(x/σ) - 1)^k = share for x."""
        inside, outside = tail_of_each(share, k)
        quantile = np.where(inside < 0.5, _ROOT_2 * special.erfinv(inside), -special.ndtri(0.5 * outside))
        with np.errstate(over="ignore"):
            return like_input(np.multiply(self.sigma, quantile))

    def total_error(self, share: float, k: int) -> FloatOrArray:
        """Return the error of one number of noise that is wider by √k: a sum of normal variables is one."""
        with np.errstate(over="ignore"):
            return like_input(np.multiply(self.error_quantile(share), math.sqrt(check_integer("k", k, at_least=1))))

    def mean_total_error(self, k: int) -> FloatOrArray:
        with np.errstate(over="ignore"):
            return like_input(np.multiply(self.mean_error, math.sqrt(check_integer("k", k, at_least=1))))

    def exceeds(self, off: ArrayLike) -> FloatOrArray:
        reach, width = with_parameter("off", check_numbers("off", off, at_least=0.0), sigma=self.sigma)
        with np.errstate(over="ignore"):
            return like_input(2.0 * special.ndtr(-reach / width))

    def mean_beyond(self, off: ArrayLike) -> FloatOrArray:
        """Return σ·(φ(x) - x·Φ(-x)) at x = off/σ, by Mills' ratio, so that nothing cancels but a digit or two."""
        reach, width = with_parameter("off", check_numbers("off", off, at_least=0.0), sigma=self.sigma)
        with np.errstate(over="ignore"):
            away = np.minimum(reach / width, _LARGEST)
        return like_input(width * _density(away) * np.maximum(1.0 - away * _mills(away), 0.0))

    @staticmethod
    def difference_tail(value: ArrayLike, scale1: ArrayLike, scale2: ArrayLike) -> FloatOrArray:
        off, wide, narrow = of_difference(value, scale1, scale2)
        with np.errstate(over="ignore"):
            return like_input(special.ndtr(-off / np.hypot(wide, narrow)))

    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        exact, number = releases(answer, size, rng)
        shape = np.broadcast_shapes(exact.shape, np.shape(self.sigma))
        return np.asarray(exact + self.sigma * rng.standard_normal((number, *shape)))

    def log_density(self, off: ArrayLike) -> FloatOrArray:
        """Return -off²/(2σ²) - log(σ·sqrt(2π)); minus infinity below the floats."""
        at, width = with_parameter("off", check_numbers("off", off), sigma=self.sigma)
        with np.errstate(over="ignore"):
            return like_input(-0.5 * (at / width) ** 2 - np.log(width) - 0.5 * math.log(2.0 * math.pi))

    # --- privacy loss ---

    def loss_at(self, off: ArrayLike) -> FloatOrArray:
        """Privacy loss of a number that is off by this: μ·(μ/2 - off/σ); infinite beyond the floats."""
        at, width, mu = with_parameter("off", check_numbers("off", off), sigma=self.sigma, mu=self.mu)
        with np.errstate(over="ignore"):
            return like_input(mu * (0.5 * mu - at / width))

    @property
    def mu(self) -> FloatOrArray:
        """Distance of the neighbours in standard deviations, rounded up: the μ of Gaussian differential privacy."""
        return like_input(_mu(np.asarray(self.sensitivity), np.asarray(self.sigma)))

    @property
    def gaussian(self) -> GaussianGuarantee:
        """Return its own μ, rounded up, without regret."""
        return GaussianGuarantee(self.mu, like_input(np.zeros(np.shape(self.mu))))

    @property
    def largest_loss(self) -> FloatOrArray:
        """Return infinity: there is none."""
        return math.inf

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Smallest delta that goes with epsilon, rounded up; one below 1e-300 is given as that."""
        level, mu = with_parameter("epsilon", check_numbers("epsilon", epsilon, at_least=0.0), mu=self.mu)
        return like_input(_delta(level, mu))

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        """Smallest epsilon that goes with delta, at least 1e-300; put back in, it meets the wish.

        InfeasibleError for a smaller delta: Gaussian noise has no largest loss.
        """
        aim, mu = with_parameter("delta", check_numbers("delta", delta, at_least=0.0, at_most=1.0), mu=self.mu)
        if (aim < _SMALLEST).any():
            raise InfeasibleError(
                f"no epsilon goes with a delta below {_SMALLEST:g}: Gaussian noise has no largest loss"
            )
        # Delta is at most Φ(μ/2 - epsilon/μ), and where that falls to the wanted one the bracket ends.
        most = mu * np.maximum(0.5 * mu - special.ndtri(aim), 0.0)
        enough = _delta(np.zeros(mu.shape), mu) <= aim
        more = 1e-9  # next to a delta of 1 what rounding adds to it takes a long way
        while (short := ~enough & (_delta(most, mu) > aim)).any():
            most, more = np.where(short, most + more * (most + mu), most), 2.0 * more
        found = zeros(lambda level: np.log(_delta(level, mu) / aim), np.zeros(mu.shape), most)
        found = moved_until(lambda level: _delta(level, mu) <= aim, np.where(enough, 0.0, found))
        return like_input(found)

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        level, mu = with_parameter("epsilon", signed(epsilon, two_sided=two_sided), mu=self.mu)
        low, high = _lowered(level, mu)
        exceeds = special.ndtr(-low) + (special.ndtr(-high) if two_sided else 0.0)
        return like_input(_rounded_up(exceeds, low))

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        """Probability that the loss stays within ±epsilon, at least 0, rounded down.

        Next to 0 it is 2·φ(μ/2) times the integral of cosh(μu/2)·exp(-u²/2) up to epsilon/μ, and beyond φ(a)·(R(a) - exp(-epsilon)·R(b))
        with Mills' ratio R at a = μ/2 - epsilon/μ and b = a + 2·epsilon/μ: no two numbers that are nearly alike are subtracted.
        """
        level, mu = with_parameter("epsilon", check_numbers("epsilon", epsilon, at_least=0.0), mu=self.mu)
        with np.errstate(over="ignore"):
            ratio = np.minimum(level / mu, _LARGEST)
        half = np.minimum(0.5 * mu, _LARGEST)
        low, high = half - ratio, half + ratio
        near = np.minimum(ratio, 1.0)
        at = near[..., None] * _NODES
        weight = np.cosh(np.minimum(half, 1.0 / np.maximum(near, 1e-300))[..., None] * at) * np.exp(-0.5 * at**2)
        around = 2.0 * _density(half) * near * (weight @ _WEIGHTS)
        start = np.maximum(low, 0.0)
        beside = _density(start) * (_mills(start) - np.exp(-level) * _mills(high))
        across = special.ndtr(-low) - special.ndtr(-high)
        close = (ratio <= 1.0) & (level <= 2.0)
        found = np.where(close, around, np.where(low >= 0.0, beside, across))
        doubt = UNIT * (16.0 + 8.0 * np.minimum(np.where(close, half, start), _FARTHEST) ** 2)
        return like_input(np.clip(np.nextafter(found * (1.0 - doubt), -1.0), 0.0, 1.0))

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        """Smallest false-negative rate: Φ(Φ⁻¹(1 - rate) - μ)."""
        rate = check_numbers("false_positive", false_positive, at_least=0.0, at_most=1.0)
        rate, mu = with_parameter("false_positive", rate, mu=self.mu)
        quantile = -special.ndtri(np.where(rate > 0.0, rate, 1.0))
        with np.errstate(invalid="ignore"):  # at a rate of 1 everything is infinite
            at = quantile - mu - UNIT * (4.0 + 8.0 * np.abs(quantile) + 4.0 * mu)
        doubt = UNIT * (64.0 + 4.0 * np.minimum(np.abs(at), _FARTHEST) ** 2)
        found = np.where(rate < 1.0, special.ndtr(at) * (1.0 - doubt), 0.0)
        return like_input(np.where(rate > 0.0, found, 1.0))

    def for_group(self, size: int) -> Gaussian:
        return Gaussian(self.sigma, grown(size, self.sensitivity))

    # --- composition, in closed form ---

    def repeated(self, times: int) -> Gaussian:
        """Return Gaussian noise that loses as much as so many releases together: μ grows with the root of their number."""
        number = check_integer("times", times, at_least=1)
        return Gaussian(np.divide(self.sigma, math.sqrt(number) * (1.0 + 2 * UNIT)), self.sensitivity)

    def joined(self, other: Mechanism) -> Gaussian | None:
        """Return Gaussian noise that loses as much as a release of each; None where the other is no Gaussian noise."""
        if not isinstance(other, Gaussian):
            check_type("other", other, Mechanism)
            return None
        return Gaussian(1.0, np.hypot(self.mu, other.mu) * (1.0 + 2 * UNIT))


def _mu(moves: Floats, width: Floats) -> Floats:
    """Distance in standard deviations, rounded up."""
    with np.errstate(over="ignore"):
        return np.minimum(np.nextafter(moves / width, np.inf), np.finfo(float).max)


def _distance(level: Floats, aim: Floats) -> Floats:
    """Return the largest sensitivity in standard deviations at which delta at a level is at most what is aimed at."""
    # Less of the loss is above epsilon0 than above 0, and delta is at most Φ(μ/2 - epsilon0/μ): both say which μ is small enough.
    far = -special.ndtri(aim)
    root = np.hypot(far, _ROOT_2 * np.sqrt(level))
    low = np.where(far > 0.0, 2.0 * (level / (np.maximum(far, 0.0) + root)), root - far)
    low = np.maximum(low, 2.0 * _ROOT_2 * special.erfinv(aim))
    while (short := _delta(level, low) > aim).any():
        low = np.where(short, 0.5 * low, low)
    high = 2.0 * low
    while (short := _delta(level, high) <= aim).any():
        high = np.where(short, 2.0 * high, high)
    return zeros(lambda mu: np.log(_delta(level, mu) / aim), low, high)


@lru_cache(maxsize=256)
def _kept_distance(level: float, aim: float) -> Floats:
    return _distance(np.asarray(level), np.asarray(aim))


def _delta(level: Floats, mu: Floats) -> Floats:
    """Φ(-a) - exp(epsilon)·Φ(-b) with a = epsilon/μ - μ/2 and b = a + μ, rounded up.

    exp(epsilon)·φ(b) is φ(a), so that nothing overflows: with Mills' ratio R = Φ(-x)/φ(x) the difference is φ(a)·(R(a) - R(b)), and
    where a and b are close that is the integral of -R' = 1 - x·R.
    """
    low, high = _lowered(level, mu)
    density, close = _density(low), mu < 1.0
    found = low if close.all() else _apart(low, high, density)
    if close.any():
        start, width = np.clip(low, -1.0, _FARTHEST), np.minimum(mu, 1.0)
        nodes, weights = next((nodes, weights) for most, nodes, weights in _RULES if np.max(width) <= most)
        points = start[..., None] + width[..., None] * nodes
        found = np.where(close, density * (width * ((1.0 - points * _mills(points)) @ weights)), found)
    return _rounded_up(found, low)


def _apart(low: Floats, high: Floats, density: Floats) -> Floats:
    beyond = _mills(np.maximum(high, 0.0))
    return np.where(low < 0.0, special.ndtr(-low) - density * beyond, density * (_mills(np.maximum(low, 0.0)) - beyond))


def _lowered(level: Floats, mu: Floats) -> tuple[Floats, Floats]:
    """Return epsilon/μ ∓ μ/2, lowered by what rounding can do to it."""
    with np.errstate(over="ignore"):
        ratio = np.clip(level / mu, -_LARGEST, _LARGEST)
    half = np.minimum(0.5 * mu, _LARGEST)
    wrong = 4 * UNIT * (np.abs(ratio) + half)
    return ratio - half - wrong, ratio + half - wrong


def _rounded_up(probability: Floats, at: Floats) -> Floats:
    """Add what rounding can do to a normal probability next to its value at a point."""
    return np.clip(probability * (1.0 + UNIT * (64.0 + 4.0 * np.minimum(np.abs(at), _FARTHEST) ** 2)), _SMALLEST, 1.0)


def _density(x: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * np.minimum(np.abs(x), 1e3) ** 2) / math.sqrt(2.0 * math.pi))


def _mills(x: Floats) -> Floats:
    """Φ(-x)/φ(x), x at least -1."""
    return np.asarray(math.sqrt(0.5 * math.pi) * special.erfcx(x / _ROOT_2))
