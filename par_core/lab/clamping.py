"""A trap: what is clamped after the noise was added costs accuracy, noise that is clamped itself costs all privacy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, like_input
from par_core.release import processed_error

SMALLEST, LARGEST = 1e-3, 100.0
MOST_CELLS = 10**9
MOST_BOUND = 1000
_LEADS = (1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)
GRID = (*(round(lead * 10.0**power, 6) for power in (-2, -1, 0) for lead in _LEADS), 10.0)
"""The epsilon at which curves are drawn, rising."""

_LAW = "sums and integrals of the distribution of the noise, closed form"


@dataclass(frozen=True)
class InventedPeople(Result):
    """How many people appear on average in cells that are truly empty, once negative counts are set to 0.

    `invented` is for discrete Laplace noise, which release scripts draw for counts, `by_laplace` for Laplace noise; one person moves one
    cell by 1. `deviation` is the standard deviation of the total if nothing is clamped, whose mean is right. All have the shape of
    `epsilon`.
    """

    cells: int
    epsilon: FloatOrArray
    invented: FloatOrArray
    by_laplace: FloatOrArray
    deviation: FloatOrArray
    QUANTITIES = quantities(
        invented=stated("number", "up"), by_laplace=stated("number", "up"), deviation=stated("number", "up")
    )
    evidence = Evidence(PROVEN, source=_LAW)


def invented_people(cells: int, epsilon: ArrayLike) -> InventedPeople:
    """Return the people that appear in 1 to 10^9 empty cells, for an epsilon from 0.001 to 100.

    >>> found = invented_people(1000, 1.0)
    >>> round(found.invented, 2), found.by_laplace, round(found.deviation, 2)
    (425.46, 500.0, 42.91)
    """
    number = check_integer("cells", cells, at_least=1, at_most=MOST_CELLS)
    level = check_numbers("epsilon", epsilon, at_least=SMALLEST, at_most=LARGEST)
    whole, real_numbers = (
        number * np.asarray(processed_error(0, 1.0 / level, whole=whole, clamped=True).bias) for whole in (True, False)
    )
    spread = np.sqrt(0.5 * number) / np.sinh(0.5 * level)  # the variance of each is 2q/(1 - q)²
    return InventedPeople(number, *(like_input(each) for each in (level, whole, real_numbers, spread)))


@dataclass(frozen=True)
class ClampedNoise(Result):
    """The outputs of two tables that answer 0 and 1 where discrete Laplace noise is clamped to ±bound.

    The two probabilities belong to `output`, from -bound to bound + 1. `impossible` is the chance of an answer that the other table can
    never give: an infinite loss, and so much δ at every epsilon.
    """

    bound: int
    epsilon: float
    output: NDArray[np.int64]
    of_zero: NDArray[np.float64]
    of_one: NDArray[np.float64]
    impossible: float
    QUANTITIES = quantities(impossible=stated("share", "up"))
    evidence = Evidence(PROVEN, source=_LAW)


def clamped_noise(bound: int, epsilon: float) -> ClampedNoise:
    """Return what comes out where the noise is clamped to ±bound, from 1 to 1000, for an epsilon from 0.001 to 100.

    >>> found = clamped_noise(5, 1.0)
    >>> found.output.tolist(), round(found.impossible, 5)
    ([-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6], 0.00493)
    """
    end = check_integer("bound", bound, at_least=1, at_most=MOST_BOUND)
    level = check_number("epsilon", epsilon, at_least=SMALLEST, at_most=LARGEST)
    noise = np.arange(-end, end + 1)
    mass = np.exp(-level * np.abs(noise)) / (1.0 + np.exp(-level))
    mass[1:-1] *= -np.expm1(-level)  # the ends hold all that lies beyond them
    of_zero, of_one = np.append(mass, 0.0), np.append(0.0, mass)
    return ClampedNoise(end, level, np.arange(-end, end + 2), of_zero, of_one, float(mass[0]))
