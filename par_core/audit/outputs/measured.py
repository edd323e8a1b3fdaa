"""A set of answers that half of them choose and the others measure, so that it does not look better than it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.audit.outputs.answer_sets import AnswerSet, Floats, Masks, candidates, cells_of

Score = Callable[[Floats, Floats, Floats, Floats], Floats]
"""What a set is worth by an end below its larger probability, one above its smaller, and the shares of answers that lay in it."""


@dataclass(frozen=True)
class Measured:
    """Of each run, the set that was chosen and its probabilities under both inputs.

    The probability under the input where it is likelier is at least `low`, and under the other one at most `high`, (runs,), both
    together with the probability that was asked for. `swapped` where it is likelier under the second input.
    """

    cuts: Floats
    sets: Masks
    swapped: NDArray[np.bool_]
    low: Floats
    high: Floats

    def answers(self, run: int) -> AnswerSet:
        """Return the set of one run."""
        return AnswerSet.of_cells(self.cuts[run], self.sets[run])


def measured(first: Floats, second: Floats, score: Score, *, level: float) -> Measured:
    """Choose the set with the best score on the first half, and measure it on the rest; both are (runs, answers)."""
    half = min(first.shape[1], second.shape[1]) // 2
    miss = 0.5 * (1.0 - level)
    found = candidates(first[:, :half], second[:, :half])
    doubt = miss / (
        2 * len(found.trials)
    )  # of each of so many: else a rare set would be chosen whose ends lie far off by chance
    ends = _at_least(found.more, found.trials, doubt), _at_most(found.less, found.trials, doubt)
    worth = score(*ends, found.more / found.trials, found.less / found.trials)
    way, at = np.unravel_index(worth.reshape(len(worth), -1).argmax(axis=1), worth.shape[1:])
    sets, swapped = found.sets[np.arange(len(worth)), way, at], way == 1
    rest = first[:, half:], second[:, half:]
    hits = [np.take_along_axis(sets, cells_of(each, found.cuts), axis=1).sum(axis=1) for each in rest]
    sizes = [np.full(len(worth), each.shape[1]) for each in rest]
    (more, other), (of_more, of_other) = (
        (np.where(swapped, second, first), np.where(swapped, first, second)) for first, second in (hits, sizes)
    )
    return Measured(found.cuts, sets, swapped, _at_least(more, of_more, miss), _at_most(other, of_other, miss))


def _at_least(hits: NDArray[np.int64], trials: NDArray[np.int64], miss: float) -> Floats:
    """Return the lower end of Clopper and Pearson, above the truth with a probability of at most `miss`."""
    end = special.betaincinv(np.maximum(hits, 1), trials - hits + 1, miss)
    return np.asarray(np.where(hits > 0, end, 0.0))


def _at_most(hits: NDArray[np.int64], trials: NDArray[np.int64], miss: float) -> Floats:
    """Return the upper end, below the truth with a probability of at most `miss`."""
    end = special.betainccinv(hits + 1, np.maximum(trials - hits, 1), miss)
    return np.asarray(np.where(hits < trials, end, 1.0))
