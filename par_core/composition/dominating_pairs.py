"""The loss of releases of any mechanisms together, on a lattice, from their privacy profiles alone.

The values of a profile at the points of a lattice, joined by straight lines in exp(epsilon), are the profile of a loss on the lattice
that dominates the true one, and dominance survives composition (Doroshenko and others, 2022: "connect the dots"). No loss is moved by
more than one step; where all losses lie on the lattice nothing is moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import fft, special

from par_core.composition.delta_from_loss import TailBatch
from par_core.composition.lattice import as_written, common_divisor, power
from par_core.composition.loss_distribution import UNIT, Floats, LossDistribution, rounded_up
from par_core.mechanisms import Mechanism

Releases = tuple[tuple[Mechanism, int], ...]

POINTS = 2**18
PROFILE = 1e-11  # part by which the profile of one release may be above the truth
FARTHEST = 1e-290  # of a loss without a largest value, what lies beyond the lattice has no larger delta
_STRONGEST = 4.0  # tilt, times the largest loss of a release: nearly all of it lies at the top then
_STRONGEST_ENDLESS = 400.0  # the same for a loss without a largest value, whose lattice ends far beyond
_COARSE = 600  # points on which tilts are chosen: any will do
_NOTHING = 1e-26  # of the losses of a release
_MOST_PLACES = 2**19  # at which a profile is asked for then
_OFTEN = 0.5  # an advantage from which on no losses are rare
_SMALL = 1e-3  # where they begin, of the advantage, if that is small against the largest loss
_DEVIATIONS = 14.0  # half of the window, in standard deviations of the tilted law
_DEVIATIONS_OF_MANY = 7.0  # the same of many mechanisms, of which a finer lattice costs more
_APART = 2.0  # how far one tilt moves the mean beyond that of the one before, in the same
_LEAP = 2.0  # how far it may do so where most losses are far smaller than the largest one, in those of both
_HALVINGS = 6  # of what a tilt grows by, until it is taken as it is
_STRENGTHS = 12  # that Chernoff's bound tries
MANY = 64  # mechanisms, beyond which those of few points are put together before they go to the whole lattice,
_PART = 16  # on a part of it,
_PER_OCTAVE = 16  # and tilts are chosen by those that are so many in an octave of losses


@lru_cache(maxsize=4096)
def reach(mechanism: Mechanism) -> float:
    """Return the largest loss, or one beyond which next to nothing is left."""
    loss = float(mechanism.largest_loss)
    return loss if math.isfinite(loss) else float(mechanism.epsilon(FARTHEST))


@lru_cache(maxsize=4096)
def own_step(mechanism: Mechanism) -> Fraction:
    """Return the distance of the levels at which the loss of a mechanism has a probability of its own."""
    return as_written(float(mechanism.largest_loss)) / (mechanism.loss_steps or 1)


def common_step(releases: Releases) -> Fraction | None:
    """Return the largest step on which all these levels lie; None where there are none."""
    steps = [own_step(each) for each, _ in releases if each.loss_steps]
    return reduce(common_divisor, steps) if steps else None


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
        self._narrow = _some_narrow(releases)
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
    """Return releases by which tilts and a window are chosen: of many, one for those of a kind that lose the same but for a few percent."""
    if len(releases) <= MANY:
        return releases
    found: dict[object, list[tuple[Mechanism, int]]] = {}
    for each, times in sorted(releases, key=lambda one: reach(one[0])):
        kind = _kind(each) or each
        found.setdefault((kind, math.floor(_PER_OCTAVE * math.log2(reach(each)))), []).append((each, times))
    return tuple((held[len(held) // 2][0], sum(times for _, times in held)) for held in found.values())


@lru_cache(maxsize=8)
def _some_narrow(releases: Releases) -> bool:
    return any(is_narrow(each) for each, _ in _alike(releases))


def _kind(mechanism: Mechanism) -> tuple[object, ...] | None:
    """Return what mechanisms have in common that differ in their epsilon0 alone; None for one that has none, or not only numbers."""
    found: dict[str, Any] = {each.name: getattr(mechanism, each.name) for each in fields(cast(Any, mechanism))}
    plain = has_numbers_only(mechanism) and mechanism.exchanged() is mechanism
    return (type(mechanism), *found.values()) if plain and found.pop("epsilon0", None) else None


def has_numbers_only(mechanism: Mechanism) -> bool:
    """Whether all its parameters are single numbers."""
    return all(type(getattr(mechanism, each.name)) in (int, float) for each in fields(cast(Any, mechanism)))


@lru_cache(maxsize=8)
def tilts(releases: Releases) -> Tilts:
    """Return the tilts for some releases, as far as they were asked for."""
    return Tilts(releases)


@dataclass(frozen=True)
class Dominating:
    """A law on a lattice that dominates the true one.

    No loss is moved by more than so many steps. `fits` where all levels with a probability of their own lie on the lattice, as the
    decimal numbers that they are written as. The chances of larger losses are right up to the part `uneven`.
    """

    law: LossDistribution
    step: Fraction
    steps_moved: int
    fits: bool
    uneven: float

    @property
    def moved(self) -> float:
        """How much further below the truth may be."""
        return self.steps_moved * self.law.width

    @cached_property
    def tails(self) -> TailBatch:
        """What the law says of delta."""
        return TailBatch([self.law])

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
def law_of(releases: Releases, tilt: float, *, points: int = POINTS) -> Dominating:
    """Return the law under a tilt."""
    under = tilts(releases).under(tilt)
    exact_step, points, start, steps_moved, fits = _lattice(releases, under, points)
    step = float(exact_step)
    transform: Any = np.ones(points // 2 + 1)
    top = sum(times * math.ceil(reach(each) / step) for each, times in releases)
    folded = top > min(-start, start + points - 1)  # what lies beyond the window, into it
    log_mass, error, total = 0.0, 0.0, sum(times for _, times in releases)
    logs_above, logs_below = np.zeros(_STRENGTHS), np.zeros(_STRENGTHS)
    strengths = np.geomspace(1e-3, 30.0, _STRENGTHS) / under.spread
    # On its own lattice, which is a part of the common one: there the profile is not thinned out more than it needs to be.
    steps = [round(float(own_step(each)) / step) if fits and each.loss_is_discrete else 1 for each, _ in releases]
    # Delta, which may be too large by this part, is no larger a part of the chance of a larger loss than what is above the division.
    part = np.expm1([-reach(each) for each, _ in releases]) / np.expm1(-step * np.array(steps))
    uneven = PROFILE * float(part @ [times for _, times in releases])
    for each in _laws(releases, steps, step, tilt, points // _PART):
        log_mass += each.times * each.log_mass
        table, one = _transformed(each.place, each.mass, points)
        error += each.times * (each.error + one)
        transform = transform * power(table, each.times)
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
    return Dominating(law, exact_step, steps_moved, fits, uneven)


@dataclass(frozen=True)
class _Law:
    """Masses under a tilt at places of a lattice, which add up to 1: of so many releases of a mechanism, or of several mechanisms together.

    `log_mass` is the logarithm of their sum before, and `error` bounds what rounding moves. `spread` has of each mechanism, where they
    are several, mass, mean, mean square and size of the losses, in steps, and how often it is made.
    """

    place: NDArray[np.int64]
    mass: Floats
    times: int
    log_mass: float
    error: float
    spread: Floats | None = None

    def log_moments(self, strength: Floats, step: float) -> Floats:
        """Return the logarithm of E[exp(strength·loss)] of all releases, or a bound above."""
        if self.spread is not None:
            mass, mean, square, size, times = self.spread[:, :, None]
            by = np.asarray(strength * step)
            most = np.abs(by) * size  # exp(x) - 1 - x is at most x²/most² times that at the largest x
            with np.errstate(over="ignore"):  # a bound may be infinite
                bound = np.log(mass) + (by * mean + square * (np.expm1(most) - most) / size**2) / mass
            return np.asarray((times * bound).sum(axis=0))
        held = np.abs(self.mass) > 0
        exponent = strength[:, None] * (step * self.place[held]) + np.log(np.abs(self.mass[held]))
        most = exponent.max(axis=1, keepdims=True)  # SciPy's logsumexp looks for infinities, which takes twice as long
        return np.asarray(self.times * (most[:, 0] + np.log(np.exp(exponent - most).sum(axis=1))))


def _laws(releases: Releases, steps: Sequence[int], step: float, tilt: float, room: int) -> Iterator[_Law]:
    """Yield the laws of releases, whose levels lie so many `steps` apart; of many, those of a kind together that have `room` for it."""
    kinds: dict[object, list[tuple[int, int]]] = {}
    for at, (mechanism, times) in enumerate(releases):
        reached = times * steps[at] * _number(mechanism, steps[at] * step)
        if len(releases) > MANY and 4 * reached < room and (kind := _kind(mechanism)):
            kinds.setdefault(kind, []).append((reached, at))
        else:
            place, mass, log_one, wrong = _tilted(mechanism, steps[at] * step, tilt)
            yield _Law(steps[at] * place, mass, times, log_one, wrong)
    for members in kinds.values():
        batch, used = list[int](), 0
        for reached, at in sorted(members, reverse=True):
            if 2 * (used + reached) + 2 > room:
                yield _together([releases[each] for each in batch], [steps[each] for each in batch], step, tilt, room)
                batch, used = [], 0
            batch, used = [*batch, at], used + reached
        yield _together([releases[each] for each in batch], [steps[each] for each in batch], step, tilt, room)


def _together(
    releases: Sequence[tuple[Mechanism, int]], steps: Sequence[int], step: float, tilt: float, room: int
) -> _Law:
    """Return the law of releases that differ in their epsilon0 alone, put together on a lattice of `room` points."""
    first, times = releases[0][0], np.array([times for _, times in releases])
    made = replace(cast(Any, first), epsilon0=np.array([[cast(Any, each).epsilon0] for each, _ in releases]))
    own = np.array(steps)[:, None]
    number = np.array([[_number(each, of * step)] for (each, _), of in zip(releases, steps, strict=True)])
    every = np.arange(number.max() + 1)
    mass, doubt = _joined(made, np.asarray(own * step * every), own * step, every >= number)
    place = own * np.arange(-number.max(), number.max() + 1)
    mass, log_one, wrong = _under(mass, doubt, tilt * step * place)
    transform, rounded = _transformed(place, mass, room)
    put = reduce(
        np.multiply, [power(np.multiply.reduce(transform[times == each]), each) for each in set(times.tolist())]
    )
    most = int(times @ (own * number)[:, 0])
    reached = np.arange(-most, most + 1)
    law = fft.irfft(put, room)[reached % room]
    error = float(times @ (wrong + rounded)) + _rounding(law, room)
    size = np.abs(mass)
    spread = np.array(
        [size.sum(axis=1), (size * place).sum(axis=1), (size * place**2).sum(axis=1), place[:, -1], times]
    )
    return _Law(reached, law, 1, float(times @ log_one), error, spread)


def _number(mechanism: Mechanism, step: float) -> int:
    return math.ceil(reach(mechanism) / step * (1.0 - 6 * UNIT))


def _transformed(place: Any, mass: Floats, points: int) -> tuple[Any, Any]:
    """Return the transform of masses at places of a lattice, and a bound on what its rounding moves; of those in each row."""
    rows = np.arange(mass.size // mass.shape[-1])[:, None]  # one where there are none
    at = (rows * points + place % points).ravel()
    table: Any = np.bincount(at, mass.ravel(), minlength=rows.size * points).reshape(*mass.shape[:-1], points)
    return fft.rfft(table), _rounding(mass if 2 * place.max() < points else table, points)


def _rounding(table: Floats, points: int) -> Any:
    return 12 * math.log2(points) * UNIT * math.sqrt(points) * np.sqrt((table**2).sum(axis=-1))


def _tilted(mechanism: Mechanism, step: float, tilt: float) -> tuple[Any, Floats, float, float]:
    """Return places, masses under the tilt that add up to 1, the logarithm of their sum before, and a bound on their rounding."""
    number = _number(mechanism, step)
    place = np.arange(-number, number + 1)
    mass, log_one, wrong = _under(*_on_lattice(mechanism, step, number), tilt * step * place)
    return place, mass, float(log_one), float(wrong)


def _under(mass: Floats, doubt: Floats, tilted: Any) -> tuple[Floats, Any, Any]:
    """Return masses under a tilt that add up to 1, the logarithm of their sum before, and a bound on their rounding; of each row."""
    with np.errstate(divide="ignore"):
        logs, doubts = (np.log(np.abs(each)) + tilted for each in (mass, doubt))
    most = logs.max(axis=-1, keepdims=True)
    size = np.exp(logs - most)
    signed, log_size = (
        (np.sign(mass) * size).sum(axis=-1, keepdims=True),
        most + np.log(size.sum(axis=-1, keepdims=True)),
    )
    with np.errstate(divide="ignore"):
        log_one = most + np.log(np.maximum(signed, 0.0))
    # Where delta is 1 to the last digit it says nothing of small losses: all is doubt there.
    log_one = np.where(log_one > log_size - 1.0, log_one, log_size)
    return np.sign(mass) * np.exp(logs - log_one), log_one[..., 0], np.exp(doubts - log_one).sum(axis=-1)


@lru_cache(maxsize=4)
def _on_lattice(mechanism: Mechanism, step: float, number: int) -> tuple[Floats, Floats]:
    """Return masses at whole numbers of steps, and what rounding can do to them."""
    return _joined(mechanism, np.asarray(step * np.arange(number + 1), dtype=np.float64), step)


def _joined(
    mechanism: Mechanism, level: Floats, gap: NDArray[np.floating[Any]] | float, beyond: NDArray[np.bool_] | None = None
) -> tuple[Floats, Floats]:
    """Return masses at the levels, which rise from 0 to the end, with their signs turned before, and what rounding can do to them.

    `gap` is how far apart they lie, in rows in one column. `beyond` are levels from the end on, without it the last one. A negative
    loss is one of the neighbour with its sign turned, who then loses as in the other direction.
    """
    there, end = mechanism.exchanged(), np.arange(level.shape[-1]) == level.shape[-1] - 1 if beyond is None else beyond
    here = np.where(
        end, 0.0, mechanism.delta(level)
    )  # what a loss without a largest one has beyond is counted by the caller
    other = here if there is mechanism else np.where(end, 0.0, there.delta(level))
    below, shrunk = -np.expm1(-np.asarray(gap)), np.exp(-np.asarray(gap))
    # Of a loss beyond each point, for the straight line above it; the last one is 0.
    chance, chance_there = (-np.diff(each) / below for each in (here, other))
    first = below if below.ndim == 0 else below[..., :1]
    start = here[..., :1]
    middle = 1.0 - (start * (2.0 - first) - (1.0 - first) * (here[..., 1:2] + other[..., 1:2])) / first
    keep = shrunk if shrunk.shape[-1:] in ((), (1,)) else np.append(shrunk[1:], 0.0)
    above, above_there = (each - keep * _following(each) for each in (chance, chance_there))
    given = np.exp(-level[..., 1:])  # what the neighbour gives to a part of the mass
    mass = np.concatenate([(above_there * given)[..., ::-1], middle, above], axis=-1)
    return mass, 4 * UNIT * np.concatenate([(chance_there * given)[..., ::-1], start / first, chance], axis=-1)


def _following(values: Floats) -> Floats:
    """Return after each value the next one, and 0 after the last."""
    return np.concatenate([values[..., 1:], np.zeros((*values.shape[:-1], 1))], axis=-1)


def _lattice(releases: Releases, under: Tilted, most: int) -> tuple[Fraction, int, int, int, bool]:
    """Return step, number of points, place of the first, by how many steps losses are moved together, and whether all levels lie on it."""
    total = sum(times * reach(each) for each, times in releases)
    largest = max(reach(each) for each, _ in releases)
    narrow, many = _some_narrow(releases), len(releases) > MANY
    beside = min(
        16 * largest, max(200.0, largest), (4 if narrow or many else 1) * under.far if narrow or many else math.inf
    )
    window = 1.02 * min(2 * total, 2 * (_DEVIATIONS_OF_MANY if many else _DEVIATIONS) * under.spread + beside)
    finest = max(window / (most - 8), largest / _MOST_PLACES if narrow else 0.0)
    common = common_step(releases)
    fits = common is not None and float(common) > finest
    # One step for several tilts: where most losses are small the profile has many points, which take a while.
    exact_step = Fraction(2.0 ** (math.ceil(4 * math.log2(finest)) / 4) if narrow else finest)
    if fits:
        assert common is not None
        whole_lattice = all(each.loss_is_discrete for each, _ in releases)
        exact_step = common / (1 if whole_lattice else math.floor(float(common) / finest))
    step = float(exact_step)
    points = 2 ** max(math.ceil(math.log2(window / step + 8)), 6)
    steps_moved = sum(times for each, times in releases if not (fits and each.loss_is_discrete))
    start = -points // 2 if total < (points // 2 - 2) * step else round(under.mean / step) - points // 2
    return exact_step, points, start, steps_moved, fits


def raised_by(releases: Releases, tilt: float, *, points: int) -> float:
    """Return by how much rounding raises an epsilon, nearly: by half the variance that it adds to the losses, and more under a tilt."""
    step, _, _, moved, _ = _lattice(releases, tilts(releases).under(tilt), points)
    return (1.0 + tilt) * moved * float(step) ** 2 / 12.0


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
        place, mass, log_one, _ = _tilted(mechanism, step, -0.5)  # under which both sides weigh the same
        return step * place, np.log(np.maximum(mass, 1e-300)) + log_one + 0.5 * step * place
    far = np.geomspace(_SMALL * min(mechanism.advantage, end), end, _COARSE)
    level = np.asarray(np.append(0.0, far), dtype=np.float64)
    mass, _ = _joined(mechanism, level, np.diff(level))
    return np.concatenate([-level[:0:-1], level]), np.log(np.maximum(mass, 1e-300))
