"""The limits of the true largest delta_i, as `audit.intervals` has them, found block by block.

Of a block two things count at each level: the largest upper limit, and in each half of the databases whom it shows most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from par_core.audit.bandwidths import Floats
from par_core.audit.deltas import individual_deltas
from par_core.audit.intervals import Bets, gains_of, lower_limit

if TYPE_CHECKING:
    from par_core.audit.distributed.blocks import Everybody

LEVEL = 0.95
"""Each interval holds the true value with at least this probability."""

_MISS = (1 - LEVEL) / 2
_ROWS = 2_048  # individuals of one step
_TRIED = 64  # individuals whose delta in half of the databases is computed at once


def of_block(everybody: Everybody, without: Floats, deltas: Floats) -> dict[str, Any]:
    """Return what counts of the individuals of a block, with answers `without` (B, n) and `deltas` (B, m), as plain lists."""
    levels, halves = everybody.levels.tolist(), _halves(len(everybody.answers))
    upper = [0.0] * len(levels)
    shown: list[list[tuple[float, list[float]]]] = [[(0.0, []) for _ in halves] for _ in levels]
    for start in range(0, len(without), _ROWS):
        part = without[start : start + _ROWS]
        shift = np.abs(part - everybody.answers) / everybody.bandwidth
        furthest = shift.max(axis=1)
        for at, level in enumerate(levels):
            # Of all who are shifted nowhere by more than the level one is as good as another: their delta_i is 0.
            rows = np.append(np.flatnonzero(furthest > level), np.flatnonzero(furthest <= level)[:1])
            bets = Bets(level, _MISS, len(everybody.answers))
            gain = bets.gain(shift[rows])
            upper[at] = max(upper[at], bets.largest(gain, deltas[start + rows, at]))
            for half, chosen in enumerate(halves):
                most = gain @ chosen / np.count_nonzero(chosen)  # no delta_i in these databases is above it
                shown[at][half] = _most_shown(everybody, level, part[rows], most, chosen, shown[at][half])
    return {"upper": upper, "halves": shown}


def _most_shown(
    everybody: Everybody,
    level: float,
    without: Floats,
    most: Floats,
    chosen: NDArray[np.bool_],
    before: tuple[float, list[float]],
) -> tuple[float, list[float]]:
    """Return the largest delta_i in the chosen databases with the answers without that individual, or what was found before.

    No delta_i is above `most`, (B,): whoever cannot be above what is found is not asked.
    """
    order = np.argsort(-most, kind="stable")
    found, whose = before
    for start in range(0, len(order), _TRIED):
        tried = order[start : start + _TRIED]
        if most[tried[0]] <= found:
            break
        deltas = individual_deltas(
            everybody.answers[chosen], without[tried][:, chosen], epsilon=level, bandwidth=everybody.bandwidth
        )
        if deltas.max() > found:
            found, whose = float(deltas.max()), without[tried[int(np.argmax(deltas))]].tolist()
    return found, whose


def together(everybody: Everybody, told: Sequence[dict[str, Any]]) -> tuple[Floats, Floats]:
    """Return the lower and the upper limits at all levels, (m,) each, from what counts of every block."""
    halves, width = _halves(len(everybody.answers)), everybody.bandwidth
    lower = np.zeros(len(everybody.levels))
    for at, level in enumerate(everybody.levels.tolist()):
        gains = []
        for half, chosen in enumerate(halves):
            _, whose = max((each["halves"][at][half] for each in told), key=lambda found: found[0])
            plain = np.zeros(1)
            gains.append(
                gains_of(everybody.answers, np.array(whose), chosen, epsilon=level, bandwidth=width) if whose else plain
            )
        lower[at] = lower_limit(gains, math.exp(level), _MISS)
    return lower, np.max([each["upper"] for each in told], axis=0)


def _halves(databases: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which databases have even numbers, and which odd ones."""
    even = np.arange(databases) % 2 == 0
    return even, ~even
