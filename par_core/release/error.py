"""How far off a noisy release is, before any data are looked at; and the epsilon for a wanted error.

Each of the k numbers of an answer carries its own noise: discrete Laplace noise on whole numbers, Laplace noise on all others, of
scale b = sensitivity/epsilon. The error is then the noise, whatever the data: nothing here is private. The sum of all k errors of
Laplace noise is, in size, b times |X1 - X2| with X1 and X2 independent Gamma(k, 1), which is the T of `par_core.published.explicit`.

Discrete noise is Laplace noise less something independent of it and symmetric, because the whole part of an exponential variable is
independent of the rest. Its sum is therefore within w, a whole number, at least as often as that of Laplace noise is within w + 1/2,
and smaller on average. Setting negative counts to 0 happens after the noise: it costs no privacy. `par_core.release.processing` has
what that does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.optimize import elementwise

from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import Mechanism, drawn
from par_core.parameters import like_input, of_type, one, one_whole, real, shown
from par_core.published import explicit
from par_core.roots import crossing
from par_core.scenario import Scenario
from par_core.standing import PROVEN, Standing, declare

_LAW = "quantiles and means of the noise, closed form"
_TOTAL = "sum of k independent Laplace variables: difference of two Gamma(k, 1) variables"
_DOUBLINGS = 64
_USUAL = 0.95
_CLOSE = 1e-12

_Floats = NDArray[np.float64]


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
    noise: Mechanism
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
        return like_input(np.asarray(self.scale) * _total_mean(self.k))

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
        return self.noise.error(_share(share))

    def range_of_all(self, share: float) -> Any:
        """No one of the k numbers is off by more than this with probability `share`."""
        return self.noise.all_error(_share(share), self.k)

    def range_of_total(self, share: float) -> Any:
        """The sum of all k numbers is off by at most this with probability `share`."""
        with np.errstate(over="ignore"):
            found = np.asarray(self.scale) * _quantile_of_total(_share(share), self.k)
        return like_input(np.maximum(np.ceil(found - 0.5), 0.0) + 0.0 if self.whole else found)


def release_error(epsilon: ArrayLike, sensitivity: ArrayLike, *, k: int = 1, whole: bool = False) -> ReleaseError:
    """Return the error of k noisy numbers.

    Parameters
    ----------
    epsilon : array_like, above 0
        The level of differential privacy of the whole answer.
    sensitivity : array_like, above 0
        L1 sensitivity of the whole answer, in its unit.
    k : int, 1 to 100,000
        How many numbers the answer holds.
    whole : bool
        Whether they are whole numbers, such as counts, and get noise that keeps them whole; the sensitivity is whole then.

    Returns
    -------
    ReleaseError
        An error beyond the largest float is infinite.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> error = release_error(0.5, 1.0)
    >>> error.expected, round(error.range95, 2), release_error(0.5, 1, whole=True).range95
    (2.0, 5.99, 6.0)
    """
    level, moves = real("epsilon", epsilon, above=0.0), real("sensitivity", sensitivity, above=0.0)
    dimension = one_whole("k", k, at_least=1, at_most=explicit.LARGEST_K)
    noise = drawn(whole=of_type("whole", whole, bool)).for_epsilon(level, sensitivity=moves)
    return ReleaseError(like_input(level), like_input(moves), dimension, whole, noise)


def scenario_error(scenario: Scenario) -> ReleaseError:
    """Return the error of the release that a scenario plans: its epsilon0, sensitivity and k.

    Examples
    --------
    >>> scenario_error(Scenario(epsilon0=0.5, sensitivity=2.0, k=7)).expected
    4.0
    """
    of_type("scenario", scenario, Scenario)
    return release_error(scenario.epsilon0, scenario.sensitivity, k=scenario.k)


@declare(PROVEN, source=_LAW + "; " + _TOTAL)
def error_of(
    epsilon: ArrayLike,
    sensitivity: ArrayLike,
    *,
    measure: Measure = Measure.EXPECTED,
    k: int = 1,
    whole: bool = False,
) -> Any:
    """Error of a release by one measure, in the unit of the sensitivity.

    Parameters
    ----------
    epsilon, sensitivity, k, whole
        As in `release_error`.
    measure : Measure or str
        What is meant by the error.

    Returns
    -------
    float or ndarray
        At least 0, infinite beyond the largest float; shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(error_of(0.5, 2.0, measure="total95", k=7), 2)
    29.79
    """
    error = release_error(epsilon, sensitivity, k=k, whole=whole)
    return {
        Measure.EXPECTED: lambda: error.expected,
        Measure.RANGE95: lambda: error.range95,
        Measure.ALL95: lambda: error.all95,
        Measure.TOTAL_EXPECTED: lambda: error.total_expected,
        Measure.TOTAL95: lambda: error.total95,
    }[_measure(measure)]()


@declare(PROVEN, source=_LAW + ", solved for epsilon; " + _TOTAL)
def epsilon_for_error(
    wanted: ArrayLike,
    sensitivity: ArrayLike,
    *,
    measure: Measure = Measure.EXPECTED,
    k: int = 1,
    whole: bool = False,
) -> Any:
    """Smallest epsilon, that is most noise, with which the error is at most the wanted one.

    Parameters
    ----------
    wanted : array_like, above 0
        The largest error that will do, in the unit of the sensitivity; for a range of whole numbers also 0.
    sensitivity, k, whole
        As in `release_error`.
    measure : Measure or str
        What is meant by the error.

    Returns
    -------
    float or ndarray
        Above 0, rounded up until `error_of` it is at most `wanted`; shape of the broadcast arguments.

    Raises
    ------
    InfeasibleError
        If it would take an epsilon beyond the largest float.
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(epsilon_for_error(6.0, 1.0, measure="range95"), 4)
    0.4993
    >>> round(epsilon_for_error(6, 1, measure="range95", whole=True), 4)
    0.4569
    """
    meant = _measure(measure)
    of_type("whole", whole, bool)
    is_range = meant not in (Measure.EXPECTED, Measure.TOTAL_EXPECTED)
    at_zero = {"at_least": 0.0} if whole and is_range else {"above": 0.0}
    aim, moves = np.broadcast_arrays(real("wanted", wanted, **at_zero), real("sensitivity", sensitivity, above=0.0))
    at_one = error_of(1.0, 1.0, measure=meant, k=k)
    with np.errstate(over="ignore", divide="ignore"):
        if not whole or meant is Measure.TOTAL_EXPECTED:
            found = moves / (aim / at_one)
        elif meant is Measure.EXPECTED:
            found = moves * _inverse_whole_mean(aim)
        elif meant is Measure.TOTAL95:
            found = moves * (at_one / (np.floor(aim) + 0.5))
        else:
            found = moves * _step_for_range(np.floor(aim), at_one)
    found = np.maximum(found, np.finfo(float).smallest_subnormal)
    for doubling in range(_DOUBLINGS):  # rounding may have left it a little too small
        if not np.isfinite(found).all():
            raise InfeasibleError("no finite epsilon makes the error as small as wanted")
        short = np.asarray(error_of(found, moves, measure=meant, k=k, whole=whole)) > aim
        if not short.any():
            break
        with np.errstate(over="ignore"):
            found = np.where(short, found + np.ldexp(np.spacing(found), doubling), found)
    return like_input(found)


def _inverse_whole_mean(mean: _Floats) -> _Floats:
    """Solve 1/sinh(x) = mean for x; by logarithms where 1/mean is no float."""
    with np.errstate(over="ignore"):
        small = math.log(2.0) - np.log(mean)  # sinh(x) is exp(x)/2 to the last bit
        return np.where(mean < 1e-100, small, np.arcsinh(1.0 / np.maximum(mean, 1e-100)))


def _step_for_range(most: _Floats, quantile: float) -> _Floats:
    """Solve 2·exp(-(most + 1)·x)/(1 + exp(-x)) = exp(-quantile) for x."""
    bracket = quantile / (most + 1.0), quantile / (most + 0.5) * (1.0 + 1e-12)
    found = elementwise.find_root(
        lambda x, most: (most + 1.0) * x + np.log1p(np.exp(-x)) - math.log(2.0) - quantile,
        bracket,
        args=(most,),
        tolerances={"xatol": 0.0, "xrtol": 1e-15, "fatol": 0.0},
    )
    return np.where(np.isfinite(found.x), found.x, bracket[1])


def _measure(value: object) -> Measure:
    try:
        return Measure(value)  # type: ignore[arg-type]  # anything else than a known text raises
    except ValueError as error:
        raise ParameterError(f"measure must be one of {', '.join(Measure)}, got {shown(value)}") from error


def _share(value: float) -> float:
    return one("share", value, above=0.0, below=1.0)


@lru_cache(maxsize=256)
def _quantile_of_total(share: float, k: int) -> float:
    """Solve P(T <= x) = share; the result holds at least `share`."""
    high = math.sqrt(2.0 * k)  # the standard deviation of the sum
    while explicit.t_cdf(high, k=k) < share:
        high *= 2.0
    return crossing(lambda x: share - float(explicit.t_cdf(x, k=k)), 0.0, high, rtol=_CLOSE)


def _total_mean(k: int) -> float:
    """Mean of T: 2/B(k, 1/2)."""
    return 2.0 * math.exp(-float(special.betaln(k, 0.5)))
