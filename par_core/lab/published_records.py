"""A trap: δ near 1/n allows to publish whole records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import FloatOrArray, check_integer, check_numbers, like_input

FEWEST, MOST_EXPECTED = 10, 10.0
GRID = np.geomspace(1e-2, MOST_EXPECTED, 81)


@dataclass(frozen=True)
class PublishedRecords(Result):
    """What two mechanisms give away that are (0, delta)-differentially private, in the shape of `expected`.

    `expected` is δ·n, the mean number of records published. `each_alone` is the chance that somebody's is among them where each record
    is published with probability δ; `one_at_most` where one record at random is published with probability δ·n, at most 1.
    """

    people: int
    expected: FloatOrArray
    delta: FloatOrArray
    each_alone: FloatOrArray
    one_at_most: FloatOrArray
    QUANTITIES = quantities(each_alone=stated("share", "up"), one_at_most=stated("share", "up"), delta=stated("number"))
    evidence = Evidence(PROVEN, source="independent draws: 1 − (1 − δ)ⁿ; disjoint ones: n·δ")


def published_records(expected: ArrayLike, people: int) -> PublishedRecords:
    """Return what happens where δ·n is `expected`, above 0 and at most 10, in a table of so many people, from 10 to 2^53.

    >>> found = published_records(1.0, 1000)
    >>> found.delta, round(found.each_alone, 4), found.one_at_most
    (0.001, 0.6323, 1.0)
    """
    number = check_integer("people", people, at_least=FEWEST, at_most=2**53)
    mean = check_numbers("expected", expected, above=0.0, at_most=MOST_EXPECTED)
    delta: NDArray[np.float64] = mean / number
    with np.errstate(divide="ignore"):  # where every record is published for sure
        somebody = -np.expm1(number * np.log1p(-delta))
    told = (like_input(each) for each in (mean, delta, somebody, np.minimum(mean, 1.0)))
    return PublishedRecords(number, *told)
