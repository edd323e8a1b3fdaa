"""How far off a release with Laplace noise is, before any data are looked at; and the epsilon for a wanted error.

Each of the k numbers of an answer carries its own Laplace noise of scale b = sensitivity/epsilon. The error is then the
noise, whatever the data: nothing here is private. The sum of all k errors is, in size, b times |X1 - X2| with X1 and X2
independent Gamma(k, 1), which is the T of `par_core.explicit`.

A whole number released with rounding is off by J with P(|J| >= j) = exp(-(j - 1/2)/b) for j >= 1. Rounding and setting
negative counts to 0 happen after the noise: they cost no privacy. `par_core.release.processing` has what clamping does.
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

from par_core import explicit
from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import like_input, of_type, one, one_whole, real, shown
from par_core.roots import crossing
from par_core.scenario import Scenario
from par_core.standing import PROVEN, Standing, declare

_LAW = "quantiles and means of the Laplace law, closed form"
_TOTAL = "sum of k independent Laplace variables: difference of two Gamma(k, 1) variables"
_DOUBLINGS = 64
_USUAL = 0.95
_CLOSE = 1e-12

_Floats = NDArray[np.float64]


class Measure(StrEnum):
    """What is meant by the error of a release.

    EXPECTED: mean absolute error of one number. RANGE95: one number is off by at most this 95 times out of 100.
    ALL95: all k numbers together. TOTAL_EXPECTED and TOTAL95: the same for the sum of all k numbers. ROUNDED_EXPECTED
    and ROUNDED95: for one whole number that is rounded after the noise is added.
    """

    EXPECTED = "expected"
    RANGE95 = "range95"
    ALL95 = "all95"
    TOTAL_EXPECTED = "total-expected"
    TOTAL95 = "total95"
    ROUNDED_EXPECTED = "rounded-expected"
    ROUNDED95 = "rounded95"


@dataclass(frozen=True)
class ReleaseError:
    """The error of one noisy answer, in its unit; fields have the shape of the broadcast epsilon and sensitivity.

    The methods take the probability with which the range holds, above 0 and below 1; the properties are for 0.95.
    """

    epsilon: Any
    sensitivity: Any
    k: int
    scale: Any
    standing: Standing = PROVEN
    source: str = _LAW

    @property
    def expected(self) -> Any:
        """Mean absolute error of one number: the scale of the noise."""
        return self.scale

    @property
    def rounded_expected(self) -> Any:
        """Mean absolute error of one whole number after rounding: 1/(2·sinh(1/(2b))), below the scale b."""
        return like_input(rounded_mean(np.asarray(self.scale)))

    @property
    def total_expected(self) -> Any:
        """Mean absolute error of the sum of all k numbers."""
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

    @property
    def rounded95(self) -> Any:
        """Smallest whole number that the error of a rounded whole number stays within with probability 0.95."""
        return self.rounded_range(_USUAL)

    def range(self, share: float) -> Any:
        """One number is off by at most this with probability `share`: b·ln(1/(1 - share))."""
        return like_input(np.asarray(self.scale) * _quantile(_share(share)))

    def range_of_all(self, share: float) -> Any:
        """No one of the k numbers is off by more than this with probability `share`."""
        return like_input(np.asarray(self.scale) * _quantile_of_all(_share(share), self.k))

    def range_of_total(self, share: float) -> Any:
        """The sum of all k numbers is off by at most this with probability `share`."""
        return like_input(np.asarray(self.scale) * _quantile_of_total(_share(share), self.k))

    def rounded_range(self, share: float) -> Any:
        """Smallest whole number w with P(|error of a rounded whole number| <= w) >= `share`, as a float."""
        return like_input(_rounded_quantile(np.asarray(self.scale, dtype=float), _share(share)))


def release_error(epsilon: ArrayLike, sensitivity: ArrayLike, *, k: int = 1) -> ReleaseError:
    """Return the error of k numbers released with Laplace noise.

    Parameters
    ----------
    epsilon : array_like, above 0
        The level of differential privacy of the whole answer.
    sensitivity : array_like, above 0
        L1 sensitivity of the whole answer, in its unit.
    k : int, 1 to 100,000
        How many numbers the answer holds.

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
    >>> error.expected, round(error.range95, 2), error.rounded95
    (2.0, 5.99, 6.0)
    """
    level, moves = real("epsilon", epsilon, above=0.0), real("sensitivity", sensitivity, above=0.0)
    dimension = one_whole("k", k, at_least=1, at_most=explicit.LARGEST_K)
    with np.errstate(over="ignore"):
        scale = moves / level
    return ReleaseError(like_input(level), like_input(moves), dimension, like_input(scale))


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
def error_of(epsilon: ArrayLike, sensitivity: ArrayLike, *, measure: Measure = Measure.EXPECTED, k: int = 1) -> Any:
    """Error of a release by one measure, in the unit of the sensitivity.

    Parameters
    ----------
    epsilon, sensitivity, k
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
    error = release_error(epsilon, sensitivity, k=k)
    return {
        Measure.EXPECTED: lambda: error.expected,
        Measure.RANGE95: lambda: error.range95,
        Measure.ALL95: lambda: error.all95,
        Measure.TOTAL_EXPECTED: lambda: error.total_expected,
        Measure.TOTAL95: lambda: error.total95,
        Measure.ROUNDED_EXPECTED: lambda: error.rounded_expected,
        Measure.ROUNDED95: lambda: error.rounded95,
    }[_measure(measure)]()


