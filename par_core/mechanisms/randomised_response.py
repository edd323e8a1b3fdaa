"""Randomised response: each person says the true category with some probability, and else each of the others alike.

Neighbours are two people of different categories. Each is e^epsilon0 times as likely as the other one to say its own category, and both
are as likely to say a third: the loss is epsilon0, -epsilon0 or, with three categories and more, 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms.mechanism import (
    UNIT,
    Floats,
    moved_until,
    releases,
    signed,
    with_parameter,
    wrong_in_exponent,
)
from par_core.mechanisms.pure import Pure
from par_core.parameters import (
    FloatOrArray,
    check_integer,
    check_integers,
    check_number,
    check_numbers,
    like_input,
    shown,
    together,
)


@dataclass(frozen=True)
class EstimatedShare(Result):
    """Share of a category in the population from which people were drawn, from what they said.

    It is from `low` to `high` with `confidence`. The estimate has no bias, and so can be below 0 or above 1; the ends cannot.
    `deviation` is the estimated one of the estimate, 0 where all said the same.
    """

    share: float
    deviation: float
    low: float
    high: float
    confidence: float
    people: int
    evidence = Evidence(ESTIMATE, source="share of the answers, corrected for the coins; Clopper–Pearson interval")

    QUANTITIES = quantities(
        share=stated("share"), deviation=stated("share", "up"), low=stated("share", "down"), high=stated("share", "up")
    )


@dataclass(frozen=True)
class RandomisedResponse(Pure):
    """Randomised response over some categories, 2 at least; answers are whole numbers from 0.

    With two categories no pure mechanism loses more.

    >>> coins = RandomisedResponse(np.log(3.0))
    >>> round(coins.truth, 12), round(coins.delta(0.5), 4), round(coins.estimate(430, 1000).share, 12)
    (0.75, 0.3378, 0.36)
    """

    epsilon0: FloatOrArray
    categories: FloatOrArray = 2
    evidence = Evidence(
        PROVEN,
        source="law of randomised response: truth with e^epsilon0/(e^epsilon0 + categories - 1)",
        limits="neighbours: one person's category is exchanged for another",
    )

    name: ClassVar[str] = "randomised response"

    def __post_init__(self) -> None:
        level, number = (
            check_numbers("epsilon0", self.epsilon0, above=0.0),
            check_integers("categories", self.categories, at_least=2),
        )
        together(epsilon0=level, categories=number.astype(float))
        object.__setattr__(self, "epsilon0", like_input(level))
        object.__setattr__(self, "categories", number.item() if number.ndim == 0 else number)

    @classmethod
    def for_epsilon(cls, epsilon0: ArrayLike, *, categories: ArrayLike = 2) -> Self:
        """Return the most truthful response that is epsilon0-differentially private."""
        return cls(epsilon0, categories)

    # --- accuracy ---

    @property
    def truth(self) -> FloatOrArray:
        """Probability of the true category."""
        return like_input(_truth(*self._parameters))

    @property
    def other(self) -> FloatOrArray:
        """Probability of each other category."""
        level, number = self._parameters
        return like_input(np.exp(-level) * _truth(level, number))

    def estimate(self, said: int, people: int, *, confidence: float = 0.95) -> EstimatedShare:
        """Estimate the share of a category that `said` of `people` named, who were drawn from the population; for single parameters."""
        if np.ndim(self.truth):
            raise ParameterError("epsilon0 and categories must be single numbers, got an array")
        number = check_integer("people", people, at_least=1)
        count = check_integer("said", said, at_least=0, at_most=number)
        sure = check_number("confidence", confidence, above=0.0, below=1.0)
        wrong, rate = 0.5 * (1.0 - sure), count / number
        low = special.betaincinv(count, number - count + 1, wrong) if count else 0.0
        high = special.betainccinv(count + 1, number - count, wrong) if count < number else 1.0
        apart = np.maximum(self.truth * -np.expm1(-self.epsilon0), np.finfo(float).tiny)
        share, least, most = ((each - self.other) / apart for each in (rate, low, high))
        deviation = np.sqrt(rate * (1.0 - rate) / number) / apart
        low, high = (float(np.clip(each, 0.0, 1.0)) for each in (least, most))
        return EstimatedShare(float(share), float(deviation), low, high, sure, number)

    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw `size` answers of people of the given categories, whole numbers from 0; shape (size, *shape of the answer)."""
        exact, number = releases(answer, size, rng)
        if (exact != np.floor(exact)).any() or (exact < 0).any() or (exact >= np.min(self.categories)).any():
            raise ParameterError(
                f"answer must be categories, whole numbers from 0 to {np.min(self.categories) - 1}, got {shown(answer)}"
            )
        level, several = self._parameters
        shape = (number, *np.broadcast_shapes(exact.shape, level.shape))
        away = rng.integers(1, several.astype(np.int64), size=shape)
        said = np.where(rng.random(shape) < _truth(level, several), 0, away)
        return np.asarray((exact.astype(np.int64) + said) % several.astype(np.int64))

    # --- privacy loss ---

    @property
    def loss_steps(self) -> int | None:
        return min(int(self.categories) - 1, 2) if np.ndim(self.categories) == 0 else None

    @property
    def loss_is_discrete(self) -> bool:
        return True

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Smallest delta that goes with epsilon: (e^epsilon0 - e^epsilon)/(e^epsilon0 + categories - 1)."""
        level, calibrated, number = self._with("epsilon", check_numbers("epsilon", epsilon, at_least=0.0))
        found = -np.expm1(-np.maximum(calibrated - level, 0.0)) * _truth(calibrated, number)
        return like_input(np.minimum(found * (1.0 + 16 * UNIT), 1.0))

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        aim, calibrated, number = self._with("delta", check_numbers("delta", delta, at_least=0.0, at_most=1.0))
        part = np.minimum(aim / _truth(calibrated, number), 1.0)
        with np.errstate(divide="ignore"):
            found = np.maximum(calibrated + np.log1p(-part), 0.0)
        return like_input(moved_until(lambda each: self.delta(each) <= aim, found, toward=calibrated))

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        level, calibrated, number = self._with("epsilon", signed(epsilon, two_sided=two_sided))
        truth = _truth(calibrated, number)
        other = np.exp(-calibrated) * truth
        exceeds = np.where(level < 0.0, 1.0 - other, truth + (other if two_sided else 0.0)) * (1.0 + 16 * UNIT)
        exceeds = np.where(level < calibrated, np.minimum(exceeds, 1.0), 0.0)
        return like_input(np.where(level < -calibrated, 1.0, exceeds))

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        level, calibrated, number = self._with("epsilon", check_numbers("epsilon", epsilon, at_least=0.0))
        none = (number - 2.0) * np.exp(-calibrated) * _truth(calibrated, number)
        return like_input(np.where(level < calibrated, none * (1.0 - 16 * UNIT), 1.0))

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        """Smallest false-negative rate: the highest of the lines of slope -e^epsilon0, -1 and -e^-epsilon0."""
        rate = check_numbers("false_positive", false_positive, at_least=0.0, at_most=1.0)
        rate, calibrated, number = self._with("false_positive", rate)
        with np.errstate(divide="ignore"):
            falling = -np.expm1(np.minimum(calibrated + np.log(rate), 0.0))
        level = number * np.exp(-calibrated) * _truth(calibrated, number) * (1.0 - 8 * UNIT) - rate
        flat = np.exp(-calibrated) * (1.0 - rate) * (1.0 - 8 * UNIT)
        found = np.maximum(np.maximum(falling - wrong_in_exponent(rate, calibrated), level * (1.0 - 2 * UNIT)), flat)
        return like_input(np.where(rate > 0.0, found, 1.0))

    def _corner(self) -> tuple[Floats, Floats, Floats]:
        level, number = self._parameters
        others = np.log(number - 1.0) - level  # logarithm of what is said but the truth, in parts of it
        truth = -np.logaddexp(0.0, others)
        at_truth = np.where(others > 0.0, special.ndtri_exp(truth), -special.ndtri_exp(others + truth))
        return truth - level, at_truth, -np.exp(truth) * np.expm1(-level)

    @property
    def _parameters(self) -> tuple[Floats, Floats]:
        level, number = np.broadcast_arrays(np.asarray(self.epsilon0), np.asarray(self.categories, dtype=float))
        return level, number

    def _with(self, name: str, value: Floats) -> tuple[Floats, ...]:
        return with_parameter(name, value, epsilon0=self.epsilon0, categories=np.asarray(self.categories, dtype=float))


def _truth(level: Floats, number: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + (number - 1.0) * np.exp(-level)))
