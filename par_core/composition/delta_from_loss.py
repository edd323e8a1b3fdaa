"""From the privacy loss distribution to delta at an epsilon, and back, with ends that are guaranteed to hold the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from par_core.composition.loss_distribution import UNIT, Floats, LossDistribution

_NODES = (
    16  # exact for polynomials of degree 31: the pieces are narrow, an exponential in them is one to the last digit
)
_MOST_STEPS = 60
_MOST_WIDENINGS = 8
_FIRST_STEP = 1e-6  # share of epsilon that an end is moved by first where the slope does not say how far


@dataclass(frozen=True)
class Tails:
    """Delta and its slope at one point each, as logarithms.

    The slope is -d delta/d epsilon = E[exp(epsilon - loss); loss > epsilon], the chance of that loss under the neighbour times
    exp(epsilon).
    """

    log_delta: Floats  # of E[(1 - exp(epsilon - loss))+]
    log_slope: Floats
    log_error: Floats  # of a bound on how far delta may be from the truth

    def surely_at_most(self, log_delta: float) -> NDArray[np.bool_]:
        """Where the true delta cannot be above the given one."""
        return np.logaddexp(self.log_delta, self.log_error) <= log_delta

    def surely_at_least(self, log_delta: float) -> NDArray[np.bool_]:
        """Where the true delta cannot be below the given one."""
        share = np.exp(np.minimum(self.log_error - self.log_delta, 0.0))
        with np.errstate(divide="ignore"):
            return self.log_delta + np.log1p(-share) >= log_delta


class TailBatch:
    """Several distributions of one release and tilt, asked together, or one at several points. Every sum has only positive terms."""

    def __init__(self, laws: Sequence[LossDistribution]) -> None:
        self.releases = np.array([law.releases for law in laws])
        self._width, self._beta = laws[0].width, laws[0].beta
        self._log_mass = np.array([law.log_mass for law in laws])
        self._largest = np.array([law.largest for law in laws])
        # Where the pieces lie, the levels and epsilon are rounded, together by less than this: a release whose level is higher
        # by some amount loses at most that much more.
        self._shift = 8 * UNIT * self._largest
        self._slack = np.array([law.slack for law in laws])
        self._first = min(law.first for law in laws)
        last = max(law.first + len(law.atoms) for law in laws)
        degrees = max(law.density.shape[1] for law in laws)
        self._density = np.zeros((len(laws), last - self._first + 1, degrees))
        atoms = np.zeros((len(laws), last - self._first + 1))
        for at, law in enumerate(laws):
            start = law.first - self._first
            self._density[at, start : start + len(law.atoms), : law.density.shape[1]] = law.density
            atoms[at, start : start + len(law.atoms)] = law.atoms
        # A sum of coefficients of both signs: its rounding is small against the size of the piece, not against the sum.
        weight = laws[0].growth * float(np.sqrt(2.0 * np.arange(degrees) + 1).sum())
        self._error = np.array([law.error for law in laws]) + 4 * (degrees + 60) * UNIT * weight
        self._sum(atoms)

    def _sum(self, atoms: Floats) -> None:
        """Fill, for the lower end of every piece, its delta and slope, less the weight exp(log_mass - beta·piece)."""
        nodes, weights = _rule(48)
        values = legendre.legvander(2 * nodes - 1, self._density.shape[2] - 1)
        falling = (weights * np.exp(-0.5 * self._width * nodes)) @ values
        excess = (weights * 2 * np.sinh(0.5 * self._width * nodes)) @ values
        self._slope = discounted(self._density @ falling + atoms, self._beta + self._width)
        delta = self._density @ excess
        delta[:, :-1] += math.exp(-self._beta) * -math.expm1(-self._width) * self._slope[:, 1:]
        self._delta = discounted(delta, self._beta)

    def at(self, epsilon: Floats) -> Tails:
        """Return the tails at one epsilon for each law, or at several where there is one law; at least 0."""
        place = epsilon / self._width - self._first
        piece = np.clip(np.floor(place), 0, self._delta.shape[1] - 2).astype(np.int64)
        inside = np.clip(place - piece, 0.0, 1.0)
        rows = np.arange(len(epsilon)) if len(self._density) > 1 else np.zeros(len(epsilon), dtype=np.int64)
        rest = (1 - inside) * self._width
        nodes, weights = _rule(_NODES)
        above = (1 - inside)[:, None] * nodes
        density = _evaluated(self._density[rows, piece], 2 * (inside[:, None] + above) - 1)
        density *= (1 - inside)[:, None] * weights * np.exp(0.5 * self._width * inside)[:, None]
        keep = math.exp(-self._beta)
        further = keep * self._slope[rows, piece + 1]
        delta = (
            keep * self._delta[rows, piece + 1]
            - np.expm1(-rest) * further
            + (density * 2 * np.sinh(0.5 * self._width * above)).sum(axis=1)
        )
        slope = np.exp(-rest) * further + (density * np.exp(-0.5 * self._width * above)).sum(axis=1)
        left = np.minimum(place, 0.0)  # of the first piece, from where on everything that is held lies above
        delta, slope = delta - np.expm1(left * self._width) * slope, slope * np.exp(left * self._width)
        with np.errstate(divide="ignore"):
            base = self._log_mass - self._beta * (piece + self._first)
            log_delta, log_slope = base + np.log(np.maximum(delta, 0)), base + np.log(np.maximum(slope, 0))
            # The held law is off by a mass of `error`; each part of it counts with the weight of the tilt beyond epsilon.
            log_error = base - self._beta * (inside + left) + np.log(self._error)
        return Tails(log_delta, log_slope, np.logaddexp(log_error, log_delta + np.log(self._slack)))

    def delta_ends(self, epsilon: Floats) -> tuple[Floats, Floats]:
        """Return guaranteed ends of delta, as `at`, below the largest loss there is."""
        below, above = self.at(epsilon + self._shift), self.at(np.maximum(epsilon - self._shift, 0.0))
        # Logarithms above 0 say nothing, and might overflow.
        lower = np.exp(np.minimum(below.log_delta, 0.0)) - np.exp(np.minimum(below.log_error, 0.0))
        upper = np.exp(np.minimum(np.logaddexp(above.log_delta, above.log_error), 0.0))
        # Left of 0 delta rises by at most as much as epsilon falls. An end that is too small for a float is not 0.
        upper = np.nextafter(upper + np.maximum(self._shift - epsilon, 0.0), np.inf)
        return np.maximum(lower, 0.0), np.minimum(upper, 1.0)

    def exceeds(self, epsilon: Floats, *, two_sided: bool = True) -> tuple[Floats, Floats]:
        """P(loss > epsilon), in size or as it is, and how far it may be from the truth; as `at`.

        The neighbour sees the same law with its sign turned.
        """
        tails = self.at(epsilon)
        delta, slope, error = (
            np.exp(np.minimum(each, 700.0)) for each in (tails.log_delta, tails.log_slope, tails.log_error)
        )
        return delta + slope * (1 + np.exp(-epsilon) * two_sided), 4 * (error + self._slack * slope)

    def epsilon(self, log_delta: float) -> Floats:
        """Return where delta falls to the wanted one, 0 where it starts below it."""
        with np.errstate(divide="ignore"):
            ends = np.log(np.maximum(self._delta, 0.0)) - self._beta * np.arange(
                self._first, self._first + self._delta.shape[1]
            )
        enough = ends + self._log_mass[:, None] >= log_delta
        piece = self._delta.shape[1] - 1 - np.argmax(enough[:, ::-1], axis=1)
        start = np.where(enough.any(axis=1), piece, 0)
        low = (start + self._first) * self._width
        high = low + self._width
        point = low.copy()
        for _ in range(_MOST_STEPS):
            tails = self.at(point)
            missing = tails.log_delta - log_delta
            low = np.where(missing >= 0, np.maximum(low, point), low)
            high = np.where(missing < 0, np.minimum(high, point), high)
            with np.errstate(over="ignore", invalid="ignore"):
                reach = np.exp(tails.log_delta - tails.log_slope)
                # Newton's step for the logarithm; where that is too far, for delta itself, which is convex and falls short.
                newton = point + missing * reach
                shorter = point - np.expm1(-np.maximum(missing, 0.0)) * reach
            # Near the top delta falls to 0 within a small part of a piece: there the step alone says nothing.
            near = (np.abs(newton - point) <= 1e-10 * self._width) & (np.abs(missing) <= 1e-5)
            near |= np.abs(newton - point) <= 4 * UNIT * point  # as close as numbers go
            following = 0.5 * (low + high)
            for step in (shorter, newton):
                following = np.where((step >= low) & (step <= high) & (step != point), step, following)
            following = np.where(near, np.clip(newton, low, high), following)
            point = following
            if near.all():  # the next of Newton's steps is the square of this one
                break
        return np.where(enough.any(axis=1), point, 0.0)

    def ends(self, epsilon: Floats, log_delta: float) -> tuple[Floats, Floats]:
        """Return guaranteed ends around a computed epsilon: where delta is certainly enough, and certainly not.

        An end that cannot be confirmed is the trivial one: 0, or all levels added up. Where delta is enough at 0, both are 0.
        """
        tails = self.at(epsilon)
        step = 2 * np.exp(np.minimum(tails.log_error - tails.log_slope, 600.0)) + 8 * UNIT * epsilon
        # At the very top the slope is 0, and just below it is not.
        scale = np.maximum(epsilon, _FIRST_STEP * self._largest)
        step = np.where(step > 0.5 * scale, _FIRST_STEP * scale, step)
        upper = np.where(tails.surely_at_most(log_delta), epsilon, self._largest)
        lower = np.zeros_like(epsilon)
        for _ in range(_MOST_WIDENINGS):
            above, below = np.minimum(epsilon + step, self._largest), np.maximum(epsilon - step, 0.0)
            upper = np.where(self.at(above).surely_at_most(log_delta), np.minimum(above, upper), upper)
            lower = np.where(self.at(below).surely_at_least(log_delta), np.maximum(below, lower), lower)
            open_ = ((upper > above) & (above < self._largest)) | ((lower < below) & (below > 0))
            if not open_.any():
                break
            step = np.where(open_, 8 * step, step)
        upper = np.minimum(upper + self._shift, self._largest)
        if (epsilon == 0).any():
            enough = np.log(self.delta_ends(np.zeros_like(epsilon))[1]) <= log_delta
            upper = np.where(enough, 0.0, upper)
        return np.maximum(lower - self._shift, 0.0), upper


def discounted(values: Floats, rate: float) -> Floats:
    """Sums over all later entries along the last axis, each step further weighing exp(-rate) times as much."""
    sums, distance = values.copy(), 1
    # The weight of a distance is not a power of another one: its rounding would grow with the distance.
    while distance < sums.shape[-1] and (keep := math.exp(-rate * distance)) > 0:
        sums[..., :-distance] += keep * sums[..., distance:]
        distance *= 2
    return sums


def _evaluated(coefficients: Floats, points: Floats) -> Floats:
    """Legendre series of shape (laws, degrees) at points of shape (laws, nodes), by Clenshaw's recurrence."""
    return np.asarray(legendre.legval(points.T, coefficients.T, tensor=False).T, dtype=np.float64)


@cache
def _rule(nodes: int) -> tuple[Floats, Floats]:
    """Gauss-Legendre rule on [0, 1]."""
    points, weights = legendre.leggauss(nodes)
    return np.asarray((points + 1) / 2, dtype=np.float64), np.asarray(weights / 2, dtype=np.float64)
