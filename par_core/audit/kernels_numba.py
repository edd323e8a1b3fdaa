"""Exact deltas and largest losses of rows of answers, compiled: one row at a time, nothing allocated between rows.

With x in bandwidths, 2n times a density of n Laplace kernels is the sum of exp(-|x - a|). At each place of the merged
samples that sum is split into what stands up to it and what stands beyond it; from one place to the next both only
shrink by exp(-gap), so that no exponential is ever larger than 1. Python's global lock is let go of, and no thread is
started: several sessions may call at once. Loading takes most of a second, and several the first time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

_EPSILON = 4e-15  # what a chain of a hundred roundings may lose
_LOG2E = 1.4426950408889634
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_ROUNDING = 6755399441055744.0  # 1.5·2^52: adding it leaves the nearest whole number in the low bits
_UNIT = np.uint64(1)
_ONE = np.int64(1023 << 52)
_FARTHEST = 700.0  # exp(-700) still has all its digits, and nothing that it is added to notices it
_CHAIN = {"contract"}  # only fused multiply-adds: nothing is reordered


_njit: Any = numba.njit


def compiled(*signature: Any, fastmath: set[str]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile at once for one signature; without a folder that may be written to, the result is not kept on disk."""

    def compile_it(function: Callable[..., Any]) -> Callable[..., Any]:
        options = {"nogil": True, "fastmath": fastmath, "error_model": "numpy"}
        try:
            return _njit(*signature, cache=True, **options)(function)  # type: ignore[no-any-return]  # numba says nothing of the type
        except RuntimeError:
            return _njit(*signature, **options)(function)  # type: ignore[no-any-return]  # as above

    return compile_it


@compiled(fastmath={"nnan", "nsz", "reassoc"})
def _widest(first: Any, second: Any) -> float:
    widest = 0.0
    for j in range(len(first)):
        distance = abs(first[j] - second[j])
        if distance > widest:
            widest = distance
    return widest


@compiled(fastmath=_CHAIN)
def _decay(gaps: Any, keep: Any, power: Any, bits: Any, steps: int) -> None:
    """From gaps d in bandwidths and in `keep` what they lack: gaps becomes exp(-d) - 1 and keep exp(-d), to the last digits.

    `power` (floats) and `bits` (integers) are two views of the same bytes.
    """
    for k in range(steps):
        distance = min(gaps[k], _FARTHEST)
        gaps[k] = distance
        power[k] = distance * _LOG2E + _ROUNDING
    for k in range(steps):
        count = power[k] - _ROUNDING
        keep[k] = (count * _LN2_HIGH - gaps[k]) + (count * _LN2_LOW - keep[k])  # between -ln(2)/2 and ln(2)/2
    for k in range(steps):
        bits[k] = _ONE - (bits[k] << 52)
    for k in range(steps):
        r = keep[k]
        s = r * (1 / 6227020800.0) + 1 / 479001600.0
        s = s * r + 1 / 39916800.0
        s = s * r + 1 / 3628800.0
        s = s * r + 1 / 362880.0
        s = s * r + 1 / 40320.0
        s = s * r + 1 / 5040.0
        s = s * r + 1 / 720.0
        s = s * r + 1 / 120.0
        s = s * r + 1 / 24.0
        s = s * r + 1 / 6.0
        s = s * r + 0.5
        part = power[k] * (r + r * r * s)
        gaps[k] = part + (power[k] - 1.0)
        keep[k] = part + power[k]


@compiled(fastmath=_CHAIN)
def _merge(first: Any, second: Any, merged: Any, of_first: Any, of_second: Any) -> None:
    """Merge two sorted rows from both ends at once, without branches; equal values of the first come first."""
    n = np.uint64(len(first))
    i, j = np.uint64(0), np.uint64(0)
    last_i, last_j = n - _UNIT, n - _UNIT
    for k in range(n):
        one, other = first[i], second[j]
        later = other < one
        merged[k] = other if later else one
        of_second[k] = 1.0 if later else 0.0
        step = np.uint64(later)
        j += step
        i += _UNIT - step
        one, other = first[last_i], second[last_j]
        later = other >= one
        back = n + n - _UNIT - k
        merged[back] = other if later else one
        of_second[back] = 1.0 if later else 0.0
        step = np.uint64(later)
        last_j -= step
        last_i -= _UNIT - step
    for k in range(n + n):
        of_first[k] = 1.0 - of_second[k]


