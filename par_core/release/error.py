"""How far off a noisy release is, before any data are looked at; and the epsilon for a wanted error.

Each of the k numbers of an answer carries noise of its own. The error is then the noise, whatever the data: nothing here is
private.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import InfeasibleError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.limits import LARGEST_K
from par_core.mechanisms import Noise, drawn
from par_core.mechanisms.mechanism import moved_until
from par_core.parameters import (
    FloatOrArray,
    check_choice,
    check_integer,
    check_number,
    check_numbers,
    like_input,
    together,
)

_LAW = "quantiles and means of the noise, and of the sum of k independent draws, closed form"
_USUAL = 0.95
_SMALLEST, _LARGEST = np.finfo(float).smallest_subnormal, np.finfo(float).max
_LARGEST_IN_L2 = 1e300  # beyond, no noise in L2 can be found


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
class ReleaseError(Result):
    """The error of one noisy answer, in its unit; fields have the shape of the broadcast epsilon and sensitivity.

    The methods take the probability with which the range holds, above 0 and below 1; the properties are for 0.95.
    """

    epsilon: FloatOrArray
    sensitivity: FloatOrArray
    k: int
    whole: bool
    noise: Noise
    evidence = Evidence(PROVEN, source=_LAW)

    @property
    def scale(self) -> FloatOrArray:
        """Scale of the noise, in the unit of the answer."""
        return self.noise.scale

    @property
    def expected(self) -> FloatOrArray:
        """Mean absolute error of one number."""
        return self.noise.mean_error

    @property
    def total_expected(self) -> FloatOrArray:
        """Mean absolute error of the sum of all k numbers; of whole numbers an upper bound."""
        return self.noise.mean_total_error(self.k)

    @property
    def range95(self) -> FloatOrArray:
        """One number is off by at most this with probability 0.95."""
        return self.range(_USUAL)

    @property
    def all95(self) -> FloatOrArray:
        """No one of the k numbers is off by more than this with probability 0.95."""
        return self.range_of_all(_USUAL)

    @property
    def total95(self) -> FloatOrArray:
        """The sum of all k numbers is off by at most this with probability 0.95."""
        return self.range_of_total(_USUAL)

    def range(self, share: float) -> FloatOrArray:
        """One number is off by at most this with probability `share`."""
        return self.noise.error_quantile(check_number("share", share, above=0.0, below=1.0))

    def range_of_all(self, share: float) -> FloatOrArray:
        """No one of the k numbers is off by more than this with probability `share`."""
        return self.noise.all_error(check_number("share", share, above=0.0, below=1.0), self.k)

    def range_of_total(self, share: float) -> FloatOrArray:
        """The sum of all k numbers is off by at most this with probability `share`."""
        return self.noise.total_error(check_number("share", share, above=0.0, below=1.0), self.k)


def release_error(
    epsilon: ArrayLike,
    sensitivity: ArrayLike,
    *,
    k: int = 1,
    whole: bool = False,
    mechanism: str = "laplace",
    delta: float = 0.0,
) -> ReleaseError:
    """Return the error of k noisy numbers; one beyond the largest float is infinite.

    epsilon, above 0, and the sensitivity, above 0 and in its unit, are those of the whole answer of k numbers, 1 to 100,000. If these
    are whole, such as counts, noise in L1 keeps them whole; the sensitivity is whole then. The noise is what release scripts draw for a
    `mechanism` of `par_core.mechanisms.MECHANISMS`, at a delta above 0 if it needs one; the sensitivity is in the norm of that noise.

    >>> error = release_error(0.5, 1.0)
    >>> error.expected, round(error.range95, 2), release_error(0.5, 1, whole=True).range95
    (2.0, 5.99, 6.0)
    >>> round(release_error(0.5, 1.0, mechanism="gaussian", delta=1e-5).range95, 2)
    13.78
    """
    level, moves = check_numbers("epsilon", epsilon, above=0.0), check_numbers("sensitivity", sensitivity, above=0.0)
    dimension = check_integer("k", k, at_least=1, at_most=LARGEST_K)
    noise = drawn(whole=whole, mechanism=mechanism).for_epsilon(level, sensitivity=moves, delta=delta)
    return ReleaseError(like_input(level), like_input(moves), dimension, whole, noise)


@Evidence(PROVEN, source=_LAW)
def error_of(
    epsilon: ArrayLike,
    sensitivity: ArrayLike,
    *,
    measure: Measure = Measure.EXPECTED,
    k: int = 1,
    whole: bool = False,
    mechanism: str = "laplace",
    delta: float = 0.0,
) -> FloatOrArray:
    """Error of a release by one measure, in the unit of the sensitivity; infinite beyond the largest float.

    Other arguments are those of `release_error`.
    """
    meant = Measure(check_choice("measure", measure, Measure))
    error = release_error(epsilon, sensitivity, k=k, whole=whole, mechanism=mechanism, delta=delta)
    return getattr(error, meant.name.lower())


@Evidence(PROVEN, source=_LAW + ", solved for epsilon")
def epsilon_for_error(
    wanted: ArrayLike,
    sensitivity: ArrayLike,
    *,
    measure: Measure = Measure.EXPECTED,
    k: int = 1,
    whole: bool = False,
    mechanism: str = "laplace",
    delta: float = 0.0,
) -> FloatOrArray:
    """Smallest epsilon, that is most noise, with which the error, on average unless `measure` says otherwise, is at most the wanted one.

    `wanted` is above 0, in the unit of the sensitivity; for a range of whole numbers it may be 0. The other arguments are those
    of `release_error` and `error_of`, and the answer meets the wish when put back in. InfeasibleError if it would be beyond the
    largest float, and where delta alone makes the error as small.

    >>> round(epsilon_for_error(6.0, 1.0, measure="range95"), 4)
    0.4993
    >>> round(epsilon_for_error(6, 1, measure="range95", whole=True), 4)
    0.4569
    >>> round(epsilon_for_error(6, 1, measure="range95", mechanism="gaussian", delta=1e-5), 4)
    1.2431
    """
    meant = Measure(check_choice("measure", measure, Measure))
    is_range = meant not in (Measure.EXPECTED, Measure.TOTAL_EXPECTED)
    noise = drawn(whole=whole, mechanism=mechanism)
    stays_whole = whole and noise.norm == "L1"
    at_zero = {"at_least": 0.0} if stays_whole and is_range else {"above": 0.0}
    aim, moves = together(
        wanted=check_numbers("wanted", wanted, **at_zero),
        sensitivity=check_numbers("sensitivity", sensitivity, above=0.0),
    )

    def meets(epsilon: NDArray[np.float64]) -> NDArray[np.bool_]:
        found = error_of(
            np.minimum(epsilon, most), moves, measure=meant, k=k, whole=whole, mechanism=mechanism, delta=delta
        )
        return np.asarray(found <= aim)

    most = _LARGEST if noise.norm == "L1" else _LARGEST_IN_L2
    if not meets(np.full(aim.shape, most)).all():
        raise InfeasibleError("no finite epsilon makes the error as small as wanted")
    if stays_whole:
        found = _smallest_float(meets, aim.shape)
    else:  # the error is in proportion to the scale, but for rounding
        of_scale_1 = ReleaseError(1.0, 1.0, k, whole, noise.with_scale(1.0))
        with np.errstate(over="ignore", divide="ignore"):
            scale = np.clip(aim / getattr(of_scale_1, meant.name.lower()), _SMALLEST, _LARGEST)
            found = np.asarray(noise.epsilon_for_scale(scale, sensitivity=moves, delta=delta))
            if (found <= 0.0).any() and noise.norm == "L2":
                raise InfeasibleError(f"at δ = {delta:g} every ε keeps the error as small as wanted")
            found = moved_until(meets, np.clip(found, _SMALLEST, most))
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
