"""Discrete Laplace noise on whole numbers, and the exact privacy loss distribution.

The noise is x with probability proportional to exp(-|x|/b), b = sensitivity/epsilon0. The neighbours are the worst case: one number
moves by the whole L1 sensitivity Δ, a whole number of steps. Then the loss is one of epsilon0·(1 - 2j/Δ), j = 0 to Δ. At these
levels its privacy profile is that of continuous Laplace noise, and between them it is above it: straight in exp(epsilon). For Δ = 1
the loss is that of randomised response, the largest that epsilon0-differential privacy allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms.laplace import Laplace
from par_core.mechanisms.mechanism import (
    UNIT,
    Floats,
    Mechanism,
    moved_until,
    releases,
    signed,
    tail_of_each,
    with_parameter,
    wrong_in_exponent,
)
from par_core.mechanisms.pure import PureNoise
from par_core.mechanisms.randomised_response import RandomisedResponse
from par_core.parameters import FloatOrArray, check_integers, check_numbers, like_input

_LARGEST_SCALE = 1e14  # noise of 40 scales, and an answer as large, still are whole numbers as floats
_LARGEST_WHOLE = 2**53


@dataclass(frozen=True)
class DiscreteLaplace(PureNoise):
    """Discrete Laplace noise of scale sensitivity/epsilon0, on whole numbers; the sensitivity is one too, at least 1.

    The scale is infinite beyond the floats.

    >>> noise = DiscreteLaplace.for_epsilon(0.5, sensitivity=1)
    >>> noise.scale, noise.error_quantile(0.95), round(noise.mean_error, 4), round(noise.delta(0.4), 4)
    (2.0, 6.0, 1.919, 0.0592)
    """

    sensitivity: FloatOrArray = 1
    evidence = Evidence(
        PROVEN,
        source="law of discrete Laplace noise, closed form",
        limits="worst-case neighbours: one number moves by the whole sensitivity",
    )

    name: ClassVar[str] = "discrete Laplace"

    def _moves(self) -> NDArray[np.int64]:
        return check_integers("sensitivity", self.sensitivity, at_least=1)

    @property
    def _step(self) -> Floats:
        """Loss of moving the noise by one, -log q."""
        return np.asarray(np.divide(self.epsilon0, self.sensitivity))

    # --- accuracy ---

    @property
    def mean_error(self) -> FloatOrArray:
        """Mean absolute error of one number: 2q/(1 - q²) = 1/sinh(1/scale), below the scale."""
        with np.errstate(over="ignore", divide="ignore"):
            return like_input(1.0 / np.sinh(self._step))

    def all_error(self, share: ArrayLike, k: int) -> FloatOrArray:
        """Smallest whole number, as a float, that no one of k numbers is off by more than with probability `share`."""
        inside, outside = tail_of_each(share, k)
        # P(|noise| > w) = 2·q^(w + 1)/(1 + q)
        _, outside, step = np.broadcast_arrays(inside, outside, self._step)
        most = np.log(outside) + np.log1p(np.exp(-step)) - np.log(2.0)  # logarithm that q^(w + 1) may have
        with np.errstate(over="ignore", divide="ignore"):
            return like_input(np.maximum(np.ceil(-most / step * (1.0 + 4 * UNIT)) - 1.0, 0.0))

    def total_error(self, share: float, k: int) -> FloatOrArray:
        """Return the least whole number w for which Laplace noise of this scale has its total within w + 1/2 as often.

        Discrete noise is Laplace noise less something independent of it and symmetric, because the whole part of an exponential
        variable is independent of the rest. So its total is within w at least as often, and smaller on average.
        """
        found = np.asarray(self._continuous.total_error(share, k))
        return like_input(np.maximum(np.ceil(found - 0.5), 0.0) + 0.0)

    def mean_total_error(self, k: int) -> FloatOrArray:
        return self._continuous.mean_total_error(k)

    def exceeds(self, off: ArrayLike) -> FloatOrArray:
        reach, step = with_parameter("off", check_numbers("off", off, at_least=0.0), step=self._step)
        with np.errstate(over="ignore"):
            beyond = np.exp(-(np.floor(reach) + 1.0) * step)
        return like_input(2.0 * beyond / (1.0 + np.exp(-step)))

    def mean_beyond(self, off: ArrayLike) -> FloatOrArray:
        reach, step = with_parameter("off", check_numbers("off", off, at_least=0.0), step=self._step)
        with np.errstate(over="ignore", invalid="ignore"):
            return like_input(0.5 * np.asarray(self.mean_error) * np.where(reach > 0.0, np.exp(-reach * step), 1.0))

    @property
    def _continuous(self) -> Laplace:
        return Laplace(self.epsilon0, self.sensitivity)

    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw `size` noisy answers of whole numbers, each up to 2^53 in size; shape (size, *shape of the answer).

        For scales up to 1e14. Otherwise as in `Mechanism.sample`.
        """
        exact, number = releases(answer, size, rng)
        if (exact != np.floor(exact)).any() or (np.abs(exact) > _LARGEST_WHOLE).any():
            raise ParameterError(f"answer must be whole numbers of size at most 2^53, got {answer!r}")
        if np.max(self.scale) > _LARGEST_SCALE:
            raise ParameterError(f"scale must be at most {_LARGEST_SCALE:g} to be drawn, got {np.max(self.scale):g}")
        shape = (number, *np.broadcast_shapes(exact.shape, self._step.shape))
        away = -np.expm1(-self._step)
        # Both count the tries up to the first success: each at least 1, and alike in law.
        return np.asarray(exact.astype(np.int64) + (rng.geometric(away, shape) - rng.geometric(away, shape)))

    def log_density(self, off: ArrayLike) -> FloatOrArray:
        """Logarithm of the probability of a whole error: q^|off|·(1 - q)/(1 + q)."""
        at, _, _, step = self._with("off", _whole(off))
        return like_input(-np.abs(at) * step + np.log(-np.expm1(-step)) - np.log1p(np.exp(-step)))

    # --- privacy loss ---

    def loss_at(self, off: ArrayLike) -> FloatOrArray:
        """Privacy loss of a number that is off by this, a whole number: epsilon0·(1 - 2·off/Δ), held between ±epsilon0."""
        at, calibrated, moves, _ = self._with("off", _whole(off))
        return like_input(calibrated * np.clip(1.0 - 2.0 * (at / moves), -1.0, 1.0))

    def with_same_delta(self) -> Mechanism:
        """Return randomised response where the sensitivity is 1: then the loss is epsilon0 in size."""
        return self if np.ndim(self.sensitivity) or self.sensitivity != 1 else RandomisedResponse(self.epsilon0)

    @property
    def loss_steps(self) -> int | None:
        return int(self.sensitivity) if np.ndim(self.sensitivity) == 0 else None

    @property
    def loss_is_discrete(self) -> bool:
        return True

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        level, calibrated, moves, step = self._with("epsilon", check_numbers("epsilon", epsilon, at_least=0.0))
        gap = np.maximum(calibrated - level, 0.0)
        last = _last(level, calibrated, moves)
        # P - exp(epsilon)·Q of a noise of at most `last`, every term positive
        found = -np.expm1(last * step - gap) - np.exp(-step) * np.expm1(-last * step)
        found = np.where(level < calibrated, found / (1.0 + np.exp(-step)), 0.0)
        return like_input(np.minimum(found * (1.0 + 32 * UNIT), 1.0))

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        aim, calibrated, moves, step = self._with("delta", check_numbers("delta", delta, at_least=0.0, at_most=1.0))
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            last = np.clip(np.floor(-np.log1p(-aim) / step), 0.0, (moves - 1) // 2)
            last = np.where(aim > 0.0, last, 0.0)  # also for a step below the floats
            less = np.exp(-step) * -np.expm1(-last * step) - aim * (1.0 + np.exp(-step))
            found = np.maximum(calibrated - last * step + np.log1p(np.maximum(less, -1.0)), 0.0)
        return like_input(moved_until(lambda each: self.delta(each) <= aim, found, toward=calibrated))

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        level, calibrated, moves, step = self._with("epsilon", signed(epsilon, two_sided=two_sided))
        last = _last(level, calibrated, moves)
        inside = np.exp(-(last + 1) * step)  # the loss is at most epsilon
        if two_sided:
            inside = -inside * np.expm1(-(moves - 2 * last - 1) * step)  # and not below -epsilon either
        exceeds = np.minimum((1.0 - inside / (1.0 + np.exp(-step))) * (1.0 + 32 * UNIT), 1.0)
        exceeds = np.where(level < calibrated, exceeds, 0.0)
        return like_input(np.where(level < -calibrated, 1.0, exceeds))

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        level, calibrated, moves, step = self._with("epsilon", check_numbers("epsilon", epsilon, at_least=0.0))
        last = _last(level, calibrated, moves)
        within = -np.exp(-(last + 1) * step) * np.expm1(-(moves - 2 * last - 1) * step) / (1.0 + np.exp(-step))
        return like_input(np.where(level < calibrated, within * (1.0 - 32 * UNIT), 1.0))

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        """Smallest false-negative rate: straight between the corners (q^(Δ-m), q^(m+1))/(1 + q), m = 0 to Δ - 1."""
        rate = check_numbers("false_positive", false_positive, at_least=0.0, at_most=1.0)
        rate, calibrated, moves, step = self._with("false_positive", rate)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            logarithm = np.log(rate) + np.log1p(np.exp(-step))
            # A step below the floats is 0, and with it a logarithm of 0 stands in the middle.
            corner = np.clip(np.floor(moves + np.where(logarithm == 0.0, 0.0, logarithm / step)), 0, moves - 1)
            left = -np.expm1(np.minimum(calibrated + np.log(rate), 0.0))
            beyond = np.clip(
                logarithm + (moves - corner) * step, 0.0, step
            )  # logarithm of the rate over that of the corner
        wrong, q = 2.0 * wrong_in_exponent(rate, calibrated), np.exp(-step)
        # No less than at the next corner, where the two terms nearly cancel.
        middle = np.exp(-(corner + 1) * step) * np.maximum(1.0 + q - np.exp(beyond - step) - wrong, q) / (1.0 + q)
        right = np.exp(-calibrated) * (1.0 - rate)
        missed = np.where(corner >= moves - 1, right, middle)
        found = np.where(logarithm < -moves * step, np.maximum(left - wrong, q / (1.0 + q)), missed) * (1.0 - wrong)
        return like_input(np.where(rate > 0.0, found, 1.0))

    def _corner(self) -> tuple[Floats, Floats, Floats]:
        # The corner in the middle: all lie where the rates have one product, and Φ⁻¹ is concave in the logarithm of a rate.
        moves, step = np.broadcast_arrays(np.asarray(self.sensitivity, dtype=float), self._step)
        middle, away = np.floor(0.5 * (moves - 1.0)), np.log1p(np.exp(-step))
        false, missed = -(moves - middle) * step - away, -(middle + 1.0) * step - away
        gap = -np.expm1((middle - moves) * step) - np.exp(-step) * np.expm1(-middle * step)
        return false, -special.ndtri_exp(missed), gap / (1.0 + np.exp(-step))

    def _with(self, name: str, value: Floats) -> tuple[Floats, ...]:
        arguments = with_parameter(name, value, epsilon0=self.epsilon0, sensitivity=self.sensitivity)
        return (*arguments, arguments[1] / arguments[2])


def _whole(off: ArrayLike) -> Floats:
    return check_integers("off", off, at_least=-_LARGEST_WHOLE, at_most=_LARGEST_WHOLE).astype(float)


def _last(level: Floats, epsilon0: Floats, moves: Floats) -> Floats:
    """Return the largest noise, at least 0 and below the sensitivity, that loses more than a level: epsilon0·(1 - 2·noise/Δ)."""
    with np.errstate(over="ignore"):
        part = np.clip(level / epsilon0, -1.0, 1.0)
    return np.clip(np.ceil(0.5 * moves * (1.0 - part)) - 1.0, 0.0, moves - 1)
