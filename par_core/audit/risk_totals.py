"""What follows from individual deltas: total risk, the largest loss of each individual, the epsilon that protects everyone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from par_core.audit.bandwidths import Floats
from par_core.audit.deltas import LARGEST_EPSILON, LIMITS, individual_deltas, of_rows, samples
from par_core.errors import InfeasibleError
from par_core.evidence import ESTIMATE, Evidence
from par_core.parameters import FloatOrArray, check_number, check_numbers, like_input
from par_core.roots import crossing

_TOTAL_LIMITS = (
    "A heuristic: it is not the probability that someone is compromised. A delta is an excess of probability mass, not the chance of"
    " a breach (Laplace noise at epsilon0 = 1 has delta(0.5) = 0.221, while the loss exceeds 0.5 with probability 0.847), and where"
    " individuals depend on each other the product can be too large as well as too small."
)
_BLOCK = 1_000
_FINE = 1e-12  # relative width at which the search for an epsilon ends


@Evidence(ESTIMATE, source="Empirical Differential Privacy (2020), total risk", limits=_TOTAL_LIMITS)
def total_risk(deltas: ArrayLike) -> FloatOrArray:
    """Total risk 1 - Π(1 - delta_i) over all individuals, without loss of digits where it is small.

    The deltas in [0, 1] have shape (N,), or (N, m) with a column for each of m epsilons. Never below the largest of them.

    >>> total_risk([0.5, 0.5, 0.0])
    0.75
    """
    array = np.atleast_1d(check_numbers("deltas", deltas, at_least=0.0, at_most=1.0))
    with np.errstate(divide="ignore"):
        total = -np.expm1(np.log1p(-array).sum(axis=0))
    return like_input(np.maximum(total, array.max(axis=0)))


@Evidence(ESTIMATE, source="Empirical Differential Privacy (2020), Theorem 1: where delta_i becomes 0", limits=LIMITS)
def largest_loss(with_all: ArrayLike, without: ArrayLike, *, bandwidth: float) -> Floats:
    """Largest |ln(p/p_i)| over the whole line, shape (N,): from this epsilon on delta_i is 0. As in `individual_deltas`.

    Between two neighbouring answers the ratio of the densities rises or falls throughout, and beyond the outermost it does
    not change: the largest ratio stands at an answer. At least 0, rounded up by about 1e-14 of the largest shift in
    bandwidths; never above that shift (the ∞-Wasserstein distance over the bandwidth).

    >>> largest_loss([0.0], [[1.0], [0.0]], bandwidth=2.0).round(4)
    array([0.5, 0. ])
    """
    plain, table, width = samples(with_all, without, bandwidth)
    ordered, result = np.sort(plain), np.zeros(len(table))
    for start in range(0, len(table), _BLOCK):
        stop = start + _BLOCK
        _, result[start:stop] = of_rows(ordered, table, start, stop, levels=np.empty(0), bandwidth=width)
    far = np.flatnonzero(result > LARGEST_EPSILON)
    for start in range(0, len(far), _BLOCK):
        part = far[start : start + _BLOCK]
        result[part] = _far_losses(ordered, table[part], 1.0 / width)
    return result


def _far_losses(ordered: Floats, without: Floats, inverse: float) -> Floats:
    """Largest |ln(p/p_i)| where answers lie so many bandwidths apart that a kernel's height is no longer a float."""
    both = np.concatenate([np.broadcast_to(ordered[:, None], without.T.shape), without.T])
    order = np.argsort(both, axis=0)
    merged, of_b = np.take_along_axis(both, order, axis=0), order >= len(ordered)
    gaps = np.diff(merged, axis=0) * inverse
    with np.errstate(divide="ignore"):
        own = np.log(np.stack([~of_b, of_b]).astype(np.float64))
    left, right = own.copy(), np.full_like(own, -np.inf)
    last = len(merged) - 1
    for k in range(last):
        left[:, k + 1] = np.logaddexp(left[:, k] - gaps[k], own[:, k + 1])
    for k in range(last, 0, -1):
        right[:, k - 1] = np.logaddexp(right[:, k], own[:, k]) - gaps[k - 1]
    heights = np.logaddexp(left, right)
    widest = np.abs(np.sort(without, axis=1) - ordered).max(axis=1) * inverse
    return np.asarray(np.minimum(np.abs(heights[0] - heights[1]).max(axis=0) * (1.0 + 1e-14), widest))


@Evidence(ESTIMATE, source="Empirical Differential Privacy (2020), Theorem 1, solved for epsilon", limits=LIMITS)
def protecting_epsilon(with_all: ArrayLike, without: ArrayLike, *, delta: float, bandwidth: float) -> float:
    """Smallest epsilon at which every individual's delta_i is at most `delta` (0 to 1), rounded up. As in `individual_deltas`.

    At 0 it is the largest of all largest losses. Put back in, no delta_i is above `delta`. InfeasibleError if `delta` is above
    0 and not even epsilon = 500 is enough; `.best` is the largest delta_i there.

    >>> round(protecting_epsilon([0.0], [[1.0], [0.5]], delta=0.2, bandwidth=1.0), 4)
    0.5537
    """
    allowed = check_number("delta", delta, at_least=0.0, at_most=1.0)
    plain, table, width = samples(with_all, without, bandwidth)
    if not len(table):
        return 0.0
    top = float(largest_loss(plain, table, bandwidth=width).max())
    if allowed == 0.0 or top == 0.0:
        return top
    open_ = table

    def excess(level: float) -> float:
        nonlocal open_
        found = individual_deltas(plain, open_, epsilon=level, bandwidth=width)
        if (above := found > allowed).any():  # all others are at most `allowed` at every level that is still looked at
            open_ = open_[above]
        return float(found.max()) - allowed

    if excess(0.0) <= 0.0:
        return 0.0
    high = min(top, LARGEST_EPSILON)
    if top > LARGEST_EPSILON and (left := excess(high)) > 0.0:
        raise InfeasibleError(
            f"at epsilon = {LARGEST_EPSILON:g}, the largest that is looked at, a delta of {left + allowed:.3g} is left",
            best=left + allowed,
        )
    return crossing(excess, 0.0, high, rtol=_FINE)
