"""Coins: a survey by randomised response, what it tells of the share of "yes", and what it costs that nobody is trusted.

Everybody tosses coins of their own, so that the one who asks never learns a true answer. The alternative is a curator who knows all
answers and adds Laplace noise to their count. Both estimate the share of "yes" among the people who were asked, at the same epsilon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import ESTIMATE, PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import Laplace, RandomisedResponse
from par_core.parameters import check_integer, check_number
from par_core.randomness import seeded

MOST_PEOPLE = 1_000_000
_CONFIDENCE = 0.95
TWO_COINS = math.log(3.0)  # of two fair coins: heads, the truth; tails, what the second one says
_LEAST = 1e-4  # of an error that is told, in percentage points
_LEVELS = {"at_least": 1e-4, "at_most": 50.0}  # of epsilon: at smaller ones no survey tells anything
_STEPS = [lead * 10**power for power in range(6) for lead in (1, 3)] + [MOST_PEOPLE]


@dataclass(frozen=True)
class Survey(Result):
    """What a survey by randomised response tells: `said` of `people` said yes.

    The estimated `share` is that of the formula, which can miss the shares from 0 to 1 and is then moved onto the nearest one. The true
    share is from `low` to `high` with `confidence`. `truth` is the probability of a true answer.
    """

    epsilon: float
    people: int
    said: int
    truth: float
    formula: float
    share: float
    low: float
    high: float
    deviation: float
    confidence: float = _CONFIDENCE
    evidence = Evidence(ESTIMATE, source="share who said yes, corrected for the coins; Clopper–Pearson interval")

    QUANTITIES = quantities(
        share=stated("share"),
        low=stated("share", "down"),
        high=stated("share", "up"),
        deviation=stated("points", "up"),
        truth=stated("share", "up", PROVEN),
    )

    @property
    def factor(self) -> float:
        """What the share who said yes is multiplied by."""
        return 1.0 / math.tanh(0.5 * self.epsilon)

    @property
    def offset(self) -> float:
        """What is taken away from it then."""
        return 1.0 / math.expm1(self.epsilon)


@dataclass(frozen=True)
class DrawnSurvey(Result):
    """A survey of people of whom `have` truly are a "yes", a share of `true`, and what a trusted curator would publish instead.

    `curator` is off by at most `curator_off` with the confidence of the survey.
    """

    answers: Survey
    have: int
    true: float
    curator: float
    curator_off: float
    evidence = Evidence(ESTIMATE, source="one draw of every coin, and one of the curator's noise")


@dataclass(frozen=True)
class SurveyErrors(Result):
    """By how many percentage points the share is off at most in 95 of 100 surveys, against the number of people; arrays of one shape.

    `local` is exact for randomised response among people of whom the share `true` is a "yes", `bound` the lecture's bound on it for
    any share, and `curator` exact for Laplace noise on the count. No share is off by more than 100. `own` is the place of the number of
    people that was asked for.
    """

    epsilon: float
    true: float
    people: NDArray[np.int64]
    local: NDArray[np.float64]
    bound: NDArray[np.float64]
    curator: NDArray[np.float64]
    own: int
    evidence = Evidence(
        PROVEN,
        source="distribution of the sum of two binomial numbers; Hoeffding's inequality; distribution of Laplace noise",
    )

    QUANTITIES = quantities(
        own_local=stated("error"),
        own_bound=stated("error"),
        own_curator=stated("error"),
        people_local=stated("error"),
        people_curator=stated("error"),
    )

    @property
    def own_local(self) -> float:
        """The error of the coins at the number of people asked for, told as 0.0001 where it is less, as are the others."""
        return max(float(self.local[self.own]), _LEAST)

    @property
    def people_local(self) -> float:
        """The error of the coins there, as a number of people."""
        return self.own_local * float(self.people[self.own]) / 100

    @property
    def people_curator(self) -> float:
        """The error of a trusted curator there, as a number of people."""
        return self.own_curator * float(self.people[self.own]) / 100

    @property
    def own_bound(self) -> float:
        """The lecture's bound there."""
        return max(float(self.bound[self.own]), _LEAST)

    @property
    def own_curator(self) -> float:
        """The error of a trusted curator there."""
        return max(float(self.curator[self.own]), _LEAST)


