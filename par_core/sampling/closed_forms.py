"""Closed forms of implicit randomness: how far a sampled sensitivity can be trusted, and how many samples that takes.

The sensitivity of a query is taken from sampled pairs of neighbouring data sets. Theorem 5 of Privacy at Risk bounds how
often it is exceeded by the Dvoretzky-Kiefer-Wolfowitz inequality, but loses a -rho on the way. The exact coverage of a
sorted value needs no rho at all and stands beside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import like_input, one, one_whole, real, whole
from par_core.standing import PROVEN, declare

MOST_SAMPLES = 10**15
_BELOW_1 = 1 - 2.0**-53  # what is not certain is never called so, however close the float

_DKW = "Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant (PaR equation 13)"
_PAIRS = "for pairs that are drawn independently; drawn from one table, they speak of all pairs that it can give, not of other people"
_BETA = "the j-th of n sorted values of a continuous law lies at a Beta(j, n + 1 - j) share of it; of any other law no lower"


@declare(PROVEN, source=_DKW, limits=_PAIRS)
def tolerance(samples: ArrayLike, rho: ArrayLike) -> Any:
    """Probability alpha that the empirical distribution is nowhere further than rho from the true one.

    Parameters
    ----------
    samples : array_like of whole numbers, 1 to 1e15
        Number of sampled pairs.
    rho : array_like, above 0
        Largest distance between the two distribution functions, a probability.

    Returns
    -------
    float or ndarray
        1 - 2·exp(-2·rho²·samples), and 0 where that is negative: the inequality then says nothing. Shape of the broadcast
        arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(tolerance(15_000, 0.01), 4), round(tolerance(10_000, 0.01), 4)
    (0.9004, 0.7293)
    """
    number, distance = _samples(samples), real("rho", rho, above=0)
    return like_input(_tolerance(number, distance))


@declare(PROVEN, source=_DKW + ", solved for the number of samples", limits=_PAIRS)
def samples_needed(rho: ArrayLike, wanted: ArrayLike) -> Any:
    """Smallest number of samples whose tolerance at rho is at least the wanted one.

    Parameters
    ----------
    rho : array_like, from 1e-6
        Largest distance between the two distribution functions.
    wanted : array_like, from 0 to below 1
        The wanted alpha.

    Returns
    -------
    int or ndarray of int
        Rounded up: put back into `tolerance` it meets the wish. Shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> samples_needed(0.01, 0.9)
    14979
    """
    distance, alpha = real("rho", rho, at_least=1e-6), real("wanted", wanted, at_least=0, below=1)
    number = np.maximum(np.ceil(_twice_log(alpha) / _twice_square(distance)), 1.0)
    # One more where rounding of the formula falls short of the wish; one less is never tried.
    number = np.where(_tolerance(number, distance) >= alpha, number, number + 1)
    result = number.astype(np.int64)
    return int(result) if result.ndim == 0 else result


@declare(PROVEN, source=_DKW + ", solved for the number of samples and not rounded", limits=_PAIRS)
def samples_formula(rho: ArrayLike, wanted: ArrayLike) -> Any:
    """Samples that the inequality asks for, as figure 2 of Privacy at Risk draws them: before rounding up.

    Parameters
    ----------
    rho : array_like, from 1e-6
        Largest distance between the two distribution functions.
    wanted : array_like, from 0 to below 1
        The wanted alpha.

    Returns
    -------
    float or ndarray
        ln(2/(1 - wanted))/(2·rho²), in the shape of the broadcast arguments; `samples_needed` is the whole number above it.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(samples_formula(0.1, 0.9), 3)
    149.787
    """
    distance, alpha = real("rho", rho, at_least=1e-6), real("wanted", wanted, at_least=0, below=1)
    return like_input(np.asarray(_twice_log(alpha) / _twice_square(distance)))


@declare(PROVEN, source=_DKW + ", solved for rho", limits=_PAIRS)
def rho_for(samples: ArrayLike, wanted: ArrayLike) -> Any:
    """Smallest distance rho that the empirical distribution keeps with the wanted probability.

    Parameters
    ----------
    samples : array_like of whole numbers, 1 to 1e15
        Number of sampled pairs.
    wanted : array_like, from 0 to below 1
        The wanted alpha.

    Returns
    -------
    float or ndarray
        Rounded up: put back into `tolerance` it meets the wish. Above 1 it says nothing, since two distribution functions are
        never further apart. Shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(rho_for(15_000, 0.9), 6)
    0.009993
    """
    number, alpha = _samples(samples), real("wanted", wanted, at_least=0, below=1)
    # 1 - alpha carries the rounding of alpha: the closer to 1, the more of it rho has to make up for.
    slack = 2.0**-50 / (1 - alpha) / _twice_log(alpha)
    return like_input(np.sqrt(_twice_log(alpha) / (2 * number)) * (1 + slack))


@declare(PROVEN, source=_BETA, limits=_PAIRS)
def coverage(samples: ArrayLike, rank: ArrayLike, *, share: ArrayLike) -> Any:
    """Probability that a sorted sample value is at least as large as the given share of the whole law.

    Parameters
    ----------
    samples : array_like of whole numbers, 1 to 1e15
        Number n of sampled pairs.
    rank : array_like of whole numbers, 1 to n
        Which of the sorted values, counted from the smallest.
    share : array_like in [0, 1]
        The share of all pairs whose sensitivity is not to exceed that value.

    Returns
    -------
    float or ndarray
        P(F(rank-th value) >= share), exact for a continuous law F and a lower bound for any other. Shape of the broadcast
        arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number; a rank above the number of samples.

    Examples
    --------
    >>> coverage(1, 1, share=0.25)
    0.75
    >>> round(coverage(10, 10, share=0.9), 4)    # 1 - 0.9**10
    0.6513
    """
    number = _samples(samples)
    place = whole("rank", rank, at_least=1).astype(np.float64)
    if np.any(place > number):
        raise ParameterError("rank must be at most the number of samples")
    part = real("share", share, at_least=0, at_most=1)
    found = special.betaincc(place, number + 1 - place, part)
    return like_input(np.where(part > 0, np.minimum(found, _BELOW_1), found))


@declare(PROVEN, source=_BETA, limits=_PAIRS)
def samples_for_largest(share: ArrayLike, wanted: ArrayLike) -> Any:
    """Smallest number of samples whose largest value covers the given share with the wanted probability.

    It answers "how many samples?" without any rho: 1 - share^n has to be at least the wish.

    Parameters
    ----------
    share : array_like, from 0 to at most 1 - 1e-12
        The share of all pairs whose sensitivity is not to exceed the largest sampled one.
    wanted : array_like, from 0 to below 1
        How probable that is to be.

    Returns
    -------
    int or ndarray of int
        Shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> samples_for_largest(0.9, 0.95)
    29
    """
    part = real("share", share, at_least=0, at_most=1 - 1e-12)
    sure = real("wanted", wanted, at_least=0, below=1)
    with np.errstate(divide="ignore"):
        number = np.maximum(np.ceil(np.log1p(-sure) / np.log(part)), 1.0)
        number = np.where(-np.expm1(number * np.log(part)) >= sure, number, number + 1)
    result = number.astype(np.int64)
    return int(result) if result.ndim == 0 else result


@declare(PROVEN, source=_BETA, limits=_PAIRS)
def rank_for(samples: int, *, share: float, wanted: float) -> int:
    """Rank of the smallest sorted value that covers the given share with the wanted probability.

    Parameters
    ----------
    samples : int, 1 to 1e15
        Number of sampled pairs.
    share : float in [0, 1]
        The share of all pairs whose sensitivity is not to exceed the value.
    wanted : float, from 0 to below 1
        How probable that is to be.

    Returns
    -------
    int
        From 1 to the number of samples.

    Raises
    ------
    InfeasibleError
        Even the largest value does not cover the share so probably; `.best` is the probability that it does.
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> rank_for(1000, share=0.9, wanted=0.95)
    916
    """
    number = one_whole("samples", samples, at_least=1, at_most=MOST_SAMPLES)
    part, sure = one("share", share, at_least=0, at_most=1), one("wanted", wanted, at_least=0, below=1)
    best = float(coverage(number, number, share=part))
    if best < sure:
        raise InfeasibleError(
            f"even the largest of {number:,} sampled values covers a share of {part:g} with a probability of {best:.6g} only, "
            f"wanted {sure:g}",
            best=best,
        )
    low, high = 0, number  # the rank above low, up to high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if coverage(number, middle, share=part) >= sure else (middle, high)
    return high


def _samples(samples: ArrayLike) -> NDArray[np.float64]:
    return whole("samples", samples, at_least=1, at_most=MOST_SAMPLES).astype(np.float64)


def _tolerance(number: NDArray[np.float64], rho: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.maximum(1 - 2 * np.exp(-_twice_square(rho) * number), 0.0))


def _twice_square(rho: NDArray[np.float64]) -> NDArray[np.float64]:
    """2·rho², of a distance beyond all probabilities no more than of 1e100."""
    return np.asarray(2 * np.minimum(rho, 1e100) ** 2)


def _twice_log(alpha: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln(2/(1 - alpha))."""
    return np.asarray(np.log(2.0) - np.log1p(-alpha))
