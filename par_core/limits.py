"""Ranges that a printed formula shares with what it is held against; each is checked here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.parameters import one, one_whole, real, together, whole

LARGEST_K = 100_000
LARGEST_EPSILON0 = 50.0
MOST_COMPOSITIONS = 10**9
LARGEST_PENALTY = 1e100  # beyond, bounds that are divided by it would round to zero


def of_composition(
    epsilon0: ArrayLike, compositions: ArrayLike, delta: ArrayLike, *, pure: bool = False
) -> tuple[NDArray[np.float64], ...]:
    """Return the level of each release, how many there are, and the delta of all (0 only if `pure`), in their common shape."""
    level = real("epsilon0", epsilon0, above=0, at_most=LARGEST_EPSILON0)
    number = whole("compositions", compositions, at_least=1, at_most=MOST_COMPOSITIONS).astype(np.float64)
    small = real("delta", delta, below=1, **{"at_least" if pure else "above": 0})
    return together(epsilon0=level, compositions=number, delta=small)


def of_ridge(rows: Any, k: Any, penalty: Any) -> tuple[int, int, float]:
    """Return the rows and coefficients of a ridge regression, and its penalty."""
    columns = one_whole("k", k, at_least=1, at_most=LARGEST_K)
    weight = one("penalty", penalty, above=0.0, at_most=LARGEST_PENALTY)
    return one_whole("rows", rows, at_least=1, at_most=10**12), columns, weight
