"""How much each individual shows in the answers of a query: exact deltas for Laplace kernels of one bandwidth.

p is the kernel density of the answers with everyone, p_i that of the answers without individual i. What the first
density has beyond exp(epsilon) times the second, and the other way round, is integrated in closed form: between two
neighbouring answers both densities are A·exp(x/bandwidth) + B·exp(-x/bandwidth).
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.empirical import kernels_numpy, many_digits
from par_core.empirical.bandwidths import SMALLEST_BANDWIDTH
from par_core.empirical.kernels_numpy import SOURCE, Flags, Floats
from par_core.errors import ParameterError
from par_core.parameters import as_array, one, real
from par_core.progress import Progress, portion
from par_core.standing import ESTIMATE, declare

LARGEST_EPSILON = 500.0
LARGEST_BANDWIDTH = 1e300

LIMITS = (
    "The integral is exact, the two densities are estimates from few databases, which must be independent: nothing can be said"
    " below about 1/databases. It protects against someone who knows the distribution only, and is not differential privacy."
    " delta_i is an excess of probability mass, not the chance of a breach. That it reaches 0 at some epsilon is a property of"
    " one common bandwidth with Laplace kernels."
)

_COMPILED = "par_core.empirical.kernels_numba"
_FEW = 4_000  # so many rows times levels are done before a compiler has started
_SHARED_OUT = 8_000  # and from so many on it pays to use several cores
_FIRST_BATCH = 8_192
_BATCH_SECONDS = 0.1  # aimed at; a batch may take twice as long
_DOUBTFUL_AT_ONCE = 400
_SORTED_FIRST = 64  # sorting longer rows by insertion would take long


class Samples(NamedTuple):
    """Checked answers: with everyone, without each individual, and the bandwidth."""

    plain: Floats
    table: NDArray[Any]
    bandwidth: float


class _Question(NamedTuple):
    """The checked arguments of a call."""

    plain: Floats
    ordered: Floats
    order: NDArray[np.int64]
    without: NDArray[Any]
    levels: Floats
    bandwidth: float
    scalar: bool


@declare(ESTIMATE, source=SOURCE, limits=LIMITS)
def individual_deltas(
    with_all: ArrayLike,
    without: ArrayLike,
    *,
    epsilon: ArrayLike,
    bandwidth: float,
    progress: Progress | None = None,
) -> Floats:
    """delta_i(epsilon) = max(∫(p - exp(epsilon)·p_i)+, ∫(p_i - exp(epsilon)·p)+) for every individual, exactly.

    Parameters
    ----------
    with_all : array_like, shape (n,)
        Answer of the query on each of the n databases, in the unit of the query.
    without : array_like, shape (N, n)
        Answers without individual i in row i; where that individual is not in a database, the answer with everyone.
    epsilon : float or array_like of shape (m,), from 0 to 500
        The levels; all of them together cost hardly more than one.
    bandwidth : float, from 1e-300 to 1e300
        Of all the Laplace kernels exp(-|x|/bandwidth)/(2·bandwidth), in the unit of the query.
    progress : callable, optional
        Called with the share that is done, from 0 to 1, about ten times a second.

    Returns
    -------
    ndarray, shape (N,) for one epsilon and (N, m) for several
        In [0, 1]; relative error below 1e-9, and exactly 0 for individuals without any influence. The order of the
        databases plays no part.

    Raises
    ------
    ParameterError
        A value out of range or not finite, or shapes that do not fit.

    Examples
    --------
    >>> individual_deltas([0.0], [[1.0], [0.0]], epsilon=0.5, bandwidth=1.0).round(4)
    array([0.2212, 0.    ])
    """
    tell = portion(progress)
    asked = _question(with_all, without, epsilon, bandwidth)
    rows, levels = len(asked.without), len(asked.levels)
    result = np.zeros((rows, levels))
    kernel = _kernel(rows * levels)
    size = max(_FIRST_BATCH // levels, 1)
    workers = _cores() if rows * levels >= _SHARED_OUT else 1
    with ThreadPoolExecutor(workers) as pool:
        start = 0
        while start < rows:
            begun = time.perf_counter()
            stop = min(start + size, rows)
            edges = np.linspace(start, stop, workers + 1).astype(int)
            parts = [(int(low), int(high)) for low, high in pairwise(edges) if high > low]
            if len(parts) == 1:
                found = [_fill(kernel, asked, result, *parts[0])]
            else:
                found = list(pool.map(lambda part: _fill(kernel, asked, result, *part), parts))
            doubtful = np.concatenate(found)
            for at in range(0, len(doubtful), _DOUBTFUL_AT_ONCE):
                if at:
                    tell(start / rows)
                _settle(asked, result, doubtful[at : at + _DOUBTFUL_AT_ONCE])
            seconds = time.perf_counter() - begun
            start = stop
            size = int(min(max(size * _BATCH_SECONDS / max(seconds, 1e-4), size / 4, 64), size * 4))
            tell(start / rows)
    return result[:, 0] if asked.scalar else result


def prepare() -> bool:
    """Load the compiled code now, which may take seconds the first time; returns whether there is any.

    A page calls this in the background; until then, small questions are answered without it.
    """
    try:
        importlib.import_module(_COMPILED)
    except ImportError:
        return False
    return True


def _kernel(work: int) -> Callable[..., None]:
    """The compiled kernel if it is there, or worth the wait; else that of numpy."""
    if (work > _FEW or _COMPILED in sys.modules) and prepare():
        compiled: Callable[..., None] | None = getattr(sys.modules[_COMPILED], "deltas_of_rows", None)
        if compiled is not None:
            return compiled
    return kernels_numpy.deltas_of_rows


def _fill(kernel: Callable[..., None], asked: _Question, result: Floats, start: int, stop: int) -> NDArray[np.int64]:
    """Fill the rows from `start` to `stop`; returns (row, level) of those that need more digits."""
    block = np.ascontiguousarray(asked.without[start:stop], dtype=np.float64)
    _check_finite(block, start)
    if len(asked.plain) > _SORTED_FIRST:
        plain, block, order = asked.ordered, np.sort(block, axis=1), np.arange(len(asked.plain))
    else:
        plain, order = asked.plain, asked.order
    doubtful: Flags = np.empty((stop - start, len(asked.levels)), dtype=np.bool_)
    excesses = np.expm1(asked.levels)
    kernel(
        plain, asked.ordered, order, block, 1.0 / asked.bandwidth, asked.levels, excesses, result[start:stop], doubtful
    )
    pairs: NDArray[np.int64] = np.argwhere(doubtful) + np.array([start, 0])
    return pairs


def _settle(asked: _Question, result: Floats, pairs: NDArray[np.int64]) -> None:
    """Compute the (row, level) pairs again, with many digits."""
    rows, levels = pairs[:, 0], pairs[:, 1]
    block = np.asarray(asked.without[rows], dtype=np.float64)
    result[rows, levels] = many_digits.deltas_of_pairs(
        asked.ordered, block, levels=asked.levels[levels], bandwidth=asked.bandwidth
    )


def _question(with_all: ArrayLike, without: ArrayLike, epsilon: ArrayLike, bandwidth: float) -> _Question:
    plain, table, width = samples(with_all, without, bandwidth)
    level = real("epsilon", epsilon, at_least=0.0, at_most=LARGEST_EPSILON)
    if level.ndim > 1:
        raise ParameterError(f"epsilon must be a number or one row of numbers, got shape {level.shape}")
    order = np.argsort(plain, kind="stable")
    return _Question(plain, plain[order], order, table, np.atleast_1d(level), width, level.ndim == 0)


def samples(with_all: ArrayLike, without: ArrayLike, bandwidth: float) -> Samples:
    """Check the answers with and without each individual and the bandwidth; the table is not copied.

    Raises
    ------
    ParameterError
        A value out of range or not a number, or shapes that do not fit.
    """
    plain = real("with_all", with_all)
    if plain.ndim != 1:
        raise ParameterError(f"with_all must be one row of answers, got shape {plain.shape}")
    table = as_array("without", without, "a table of numbers, one row per individual, of equal lengths")
    if table.dtype.kind not in "iuf":
        raise ParameterError(f"without must be a table of numbers, got type {table.dtype}")
    if table.ndim != 2 or table.shape[1] != len(plain):
        raise ParameterError(
            f"without must have one row per individual and a column for each of the {len(plain)} databases, got shape {table.shape}"
        )
    width = one("bandwidth", bandwidth, at_least=SMALLEST_BANDWIDTH, at_most=LARGEST_BANDWIDTH)
    return Samples(plain, table, width)


def _check_finite(block: Floats, start: int) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        total = block.sum()
    if np.isfinite(total):
        return
    bad = np.argwhere(~np.isfinite(block))
    if len(bad):
        row, column = bad[0]
        raise ParameterError(
            f"without must be finite, got {block[row, column]:g} (individual {start + row}, database {column}, counted from 0)"
        )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
