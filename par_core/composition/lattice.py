"""The loss of releases at different levels together, on a lattice, rounded to either side of the truth.

The transform of the loss of one release is closed also when its flat part is moved to lattice points. Moved to the ends of
each cell, with the mass under both tables kept, the lattice law dominates the true one; moved to the middle of each cell it
is dominated. Both survive composition, so that one product of transforms and one inverse Fourier transform give each end.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from par_core.composition.loss_distribution import (
    UNIT,
    Floats,
    LossDistribution,
    first_positive,
    log_moment,
    rounded_up,
)

_Complexes = NDArray[np.complexfloating[Any, Any]]

_POINTS = 2**18
_FINER_UNFIT = 4  # levels without a common divisor are rounded themselves: that takes a finer lattice,
_FEW_LEVELS = 20  # and with many of them too much time
_PRUNE_EVERY = 8
_NOTHING = 1e-20  # a product below this is left at 0, and counted
_LARGEST_EXPONENT = 3000.0
_STRENGTHS = 50  # that Chernoff's bound tries
_DEVIATIONS = 14.0  # half of the window, in standard deviations of the tilted law
# Rounding of the transform of one release divided by its mass, which is at most 1 in size: 3 units of a root of unity, 40 of
# the two terms together, and twice that after the division, as the mass is at least a half.
_FACTOR = 82 * UNIT
_TIMES = 3 * UNIT  # of a product of two complex numbers, relative


def as_written(value: float) -> Fraction:
    """Return the decimal number that a float is written as."""
    return Fraction(repr(value))


@dataclass(frozen=True)
class Levels:
    """Different levels of releases, rising, and how many releases there are at each."""

    epsilon0: Floats
    releases: NDArray[np.int64]

    @classmethod
    def of(cls, counted: Iterable[tuple[float, int]]) -> Levels:
        """Return levels of which each may occur several times."""
        counts: Counter[float] = Counter()
        for level, times in counted:
            counts[level] += times
        rising = sorted(counts)
        return cls(np.array(rising), np.array([counts[each] for each in rising], dtype=np.int64))

    @property
    def total(self) -> Fraction:
        """All levels added up as the decimal numbers that they are written as: 0.1 and 0.2 are 0.3."""
        pairs = zip(self.epsilon0.tolist(), self.releases.tolist(), strict=True)
        return sum((as_written(level) * number for level, number in pairs), Fraction())


@dataclass(frozen=True)
class Lattice:
    """Where the loss is rounded to."""

    step: float
    points: int  # a power of two
    tilt: float  # exponent z - ½ of the tilt, per loss
    fits: bool  # whether every level is an even number of steps; else the levels themselves are rounded too


def lattice_for(levels: Levels, *, tilt: float, points: int | None = None) -> Lattice:
    """Choose a lattice fine enough, on which all levels lie if they have a common divisor."""
    _, spread = _mean_and_deviation(levels, tilt)
    largest = float(levels.epsilon0.max())
    points = points or _POINTS
    window = 1.01 * min(2 * float(levels.total), 2 * _DEVIATIONS * spread + min(16 * largest, 200.0))
    divisor = reduce(common_divisor, (as_written(float(each)) for each in levels.epsilon0))
    pieces = math.floor(float(divisor) * (points - 8) / window / 2)
    if pieces >= 1:
        return Lattice(float(divisor) / (2 * pieces), points, tilt, True)
    points *= _FINER_UNFIT if len(levels.epsilon0) <= _FEW_LEVELS else 1
    return Lattice(window / (points - 8), points, tilt, False)


def between(low: float, high: float) -> float:
    """Return a value between what the law below and the law above give, where the levels fit."""
    return (
        high - (high - low) / 3
    )  # flat mass in the middles of double cells errs by twice as much as at the ends of single ones


def tilt_for(levels: Levels, *, log_delta: float) -> float:
    """Return the exponent of a tilt that moves the mean loss to about where delta is the wanted one."""
    most = _strongest(levels, 2.0)

    def reach(tilt: float) -> float:
        """Logarithm of the wanted delta over that at the tilted mean, by the saddle point approximation."""
        mean, deviation = _mean_and_deviation(levels, tilt)
        beyond = tilt * (1 + tilt) * deviation * math.sqrt(2 * math.pi)
        return tilt * mean - _log_mass(levels, tilt) + log_delta + math.log(beyond)

    return first_positive(reach, 1e-9 * most, most)


def tilt_at(levels: Levels, *, epsilon: float) -> float:
    """Return the exponent of a tilt that moves the mean loss to about epsilon."""
    low, high = 0.0, _strongest(levels, 4.0)
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _mean_and_deviation(levels, middle)[0] < epsilon else (low, middle)
    return high


def _strongest(levels: Levels, strength: float) -> float:
    """Return the strongest tilt that is looked at, whose weight hardly changes from one point of the lattice to the next."""
    # Many small releases on top of a large one have a tail of their own.
    return min(strength / float(levels.epsilon0.min()) + 1, _LARGEST_EXPONENT / float(levels.epsilon0.max()))


def rounded_law(levels: Levels, lattice: Lattice, *, up: bool) -> LossDistribution:
    """Return the law on the lattice that dominates the true one (up), or that is dominated by it."""
    step, points = lattice.step, lattice.points
    pairs = _pairs(levels, lattice, up=up)
    rounded = Levels(2 * step * pairs.astype(np.float64), levels.releases)
    half = 0.5 + lattice.tilt
    log_mass, transform, rounding = _transform(rounded, pairs, half, lattice, up=up)
    tilted = fft.irfft(transform.conj(), points)
    mean, _ = _mean_and_deviation(levels, lattice.tilt)
    # The window, lattice points start to start + points - 1: all there is, if that fits, else what lies around the mean.
    total = float(rounded.total)
    start = -points // 2 if total < (points // 2 - 2) * step else round(mean / step) - points // 2
    first = max(0, start)
    last = min(start + points - 1, round(total / step) + 1)
    releases = float(levels.releases.sum())
    # The error of a fast Fourier transform is small in the root of the sum of squares; what it is given adds its own.
    error = 12 * math.log2(points) * UNIT * math.sqrt(points) * float(np.sqrt((tilted**2).sum()))
    error += rounding + points * _NOTHING
    error += _outside(rounded, start * step, (start + points - 1) * step, half=half, step=step, up=up)
    return LossDistribution(
        releases=int(releases),
        width=step,
        beta=lattice.tilt * step,
        growth=math.exp(half * step),
        log_mass=log_mass,
        largest=rounded_up(levels.total),
        first=first,
        density=np.zeros((last - first + 1, 1)),
        atoms=np.maximum(tilted[np.arange(first, last + 1) % points], 0.0),
        error=error,
        slack=16 * UNIT * (releases * (float(levels.epsilon0.max()) + 2) + abs(log_mass) + 400),
    )


def _pairs(levels: Levels, lattice: Lattice, *, up: bool) -> NDArray[np.int64]:
    """Count the double steps in every level; with less noise the law dominates, with more it is dominated."""
    pairs = levels.epsilon0 / (2 * lattice.step)
    return (np.round(pairs) if lattice.fits else np.ceil(pairs) if up else np.floor(pairs)).astype(np.int64)


def _transform(
    levels: Levels, pairs: NDArray[np.int64], half: float, lattice: Lattice, *, up: bool
) -> tuple[float, _Complexes, float]:
    """Return log E[exp((half - ½)·loss)] of the law on the lattice, the transform of the tilted law, and what rounding moves in all."""
    points = lattice.points
    roots = _roots(points)
    frequencies = np.arange(points // 2 + 1)
    steps = 1 if up else 2
    decay = half * steps * lattice.step
    turn = (
        np.pi / points * ((steps * frequencies + points // 2) % points - points // 2)
    )  # half of it, from -pi/2 to pi/2
    sine = np.sin(turn)
    # 1 - exp(-z·cell), next to 0 too
    less = -math.expm1(-decay) + math.exp(-decay) * 2 * sine * (sine + 1j * np.cos(turn))
    flat = _flat(less, math.exp(-half * lattice.step) * roots[-frequencies], lattice.step, up=up)
    log_mass = 0.0
    result = np.ones(len(frequencies), dtype=np.complex128)
    rounding = np.zeros(len(frequencies))  # relative
    at = frequencies  # where the product is not yet nothing
    for done, (level, pair, number) in enumerate(
        zip(levels.epsilon0.tolist(), pairs.tolist(), levels.releases.tolist(), strict=True)
    ):
        if pair == 0:
            continue
        # Whole numbers of turns are taken off before anything is rounded: they can be many thousands.
        turned = roots[at * (2 * pair) & (points - 1)]
        twice = math.exp(-2 * half * level) * (turned * turned).conj()
        # Without the factor exp(half·level), which would overflow.
        factor = (0.5 * (1 + twice) + 0.5 * flat[at] * (1 - twice)) * turned
        mass = float(factor[0].real)  # the first frequency is 0, and stays
        log_mass += number * ((half - 0.5) * level + math.log(mass))
        factor /= mass
        size = np.abs(factor)
        factor[size < _FACTOR] = _FACTOR
        # Left at 0 before they are multiplied out: numbers next to nothing are slow.
        if number > 1:
            alive = size > _NOTHING ** (1 / number)
            result[at[~alive]] = 0.0
            at, factor, size = at[alive], factor[alive], size[alive]
        rounding[at] += number * (_FACTOR / np.maximum(size, _FACTOR) + _TIMES)
        result[at] *= power(factor, number)
        if done % _PRUNE_EVERY == _PRUNE_EVERY - 1:
            alive = np.abs(result[at]) > _NOTHING
            result[at[~alive]] = 0.0
            at = at[alive]
    return log_mass, result, 2 * float(np.linalg.norm(result * rounding))


@lru_cache(maxsize=2)
def _roots(points: int) -> _Complexes:
    """Return the roots of unity, from the angles up to an eighth of a turn: the rounding of larger ones would show."""
    eighth = np.exp(2j * np.pi / points * np.arange(-points // 8, points // 8))
    roots = np.roll(np.concatenate([eighth, 1j * eighth, -eighth, -1j * eighth]), -points // 8)
    roots.setflags(write=False)
    return roots


def _flat(less: NDArray[Any], halves: NDArray[Any], step: float, *, up: bool) -> NDArray[Any]:
    """Return 1/(2z) of the flat part on the lattice: `less` is 1 - exp(-z·cell), cells of one step (up) or two, `halves` exp(-z·step)."""
    if up:  # in the ends of each cell
        return np.asarray(np.tanh(step / 4) * (2 - less) / less)
    return np.asarray(2 * np.sinh(step / 2) * halves / less)


def power(base: _Complexes, times: int) -> _Complexes:
    """Whole power by squaring: exact where the base is 0, and quicker than logarithms."""
    result = None
    while times:
        if times & 1:
            result = base if result is None else result * base
        base, times = base * base, times >> 1
    assert result is not None
    return result


def _outside(levels: Levels, low: float, high: float, *, half: float, step: float, up: bool) -> float:
    """Bound the tilted mass beyond the window, by Chernoff: the transform folds it back into the window."""
    if float(levels.total) < min(-low, high):
        return 0.0
    mean, deviation = _mean_and_deviation(levels, half - 0.5)
    room = max(min(mean - low, high - mean) / deviation**2, 1e-300)
    # Around the best one for a normal distribution, and far below it for one that falls more slowly.
    strengths = room * np.geomspace(1e-4, 100.0, _STRENGTHS)
    # The moment is even in the exponent, where the closed form would overflow below 0.
    exponents = np.abs(np.concatenate([[half], half + strengths, half - strengths]))
    logs = _log_moments(levels, np.maximum(exponents, 1e-12), step, up=up)
    logs -= logs[0]
    above = float(np.min(logs[1 : 1 + _STRENGTHS] - strengths * high))
    below = float(np.min(logs[1 + _STRENGTHS :] + strengths * low))
    return math.exp(min(above, 0.0)) + math.exp(min(below, 0.0))


def _log_moments(levels: Levels, exponents: Floats, step: float, *, up: bool) -> Floats:
    """Logarithm of E[exp((z - ½)·loss)] of the law on the lattice at real exponents z above 0, less what does not depend on them."""
    result = np.zeros(len(exponents))
    flat = _flat(-np.expm1(-exponents * step * (1 if up else 2)), np.exp(-exponents * step), step, up=up)
    for level, number in zip(levels.epsilon0.tolist(), levels.releases.tolist(), strict=True):
        if level > 0:
            twice = np.exp(-2 * exponents * level)
            result += number * (exponents * level + np.log(0.5 * (1 + twice) + 0.5 * flat * (1 - twice)))
    return result


def _mean_and_deviation(levels: Levels, tilt: float) -> tuple[float, float]:
    """Return mean and standard deviation of the sum under the tilt."""
    mean = variance = 0.0
    for level, number in zip(levels.epsilon0.tolist(), levels.releases.tolist(), strict=True):
        if level == 0:
            continue
        at = (tilt + 0.5) * level
        step = 1e-3 * min(1.0, max(at, 1e-3))
        low, middle, high = (log_moment(at + shift, level) for shift in (-step, 0.0, step))
        mean += number * level * (high - low) / (2 * step)
        variance += number * level**2 * max((high - 2 * middle + low) / step**2, 1e-12)
    return mean, math.sqrt(variance)


def _log_mass(levels: Levels, tilt: float) -> float:
    pairs = zip(levels.epsilon0.tolist(), levels.releases.tolist(), strict=True)
    return math.fsum(number * log_moment((tilt + 0.5) * level, level) for level, number in pairs)


def common_divisor(one: Fraction, other: Fraction) -> Fraction:
    """Greatest common divisor of two fractions."""
    return Fraction(
        math.gcd(one.numerator * other.denominator, other.numerator * one.denominator),
        one.denominator * other.denominator,
    )
