"""A trap: noise made of floating-point numbers, whose last digits tell the tables apart (Mironov, 2012).

Every outcome is enumerated, so that the shares are exact: a uniform number u = i/2^bits, i = 1 to 2^bits, as random generators give it,
a coin for the sign, and answer ± b·(-log u), each step rounded to the nearest number of so many significant bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_number

FEWEST_BITS, MOST_BITS = 4, 16
SMALLEST, LARGEST = 1e-3, 100.0
_SHOWN = 32  # numbers in a row
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FloatNoise(Result):
    """Noisy answers of two tables, whose exact answers are 0 and 1 sensitivities, in numbers of `bits` significant bits.

    `from_zero` and `from_one` say which of 32 neighbouring `numbers` can come out of which table; these are in units of the sensitivity
    and begin at the lower quartile of the size of the noise. `exposed` is the share of releases whose number can come out of one table
    only: for the table for which it is larger.
    """

    bits: int
    epsilon: float
    numbers: _Floats
    from_zero: NDArray[np.bool_]
    from_one: NDArray[np.bool_]
    exposed: float
    QUANTITIES = quantities(exposed=stated("share", "up"))
    evidence = Evidence(PROVEN, source="every outcome of the noise enumerated; the attack is Mironov's (CCS 2012)")


def float_noise(bits: int, epsilon: float) -> FloatNoise:
    """Return how far the tables are told apart, with 4 to 16 bits, for an epsilon from 0.001 to 100.

    >>> found = float_noise(11, 1.0)  # half precision
    >>> round(found.exposed, 3)
    0.666
    """
    digits = check_integer("bits", bits, at_least=FEWEST_BITS, at_most=MOST_BITS)
    return _enumerated(digits, check_number("epsilon", epsilon, at_least=SMALLEST, at_most=LARGEST))


@lru_cache(maxsize=512)
def _enumerated(bits: int, epsilon: float) -> FloatNoise:
    uniform = np.arange(1, 2**bits + 1) / 2**bits
    scale = _rounded(np.array(1.0 / epsilon), bits)
    size = _rounded(scale * _rounded(-np.log(uniform), bits), bits)
    zero = np.concatenate([size, -size])
    other = _rounded(1.0 + zero, bits)
    shown = _following(_rounded(np.quantile(size, [0.25]), bits).item(), bits)
    exposed = max(float(np.mean(~np.isin(zero, other))), float(np.mean(~np.isin(other, zero))))
    return FloatNoise(bits, epsilon, shown, np.isin(shown, zero), np.isin(shown, other), exposed)


def _rounded(value: _Floats, bits: int) -> _Floats:
    """Round to the nearest number of so many significant bits, of two to the even one."""
    part, power = np.frexp(value)
    return np.asarray(np.ldexp(np.rint(np.ldexp(part, bits)), power - bits))


def _following(first: float, bits: int) -> _Floats:
    """Return a number and those that follow it among the numbers of so many bits."""
    found = [first]
    for _ in range(_SHOWN - 1):
        found.append(found[-1] + float(np.ldexp(1.0, int(np.frexp(found[-1])[1]) - bits)))
    return np.array(found)
