"""How far the truth can be below the law on a lattice that dominates it: by the square of a step for each release.

Joining the dots of one release moves each outcome to one of two points a step apart, by chance and with the mean of exp(loss) kept: as
if a bit were told beside it, whose odds are e^step times as high under one database as under the other. Φ⁻¹ rises by no more than
sqrt(π/8) with the logarithm of the odds, because φ(Φ⁻¹(p)) ≥ 4·φ(0)·p·(1 - p), so that each bit is sqrt(π/8)·step-Gaussian
differentially private: the truth dominates the law if Gaussian noise of μ = sqrt(π/8·releases)·step is told beside it (Dong, Roth and
Su 2022, Corollary 3.3).

Of noise that dominates this one, with few losses s of chance c(s) and 0 among them, the others add no more than delta of the law does:
delta of the law at epsilon ≤ c(0)·delta(epsilon) + the sum over the others of c(s)·delta of the law at (epsilon - s).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from par_core.composition.dominating_pairs import Dominating
from par_core.composition.loss_distribution import UNIT, Floats
from par_core.composition.tilted_masses import FARTHEST, joined
from par_core.mechanisms import Gaussian

_BIT = math.sqrt(math.pi / 8.0)  # μ of a bit, in steps
_PLACES = np.array([0.0, 2.0, 4.0, 7.0, 13.0, 40.0])  # of the noise, in its μ; less than FARTHEST is left beyond
_WIDEST = 0.5  # μ up to which that is so, and from which on nothing is gained
_TRIED = np.array([1.0001, 1.01, 1.2, 3.0, 10.0])  # times what a step of Newton's method says
_AT_ONCE = 4096  # levels, for each of which delta is asked for at ten others


def least_delta(held: Dominating, level: Floats) -> Floats:
    """Return what delta is not below at some levels, at least 0."""
    parts = np.array_split(level, math.ceil(level.size / _AT_ONCE))
    found = np.concatenate([_beside_noise(held, each) for each in parts])
    # Where losses have probabilities of their own, moving each by a step may say more.
    return np.asarray(np.maximum(found, held.tails.delta_ends(level + held.moved)[0]))


def least_epsilon(held: Dominating, middle: Floats, log_delta: float) -> float:
    """Return what epsilon is not below for a delta, which that of the law is at `middle`."""
    tails = held.tails.at(middle)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        missing = log_delta - np.log(_beside_noise(held, middle))
        tried = middle - _TRIED * missing * np.exp(tails.log_delta - tails.log_slope)
        tried = tried[tried > 0.0]
        enough = np.log(_beside_noise(held, tried)) >= log_delta + 8 * UNIT * (1.0 - log_delta)
    return float(tried[enough].max(initial=0.0))


def _beside_noise(held: Dominating, level: Floats) -> Floats:
    """Return what delta is not below, as the noise has it; 0 where it says nothing."""
    mu = _BIT * math.sqrt(held.steps_moved) * held.law.width * (1.0 + 8 * UNIT)
    if not 0.0 < mu < _WIDEST:
        return np.zeros(level.size)
    place, chance, kept = _noise(mu)
    beside = held.upper_delta((level[:, None] - place).ravel()).reshape(-1, place.size) + FARTHEST
    at = held.tails.delta_ends(level)[0]
    return np.maximum((at - beside @ chance) / kept - 16 * UNIT * at, 0.0)


@lru_cache(maxsize=64)
def _noise(mu: float) -> tuple[Floats, Floats, float]:
    """Return losses of the noise other than 0, their chances, and that of 0; rounded up."""
    place = mu * _PLACES
    chance, doubt = joined(Gaussian(1.0, mu), place, np.diff(place))
    most, middle = chance + doubt, len(place) - 1
    return np.concatenate([-place[:0:-1], place[1:]]), np.delete(most, middle), float(most[middle])
