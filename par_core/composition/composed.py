"""Many releases together, of whatever mechanisms: the same questions as of one, with ends that hold the truth.

Only the privacy profile of each mechanism is asked, and turned into a law on a lattice that dominates the true one (`dominating_pairs`).
The truth is below it by about the square of a step for each release (`lower_end`). Where no pair of neighbours is the worst at every
epsilon it can be further below, and the lower end is that of what a release loses at least (`Mechanism.loses_at_least`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition import lattice, mixed
from par_core.composition.brackets import SMALLEST_DELTA, SOURCE, Ends
from par_core.composition.delta_from_loss import TailBatch
from par_core.composition.dominating_pairs import (
    MANY,
    POINTS,
    PROFILE,
    Dominating,
    Tilted,
    common_step,
    law_of,
    raised_by,
    some_narrow,
    tilts,
)
from par_core.composition.gaussian_bound import smallest_mu
from par_core.composition.lattice import Levels, as_written
from par_core.composition.loss_distribution import UNIT, Floats, rounded_up
from par_core.composition.lower_end import least_delta, least_epsilon
from par_core.composition.tilted_masses import FARTHEST, Releases, has_numbers_only, reach
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.limits import LARGEST_EPSILON0
from par_core.mechanisms import GaussianGuarantee, Mechanism, PrivacyLoss, default_noise
from par_core.mechanisms.gaussian_dp import asked_levels, regret
from par_core.mechanisms.mechanism import is_mechanism
from par_core.parameters import (
    FloatOrArray,
    check_integers,
    check_list,
    check_number,
    check_numbers,
    check_type,
    like_input,
    shown,
)

MOST_RELEASES = 1_000_000
SMALLEST_COMPOSED = 1e-100  # of a delta
_LEAST, _MOST = 1e-100, 1000.0  # that the largest loss of one of several releases may be, or what is next to it
_AT_ONCE = 8  # levels that are each done with their own tilt
_MOST_TILTS = 4  # until the one that an epsilon is found under is the one that serves it
_LINES = 200  # under a trade-off
_FEWER = 2**16  # points of a lattice from which only the upper end is taken
_FEWEST = 2**14  # the same of a law without steps
_FEW = 100  # releases, up to which these do
_CLOSE = 1e-5  # what fewer may raise an epsilon by
_CLOSE_OF_MANY = 1.5e-5  # the same of many mechanisms, each of which takes time
_BELOW = np.linspace(0.0, 0.98, 25)  # parts of a level at which a bound is tried
_SOURCE = "privacy profiles joined on a lattice, convolved with counted rounding (connect the dots)"


Release = Mechanism | float  # a level is short for its Laplace noise


@dataclass(frozen=True)
class Composed(PrivacyLoss, Result):
    """The different mechanisms, and how many releases there are of each; made by `compose`.

    Answers hold for certain: they are those of `upper`.
    """

    releases: Releases  # with one mechanism for several of them where there is a closed form
    parts: Releases = field(default_factory=Releases)  # as they were put together
    evidence = Evidence(PROVEN, source=_SOURCE, limits="every release with its worst-case neighbours")

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

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Smallest delta that goes with epsilon, rounded up: 0 from the largest loss on."""
        asked = check_numbers("epsilon", epsilon, at_least=0.0)
        if self._alone is None and not (self._step_by_step and asked.size <= _AT_ONCE):
            return like_input(self._ends(asked.ravel(), lower=False)[1].reshape(asked.shape))
        return like_input(self.delta_ends(asked)[1])

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        """Smallest epsilon that goes with delta, at least 1e-100 where there are several releases, rounded up."""
        return like_input(self._all_ends(delta, lower=False)[1])

    def delta_ends(self, epsilon: ArrayLike) -> Floats:
        """Lower and upper end of delta; shape (2, *shape of epsilon). The lower is 0 where `lower` asks other mechanisms.

        For more than a few levels both come from a lattice, which is quicker and a little further from the truth.
        """
        asked = check_numbers("epsilon", epsilon, at_least=0.0)
        if self._alone is not None:
            found = np.asarray(self._alone.delta(asked))
            return np.array([found * (1.0 - PROFILE) * self._alone_is_exact, found])
        level = asked.ravel()
        if self._step_by_step and level.size <= _AT_ONCE:
            assert self.levels is not None
            each_ends = [mixed.delta_of(self.levels, each) for each in level.tolist()]
            return np.array([ends[1:] for ends in each_ends if ends]).T.reshape(2, *asked.shape)
        found = self._ends(level, lower=self.levels is None)
        if self.levels is not None:
            found[0] = self._least_delta(level)
        return found.reshape(2, *asked.shape)

    def _ends(self, level: Floats, *, points: int | None = None, lower: bool = True) -> Floats:
        """Lower end, which is 0 where it is not asked for, and upper end of delta from laws on a lattice, each for many levels."""
        if self._ways:
            ends = np.max([each._ends(level, points=points, lower=lower) for each in self._ways], axis=0)
            return np.array([ends[0] * (self._least is None), ends[1]])
        found, points = np.zeros((2, level.size)), points or self._points
        for tilt, chosen in self._by_tilt(level):
            held = law_of(self.releases, tilt, points=points)
            if lower and self._least is None:
                found[0, chosen] = least_delta(held, level[chosen])
            found[1, chosen] = self._no_more_than_before(level[chosen], held, points=points)
        # Randomised response is the worst, also where all the releases are one: closer where there is next to nothing to lose.
        worst = 0.0 - np.expm1(np.minimum(level - self._farthest, 0.0)) * (1.0 + 16 * UNIT)
        found[1] = np.minimum(found[1], worst) + FARTHEST * (self._added_up is None)
        return found

    def _no_more_than_before(self, level: Floats, held: Dominating, *, points: int) -> Floats:
        """Upper end of delta under the tilt that serves these levels; where another one begins to serve, delta must not rise."""
        upper = held.tails.delta_ends(level)[1]
        places, ends = tilts(self.releases).at(level[:1])
        if place := int(places[0]):
            start = ends[place - 1 : place]
            near = upper > held.tails.delta_ends(start + held.moved)[0]
            if near.any():
                before = law_of(self.releases, tilts(self.releases).held[place - 1].tilt, points=points)
                upper = np.where(near, np.minimum(upper, before.tails.delta_ends(start)[1]), upper)
        return upper

    def _by_tilt(self, level: Floats) -> Iterator[tuple[float, NDArray[np.bool_]]]:
        """Yield the tilts that serve some levels, with those which each serves; none for levels from the largest loss on."""
        below = level < self.largest_loss
        if self._added_up is not None:  # a level and the losses are the decimal numbers that they are written as
            for at in np.flatnonzero(below & (level > self.largest_loss * (1.0 - 1e-12))):
                below[at] = as_written(float(level[at])) < self._added_up
        chosen, _ = tilts(self.releases).at(level)
        for place in np.unique(chosen[below]).tolist():
            yield tilts(self.releases).held[place].tilt, below & (chosen == place)

    def epsilon_ends(self, delta: ArrayLike) -> Floats:
        """Lower and upper end of epsilon; shape (2, *shape of delta)."""
        return self._all_ends(delta)

    def _all_ends(self, delta: ArrayLike, *, lower: bool = True) -> Floats:
        """Ends of epsilon, of which the lower one says nothing where it is not asked for."""
        if self._alone is not None:
            wanted = check_numbers("delta", delta, at_least=0.0, at_most=1.0)
            high = np.asarray(self._alone.epsilon(wanted))
            low = np.asarray(self._alone.epsilon(np.minimum(wanted * (1.0 + 2 * PROFILE), 1.0)))
            return np.array([low * (1.0 - PROFILE) * self._alone_is_exact, high])
        wanted = check_numbers("delta", delta, at_least=SMALLEST_COMPOSED, at_most=1.0)
        found = np.zeros((2, *wanted.shape))
        for at in np.ndindex(wanted.shape):
            found[(slice(None), *at)] = _ends_for(self, float(wanted[at]), lower or self._step_by_step)
        return found

    def _ends_for(self, wish: float, *, lower: bool) -> tuple[float, float]:
        """Lower and upper end of the epsilon that goes with one delta."""
        if self._step_by_step and SMALLEST_DELTA <= wish < 1.0:
            assert self.levels is not None
            _, least, most = mixed.epsilon_of(self.levels, wish) or (0.0, 0.0, 0.0)
        else:
            least, most = self._epsilon_ends(math.log(wish), lower=lower)
        return least, self._moved_until_met(min(most, float(self.largest_loss)), wish)

    def closest_epsilon(self, delta: float) -> Ends:
        """Likeliest value, lower and upper end of epsilon, by what comes closest to the truth."""
        found = mixed.epsilon_of(self.levels, delta) if self.levels is not None and self._alone is None else None
        return found or self._likeliest(self.epsilon_ends(delta), lambda: self.lower.epsilon(delta))

    def closest_delta(self, epsilon: float) -> Ends:
        """Likeliest value, lower and upper end of delta, by what comes closest to the truth."""
        found = mixed.delta_of(self.levels, epsilon) if self.levels is not None and self._alone is None else None
        return found or self._likeliest(self.delta_ends(epsilon), lambda: self.lower.delta(epsilon))

    def upper_epsilon(self, delta: float) -> float:
        """Return the upper end of `closest_epsilon`."""
        found = mixed.upper_epsilon(self.levels, delta) if self.levels is not None and self._alone is None else None
        return float(self.epsilon(delta)) if found is None else found

    @property
    def counted_by(self) -> str:
        """What comes closest to the truth."""
        if self.levels is not None:
            return SOURCE if mixed.is_step_by_step(self.levels) else mixed.SOURCE
        profiles = "privacy profile of the mechanism, composed with guaranteed ends"
        return f"{profiles}: {self.parts[0][0].name}" if len(self.parts) == 1 else profiles

    def n_fold(self, times: int) -> Composed:
        """Return all of it so many times over."""
        mechanisms, counts = zip(*self.parts, strict=True)
        return compose(mechanisms, np.multiply(times, counts)) if times > 1 else self

    def _likeliest(self, ends: Floats, least: Callable[[], float]) -> Ends:
        """Return ends with the value between them: the upper one where that is all but the truth."""
        close = self._alone is not None or self.levels is not None
        low, high = ends.tolist()
        low = low or least()
        return high if close else 0.5 * (low + high), low, high

    def quick_epsilon(self, delta: float) -> float:
        """An upper bound on epsilon, as a rule less than 0.00002 above `epsilon`, in a quarter of the time: from fewer points of a lattice.

        Of one release, and of up to 1,000 of the default kind at one level, it is `epsilon`.
        """
        wish = check_number("delta", delta, at_least=SMALLEST_COMPOSED, at_most=1.0)
        if self._alone is not None or self._step_by_step:
            return float(self.epsilon(wish))
        if self._simplest is not self:
            return self._simplest.quick_epsilon(wish)
        if self._ways:
            return max(each.quick_epsilon(wish) for each in self._ways)
        held, middle = self._law_near(math.log(wish), is_quick=True)
        return min(float(held.tails.ends(middle, math.log(wish))[1][0]), float(self.largest_loss))

    def _law_near(self, log_delta: float, *, is_quick: bool = False) -> tuple[Dominating, Floats]:
        """Return a law under the tilt that serves a delta, and its epsilon."""
        serving, points = tilts(self.releases), self._points
        place = serving.for_delta(log_delta)
        for _ in range(_MOST_TILTS):
            under = serving.held[place]
            if is_quick:
                points = self._few_points(under)
            held = law_of(self.releases, under.tilt, points=points, is_quick=is_quick)
            if points < _FEWER and not held.is_smooth:
                points, held = _FEWER, law_of(self.releases, under.tilt, points=_FEWER, is_quick=True)
            middle = held.tails.epsilon(log_delta)
            before, place = place, int(serving.at(middle)[0][0])
            if place == before:  # as delta is asked for at this epsilon
                break
        return held, middle

    @cached_property
    def _simplest(self) -> Composed:
        """Releases with the same delta, of as few mechanisms as possible."""
        counts: Counter[Mechanism] = Counter()
        for each, times in self.releases:
            counts[each.with_same_delta()] += times
        releases = Releases(counts.items())
        return self if releases == self.releases else Composed(releases, self.parts)

    def _few_points(self, under: Tilted) -> int:
        """Return how many points of a lattice raise an epsilon hardly."""
        most = _CLOSE_OF_MANY if len(self.releases) > MANY else _CLOSE
        # Where all losses have levels of their own, what is moved across a step counts by itself.
        fewest = _FEWEST if any(each.loss_steps is None for each, _ in self.releases) else _FEWER
        points = fewest
        while points < POINTS and raised_by(self.releases, under, points=points) > most:
            points *= 2
        return points

    def _epsilon_ends(self, log_delta: float, *, lower: bool = True) -> tuple[float, float]:
        """Lower and upper end of epsilon from a law on a lattice; the lower one is 0 where it is not asked for, or of others."""
        lower = lower and self._least is None
        if self._ways:
            ends = [each._epsilon_ends(log_delta, lower=lower) for each in self._ways]
            return max(low for low, _ in ends), max(high for _, high in ends)
        held, middle = self._law_near(log_delta)
        low, high = (float(each[0]) for each in held.tails.ends(middle, log_delta))
        if not lower:
            return 0.0, high
        if self.levels is not None:
            below = self._below(lattice.tilt_for(self.levels, log_delta=log_delta))
            return float(below.ends(below.epsilon(log_delta), log_delta)[0][0]), high
        return max(low - held.moved, least_epsilon(held, middle, log_delta), 0.0), high

    def _moved_until_met(self, found: float, wish: float) -> float:
        """Move an upper end of epsilon to where delta, which may come from another law, is not above the wish."""
        step = 2.0 * UNIT * max(found, _LEAST)
        while (excess := self.delta(found) / wish) > 1.0 and found < self._farthest:
            place = tilts(self.releases).at(np.array([found]))[0][0]
            steep = tilts(self.releases).held[place].tilt + 1.0 / max(found, _LEAST)
            step = max(4.0 * step, 1.1 * math.log(excess) / steep)
            found = min(found + step, self._farthest)
        return found

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        """Probability that the loss is larger than epsilon, at least 0, in size or (one-sided) as it is; rounded up.

        A bound of it where no pair of neighbours is the worst at every epsilon, and in size where the two directions are not alike.
        """
        if self._alone is not None:
            return self._alone.loss_exceeds(epsilon, two_sided=two_sided)
        asked = check_numbers("epsilon", epsilon, at_least=0.0)
        check_type("two_sided", two_sided, bool)
        level = asked.ravel()
        if self._ways:
            removed, added = (np.asarray(each.loss_exceeds(level, two_sided=False)) for each in self._ways)
            # A loss below -epsilon is one above it in the other direction, exp(-epsilon) times as likely at most.
            small = np.exp(-level) * two_sided
            both = np.maximum(removed + small * added, added + small * removed)
            return like_input(np.minimum(both, 1.0).reshape(asked.shape))
        found = np.zeros(level.size)
        for tilt, chosen in self._by_tilt(level):
            held = law_of(self.releases, tilt, points=self._points)
            if self._least is None:
                found[chosen] = held.exceeds(level[chosen], two_sided=two_sided)
                if not some_narrow(self.releases):  # else every loss may be moved far beyond most of them
                    continue
            # No one pair of neighbours has this profile; each has P(loss > epsilon)·(1 - exp(e - epsilon)) at most delta(e).
            below = level[chosen, None] * _BELOW
            deltas = held.tails.delta_ends(below.ravel())[1].reshape(below.shape)
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                bound = np.min(deltas / -np.expm1(below - level[chosen, None]), axis=1) * (1.0 + 16 * UNIT)
            bound = np.where(level[chosen] > 1e-300, bound, 1.0) * (1.0 + np.exp(-level[chosen]) * two_sided)
            found[chosen] = bound if self._least is not None else np.minimum(found[chosen], bound)
        return like_input(np.minimum(found, 1.0).reshape(asked.shape))

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        """Smallest false-negative rate, rounded down: the highest of 200 lines that no attack can go below."""
        if self._alone is not None:
            return self._alone.tradeoff(false_positive)
        rate = check_numbers("false_positive", false_positive, at_least=0.0, at_most=1.0)
        level, delta = self._lines
        with np.errstate(divide="ignore"):
            falling = 1.0 - delta - np.exp(np.minimum(level + np.log(rate[..., None]), 700.0))
        flat = np.exp(-level) * (1.0 - delta - rate[..., None])
        return like_input(np.clip(np.maximum(falling, flat).max(axis=-1), 0.0, 1.0 - rate))

    @cached_property
    def _lines(self) -> tuple[Floats, Floats]:
        level = np.linspace(0.0, self.epsilon(SMALLEST_DELTA), _LINES)
        delta = self._ends(level, points=_FEWER, lower=False)[1]
        return (
            (level, delta) if self._added_up is None else (np.append(level, self.largest_loss), np.append(delta, 0.0))
        )

    @cached_property
    def gaussian(self) -> GaussianGuarantee:
        """Return the least Gaussian differential privacy of all releases, with a regret that is loose where `lower` is.

        A bound of it where the two directions are not alike.
        """
        if self._alone is not None:
            return self._alone.gaussian
        mu = smallest_mu(self.releases)
        level = asked_levels(mu, self.largest_loss, step=float(common_step(self.releases) or 0.0))
        return GaussianGuarantee(
            mu, float(regret(mu, level, self._least_delta(level), self._ends(level, points=_FEWER, lower=False)[1]))
        )

    def _least_delta(self, level: Floats) -> Floats:
        """Lower end of delta at many levels, as close as laws on a lattice come."""
        if self._least is not None:
            return self._least._least_delta(level)
        if self.levels is None:
            return np.asarray(self._ends(level)[0])
        found = np.zeros(level.size)
        if level.size <= _AT_ONCE:
            for at in np.flatnonzero(level < self.largest_loss):
                below = self._below(lattice.tilt_at(self.levels, epsilon=float(level[at])))
                found[at] = below.delta_ends(level[at : at + 1])[0][0]
            return found
        for tilt, chosen in self._by_tilt(level):
            found[chosen] = self._below(tilt, points=_FEWER).delta_ends(level[chosen])[0]
        return found

    def _below(self, tilt: float, *, points: int | None = None) -> TailBatch:
        """Return what is below the truth for noise of the default kind."""
        assert self.levels is not None
        grid = lattice.lattice_for(self.levels, tilt=tilt, points=points)
        return TailBatch([lattice.rounded_law(self.levels, grid, up=False)])

    @cached_property
    def _farthest(self) -> float:
        """The largest loss, or one beyond which next to nothing is left."""
        return rounded_up(sum((as_written(reach(each)) * times for each, times in self.releases), Fraction()))

    @cached_property
    def _added_up(self) -> Fraction | None:
        """The largest losses added up; None where there is no largest one."""
        losses = [(float(each.largest_loss), times) for each, times in self.releases]
        if any(math.isinf(loss) for loss, _ in losses):
            return None
        return sum((as_written(loss) * times for loss, times in losses), Fraction())

    @cached_property
    def levels(self) -> Levels | None:
        """Levels and numbers of releases where all are of the default kind, for which a law below the truth is closer."""
        if not all(is_default(each) for each, _ in self.releases):
            return None
        levels = Levels.of((float(each.largest_loss), times) for each, times in self.releases)
        if len(levels.epsilon0) > mixed.MOST_LEVELS:
            return None
        within = levels.epsilon0[0] >= mixed.SMALLEST_MIXED and levels.epsilon0[-1] <= LARGEST_EPSILON0
        return levels if within else None

    @property
    def _step_by_step(self) -> bool:
        """Whether the closest accountant is that of one level of the default kind."""
        return self.levels is not None and mixed.is_step_by_step(self.levels)

    @cached_property
    def _least(self) -> Composed | None:
        """What the releases lose at least, where that is not all that they may lose."""
        least = [(each.loses_at_least(), times) for each, times in self.releases]
        exact = self._alone is not None and self._alone.profile_is_exact
        if exact or all(each is of for (each, _), (of, _) in zip(least, self.releases, strict=True)):
            return None
        return compose(*zip(*least, strict=True))

    @cached_property
    def _ways(self) -> tuple[Composed, ...]:
        """The releases in each of the two directions, where these are not alike: every person is removed, or is added, from all of them."""
        kinds = [(each.directions(), times) for each, times in self.releases]
        if self._alone is not None or all(len(each) == 1 for each, _ in kinds):
            return ()
        return tuple(Composed(Releases((each[at % len(each)], times) for each, times in kinds)) for at in (0, 1))

    @property
    def _points(self) -> int:
        # Rounding moves both ends by the square of a step; where the lower one is not from this lattice few points do.
        few = sum(times for _, times in self.releases) <= _FEW
        return _FEWER if few and self._least is not None and not some_narrow(self.releases) else POINTS

    @property
    def _alone(self) -> Mechanism | None:
        return self.releases[0][0] if self.releases[0][1] == len(self.releases) == 1 else None

    @property
    def _alone_is_exact(self) -> bool:
        """Whether it is one release whose profile is the truth, and says something."""
        return self._alone is not None and self._alone.profile_is_exact and bool(self._alone.advantage < 1.0)


