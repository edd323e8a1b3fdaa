"""Bets on means of bounded numbers: limits for the largest delta_i that hold, above it and below it (see `intervals`)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.roots import crossing

_STAKES = 0.5, 0.125  # of the largest stake with which a bet cannot be ruined
_MOST = 0.8  # the largest stake of the upper limit: with 1 a single database could ruin it
_MILD = 0.1  # added to what a database without any shift can lose

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bets:
    """Who bets that the mean of t is lower than delta_i, and what is then known of delta_i, in the truly worst set of answers.

    There a database counts t, whose mean is delta_i. With a stake s, Π (1 - s·t)/(1 - s·delta_i) has been won after all databases,
    which is above 2/miss with a probability of at most miss/2. Of t we know that its mean over the databases is at most the
    estimate, and how far the databases can go: up to the gain, and down to -(nothing + gain). Shifts are in bandwidths, (B, n).
    """

    epsilon: float
    miss: float
    number: int

    @property
    def nothing(self) -> float:
        """What a database without any shift can lose."""
        return math.expm1(self.epsilon)

    @property
    def mild(self) -> float:
        """The smaller of the two stakes; the other one is the largest."""
        return min(_MOST, math.sqrt(2 * math.log(2 / self.miss) / self.number) / (self.nothing + _MILD))

    def gain(self, shift: _Floats) -> _Floats:
        """Return the largest t of each database: on average at least delta_i."""
        return np.asarray(-np.expm1(np.minimum(self.epsilon - shift, 0.0) / 2))

    def plain(self, gain: _Floats) -> _Floats:
        """Return what is lost on average with the largest stake, (B,)."""
        return np.asarray(-np.log1p(-_MOST * gain).mean(axis=1))

    def curved(self, gain: _Floats, deltas: _Floats) -> _Floats:
        """Return what is lost on average with the smaller stake, (B,)."""
        mild, lost = self.mild, self.mild * (self.nothing + gain)
        of_each = np.maximum(-np.log1p(-mild * gain) - mild * gain, lost - np.log1p(lost))
        return np.asarray(of_each.mean(axis=1) + mild * deltas)

    def end(self, lost: _Floats, stake: float, chance: float) -> _Floats:
        """Return the limit of delta_i that follows from one bet, wrong with a probability of at most half of `chance`."""
        return np.minimum(-np.expm1(-(math.log(2 / chance) / self.number + lost)) / stake, 1.0)

    def limits(self, plain: _Floats, curved: _Floats, chance: float) -> _Floats:
        """Return the limit that follows from both, wrong with a probability of at most `chance`."""
        return np.minimum(self.end(plain, _MOST, chance), self.end(curved, self.mild, chance))

    def largest(self, gain: _Floats, deltas: _Floats) -> float:
        """Return the largest limit of all rows; only where the bet with the largest stake leaves it open is the other one made."""
        plain = self.plain(gain)
        first = np.array([np.argmax(plain)])

        def of(rows: NDArray[np.int64]) -> float:
            return float(self.limits(plain[rows], self.curved(gain[rows], deltas[rows]), self.miss).max())

        open_ = np.flatnonzero(self.end(plain, _MOST, self.miss) > of(first))
        return of(np.concatenate([first, open_]))


def gains_of(
    with_all: _Floats, without: _Floats, chosen: NDArray[np.bool_], *, epsilon: float, bandwidth: float
) -> _Floats:
    """Return what the other answers say of the set in which the `chosen` ones show one individual most.

    A number for each of the others, from -exp(epsilon) to 1; its mean is on average at most the true delta_i.
    """
    best, gains = -math.inf, np.zeros(1)
    for first, second in ((with_all, without), (without, with_all)):
        answers = np.unique(np.concatenate([first[chosen], second[chosen]]))
        edges = np.unique(np.concatenate([answers, (answers[1:] + answers[:-1]) / 2]))
        middles = np.concatenate([edges[:1] - bandwidth, (edges[1:] + edges[:-1]) / 2, edges[-1:] + bandwidth])
        inside = _log_sum(middles, first[chosen], bandwidth) > epsilon + _log_sum(middles, second[chosen], bandwidth)
        lost = math.exp(epsilon) * _share(edges, inside, second, bandwidth)
        measured = _share(edges, inside, first, bandwidth) - lost
        if measured[chosen].mean() > best:
            best = float(measured[chosen].mean())
            gains = measured[~chosen]
    return gains


def lower_limit(gains: list[_Floats], most_lost: float, miss: float) -> float:
    """Return a limit below which the largest of several means lies with a probability of at most `miss`.

    Who bets that a mean of numbers from -`most_lost` to 1 is above what it is has more than 1/miss times the stake at the end with a
    probability of at most `miss`; so has who spreads the stake over several such bets.
    """
    spread = math.log(len(gains) * len(_STAKES) / miss)

    def lacking(mean: float) -> float:
        bets = [stake * (each - mean) / (most_lost + mean) for each in gains for stake in _STAKES]
        return spread - float(np.logaddexp.reduce([np.log1p(bet).sum() for bet in bets]))

    return 0.0 if lacking(0.0) > 0.0 else crossing(lacking, 1.0, 0.0, rtol=1e-12)


def _log_sum(places: _Floats, values: _Floats, width: float) -> _Floats:
    """Return the logarithm of the sum of the kernels (each 1 at its middle) at some places."""
    return np.asarray(np.logaddexp.reduce(-np.abs(places[:, None] - values) / width, axis=1))


def _share(edges: _Floats, inside: NDArray[np.bool_], values: _Floats, width: float) -> _Floats:
    """Return how much of the kernel of each value lies in a set, given by the cells between (and beyond) edges."""
    apart = (edges - values[:, None]) / width
    below = np.where(apart < 0, 0.5 * np.exp(np.minimum(apart, 0)), 1 - 0.5 * np.exp(-np.maximum(apart, 0)))
    whole = np.concatenate([np.zeros((len(values), 1)), below, np.ones((len(values), 1))], axis=1)
    return np.asarray(np.diff(whole, axis=1) @ inside.astype(np.float64))