@declare(PROVEN, source=_LAW + ", solved for epsilon; " + _TOTAL)
def epsilon_for_error(
    wanted: ArrayLike, sensitivity: ArrayLike, *, measure: Measure = Measure.EXPECTED, k: int = 1
) -> Any:
    """Smallest epsilon, that is most noise, with which the error is at most the wanted one.

    Parameters
    ----------
    wanted : array_like, above 0
        The largest error that will do, in the unit of the sensitivity; for ROUNDED95 also 0.
    sensitivity, k
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
    >>> round(epsilon_for_error(6, 1.0, measure="rounded95"), 4)
    0.4609
    """
    meant = _measure(measure)
    at_zero = {"at_least": 0.0} if meant is Measure.ROUNDED95 else {"above": 0.0}
    aim, moves = np.broadcast_arrays(real("wanted", wanted, **at_zero), real("sensitivity", sensitivity, above=0.0))
    with np.errstate(over="ignore", divide="ignore"):
        if meant is Measure.ROUNDED95:
            found = moves * (_quantile(_USUAL) / (np.floor(aim) + 0.5))
        elif meant is Measure.ROUNDED_EXPECTED:
            found = 2.0 * moves * _inverse_rounded_mean(aim)
        else:
            found = moves / (aim / error_of(1.0, 1.0, measure=meant, k=k))
    found = np.maximum(found, np.finfo(float).smallest_subnormal)
    for doubling in range(_DOUBLINGS):  # rounding may have left it a little too small
        if not np.isfinite(found).all():
            raise InfeasibleError("no finite epsilon makes the error as small as wanted")
        short = np.asarray(error_of(found, moves, measure=meant, k=k)) > aim
        if not short.any():
            break
        with np.errstate(over="ignore"):
            found = np.where(short, found + np.ldexp(np.spacing(found), doubling), found)
    return like_input(found)


@declare(PROVEN, source=_LAW + ", summed over whole numbers")
def rounded_mean(scale: _Floats) -> _Floats:
    """Mean size of Laplace noise of a scale after rounding to whole numbers: 1/(2·sinh(1/(2·scale)))."""
    with np.errstate(over="ignore", divide="ignore"):
        mean: _Floats = 0.5 / np.sinh(0.5 / np.asarray(scale, dtype=float))
    return mean


def _inverse_rounded_mean(mean: _Floats) -> _Floats:
    """Solve 1/(2·sinh(x)) = mean for x; by logarithms where 1/mean is no float."""
    with np.errstate(over="ignore"):
        small = -np.log(mean)  # sinh(x) is exp(x)/2 to the last bit
        return np.where(mean < 1e-100, small, np.arcsinh(0.5 / np.maximum(mean, 1e-100)))


def _measure(value: object) -> Measure:
    try:
        return Measure(value)  # type: ignore[arg-type]  # anything else than a known text raises
    except ValueError as error:
        raise ParameterError(f"measure must be one of {', '.join(Measure)}, got {shown(value)}") from error


def _share(value: float) -> float:
    return one("share", value, above=0.0, below=1.0)


def _quantile(share: float) -> float:
    return -math.log1p(-share)


def _quantile_of_all(share: float, k: int) -> float:
    """Solve (1 - exp(-x))^k = share."""
    return -math.log(-math.expm1(math.log(share) / k))


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


def _rounded_quantile(scale: _Floats, share: float) -> _Floats:
    """Smallest whole w >= 0 with exp(-(w + 1/2)/scale) <= 1 - share."""
    guess = np.maximum(np.ceil(scale * _quantile(share) - 0.5), 0.0) + 0.0  # no -0
    # the same inequality once more, on the safe side, in case the product was rounded onto a whole number
    return np.where((guess + 0.5) < scale * _quantile(share), guess + 1.0, guess)