@lru_cache(maxsize=1024)  # a report, a decision and the pictures beside it ask alike
def _ends_for(together: Composed, wish: float, lower: bool) -> tuple[float, float]:
    return together._ends_for(wish, lower=lower)


@dataclass(frozen=True)
class Lower(Result):
    """What releases together lose at least."""

    of: Composed
    evidence = Evidence(PROVEN, source=_SOURCE)

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Return what the smallest delta is not below."""
        return like_input(self.of.delta_ends(epsilon)[0])

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        """Return what the smallest epsilon is not below."""
        return like_input(self.of.epsilon_ends(delta)[0])


def compose(mechanisms: Release | Sequence[Release] | Floats, times: ArrayLike = 1) -> Composed:
    """Put releases together, of one mechanism or of several.

    Each mechanism has single numbers as its parameters, or is a level, from 1e-6 to 50, which is short for its Laplace noise; `times`,
    one number or one for each, says how many releases there are of it, 1,000,000 in all at most.

    >>> from par_core.mechanisms import DiscreteLaplace, Laplace
    >>> together = compose([DiscreteLaplace(0.1), Laplace(0.5)], [20, 2])
    >>> bool(together.lower.epsilon(1e-5) <= together.epsilon(1e-5) < 3.0)
    True
    >>> compose([0.1, 0.5], [20, 2]) == compose([Laplace(0.1), Laplace(0.5)], [20, 2])
    True
    """
    single = isinstance(mechanisms, int | float | np.number) or is_mechanism(mechanisms)
    several = [_made(each) for each in ((mechanisms,) if single else check_list("mechanisms", mechanisms))]
    number = check_integers("times", times, at_least=1, at_most=MOST_RELEASES)
    if not several or number.shape not in ((), (len(several),)):
        raise ParameterError(
            f"times must be one number or as many as there are mechanisms, {len(several)}, got shape {number.shape}"
        )
    counts: Counter[Mechanism] = Counter()
    for each, count in zip(several, np.broadcast_to(number, len(several)).tolist(), strict=True):
        counts[each] += count
    if counts.total() > MOST_RELEASES:
        raise ParameterError(f"times must be at most {MOST_RELEASES:,} in all, got {counts.total():,}")
    if len({each.way_of_sampling for each in counts} - {None}) > 1:
        raise ParameterError(
            "mechanisms must be sampled in one way to be put together: Poisson sampling is for neighbours that add or remove a person, "
            "sampling without replacement for those that replace one"
        )
    joined, closed, closes = list[tuple[Mechanism, int]](), list[int](), dict[type, bool]()
    for mechanism, count in counts.items():
        joint, left = mechanism if count == 1 else mechanism.repeated(count), 1
        if joint is None:
            joint, left = mechanism, count
        if left == 1 and type(joint) not in closes:
            closes[type(joint)] = joint.joined(joint) is not None  # what has none with itself has none with others
        has_closed_form = left == 1 and closes[type(joint)]
        for at in closed if has_closed_form else ():
            if (both := joint.joined(joined[at][0])) is not None:
                joined[at] = both, 1
                break
        else:
            closed += [len(joined)] * has_closed_form
            joined.append((joint, left))
    for each, _ in joined if len(joined) > 1 or joined[0][1] > 1 else ():
        if not _LEAST <= (loss := reach(each)) <= _MOST:
            raise ParameterError(
                f"mechanisms must each lose at most {_MOST:g}, and {_LEAST:g} at least, to be put together, got {loss:g}"
            )
    return Composed(Releases(joined), Releases(counts.items()))


def is_default(releases: object) -> bool:
    """Whether these are releases of the noise that a level is short for."""
    return type(releases) is type(default_noise(1.0))


def _made(mechanism: object) -> Mechanism:
    """Return a checked mechanism, which is the default one where a level is given."""
    if isinstance(mechanism, int | float | np.number):
        return default_noise(
            check_number("mechanisms", mechanism, at_least=mixed.SMALLEST_MIXED, at_most=LARGEST_EPSILON0)
        )
    if not is_mechanism(mechanism):
        raise ParameterError(f"mechanisms must be a Mechanism or a level, or a list of these, got {shown(mechanism)}")
    if not has_numbers_only(mechanism) and np.ndim(mechanism.advantage):
        raise ParameterError("mechanisms must have single numbers as their parameters, got an array")
    return mechanism