@compiled(fastmath=_CHAIN)
def _gaps(merged: Any, of_second: Any, bandwidth: float, step: Any, rest: Any, count: Any) -> None:
    """Gap after each place, in bandwidths, what rounding took from it, and how many more of the first stand up to it."""
    places, inverse = np.uint64(len(merged)), 1.0 / bandwidth
    step[places - _UNIT], rest[places - _UNIT] = 0.0, 0.0
    for k in range(places - _UNIT):
        here, there = merged[k], merged[k + _UNIT]
        gap = there - here
        back = gap - there
        lost = (there - (gap - back)) - (here + back)  # of the difference, and then of the quotient
        step[k] = gap * inverse
        rest[k] = ((gap - step[k] * bandwidth) + lost) * inverse if step[k] < _FARTHEST else 0.0
    total = 0.0
    for k in range(places):
        total += 1.0 - 2.0 * of_second[k]
        count[k] = total


@compiled(fastmath=_CHAIN)
def _sweep(
    step: Any,
    keep: Any,
    count: Any,
    of_a: Any,
    of_b: Any,
    left_d: Any,
    left_a: Any,
    left_b: Any,
    right_d: Any,
    right_a: Any,
    right_b: Any,
) -> None:
    """Sums of the kernels up to each place (with it) and beyond it (without it), from both ends at once.

    The difference of both samples is kept as its distance from `count`, so that nearly equal kernels do not cancel.
    """
    last = np.uint64(len(count)) - _UNIT
    ld, la, lb = 0.0, of_a[0], of_b[0]
    rd, ra, rb = 0.0, 0.0, 0.0
    left_d[0], left_a[0], left_b[0] = ld, la, lb
    right_d[last], right_a[last], right_b[last] = rd, ra, rb
    for k in range(last):
        at = k + _UNIT
        ld = ld * keep[k] + count[k] * step[k]
        la = la * keep[k] + of_a[at]
        lb = lb * keep[k] + of_b[at]
        left_d[at], left_a[at], left_b[at] = ld, la, lb
        at = last - k
        back = at - _UNIT
        rd = rd * keep[back] - count[back] * step[back]
        ra = (ra + of_a[at]) * keep[back]
        rb = (rb + of_b[at]) * keep[back]
        right_d[back], right_a[back], right_b[back] = rd, ra, rb


@compiled(fastmath={"nnan", "nsz", "reassoc", "contract"})
def _ratios(
    left_d: Any,
    left_a: Any,
    left_b: Any,
    right_d: Any,
    right_a: Any,
    right_b: Any,
    d: Any,
    a: Any,
    b: Any,
    noise: float,
) -> tuple[float, float]:
    """Add both sides up into d, a and b; largest p/p_i - 1 and p_i/p - 1 over all places, which is over the whole line.

    `noise` keeps both above the truth.
    """
    up, down = -1.0, -1.0
    for k in range(len(d)):
        difference, first, second = left_d[k] + right_d[k], left_a[k] + right_a[k], left_b[k] + right_b[k]
        d[k], a[k], b[k] = difference, first, second
        fuzz = noise * (first + second)
        up = max(up, (fuzz + difference) / second)
        down = max(down, (fuzz - difference) / first)
    return up, down


