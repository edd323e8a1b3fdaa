"""How far apart the answers with and without an individual are: Hausdorff and ∞-Wasserstein distance.

Both take a sample of shape (n,) and one of shape (m,), or many of shape (N, m) of which each is compared with the first.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import FloatOrArray, as_array, check_integers, like_input

_CELLS = 2_000_000  # numbers held at once
_LARGEST = 1e300  # differences of larger numbers may be infinite

Values = NDArray[np.float64]


@Evidence(
    PROVEN,
    source="Empirical Differential Privacy (2020), Proposition 1 (the definition of d_H)",
    limits="The distance is exact; Proposition 1, which calibrates noise to it, is false: it does not see how often a value occurs.",
)
def hausdorff(a: ArrayLike, b: ArrayLike) -> FloatOrArray:
    """Largest distance from a point of either sample to the nearest point of the other, in their unit; shape (N,) for N samples.

    >>> hausdorff([0, 0, 0, 1], [0, 1, 1, 1])    # blind to how often a value occurs
    0.0
    >>> wasserstein_inf([0, 0, 0, 1], [0, 1, 1, 1])
    1.0
    """
    first, second, scalar = _samples(a, b)
    found = np.empty(len(second))
    step = max(1, _CELLS // (len(first) + second.shape[1]))
    for start in range(0, len(second), step):
        part = second[start : start + step]
        found[start : start + step] = np.maximum(_farthest(part, np.sort(first)), _farthest_from_rows(first, part))
    return like_input(found[0] if scalar else found)


@Evidence(PROVEN, source="distance of the quantile functions: sup over u of |F_A⁻¹(u) − F_B⁻¹(u)|")
def wasserstein_inf(
    a: ArrayLike, b: ArrayLike, *, weights_a: ArrayLike | None = None, weights_b: ArrayLike | None = None
) -> FloatOrArray:
    """Farthest that any part of a sample has to be moved to turn it into the other one, in their unit; shape (N,) for N samples.

    For samples of one size that is the largest gap between the sorted values. The weights are whole numbers, at least 0: how
    often each value occurs; `weights_b` only where `b` is one sample.
    """
    first, second, scalar = _samples(a, b)
    first, counts_a = _weighted("weights_a", weights_a, first[None, :])
    second, counts_b = _weighted("weights_b", weights_b, second)
    sorted_a = np.sort(first[0]) if weights_a is None else first[0]
    take_a, take_b = _steps(counts_a, counts_b)
    found = np.empty(len(second))
    size = max(1, _CELLS // len(take_a))
    for start in range(0, len(second), size):
        part = second[start : start + size]
        if weights_b is None:
            part = np.sort(part, axis=1)
        found[start : start + size] = np.abs(sorted_a[take_a] - part[:, take_b]).max(axis=1)
    return like_input(found[0] if scalar else found)


def _samples(a: ArrayLike, b: ArrayLike) -> tuple[Values, Values, bool]:
    first, second = _finite("a", a), _finite("b", b)
    if first.ndim != 1 or second.ndim not in (1, 2):
        raise ParameterError(f"a must have shape (n,) and b (m,) or (N, m), got {first.shape} and {second.shape}")
    return first, np.atleast_2d(second), second.ndim == 1


def _finite(name: str, value: ArrayLike) -> Values:
    """Return finite floats without copying an array that is one already (it may be as large as memory allows)."""
    array = as_array(name, value, "a sample of numbers")
    if array.dtype.kind not in "iuf" or array.size == 0:
        raise ParameterError(f"{name} must be a sample of numbers, got {array.dtype} of shape {array.shape}")
    floats = array.astype(np.float64, copy=False)
    if not (floats.min() >= -_LARGEST and floats.max() <= _LARGEST):  # false for NaN too
        raise ParameterError(f"{name} must be finite numbers of at most {_LARGEST:g} in size")
    return floats


def _farthest(points: Values, others: Values) -> Values:
    """Return for each row of points the largest distance to the nearest of sorted others (m,)."""
    right = np.searchsorted(others, points)
    above = others[np.minimum(right, len(others) - 1)]
    below = others[np.maximum(right - 1, 0)]
    return np.asarray(np.minimum(np.abs(above - points), np.abs(points - below)).max(axis=1))


def _farthest_from_rows(points: Values, rows: Values) -> Values:
    """Return for each row of others the largest distance from points (n,) to the nearest of that row."""
    ranked = np.sort(rows, axis=1)
    right = np.stack([row.searchsorted(points) for row in ranked])
    above = np.take_along_axis(ranked, np.minimum(right, rows.shape[1] - 1), axis=1)
    below = np.take_along_axis(ranked, np.maximum(right - 1, 0), axis=1)
    return np.asarray(np.minimum(np.abs(above - points), np.abs(points - below)).max(axis=1))


def _weighted(name: str, weights: ArrayLike | None, rows: Values) -> tuple[Values, NDArray[np.int64]]:
    """Return the rows and how often each column counts; with weights the rows are sorted and share one set of weights."""
    size = rows.shape[1]
    if weights is None:
        return rows, np.ones(size, dtype=np.int64)
    counts = check_integers(name, weights, at_least=0, at_most=1_000_000)
    if counts.shape != (size,) or counts.sum() == 0:
        raise ParameterError(f"{name} must be {size} whole numbers that do not all vanish, got shape {counts.shape}")
    if len(rows) > 1:
        raise ParameterError(f"{name} can only be given for one sample, not for {len(rows)} rows")
    kept = counts > 0
    order = np.argsort(rows[0][kept], kind="stable")
    return rows[:, kept][:, order], counts[kept][order]


def _steps(counts_a: NDArray[np.int64], counts_b: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which sorted values face each other: both quantile functions are constant between common breakpoints.

    The breakpoints are whole numbers, multiples of 1/(total of a · total of b), so that none is split by rounding.
    """
    ends_a = np.cumsum(counts_a) * int(counts_b.sum())
    ends_b = np.cumsum(counts_b) * int(counts_a.sum())
    begins = np.concatenate([[0], np.union1d(ends_a, ends_b)[:-1]])
    return np.searchsorted(ends_a, begins, side="right"), np.searchsorted(ends_b, begins, side="right")
