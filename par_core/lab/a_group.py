"""A group: which level the same release has for several persons together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import Laplace
from par_core.parameters import check_integer, check_number

MOST_PERSONS: Final = 50


@dataclass(frozen=True)
class GroupLevel(Result):
    """Level that noise for `epsilon` has for a group of `size` persons, and by which factor odds about all of them move at most.

    `levels` has the level for each of the `sizes`. The factor is infinite beyond the floats.
    """

    epsilon: float
    size: int
    level: float
    factor: float
    sizes: NDArray[np.int64]
    levels: NDArray[np.float64]
    evidence = Evidence(
        PROVEN,
        source="Laplace noise of the same scale, sensitivity times size",
        limits="a query that all of the group move the same way, as a count of them",
    )

    QUANTITIES = quantities(
        epsilon=stated("level"), size=stated("count"), level=stated("level", "up"), factor=stated("number", "up")
    )


def grouped(epsilon: float, size: int) -> GroupLevel:
    """Return the level of a group of 1 to 50 persons; epsilon is from 1e-6 to 50.

    >>> found = grouped(0.5, 4)
    >>> found.level, round(found.factor, 2)
    (2.0, 7.39)
    """
    one = Laplace(check_number("epsilon", epsilon, at_least=1e-6, at_most=50.0))
    number = check_integer("size", size, at_least=1, at_most=MOST_PERSONS)
    sizes = np.arange(1, MOST_PERSONS + 1)
    levels = np.array([one.for_group(each).largest_loss for each in sizes.tolist()], dtype=np.float64)
    level = float(levels[number - 1])
    with np.errstate(over="ignore"):
        factor = float(np.exp(level))
    return GroupLevel(float(one.largest_loss), number, level, factor, sizes, levels)
