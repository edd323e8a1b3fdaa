"""Ranges that a printed formula shares with what it is held against; each is checked here."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.parameters import check_integer, check_integers, check_number, check_numbers, together

LARGEST_K = 100_000
LARGEST_EPSILON0 = 50.0
LARGEST_RELEASES = 10**9
LARGEST_PENALTY = 1e100  # beyond, bounds that are divided by it would round to zero


def of_composition(
    epsilon0: ArrayLike, releases: ArrayLike, delta: ArrayLike, *, pure: bool = False
) -> tuple[NDArray[np.float64], ...]:
    """Return the level of each release, how many there are, and the delta of all (0 only if `pure`), in their common shape."""
    level = check_numbers("epsilon0", epsilon0, above=0, at_most=LARGEST_EPSILON0)
    number = check_integers("releases", releases, at_least=1, at_most=LARGEST_RELEASES).astype(np.float64)
    small = check_numbers("delta", delta, below=1, **{"at_least" if pure else "above": 0})
    return together(epsilon0=level, releases=number, delta=small)


def of_ridge(rows: object, k: object, penalty: object) -> tuple[int, int, float]:
    """Return the rows and coefficients of a ridge regression, and its penalty."""
    columns = check_integer("k", k, at_least=1, at_most=LARGEST_K)
    weight = check_number("penalty", penalty, above=0.0, at_most=LARGEST_PENALTY)
    return check_integer("rows", rows, at_least=1, at_most=10**12), columns, weight
