"""What releases at one level of Laplace noise spend, one release after another: the closest ends, and every number on the way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from par_core.composition.delta_from_loss import TailBatch
from par_core.composition.loss_distribution import Floats, LossDistribution, laws, tilt_at, tilt_for
from par_core.progress import Progress, portion

MOST_STEPS = 20_000
_BATCH = 128  # laws that are asked together,
_NUMBERS = 500_000  # and how many numbers they may hold: about 0.1 s of work
# By what factor the numbers of releases under one tilt may differ before too many digits are lost, for small and tiny delta.
_PER_TILT = ((1e-6, math.inf), (1e-9, 6.0), (0.0, 3.0))

Whole = NDArray[np.int64]


def epsilons(level: float, rising: Whole, goal: float, progress: Progress) -> Floats:
    """Return centre, lower and upper end of epsilon for each of the rising numbers of releases, in rows."""
    found = np.empty((3, len(rising)))
    parts = list(_parts(rising, delta=goal))
    added = np.cumsum([0, *(int(rising[part][-1]) for part in parts)])  # releases before and after each
    for part, (before, after) in zip(parts, pairwise((added / added[-1]).tolist()), strict=True):
        start = part.start
        tilt = tilt_for(level, int(rising[part][-1]), delta=goal)
        held: list[LossDistribution] = []
        for law in laws(tilt, rising[part].tolist(), progress=portion(progress, before, after)):
            held.append(law)
            # They are held from the first piece of the first law to the last of the last: far apart, that is mostly nothing.
            span = law.first + len(law.atoms) - held[0].first
            full = len(held) == _BATCH or len(held) * span * held[0].density.shape[1] > _NUMBERS
            if full or start + len(held) == part.stop:
                batch = TailBatch(held)
                centre = batch.epsilon(math.log(goal))
                found[:, start : start + len(held)] = centre, *batch.ends(centre, math.log(goal))
                start, held = start + len(held), []
    return found


def deltas(level: float, rising: Whole, goal: float, progress: Progress) -> Floats:
    """Return centre, lower and upper end of delta for each of the rising numbers of releases, in rows."""
    found = np.zeros((3, len(rising)))
    for at, each in enumerate(rising.tolist()):
        if Fraction(goal) >= Fraction(level) * each:
            continue
        share = portion(progress, at / len(rising), (at + 1) / len(rising))
        tails = TailBatch(list(laws(tilt_at(level, each, epsilon=goal), [each], progress=share)))
        there = np.array([goal])
        found[:, at] = [float(ends[0]) for ends in (np.exp(tails.at(there).log_delta), *tails.delta_ends(there))]
    return found


def _parts(rising: Whole, *, delta: float) -> Iterator[slice]:
    """Cut the rising numbers of releases into parts that one tilt serves."""
    factor = next(each for least, each in _PER_TILT if delta >= least)
    stop = len(rising)
    while stop:
        start = int(np.searchsorted(rising, rising[stop - 1] / factor))
        yield slice(min(start, stop - 1), stop)
        stop = min(start, stop - 1)
