"""Many releases together, of whatever mechanisms: the same questions as of one, with ends that hold the truth.

Only the privacy profile of each mechanism is asked. Its values at the points of a lattice, joined by straight lines in exp(epsilon),
are the profile of a loss on the lattice that dominates the true one, and dominance survives composition (Doroshenko and others, 2022:
"connect the dots"). No loss is moved by more than one step, so that the truth is no further below than that step for each
release; where all losses lie on the lattice nothing is moved. Where no pair of neighbours is the worst at every epsilon, the truth can
be further below, and the lower end is that of what a release loses at least (`Mechanism.loses_at_least`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import fft, special

from par_core.composition.accountants import LARGEST_EPSILON0
from par_core.composition.exact import SMALLEST_DELTA
from par_core.composition.lattice import as_written, common_divisor, power
from par_core.composition.law import UNIT, Floats, LossLaw, first_positive, rounded_up
from par_core.composition.mixed import MOST_LEVELS, SMALLEST_MIXED, exact_delta_mixed, exact_mixed
from par_core.composition.tail import TailBatch
from par_core.errors import ParameterError
from par_core.mechanisms import Mechanism, PrivacyLoss, default_noise
from par_core.parameters import like_input, listed, of_type, real, whole
from par_core.standing import PROVEN, Standing

MOST_RELEASES = 1_000_000
_POINTS = 2**18
_STRONGEST = 4.0  # tilt, times the largest loss of a release: nearly all of it lies at the top then
_STRONGEST_ENDLESS = 400.0  # the same for a loss without a largest value, whose lattice ends far beyond
_COARSE = 600  # points on which the tilt is chosen: any will do
_DEVIATIONS = 14.0  # half of the window, in standard deviations of the tilted law
_FARTHEST = 1e-290  # of a loss without a largest value, what lies beyond the lattice has no larger delta
_STRENGTHS = 12  # that Chernoff's bound tries
_PROFILE = 1e-11  # part by which the profile of one release may be above the truth
_LINES = 200  # under a trade-off
_BELOW = np.linspace(0.0, 0.98, 25)  # parts of a level at which a bound is tried
_SOURCE = "privacy profiles joined on a lattice, convolved with counted rounding (connect the dots)"


_Releases = tuple[tuple[Mechanism, int], ...]


@dataclass(frozen=True)
class Composed(PrivacyLoss):
    """The different mechanisms, and how many releases there are of each; made by `compose`.

    Answers hold for certain: they are those of `upper`.
    """

    releases: _Releases
    standing: Standing = PROVEN
    source: str = _SOURCE
    limits: str = "every release with its worst-case neighbours"

    @property
    def upper(self) -> Composed:
        """The end above the truth, which is what may be promised."""
        return self

    @property
    def lower(self) -> Lower:
        """The end below the truth: what the releases lose at least."""
        return Lower(self._least or self)

    @cached_property
    def largest_loss(self) -> float:
        """The largest losses added up, as the decimal numbers that they are written as; perhaps infinite."""
        return math.inf if self._added_up is None else rounded_up(self._added_up)

    def delta(self, epsilon: ArrayLike) -> Any:
        """Smallest delta that goes with epsilon, rounded up: 0 from the largest loss on."""
        return like_input(self.delta_ends(epsilon)[1])

    def epsilon(self, delta: ArrayLike) -> Any:
        """Smallest epsilon that goes with delta, at least 1e-15, rounded up."""
        return like_input(self.epsilon_ends(delta)[1])

    def delta_ends(self, epsilon: ArrayLike) -> Floats:
        """Lower and upper end of delta; shape (2, *shape of epsilon). The lower is 0 where `lower` asks other mechanisms."""
        asked = real("epsilon", epsilon, at_least=0.0)
        found = np.zeros((2, *asked.shape))
        if self._alone is not None:
            found[1] = self._alone.delta(asked)
            found[0] = found[1] * (1.0 - _PROFILE) * (self._alone.advantage < 1.0)
            return found
        for at in np.ndindex(asked.shape):
            level = float(asked[at])
            own = (0.0, 1.0)
            if self._levels is not None:
                ends = exact_delta_mixed(*self._levels, epsilon=level)
                found[(slice(None), *at)] = own = ends.lower, ends.upper
                if len(self.releases) == 1:
                    continue
            if self._added_up is None or as_written(level) < self._added_up:
                law, moved = _law(self.releases, _tilt_at(self.releases, level))
                tails = TailBatch([law])
                if self._least is None:
                    found[(0, *at)] = max(tails.delta_ends(np.array([level + moved]))[0][0], own[0])
                found[(1, *at)] = min(tails.delta_ends(np.array([level]))[1][0], own[1])
        if self._added_up is None:
            found[1] = np.minimum(found[1] + _FARTHEST, 1.0)
        return found

    def epsilon_ends(self, delta: ArrayLike) -> Floats:
        """Lower and upper end of epsilon; shape (2, *shape of delta)."""
        if self._alone is not None:
            wanted = real("delta", delta, at_least=0.0, at_most=1.0)
            high = np.asarray(self._alone.epsilon(wanted))
            low = np.asarray(self._alone.epsilon(np.minimum(wanted * (1.0 + 2 * _PROFILE), 1.0)))
            return np.array([low * (1.0 - _PROFILE) * (self._alone.advantage < 1.0), high])
        wanted = real("delta", delta, at_least=SMALLEST_DELTA, at_most=1.0)
        found = np.zeros((2, *wanted.shape))
        for at in np.ndindex(wanted.shape):
            own = (0.0, self.largest_loss)
            if wanted[at] < 1.0 and self._levels is not None:
                ends = exact_mixed(*self._levels, delta=float(wanted[at]))
                found[(slice(None), *at)] = own = ends.lower, ends.upper
                if len(self.releases) == 1:
                    continue
            goal = math.log(wanted[at])
            law, moved = _law(self.releases, _tilt_for(self.releases, goal))
            tails = TailBatch([law])
            low, high = tails.ends(tails.epsilon(goal), goal)
            if self._least is None:
                found[(0, *at)] = max(float(low[0]) - moved, own[0])
            found[(1, *at)] = min(float(high[0]), own[1])
        return found

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> Any:
        """Probability that the loss is larger than epsilon, at least 0, in size or (one-sided) as it is; rounded up.

        A bound of it where no pair of neighbours is the worst at every epsilon.
        """
        if self._alone is not None:
            return self._alone.loss_exceeds(epsilon, two_sided=two_sided)
        asked = real("epsilon", epsilon, at_least=0.0)
        of_type("two_sided", two_sided, bool)
        found = np.zeros(asked.shape)
        for at in np.ndindex(asked.shape):
            level = float(asked[at])
            if self._added_up is not None and as_written(level) >= self._added_up:
                continue
            law, moved = _law(self.releases, _tilt_at(self.releases, level))
            if self._least is not None:
                # No one pair of neighbours has this profile; each has P(loss > epsilon)·(1 - exp(e - epsilon)) at most delta(e).
                below = (level * _BELOW).tolist()
                tails = TailBatch([law])
                deltas = np.array([tails.delta_ends(np.array([each]))[1][0] for each in below])
                bound = np.min(deltas / -np.expm1(below - np.array(level))) if level > 1e-300 else 1.0
                found[at] = bound * (1.0 + math.exp(-level) * two_sided)
                continue
            # Level and losses are decimal numbers, held as floats: a loss of the very level is not larger.
            point = level - moved + 1e-9 * law.width
            if point < 0:
                found[at] = 1.0
                continue
            found[at] = sum(TailBatch([law]).exceeds(point, two_sided=two_sided))
        return like_input(np.minimum(found, 1.0))

    def tradeoff(self, false_positive: ArrayLike) -> Any:
        """Smallest false-negative rate, rounded down: the highest of 200 lines that no attack can go below."""
        if self._alone is not None:
            return self._alone.tradeoff(false_positive)
        rate = real("false_positive", false_positive, at_least=0.0, at_most=1.0)
        level, delta = self._lines
        with np.errstate(divide="ignore"):
            falling = 1.0 - delta - np.exp(np.minimum(level + np.log(rate[..., None]), 700.0))
        flat = np.exp(-level) * (1.0 - delta - rate[..., None])
        return like_input(np.clip(np.maximum(falling, flat).max(axis=-1), 0.0, 1.0 - rate))

    @cached_property
    def _lines(self) -> tuple[Floats, Floats]:
        level = np.linspace(0.0, self.epsilon(SMALLEST_DELTA), _LINES)
        tails = TailBatch([_law(self.releases, _tilt_at(self.releases, 0.0))[0]])
        delta = [tails.delta_ends(np.array([each]))[1][0] for each in level.tolist()]
        if self._added_up is None:
            return level, np.minimum(np.array(delta) + _FARTHEST, 1.0)
        return np.append(level, self.largest_loss), np.append(delta, 0.0)

    @cached_property
    def _added_up(self) -> Fraction | None:
        """The largest losses added up; None where there is no largest one."""
        losses = [(float(each.largest_loss), times) for each, times in self.releases]
        if any(math.isinf(loss) for loss, _ in losses):
            return None
        return sum((as_written(loss) * times for loss, times in losses), Fraction())

    @cached_property
    def _levels(self) -> tuple[list[float], list[int]] | None:
        """Level and number of releases of each mechanism where all are of the default kind, which has an accountant of its own."""
        kinds, levels = {type(each) for each, _ in self.releases}, [each.largest_loss for each, _ in self.releases]
        if kinds != {type(default_noise(1.0))} or len(levels) > MOST_LEVELS:
            return None
        counted = min(levels) >= SMALLEST_MIXED and max(levels) <= LARGEST_EPSILON0
        return (levels, [times for _, times in self.releases]) if counted else None

    @cached_property
    def _least(self) -> Composed | None:
        """What the releases lose at least, where that is not all that they may lose."""
        least = [(each.loses_at_least(), times) for each, times in self.releases]
        if self._alone is not None or all(each is of for (each, _), (of, _) in zip(least, self.releases, strict=True)):
            return None
        return compose(*zip(*least, strict=True))

    @property
    def _alone(self) -> Mechanism | None:
        return self.releases[0][0] if self.releases[0][1] == len(self.releases) == 1 else None


@dataclass(frozen=True)
class Lower:
    """What releases together lose at least."""

    of: Composed
    standing: Standing = PROVEN
    source: str = _SOURCE

    def delta(self, epsilon: ArrayLike) -> Any:
        """Return what the smallest delta is not below."""
        return like_input(self.of.delta_ends(epsilon)[0])

    def epsilon(self, delta: ArrayLike) -> Any:
        """Return what the smallest epsilon is not below."""
        return like_input(self.of.epsilon_ends(delta)[0])


def compose(mechanisms: Mechanism | Sequence[Mechanism], times: ArrayLike = 1) -> Composed:
    """Put releases together, of one mechanism or of several.

    Each mechanism has single numbers as its parameters; `times`, one number or one for each, says how many releases there are of it,
    1,000,000 in all at most.

    >>> from par_core.mechanisms import DiscreteLaplace, Laplace
    >>> together = compose([DiscreteLaplace(0.1), Laplace(0.5)], [20, 2])
    >>> bool(together.lower.epsilon(1e-5) <= together.epsilon(1e-5) < 3.0)
    True
    """
    several = [mechanisms] if isinstance(mechanisms, Mechanism) else listed("mechanisms", mechanisms)
    number = whole("times", times, at_least=1, at_most=MOST_RELEASES)
    if not several or number.shape not in ((), (len(several),)):
        raise ParameterError(
            f"times must be one number or as many as there are mechanisms, {len(several)}, got shape {number.shape}"
        )
    counts: Counter[Mechanism] = Counter()
    for each, count in zip(several, np.broadcast_to(number, len(several)).tolist(), strict=True):
        if np.ndim(of_type("mechanisms", each, Mechanism).advantage):
            raise ParameterError("mechanisms must have single numbers as their parameters, got an array")
        counts[each] += count
    if counts.total() > MOST_RELEASES:
        raise ParameterError(f"times must be at most {MOST_RELEASES:,} in all, got {counts.total():,}")
    joined: list[tuple[Mechanism, int]] = []
    for mechanism, count in counts.items():
        one, left = mechanism if count == 1 else mechanism.repeated(count), 1
        if one is None:
            one, left = mechanism, count
        for at, (other, others) in enumerate(joined):
            if left == others == 1 and (both := one.joined(other)) is not None:
                joined[at] = both, 1
                break
        else:
            joined.append((one, left))
    return Composed(tuple(joined))


@lru_cache(maxsize=64)
def _reach(mechanism: Mechanism) -> float:
    """Return the largest loss, or one beyond which next to nothing is left."""
    loss = float(mechanism.largest_loss)
    return loss if math.isfinite(loss) else float(mechanism.epsilon(_FARTHEST))


@lru_cache(maxsize=8)
def _law(releases: _Releases, tilt: float) -> tuple[LossLaw, float]:
    """Return the law on a lattice that dominates the true one, and how much further below the truth may be."""
    _, mean, spread = _moments(releases, tilt)
    step, points, start, moved, fits = _lattice(releases, mean, spread)
    transform: Any = np.ones(points // 2 + 1)
    log_mass, error, total = 0.0, 0.0, sum(times for _, times in releases)
    logs_above, logs_below = np.zeros(_STRENGTHS), np.zeros(_STRENGTHS)
    strengths = np.geomspace(1e-3, 30.0, _STRENGTHS) / spread
    for mechanism, times in releases:
        # On its own lattice, which is a part of the common one: there the profile is not thinned out more than it needs to be.
        every = round(float(_own_step(mechanism)) / step) if fits and mechanism.loss_is_discrete else 1
        place, tilted, log_one, wrong = _tilted(mechanism, every * step, tilt)
        place = every * place
        log_mass += times * log_one
        table = np.zeros(points)
        np.add.at(table, place % points, tilted)
        size = float(np.sqrt((table**2).sum()))
        error += times * (wrong + 12 * math.log2(points) * UNIT * math.sqrt(points) * size)
        transform = transform * power(fft.rfft(table), times)
        for logs, sign in ((logs_above, 1), (logs_below, -1)):
            exponent = sign * strengths[:, None] * (step * place)
            with np.errstate(divide="ignore"):
                logs += times * special.logsumexp(exponent + np.log(np.abs(tilted)), axis=1)
    atoms = fft.irfft(transform, points)
    error += 12 * math.log2(points) * UNIT * math.sqrt(points) * float(np.sqrt((atoms**2).sum()))
    reach = sum(times * math.ceil(_reach(each) / step) for each, times in releases)
    if reach > min(-start, start + points - 1):  # what lies beyond the window is folded into it
        error += math.exp(min(float(np.min(logs_above - strengths * (start + points - 1) * step)), 0.0))
        error += math.exp(min(float(np.min(logs_below + strengths * start * step)), 0.0))
    first, last = max(0, start), min(start + points - 1, reach)
    largest = sum(times * _reach(each) for each, times in releases)
    law = LossLaw(
        compositions=total,
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
        slack=16 * UNIT * (total + largest + abs(log_mass) + 400) + total * _PROFILE,
    )
    return law, moved


def _own_step(mechanism: Mechanism) -> Fraction:
    """Return the distance of the levels at which the loss of a mechanism has a probability of its own."""
    return as_written(float(mechanism.largest_loss)) / (mechanism.loss_steps or 1)


def _tilted(mechanism: Mechanism, step: float, tilt: float) -> tuple[Any, Floats, float, float]:
    """Return places, masses under the tilt that add up to 1, the logarithm of their sum before, and a bound on their rounding."""
    number = math.ceil(_reach(mechanism) / step * (1.0 - 1e-9))
    delta = np.append(np.asarray(mechanism.delta(step * np.arange(number + 1))), 0.0)
    delta[number] = 0.0  # at the largest loss; what a loss without one has beyond is counted by the caller
    below = -math.expm1(-step)
    chance = -np.diff(delta) / below  # of a loss beyond each point, for the straight line above it
    middle = 1.0 - (delta[0] * (1.0 + math.exp(-step)) - 2.0 * math.exp(-step) * delta[1]) / below
    above = chance[:-1] - math.exp(-step) * chance[1:]
    place = np.arange(-number, number + 1)
    mass = np.concatenate([(above * np.exp(-step * np.arange(1, number + 1)))[::-1], [middle], above])
    doubt = 4 * UNIT * np.concatenate([chance[:-1][::-1], [delta[0] / below], chance[:-1]])
    with np.errstate(divide="ignore"):
        logs, doubts = (np.log(np.abs(each)) + tilt * step * place for each in (mass, doubt))
    log_one = float(special.logsumexp(logs, b=np.sign(mass)))
    return place, np.sign(mass) * np.exp(logs - log_one), log_one, float(np.exp(doubts - log_one).sum())


def _lattice(releases: _Releases, mean: float, spread: float) -> tuple[float, int, int, float, bool]:
    """Return step, number of points, place of the first, how far losses are moved together, and whether all levels lie on it."""
    reach = sum(times * _reach(each) for each, times in releases)
    largest = max(_reach(each) for each, _ in releases)
    window = 1.02 * min(2 * reach, 2 * _DEVIATIONS * spread + min(16 * largest, 200.0))
    steps = [_own_step(each) for each, _ in releases if each.loss_steps]
    finest = window / (_POINTS - 8)
    common = reduce(common_divisor, steps) if steps else None
    fits = common is not None and float(common) > finest
    step = finest
    if fits:
        assert common is not None
        whole_lattice = all(each.loss_is_discrete for each, _ in releases)
        step = float(common) / (1 if whole_lattice else math.floor(float(common) / finest))
    points = 2 ** max(math.ceil(math.log2(window / step + 8)), 6)
    moved = step * sum(times for each, times in releases if not (fits and each.loss_is_discrete))
    start = -points // 2 if reach < (points // 2 - 2) * step else round(mean / step) - points // 2
    return step, points, start, moved, fits


def _tilt_for(releases: _Releases, log_delta: float) -> float:
    """Return the exponent of a tilt that moves the mean loss to about where delta is the wanted one, by Chernoff's exponent."""

    def reach(tilt: float) -> float:
        log_mass, mean, _ = _moments(releases, tilt)
        return tilt * mean - log_mass + log_delta

    return _tilt(releases, reach)


