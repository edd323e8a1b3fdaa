"""Sets of answers that tell two neighbouring inputs apart, and how often each input answers in them.

Cuts are answers that were seen. Each cut is a cell of its own, and so is what lies between two cuts: an answer that comes again and
again is told from those beside it. Candidates are all half-lines that end at a cut, and sets that are learned: of the cells in the
order of how much likelier they seem under one input, the first few. Half of the answers give the order and the others the counts,
so that a set does not look better than it is because it was chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import groupby

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.parameters import check_numbers
from par_core.rounding import amount

FEWEST = 4  # answers on each input
_BELOW = (
    0.01,
    0.03,
    0.08,
    0.17,
    0.28,
    0.39,
)  # ranks of cuts: closer to each other where answers are rare, as failures are
_RANKS = np.array([*_BELOW, 0.5, *(1.0 - each for each in reversed(_BELOW))])
CELLS = 2 * len(_RANKS) + 1
_SMOOTHING = 0.5  # of a count, in the order of the cells
_DIGITS = 4

Floats = NDArray[np.float64]
Masks = NDArray[np.bool_]
Cells = NDArray[np.int64]


@dataclass(frozen=True)
class AnswerSet:
    """A set of answers: of all cells between `cuts` (rising) and on them, from below, those that are `inside`."""

    cuts: tuple[float, ...]
    inside: tuple[bool, ...]

    @classmethod
    def of_cells(cls, cuts: Floats, inside: Masks) -> AnswerSet:
        """Return the set of some cells, where a cut may stand several times and cells between its copies are empty."""
        different = np.unique(cuts)
        ends = np.searchsorted(cuts, different, side="right")
        on, above = np.searchsorted(cuts, different) + ends, 2 * ends
        cells = np.append(0, np.column_stack([on, above]).ravel())
        return cls(tuple(different.tolist()), tuple(inside[cells].tolist()))

    @property
    def words(self) -> str:
        """What an answer must be, such as "at least 1.02" or "from 0 to 2, or above 7"."""
        parts = []
        for chosen, run in groupby(range(len(self.inside)), self.inside.__getitem__):
            if chosen:
                cells = list(run)
                parts.append(self._stretch(cells[0], cells[-1]))
        return ", or ".join(parts)

    def _stretch(self, low: int, high: int) -> str:
        """Return the words of some cells beside each other; odd ones are cuts."""
        at = [amount(each, _DIGITS) for each in self.cuts]
        last = len(self.inside) - 1
        if low == high and low % 2:
            return f"exactly {at[low // 2]}"
        below = f"{'at least' if low % 2 else 'above'} {at[(low - 1) // 2]}" if low else ""
        above = f"{'at most' if high % 2 else 'below'} {at[high // 2]}" if high < last else ""
        return " and ".join(filter(None, [below, above])) or "any number"


@dataclass(frozen=True)
class Candidates:
    """Sets of answers for several runs at once, each for both directions: likelier under the first input, or under the second.

    `cuts` has shape (runs, cuts) and `sets` (runs, 2, sets, cells). Of `trials` answers on either input, (sets,), so many lay in a set:
    `more` on the input under which it is to be likelier and `less` on the other one, (runs, 2, sets).
    """

    cuts: Floats
    sets: Masks
    more: NDArray[np.int64]
    less: NDArray[np.int64]
    trials: NDArray[np.int64]


def checked(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    """Return the answers on both inputs, each as finite numbers in one axis, at least 4."""
    found = check_numbers("first", first), check_numbers("second", second)
    for name, values in zip(("first", "second"), found, strict=True):
        if values.ndim != 1 or values.size < FEWEST:
            raise ParameterError(f"{name} must be at least {FEWEST} numbers in one axis, got shape {values.shape}")
    return found


def candidates(first: Floats, second: Floats) -> Candidates:
    """Return sets that may tell the inputs apart, from as many answers on each; both have shape (runs, answers)."""
    runs, size = first.shape
    pooled = np.sort(np.concatenate([first, second], axis=1), axis=1)
    cuts = pooled[:, (_RANKS * 2 * size).astype(int)]
    cells = [cells_of(each, cuts) for each in (first, second)]
    learnt = [_counts(each[:, ::2]) for each in cells]
    whole = [_counts(each) for each in cells]
    rest = [every - part for every, part in zip(whole, learnt, strict=True)]
    lines = _half_lines()
    ratio = np.log((learnt[0] + _SMOOTHING) / (learnt[1] + _SMOOTHING))
    order = np.stack([np.argsort(-ratio, axis=1, kind="stable"), np.argsort(ratio, axis=1, kind="stable")], axis=1)
    place = np.argsort(order, axis=2)[:, :, None, :]  # of each cell in the order, (runs, 2, 1, cells)
    chosen = place <= np.arange(CELLS - 1)[:, None]
    more, less = (
        np.concatenate(
            [
                np.stack([whole[each] @ lines.T for each in at], axis=1),
                np.stack(
                    [np.matmul(chosen[:, way], rest[each][:, :, None])[..., 0] for way, each in enumerate(at)], axis=1
                ),
            ],
            axis=2,
        )
        for at in ((0, 1), (1, 0))
    )
    trials = np.repeat([size, size // 2], [len(lines), CELLS - 1])
    sets = np.concatenate([np.broadcast_to(lines.astype(bool), (runs, 2, *lines.shape)), chosen], axis=2)
    return Candidates(cuts, sets, more, less, trials)


def cells_of(values: Floats, cuts: Floats) -> Cells:
    """Return the cell of each value, (runs, n): 0 below the first cut, 1 on it, and so on."""
    found = np.zeros(values.shape, dtype=np.int64)
    for cut in cuts.T:
        found += values > cut[:, None]
        found += values >= cut[:, None]
    return found


def _counts(cells: Cells) -> NDArray[np.int64]:
    """Return how many values lie in each cell, (runs, cells)."""
    runs = len(cells)
    flat = (cells + CELLS * np.arange(runs)[:, None]).ravel()
    return np.bincount(flat, minlength=runs * CELLS).reshape(runs, CELLS)


@cache
def _half_lines() -> NDArray[np.int64]:
    """Return all sets of cells up to one, and all from one on; but for none and all cells."""
    up_to = np.tril(np.ones((CELLS - 1, CELLS), dtype=np.int64))
    return np.concatenate([up_to, 1 - up_to])
