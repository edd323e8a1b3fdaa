"""The loss of one release on a lattice, from the privacy profile of its mechanism, under an exponential tilt; and its Fourier transform.

Mechanisms that differ in their epsilon0 alone are done at once, each in a row. Of many releases together only the lowest frequencies are
left: there the sums are taken one by one, which is quicker than a transform of the whole lattice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, lru_cache, reduce
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from par_core.composition.lattice import power
from par_core.composition.loss_distribution import UNIT, Floats
from par_core.mechanisms import Mechanism


class Releases(tuple[tuple[Mechanism, int], ...]):
    """Mechanisms, and how many releases there are of each. Much is kept by it, so that its hash is found once."""

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Releases, (tuple(self),)  # the hash of a text is another one in another process


_SINGLE, _WIDER = 512, 1.0 / 64  # places beside 0 that a bound takes one by one; part by which bins grow farther away
FARTHEST = 1e-290  # of a loss without a largest value, what lies beyond the lattice has no larger delta


@lru_cache(maxsize=4096)
def reach(mechanism: Mechanism) -> float:
    """Return the largest loss, or one beyond which next to nothing is left."""
    loss = float(mechanism.largest_loss)
    return loss if math.isfinite(loss) else float(mechanism.epsilon(FARTHEST))


@lru_cache(maxsize=4096)
def kind(mechanism: Mechanism) -> tuple[object, ...] | None:
    """Return what mechanisms have in common that differ in their epsilon0 alone; None for one that has none, or not only numbers."""
    names = _fields_of(type(mechanism))
    if "epsilon0" not in names or not has_numbers_only(mechanism) or mechanism.exchanged() is not mechanism:
        return None
    return (type(mechanism), *(getattr(mechanism, name) for name in names if name != "epsilon0"))


def has_numbers_only(mechanism: Mechanism) -> bool:
    """Whether all its parameters are single numbers."""
    return all(type(getattr(mechanism, name)) in (int, float) for name in _fields_of(type(mechanism)))


@cache
def _fields_of(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


@lru_cache(maxsize=8)
def _bins(side: int) -> NDArray[np.int64]:
    """Return where bins of neighbouring places begin: many releases add up how wide those are in which most losses lie."""
    edges = np.geomspace(_SINGLE, side + 1, max(math.ceil(math.log((side + 1) / _SINGLE) / _WIDER), 0) + 1)
    after = np.unique(np.ceil(edges).astype(np.int64)) if side >= _SINGLE else np.array([side + 1])
    before = 1 - after[:0:-1]
    return np.concatenate([before, np.arange(1 - after[0], after[0]), after[:-1]]) + side


class Waves:
    """Cosines and sines of the lowest frequencies of a lattice of so many points, at places of it."""

    def __init__(self, points: int, frequencies: int) -> None:
        self.points, self.frequencies = points, frequencies
        self._held: dict[int, tuple[Floats, Floats]] = {}

    def at(self, apart: int, number: int) -> tuple[Floats, Floats]:
        """Return both at 0, `apart` and so on, of shape (number + 1, frequencies)."""
        if apart not in self._held or len(self._held[apart][0]) <= number:
            turns = np.outer(apart * np.arange(number + 1), np.arange(self.frequencies)) % self.points
            angle = turns * (2.0 * math.pi / self.points)
            self._held[apart] = np.cos(angle), np.sin(angle)
        cosines, sines = self._held[apart]
        return cosines[: number + 1], sines[: number + 1]


@dataclass(frozen=True)
class TiltedMasses:
    """Masses under a tilt at places of a lattice that add up to 1, of a mechanism in each row, and how often each is made.

    Places lie `apart` steps from each other, as many before 0 as after it, of which `number` on each side hold any mass. `log_mass` is
    the logarithm of the sum of all releases before, and `error` bounds what rounding has moved of them.
    """

    mass: Floats  # of shape (mechanisms, places)
    apart: NDArray[np.int64]
    number: NDArray[np.int64]
    times: NDArray[np.int64]
    log_mass: float
    error: float

    @property
    def side(self) -> int:
        """Number of places on each side of 0."""
        return int(self.mass.shape[1]) // 2

    @cached_property
    def place(self) -> NDArray[np.int64]:
        """Steps from 0, of the shape of the masses."""
        return np.asarray(self.apart[:, None] * np.arange(-self.side, self.side + 1))

    def log_moments(self, strength: Floats, step: float) -> Floats:
        """Return the logarithm of E[exp(strength·loss)] of all releases, or a bound above."""
        size = np.abs(self.mass)
        if len(size) > 1:
            mass, mean, square = ((size * self.place**each).sum(axis=1)[:, None] for each in range(3))
            by, farthest = np.asarray(strength * step), (self.apart * self.number)[:, None]
            most = np.abs(by) * farthest  # exp(x) - 1 - x is at most x²/most² times that at the largest x
            with np.errstate(over="ignore"):  # a bound may be infinite
                bound = np.log(mass) + (by * mean + square * (np.expm1(most) - most) / farthest**2) / mass
            return np.asarray(self.times @ bound)
        start = _bins(self.side)
        mass, first, last = (
            np.add.reduceat(size[0], start),
            self.place[0, start],
            self.place[0, np.append(start[1:], 0) - 1],
        )
        held, by = mass > 0, strength[:, None] * step
        exponent = np.maximum(by * first[held], by * last[held]) + np.log(mass[held])
        most = exponent.max(axis=1, keepdims=True)  # SciPy's logsumexp looks for infinities, which takes twice as long
        return np.asarray(self.times[0] * (most[:, 0] + np.log(np.exp(exponent - most).sum(axis=1))))

    def transform(self, points: int, room: int) -> tuple[Any, float]:
        """Return the transform of all releases on a lattice of so many points, and a bound on what its rounding moves.

        Several mechanisms are put together on a part of it, of `room` points, which must hold all their releases.
        """
        if len(self.mass) == 1:
            table, rounded = _transformed(self.place, self.mass, points)
            return power(table[0], int(self.times[0])), float(self.times @ rounded)
        law, error = self.put_together(room)
        table, rounded = _transformed(np.arange(-(len(law) // 2), len(law) // 2 + 1), law, points)
        return table, error + float(rounded)

    def put_together(self, room: int) -> tuple[Floats, float]:
        """Return the masses of all releases together, from the least to the largest place, and a bound on what rounding moves."""
        table, rounded = _transformed(self.place, self.mass, room)
        most = int(self.times @ (self.apart * self.number))
        law = fft.irfft(_product(table, self.times), room)[np.arange(-most, most + 1) % room]
        return law, float(self.times @ rounded) + _rounding(law, room)

    def lowest(self, waves: Waves) -> tuple[Any, float]:
        """Return the lowest frequencies of `transform`, and the same bound."""
        after, before = self.mass[:, self.side :], self.mass[:, self.side :: -1].copy()
        before[:, 0] = 0.0  # which is counted already
        table = np.empty((len(after), waves.frequencies), dtype=complex)
        for apart in set(self.apart.tolist()):
            rows = self.apart == apart
            cosines, sines = waves.at(apart, self.side)
            table[rows] = (after[rows] + before[rows]) @ cosines - 1j * ((after[rows] - before[rows]) @ sines)
        # Of a sum of so many products, and of the angles; each frequency is there twice.
        rounded = 2 * (self.side + 24) * UNIT * math.sqrt(2 * waves.frequencies) * np.abs(self.mass).sum(axis=1)
        return _product(table, self.times), float(self.times @ rounded)


def masses_of(
    releases: Releases, steps: Sequence[int], step: float, tilt: float, *, room: int, together: bool
) -> Iterator[TiltedMasses]:
    """Yield the masses of releases, whose levels lie so many `steps` apart; `together` those of a kind that have `room` for it.

    First those that are alone, and of these first the ones without levels of their own, which leave the fewest frequencies.
    """
    kinds: dict[object, list[tuple[int, int]]] = {}
    for at, (mechanism, times) in enumerate(releases):
        reached = times * steps[at] * _number(mechanism, steps[at] * step)
        common = kind(mechanism) if together and 4 * reached < room else None
        kinds.setdefault(common or at, []).append((reached, at))
    alone = [members[0][1] for members in kinds.values() if len(members) == 1]
    for at in sorted(alone, key=lambda each: releases[each][0].loss_steps is not None):
        mechanism, times = releases[at]
        _, mass, log_one, wrong = tilted(mechanism, steps[at] * step, tilt)
        apart, number = np.array([steps[at]]), np.array([len(mass) // 2])
        yield TiltedMasses(mass[None], apart, number, np.array([times]), times * log_one, times * wrong)
    for members in kinds.values():
        for batch in _batches(members, room) if len(members) > 1 else ():
            yield of_a_kind([releases[each] for each in batch], [steps[each] for each in batch], step, tilt)


def _batches(members: list[tuple[int, int]], room: int) -> Iterator[list[int]]:
    """Yield the second numbers of so many pairs that twice the sum of the first ones has room."""
    batch, used = list[int](), 0
    for reached, at in sorted(members, reverse=True):
        if 2 * (used + reached) + 2 > room:
            yield batch
            batch, used = [], 0
        batch, used = [*batch, at], used + reached
    yield batch


def of_a_kind(
    releases: Sequence[tuple[Mechanism, int]], steps: Sequence[int], step: float, tilt: float
) -> TiltedMasses:
    """Return the masses of releases that differ in their epsilon0 alone."""
    first, times, apart = releases[0][0], np.array([times for _, times in releases]), np.array(steps)
    made = replace(cast(Any, first), epsilon0=np.array([[cast(Any, each).epsilon0] for each, _ in releases]))
    number = np.array([[_number(each, of * step)] for (each, _), of in zip(releases, steps, strict=True)])
    every, gap = np.arange(number.max() + 1), apart[:, None] * step
    mass, doubt = joined(made, np.asarray(gap * every), gap, every >= number)
    place = apart[:, None] * np.arange(-number.max(), number.max() + 1)
    mass, log_one, wrong = _under(mass, doubt, tilt * step * place)
    return TiltedMasses(mass, apart, number[:, 0], times, float(times @ log_one), float(times @ wrong))


def tilted(mechanism: Mechanism, step: float, tilt: float) -> tuple[Any, Floats, float, float]:
    """Return places, masses under the tilt that add up to 1, the logarithm of their sum before, and a bound on their rounding."""
    number = _number(mechanism, step)
    place = np.arange(-number, number + 1)
    mass, log_one, wrong = _under(*_on_lattice(mechanism, step, number), tilt * step * place)
    return place, mass, float(log_one), float(wrong)


def _number(mechanism: Mechanism, step: float) -> int:
    return math.ceil(reach(mechanism) / step * (1.0 - 6 * UNIT))


def _product(table: Any, times: NDArray[np.int64]) -> Any:
    """Return the product of transforms in rows, each to the power of its times."""
    powers = [power(np.multiply.reduce(table[times == each]), each) for each in set(times.tolist())]
    return reduce(np.multiply, powers)


def _transformed(place: Any, mass: Floats, points: int) -> tuple[Any, Any]:
    """Return the transform of masses at places of a lattice, and a bound on what its rounding moves; of those in each row."""
    rows = np.arange(mass.size // mass.shape[-1])[:, None]  # one where there are none
    at = (rows * points + place % points).ravel()
    table: Any = np.bincount(at, mass.ravel(), minlength=rows.size * points).reshape(*mass.shape[:-1], points)
    return fft.rfft(table), _rounding(mass if 2 * place.max() < points else table, points)


def _rounding(table: Floats, points: int) -> Any:
    return 12 * math.log2(points) * UNIT * math.sqrt(points) * np.sqrt((table**2).sum(axis=-1))


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
    return joined(mechanism, np.asarray(step * np.arange(number + 1), dtype=np.float64), step)


def joined(
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
