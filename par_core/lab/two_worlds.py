"""One published count, seen from two tables: how likely it is in either, what it gives away, and what it makes of a belief."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES, DiscreteLaplace, Noise, max_posterior
from par_core.parameters import FloatOrArray, check_choice, check_number

WITHOUT, WITH = 40, 41
"""The exact count in either world: one person is in it, or is not, and everybody else is known."""

_POINTS = 121  # odd
_MOST_STOPS = 50
_SHARE = 0.997  # of the answers lies in the picture, in either world
_FAR = 1e9  # the farthest answer
_EASY = 1e9  # nobody reads how many more times as likely
_LEAST_REACH = 3.0  # of a picture of whole numbers
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TwoWorlds(Result):
    """What one published answer says of two worlds, and how likely every answer is in either.

    `without` and `with_them` are densities, or probabilities where the noise is whole, at `answers`, all of one shape, and
    `likelihoods` both at `answer`. `losses` are the logarithms of their quotient, with over without, at `seen`, which reaches as far
    as `answer` and, if there is such a place, to where they leave ±epsilon. `loss` is that of `answer`, and `ratio`, from 1 to 10^9, how
    many times as likely the one world makes it as the other. `after` is the belief in the world with them, from `prior`. Releases that
    lose at most epsilon, up or down, keep it between `lowest` and `highest`; `exceeds` is the probability of any other, and one of
    `one_in` releases is such, 0 for none. `stops` are round answers in and around the worlds, rising.
    """

    noise: str
    epsilon: float
    is_whole: bool
    answer: float
    prior: float
    answers: _Floats
    without: _Floats
    with_them: _Floats
    seen: _Floats
    losses: _Floats
    loss: float
    likelihoods: tuple[float, float]
    ratio: float
    after: float
    lowest: float
    highest: float
    exceeds: float
    one_in: float
    stops: tuple[float, ...]
    QUANTITIES = quantities(
        ratio=stated("level", "up"),
        raised=stated("share", "up"),
        lowered=stated("share", "down"),
        lowest=stated("share", "down"),
        highest=stated("share", "up"),
        exceeds=stated("share", "up"),
        one_in=stated("number", "down"),
        factor=stated("level", "up"),
        size=stated("level"),
    )
    evidence = Evidence(
        PROVEN,
        source="distribution of the noise; Bayes' rule",
        limits="an observer who knows the count of everybody else",
    )

    @property
    def raised(self) -> float:
        """The belief afterwards, where it has risen."""
        return self.after

    @property
    def lowered(self) -> float:
        """The belief afterwards, where it has fallen."""
        return self.after

    @property
    def is_certain(self) -> bool:
        """Whether the ratio is larger than the largest that is told."""
        return self.ratio >= _EASY

    @property
    def factor(self) -> float:
        """By what the odds of a belief change at most: exp(epsilon)."""
        return math.exp(self.epsilon)

    @property
    def size(self) -> float:
        """The size of the loss."""
        return abs(self.loss)


def two_worlds(
    kind: str, epsilon: float, *, delta: float = 1e-5, answer: float = 42.0, prior: float = 0.5
) -> TwoWorlds:
    """Look at one answer, from -10^9 to 10^9, from two worlds whose counts are 40 and 41.

    `kind` is a name in `NOISES`, made for `epsilon`, 0.001 to 20, and where it needs one for `delta`, 1e-15 to 0.5. Where the noise
    is whole an answer is read as the next whole number. `prior`, from 0 to 1, is the belief in the world with 41.

    >>> seen = two_worlds("laplace", 0.5, answer=40.6)
    >>> round(seen.loss, 12), round(seen.after, 4), round(seen.highest, 4)
    (0.1, 0.525, 0.6225)
    """
    check_choice("kind", kind, NOISES)
    level = check_number("epsilon", epsilon, at_least=1e-3, at_most=20.0)
    noise = NOISES[kind].for_epsilon(
        level, sensitivity=WITH - WITHOUT, delta=check_number("delta", delta, at_least=1e-15, at_most=0.5)
    )
    is_whole = isinstance(noise, DiscreteLaplace)
    reach = max(noise.error_quantile(_SHARE), _LEAST_REACH * is_whole)
    published = check_number("answer", answer, at_least=-_FAR, at_most=_FAR)
    published = float(round(published)) if is_whole else published
    before = check_number("prior", prior, at_least=0.0, at_most=1.0)
    exceeds = min(float(noise.loss_exceeds(level)), 1.0)
    answers = _around(reach, is_whole=is_whole)
    # Beyond this lies half of what leaves the band, so that it leaves it within the picture.
    leaves = noise.error_quantile(1.0 - 0.5 * min(exceeds, 0.5)) if exceeds else 0.0
    near = _around(max(reach, leaves), is_whole=is_whole)
    seen = np.unique([min(near[0], published), *near, max(near[-1], published)])
    loss = _loss(noise, published)
    likelihoods = tuple(float(np.exp(noise.log_density(published - count))) for count in (WITHOUT, WITH))
    return TwoWorlds(
        noise.name,
        level,
        is_whole,
        published,
        before,
        answers,
        np.exp(noise.log_density(answers - WITHOUT)),
        np.exp(noise.log_density(answers - WITH)),
        seen,
        _loss(noise, seen),
        loss,
        (likelihoods[0], likelihoods[1]),
        min(math.exp(min(abs(loss), 700.0)), _EASY),
        float(special.expit(special.logit(before) + loss)),
        1.0 - max_posterior(1.0 - before, level),
        max_posterior(before, level),
        exceeds,
        1.0 / exceeds if exceeds else 0.0,
        _stops(reach, is_whole=is_whole),
    )


def _loss(noise: Noise, answers: _Floats | float) -> FloatOrArray:
    """Logarithm of how many times as likely answers are in the world with 41: the loss where that is the true one."""
    return -noise.loss_at(answers - WITHOUT)


def _around(reach: float, *, is_whole: bool) -> _Floats:
    """Answers that follow the curves in both worlds as far as `reach`."""
    if is_whole:
        step = math.ceil((2.0 * reach + 1.0) / _POINTS)
        places = math.ceil((reach + 1.0) / step)
        return WITHOUT + step * np.arange(-places, places + 1, dtype=float)
    off = np.linspace(-reach, reach, _POINTS)  # 0 is one of them, where a density can have its corner
    return np.unique([WITHOUT + off, WITH + off])


def _stops(reach: float, *, is_whole: bool) -> tuple[float, ...]:
    """Round answers at even steps as far as `reach`, and, where an answer can lie between the counts, tenths there."""
    least = (2.0 * reach + WITH - WITHOUT) / _MOST_STOPS
    power = 10.0 ** math.floor(math.log10(least))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= least)
    step = max(round(step), 1) if is_whole else step
    places = range(math.ceil((WITHOUT - reach) / step), math.floor((WITH + reach) / step) + 1)
    between = () if is_whole else range(10 * WITHOUT, 10 * WITH + 1)
    return tuple(sorted({WITHOUT, WITH, *(round(each * step, 6) for each in places), *(each / 10 for each in between)}))
