"""Bets against a claim of privacy: whoever makes them gains nothing in the long run while the claim holds.

A claim is a family of lines: for every set of answers P and Q, the probabilities of it under two neighbouring inputs, keep
P <= slope·Q + offset, in both directions. (epsilon, delta)-differential privacy is the line (e^epsilon, delta); a trade-off function
is one for each epsilon, with the delta of its privacy profile (Dong, Roth and Su 2022, Proposition 2.12). The gain of a pair is whether
its first answer lies in the set, less slope times whether its second does, less the offset: 0 on average at most, whatever the pair's two
answers have to do with each other. The wealth is multiplied by 1 + stake·gain and can never fall below 0, so that it reaches 20 times the
stake with a probability of at most 1/20 (Ville's inequality), however long one looks.

Set, line and stake are chosen from earlier pairs only, anew each time there are a third more: those that would have gained most on the
pairs by which they are judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.audit.deltas import LARGEST_EPSILON
from par_core.audit.outputs.answer_sets import FEWEST, Floats, Masks, candidates, cells_of
from par_core.mechanisms import PrivacyLoss
from par_core.parameters import check_number

REFUTED_AT = 20.0
_STAKES = np.array([0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95])  # of the stake that one pair could ruin
_PSEUDO = 3.0  # answers inside, and as many outside, that are added to each count: few pairs exaggerate
_GROWTH = 1.35
_MOST_AT_ONCE = 50_000  # pairs; and as many of the past are looked at

_LINES = 8  # of a trade-off function
_SMALL_DELTA = 1e-4  # of the last line where the loss has no largest value: what is rarer takes too many pairs

Lines = NDArray[np.float64]  # (lines, 2): slope and offset


@dataclass(frozen=True)
class Bets:
    """The bet of each run until the next look: on `sets`, (runs, cells), between `cuts`; `swapped` where inputs change places.

    Where no bet promised a gain the `stake` is 0.
    """

    cuts: Floats
    sets: Masks
    swapped: NDArray[np.bool_]
    slope: Floats
    offset: Floats
    stake: Floats

    def log_growth(self, first: Floats, second: Floats) -> Floats:
        """Return the logarithm of what each pair multiplies the wealth by, (runs, pairs)."""
        inside = [np.take_along_axis(self.sets, cells_of(each, self.cuts), axis=1) for each in (first, second)]
        swapped = self.swapped[:, None]
        more, less = np.where(swapped, inside[1], inside[0]), np.where(swapped, inside[0], inside[1])
        gain = more - self.slope[:, None] * less - self.offset[:, None]
        return np.asarray(np.log1p(self.stake[:, None] * gain))


def lines_of(claimed: PrivacyLoss) -> Lines:
    """Return lines above which no set of answers may lie: some of those that make up the trade-off function."""
    largest = check_number("claimed", np.minimum(claimed.largest_loss, LARGEST_EPSILON))
    if largest == LARGEST_EPSILON:
        largest = min(check_number("claimed", claimed.epsilon(_SMALL_DELTA)), LARGEST_EPSILON)
    levels = np.linspace(0.0, largest, _LINES)
    return np.column_stack([np.exp(levels), claimed.delta(levels)])


def chosen(first: Floats, second: Floats, lines: Lines) -> Bets:
    """Return the bet of each run that would have gained most in the past, both (runs, pairs)."""
    found = candidates(first[:, -_MOST_AT_ONCE:], second[:, -_MOST_AT_ONCE:])
    more, less = ((each + _PSEUDO) / (found.trials + 2.0 * _PSEUDO) for each in (found.more, found.less))
    slope, offset = lines.T[:, :, None]
    stake = _STAKES / (slope + offset)
    outcomes = (  # how likely they seem, and what the pair gains then; summed in this order, so that sets as good as each other tie
        (more * (1.0 - less), 1.0 - offset),
        (more * less, 1.0 - slope - offset),
        ((1.0 - more) * (1.0 - less), -offset),
        ((1.0 - more) * less, -slope - offset),
    )
    growth = np.zeros((*more.shape, *stake.shape))  # (runs, 2, sets, lines, stakes)
    for likely, gain in outcomes:
        growth += likely[..., None, None] * np.log1p(stake * gain)
    growth *= found.trials[:, None, None]  # a learned set is judged by half of the pairs, and has to gain twice as fast
    runs = np.arange(len(first))
    best = growth.reshape(len(first), -1).argmax(axis=1)
    way, at, line, much = np.unravel_index(best, growth.shape[1:])
    gains_something = growth[runs, way, at, line, much] > 0.0
    return Bets(
        cuts=found.cuts,
        sets=found.sets[runs, way, at],
        swapped=way == 1,
        slope=slope[line, 0],
        offset=offset[line, 0],
        stake=np.where(gains_something, stake[line, much], 0.0),
    )


def log_growth(first: Floats, second: Floats, lines: Lines) -> Iterator[Floats]:
    """Yield the logarithm of what each pair multiplies the wealth by, (runs, pairs), for some pairs after the other; 0 without a bet."""
    yield np.zeros((len(first), FEWEST))
    start, pairs = FEWEST, first.shape[1]
    while start < pairs:
        end = min(max(start + 1, int(_GROWTH * start)), start + _MOST_AT_ONCE, pairs)
        bets = chosen(first[:, :start], second[:, :start], lines)
        yield bets.log_growth(first[:, start:end], second[:, start:end])
        start = end
