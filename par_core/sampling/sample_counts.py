"""Closed forms of implicit randomness: how far a sampled sensitivity can be trusted, and how many samples that takes.

Theorem 5 of Privacy at Risk bounds how often a sampled sensitivity is exceeded by the Dvoretzky-Kiefer-Wolfowitz inequality, but loses
a -rho on the way. The exact coverage of a sorted value needs no rho.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import FloatOrArray, check_integer, check_integers, check_number, check_numbers, like_input

MOST_SAMPLES = 10**15
_BELOW_1 = 1 - 2.0**-53  # what is not certain is never called so, however close the float

_DKW = "Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant (PaR equation 13)"
_PAIRS = "for pairs that are drawn independently; drawn from one table, they speak of all pairs that it can give, not of other people"
_BETA = "the j-th of n sorted values of a continuous law lies at a Beta(j, n + 1 - j) share of it; of any other law no lower"


@Evidence(PROVEN, source=_DKW, limits=_PAIRS)
def tolerance(samples: ArrayLike, rho: ArrayLike) -> FloatOrArray:
    """Probability alpha that the empirical distribution of 1 to 1e15 pairs is nowhere further than rho from the true one.

    It is 1 - 2·exp(-2·rho²·samples), and 0 where that is negative: the inequality then says nothing. rho, above 0, is the largest
    distance between the two distribution functions, a probability. Here and below arguments are scalars or arrays that broadcast.

    >>> round(tolerance(15_000, 0.01), 4), round(tolerance(10_000, 0.01), 4)
    (0.9004, 0.7293)
    """
    number, distance = _samples(samples), check_numbers("rho", rho, above=0)
    return like_input(_tolerance(number, distance))


@Evidence(PROVEN, source=_DKW + ", solved for the number of samples", limits=_PAIRS)
def samples_needed(rho: ArrayLike, wanted: ArrayLike) -> FloatOrArray:
    """Smallest number of samples whose tolerance at rho (from 1e-6) is at least the wanted one, from 0 to below 1.

    Put back into `tolerance` it meets the wish.

    >>> samples_needed(0.01, 0.9)
    14979
    """
    distance, alpha = _rho_and_alpha(rho, wanted)
    number = np.maximum(np.ceil(_twice_log(alpha) / _twice_square(distance)), 1.0)
    # One more where rounding of the formula falls short of the wish; one less is never tried.
    return whole_number(np.where(_tolerance(number, distance) >= alpha, number, number + 1))


@Evidence(PROVEN, source=_DKW + ", solved for the number of samples and not rounded", limits=_PAIRS)
def samples_formula(rho: ArrayLike, wanted: ArrayLike) -> FloatOrArray:
    """ln(2/(1 - wanted))/(2·rho²), as figure 2 of Privacy at Risk draws it: `samples_needed` before rounding up."""
    distance, alpha = _rho_and_alpha(rho, wanted)
    return like_input(np.asarray(_twice_log(alpha) / _twice_square(distance)))


@Evidence(PROVEN, source=_DKW + ", solved for rho", limits=_PAIRS)
def rho_for(samples: ArrayLike, wanted: ArrayLike) -> FloatOrArray:
    """Smallest distance rho that the empirical distribution keeps with the wanted probability, from 0 to below 1.

    Rounded up: put back into `tolerance` it meets the wish. Above 1 it says nothing, since two distribution functions are never
    further apart.
    """
    number, alpha = _samples(samples), check_numbers("wanted", wanted, at_least=0, below=1)
    # 1 - alpha carries the rounding of alpha: the closer to 1, the more of it rho has to make up for.
    slack = 2.0**-50 / (1 - alpha) / _twice_log(alpha)
    return like_input(np.sqrt(_twice_log(alpha) / (2 * number)) * (1 + slack))


@Evidence(PROVEN, source=_BETA, limits=_PAIRS)
def coverage(samples: ArrayLike, rank: ArrayLike, *, share: ArrayLike) -> FloatOrArray:
    """Probability that a sorted sample value is at least as large as the given share, in [0, 1], of the whole law.

    The rank counts from the smallest value, 1, to the number of samples. P(F(rank-th value) >= share) is exact for a continuous law F
    and a lower bound for any other.

    >>> coverage(1, 1, share=0.25)
    0.75
    """
    number = _samples(samples)
    place = check_integers("rank", rank, at_least=1).astype(np.float64)
    if np.any(place > number):
        raise ParameterError("rank must be at most the number of samples")
    part = check_numbers("share", share, at_least=0, at_most=1)
    found = special.betaincc(place, number + 1 - place, part)
    return like_input(np.where(part > 0, np.minimum(found, _BELOW_1), found))


@Evidence(PROVEN, source=_BETA, limits=_PAIRS)
def samples_for_largest(share: ArrayLike, wanted: ArrayLike) -> FloatOrArray:
    """Smallest number of samples whose largest value covers the given share with the wanted probability.

    It answers "how many samples?" without any rho: 1 - share^n has to be at least the wish. The share, from 0 to at most 1 - 1e-12,
    is that of all pairs whose sensitivity is not to exceed the largest sampled one; the wish lies from 0 to below 1.
    """
    part = check_numbers("share", share, at_least=0, at_most=1 - 1e-12)
    sure = check_numbers("wanted", wanted, at_least=0, below=1)
    with np.errstate(divide="ignore"):
        number = np.maximum(np.ceil(np.log1p(-sure) / np.log(part)), 1.0)
        return whole_number(np.where(-np.expm1(number * np.log(part)) >= sure, number, number + 1))


@Evidence(PROVEN, source=_BETA, limits=_PAIRS)
def rank_for(samples: int, *, share: float, wanted: float) -> int:
    """Rank of the smallest sorted value that covers the given share with the wanted probability, from 0 to below 1.

    Where even the largest value does not cover the share, in [0, 1], so probably, an InfeasibleError has in `.best` the probability
    that it does.
    """
    number = check_integer("samples", samples, at_least=1, at_most=MOST_SAMPLES)
    part, sure = (
        check_number("share", share, at_least=0, at_most=1),
        check_number("wanted", wanted, at_least=0, below=1),
    )
    best = float(coverage(number, number, share=part))
    if best < sure:
        raise InfeasibleError(
            f"even the largest of {number:,} sampled values covers a share of {part:g} with a probability of {best:.6g} only, "
            f"wanted {sure:g}",
            best=best,
        )
    ranks = range(1, number + 1)
    return ranks[bisect_left(ranks, True, key=lambda rank: coverage(number, rank, share=part) >= sure)]


@Evidence(PROVEN, source="the number as given")
def whole_number(number: NDArray[np.float64]) -> int | NDArray[np.int64]:
    """Return whole numbers as such: an int for a single one."""
    result = np.asarray(number).astype(np.int64)
    return int(result) if result.ndim == 0 else result


def _samples(samples: ArrayLike) -> NDArray[np.float64]:
    return check_integers("samples", samples, at_least=1, at_most=MOST_SAMPLES).astype(np.float64)


def _rho_and_alpha(rho: ArrayLike, wanted: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return check_numbers("rho", rho, at_least=1e-6), check_numbers("wanted", wanted, at_least=0, below=1)


def _tolerance(number: NDArray[np.float64], rho: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.maximum(1 - 2 * np.exp(-_twice_square(rho) * number), 0.0))


def _twice_square(rho: NDArray[np.float64]) -> NDArray[np.float64]:
    """2·rho², of a distance beyond all probabilities no more than of 1e100."""
    return np.asarray(2 * np.minimum(rho, 1e100) ** 2)


def _twice_log(alpha: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln(2/(1 - alpha))."""
    return np.asarray(np.log(2.0) - np.log1p(-alpha))
