"""The loss of releases of any mechanisms together, on a lattice, from their privacy profiles alone.

The values of a profile at the points of a lattice, joined by straight lines in exp(epsilon), are the profile of a loss on the lattice
that dominates the true one, and dominance survives composition (Doroshenko and others, 2022: "connect the dots"). No loss is moved by
more than one step; where all losses lie on the lattice nothing is moved.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

from par_core.composition.delta_from_loss import TailBatch
from par_core.composition.lattice import as_written, common_divisor
from par_core.composition.loss_distribution import UNIT, Floats, LossDistribution, rounded_up
from par_core.composition.tilted_masses import Releases, Waves, joined, kind, masses_of, reach, tilted
from par_core.mechanisms import Mechanism

POINTS = 2**18
PROFILE = 1e-11  # part by which the profile of one release may be above the truth
_STRONGEST = 4.0  # tilt, times the largest loss of a release: nearly all of it lies at the top then
_STRONGEST_ENDLESS = 400.0  # the same for a loss without a largest value, whose lattice ends far beyond
_COARSE = 600  # points on which tilts are chosen: any will do
_NOTHING = 1e-26  # of the losses of a release
_MOST_PLACES = 2**19  # at which a profile is asked for then
_OFTEN = 0.5  # an advantage from which on no losses are rare
_SMALL = 1e-3  # where they begin, of the advantage, if that is small against the largest loss
_DEVIATIONS = 14.0  # half of the window, in standard deviations of the tilted law
_APART = 2.0  # how far one tilt moves the mean beyond that of the one before, in the same
_LEAP = 2.0  # how far it may do so where most losses are far smaller than the largest one, in those of both
_HALVINGS = 6  # of what a tilt grows by, until it is taken as it is
_STRENGTHS = 12  # that Chernoff's bound tries,
_WIDE = 6  # and of these the largest ones for a window
_BEYOND = 25.0  # of which it leaves less than the exponential of this, with its sign turned, outside
MANY = 64  # mechanisms, beyond which those of few points are put together before they go to the whole lattice,
_PART = 16  # on a part of it,
_UNSEEN, _UNSEEN_QUICK = 1e-16, 2e-9  # of a transform
_SMOOTH = 8  # times as many points as frequencies
_FINEST = Fraction(1, 10**12)  # part of a level that no lattice has as its step
_NUMEROUS = 1_000  # releases, beyond which a window is no wider than it must be
_PER_OCTAVE = 4  # and tilts are chosen by those that are so many in an octave of losses


@lru_cache(maxsize=4096)
def own_step(mechanism: Mechanism) -> Fraction:
    """Return the distance of the levels at which the loss of a mechanism has a probability of its own."""
    return as_written(float(mechanism.largest_loss)) / (mechanism.loss_steps or 1)


def common_step(releases: Releases) -> Fraction | None:
    """Return the largest step on which all these levels lie; None where there are none, or none that is not next to nothing."""
    found: Fraction | None = None
    for each, _ in releases:
        if each.loss_steps:
            own = own_step(each)
            found = own if found is None else common_divisor(found, own)
            if found < _FINEST * own:
                return None
    return found


@dataclass(frozen=True)
class Tilted:
    """A tilt, with logarithm of the mass, mean and standard deviation of the loss of all releases under it, nearly."""

    tilt: float
    log_mass: float
    mean: float
    spread: float
    far: float  # size of a loss of one release beyond which next to nothing lies under it

    @property
    def exponent(self) -> float:
        """Of delta at the mean, nearly: that of Chernoff's bound, with what a normal privacy loss distribution leaves of it."""
        beyond = self.tilt * (1.0 + self.tilt) * self.spread * math.sqrt(2.0 * math.pi)
        return self.tilt * self.mean - self.log_mass + math.log(max(beyond, 1.0))

    def end(self, following: Tilted) -> float:
        """Level up to which this tilt serves rather than the one that follows: as many deviations from the one mean as from the other."""
        return self.mean + (following.mean - self.mean) * self.spread / (self.spread + following.spread)


def _strengths(under: Tilted) -> Floats:
    """Return strengths that Chernoff's bound tries."""
    return np.geomspace(1e-3, 30.0, _STRENGTHS) / under.spread


