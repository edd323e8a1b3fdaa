"""The smallest μ for which releases together are μ-Gaussian differentially private, from above.

The law on the lattice dominates the true one, and its trade-off has straight sides: that of Gaussian noise is convex, and nowhere above as
soon as it is not above a corner. Corners are taken from distributions under one tilt after another, each where its digits are good, until
Chernoff's bound on delta is below the delta of the Gaussian noise at every larger epsilon.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy import special

from par_core.composition.delta_from_loss import discounted
from par_core.composition.dominating_pairs import (
    POINTS,
    PROFILE,
    Tilts,
    law_of,
    log_moments,
    tilts,
)
from par_core.composition.loss_distribution import LossDistribution
from par_core.composition.tilted_masses import FARTHEST, Releases, reach
from par_core.mechanisms import Mechanism

_MOST_LAWS = 60
_AWAY = 2**15  # points of a lattice away from the middle, where nearly always something is to spare
_FEWER, _MANY = 2**16, 64  # points that do in the middle for fewer releases
_EVERY = 2  # of the tilts that other questions need
_STEP = 4.0  # what the mean loss is moved by at most from one tilt to the next, in standard deviations
_PARTS = 3  # tilts of Chernoff's bound for each that a law is held under
_NEAR = 2.0  # deviations of the law from the middle: there it is held under one tilt
_ROUNDING = 1e-12  # of a normal quantile, relative


def smallest_mu(releases: Releases) -> float:
    """Return the smallest μ, rounded up."""
    # The squares add up (Dong, Roth and Su 2022, Corollary 3.3): never below the truth.
    most = math.sqrt(math.fsum(times * float(each.gaussian.mu) ** 2 for each, times in releases)) * (1.0 + _ROUNDING)
    if any(
        each.way_of_sampling is not None for each, _ in releases
    ):  # their law may lie far from where the corners are
        return most
    held, mu, low = tilts(releases), 0.0, 0.0
    back, left_out = _back(held), 0.0 if all(_has_end(each) for each, _ in releases) else FARTHEST
    for at in range(_MOST_LAWS):
        tilt, high = back[at] if at < len(back) else _forth(held, at - len(back) + 1)
        points = _AWAY if at else POINTS if sum(times for _, times in releases) >= _MANY else _FEWER
        law = law_of(releases, tilt, points=points).law
        mu = max(mu, _at_corners(law, tilt, low, high, left_out=left_out))
        if mu >= most:
            return most
        if at >= len(back) - 1 and _lighter(releases, held, mu, high):
            return mu
        low = high
    return most


def _back(held: Tilts) -> list[tuple[float, float]]:
    """Return tilts from about -1/2, under which the mean loss is 0, up to 0, each with the level up to which it serves."""
    if held.held[0].mean <= _NEAR * held.held[0].spread:
        return [_forth(held, 0)]
    found = [held.under(-0.5)]
    while (tilt := found[-1].tilt + _STEP / found[-1].spread) < 0.0:
        found.append(held.under(tilt))
    return [(one.tilt, one.end(other)) for one, other in pairwise([*found, held.held[0]])] + [_forth(held, 0)]


def _forth(held: Tilts, at: int) -> tuple[float, float]:
    """Return a tilt from 0 on, with the level up to which it serves."""
    at *= _EVERY
    while len(held.held) <= at + _EVERY and held.grow():
        pass
    here, following = (held.held[min(each, len(held.held) - 1)] for each in (at, at + _EVERY))
    return here.tilt, math.inf if following is here else here.end(following)


def _at_corners(law: LossDistribution, tilt: float, low: float, high: float, *, left_out: float) -> float:
    """Return the largest μ of the corners of the trade-off whose slopes belong to levels from one to another.

    `left_out` is what delta may be above that of the law.
    """
    beta, error = law.beta, law.error
    first = max(math.floor(low / law.width) - law.first, 0)
    last = min(math.ceil(min(high / law.width, 1e15)) - law.first, len(law.atoms) - 2)
    chosen = slice(first + 1, last + 2)  # of the atoms above each corner
    beyond = law.first + len(law.atoms) - 1 < min(high, law.largest) / law.width * (1.0 - _ROUNDING)
    if beyond or low < law.first * law.width:  # not all of them are in the window
        return math.inf
    if last < first:
        return 0.0
    place = law.first + np.arange(len(law.atoms))
    log_true = law.log_mass - beta * place  # what a tilted mass is worth there
    slack = math.log1p(-(law.slack - PROFILE * law.releases))  # by how much the law is above the truth is no matter
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        above = np.log(np.maximum(discounted(law.atoms, beta + law.width) - error, 0.0))
        log_false = above + log_true - law.width * place + slack
        if tilt > 0:
            log_hit = np.log(discounted(law.atoms, beta) + error) + log_true - slack
            at_hit = special.ndtri_exp(np.minimum(np.logaddexp(log_hit[chosen], np.log(left_out)), 0.0))
        else:
            # The neighbour sees the same law with its sign turned: what is lost below 0 is what it sees above.
            below = np.log(np.maximum(discounted(law.atoms[::-1], -beta)[::-1] - error, 0.0)) + log_true + slack
            missed = np.logaddexp(below[first : last + 1], log_false[1] if law.first == 0 else -np.inf)
            missed += np.log1p(-np.minimum(left_out * np.exp(-missed), 1.0)) if left_out else 0.0
            at_hit = -special.ndtri_exp(np.minimum(missed, 0.0))
        at_false = special.ndtri_exp(np.minimum(log_false[chosen], 0.0))
    wrong = _ROUNDING * (np.abs(at_hit) + np.abs(at_false))
    return float(np.max(np.nan_to_num(at_hit - at_false + wrong, nan=math.inf, posinf=math.inf)))


def _lighter(releases: Releases, held: Tilts, mu: float, start: float) -> bool:
    """Whether delta is certainly no larger than that of Gaussian noise from a level on.

    Chernoff's bound is a straight line in logarithms for each tilt, and the delta of Gaussian noise, less what its own bound below leaves
    out, concave: if the lowest of the lines is below it at both ends and wherever two of them cross, it is so everywhere.
    """
    endless = math.sqrt(math.fsum(times * each.gaussian.mu**2 for each, times in releases if not _has_end(each)))
    end = math.fsum(times * reach(each) for each, times in releases if _has_end(each)) * (1.0 + _ROUNDING)
    if endless:
        if mu <= endless:
            return False
        # Beyond it even the largest of the other losses, all at once, leave the normal part of the loss with the smaller delta.
        end = (end / endless - 0.5 * (mu - endless)) / (1.0 / endless - 1.0 / mu)
    if start >= end:
        return True
    while held.held[-1].mean < end and held.grow():
        pass
    own = np.array([each.tilt for each in held.held])
    tilt = np.interp(np.arange(1, _PARTS * (len(own) - 1) + 1) / _PARTS, np.arange(len(own)), own)
    ended = Releases(each for each in releases if _has_end(each[0]))
    line = tilt * np.log(tilt) - (1.0 + tilt) * np.log1p(tilt) + 0.5 * tilt * (1.0 + tilt) * endless**2
    line += (log_moments(ended, tilt) if ended else 0.0) + _ROUNDING * sum(times for _, times in releases)
    cross = np.diff(line) / np.diff(tilt)
    level = np.concatenate([[start], cross[(cross > start) & (cross < end)], [end]])
    bound = np.min(line - tilt * level[:, None], axis=1)
    near = level / mu - 0.5 * mu
    # phi(a)·(R(a) - R(b)) with Mills' ratio R, and -R' = 1 - b·R(b) at least 1/(b² + 3), the least of it between a and b
    least = -0.5 * near**2 - 0.5 * math.log(2.0 * math.pi) + math.log(mu) - np.log((near + mu) ** 2 + 3.0)
    return bool((bound + _ROUNDING * (np.abs(bound) + near**2) <= least).all())


def _has_end(mechanism: Mechanism) -> bool:
    return math.isfinite(mechanism.largest_loss)
