"""Releases at different levels together: exact composition, and the exact risk of one release with a known change."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from par_core.composition import lattice
from par_core.composition.exact import SMALLEST_DELTA, ExactComposition, bracket, exact, exact_delta
from par_core.composition.lattice import Lattice, Levels, as_written
from par_core.composition.law import rounded_up
from par_core.composition.tail import TailBatch
from par_core.errors import ParameterError
from par_core.parameters import one, real, whole
from par_core.standing import PROVEN, Result, Standing, Told, declare, quantities

MOST_LEVELS = 1000
SMALLEST_MIXED = 1e-6
MOST_MIXED = 1_000_000
_ROUNDING = 1e-9  # a sum of decimal shares that is closer to 1 than this is meant to be 1
STEP_BY_STEP = 1000  # up to here one level alone is done by `exact`, whose ends are closer

_SOURCE = (
    "convolution of the laws of the privacy loss of the Laplace mechanism at each level (PaR Corollary 1's setting), on a lattice "
    "from above and from below"
)


def exact_mixed(epsilon0: ArrayLike, compositions: ArrayLike = 1, *, delta: float) -> ExactComposition:
    """Smallest epsilon for which releases at different levels together are (epsilon, delta)-differentially private.

    The ends are closest where the levels have a common divisor, as decimal numbers do.

    The levels, 1e-6 to 50 and of shape (levels,), are read as the decimal numbers that they are written as: at most 1,000 different ones,
    with 1,000,000 releases in all. delta, of all together, is from 1e-15 to below 1.

    >>> together = exact_mixed([0.1, 0.2, 0.5], [20, 10, 4], delta=1e-5)
    >>> bool(together.lower <= together.value <= together.upper < 6)
    True
    """
    levels = _levels(epsilon0, compositions)
    added = rounded_up(levels.total)
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1)
    if len(levels.epsilon0) == 1 and levels.compositions[0] <= STEP_BY_STEP:
        alone = exact(float(levels.epsilon0[0]), int(levels.compositions[0]), delta=small)
        return bracket(alone.value, alone.lower, min(alone.upper, added), added=added)
    goal = math.log(small)
    grid = lattice.lattice_for(levels, tilt=lattice.tilt_for(levels, log_delta=goal))
    below, above = _both(levels, grid)
    at_low, at_high = below.epsilon(goal), above.epsilon(goal)
    low, high = below.ends(at_low, goal)[0], above.ends(at_high, goal)[1]
    value = lattice.central(float(at_low[0]), float(at_high[0]), levels=levels, lattice=grid)
    return bracket(value, low[0], min(high[0], added), added=added, source=_SOURCE)


def exact_delta_mixed(epsilon0: ArrayLike, compositions: ArrayLike = 1, *, epsilon: float) -> ExactComposition:
    """Smallest delta with which releases at different levels together are (epsilon, delta)-differentially private.

    As `exact_mixed`, with epsilon, at least 0, in place of delta.
    """
    levels = _levels(epsilon0, compositions)
    asked = one("epsilon", epsilon, at_least=0)
    if as_written(asked) >= levels.total:
        return ExactComposition(0.0, 0.0, 0.0, source=_SOURCE)
    if len(levels.epsilon0) == 1 and levels.compositions[0] <= STEP_BY_STEP:
        return exact_delta(float(levels.epsilon0[0]), int(levels.compositions[0]), epsilon=asked)
    at = np.array([asked])
    grid = lattice.lattice_for(levels, tilt=lattice.tilt_at(levels, epsilon=asked))
    below, above = _both(levels, grid)
    middle = (float(np.exp(each.at(at).log_delta[0])) for each in (below, above))
    value = lattice.central(*middle, levels=levels, lattice=grid)
    return bracket(value, below.delta_ends(at)[0][0], above.delta_ends(at)[1][0], source=_SOURCE)


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
    QUANTITIES = quantities(largest=Told("level", "up"), lower=Told("share", "down"), upper=Told("share", "up"))
    standing: Standing = PROVEN
    source: str = _SOURCE
    limits: str = (
        "for this very change of the answer; another neighbour may move it differently, and then this says nothing"
    )


@declare(PROVEN, source="a sum")
def used_share(shares: ArrayLike) -> float:
    """Share of the L1 sensitivity that a change uses, above 0 and at most 1; exactly 1 where only rounding keeps it from that.

    `shares`, of shape (k,), are at least 0 and at most 1 in sum: how far each coordinate moves, as a share of the L1 sensitivity.
    """
    parts = np.atleast_1d(real("shares", shares, at_least=0))
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
    level = one("epsilon", epsilon, at_least=0)
    calibrated = one("epsilon0", epsilon0, at_least=1e-6, at_most=50)
    used_share(shares)
    parts = np.atleast_1d(real("shares", shares, at_least=0, at_most=1))
    moved = parts[parts * calibrated >= 1e-6] * calibrated
    total = math.fsum((parts * calibrated).tolist())
    if level >= total or len(moved) == 0:
        return ChangeRisk(level, total, 0.0, 0.0, 0.0 if level >= total else 1.0)
    levels = _levels(moved, 1)
    grid = lattice.lattice_for(levels, tilt=0.0)
    law = TailBatch([lattice.rounded_law(levels, grid, up=True)])
    # A coordinate is moved by at most two steps: to the end of its cell, and with its level; the very small ones are left out.
    reach = (2 * len(moved) + 1) * grid.step + (total - math.fsum(moved.tolist()))
    points = np.maximum([level + 1e-9 * grid.step, level + reach, level - reach, 0.0], 0.0)
    (value, lower, upper, _), errors = (each.tolist() for each in law.exceeds(points))
    error = errors[-1]
    ends = bracket(value, max(lower - error, 0.0), 1.0 if level <= reach else min(upper + error, 1.0))
    return ChangeRisk(level, total, ends.value, ends.lower, ends.upper)


def _levels(epsilon0: ArrayLike, compositions: ArrayLike) -> Levels:
    level = np.atleast_1d(real("epsilon0", epsilon0, at_least=SMALLEST_MIXED, at_most=50))
    number = whole("compositions", compositions, at_least=1, at_most=MOST_MIXED)
    if level.ndim != 1:
        raise ParameterError(f"epsilon0 must be a list of levels, got an array of shape {level.shape}")
    try:
        number = np.broadcast_to(number, level.shape)
    except ValueError as error:
        raise ParameterError(f"compositions must be one number or as many as there are levels, {len(level)}") from error
    counts: Counter[float] = Counter()
    for each, times in zip(level.tolist(), number.tolist(), strict=True):
        counts[each] += times
    if len(counts) > MOST_LEVELS:
        raise ParameterError(f"epsilon0 must hold at most {MOST_LEVELS:,} different levels, got {len(counts):,}")
    if sum(counts.values()) > MOST_MIXED:
        raise ParameterError(f"compositions must be at most {MOST_MIXED:,} in all, got {sum(counts.values()):,}")
    rising = sorted(counts)
    return Levels(np.array(rising), np.array([counts[each] for each in rising], dtype=np.int64))


def _both(levels: Levels, grid: Lattice) -> tuple[TailBatch, TailBatch]:
    below, above = (TailBatch([lattice.rounded_law(levels, grid, up=up)]) for up in (False, True))
    return below, above