@compiled(fastmath=_CHAIN)
def _excess(
    sign: float,
    m: float,
    step: Any,
    keep: Any,
    count: Any,
    left_d: Any,
    left: Any,
    right_d: Any,
    right: Any,
    own: Any,
    difference: Any,
    subtracted: Any,
    height: Any,
) -> float:
    """2n times the integral of (first - (1 + m)·second)+.

    Between two places the difference is L·exp(-t) + R·exp(t): it changes its sign once at most, and every integral is a
    square of what stands at the positive end. From there it falls at least as fast as exp(-t), which bounds what rounding
    could make of a square where L and R nearly vanish.
    """
    for k in range(len(height)):
        height[k] = sign * difference[k] - m * subtracted[k]
    last = len(height) - 1
    value: float = max(height[0], 0.0) + max(height[last], 0.0)  # the tails
    for k in range(last):
        here, there = height[k], height[k + 1]
        if here > 0.0 and there > 0.0:
            value -= (here + there) * step[k] / (1.0 + keep[k])  # tanh of half the gap
        elif here > 0.0 or there > 0.0:
            falling = abs(sign * (left_d[k] + count[k]) - m * left[k])
            rising = abs(sign * (right_d[k + 1] - count[k]) - m * (right[k + 1] + own[k + 1]))
            if here > 0.0:
                rising *= keep[k]
            else:
                here = there
                falling *= keep[k]
            root = here / (math.sqrt(falling) + math.sqrt(rising))
            value += min(root * root, -here * step[k])
    return value


_ARRAY, _TABLE = numba.float64[::1], numba.float64[:, ::1]


@compiled(numba.void(_ARRAY, _TABLE, numba.float64, _ARRAY, _TABLE, _ARRAY), fastmath=_CHAIN)
def fill_rows(ordered: Any, without: Any, bandwidth: float, levels: Any, deltas: Any, losses: Any) -> None:
    """Fill `deltas` (rows, m) with delta_i(epsilon) and `losses` (rows,) with the largest |ln(p/p_i)| of each row of `without`.

    `ordered`, shape (n,), and each row of `without`, (rows, n), are sorted. A delta is exactly 0 from the largest loss on. A
    loss is a little above the truth if anything; 0 where no level is below the largest shift. Beyond 500 it says only that it
    is beyond: a kernel's height may then be no float.
    """
    n = len(ordered)
    places = 2 * n
    step, keep, power = np.empty(places), np.empty(places), np.empty(places)
    bits = power.view(np.int64)
    count, of_a, of_b = np.empty(places), np.empty(places), np.empty(places)
    left_d, left_a, left_b = np.empty(places), np.empty(places), np.empty(places)
    right_d, right_a, right_b = np.empty(places), np.empty(places), np.empty(places)
    d, a, b, height = np.empty(places), np.empty(places), np.empty(places), np.empty(places)
    lowest = levels.min() if len(levels) else 0.0
    for i in range(len(without)):
        other = without[i]
        deltas[i, :] = 0.0
        losses[i] = 0.0
        widest = _widest(ordered, other) / bandwidth
        if widest <= lowest:
            continue
        _merge(ordered, other, d, of_a, of_b)
        _gaps(d, of_b, bandwidth, step, keep, count)
        _decay(step, keep, power, bits, places)
        _sweep(step, keep, count, of_a, of_b, left_d, left_a, left_b, right_d, right_a, right_b)
        up, down = _ratios(left_d, left_a, left_b, right_d, right_a, right_b, d, a, b, _EPSILON * min(widest, 1.0))
        losses[i] = min(math.log1p(max(up, down)), widest)
        for e in range(len(levels)):
            if widest <= levels[e]:
                continue
            m = math.expm1(levels[e])
            value = 0.0
            if m * (1.0 - _EPSILON) < up:
                value = _excess(1.0, m, step, keep, count, left_d, left_b, right_d, right_b, of_b, d, b, height)
            if m * (1.0 - _EPSILON) < down:
                back = _excess(-1.0, m, step, keep, count, left_d, left_a, right_d, right_a, of_a, d, a, height)
                value = max(value, back)
            deltas[i, e] = min(value / places, 1.0)
