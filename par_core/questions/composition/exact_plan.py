"""What of a plan takes longest: how many releases a target allows, and which level each of the planned ones, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from par_core.composition import Composed, Plan, epsilon0_for
from par_core.composition.planned_releases import as_one
from par_core.composition.plans import EXACT, releases_within
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import Mechanism
from par_core.questions.question import Answer, Stepwise
from par_core.scenario import Scenario


@dataclass(frozen=True, repr=False)
class ExactPlan(Stepwise):
    """What do a target and the δ of a scenario allow, counted exactly?"""

    target: float = 3.0

    @property
    def long(self) -> str:
        return "Counting exactly"

    def steps(self) -> Iterator[tuple[float, Answer]]:
        yield 0.0, ExactPlanAnswer(self)
        releases = self._releases()
        yield 0.4, ExactPlanAnswer(self, releases)
        yield 1.0, ExactPlanAnswer(self, releases, self._level(), whole=True)

    def _releases(self) -> Plan:
        (plan,) = within(self.scenario, [self.target])
        return plan

    def _level(self) -> Plan | None:
        """Return the plan for the planned releases, or None where it is met at no level, or takes too many releases."""
        scenario = self.scenario
        number, delta = scenario.releases, scenario.delta
        try:
            return epsilon0_for(EXACT, number, epsilon=self.target, delta=delta, mechanism=self._release)
        except (InfeasibleError, ParameterError):
            return None

    def _release(self, level: float) -> Mechanism | Composed:
        return as_one(replace(self.scenario, epsilon0=level), self.scenario.releases)


@dataclass(frozen=True)
class ExactPlanAnswer(Answer):
    """As far as it is known: how many releases fit, and the level of each planned one, if the `whole` is known None for none."""

    question: ExactPlan
    releases: Plan | None = None
    level: Plan | None = None
    whole: bool = False


def within(scenario: Scenario, targets: Sequence[float]) -> tuple[Plan, ...]:
    """Return how many releases of a scenario stay within each of several targets, counted exactly."""
    found = releases_within(EXACT, as_one(scenario), epsilons=targets, delta=scenario.delta)
    if scenario.by_statistic[1] == 1:
        return found
    if any(each.at_limit for each in found):  # with more statistics than can be counted each release counts as one
        bounds = releases_within(EXACT, scenario.release, epsilons=targets, delta=scenario.delta)
        found = tuple(max(pair, key=lambda plan: plan.releases) for pair in zip(found, bounds, strict=True))
    return tuple(replace(each, epsilon0=scenario.epsilon0) for each in found)
