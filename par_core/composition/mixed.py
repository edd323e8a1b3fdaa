"""Releases of Laplace noise at different levels together, on a lattice where they have a common divisor."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from par_core.composition import lattice, step_by_step
from par_core.composition.brackets import Ends
from par_core.composition.delta_from_loss import TailBatch
from par_core.composition.lattice import Lattice, Levels, as_written
from par_core.composition.loss_distribution import rounded_up
from par_core.progress import portion

MOST_LEVELS = 1000
SMALLEST_MIXED = 1e-6
STEP_BY_STEP = 1000  # up to here one level alone is done `step_by_step`, whose ends are closer

SOURCE = (
    "convolution of the laws of the privacy loss of the Laplace mechanism at each level (PaR Corollary 1's setting), on a lattice "
    "from above and from below"
)


def epsilon_of(levels: Levels, delta: float) -> Ends | None:
    """Return the ends of epsilon; None where the levels have no common divisor, for which profiles come closer.

    They have one as decimal numbers, which they are read as.
    """
    added, goal = rounded_up(levels.total), math.log(delta)
    if is_step_by_step(levels):
        (value,), (low,), (high,) = step_by_step.epsilons(*_alone(levels), delta, portion(None)).tolist()
        return value, low, min(high, added)
    grid = lattice.lattice_for(levels, tilt=lattice.tilt_for(levels, log_delta=goal))
    if not grid.fits:
        return None
    below, above = _both(levels, grid)
    at_low, at_high = below.epsilon(goal), above.epsilon(goal)
    low, high = float(below.ends(at_low, goal)[0][0]), float(above.ends(at_high, goal)[1][0])
    return lattice.between(float(at_low[0]), float(at_high[0])), low, min(high, added)


def upper_epsilon(levels: Levels, delta: float) -> float | None:
    """Return the upper end of `epsilon_of`, in half the time where there are many releases."""
    if is_step_by_step(levels):
        found = epsilon_of(levels, delta)
        return found and found[2]
    goal = math.log(delta)
    grid = lattice.lattice_for(levels, tilt=lattice.tilt_for(levels, log_delta=goal))
    if not grid.fits:
        return None
    above = _law(levels, grid, up=True)
    return min(float(above.ends(above.epsilon(goal), goal)[1][0]), rounded_up(levels.total))


def delta_of(levels: Levels, epsilon: float) -> Ends | None:
    """Return the ends of delta, as `epsilon_of` those of epsilon."""
    if as_written(epsilon) >= levels.total:
        return 0.0, 0.0, 0.0
    if is_step_by_step(levels):
        (value,), (low,), (high,) = step_by_step.deltas(*_alone(levels), epsilon, portion(None)).tolist()
        return value, low, high
    grid = lattice.lattice_for(levels, tilt=lattice.tilt_at(levels, epsilon=epsilon))
    if not grid.fits:
        return None
    at, (below, above) = np.array([epsilon]), _both(levels, grid)
    value = lattice.between(*(float(np.exp(each.at(at).log_delta[0])) for each in (below, above)))
    return value, float(below.delta_ends(at)[0][0]), float(above.delta_ends(at)[1][0])


def is_step_by_step(levels: Levels) -> bool:
    """Whether the closest accountant is that of one level."""
    return len(levels.epsilon0) == 1 and bool(levels.releases[0] <= STEP_BY_STEP)


def _alone(levels: Levels) -> tuple[float, NDArray[np.int64]]:
    return float(levels.epsilon0[0]), levels.releases


def _both(levels: Levels, grid: Lattice) -> tuple[TailBatch, TailBatch]:
    return _law(levels, grid, up=False), _law(levels, grid, up=True)


def _law(levels: Levels, grid: Lattice, *, up: bool) -> TailBatch:
    return TailBatch([lattice.rounded_law(levels, grid, up=up)])
