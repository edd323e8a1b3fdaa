"""What takes longest: how many releases a target allows, and which level each of the planned ones, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from par_core.composition import Composed, WithinTarget, epsilon0_for
from par_core.composition.planned_releases import as_one
from par_core.composition.within_target import EXACT, releases_within
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import Mechanism
from par_core.old_names import by_old_name
from par_core.questions.question import Answer, Stepwise
from par_core.scenario import Scenario


@dataclass(frozen=True, repr=False)
class ExactWithinTarget(Stepwise):
    """What do a target and the δ of a scenario allow, counted exactly?"""

    target: float = 3.0

    @property
    def long(self) -> str:
        return "Counting exactly"

    def steps(self) -> Iterator[tuple[float, Answer]]:
        yield 0.0, ExactWithinTargetAnswer(self)
        releases = self._releases()
        yield 0.4, ExactWithinTargetAnswer(self, releases)
        yield 1.0, ExactWithinTargetAnswer(self, releases, self._level(), whole=True)

    def _releases(self) -> WithinTarget:
        (plan,) = within(self.scenario, [self.target])
        return plan

    def _level(self) -> WithinTarget | None:
        """Return the level of the planned releases, or None where the target is met at no level, or takes too many releases."""
        scenario = self.scenario
        number, delta = scenario.releases, scenario.delta
        try:
            return epsilon0_for(EXACT, number, epsilon=self.target, delta=delta, mechanism=self._release)
        except (InfeasibleError, ParameterError):
            return None

    def _release(self, level: float) -> Mechanism | Composed:
        return as_one(replace(self.scenario, epsilon0=level), self.scenario.releases)


@dataclass(frozen=True)
class ExactWithinTargetAnswer(Answer):
    """As far as it is known: how many releases fit, and the level of each planned one, if the `whole` is known None for none."""

    question: ExactWithinTarget
    releases: WithinTarget | None = None
    level: WithinTarget | None = None
    whole: bool = False


def within(scenario: Scenario, targets: Sequence[float]) -> tuple[WithinTarget, ...]:
    """Return how many releases of a scenario stay within each of several targets, counted exactly."""
    found = releases_within(EXACT, as_one(scenario), epsilons=targets, delta=scenario.delta)
    if scenario.by_statistic[1] == 1:
        return found
    if any(each.at_limit for each in found):  # with more statistics than can be counted each release counts as one
        bounds = releases_within(EXACT, scenario.release, epsilons=targets, delta=scenario.delta)
        found = tuple(max(pair, key=lambda plan: plan.releases) for pair in zip(found, bounds, strict=True))
    return tuple(replace(each, epsilon0=scenario.epsilon0) for each in found)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(
        __name__, {"ExactPlan": "ExactWithinTarget", "ExactPlanAnswer": "ExactWithinTargetAnswer"}
    )
