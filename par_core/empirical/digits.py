"""Numbers with the digits that matter, rounded once and toward the side on which they still hold."""

from __future__ import annotations

import decimal
import math
from typing import Literal

from par_core.standing import PROVEN, declare

_ROUNDINGS = {"near": decimal.ROUND_HALF_EVEN, "up": decimal.ROUND_CEILING, "down": decimal.ROUND_FLOOR}


@declare(PROVEN, source="decimal arithmetic on the exact value of the float")
def rounded(value: float, digits: int = 3, *, toward: Literal["near", "up", "down"] = "near") -> float:
    """Return a number with so many digits; infinities and NaN as they are.

    Examples
    --------
    >>> rounded(0.12341), rounded(0.12341, toward="up"), rounded(123_456, 4, toward="down")
    (0.123, 0.124, 123400.0)
    """
    if not math.isfinite(value):
        return value
    return float(decimal.Context(prec=digits, rounding=_ROUNDINGS[toward]).create_decimal_from_float(float(value)))