def _tilt_at(releases: _Releases, epsilon: float) -> float:
    """Return the exponent of a tilt that moves the mean loss to about epsilon."""
    return _tilt(releases, lambda tilt: _moments(releases, tilt)[1] - epsilon)


def _tilt(releases: _Releases, rising: Callable[[float], float]) -> float:
    """Return where a function becomes positive, to a few per cent, or the strongest tilt: any serves."""
    high = max(
        (_STRONGEST if math.isfinite(each.largest_loss) else _STRONGEST_ENDLESS) / _reach(each) for each, _ in releases
    )
    high = min(high, 3000.0 / max(_reach(each) for each, _ in releases))
    return first_positive(rising, 1e-6 * high, high)


def _moments(releases: _Releases, tilt: float) -> tuple[float, float, float]:
    """Return logarithm of the mass, mean and standard deviation of the loss of all releases under a tilt, nearly."""
    log_mass = mean = variance = 0.0
    for mechanism, times in releases:
        loss, log_chance = _coarse(mechanism)
        weight = log_chance + tilt * loss
        one = float(special.logsumexp(weight))
        share = np.exp(weight - one)
        middle = float(share @ loss)
        log_mass += times * one
        mean += times * middle
        variance += times * float(share @ (loss - middle) ** 2)
    return log_mass, mean, math.sqrt(max(variance, 1e-12 * sum(_reach(each) for each, _ in releases) ** 2))


@lru_cache(maxsize=64)
def _coarse(mechanism: Mechanism) -> tuple[Floats, Floats]:
    """Return levels of the loss of a mechanism and logarithms of their probabilities, on a coarse lattice."""
    step = _reach(mechanism) / _COARSE
    place, mass, log_one, _ = _tilted(mechanism, step, 0.0)
    return step * place, np.log(np.maximum(mass, 1e-300)) + log_one
