"""The limits of the true largest delta_i, as `audit.intervals` has them, found block by block.

Of a block two things count at each level: the largest upper limit, and in each half of the databases whom it shows most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.audit.bandwidths import Floats
from par_core.audit.deltas import individual_deltas
from par_core.audit.limit_bets import Bets, gains_of, lower_limit

LEVEL = 0.95
"""Each interval holds the true value with at least this probability."""

_MISS = (1 - LEVEL) / 2
_ROWS = 2_048  # individuals of one step
_TRIED = 64  # individuals whose delta in half of the databases is computed at once


def of_block(answers: Floats, without: Floats, deltas: Floats, *, levels: Floats, bandwidth: float) -> dict[str, Any]:
    """Return what counts of the individuals of a block, with answers `without` (B, n) and `deltas` (B, m), as plain lists."""
    halves = _halves(len(answers))
    upper = [0.0] * len(levels)
    shown: list[list[tuple[float, list[float]]]] = [[(0.0, []) for _ in halves] for _ in levels]
    for start in range(0, len(without), _ROWS):
        part = without[start : start + _ROWS]
        shift = np.abs(part - answers) / bandwidth
        furthest = shift.max(axis=1)
        for at, level in enumerate(levels.tolist()):
            # Of all who are shifted nowhere by more than the level one is as good as another: their delta_i is 0.
            rows = np.append(np.flatnonzero(furthest > level), np.flatnonzero(furthest <= level)[:1])
            bets = Bets(level, _MISS, len(answers))
            gain = bets.gain(shift[rows])
            upper[at] = max(upper[at], bets.largest(gain, deltas[start + rows, at]))
            for half, chosen in enumerate(halves):
                most = gain @ chosen / np.count_nonzero(chosen)  # no delta_i in these databases is above it
                deltas_of = partial(individual_deltas, answers[chosen], epsilon=level, bandwidth=bandwidth)
                shown[at][half] = _most_shown(deltas_of, part[rows], chosen, most, shown[at][half])
    return {"upper": upper, "halves": shown}


def _most_shown(
    deltas_of: Callable[[Floats], Floats],
    without: Floats,
    chosen: NDArray[np.bool_],
    most: Floats,
    before: tuple[float, list[float]],
) -> tuple[float, list[float]]:
    """Return the largest delta_i in the chosen databases with all answers without that individual, or what was found before.

    No delta_i is above `most`, (B,): whoever cannot be above what is found is not asked.
    """
    order = np.argsort(-most, kind="stable")
    found, whose = before
    for start in range(0, len(order), _TRIED):
        tried = order[start : start + _TRIED]
        if most[tried[0]] <= found:
            break
        deltas = deltas_of(without[tried][:, chosen])
        if deltas.max() > found:
            found, whose = float(deltas.max()), without[tried[int(np.argmax(deltas))]].tolist()
    return found, whose


def together(
    answers: Floats, told: Sequence[dict[str, Any]], *, levels: Floats, bandwidth: float
) -> tuple[Floats, Floats]:
    """Return the lower and the upper limits at all levels, (m,) each, from what counts of every block."""
    lower = np.zeros(len(levels))
    for at, level in enumerate(levels.tolist()):
        gains = []
        for half, chosen in enumerate(_halves(len(answers))):
            _, whose = max((each["halves"][at][half] for each in told), key=itemgetter(0))
            of_half = partial(gains_of, answers, np.array(whose), chosen, epsilon=level, bandwidth=bandwidth)
            gains.append(of_half() if whose else np.zeros(1))
        lower[at] = lower_limit(gains, math.exp(level), _MISS)
    return lower, np.max([each["upper"] for each in told], axis=0)


def _halves(databases: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which databases have even numbers, and which odd ones."""
    even = np.arange(databases) % 2 == 0
    return even, ~even
