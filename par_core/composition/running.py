"""What the first releases of a list spend, one number of them after another; levels add up as they were typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, evidence_of, quantities, stated
from par_core.parameters import check_integer, check_integers, check_number, check_numbers
from par_core.published.composition import heterogeneous

Levels = Sequence[Sequence[float]]  # rows of level and count

_DIGITS = 60  # more than the shortest text of a float and the largest count take together


@Evidence(PROVEN, source="the shortest decimal number that a float is the nearest one to")
def as_typed(value: float) -> Decimal:
    """Return a float as the decimal number that it was typed as."""
    return Decimal(repr(check_number("value", value)))


@Evidence(PROVEN, source="basic composition (Dwork and Roth, Theorem 3.16), in decimal numbers")
def added_up(levels: Iterable[Sequence[float]]) -> Decimal:
    """Return the sum of level times count over rows of both, without rounding: 0.1 and 0.2 are 0.3.

    >>> added_up([(0.1, 1), (0.2, 1)]) == as_typed(0.3)
    True
    """
    return sum_of_typed(_rows(levels))


def sum_of_typed(rows: Iterable[tuple[float, int]]) -> Decimal:
    """Return `added_up` of rows that are checked."""
    with localcontext() as context:
        context.prec = _DIGITS
        return sum((Decimal(repr(level)) * count for level, count in rows), Decimal(0))


@Evidence(PROVEN, source="counting")
def releases_in(levels: Levels) -> int:
    """Return how many releases a list of (level, count) holds."""
    return sum(count for _, count in _rows(levels))


@Evidence(PROVEN, source="counting")
def first_releases(levels: Levels, number: int) -> tuple[tuple[float, float], ...]:
    """Return the first so many releases of a list of (level, count), in its order."""
    taken, left = [], check_integer("number", number, at_least=0)
    for level, count in _rows(levels):
        here = min(count, left)
        if here:
            taken.append((level, float(here)))
            left -= here
    return tuple(taken)


@dataclass(frozen=True)
class RunningCount(Result):
    """What the first releases of a list spend: by basic composition, and by Corollary 1 with Theorem 4's confidence.

    Arrays of shape (n,); the evidence is that of the published part.
    """

    releases: NDArray[np.int64]
    basic: NDArray[np.float64]
    published: NDArray[np.float64]
    QUANTITIES = quantities(published=stated("level", claim="par-corollary-1-with-theorem-4"))

    @property
    def evidence(self) -> Evidence:
        """That of the published part."""
        return evidence_of(heterogeneous)


def running(levels: Levels, numbers: Sequence[int], *, delta: float, k: int = 1) -> RunningCount:
    """Count a list of (epsilon0, count) after each of some numbers of its releases, by adding up and by Corollary 1.

    `delta` is that of Corollary 1, and `k` the dimension of the query for Theorem 4's confidence.
    """
    counts = check_integers("numbers", numbers, at_least=1).ravel()
    firsts = [first_releases(levels, number) for number in counts.tolist()]
    claims = [
        heterogeneous([level for level, _ in first], [count for _, count in first], delta=delta, k=k)
        for first in firsts
    ]
    return RunningCount(
        counts,
        np.array([float(added_up(first)) for first in firsts]),
        np.array(claims),
    )


def _rows(levels: Iterable[Sequence[float]]) -> list[tuple[float, int]]:
    """Return checked rows of level and count."""
    try:
        rows = list(levels)
    except TypeError as error:
        raise ParameterError(f"levels must be rows of level and count, got {levels!r}") from error
    if not rows:
        return []
    table = check_numbers("levels", rows, at_least=0)
    if table.ndim != 2 or table.shape[1] != 2:
        raise ParameterError(f"levels must be rows of level and count, got an array of shape {table.shape}")
    counts = check_integers("the counts in levels", table[:, 1], at_least=0)
    return list(zip(table[:, 0].tolist(), counts.tolist(), strict=True))
