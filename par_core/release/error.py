"""How far off a noisy release is, before any data are looked at; and the epsilon for a wanted error.

Each of the k numbers of an answer carries noise of its own. The error is then the noise, whatever the data: nothing here is
private. The sum of all k errors of Laplace noise is, in size, the scale times |X1 - X2| with X1 and X2 independent Gamma(k, 1).

Discrete noise is Laplace noise less something independent of it and symmetric, because the whole part of an exponential variable is
independent of the rest. Its sum is therefore within w, a whole number, at least as often as that of Laplace noise is within w + 1/2,
and smaller on average.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import InfeasibleError
from par_core.mechanisms import Noise, drawn
from par_core.mechanisms.mechanism import moved_until
from par_core.parameters import like_input, of_type, one, one_of, one_whole, real, together
from par_core.published import explicit
from par_core.roots import crossing
from par_core.scenario import Scenario
from par_core.standing import PROVEN, Standing, declare

_LAW = "quantiles and means of the noise, closed form"
_TOTAL = "sum of k independent Laplace variables: difference of two Gamma(k, 1) variables"
_USUAL = 0.95
_CLOSE = 1e-12
_LARGEST = np.finfo(float).max


class Measure(StrEnum):
    """What is meant by the error of a release.

    EXPECTED: mean absolute error of one number. RANGE95: one number is off by at most this 95 times out of 100.
    ALL95: all k numbers together. TOTAL_EXPECTED and TOTAL95: the same for the sum of all k numbers, of whole numbers an upper bound.
    """

    EXPECTED = "expected"
    RANGE95 = "range95"
    ALL95 = "all95"
    TOTAL_EXPECTED = "total-expected"
    TOTAL95 = "total95"


@dataclass(frozen=True)
class ReleaseError:
    """The error of one noisy answer, in its unit; fields have the shape of the broadcast epsilon and sensitivity.

    The methods take the probability with which the range holds, above 0 and below 1; the properties are for 0.95.
    """

    epsilon: Any
    sensitivity: Any
    k: int
    whole: bool
    noise: Noise
    standing: Standing = PROVEN
    source: str = _LAW

    @property
    def scale(self) -> Any:
        """Scale of the noise, in the unit of the answer."""
        return self.noise.scale

    @property
    def expected(self) -> Any:
        """Mean absolute error of one number."""
        return self.noise.mean_error

    @property
    def total_expected(self) -> Any:
        """Mean absolute error of the sum of all k numbers; of whole numbers an upper bound."""
        return like_input(np.asarray(self.scale) * (2.0 * math.exp(-float(special.betaln(self.k, 0.5)))))

    @property
    def range95(self) -> Any:
        """One number is off by at most this with probability 0.95."""
        return self.range(_USUAL)

    @property
    def all95(self) -> Any:
        """No one of the k numbers is off by more than this with probability 0.95."""
        return self.range_of_all(_USUAL)

    @property
    def total95(self) -> Any:
        """The sum of all k numbers is off by at most this with probability 0.95."""
        return self.range_of_total(_USUAL)

    def range(self, share: float) -> Any:
        """One number is off by at most this with probability `share`."""
        return self.noise.error(one("share", share, above=0.0, below=1.0))

    def range_of_all(self, share: float) -> Any:
        """No one of the k numbers is off by more than this with probability `share`."""
        return self.noise.all_error(one("share", share, above=0.0, below=1.0), self.k)

    def range_of_total(self, share: float) -> Any:
        """The sum of all k numbers is off by at most this with probability `share`."""
        with np.errstate(over="ignore"):
            found = np.asarray(self.scale) * _quantile_of_total(one("share", share, above=0.0, below=1.0), self.k)
        return like_input(np.maximum(np.ceil(found - 0.5), 0.0) + 0.0 if self.whole else found)


def release_error(epsilon: ArrayLike, sensitivity: ArrayLike, *, k: int = 1, whole: bool = False) -> ReleaseError:
    """Return the error of k noisy numbers; one beyond the largest float is infinite.

    epsilon, above 0, and the L1 sensitivity, above 0 and in its unit, are those of the whole answer of k numbers, 1 to 100,000. If these
    are whole, such as counts, they get noise that keeps them whole; the sensitivity is whole then.

    >>> error = release_error(0.5, 1.0)
    >>> error.expected, round(error.range95, 2), release_error(0.5, 1, whole=True).range95
    (2.0, 5.99, 6.0)
    """
    level, moves = real("epsilon", epsilon, above=0.0), real("sensitivity", sensitivity, above=0.0)
    dimension = one_whole("k", k, at_least=1, at_most=explicit.LARGEST_K)
    noise = drawn(whole=whole).for_epsilon(level, sensitivity=moves)
    return ReleaseError(like_input(level), like_input(moves), dimension, whole, noise)


def scenario_error(scenario: Scenario) -> ReleaseError:
    """Return the error of the release that a scenario plans: its epsilon0, sensitivity and k."""
    of_type("scenario", scenario, Scenario)
    return release_error(scenario.epsilon0, scenario.sensitivity, k=scenario.k)


@declare(PROVEN, source=_LAW + "; " + _TOTAL)
def error_of(
    epsilon: ArrayLike, sensitivity: ArrayLike, *, measure: Measure = Measure.EXPECTED, k: int = 1, whole: bool = False
) -> Any:
    """Error of a release by one measure, in the unit of the sensitivity; infinite beyond the largest float.

    Other arguments are those of `release_error`.
    """
    meant = Measure(one_of("measure", measure, Measure))
    return getattr(release_error(epsilon, sensitivity, k=k, whole=whole), meant.name.lower())


@declare(PROVEN, source=_LAW + ", solved for epsilon; " + _TOTAL)
def epsilon_for_error(
    wanted: ArrayLike, sensitivity: ArrayLike, *, measure: Measure = Measure.EXPECTED, k: int = 1, whole: bool = False
) -> Any:
    """Smallest epsilon, that is most noise, with which the error is at most the wanted one.

    `wanted` is above 0, in the unit of the sensitivity; for a range of whole numbers it may be 0. The other arguments are those
    of `release_error` and `error_of`, and the answer meets the wish when put back in. InfeasibleError if it would be beyond the
    largest float.

    >>> round(epsilon_for_error(6.0, 1.0, measure="range95"), 4)
    0.4993
    >>> round(epsilon_for_error(6, 1, measure="range95", whole=True), 4)
    0.4569
    """
    meant = Measure(one_of("measure", measure, Measure))
    is_range = meant not in (Measure.EXPECTED, Measure.TOTAL_EXPECTED)
    at_zero = {"at_least": 0.0} if of_type("whole", whole, bool) and is_range else {"above": 0.0}
    aim, moves = together(
        wanted=real("wanted", wanted, **at_zero), sensitivity=real("sensitivity", sensitivity, above=0.0)
    )

    def meets(epsilon: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(error_of(np.minimum(epsilon, _LARGEST), moves, measure=meant, k=k, whole=whole) <= aim)

    if not meets(np.full(aim.shape, _LARGEST)).all():
        raise InfeasibleError("no finite epsilon makes the error as small as wanted")
    if whole:
        found = _smallest_float(meets, aim.shape)
    else:  # the error is in proportion to 1/epsilon, but for rounding
        with np.errstate(over="ignore", divide="ignore"):
            found = moves / (aim / error_of(1.0, 1.0, measure=meant, k=k))
            found = moved_until(meets, np.clip(found, np.finfo(float).smallest_subnormal, _LARGEST))
    return like_input(np.minimum(found, _LARGEST))


def _smallest_float(
    meets: Callable[[NDArray[np.float64]], NDArray[np.bool_]], shape: tuple[int, ...]
) -> NDArray[np.float64]:
    """Return the smallest floats above 0 that meet a wish: they are in the order of their bits, read as whole numbers and halved."""
    low, high = np.zeros(shape, np.int64), np.full(shape, _LARGEST).view(np.int64)
    while (high - low > 1).any():
        middle = high - (high - low) // 2
        enough = meets(middle.view(np.float64))
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return high.view(np.float64)


@lru_cache(maxsize=256)
def _quantile_of_total(share: float, k: int) -> float:
    """Solve P(T <= x) = share, T of `par_core.published.explicit`; the result holds at least `share`."""
    high = math.sqrt(2.0 * k)  # the standard deviation of the sum
    while explicit.t_cdf(high, k=k) < share:
        high *= 2.0
    return crossing(lambda x: share - float(explicit.t_cdf(x, k=k)), 0.0, high, rtol=_CLOSE)
