"""Exact deltas with about 32 digits, for the few rows in which the two densities nearly cancel.

A number is the sum of two floats, the second far below the last digit of the first (Dekker 1971, Knuth's two-sum). All
rows are worked on at once, whether or not a compiler is there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from par_core.empirical.kernels_numpy import SOURCE, Floats, merge
from par_core.standing import ESTIMATE, declare

_Pair = tuple[Floats, Floats]

_LN2 = (6.931471805599452862e-01, 2.319046813846299558e-17)
_SPLITTER = 134217729.0  # 2^27 + 1
_HALVINGS = 9
_FARTHEST = 700.0
_PORTION = 400


@declare(ESTIMATE, source=SOURCE)
def deltas_of_pairs(ordered: Floats, without: Floats, *, levels: Floats, bandwidth: float) -> Floats:
    """delta_i(epsilon) of each row of `without` at its own epsilon, good to the last digits of a float down to 1e-15.

    Parameters
    ----------
    ordered : ndarray, shape (n,)
        The answers with everyone, sorted.
    without : ndarray, shape (pairs, n)
        Answers without someone.
    levels : ndarray, shape (pairs,)
        The epsilon of each row.
    bandwidth : float
        In the unit of the answers.
    """
    result = np.empty(len(without))
    for start in range(0, len(without), _PORTION):
        part = slice(start, start + _PORTION)
        result[part] = _portion(ordered, without[part], levels[part], bandwidth)
    return result


def _portion(ordered: Floats, without: Floats, levels: Floats, bandwidth: float) -> Floats:
    merged, of_b = merge(ordered, without)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = _quotient(_two_sum(merged[1:], -merged[:-1]), bandwidth)
        near = gap[0] < _FARTHEST
    gap = np.where(near, gap[0], _FARTHEST), np.where(near, gap[1], 0.0)
    keep = _exp((-gap[0], -gap[1]))
    factor = _exp((levels, np.zeros_like(levels)))
    sides = [_one_side(of, keep, factor, np.tanh(gap[0] / 2)) for of in (of_b > 0.5, of_b < 0.5)]
    return np.clip(np.maximum(*sides) / len(merged), 0.0, 1.0)


def _one_side(subtracted: NDArray[np.bool_], keep: _Pair, factor: _Pair, width: Floats) -> Floats:
    """Integral of (first - factor·second)+ where `subtracted` says which places are of the second; see `kernels_numpy`."""
    weight = np.where(subtracted, -factor[0], 1.0), np.where(subtracted, -factor[1], 0.0)
    left_high, left_low, right_high, right_low = (np.zeros(subtracted.shape) for _ in range(4))
    left_high[0], left_low[0] = weight[0][0], weight[1][0]
    with_own = np.zeros(subtracted.shape)  # sums beyond a place, with that place
    last = len(subtracted) - 1
    for k in range(last):
        grown = _product((left_high[k], left_low[k]), (keep[0][k], keep[1][k]))
        left_high[k + 1], left_low[k + 1] = _sum(grown, (weight[0][k + 1], weight[1][k + 1]))
    for k in range(last, 0, -1):
        whole = _sum((right_high[k], right_low[k]), (weight[0][k], weight[1][k]))
        with_own[k] = whole[0]
        right_high[k - 1], right_low[k - 1] = _product(whole, (keep[0][k - 1], keep[1][k - 1]))
    height, _ = _sum((left_high, left_low), (right_high, right_low))
    here, there = height[:-1], height[1:]
    falling, rising, kept = np.abs(left_high[:-1]), np.abs(with_own[1:]), keep[0]
    from_here = np.sqrt(falling) + np.sqrt(rising * kept)
    from_there = np.sqrt(falling * kept) + np.sqrt(rising)
    first, second = here > 0.0, there > 0.0
    own = np.where(first, here, np.where(second, there, 0.0))
    squared = (own / np.where(first, from_here, np.where(second, from_there, 1.0))) ** 2
    value = np.where(first & second, (here + there) * width, np.where(first | second, squared, 0.0))
    tails = np.maximum(height[[0, -1]], 0.0)
    total: Floats = value.sum(axis=0) + tails.sum(axis=0)
    return total


def _two_sum(a: Floats, b: Floats) -> _Pair:
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _sum(a: _Pair, b: _Pair) -> _Pair:
    high, error = _two_sum(a[0], b[0])
    low, error_low = _two_sum(a[1], b[1])
    high, error = _two_sum(high, error + low)
    return _two_sum(high, error + error_low)


def _split(a: Floats) -> _Pair:
    large = _SPLITTER * a
    high = large - (large - a)
    return high, a - high


def _product(a: _Pair, b: _Pair) -> _Pair:
    high = a[0] * b[0]
    first, second = _split(a[0]), _split(b[0])
    error = ((first[0] * second[0] - high) + first[0] * second[1] + first[1] * second[0]) + first[1] * second[1]
    return _two_sum(high, error + (a[0] * b[1] + a[1] * b[0]))


def _quotient(a: _Pair, divisor: float) -> _Pair:
    one = np.asarray(divisor), np.asarray(0.0)
    first = a[0] / divisor
    rest = _sum(a, _negative(_product((first, np.zeros_like(first)), one)))
    return _two_sum(first, rest[0] / divisor)


def _negative(a: _Pair) -> _Pair:
    return -a[0], -a[1]


def _exp(x: _Pair) -> _Pair:
    """exp(x) for |x| up to 700: the power of 2 first, then a series for a 512th of the rest, squared nine times."""
    power = np.rint(x[0] / _LN2[0])
    zero = np.zeros_like(power)
    rest = _sum(x, _negative(_product((power, zero), (np.asarray(_LN2[0]), np.asarray(_LN2[1])))))
    little = rest[0] / 2.0**_HALVINGS, rest[1] / 2.0**_HALVINGS
    term = little
    total = little
    for order in range(2, 11):
        term = _quotient(_product(term, little), float(order))
        total = _sum(total, term)
    for _ in range(_HALVINGS):  # total is exp - 1: the square of (1 + t) is 1 + t·(2 + t)
        total = _product(total, _sum(total, (zero + 2.0, zero)))
    high, low = _sum(total, (zero + 1.0, zero))
    return np.ldexp(high, power.astype(np.int64)), np.ldexp(low, power.astype(np.int64))
