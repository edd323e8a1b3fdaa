"""An even or uneven share of a number, rounded down: all shares together are at most the number, however it is read.

A number is read in two ways: as the float that it is, and as the shortest decimal that it is written as.
"""

from __future__ import annotations

import math
from fractions import Fraction

from par_core.evidence import PROVEN, Evidence


def decimal_fraction(value: float) -> Fraction:
    """Return a float as the rational number that its shortest decimal stands for."""
    return Fraction(repr(float(value)))


@Evidence(PROVEN, source="exact rational arithmetic, rounded down")
def share_of(total: float, part: Fraction) -> float:
    """Largest float that is at most this part of the total in both readings (or the one below that).

    >>> share_of(0.3, Fraction(1, 3))
    0.09999999999999999
    """
    share = float(Fraction(total) * part)
    while share > 0.0 and (
        Fraction(share) > Fraction(total) * part or decimal_fraction(share) > decimal_fraction(total) * part
    ):
        share = math.nextafter(share, 0.0)
    return share
