"""Where a dial of a claim can stand, and the dials that several claims of *Privacy at Risk* share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Final

from par_core.claims.catalogue import Dial

_STEPS = 40
_LEADS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
_FEW_POWERS = 8  # of ten, with so many steps each
_WIDE = 20.0  # a dial that reaches over more times its least goes by factors

level: Final = partial(Dial, "ε", at_least=0.01, at_most=5.0)
"""A stronger level; from its default."""

level0: Final = partial(Dial, "ε₀", at_least=0.1, at_most=5.0)
"""The level that the noise is calibrated to; from its default."""

ones: Final = partial(Dial, "Share of ones", 0.5, 0.01, 0.99)
"""How many of the rows of a count are 1."""


def steps(of: Dial) -> Sequence[float]:
    """Return where the slider of a dial can stand: by factors if it reaches far, else evenly."""
    if of.at_least > 0 and of.at_most / of.at_least > _WIDE:
        powers = range(math.floor(math.log10(of.at_least)), math.ceil(math.log10(of.at_most)) + 1)
        leads = _LEADS if len(powers) <= _FEW_POWERS else _LEADS[::3]
        found = [float(f"{lead}e{power}") for power in powers for lead in leads]
    else:
        each = 10.0 ** math.floor(math.log10((of.at_most - of.at_least) / _STEPS))
        step = next(each * lead for lead in (1, 2, 5, 10) if (of.at_most - of.at_least) / (each * lead) <= _STEPS)
        first = math.ceil(of.at_least / step)
        found = [round(number * step, 12) for number in range(first, math.floor(of.at_most / step) + 1)]
    whole = [each for each in found if not of.whole or each == int(each)]
    inside = [each for each in whole if of.at_least <= each <= of.at_most]
    return sorted({*inside, of.default, of.at_least, of.at_most})