class Tilts:
    """Exponents of tilts, rising from 0, whose mean losses lie so close together that one of them serves every level."""

    def __init__(self, releases: Releases) -> None:
        alike = _alike(releases)
        self._coarse = [_coarse(each) for each, _ in alike]
        self._times = np.array([times for _, times in alike], dtype=float)
        farthest = [reach(each) for each, _ in alike]
        self._least = 1e-12 * float(self._times @ farthest) ** 2
        strengths = [_STRONGEST if math.isfinite(each.largest_loss) else _STRONGEST_ENDLESS for each, _ in alike]
        self.strongest = min(max(np.divide(strengths, farthest)), 3000.0 / max(farthest))
        self._narrow = some_narrow(releases)
        self.held = [self.under(0.0)]

    def under(self, tilt: float) -> Tilted:
        """Return what a tilt does."""
        log_mass = mean = variance = far = 0.0
        for (loss, log_chance), times in zip(self._coarse, self._times.tolist(), strict=True):
            weight = log_chance + tilt * loss
            most = float(weight.max())
            one = most + math.log(float(np.exp(weight - most).sum()))
            share = np.exp(weight - one)
            middle = float(share @ loss)
            log_mass += times * one
            mean += times * middle
            variance += times * float(share @ (loss - middle) ** 2)
            left = np.flatnonzero(share > _NOTHING)
            far = max(far, float(loss[left[-1]]), -float(loss[left[0]]))
        return Tilted(tilt, log_mass, mean, math.sqrt(max(variance, self._least)), far)

    def window(self, under: Tilted) -> float:
        """Return twice the distance from the mean beyond which next to nothing lies under a tilt, by Chernoff's bound."""
        strength = np.outer((-1.0, 1.0), _strengths(under)[-_WIDE:])[..., None]
        exponent = np.full(strength.shape[:2], _BEYOND)
        for (loss, log_chance), times in zip(self._coarse, self._times.tolist(), strict=True):
            weight = log_chance + under.tilt * loss
            share = np.exp(weight - weight.max())
            share /= share.sum()
            with np.errstate(over="ignore", invalid="ignore"):
                exponent += times * np.log(np.exp(strength * (loss - share @ loss)) @ share)
        bound = np.where(np.isnan(exponent), np.inf, exponent)  # where a moment is beyond the floats
        return 2.0 * float((bound / np.abs(strength[..., 0])).min(axis=1).max())

    def grow(self) -> bool:
        """Hold one tilt more; whether there is one."""
        last = self.held[-1]
        following = min(last.tilt + _APART / last.spread, self.strongest)
        if following <= last.tilt:
            return False
        found = self.under(following)
        # Rare large losses take over at some tilt, and the mean leaps to them.
        for _ in range(_HALVINGS if self._narrow else 0):
            if found.mean - last.mean <= _LEAP * (last.spread + found.spread):
                break
            following = 0.5 * (last.tilt + following)
            found = self.under(following)
        self.held.append(found)
        return True

    def at(self, level: Floats) -> tuple[NDArray[np.int64], Floats]:
        """Return for each level the place of the tilt that serves it, and up to which level each tilt does."""
        while self.held[-1].mean < level.max() and self.grow():
            pass
        ends = np.array([one.end(other) for one, other in pairwise(self.held)])
        return np.searchsorted(ends, level), ends

    def for_delta(self, log_delta: float) -> int:
        """Return the place of the tilt that serves about the level at which delta is the wanted one, by Chernoff's exponent there."""
        while self.held[-1].exponent + log_delta < 0 and self.grow():
            pass
        level = np.interp(-log_delta, [each.exponent for each in self.held], [each.mean for each in self.held])
        return int(self.at(np.array([level]))[0][0])


