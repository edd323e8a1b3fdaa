"""The exact risk of one release of Laplace noise whose change is known, coordinate by coordinate."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from par_core.composition import lattice
from par_core.composition.brackets import bracket
from par_core.composition.delta_from_loss import TailBatch
from par_core.composition.lattice import Levels
from par_core.composition.mixed import MOST_LEVELS, SMALLEST_MIXED, SOURCE
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.limits import LARGEST_EPSILON0
from par_core.parameters import check_number, check_numbers

_ROUNDING = 1e-9  # a sum of decimal shares that is closer to 1 than this is meant to be 1


@dataclass(frozen=True)
class ChangeRisk(Result):
    """How often the loss of one release exceeds a level, P(|loss| > epsilon), for one known change of the answer.

    `lower` and `upper` certainly hold it; `exceeds` is between them where they are close, else the upper one, as in
    `ExactComposition`. No loss is above `largest` with this change.
    """

    epsilon: float
    largest: float
    exceeds: float
    lower: float
    upper: float
    QUANTITIES = quantities(largest=stated("level", "up"), lower=stated("share", "down"), upper=stated("share", "up"))
    evidence = Evidence(
        PROVEN,
        source=SOURCE,
        limits="for this very change of the answer; another neighbour may move it differently, and then this says nothing",
    )


@Evidence(PROVEN, source="a sum")
def used_share(shares: ArrayLike) -> float:
    """Share of the L1 sensitivity that a change uses, above 0 and at most 1; exactly 1 where only rounding keeps it from that.

    `shares`, of shape (k,), are at least 0 and at most 1 in sum: how far each coordinate moves, as a share of the L1 sensitivity.
    """
    parts = np.atleast_1d(check_numbers("shares", shares, at_least=0))
    used = math.fsum(parts.ravel().tolist())
    if parts.ndim != 1 or not 0 < used <= 1 + 1e-12:
        raise ParameterError(f"shares must be a list whose sum is above 0 and at most 1, got a sum of {used:g}")
    return 1.0 if abs(used - 1) <= _ROUNDING else used


def change_risk(epsilon: float, epsilon0: float, *, shares: ArrayLike) -> ChangeRisk:
    """Exact risk of one k-dimensional release whose change is known coordinate by coordinate.

    Each coordinate carries its own Laplace noise, so its loss is that of a release of its own, at the level
    share·epsilon0.

    epsilon, at least 0, is the level hoped for, epsilon0, 1e-6 to 50, what the noise is calibrated to. `shares`, of shape (k,), say how
    far each coordinate moves, as a share of the L1 sensitivity: at least 0, not all 0, at most 1 in sum.

    >>> alone = change_risk(0.5, 1.0, shares=[1.0])
    >>> round(alone.exceeds, 4)
    0.8468
    """
    level = check_number("epsilon", epsilon, at_least=0)
    calibrated = check_number("epsilon0", epsilon0, at_least=SMALLEST_MIXED, at_most=LARGEST_EPSILON0)
    used_share(shares)
    parts = np.atleast_1d(check_numbers("shares", shares, at_least=0, at_most=1))
    moved = parts[parts * calibrated >= SMALLEST_MIXED] * calibrated
    total = math.fsum((parts * calibrated).tolist())
    if level >= total or len(moved) == 0:
        return ChangeRisk(level, total, 0.0, 0.0, 0.0 if level >= total else 1.0)
    levels = Levels.of((each, 1) for each in moved.tolist())
    if len(levels.epsilon0) > MOST_LEVELS:
        raise ParameterError(f"shares must hold at most {MOST_LEVELS:,} different ones, got {len(levels.epsilon0):,}")
    grid = lattice.lattice_for(levels, tilt=0.0)
    law = TailBatch([lattice.rounded_law(levels, grid, up=True)])
    # A coordinate is moved by at most two steps: to the end of its cell, and with its level; the very small ones are left out.
    reach = (2 * len(moved) + 1) * grid.step + (total - math.fsum(moved.tolist()))
    points = np.maximum([level + 1e-9 * grid.step, level + reach, level - reach, 0.0], 0.0)
    (value, lower, upper, _), errors = (each.tolist() for each in law.exceeds(points))
    error = errors[-1]
    ends = bracket(value, max(lower - error, 0.0), 1.0 if level <= reach else min(upper + error, 1.0))
    return ChangeRisk(level, total, ends.value, ends.lower, ends.upper)
