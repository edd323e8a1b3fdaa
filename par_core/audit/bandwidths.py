"""Which bandwidth describes values that were left out best: one for all, or one for each value of a sample."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import ESTIMATE, Evidence

Floats = NDArray[np.float64]

_SOURCE = "Empirical Differential Privacy (2020), section 5; Breiman, Meisel and Purcell 1977; Abramson 1982"

SMALLEST_BANDWIDTH = 1e-300
_NEAR = 1e-9  # of the range: what is closer counts as equal
_GRID = 48
_FINER = 3  # times the grid is narrowed around its best point
_FINER_GRID = 12
_MANY = 300  # answers; with more, fewer choices are tried
_MULTIPLES = np.geomspace(0.05, 20.0, 40)


class Choice(NamedTuple):
    """The bandwidth of each value, how likely left-out values were with it, and in words how it came about."""

    bandwidths: Floats
    held_out: float
    words: str


@Evidence(ESTIMATE, source=_SOURCE)
def log_kernel(distance: Floats, bandwidth: Floats, *, kernel: str) -> Floats:
    """Logarithm of the kernel's density at a distance from its centre."""
    with np.errstate(over="ignore"):  # so far away nothing is left of a kernel
        ratio = distance / bandwidth
        if kernel == "laplace":
            return np.asarray(-ratio - np.log(2.0 * bandwidth))
        return np.asarray(-0.5 * ratio**2 - np.log(bandwidth) - 0.5 * math.log(2.0 * math.pi))


@Evidence(ESTIMATE, source=_SOURCE)
def log_sums(logs: Floats) -> Floats:
    """Logarithm of the sum of the exponentials along the last axis, without SciPy's care for what no logarithm here is."""
    top = logs.max(axis=-1, keepdims=True)
    top[np.isneginf(top)] = 0.0
    with np.errstate(divide="ignore"):  # a row without any probability
        return np.asarray(np.log(np.exp(logs - top).sum(axis=-1)) + top[..., 0])


@Evidence(ESTIMATE, source=_SOURCE)
def held_out(values: Floats, bandwidths: Floats, *, kernel: str) -> float:
    """Sum of the log densities of each value under the kernels of the others; -inf for a single value.

    `bandwidths` is one for all, one for each value, or a table whose row i holds those that are used when i is left out.
    """
    n = len(values)
    if n < 2:
        return -math.inf
    logs = log_kernel(np.abs(values[:, None] - values), np.broadcast_to(bandwidths, (n, n)), kernel=kernel)
    np.fill_diagonal(logs, -np.inf)
    return float(np.sum(log_sums(logs)) - n * math.log(n - 1))


def _held_out_laplace(ordered: Floats, bandwidths: Floats) -> Floats:
    """Return `held_out` of rising values at several bandwidths, each for all: from neighbour to neighbour, not by pairs."""
    n = len(ordered)
    with np.errstate(over="ignore"):  # so far away nothing is left of a kernel
        gaps = np.diff(ordered)[:, None] / bandwidths
    kept = np.exp(-gaps)
    # What the values below, and those above, give in units of what the nearest of them gives: at least 1.
    below, above = np.ones_like(gaps), np.ones_like(gaps)
    for at in range(1, n - 1):
        below[at] += kept[at - 1] * below[at - 1]
        above[-1 - at] += kept[-at] * above[-at]
    below, above = np.log(below) - gaps, np.log(above) - gaps
    between = np.logaddexp(below[:-1], above[1:]).sum(axis=0)  # of those with neighbours on both sides
    return np.asarray(between + above[0] + below[-1] - n * (np.log(2.0 * bandwidths) + math.log(n - 1)))


@Evidence(ESTIMATE, source=_SOURCE)
def smallest_useful(values: Floats) -> tuple[float, str]:
    """Return the smallest bandwidth that is looked at, and why it had to be held up ("" if it did not)."""
    ordered = np.sort(values)
    reach = float(ordered[-1] - ordered[0])
    size = float(np.abs(ordered).max()) or 1.0
    if reach <= 8 * np.finfo(float).eps * size:
        return (
            max(1e-6 * size, SMALLEST_BANDWIDTH),
            "all answers are equal, so that nothing in them sets a bandwidth: a millionth of their size, or of 1 if they are 0",
        )
    gaps = np.diff(ordered)
    distinct = gaps[gaps > max(_NEAR * reach, 8 * np.finfo(float).eps * size)]
    if len(distinct) == len(gaps):
        return max(float(gaps.min()) / 10.0, SMALLEST_BANDWIDTH), ""
    return max(float(np.median(distinct)) / 2.0, SMALLEST_BANDWIDTH), (
        "answers are repeated, and the likelihood of left-out ones would grow without end as the bandwidth goes to 0: at least"
        " half the usual gap between different answers"
    )