def survey(said: int, people: int, *, epsilon: float) -> Survey:
    """Return what it tells that `said` of `people`, 1 to a million, said yes; epsilon is from 1e-4 to 50.

    >>> found = survey(430, 1000, epsilon=np.log(3.0))
    >>> round(found.share, 12), round(found.deviation, 4), round(found.low, 4), round(found.high, 4)
    (0.36, 0.0313, 0.2981, 0.4227)
    """
    level, number = _checked(epsilon, people)
    found = RandomisedResponse(level).estimate(said, number, confidence=_CONFIDENCE)
    nearest = min(max(found.share, 0.0), 1.0)
    truth = float(RandomisedResponse(level).truth)
    return Survey(level, number, int(said), truth, found.share, nearest, found.low, found.high, found.deviation)


def draw(true: float, people: int, *, epsilon: float, seed: int) -> DrawnSurvey:
    """Draw a survey of `people`, 1 to a million, of whom the share `true` is a "yes", as nearly as whole people can be.

    epsilon is from 1e-4 to 50. It takes a few binomial numbers, however many people there are.

    >>> found = draw(0.3, 1_000_000, epsilon=1.0, seed=1)
    >>> found.have, abs(found.answers.share - 0.3) < 0.004, abs(found.curator - 0.3) < 0.0001
    (300000, True, True)
    """
    level, number = _checked(epsilon, people)
    have = _have(check_number("true", true, at_least=0.0, at_most=1.0), number)
    coins, noise, rng = RandomisedResponse(level), Laplace(level), seeded(seed)
    curator = min(max(float(noise.sample(have, 1, rng)[0]) / number, 0.0), 1.0)
    said = int(rng.binomial(have, coins.truth) + rng.binomial(number - have, coins.other))
    off = min(float(noise.error_quantile(_CONFIDENCE)) / number, 1.0)
    return DrawnSurvey(survey(said, number, epsilon=level), have, have / number, curator, off)


def errors(true: float, people: int, *, epsilon: float) -> SurveyErrors:
    """Return the errors of a survey at 1 to a million people, and at `people`; arguments as in `draw`.

    >>> found = errors(0.3, 1_000_000, epsilon=1.0)
    >>> [round(float(each[-1]), 5) for each in (found.local, found.bound, found.curator)]
    [0.18814, 0.29389, 0.0003]
    """
    level, own = _checked(epsilon, people)
    share = check_number("true", true, at_least=0.0, at_most=1.0)
    numbers = np.unique([*_STEPS, own])
    coins = RandomisedResponse(level)
    exact = [_off(coins, _have(share, each), each) for each in numbers.tolist()]
    bound = np.sqrt(math.log(2.0 / (1.0 - _CONFIDENCE)) / (2.0 * numbers)) / math.tanh(0.5 * level)
    curator = Laplace(level).error_quantile(_CONFIDENCE) / numbers
    local, bound, curator = np.minimum(100.0 * np.array([exact, bound, curator]), 100.0)
    return SurveyErrors(level, share, numbers, local, bound, curator, int(np.searchsorted(numbers, own)))


def _off(coins: RandomisedResponse, have: int, people: int) -> float:
    """Return the smallest error that 95 of 100 surveys do not exceed, of people of whom so many truly are a "yes".

    The number who say yes is a sum of two binomial ones. Its probabilities come from its characteristic function: within a window that
    holds all but 1e-10 of them; that and what rounding can do is left to spare.
    """
    truth, other = float(coins.truth), float(coins.other)
    mean = have * truth + (people - have) * other
    room = min(people + 1, 14.0 * math.sqrt(people * truth * other) + 100.0)
    size = 2 ** math.ceil(math.log2(room))
    first = max(math.floor(mean) - size // 2, 0)
    turn = np.exp(-2j * np.pi * np.arange(size) / size)
    law = have * np.log(other + truth * turn) + (people - have) * np.log(truth + other * turn)
    chance = np.fft.ifft(np.exp(law) * turn**-first).real
    away = np.abs(first + np.arange(size) - mean)
    order = np.argsort(away)
    enough = np.searchsorted(np.cumsum(chance[order]), _CONFIDENCE + 1e-9)
    return float(away[order[min(enough, size - 1)]]) / people / (truth - other)


def _checked(epsilon: float, people: int) -> tuple[float, int]:
    return check_number("epsilon", epsilon, **_LEVELS), check_integer("people", people, at_least=1, at_most=MOST_PEOPLE)


def _have(share: float, people: int) -> int:
    return math.floor(share * people + 0.5)
