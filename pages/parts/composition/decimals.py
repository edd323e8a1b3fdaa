"""Sums of numbers as people write them: 0.1 + 0.2 is 0.3, and three times 0.1 fits into 0.3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, localcontext

_DIGITS = 60  # more than the shortest text of a float and the largest count take together


def written(value: float) -> Decimal:
    """Return a float as the decimal number that it was typed as."""
    return Decimal(repr(float(value)))


def total(rows: Iterable[Sequence[float]]) -> Decimal:
    """Return the sum of value times count over rows of both, without rounding."""
    with localcontext() as context:
        context.prec = _DIGITS
        return sum((written(value) * int(count) for value, count in rows), Decimal(0))
