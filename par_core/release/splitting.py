"""Shares of epsilon for the statistics of one release, which add up to its epsilon and never to more.

Sums of floats are rounded: 0.1 + 0.2 comes out above 0.3. Here sums are exact rational numbers. A number is read in two ways:
as the float that it is, and as the shortest decimal that it is written as. Shares that are computed here add up to at most the
total in both readings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.old_names import by_old_name
from par_core.parameters import check_integer, check_number, check_numbers
from par_core.shares import decimal_fraction, share_of

__all__ = ["Split", "decimal_fraction", "split_by_weight", "split_evenly"]

LARGEST_STATISTICS = 10_000  # that are listed one by one
LARGEST_EVEN = 10**6  # that share alike: as many as a scenario may have


@dataclass(frozen=True)
class Split(Result):
    """Epsilon of each statistic, and that of the release: the parts add up to at most the total, exactly."""

    parts: tuple[float, ...]
    total: float
    evidence = Evidence(PROVEN, source="basic composition, in exact rational arithmetic")


def split_evenly(epsilon: float, statistics: int) -> Split:
    """Give each of so many statistics (1 to 1,000,000) the same share of epsilon, which is above 0."""
    total = check_number("epsilon", epsilon, above=0.0)
    number = check_integer("statistics", statistics, at_least=1, at_most=LARGEST_EVEN)
    share = share_of(total, Fraction(1, number))
    if share <= 0.0:
        raise ParameterError(f"epsilon must leave each of {number:,} statistics a share above 0, got {total:g}")
    return Split((share,) * number, total)


def split_by_weight(epsilon: float, weights: Sequence[float]) -> Split:
    """Share out epsilon in proportion to weights above 0, one for each statistic; each share is rounded down.

    ParameterError also for weights so unequal that a share would be 0.

    >>> [round(part, 12) for part in split_by_weight(0.3, [1, 2]).parts]
    [0.1, 0.2]
    """
    total = check_number("epsilon", epsilon, above=0.0)
    exact = [Fraction(weight) for weight in _list("weights", weights)]
    together = sum(exact, Fraction(0))
    parts = tuple(share_of(total, weight / together) for weight in exact)
    if min(parts) <= 0.0:
        raise ParameterError(f"weights must leave every statistic a share above 0, got {min(weights):g}")
    return Split(parts, total)


def _list(parameter: str, values: Sequence[float]) -> list[float]:
    array = check_numbers(parameter, values, above=0.0)
    if array.ndim != 1 or array.size > LARGEST_STATISTICS:
        raise ParameterError(f"{parameter} must be a list of at most {LARGEST_STATISTICS} numbers, got {array.shape}")
    return [float(value) for value in array]


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"written": "decimal_fraction"})
