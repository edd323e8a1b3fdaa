"""The plan itself: several releases under one epsilon0, and the mechanisms that they come to.

Each release gets its part of epsilon0 by its weight. Noise in L1 is drawn for each statistic and each part of a mean, with a share of that.
All noise in L2 is one release together at one (epsilon, delta): the squares of what one person moves each by, in standard deviations,
add up. A quantile gets no noise: one of its candidates is chosen, which counts like noise in L1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from par_core.composition import Composed, compose
from par_core.errors import ParameterError
from par_core.mechanisms import NOISES, Mechanism, Noise, Norm, drawn
from par_core.parameters import check_choice, check_integer, check_list, check_number, check_type
from par_core.queries.quantile_shape import QuantileShape
from par_core.queries.sensitivity import Part
from par_core.queries.shapes import CountsShape, MeanShape, NumbersShape, Shape
from par_core.release.quotient import QuotientError, mean_quotient_error
from par_core.release.rank_error import RankError, rank_error
from par_core.release.splitting import split_by_weight
from par_core.scenario import FIELDS, FOR_STEPS, Neighbours, Scenario
from par_core.shares import share_of

LARGEST_PLAN = 60
Made = tuple[Noise, ...] | RankError
_NAMES = {kind: name for name, kind in NOISES.items()}
_CHECKS = {each.name: each.check for each in FIELDS}


@dataclass(frozen=True)
class Release:
    """One statistic that is going to be published, perhaps several times.

    One person has `rows_per_person` rows at most (cells, where persons are counted). `rows` is the number of rows where that is public by
    declaration, and `size` a guess of how many a mean is over, at least, where it is not: in groups, each of their means. The `statistics`
    are so many of the kind, each with noise of its own. Of epsilon0 the release gets the part that its `weight` is of all weights. A
    quantile is chosen by permute and flip, whatever the `mechanism`, which stays at its default then.
    """

    shape: Shape = field(default_factory=NumbersShape)
    rows_per_person: int = 1
    rows: int | None = None
    size: int | None = None
    statistics: int = 1
    mechanism: str = "laplace"
    weight: float = 1.0
    times: int = 1

    def __post_init__(self) -> None:
        """Check each field; a ParameterError names the one that is wrong."""
        check_type("shape", self.shape, Shape)
        for name in ("rows_per_person", "statistics", "mechanism"):
            object.__setattr__(self, name, _CHECKS[name](getattr(self, name)))
        for name in ("rows", "size"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, check_integer(name, getattr(self, name), at_least=1, at_most=10**12))
        object.__setattr__(self, "weight", check_number("weight", self.weight, at_least=1e-9, at_most=1e9))
        object.__setattr__(self, "times", check_integer("times", self.times, at_least=1, at_most=10**6))
        if self.shape.is_selection:
            object.__setattr__(self, "mechanism", Release.mechanism)
        if not isinstance(self.shape, NumbersShape) and self.mechanism not in NOISES:
            raise ParameterError(f"mechanism must be noise for a number, {', '.join(NOISES)}, got {self.mechanism!r}")

    @property
    def norm(self) -> Norm:
        """The norm in which one person moves the numbers: that of the noise."""
        return drawn(whole=False, mechanism=self.mechanism).norm

    def parts(self, neighbours: Neighbours) -> tuple[Part, ...]:
        """Return the noisy releases that one statistic is made of."""
        return self.shape.parts(neighbours, self.rows_per_person, rows=self.rows)

    def noises(self, level: float, *, neighbours: Neighbours, delta: float, part: float = 1.0) -> tuple[Noise, ...]:
        """Return what is drawn for each part of one statistic, at a level of the release; ParameterError for a quantile.

        Of noise in L2 the release has only a `part`, 0 to 1, of what all at this level move together, in squares.
        """
        if self.shape.is_selection:
            raise ParameterError("a quantile is chosen among candidates: it gets no noise")
        parts = self.parts(neighbours)
        made = []
        for each in parts:
            noise = NOISES[check_choice("mechanism", self.mechanism, tuple(NOISES))]
            if not isinstance(self.shape, NumbersShape):
                noise = drawn(whole=each.whole, mechanism=self.mechanism)
            moves, share = each.moves(noise.norm), level
            if noise.norm == "L2":
                moves *= math.sqrt(self.statistics * len(parts) / part) * FOR_STEPS
            else:
                share = share_of(level, Fraction(1, self.statistics * len(parts)))
            made.append(noise.for_epsilon(share, sensitivity=moves, delta=delta))
        return tuple(made)

    def ranks(self, level: float, *, neighbours: Neighbours) -> RankError | None:
        """Return the error in ranks of one statistic at a level of the release, with what chooses it; None for what gets noise."""
        if not isinstance(self.shape, QuantileShape):
            return None
        share = share_of(level, Fraction(1, self.statistics))
        return rank_error(share, self.parts(neighbours)[0].sensitivity, self.shape.candidates)

    def made(self, level: float, *, neighbours: Neighbours, delta: float, part: float = 1.0) -> Made:
        """Return `noises`, or of a quantile `ranks`."""
        ranks = self.ranks(level, neighbours=neighbours)
        return ranks or self.noises(level, neighbours=neighbours, delta=delta, part=part)

    def error(self, made: Made, share: float) -> float:
        """Return how far off each number is at most with what was `made`; `share` and errors as in `Plan.error`."""
        if isinstance(made, RankError):
            return float(made.range(share))
        return float(made[0].error_quantile(share)) if len(made) == 1 else self._quotient(made).range(share)

    def excess(self, made: Made, error: float, share: float) -> float:
        """Return a number above 0 where `error` is less than what `self.error` returns, for a mean without the search, and else not."""
        if isinstance(made, RankError) or len(made) == 1:
            return self.error(made, share) - error
        return float(self._quotient(made).exceeded(error)) - (1.0 - share)

    def _quotient(self, noises: tuple[Noise, ...]) -> QuotientError:
        shape = self.shape
        assert isinstance(shape, MeanShape)
        if self.size is None:
            raise ParameterError(
                "size must be given: the error of a noisy sum over a noisy count depends on the number of rows"
            )
        of_sum, of_count = (each.scale for each in noises)
        return mean_quotient_error(float(of_sum), float(of_count), shape, size=self.size, mechanism=self.mechanism)


@dataclass(frozen=True)
class Plan:
    """Several releases about the same people; `epsilon0` is the one dial of them all.

    1 to 60 `releases`; epsilon0, neighbours and delta as in a scenario; `budget`, above 0, is the epsilon that all of them together may
    spend at delta, if somebody has set one. ParameterError for what no release can be made of.
    """

    releases: tuple[Release, ...]
    epsilon0: float = 0.5
    neighbours: Neighbours = Neighbours.REPLACE_ONE
    delta: float = 1e-5
    budget: float | None = None

    def __post_init__(self) -> None:
        """Check each field, and that each release can be made."""
        held = tuple(check_type("releases", each, Release) for each in check_list("releases", self.releases))
        if not 1 <= len(held) <= LARGEST_PLAN:
            raise ParameterError(f"releases must be 1 to {LARGEST_PLAN}, got {len(held)}")
        object.__setattr__(self, "releases", held)
        for name in ("epsilon0", "neighbours", "delta"):
            object.__setattr__(self, name, _CHECKS[name](getattr(self, name)))
        if self.budget is not None:
            object.__setattr__(self, "budget", check_number("budget", self.budget, above=0.0))
        for number, each in enumerate(held, start=1):
            try:
                each.parts(self.neighbours)
            except ParameterError as error:
                raise ParameterError(f"release {number}: {error}") from error

    @classmethod
    def of(cls, scenario: Scenario) -> Plan:
        """Return the plan with the one release of a scenario."""
        release = Release(
            NumbersShape(scenario.k, scenario.sensitivity),
            rows_per_person=scenario.rows_per_person,
            statistics=scenario.statistics,
            mechanism=scenario.mechanism,
            times=scenario.releases,
        )
        return cls((release,), scenario.epsilon0, scenario.neighbours, scenario.delta)

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The part of epsilon0 of each release: they add up to at most epsilon0, exactly."""
        if len(self.releases) == 1:
            return (self.epsilon0,)
        return split_by_weight(self.epsilon0, [each.weight for each in self.releases]).parts

    @property
    def assumes_as_many(self) -> bool:
        """Whether a release is as private as planned only where as many rows replace a person's rows."""
        return any(each.shape.needs_as_many(self.neighbours, each.rows_per_person) for each in self.releases)

    @property
    def in_l2(self) -> float:
        """The level that all noise in L2 has together, 0 where there is none."""
        return math.fsum(level for level, each in zip(self.levels, self.releases, strict=True) if each.norm == "L2")

    def level_alone(self, at: int) -> float:
        """Return the level at which the release at a place, with nothing beside it, has the noise that it has in the plan."""
        level = self.levels[at]
        if self.releases[at].norm == "L1" or level == self.in_l2:
            return level
        return float(self._of_joint(level).epsilon(self.delta))

    def noises(self, at: int) -> tuple[Noise, ...]:
        """Return what is drawn for each part of one statistic of the release at a place, from 0; ParameterError for no noise."""
        level, part = self._level_and_part(at)
        return self.releases[at].noises(level, neighbours=self.neighbours, delta=self.delta, part=part)

    def error(self, at: int, share: float = 0.95) -> float:
        """Return how far off each number of the release at a place is at most, in its unit, with a probability above 0 and below 1.

        Of a noisy sum over a noisy count it is an upper bound, for at least `size` rows: ParameterError where nobody has guessed that. Of a
        quantile it is in rows, as in `par_core.release.RankError`.
        """
        (level, part), release = self._level_and_part(at), self.releases[at]
        return release.error(release.made(level, neighbours=self.neighbours, delta=self.delta, part=part), share)

    def _level_and_part(self, at: int) -> tuple[float, float]:
        """Return the level of the noise of a release, and which part of what all with this noise move together it has, in squares."""
        if self.releases[at].norm == "L1":
            return self.levels[at], 1.0
        return self.in_l2, self.levels[at] / self.in_l2

    def scenario(self, at: int = 0, *, base: Scenario | None = None) -> Scenario | None:
        """Return the release at a place as the one release of a scenario; all else as in `base`.

        None where no scenario says the same: of a noisy sum over a noisy count, of a quantile, of what holds only if as many rows replace
        a person's rows, of numbers that one person moves by less in L2 where the noise is for L2, and of what is out of its ranges.
        """
        release, base = self.releases[at], Scenario() if base is None else base
        parts, shape = release.parts(self.neighbours), release.shape
        if shape.is_selection:
            return None
        part, most = parts[0], release.rows_per_person
        sensitivity, level, noise = (
            part.sensitivity / most,
            self.levels[at],
            drawn(whole=part.whole, mechanism=release.mechanism),
        )
        mechanism = release.mechanism if isinstance(shape, NumbersShape) else _NAMES[noise]
        if isinstance(shape, NumbersShape):
            sensitivity = shape.sensitivity
        elif (
            len(parts) > 1 or shape.needs_as_many(self.neighbours, most) or part.moves(release.norm) != part.sensitivity
        ):
            return None
        elif isinstance(shape, CountsShape) and shape.persons and shape.k == 1:
            sensitivity, most = 1.0, 1  # one count of persons moves by 1, in however many rows they are
        if sensitivity * most != part.sensitivity:
            return None
        level = self.level_alone(at)
        try:
            return replace(
                base,
                epsilon0=level,
                k=part.k,
                sensitivity=sensitivity,
                neighbours=self.neighbours,
                rows_per_person=most,
                statistics=release.statistics,
                releases=release.times,
                delta=self.delta,
                mechanism=mechanism,
            )
        except ParameterError:
            return None

    @cached_property
    def mechanisms(self) -> tuple[tuple[Mechanism, int], ...]:
        """What loses privacy, and how often it does in all releases: `lost` of each, as often as it is made."""
        made = zip(range(len(self.releases)), self.releases, strict=True)
        return tuple((each, number * release.times) for at, release in made for each, number in self.lost(at))

    def lost(self, at: int) -> tuple[tuple[Mechanism, int], ...]:
        """Return what loses privacy in the release at a place when it is made once, and how often it does.

        Each statistic and each part of a mean counts by itself. Where no single number moves as far as all of them do, the noise of
        fewer numbers counts: `Part.copies`.
        """
        release, level = self.releases[at], self.levels[at]
        if release.norm == "L2":
            return ((self._of_joint(level), 1),)
        if isinstance(release.shape, NumbersShape):
            alone = Plan((replace(release, weight=1.0),), level, self.neighbours, self.delta).scenario()
            assert alone is not None
            return (alone.by_statistic,)
        if ranks := release.ranks(level, neighbours=self.neighbours):
            return ((ranks.choice, release.statistics),)
        parts, found = release.parts(self.neighbours), list[tuple[Mechanism, int]]()
        for part in parts:
            number = release.statistics * part.copies
            share = share_of(level, Fraction(1, number * len(parts)))
            noise = drawn(whole=part.whole, mechanism=release.mechanism)
            moves = part.sensitivity if part.copies == 1 else part.each
            assert moves is not None
            found.append((noise.for_epsilon(share, sensitivity=moves, delta=self.delta), number))
        return tuple(found)

    def once(self, at: int) -> Composed:
        """Return what the release at a place loses when it is made once."""
        return _together(self.lost(at))

    def first(self, number: int) -> Composed:
        """Return the first so many releases put together, 1 to all, in the order of the plan."""
        left, made = check_integer("number", number, at_least=1, at_most=self.number), list[tuple[Mechanism, int]]()
        for at, release in enumerate(self.releases):
            times = min(release.times, left)
            left -= times
            made += [(each, copies * times) for each, copies in self.lost(at) if times]
        return _together(made)

    @property
    def number(self) -> int:
        """How many releases are made in all."""
        return sum(each.times for each in self.releases)

    def _of_joint(self, level: float) -> Noise:
        """Return what a release loses that has this level of all that is in L2."""
        joint = NOISES["gaussian"].for_epsilon(self.in_l2, sensitivity=1.0, delta=self.delta)
        return replace(joint, sensitivity=math.sqrt(level / self.in_l2))  # type: ignore[type-var]  # noise is a dataclass

    @cached_property
    def together(self) -> Composed:
        """All releases put together: ask it for epsilon at a delta. ParameterError where they are more than 1,000,000 in all."""
        return _together(self.mechanisms)


def _together(made: Sequence[tuple[Mechanism, int]]) -> Composed:
    mechanisms, times = zip(*made, strict=True)
    return compose(list(mechanisms), list(times))
