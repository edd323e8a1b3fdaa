"""The scenario of a plan: what pages that know one release are asked with, where several are planned."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import ClassVar, Self

from par_core.composition import Composed
from par_core.errors import InfeasibleError
from par_core.mechanisms import NOISES, Mechanism
from par_core.parameters import check_integer, check_type
from par_core.plan.address import in_address
from par_core.plan.plan import Plan, Release
from par_core.queries.sensitivity import AS_MANY
from par_core.scenario import Scenario

_MOST = 10**6


@dataclass(frozen=True)
class PlanScenario(Scenario):
    """A scenario whose releases are those of a plan.

    Its epsilon0, delta, neighbours and money are those of the whole plan, `releases` are all of it, and everything else is of the one
    release that is looked at, `at` from 0: how many numbers, how far a row moves them, with which noise. So `release` is not for epsilon0,
    but for the part of it that this release gets.

    >>> from par_core.queries.shapes import CountsShape, MeanShape
    >>> releases = Release(CountsShape(12), times=12), Release(MeanShape(upper=100.0), rows=9000, times=4)
    >>> found = PlanScenario(epsilon0=1.0, plan=releases)
    >>> found.releases, found.k, float(found.release.largest_loss)
    (16, 12, 0.5)
    """

    noun: ClassVar[str] = "plan"

    plan: tuple[Release, ...] = field(default_factory=lambda: (Release(),))
    at: int = 0

    def __post_init__(self) -> None:
        """Check the plan, and put what the release says in the place of the fields of a scenario."""
        releases = Plan(self.plan, neighbours=self.neighbours).releases
        check_integer("releases in all", sum(each.times for each in releases), at_least=1, at_most=_MOST)
        seen = releases[check_integer("at", self.at, at_least=0, at_most=len(releases) - 1)]
        given = {
            "plan": releases,
            "k": seen.shape.k,
            "mechanism": seen.mechanism,
            "rows_per_person": seen.rows_per_person,
            "statistics": seen.statistics,
            "releases": sum(each.times for each in releases),
            "sensitivity": Scenario.sensitivity,
        }
        for name, value in given.items():
            object.__setattr__(self, name, value)
        super().__post_init__()
        if (alone := self.alone()) is not None:
            for name in ("k", "sensitivity", "rows_per_person", "mechanism"):
                object.__setattr__(self, name, getattr(alone, name))

    @classmethod
    def of(cls, scenario: Scenario, plan: tuple[Release, ...], at: int = 0) -> Self:
        """Return a plan at the epsilon0, delta, neighbours and money of a scenario."""
        return cls(**{each.name: getattr(scenario, each.name) for each in fields(Scenario)}, plan=plan, at=at)

    @classmethod
    def whichever(cls, scenario: Scenario) -> PlanScenario:
        """Return the scenario of a plan as it is, and of one release as that of a plan of one."""
        found = check_type("scenario", scenario, Scenario)
        return found if isinstance(found, PlanScenario) else cls.of(found, Plan.of(found).releases)

    @cached_property
    def whole(self) -> Plan:
        """The plan at these numbers."""
        return Plan(self.plan, self.epsilon0, self.neighbours, self.delta)

    def alone(self) -> Scenario | None:
        """Return the release that is looked at as a scenario of its own, at its own level; None where none says the same."""
        return self._alone

    @cached_property
    def _alone(self) -> Scenario | None:
        return self.whole.scenario(self.at, base=self._as_one)

    @property
    def _as_one(self) -> Scenario:
        return Scenario(**{each.name: getattr(self, each.name) for each in fields(Scenario)})

    @property
    def seen(self) -> Release:
        """The release that is looked at."""
        return self.plan[self.at]

    @property
    def only_if(self) -> str:
        """What has to be true for its privacy, for the middle of a sentence; mostly nothing."""
        return AS_MANY * self.whole.assumes_as_many

    @property
    def level(self) -> float:
        """The level of the release that is looked at with nothing beside it: of noise in L2 it may be more than its part of epsilon0."""
        return self.whole.level_alone(self.at)

    @property
    def apart(self) -> Self:
        """The release that is looked at as all that is planned, at its own level."""
        return replace(self, epsilon0=self.level, plan=(self.seen,), at=0)

    @property
    def beside(self) -> float:
        """What the other releases of the plan lose at most, added up; infinite where one of them has no largest loss."""
        others = (at for at in range(len(self.plan)) if at != self.at)
        return math.fsum(
            self.plan[at].times * number * float(each.largest_loss)
            for at in others
            for each, number in self.whole.lost(at)
        )

    @property
    def is_quick(self) -> bool:
        """Whether what all releases lose at most is found at once, as each has a largest loss."""
        return self.whole.in_l2 == 0.0

    @property
    def release(self) -> Mechanism:
        """The noise of the release that is looked at, or what chooses; of a noisy sum over a noisy count, that of the sum."""
        if self.seen.mechanism not in NOISES or self.seen.shape.is_selection:
            (made, _), *_ = self.whole.lost(self.at)
            return made
        return self.whole.noises(self.at)[0]

    @property
    def by_statistic(self) -> tuple[Mechanism, int]:
        """No single mechanism makes a plan: `lost` puts together what does."""
        raise InfeasibleError("a plan holds several releases: choose one of them")

    @property
    def as_published(self) -> bool:
        """Never: the paper's releases are all alike."""
        return False

    def to_json(self) -> str:
        """Return epsilon0, delta, neighbours and money as a JSON object, with the plan as in an address."""
        of_all = ("epsilon0", "neighbours", "delta", "releases", "stakeholders", "compensation", "currency")
        return json.dumps(
            {name: getattr(self, name) for name in of_all} | {"plan": in_address(self.plan)}, allow_nan=False
        )

    def to_file(self, wishes: Mapping[str, str] | None = None, plan: str = "") -> str:
        """Return the file of a scenario that holds this plan, unless another one is given."""
        return self._as_one.to_file(wishes, plan or in_address(self.plan))

    def lost(self, releases: int) -> Composed:
        """Return what so many releases lose together: one is that which is looked at, more are the first of the plan."""
        return self.whole.first(releases) if releases > 1 else self.whole.once(self.at)
