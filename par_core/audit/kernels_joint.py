"""What two samples of pairs differ by, compiled: products of Laplace kernels, exact along the second axis, quadrature along the first.

In bandwidths, between two neighbouring places of the second axis each density is A·exp(-y) + B·exp(y), whose positive part has
a closed form. Along the first axis A and B are such sums themselves: Gauss and Kronrod nodes between neighbouring places.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

from par_core.audit.kernels_numba import compiled

_NODES = np.array([-0.9604912687080202, -0.7745966692414834, -0.4342437493468026, 0.0])
_KRONROD = np.array([0.1046562260264673, 0.2684880898683334, 0.4013974147759622, 0.4509165386584741])
_GAUSS = np.array([0.0, 5.0 / 9.0, 0.0, 8.0 / 9.0])
_REACH = np.array([1.0, 3.0, 8.0, 40.0])  # beyond 40 bandwidths nothing is left of a kernel
_DEEPEST = 24
_FAST = {"contract"}


@compiled(fastmath=_FAST)
def _positive(a: float, b: float, keep: float, lost: float) -> float:
    """Integral of what is above 0 of a·exp(-y) + b·exp(y - d) for y from 0 to d; `keep` is exp(-d), `lost` 1 less that."""
    if a < 0.0:
        a, b = b, a
    if b >= 0.0:
        return (a + b) * lost
    if a <= 0.0 or a + b * keep <= 0.0:
        return 0.0
    if a * keep + b >= 0.0:
        return (a + b) * lost
    return a * (1.0 - math.sqrt(-b * keep / a)) + b * (math.sqrt(a * keep / -b) - keep)  # neither root is above 1


@compiled(fastmath=_FAST)
def _line(near: float, far: float, parts: Any, keep: Any, lost: Any, factors: Any, count: int, both: Any) -> None:
    """What the first density has beyond `factors` times the second, and the other way round, along the second axis.

    `parts` (8, places) are the sums from below and from above, of both densities, of kernels before and after this place of the
    first axis, which weigh `near` and `far`.
    """
    levels = len(factors)
    for m in range(levels):
        both[m, 0] = 0.0
        both[m, 1] = 0.0
    p = near * parts[2, 0] + far * parts[3, 0]  # below the first place
    q = near * parts[6, 0] + far * parts[7, 0]
    high = near * parts[0, count - 1] + far * parts[1, count - 1]  # above the last
    other = near * parts[4, count - 1] + far * parts[5, count - 1]
    for m in range(levels):
        both[m, 0] += max(p - factors[m] * q, 0.0) + max(high - factors[m] * other, 0.0)
        both[m, 1] += max(q - factors[m] * p, 0.0) + max(other - factors[m] * high, 0.0)
    for k in range(count - 1):
        if lost[k] == 0.0:
            continue
        pa = near * parts[0, k] + far * parts[1, k]
        pb = near * parts[2, k + 1] + far * parts[3, k + 1]
        qa = near * parts[4, k] + far * parts[5, k]
        qb = near * parts[6, k + 1] + far * parts[7, k + 1]
        for m in range(levels):
            g = factors[m]
            both[m, 0] += _positive(pa - g * qa, pb - g * qb, keep[k], lost[k])
            both[m, 1] += _positive(qa - g * pa, qb - g * pb, keep[k], lost[k])


@compiled(fastmath=_FAST)
def _sums(weights: Any, start: int, keep: Any, count: int, parts: Any, row: int) -> None:
    """Sums of the kernels up to each place (row) and from it on (row + 2)."""
    total = 0.0
    for k in range(count):
        total = weights[start, k] + (total * keep[k - 1] if k > 0 else 0.0)
        parts[row, k] = total
    total = 0.0
    for back in range(count):
        k = count - 1 - back
        total = weights[start, k] + (total * keep[k] if back > 0 else 0.0)
        parts[row + 2, k] = total


@compiled(
    numba.void(*[numba.float64[::1]] * 6, numba.float64, numba.float64[:, ::1]),
    fastmath=_FAST,
)
def fill_joint(
    edges: Any, first: Any, second: Any, of_all: Any, of_others: Any, factors: Any, tolerance: float, found: Any
) -> None:
    """Fill `found` (levels, 3) with both excesses and the estimate of their error.

    `first` and `second` are the coordinates of the places in bandwidths, by rising `second`, `edges` those of `first`, each once and
    rising; `of_all` and `of_others` how much of either density stands at each (they sum to 1); `factors` are exp(epsilon).
    """
    count, levels = len(first), len(factors)
    keep, lost = np.zeros(count), np.zeros(count)
    for k in range(count - 1):
        gap = second[k + 1] - second[k]
        keep[k] = math.exp(-gap)
        lost[k] = -math.expm1(-gap)
    weights, parts = np.zeros((4, count)), np.zeros((8, count))
    both, rough = np.zeros((levels, 2)), np.zeros((levels, 2))
    fine = np.zeros((levels, 2))
    lows, highs, depths = np.zeros(64), np.zeros(64), np.zeros(64, dtype=np.int64)
    for m in range(levels):
        for way in range(3):
            found[m, way] = 0.0
    for piece in range(-1, len(edges)):
        left = edges[piece] if piece >= 0 else 0.0
        right = edges[piece + 1] if piece + 1 < len(edges) else 0.0
        tail = piece < 0 or piece == len(edges) - 1
        for k in range(count):
            before = piece >= 0 and first[k] <= left
            weight = math.exp(first[k] - left) if before else math.exp(right - first[k])
            weights[0, k] = of_all[k] * weight if before else 0.0
            weights[1, k] = 0.0 if before else of_all[k] * weight
            weights[2, k] = of_others[k] * weight if before else 0.0
            weights[3, k] = 0.0 if before else of_others[k] * weight
        _sums(weights, 0, keep, count, parts, 0)
        _sums(weights, 1, keep, count, parts, 1)
        _sums(weights, 2, keep, count, parts, 4)
        _sums(weights, 3, keep, count, parts, 5)
        if tail:  # all kernels fall alike from here on
            _line(1.0 if piece >= 0 else 0.0, 0.0 if piece >= 0 else 1.0, parts, keep, lost, factors, count, both)
            for m in range(levels):
                found[m, 0] += both[m, 0]
                found[m, 1] += both[m, 1]
            continue
        width = right - left
        size = 0
        last = 0.0
        for step in range(4):
            reach = min(_REACH[step], width / 2.0)
            if reach > last:
                lows[size], highs[size], depths[size] = last, reach, 0
                lows[size + 1], highs[size + 1], depths[size + 1] = width - reach, width - last, 0
                size += 2
                last = reach
        aim = tolerance / len(edges) / 4.0
        while size > 0:
            size -= 1
            low, high, depth = lows[size], highs[size], depths[size]
            centre, half = (low + high) / 2.0, (high - low) / 2.0
            for m in range(levels):
                for way in range(2):
                    fine[m, way] = 0.0
                    rough[m, way] = 0.0
            for node in range(7):
                at = node if node < 4 else 6 - node
                x = centre + half * (_NODES[at] if node < 4 else -_NODES[at])
                _line(math.exp(-x), math.exp(x - width), parts, keep, lost, factors, count, both)
                for m in range(levels):
                    for way in range(2):
                        fine[m, way] += _KRONROD[at] * both[m, way]
                        rough[m, way] += _GAUSS[at] * both[m, way]
            worst = 0.0
            for m in range(levels):
                for way in range(2):
                    worst = max(worst, abs(fine[m, way] - rough[m, way]) * half)
            if worst > aim and depth < _DEEPEST and size < 62:
                lows[size], highs[size], depths[size] = low, centre, depth + 1
                lows[size + 1], highs[size + 1], depths[size + 1] = centre, high, depth + 1
                size += 2
                continue
            for m in range(levels):
                found[m, 0] += fine[m, 0] * half
                found[m, 1] += fine[m, 1] * half
                found[m, 2] += max(abs(fine[m, 0] - rough[m, 0]), abs(fine[m, 1] - rough[m, 1])) * half
    for m in range(levels):
        for way in range(3):
            found[m, way] /= 4.0
