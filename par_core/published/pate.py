"""PATE's data-dependent bound for noisy votes, and what *Privacy at Risk* makes of it in table 1."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PUBLISHED, Evidence
from par_core.mechanisms.noisy_max import MOST_MOMENTS, NoisyMax
from par_core.parameters import check_integer, check_integers, check_number, like_input
from par_core.published import explicit
from par_core.published.as_printed import AsPrinted

TABLE_1: Final = {100: (2.04, 1.81), 1000: (8.03, 5.95)}
"""Table 1 of the paper: for each number of queries the printed level without and with privacy at risk, at delta = 1e-5."""

_Floats = NDArray[np.float64]
_LIMITS = (
    "Without privacy at risk it bounds one of the two directions that differential privacy asks for: with the tables exchanged the "
    "moments of unlikely answers are larger once exp(l·epsilon0) exceeds 2l + 1. With privacy at risk it has no proof, and two classes "
    "with a clear majority exceed it at epsilon0 = 1. Either number depends on the votes and gives something of them away itself."
)


@Evidence(
    PUBLISHED, source="Papernot et al. 2017, Theorems 2 and 3; Privacy at Risk (PoPETs 2021), table 1", limits=_LIMITS
)
def log_moments(
    votes: ArrayLike,
    epsilon0: float,
    *,
    moments: int = 8,
    epsilon: float | None = None,
    confidence: float | None = None,
) -> AsPrinted:
    """PATE's bound of log E[exp(l·loss)] for each query, shape (moments, queries), l = 1 to `moments`, at most 32.

    It is log((1 - q)·((1 - q)/(1 - e^epsilon0·q))^l + q·e^(l·epsilon0)), with q the chance of Lemma 4 that the class with most votes
    loses, where q is below ½ and that is smaller than l·epsilon0 and ½·epsilon0²·l·(l + 1). With `epsilon`, above 0, privacy at risk
    puts confidence·e^epsilon + (1 - confidence)·e^epsilon0 in place of e^epsilon0 there, as the published script does; `confidence`, in
    [0, 1], is by default Theorem 4's, and an epsilon above epsilon0 counts as epsilon0.

    `votes` and `epsilon0`, the level of one query, are those of `mechanisms.noisy_max.NoisyMax`: DataError for votes that are none.

    >>> log_moments([[140, 110]], 0.1, moments=1).round(5)
    array([[0.01]])
    >>> bool(log_moments([[200, 50]], 0.1, epsilon=0.08)[7, 0] < log_moments([[200, 50]], 0.1)[7, 0])
    True
    """
    most = check_integer("moments", moments, at_least=1, at_most=MOST_MOMENTS)
    asked = NoisyMax(votes, epsilon0)
    return _bounds(asked.losing, asked.epsilon0, most, _log_factor(asked.epsilon0, epsilon, confidence))


@Evidence(
    PUBLISHED, source="Papernot et al. 2017, Theorems 1 to 3; Privacy at Risk (PoPETs 2021), table 1", limits=_LIMITS
)
def spent(
    votes: ArrayLike,
    epsilon0: float,
    *,
    delta: float,
    numbers: ArrayLike | None = None,
    moments: int = 8,
    epsilon: float | None = None,
    confidence: float | None = None,
) -> AsPrinted:
    """Epsilon of the first so many queries together, `numbers` of them, by default all: least over l of (sum of moments + ln(1/delta))/l.

    Other parameters as in `log_moments`; delta is above 0 and below 1. In the shape of `numbers`.

    >>> round(spent([[170, 80]] * 100, 0.1, delta=1e-5), 3), round(spent([[170, 80]] * 100, 0.1, delta=1e-5, epsilon=0.08), 3)
    (1.899, 1.808)
    """
    bounds = log_moments(votes, epsilon0, moments=moments, epsilon=epsilon, confidence=confidence)
    at = _numbers(numbers, bounds.shape[1])
    return like_input(_least(np.cumsum(bounds, axis=1)[:, at - 1], check_number("delta", delta, above=0, below=1)))


@Evidence(
    PUBLISHED,
    source="the published script of Privacy at Risk, table 1",
    limits="An index slip: the script counts the last of its queries as often as there are queries, in place of each once. The mean over "
    "which of them is the last is never above the honest count, and falls below it wherever the queries differ.",
)
def spent_by_script(
    votes: ArrayLike,
    epsilon0: float,
    *,
    delta: float,
    numbers: ArrayLike | None = None,
    moments: int = 8,
    epsilon: float | None = None,
    confidence: float | None = None,
) -> AsPrinted:
    """Epsilon of the first so many queries as the published script counts it; parameters as in `spent`.

    The script shuffles the queries and averages over few runs. This is the mean over all queries that can be the last one.

    >>> votes = [[200, 50], [130, 120]] * 100
    >>> round(spent(votes, 0.1, delta=1e-5), 3), round(spent_by_script(votes, 0.1, delta=1e-5), 3)
    (5.333, 4.672)
    """
    bounds = log_moments(votes, epsilon0, moments=moments, epsilon=epsilon, confidence=confidence)
    at, small = _numbers(numbers, bounds.shape[1]), check_number("delta", delta, above=0, below=1)
    means = [_least(number * bounds[:, :number], small).mean() for number in at.ravel().tolist()]
    return like_input(np.array(means).reshape(at.shape))


def _numbers(numbers: ArrayLike | None, queries: int) -> NDArray[np.int64]:
    """Return the checked numbers of first queries, by default all."""
    return check_integers("numbers", queries if numbers is None else numbers, at_least=1, at_most=queries)


def _log_factor(level: float, epsilon: float | None, confidence: float | None) -> float:
    """Return the logarithm of what stands for e^epsilon0."""
    share = None if confidence is None else check_number("confidence", confidence, at_least=0, at_most=1)
    if epsilon is None:
        return level
    hoped = min(check_number("epsilon", epsilon, above=0), level)
    if share is None:
        share = float(explicit.confidence(hoped, level))
    return min(hoped + math.log1p((1.0 - share) * math.expm1(level - hoped)), level)


def _bounds(chance: _Floats, level: float, moments: int, log_factor: float) -> _Floats:
    """Return the bound of each moment of each query, shape (moments, queries)."""
    found = np.empty((moments, len(chance)))
    used = np.flatnonzero((chance < 0.5) & (np.exp(log_factor) * chance < 1.0))
    log_chance, rest, other = (
        np.log(chance[used]),
        np.log1p(-chance[used]),
        np.log1p(-np.exp(log_factor) * chance[used]),
    )
    for at in range(moments):
        order = at + 1
        cap = min(order * level, 0.5 * level**2 * order * (order + 1))
        found[at] = cap
        found[at, used] = np.minimum(
            np.logaddexp((order + 1) * rest - order * other, log_chance + order * log_factor), cap
        )
    return found


def _least(total: _Floats, delta: float) -> _Floats:
    """Return the least epsilon of all moments, which are the first axis."""
    orders = np.arange(1, len(total) + 1).reshape(-1, *[1] * (total.ndim - 1))
    return np.asarray(((total - math.log(delta)) / orders).min(axis=0))
