"""The Gaussian noise that gives away no less than a mechanism, and how much more it gives away at most.

A mechanism is μ-Gaussian differentially private if its trade-off function f is nowhere below that of Gaussian noise, G(x) =
Φ(Φ⁻¹(1 - x) - μ) (Dong, Roth and Su, 2022). The regret is the smallest shift with f(x + shift) - shift ≤ G(x) everywhere (Gomez and
others, 2025). Both curves are the highest of their lines, of slope -exp(epsilon), and a shift lowers such a line by (1 + exp(epsilon))
times as much: the regret is the largest (delta of the Gaussian noise - delta)/(1 + exp(epsilon)). Worst-case neighbours may change
places, so that epsilon at least 0 says it all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from par_core.mechanisms.gaussian import Gaussian
from par_core.mechanisms.mechanism import Floats
from par_core.parameters import FloatOrArray

_LEVELS = 2000  # at least, between which the gap is bounded
_FARTHEST = 40.0  # an epsilon beyond which no gap counts: it is divided by more than exp of this
_NODES, _WEIGHTS = (each / 2.0 for each in np.polynomial.legendre.leggauss(12))
_NODES = _NODES + 0.5
_CORNER = 1e-9  # part of a false-positive rate, the difference of two deltas, that rounding may be worth
_ROUNDING = 1e-12  # of a distance between normal quantiles, relative


def distance(log_false: Floats, at_hit: Floats, gap: Floats) -> Floats:
    """Distance of the normal quantiles of two rates, rounded up: Φ⁻¹(hit) - Φ⁻¹(false), the hit given as its quantile.

    `gap` is how much larger the hit is: where that is next to nothing the quantiles would cancel, and its density is integrated.
    """
    false = np.exp(log_false)
    near = gap < 0.1 * false
    points = np.clip(false[..., None] + np.where(near, gap, 0.0)[..., None] * _NODES, 1e-300, 1.0 - 1e-16)
    density = np.exp(-0.5 * special.ndtri(points) ** 2) / np.sqrt(2.0 * np.pi)
    found = np.where(near, gap * ((1.0 / density) @ _WEIGHTS), at_hit - special.ndtri_exp(log_false))
    return np.asarray(found * (1.0 + _ROUNDING) + 1e-300)


def distance_of_profile(level: Floats, delta: Floats) -> Floats:
    """Return the smallest μ of what is straight in exp(epsilon) between some levels, rounded up.

    The first axis counts the levels, which rise from 0 on to where delta is 0, and delta is rounded up. It is enough to look at the corners
    of the trade-off, which belong to the lines.
    """
    gap, fall = np.diff(level, axis=0), delta[:-1] - delta[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        log_steep = np.where((fall > 0.0) & (gap > 0.0), np.log(fall) - gap - np.log(-np.expm1(-gap)), -np.inf)
        log_false = log_steep - level[:-1]
        hit = np.minimum(delta[:-1] + np.exp(log_steep), 1.0)
        more = delta[:-1] + np.exp(log_steep) * -np.expm1(-level[:-1])
        found = distance(log_false - _CORNER, special.ndtri(hit), more + _CORNER * np.exp(log_false))
    return np.asarray(np.max(np.where(np.isfinite(log_false), found, 0.0), axis=0))


def asked_levels(mu: ArrayLike, largest: ArrayLike, *, step: ArrayLike = 0.0) -> Floats:
    """Rising levels from 0 on, at which `regret` is to be asked; the first axis counts them.

    Beyond the last one the gap has no larger part. Multiples of the step, where the loss has a probability of its own, are among them,
    unless they lie closer together.
    """
    wide, top = np.asarray(mu, dtype=np.float64), np.asarray(largest, dtype=np.float64)
    with np.errstate(over="ignore"):
        last = np.minimum(np.minimum(top, _FARTHEST), 7.0 * wide + 0.5 * wide * wide)
    cell = np.maximum(last / _LEVELS, np.finfo(float).tiny)
    own = np.minimum(step, last)
    cell = np.where(own > cell, own / np.maximum(np.ceil(own / cell), 1.0), cell)
    number = np.arange(int(np.max(np.ceil(last / cell))) + 1)
    return np.asarray(number.reshape(-1, *[1] * np.ndim(cell)) * cell)


def regret(mu: ArrayLike, level: Floats, low: Floats, high: Floats) -> FloatOrArray:
    """Return the regret, rounded up, from guaranteed ends of delta at rising levels, the first of them 0.

    Between two levels the delta of Gaussian noise is below its chord in exp(epsilon), and delta itself above the chords beside it, as
    both are convex there.
    """
    noise = Gaussian(1.0, mu).delta(level)
    before = np.concatenate([-level[1:2], level[:-2]])
    below = np.concatenate([1.0 - np.exp(-level[1:2]) * (1.0 - high[1:2]), high[:-2]])  # at -epsilon, by symmetry
    above = np.concatenate([high[2:], low[-1:]])
    after = np.concatenate([level[2:], 2.0 * level[-1:] - level[-2:-1]])
    left, right = level[:-1], level[1:]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        wide = np.expm1(right - left)  # of the cell, and how far beyond it the others lie, in parts of exp(left)
        falls = (below - low[:-1]) / -np.expm1(before - left)
        falls_on = (low[1:] - above) / (np.exp(right - left) * np.expm1(after - right))
        # Both chords, drawn on, meet here; the gap over 1 + exp(epsilon) is largest there or at an end.
        meet = (low[:-1] - low[1:] - falls_on * wide) / (falls - falls_on)
        worst = np.zeros(level.shape[1:])
        for part in (0.0 * wide, np.where(meet > 0.0, np.minimum(meet, wide), 0.0), wide):
            least = np.maximum(low[:-1] - falls * part, low[1:] + falls_on * (wide - part))
            chord = noise[:-1] + (noise[1:] - noise[:-1]) * (part / wide)
            gap = (chord - np.maximum(least, 0.0)) * np.exp(-left) / (np.exp(-left) + 1.0 + part)
            worst = np.maximum(worst, gap.max(axis=0))
    beyond = noise[-1] * np.exp(-level[-1]) / (1.0 + np.exp(-level[-1]))
    return np.minimum(np.maximum(worst, beyond) * (1.0 + _ROUNDING) + 1e-300, 1.0)
