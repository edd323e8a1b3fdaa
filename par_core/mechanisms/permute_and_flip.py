"""Permute and flip: one of several candidates, chosen with a probability that rises with its utility.

In random order each candidate is asked once and accepted with probability exp(epsilon0·(utility - best)/(2·sensitivity)); the first one
that is accepted is chosen. It is never worse than the exponential mechanism at the same epsilon0 (McKenna and Sheldon 2020), and the same
law as the largest utility with exponential noise of scale s = 2·sensitivity/epsilon0 (Ding and others 2021), which is what OpenDP draws.
With q_i = exp((utility_i - best)/s) and w = exp(-(noisy utility - best)/s) that reads

    P(i) = q_i · integral over w from 0 to 1 of the product of (1 - q_j·w) over all j but i,

a polynomial in w, for which Gauss's rule on pieces that halve towards 0 leaves no more than rounding errors.

How far the choice falls short: call those worse than the best by more than t the bad ones. One is chosen only if its noise exceeds t plus
the noise of the best, so at most m - 1 others make that likeliest, all just beyond t. With q = exp(-t/s) the formula then gives

    P(shortfall > t) <= 1 - (1 - (1 - q)^m)/(m·q),

which is reached in the limit: for m candidates no bound is smaller. (The usual 1 - (1 - q)^m, for the largest noise alone, is about twice
that, and its t larger by about s·ln 2.)

Of its privacy loss nothing better is claimed than of any pure mechanism: that of randomised response at epsilon0. The range of its losses
is not bounded by epsilon0 as that of the exponential mechanism is, so nothing that rests on that range holds here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms.mechanism import UNIT, Floats, Mechanism, releases
from par_core.mechanisms.randomised_response import RandomisedResponse
from par_core.mechanisms.selection import Selection
from par_core.parameters import FloatOrArray, check_integers, check_numbers, like_input, shown, together

_POINTS = 32  # of Gauss's rule on each piece
_HALVINGS = 60  # of the interval of q, which is narrower than a factor of the number of candidates


@dataclass(frozen=True)
class PermuteAndFlip(Selection):
    """Permute and flip; neighbours move the utility of a candidate by the sensitivity at most, in its unit.

    A scale or a shortfall beyond the largest float is infinite.

    >>> choice = PermuteAndFlip(1.0)
    >>> choice.probabilities([3.0, 1.0, 0.0]).round(3).tolist(), round(choice.shortfall(0.95, 3), 2)
    ([0.732, 0.17, 0.098], 5.96)
    """

    evidence = Evidence(
        PROVEN,
        source="law of permute and flip (McKenna and Sheldon 2020); privacy loss of randomised response, the worst pure mechanism",
        limits="losses are upper bounds, those of all mechanisms that are epsilon0-differentially private",
    )

    name: ClassVar[str] = "permute and flip"

    @property
    def scale(self) -> FloatOrArray:
        """Scale of the exponential noise that makes the same choice, in the unit of the utilities; infinite beyond the largest float."""
        with np.errstate(over="ignore"):
            return like_input(2.0 * np.divide(self.sensitivity, self.epsilon0))

    # --- which candidate is chosen ---

    def probabilities(self, utilities: ArrayLike) -> Floats:
        """Probability of each of a list of candidates, given their utilities, each with a relative error of about 1e-12."""
        kept = np.exp(self._exponents(utilities))
        found = np.zeros_like(kept)
        for points, weights in _pieces(float(kept.sum())):
            log_left = np.log1p(-np.outer(points, kept))
            found += weights @ np.exp(log_left.sum(axis=1, keepdims=True) - log_left)
        return np.asarray(kept * found)

    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw `size` choices; the answer is the utilities, as in `probabilities`, and a choice the place of its candidate."""
        exact, number = releases(answer, size, rng)
        exponents = self._exponents(exact)
        return np.asarray(np.argmax(exponents + rng.exponential(size=(number, *exponents.shape)), axis=-1))

    def shortfall(self, share: ArrayLike, candidates: ArrayLike) -> FloatOrArray:
        """The utility of the choice is below the best one by at most this with probability `share`, above 0 and below 1.

        A bound for any utilities of so many candidates, at least 1, and the smallest one.
        """
        wanted, number = (
            check_numbers("share", share, above=0.0, below=1.0),
            check_integers("candidates", candidates, at_least=1).astype(float),
        )
        wanted, number, scale = together(share=wanted, candidates=number, scale=np.asarray(self.scale))
        # q between what the first two terms of the binomial series allow, and 1, where all candidates are alike.
        low = np.log(np.minimum(2.0 * (1.0 - wanted) / np.maximum(number - 1.0, 1.0), 1.0))
        high = np.zeros_like(low)
        low = np.where(_stays(high, number) >= wanted, high, low)
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            enough = _stays(middle, number) >= wanted
            low, high = np.where(enough, middle, low), np.where(enough, high, middle)
        with np.errstate(over="ignore"):
            return like_input(np.abs(low * scale) * (1.0 + 64 * UNIT))

    def _exponents(self, utilities: ArrayLike) -> Floats:
        found = super()._exponents(utilities)
        if found.ndim > 1:
            raise ParameterError(f"utilities must be a list of numbers, got {shown(utilities)}")
        return found

    # --- privacy loss ---

    def loses_at_least(self) -> Mechanism:
        """Randomised response between two candidates, of which neighbours exchange the utilities: the worse one has exp(-epsilon0/2)/2."""
        half = 0.5 * np.asarray(self.epsilon0)
        level = half + np.log1p(-np.expm1(-half))  # log(2·exp(epsilon0/2) - 1)
        return RandomisedResponse(np.clip(level * (1.0 - 16 * UNIT), np.finfo(float).smallest_subnormal, self.epsilon0))

    def with_same_delta(self) -> RandomisedResponse:
        """Return randomised response: nothing better is claimed."""
        return self._worst

    @property
    def profile_is_exact(self) -> bool:
        return False

    @property
    def loss_steps(self) -> int | None:
        return self._worst.loss_steps

    @property
    def loss_is_discrete(self) -> bool:
        return self._worst.loss_is_discrete

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        return self._worst.delta(epsilon)

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        return self._worst.epsilon(delta)

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        return self._worst.loss_exceeds(epsilon, two_sided=two_sided)

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        return self._worst.loss_within(epsilon)

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        return self._worst.tradeoff(false_positive)

    def _corner(self) -> tuple[Floats, Floats, Floats]:
        return self._worst._corner()

    @property
    def _worst(self) -> RandomisedResponse:
        return RandomisedResponse(self.epsilon0)


def _stays(log_q: Floats, number: Floats) -> Floats:
    """Return how likely the shortfall stays within -s·log_q at least: (1 - (1 - q)^m)/(m·q)."""
    with np.errstate(divide="ignore", over="ignore"):
        q = np.exp(log_q)
        return np.asarray(-np.expm1(number * np.log1p(-q)) / (number * q))


def _pieces(mass: float) -> Iterator[tuple[Floats, Floats]]:
    """Give points and weights on pieces from 0 to 1 that halve until the product of all 1 - q·w is all but 1; `mass` is the sum of q."""
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    halvings = int(np.ceil(np.log2(max(mass, 1.0)))) + 2
    for low, high in itertools.pairwise([0.0, *(0.5**each for each in range(halvings, -1, -1))]):
        half = 0.5 * (high - low)
        yield low + half * (1.0 + points), half * weights
