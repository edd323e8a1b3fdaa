"""Exact deltas of a block of rows with numpy alone, all rows at once; `kernels_numba` does the same a row at a time.

With x in bandwidths, 2n times a density of n Laplace kernels is the sum of exp(-|x - a|). At each place of the merged
samples that sum is split into what stands up to it and what stands beyond it; from one place to the next both only
shrink by exp(-gap), so that no exponential is ever larger than 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from par_core.standing import ESTIMATE, declare

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SOURCE = "Empirical Differential Privacy (2020), Theorem 1, in closed form for Laplace kernels of one bandwidth"

# Compiled into what is kept on disk of `kernels_numba`: whoever changes one of these touches that file too.
EPSILON = 4e-15  # what a chain of a hundred roundings may lose
TOLERANCE = 2e-10  # a larger relative error is for many digits
_FARTHEST = 700.0  # exp(-700) still has all its digits, and nothing that it is added to notices it


class Places(NamedTuple):
    """The merged places of both samples, one column per row of the data; a is with the individual and b without.

    `step` and `keep` are exp(-gap) - 1 and exp(-gap) after each place, `more` how many more of a than of b stand up to
    it, `of_a` and `of_b` whose place it is. `left` are sums up to a place, `right` beyond it; those of the difference leave
    out `more`, which cancels.
    """

    step: Floats
    keep: Floats
    more: Floats
    of_a: Floats
    of_b: Floats
    left_d: Floats
    left_a: Floats
    left_b: Floats
    right_d: Floats
    right_a: Floats
    right_b: Floats
    widest: Floats


@declare(ESTIMATE, source=SOURCE)
def merge(ordered: Floats, without: Floats) -> tuple[Floats, Floats]:
    """Merged places, ascending along the first axis, and 1 where one is of the sample without the individual."""
    n = len(ordered)
    both = np.concatenate([np.broadcast_to(ordered[:, None], (n, len(without))), without.T])
    order = np.argsort(both, axis=0, kind="stable")
    return np.take_along_axis(both, order, axis=0), (order >= n).astype(np.float64)


def places(ordered: Floats, without: Floats, *, inverse: float) -> Places:
    """Prepare what every epsilon needs, for sorted answers with everyone and rows of answers without someone."""
    merged, of_b = merge(ordered, without)
    of_a = 1.0 - of_b
    with np.errstate(over="ignore"):
        gaps = np.minimum(np.diff(merged, axis=0) * inverse, _FARTHEST)
        widest = np.abs(np.sort(without, axis=1) - ordered).max(axis=1) * inverse
    step, keep = np.expm1(-gaps), np.exp(-gaps)
    more = np.cumsum(of_a - of_b, axis=0)
    left_d, left_a, left_b, right_d, right_a, right_b = (np.zeros_like(merged) for _ in range(6))
    left_a[0], left_b[0] = of_a[0], of_b[0]
    last = len(merged) - 1
    for k in range(last):
        left_d[k + 1] = left_d[k] * keep[k] + more[k] * step[k]
        left_a[k + 1] = left_a[k] * keep[k] + of_a[k + 1]
        left_b[k + 1] = left_b[k] * keep[k] + of_b[k + 1]
    for k in range(last, 0, -1):
        right_d[k - 1] = right_d[k] * keep[k - 1] - more[k - 1] * step[k - 1]
        right_a[k - 1] = (right_a[k] + of_a[k]) * keep[k - 1]
        right_b[k - 1] = (right_b[k] + of_b[k]) * keep[k - 1]
    return Places(step, keep, more, of_a, of_b, left_d, left_a, left_b, right_d, right_a, right_b, widest)


@declare(ESTIMATE, source=SOURCE)
def ratios(found: Places) -> tuple[Floats, Floats]:
    """Largest p/p_i - 1 and p_i/p - 1 of each row, over the whole line, a little above the truth if anything."""
    d, a, b = _sums(found)
    fuzz = EPSILON * np.minimum(found.widest, 1.0) * (a + b)
    with np.errstate(divide="ignore", over="ignore"):
        return ((fuzz + d) / b).max(axis=0), ((fuzz - d) / a).max(axis=0)


@declare(ESTIMATE, source=SOURCE)
def excess(heights: Floats, fuzz: Floats, falling: Floats, rising: Floats, found: Places) -> tuple[Floats, Floats]:
    """Integral of the positive part, and how far rounding may have moved it, from the heights at the places.

    Between two places the difference is L·exp(-t) + R·exp(t): it changes its sign once at most, and every integral is a
    square of what stands at the positive end. `falling` and `rising` are |L| at the left end
    and |R| at the right end.
    """
    step, keep = found.step, found.keep
    here, there = heights[:-1], heights[1:]
    near, far = fuzz[:-1], fuzz[1:]
    width = -step / (1.0 + keep)  # tanh of half the gap
    first, second = here > 0.0, there > 0.0
    own = np.where(first, here, np.where(second, there, 0.0))
    doubt = np.where(first, near, far)
    root = np.where(first, np.sqrt(falling) + np.sqrt(rising * keep), np.sqrt(falling * keep) + np.sqrt(rising))
    scale = 1.0 / np.where(first ^ second, root, 1.0)
    both, one = first & second, first ^ second
    with np.errstate(over="ignore", invalid="ignore"):  # where nothing is taken from it
        value = np.where(both, (here + there) * width, np.where(one, (own * scale) ** 2, 0.0))
        unsure = (here > -near) & (there > -far)
        error = np.where(
            both,
            (near + far) * width,
            np.where(one, 4.0 * doubt * np.maximum(own, doubt) * scale**2, np.where(unsure, -(near + far) * step, 0.0)),
        )
    tails = heights[[0, -1]]
    return (
        value.sum(axis=0) + np.maximum(tails, 0.0).sum(axis=0),
        error.sum(axis=0) + np.where(tails > -fuzz[[0, -1]], fuzz[[0, -1]], 0.0).sum(axis=0),
    )


def deltas_of_rows(
    plain: Floats,
    ordered: Floats,
    order: NDArray[np.int64],
    without: Floats,
    inverse: float,
    levels: Floats,
    excesses: Floats,
    result: Floats,
    doubtful: Flags,
) -> None:
    """Fill `result` with delta_i(epsilon) for every row of `without`, and `doubtful` where digits were lost.

    The parameters are those of `kernels_numba.deltas_of_rows`, so that either can stand for the other.
    """
    del order  # the sorting here has no use for a start
    result[:], doubtful[:] = 0.0, False
    with np.errstate(over="ignore"):
        apart = np.abs(without - plain).max(axis=1, initial=0.0) * inverse
    rows = np.flatnonzero(apart > levels.min())
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        found = places(ordered, without[block], inverse=inverse)
        up, down = ratios(found)
        for at, (level, m) in enumerate(zip(levels, excesses, strict=True)):
            reaches = found.widest > level
            for sign, most in ((1.0, up), (-1.0, down)):
                open_ = np.flatnonzero(reaches & (m * (1.0 - EPSILON) < most))
                if len(open_):
                    _one_side(found, open_, sign=sign, m=m, result=result[:, at], doubtful=doubtful[:, at], rows=block)


_BLOCK = 1_000


def _one_side(
    found: Places,
    open_: NDArray[np.intp],
    *,
    sign: float,
    m: float,
    result: Floats,
    doubtful: Flags,
    rows: NDArray[np.intp],
) -> None:
    """Raise the results of the open rows to what one of the two directions gives."""
    part = Places(*(field[..., open_] for field in found))
    d, a, b = _sums(part)
    kept, lost, left, right, own = (
        (a, b, part.left_b, part.right_b, part.of_b) if sign > 0 else (b, a, part.left_a, part.right_a, part.of_a)
    )
    heights = sign * d - m * lost
    fuzz = EPSILON * (np.minimum(part.widest, 1.0) * (kept + lost) + m * lost)
    falling = np.abs(sign * (part.left_d + part.more) - m * left)[:-1]
    rising = np.abs(sign * (part.right_d[1:] - part.more[:-1]) - m * (right + own)[1:])
    value, error = excess(heights, fuzz, falling, rising, part)
    at = rows[open_]
    doubtful[at] |= ~(error <= TOLERANCE * value)  # NaN is doubtful too
    result[at] = np.maximum(result[at], np.minimum(value / len(d), 1.0))


def _sums(found: Places) -> tuple[Floats, Floats, Floats]:
    return found.left_d + found.right_d, found.left_a + found.right_a, found.left_b + found.right_b
