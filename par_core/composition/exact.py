"""Exact composition of the Laplace mechanism: the truth that every accountant is held against."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition.law import Floats, LossLaw, laws, tilt_at, tilt_for
from par_core.composition.tail import TailBatch
from par_core.parameters import like_input, real, together, whole
from par_core.progress import Progress, portion
from par_core.standing import PROVEN, Result, Standing, Told, quantities

MOST_COMPOSITIONS = 20_000
SMALLEST_DELTA = 1e-15
NARROW = 1e-3  # how far the ends may be apart, relative, so that a value between them is shown
_BATCH = 128  # laws that are asked together,
_NUMBERS = 500_000  # and how many numbers they may hold: about 0.1 s of work
_SOURCE = (
    "n-fold convolution of the law of the privacy loss of the Laplace mechanism (PaR section 3; Dwork and Rothblum 2016), "
    "piecewise polynomials with counted rounding and truncation"
)
_LIMITS = "every release with the worst-case neighbours: its whole sensitivity in one number"
# By what factor the numbers of releases under one tilt may differ before too many digits are lost, for small and tiny delta.
_PER_TILT = ((1e-6, math.inf), (1e-9, 6.0), (0.0, 3.0))


Found = NDArray[np.float64]  # centre, lower and upper end in rows


@dataclass(frozen=True)
class ExactComposition(Result):
    """The smallest epsilon, or delta, of many releases together; numbers, or arrays of the shape of the broadcast arguments.

    `lower` and `upper` certainly hold the truth: truncation is counted and rounding goes outward. `value` is the likeliest one
    where they are within 1e-3 of each other, relative to the upper one; else the upper end, so that it is never far on the
    unsafe side. What is called proven is `upper`. `added` is what basic composition
    gives for epsilon, infinite where that is not known.
    """

    value: Any
    lower: Any
    upper: Any
    added: Any = math.inf
    QUANTITIES = quantities(
        lower=Told("level", "down"),
        upper=Told("level", "up", beside=lambda found: found.added),
        of_target=Told("share", "up"),
    )
    standing: Standing = PROVEN
    source: str = _SOURCE
    limits: str = _LIMITS

    @property
    def is_bound(self) -> bool:
        """Whether the truth may lie well below `upper` somewhere, so that nothing here may be called exact."""
        return bool(np.any(np.asarray(self.lower) < (1 - NARROW) * np.asarray(self.upper)))


def bracket(
    centre: ArrayLike, lower: ArrayLike, upper: ArrayLike, *, added: ArrayLike = math.inf, source: str = _SOURCE
) -> ExactComposition:
    """Return guaranteed ends with the value between them, as `ExactComposition` says which."""
    high = np.asarray(upper, dtype=np.float64)
    low = np.minimum(lower, high)
    value = np.where(high - low <= NARROW * high, np.clip(centre, low, high), high)
    return ExactComposition(like_input(value), like_input(low), like_input(high), added, source=source)


def exact(
    epsilon0: ArrayLike, compositions: ArrayLike, *, delta: ArrayLike, progress: Progress | None = None
) -> ExactComposition:
    """Smallest epsilon for which n releases together are (epsilon, delta)-differentially private, never above n·epsilon0.

    All numbers of releases that share epsilon0 and delta cost hardly more than the largest of them. The relative error of the
    value is about 1e-12 at delta = 1e-5; the value is 0 where delta is so large that nothing is left to guarantee.

    epsilon0, from 1e-8 to 50, is the level of each release, n from 1 to 20,000 and whole, delta, of all together, from 1e-15 to below 1.
    `progress` is called many times a second: one of 20,000 releases takes some seconds, at a large level half a minute.

    >>> together = exact(0.5, 300, delta=1e-5)
    >>> round(together.value, 6), bool(together.lower <= together.value <= together.upper)
    (63.981797, True)
    """
    level, number = _arguments(epsilon0, compositions)
    small = real("delta", delta, at_least=SMALLEST_DELTA, below=1)
    level, number, small = together(epsilon0=level, compositions=number, delta=small)
    found = _in_groups(_epsilons, level, number, small, portion(progress))
    return replace(found, added=like_input(level * number))


def exact_delta(
    epsilon0: ArrayLike, compositions: ArrayLike, *, epsilon: ArrayLike, progress: Progress | None = None
) -> ExactComposition:
    """Smallest delta with which n releases together are (epsilon, delta)-differentially private: the inverse of `exact`.

    As `exact`, with epsilon, at least 0, in place of delta. Delta is 0 from epsilon = n·epsilon0 on. Where it is too small to be
    told from 0 (below about 1e-300, or far from n·epsilon0 for very many releases) its lower end is 0, and its upper end above it.

    >>> round(exact_delta(0.5, 1, epsilon=0.4).value, 6)  # 1 - exp(-0.05)
    0.048771
    """
    level, number = _arguments(epsilon0, compositions)
    asked = real("epsilon", epsilon, at_least=0)
    level, number, asked = together(epsilon0=level, compositions=number, epsilon=asked)
    return _in_groups(_deltas, level, number, asked, portion(progress))


def _in_groups(
    solve: Callable[[float, Any, float, Progress], Found], level: Floats, number: Any, goal: Floats, progress: Progress
) -> ExactComposition:
    """Do all numbers of releases that share a level and a goal together."""
    found = np.empty((3, *level.shape))
    groups = list(_groups(level, goal))
    for at, ((one, aim), places) in enumerate(groups):
        rising, back = np.unique(number[places], return_inverse=True)
        tell = portion(progress, at / len(groups), (at + 1) / len(groups))
        found[:, places] = solve(one, rising, aim, tell)[:, back]
        tell(1.0)
    return bracket(*found)


def _epsilons(level: float, rising: Any, goal: float, progress: Progress) -> Found:
    """Return centre, lower and upper end of epsilon for each of the rising numbers of releases."""
    found = np.empty((3, len(rising)))
    parts = list(_parts(rising, delta=goal))
    added = np.cumsum([0, *(int(rising[part][-1]) for part in parts)])  # releases before and after each
    for part, (before, after) in zip(parts, pairwise((added / added[-1]).tolist()), strict=True):
        start = part.start
        tilt = tilt_for(level, int(rising[part][-1]), delta=goal)
        held: list[LossLaw] = []
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


def _deltas(level: float, rising: Any, goal: float, progress: Progress) -> Found:
    """Return centre, lower and upper end of delta for each of the rising numbers of releases."""
    found = np.zeros((3, len(rising)))
    for at, each in enumerate(rising.tolist()):
        if Fraction(goal) >= Fraction(level) * each:
            continue
        share = portion(progress, at / len(rising), (at + 1) / len(rising))
        tails = TailBatch(list(laws(tilt_at(level, each, epsilon=goal), [each], progress=share)))
        there = np.array([goal])
        found[:, at] = [float(ends[0]) for ends in (np.exp(tails.at(there).log_delta), *tails.delta_ends(there))]
    return found


def _arguments(epsilon0: ArrayLike, compositions: ArrayLike) -> tuple[Floats, Any]:
    # Beyond 50 the noise is far below one unit in the last digit of the answer, and below 1e-8 nothing is left to measure.
    return real("epsilon0", epsilon0, at_least=1e-8, at_most=50), whole(
        "compositions", compositions, at_least=1, at_most=MOST_COMPOSITIONS
    )


def _groups(level: Floats, other: Floats) -> Iterator[tuple[tuple[float, float], Any]]:
    """Yield each pair of values that occurs, with where it does."""
    for pair in np.unique(np.column_stack([level.ravel(), other.ravel()]), axis=0):
        yield (float(pair[0]), float(pair[1])), (level == pair[0]) & (other == pair[1])


def _parts(rising: Any, *, delta: float) -> Iterator[slice]:
    """Cut the rising numbers of releases into parts that one tilt serves."""
    factor = next(each for least, each in _PER_TILT if delta >= least)
    stop = len(rising)
    while stop:
        start = int(np.searchsorted(rising, rising[stop - 1] / factor))
        yield slice(min(start, stop - 1), stop)
        stop = min(start, stop - 1)
