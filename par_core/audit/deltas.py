"""How much each individual shows in the answers of a query: exact deltas for Laplace kernels of one bandwidth.

p is the kernel density of the answers with everyone, p_i that of the answers without individual i. What the first
density has beyond exp(epsilon) times the second, and the other way round, is integrated in closed form: between two
neighbouring answers both densities are A·exp(x/bandwidth) + B·exp(-x/bandwidth).
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.audit.bandwidths import SMALLEST_BANDWIDTH, Floats
from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, Evidence
from par_core.parameters import as_array, check_number, check_numbers
from par_core.progress import Progress, portion

_SOURCE = "Empirical Differential Privacy (2020), Theorem 1, in closed form for Laplace kernels of one bandwidth"

LARGEST_EPSILON = 500.0
LARGEST_BANDWIDTH = 1e300

LIMITS = (
    "The integral is exact, the two densities are estimates from few databases, which must be independent: nothing can be said"
    " below about 1/databases. It protects against someone who knows the distribution only, and is not differential privacy."
    " delta_i is an excess of probability mass, not the chance of a breach. That it reaches 0 at some epsilon is a property of"
    " one common bandwidth with Laplace kernels."
)

_SHARED_OUT = 8_000  # from so many rows times levels on it pays to use several cores
_FIRST_BATCH = 8_192
_BATCH_SECONDS = 0.1  # aimed at; a batch may take twice as long


@Evidence(ESTIMATE, source=_SOURCE, limits=LIMITS)
def individual_deltas(
    with_all: ArrayLike, without: ArrayLike, *, epsilon: ArrayLike, bandwidth: float, progress: Progress | None = None
) -> Floats:
    """delta_i(epsilon) = max(∫(p - exp(epsilon)·p_i)+, ∫(p_i - exp(epsilon)·p)+) for every individual, exactly.

    `with_all`, shape (n,), holds the answer of the query on each of the n databases, in its unit; row i of `without`, (N, n),
    those without individual i: where that individual is not in a database, the answer with everyone. `epsilon` is a level or
    m of them, from 0 to 500, which together cost hardly more than one; `bandwidth`, 1e-300 to 1e300, that of all the Laplace
    kernels exp(-|x|/bandwidth)/(2·bandwidth), in the unit of the query. Progress is told about ten times a second.

    The result has shape (N,) for one epsilon and (N, m) for several. It is in [0, 1], with an absolute error below 1e-12 and a
    relative one below 1e-9 where delta_i is above 1e-6, and exactly 0 for individuals without any influence. The order of the
    databases plays no part.

    >>> individual_deltas([0.0], [[1.0], [0.0]], epsilon=0.5, bandwidth=1.0).round(4)
    array([0.2212, 0.    ])
    """
    tell = portion(progress)
    plain, table, width = samples(with_all, without, bandwidth)
    given = check_numbers("epsilon", epsilon, at_least=0.0, at_most=LARGEST_EPSILON)
    if given.ndim > 1:
        raise ParameterError(f"epsilon must be a number or one row of numbers, got shape {given.shape}")
    ordered, levels = np.sort(plain), np.atleast_1d(given)
    rows, result = len(table), np.zeros((len(table), len(levels)))
    size = max(_FIRST_BATCH // len(levels), 1)
    workers = _cores() if result.size >= _SHARED_OUT else 1

    def fill(start: int, stop: int) -> None:
        result[start:stop], _ = of_rows(ordered, table, start, stop, levels=levels, bandwidth=width)

    with ThreadPoolExecutor(workers) as pool:
        start = 0
        while start < rows:
            begun = time.perf_counter()
            stop = min(start + size, rows)
            edges = np.linspace(start, stop, workers + 1).astype(int)
            parts = [(int(low), int(high)) for low, high in pairwise(edges) if high > low]
            if len(parts) == 1:
                fill(start, stop)
            else:
                list(pool.map(lambda part: fill(*part), parts))
            seconds = time.perf_counter() - begun
            start = stop
            size = int(min(max(size * _BATCH_SECONDS / max(seconds, 1e-4), size / 4, 64), size * 4))
            tell(start / rows)
    return result if given.ndim else result[:, 0]


@Evidence(ESTIMATE, source=_SOURCE, limits=LIMITS)
def of_rows(
    ordered: Floats, table: NDArray[Any], start: int, stop: int, *, levels: Floats, bandwidth: float
) -> tuple[Floats, Floats]:
    """Deltas of shape (rows, m) and losses of shape (rows,) from `start` to `stop`; see `kernels_numba.fill_rows`."""
    from par_core.audit.kernels_numba import fill_rows

    block = table[start:stop].astype(np.float64, order="C")
    block.sort(axis=1)
    if not np.isfinite(block[:, [0, -1]]).all():
        row, column = np.argwhere(~np.isfinite(table[start:stop]))[0] + [start, 0]
        raise ParameterError(
            f"without must be finite, got {table[row, column]:g} (individual {row}, database {column}, counted from 0)"
        )
    deltas, losses = np.empty((len(block), len(levels))), np.empty(len(block))
    fill_rows(ordered, block, bandwidth, levels, deltas, losses)
    return deltas, losses


@Evidence(ESTIMATE, source=_SOURCE, limits=LIMITS)
def samples(with_all: ArrayLike, without: ArrayLike, bandwidth: float) -> tuple[Floats, NDArray[Any], float]:
    """Check the answers with and without each individual and the bandwidth; the table is not copied."""
    plain = check_numbers("with_all", with_all)
    if plain.ndim != 1:
        raise ParameterError(f"with_all must be one row of answers, got shape {plain.shape}")
    table = as_array("without", without, "a table of numbers, one row per individual, of equal lengths")
    if table.dtype.kind not in "iuf":
        raise ParameterError(f"without must be a table of numbers, got type {table.dtype}")
    if table.ndim != 2 or table.shape[1] != len(plain):
        raise ParameterError(
            f"without must have one row per individual and a column for each of the {len(plain)} databases, got shape {table.shape}"
        )
    width = check_number("bandwidth", bandwidth, at_least=SMALLEST_BANDWIDTH, at_most=LARGEST_BANDWIDTH)
    return plain, table, width


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