def fixed(values: Floats, *, kernel: str) -> Choice:
    """One bandwidth for all values, with which the left-out values are likeliest."""
    floor, reason = smallest_useful(values)
    reach = float(np.ptp(values))
    if reach <= 2.0 * floor or len(values) < 2:
        words = reason or "too few answers to leave one out: the smallest that is looked at"
        return Choice(np.full(len(values), floor), held_out(values, np.array(floor), kernel=kernel), words)
    ordered = np.sort(values)

    def likelihoods(widths: Floats) -> Floats:
        if kernel == "laplace":
            return _held_out_laplace(ordered, widths)
        return np.array([held_out(ordered, width, kernel=kernel) for width in widths])

    best = _peak(likelihoods, floor, 10.0 * reach)
    at_floor = best <= floor * (1.0 + 1e-9)
    words = "the likeliest for left-out answers" + (f"; held up, because {reason}" if at_floor and reason else "")
    return Choice(np.full(len(values), best), float(likelihoods(np.array([best]))[0]), words)


def by_neighbours(values: Floats, *, kernel: str) -> Choice:
    """Breiman's bandwidths: a multiple of the distance to the k-th neighbour; k and multiple make left-out values likeliest."""
    n = len(values)
    floor, reason = smallest_useful(values)
    if n < 4 or np.ptp(values) <= 2.0 * floor:
        return fixed(values, kernel=kernel)
    distances = np.abs(values[:, None] - values)
    ranked = np.sort(distances, axis=1)  # column 0 is the value itself
    best: tuple[float, int, float] = (-math.inf, 1, 1.0)
    copies = int((distances <= _NEAR * np.ptp(values)).sum(axis=1).max())  # a repeated answer is no neighbour
    tried = {1, 2, 3, 5, round(math.sqrt(n)), n // 4, n // 2} if n <= _MANY else {round(math.sqrt(n)), n // 10}
    multiples = _MULTIPLES[:: 1 if n <= _MANY else 4]
    for k in sorted({max(each, copies) for each in tried} & set(range(1, n - 1))):
        # With i left out, the k-th neighbour of j is its (k + 1)-th if i was among the first k.
        reach = np.where(distances <= ranked[:, k : k + 1], ranked[:, k + 1 : k + 2], ranked[:, k : k + 1]).T
        for multiple in multiples:
            found = held_out(values, np.maximum(multiple * reach, floor), kernel=kernel)
            if found > best[0]:
                best = found, k, float(multiple)
    likelihood, k, multiple = best
    words = f"{multiple:.3g} times the distance to neighbour {k}, the likeliest for left-out answers"
    return Choice(
        np.maximum(multiple * ranked[:, k], floor),
        likelihood,
        words + (f"; never below {floor:.3g}, because {reason}" if reason else ""),
    )


def by_pilot(values: Floats, *, kernel: str) -> Choice:
    """Abramson's bandwidths: a multiple of one over the square root of a first density (kernels of one bandwidth)."""
    n = len(values)
    floor, _ = smallest_useful(values)
    first = fixed(values, kernel=kernel)
    if n < 4 or np.ptp(values) <= 2.0 * floor:
        return first
    logs = log_kernel(np.abs(values[:, None] - values), first.bandwidths, kernel=kernel)
    whole = log_sums(logs)
    pilot = whole - math.log(n)
    share = np.minimum(np.exp(logs - whole[:, None]).T, 1.0 - 1e-12)  # row i: how much of the pilot at j comes from i
    left_out = pilot + np.log1p(-share) + math.log(n / (n - 1))
    np.fill_diagonal(left_out, np.nan)
    centre = np.nanmean(left_out, axis=1, keepdims=True)
    shape = np.exp(-0.5 * (left_out - centre))
    np.fill_diagonal(shape, 1.0)
    scale = first.bandwidths[0]
    found = [held_out(values, np.maximum(multiple * scale * shape, floor), kernel=kernel) for multiple in _MULTIPLES]
    at = int(np.argmax(found))
    bandwidths = np.maximum(_MULTIPLES[at] * scale * np.exp(-0.5 * (pilot - pilot.mean())), floor)
    words = f"{_MULTIPLES[at]:.3g} times {scale:.3g}, wider where a first density is low"
    return Choice(bandwidths, found[at], words)


def _peak(function: Callable[[Floats], Floats], low: float, high: float) -> float:
    points, number = np.geomspace(low, high, _GRID), _GRID
    best = low
    for _ in range(_FINER + 1):
        at = int(np.argmax(function(points)))
        best = float(points[at])
        points = np.geomspace(points[max(at - 1, 0)], points[min(at + 1, number - 1)], _FINER_GRID)
        number = _FINER_GRID
    return best
