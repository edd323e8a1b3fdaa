"""Numbers as people read them: rounded once, with the digits that matter, a bound toward the side on which it still holds.

Shares and errors are written with three digits, levels with four. Sentences, tables and charts all write with these
functions, so that one quantity is one number wherever it stands.
"""

from __future__ import annotations

import decimal
from decimal import Decimal
from functools import cache
from typing import Literal

Toward = Literal["near", "up", "down"]

_JOIN = "\u00a0"  # keeps a number and its sign on one line
_ROUNDINGS = {"near": decimal.ROUND_HALF_EVEN, "up": decimal.ROUND_CEILING, "down": decimal.ROUND_FLOOR}
_LAST_DIGIT = Decimal("1e-15")
_SMALL, _LARGE = Decimal("1e-4"), Decimal(10**12)


def amount(value: float, digits: int = 3, *, toward: Toward = "near") -> str:
    """Return a number with so many digits; one that has no more, but for its last binary digit, stays what it is."""
    return _written(Decimal(repr(float(value))), digits, toward)


def percent(share: float, *, toward: Toward = "near") -> str:
    """Return a share as a percentage with three digits; none but 0 and 1 themselves is rounded onto them."""
    if share in (0, 1):
        return f"{100 * share:.0f}{_JOIN}%"
    if share < 0.001:
        return f"less than 0.1{_JOIN}%"
    if share > 0.999:
        return f"almost 100{_JOIN}%" if toward == "up" else f"more than 99.9{_JOIN}%"
    return f"{_written(100 * Decimal(repr(float(share))), 3, toward)}{_JOIN}%"


def _written(value: Decimal, digits: int, toward: Toward) -> str:
    near = _context(digits, "near").plus(value)
    kept = near if abs(near - value) <= _LAST_DIGIT * abs(near) else _context(digits, toward).plus(value)
    if kept == 0 or _SMALL <= abs(kept) < _LARGE:
        return f"{kept.normalize():,f}"
    return f"{float(kept):.{digits}g}".replace("e-0", "e-")


@cache
def _context(digits: int, toward: Toward) -> decimal.Context:
    return decimal.Context(prec=digits, rounding=_ROUNDINGS[toward])
