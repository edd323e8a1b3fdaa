"""The exponential mechanism: one of several candidates, chosen with a probability that rises with its utility.

A candidate has a probability proportional to prior·exp(epsilon0·utility/(2·sensitivity)). The losses of one release then lie within a
range as wide as epsilon0, but where that range begins depends on the utilities (bounded range: Dong, Durfee and Rogers, 2020). Every
answer here is for the worst of them: for a range from t - epsilon0 to t its two ends alone, t with probability
(e^epsilon0 - e^t)/(e^epsilon0 - 1). No pair of neighbours is the worst at every epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms.mechanism import (
    UNIT,
    Floats,
    Mechanism,
    grown,
    moved_until,
    releases,
    signed,
    with_parameter,
)
from par_core.mechanisms.randomised_response import RandomisedResponse
from par_core.mechanisms.selection import Selection
from par_core.parameters import FloatOrArray, check_numbers, like_input, together


@dataclass(frozen=True)
class Exponential(Selection):
    """The exponential mechanism; neighbours move the utility of a candidate by the sensitivity at most, in its unit.

    >>> choice = Exponential(1.0)
    >>> choice.probabilities([3.0, 1.0, 0.0]).round(3).tolist(), round(choice.delta(0.5), 4), round(choice.shortfall(0.95, 1 / 3), 2)
    ([0.629, 0.231, 0.14], 0.0774, 8.19)
    """

    evidence = Evidence(
        PROVEN,
        source="bounded range of the exponential mechanism (Dong, Durfee and Rogers 2020), worst range in closed form",
        limits="the worst utilities, each moved by the whole sensitivity, some up and others down",
    )

    name: ClassVar[str] = "exponential mechanism"

    # --- which candidate is chosen ---

    def probabilities(self, utilities: ArrayLike, *, prior: ArrayLike | None = None) -> Floats:
        """Probability of each candidate, of the shape of the utilities, whose last axis counts the candidates.

        `prior` is above 0 and need not add up to 1; without it all candidates are alike.
        """
        return np.asarray(special.softmax(self._weighed(utilities, prior), axis=-1))

    def sample(
        self, answer: ArrayLike, size: int, rng: np.random.Generator, *, prior: ArrayLike | None = None
    ) -> NDArray[np.int64]:
        """Draw `size` choices; the answer is the utilities, as in `probabilities`, and a choice the place of its candidate.

        Drawn as the largest of the exponents with Gumbel noise (report noisy max), which is the same law.
        """
        exact, number = releases(answer, size, rng)
        exponents = self._weighed(exact, prior)
        return np.asarray(np.argmax(exponents + rng.gumbel(size=(number, *exponents.shape)), axis=-1))

    def shortfall(self, share: ArrayLike, prior: ArrayLike) -> FloatOrArray:
        """The utility of the choice is below the best one by at most this with probability `share`, above 0 and below 1.

        `prior` is the share of the best candidate in the prior, above 0 and at most 1: 1/5 for five candidates alike. A bound, for any
        utilities.
        """
        wanted, best = (
            check_numbers("share", share, above=0.0, below=1.0),
            check_numbers("prior", prior, above=0.0, at_most=1.0),
        )
        wanted, best, level, moves = together(
            share=wanted, prior=best, epsilon0=np.asarray(self.epsilon0), sensitivity=np.asarray(self.sensitivity)
        )
        with np.errstate(over="ignore"):
            return like_input(2.0 * moves / level * -(np.log(best) + np.log1p(-wanted)))

    def _weighed(self, utilities: ArrayLike, prior: ArrayLike | None) -> Floats:
        """Return the logarithm of what each probability is proportional to."""
        exponents = self._exponents(utilities)
        if prior is None:
            return exponents
        weight = check_numbers("prior", prior, above=0.0)
        if weight.shape != exponents.shape[-1:]:
            raise ParameterError(
                f"prior must be as many numbers as there are candidates, {exponents.shape[-1]}, got {weight.shape}"
            )
        return np.asarray(exponents + np.log(weight))

    def for_group(self, size: int) -> Self:
        return type(self)(grown(size, self.epsilon0), grown(size, self.sensitivity))

    # --- privacy loss ---

    def loses_at_least(self) -> Mechanism:
        """Randomised response at half of epsilon0: the choice between two candidates, of which neighbours exchange the utilities."""
        # The smallest float has no half.
        return RandomisedResponse(np.maximum(np.multiply(0.5, self.epsilon0), np.finfo(float).smallest_subnormal))

    def with_same_delta(self) -> Exponential:
        """Return the choice for a sensitivity of 1."""
        return self if np.ndim(self.sensitivity) or self.sensitivity == 1 else Exponential(self.epsilon0)

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Smallest delta that goes with epsilon: (e^(epsilon0/2) - e^(epsilon/2))²/(e^epsilon0 - 1)."""
        level, calibrated = self._with("epsilon", check_numbers("epsilon", epsilon, at_least=0.0))
        half = -np.expm1(-0.5 * np.maximum(calibrated - level, 0.0))
        return like_input(np.minimum(half * (half / -np.expm1(-calibrated)) * (1.0 + 16 * UNIT), 1.0))

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        aim, calibrated = self._with("delta", check_numbers("delta", delta, at_least=0.0, at_most=1.0))
        with np.errstate(divide="ignore"):
            found = np.maximum(calibrated + 2.0 * np.log1p(-np.sqrt(aim * -np.expm1(-calibrated))), 0.0)
        return like_input(moved_until(lambda each: self.delta(each) <= aim, found, toward=calibrated))

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        """Largest probability over all utilities that the loss is larger than epsilon.

        Two-sided it is 1 below half of epsilon0, where both ends of the range can lie beyond epsilon.
        """
        level, calibrated = self._with("epsilon", signed(epsilon, two_sided=two_sided))
        gap = np.maximum(calibrated - np.maximum(level, 0.0), 0.0)
        exceeds = np.minimum(np.expm1(-gap) / np.expm1(-calibrated) * (1.0 + 16 * UNIT), 1.0)
        return like_input(np.where(two_sided & (level < 0.5 * calibrated), 1.0, exceeds))

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        level, calibrated = self._with("epsilon", check_numbers("epsilon", epsilon, at_least=0.0))
        gap = np.maximum(calibrated - level, 0.0)
        within = np.exp(-gap) * (np.expm1(-np.minimum(level, calibrated)) / np.expm1(-calibrated)) * (1.0 - 16 * UNIT)
        return like_input(np.where(level < 0.5 * calibrated, 0.0, np.where(level < calibrated, within, 1.0)))

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        """Smallest false-negative rate over all utilities: (1 - rate)/(1 + rate·(e^epsilon0 - 1))."""
        rate = check_numbers("false_positive", false_positive, at_least=0.0, at_most=1.0)
        rate, calibrated = self._with("false_positive", rate)
        shrunk = np.exp(-calibrated)  # of both parts of the fraction: nothing overflows
        below = shrunk + rate * -np.expm1(-calibrated)
        found = shrunk * (1.0 - rate) / np.where(rate > 0.0, below, 1.0) * (1.0 - 16 * UNIT)
        return like_input(np.where(rate > 0.0, found, 1.0))

    def _corner(self) -> tuple[Floats, Floats, Floats]:
        half = 0.5 * np.asarray(self.epsilon0)  # the middle, as the log-odds of both rates add up to -epsilon0
        return -np.logaddexp(0.0, half), -special.ndtri_exp(-np.logaddexp(0.0, half)), np.tanh(0.5 * half)

    def _with(self, name: str, value: Floats) -> tuple[Floats, ...]:
        return with_parameter(name, value, epsilon0=self.epsilon0)