@lru_cache(maxsize=8)
def _alike(releases: Releases) -> Releases:
    """Return releases by which tilts and a window are chosen: of many, one for those of a kind that lose nearly the same."""
    if len(releases) <= MANY:
        return releases
    found: dict[object, list[tuple[Mechanism, int]]] = {}
    for each, times in sorted(releases, key=lambda one: reach(one[0])):
        common = kind(each) or each
        found.setdefault((common, math.floor(_PER_OCTAVE * math.log2(reach(each)))), []).append((each, times))
    return Releases(
        (each, math.ceil(sum(times * (reach(of) / reach(each)) ** 2 for of, times in held)))  # the variance is theirs
        for held in found.values()
        for each, _ in held[len(held) // 2 : len(held) // 2 + 1]
    )


@lru_cache(maxsize=8)
def some_narrow(releases: Releases) -> bool:
    """Whether most losses of a release are far smaller than its largest one."""
    return any(is_narrow(each) for each, _ in _alike(releases))


@lru_cache(maxsize=8)
def window_of(releases: Releases, under: Tilted) -> float:
    """Return how wide a lattice must be under a tilt, if next to nothing may be left out."""
    return tilts(releases).window(under)


@lru_cache(maxsize=8)
def tilts(releases: Releases) -> Tilts:
    """Return the tilts for some releases, as far as they were asked for."""
    return Tilts(releases)


@dataclass(frozen=True)
class Dominating:
    """A law on a lattice that dominates the true one.

    No loss is moved by more than so many steps. `fits` where all levels with a probability of their own lie on the lattice, as the
    decimal numbers that they are written as. The chances of larger losses are right up to the part `uneven`. A law `is_smooth` that has
    no more than a few of all frequencies. One `is_alike` that loses the same in both directions.
    """

    law: LossDistribution
    step: Fraction
    steps_moved: int
    fits: bool
    uneven: float
    is_smooth: bool
    is_alike: bool

    @property
    def moved(self) -> float:
        """How much further below the truth may be."""
        return self.steps_moved * self.law.width

    @cached_property
    def tails(self) -> TailBatch:
        """What the law says of delta."""
        return TailBatch([self.law])

    def upper_delta(self, level: Floats) -> Floats:
        """Upper end of delta of the law, also below 0."""
        if not self.is_alike:
            return self.tails.delta_ends(level)[1]
        away = np.abs(level)
        found = self.tails.delta_ends(away)[1]
        return np.where(level < 0.0, np.exp(-away) * found - np.expm1(-away), found) * (1.0 + 4 * UNIT)

    def exceeds(self, level: Floats, *, two_sided: bool) -> Floats:
        """P(loss > level), rounded up, in size or as it is."""
        width = self.law.width
        place = level / width
        at = np.floor(place if self.fits else place - 8 * UNIT * self.law.largest / width)
        # A loss of the very level is not larger, and one that is larger by the last digit is.
        for near in np.flatnonzero(np.abs(place - np.round(place)) <= 8 * UNIT * place) if self.fits else ():
            at[near] = as_written(float(level[near])) // self.step
        at -= self.steps_moved
        # The chance is the same up to the next point: half a step further rounding does no harm.
        chance, error = self.tails.exceeds((np.maximum(at, 0.0) + 0.5) * width, two_sided=two_sided)
        return np.where(at < 0, 1.0, np.minimum((chance + error) * math.exp(2 * self.uneven), 1.0))


@lru_cache(maxsize=8)
def law_of(releases: Releases, tilt: float, *, points: int = POINTS, is_quick: bool = False) -> Dominating:
    """Return the law under a tilt; a quick one knows less of what is next to never lost."""
    under = tilts(releases).under(tilt)
    exact_step, points, start, steps_moved, fits = _lattice(releases, under, points, is_quick=is_quick)
    step = float(exact_step)
    transform: Any = np.ones(points // 2 + 1)
    top = sum(times * math.ceil(reach(each) / step) for each, times in releases)
    folded = top > min(-start, start + points - 1)  # what lies beyond the window, into it
    log_mass, error, total = 0.0, 0.0, sum(times for _, times in releases)
    logs_above, logs_below = np.zeros(_STRENGTHS), np.zeros(_STRENGTHS)
    strengths = _strengths(under)
    waves: Waves | None = None
    # On its own lattice, which is a part of the common one: there the profile is not thinned out more than it needs to be.
    steps = [round(float(own_step(each)) / step) if fits and each.loss_is_discrete else 1 for each, _ in releases]
    # Delta, which may be too large by this part, is no larger a part of the chance of a larger loss than what is above the division.
    part = np.expm1([-reach(each) for each, _ in releases]) / np.expm1(-step * np.array(steps))
    uneven = PROFILE * float(part @ [times for _, times in releases])
    for each in masses_of(releases, steps, step, tilt, room=points // _PART, together=is_quick or len(releases) > MANY):
        log_mass += each.log_mass
        waves = waves if waves and waves.frequencies == len(transform) else Waves(points, len(transform))
        is_low = len(transform) * (each.side + 1) <= points
        found, one = each.lowest(waves) if is_low else each.transform(points, points // _PART)
        transform = transform * found[: len(transform)]
        error += each.error + one
        # What is left out is the root of a sum of squares at most, and no frequency of the rest is larger than 1.
        beyond = np.sqrt(2.0 * np.cumsum(np.abs(transform[::-1]) ** 2))
        left = len(beyond) - int(np.searchsorted(beyond, _UNSEEN_QUICK if is_quick else _UNSEEN))
        error += 2.0 * float(beyond[len(beyond) - left - 1]) if left < len(beyond) else 0.0
        transform = transform[:left]
        for logs, sign in ((logs_above, 1), (logs_below, -1)) if folded else ():
            logs += each.log_moments(sign * strengths, step)
    atoms = fft.irfft(transform, points)
    error += 12 * math.log2(points) * UNIT * math.sqrt(points) * float(np.sqrt((atoms**2).sum()))
    if folded:
        error += math.exp(min(float(np.min(logs_above - strengths * (start + points - 1) * step)), 0.0))
        error += math.exp(min(float(np.min(logs_below + strengths * start * step)), 0.0))
    first, last = max(0, start), min(start + points - 1, top)
    largest = rounded_up(sum((as_written(reach(each)) * times for each, times in releases), Fraction()))
    law = LossDistribution(
        releases=total,
        width=step,
        beta=tilt * step,
        growth=1.0,
        log_mass=log_mass,
        largest=largest,
        first=first,
        density=np.zeros((last - first + 1, 1)),
        # Also what is below 0 by rounding: the same amounts are too much next to it, and cancel.
        atoms=atoms[np.arange(first, last + 1) % points],
        error=error,
        slack=16 * UNIT * (total + largest + abs(log_mass) + 400) + total * PROFILE,
    )
    is_alike = all(each.exchanged() is each for each, _ in releases)
    return Dominating(law, exact_step, steps_moved, fits, uneven, _SMOOTH * len(transform) <= points, is_alike)


def _lattice(releases: Releases, under: Tilted, most: int, *, is_quick: bool) -> tuple[Fraction, int, int, int, bool]:
    """Return step, number of points, place of the first, by how many steps losses are moved together, and whether all levels lie on it."""
    total, largest, common, whole_lattice = _span(releases)
    narrow = some_narrow(releases)
    beside = min(16 * largest, max(200.0, largest), 4 * under.far if narrow else math.inf)
    window = min(2 * total, 2 * _DEVIATIONS * under.spread + beside)
    # So many releases add up what each is rounded by.
    if is_quick or len(releases) > MANY or sum(times for _, times in releases) > _NUMEROUS:
        window = min(window, window_of(releases, under))
    window *= 1.02
    finest = max(window / (most - 8), largest / _MOST_PLACES if narrow else 0.0)
    fits = common is not None and float(common) > finest
    # One step for several tilts: where most losses are small the profile has many points, which take a while.
    exact_step = Fraction(2.0 ** (math.ceil(4 * math.log2(finest)) / 4) if narrow else finest)
    if fits:
        assert common is not None
        exact_step = common / (1 if whole_lattice else math.floor(float(common) / finest))
    step = float(exact_step)
    points = 2 ** max(math.ceil(math.log2(window / step + 8)), 6)
    steps_moved = sum(times for each, times in releases if not (fits and each.loss_is_discrete))
    start = -points // 2 if total < (points // 2 - 2) * step else round(under.mean / step) - points // 2
    return exact_step, points, start, steps_moved, fits


@lru_cache(maxsize=8)
def _span(releases: Releases) -> tuple[float, float, Fraction | None, bool]:
    """Return the sum of all losses, the largest one, the step on which all levels lie, and whether there are no others."""
    losses = [reach(each) for each, _ in releases]
    total = math.fsum(times * loss for loss, (_, times) in zip(losses, releases, strict=True))
    return total, max(losses), common_step(releases), all(each.loss_is_discrete for each, _ in releases)


def raised_by(releases: Releases, under: Tilted, *, points: int) -> float:
    """Return by how much rounding raises an epsilon, nearly: by half the variance that it adds to the losses, and more under a tilt."""
    step, _, _, moved, _ = _lattice(releases, under, points, is_quick=True)
    return (1.0 + under.tilt) * moved * float(step) ** 2 / 12.0


def log_moments(releases: Releases, tilt: Floats) -> Floats:
    """Return a bound above on the logarithm of E[exp(tilt·loss)] of all releases, where each has a largest loss; tilts at least 0."""
    found = np.zeros(tilt.shape)
    for mechanism, times in releases:
        loss, log_chance = _coarse(mechanism)  # of a law that dominates the true one
        found += times * special.logsumexp(log_chance + tilt[:, None] * loss, axis=1)
    return found


def is_narrow(mechanism: Mechanism) -> bool:
    """Whether most losses are far smaller than the largest one."""
    return bool(mechanism.advantage <= min(reach(mechanism) / _COARSE, _OFTEN))


@lru_cache(maxsize=64)
def _coarse(mechanism: Mechanism) -> tuple[Floats, Floats]:
    """Return levels of the loss of a mechanism and logarithms of their probabilities, on a coarse lattice."""
    end = reach(mechanism)
    step = end / _COARSE
    if not is_narrow(mechanism):
        place, mass, log_one, _ = tilted(mechanism, step, -0.5)  # under which both sides weigh the same
        return step * place, np.log(np.maximum(mass, 1e-300)) + log_one + 0.5 * step * place
    far = np.geomspace(_SMALL * min(mechanism.advantage, end), end, _COARSE)
    level = np.asarray(np.append(0.0, far), dtype=np.float64)
    mass, _ = joined(mechanism, level, np.diff(level))
    return np.concatenate([-level[:0:-1], level]), np.log(np.maximum(mass, 1e-300))
