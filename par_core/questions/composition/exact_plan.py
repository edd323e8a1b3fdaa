"""What of a plan takes longest: how many releases a target allows, and which level each of the planned ones, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from par_core.composition import Plan, epsilon0_for, largest_compositions
from par_core.composition.of_mechanism import epsilon0_for_of, largest_compositions_of
from par_core.composition.plans import EXACT
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import Mechanism
from par_core.questions.question import Answer, Stepwise


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
        scenario = self.scenario
        level, delta = scenario.epsilon0, scenario.delta
        if scenario.as_published:
            return largest_compositions(EXACT, level, epsilon=self.target, delta=delta)
        return largest_compositions_of(scenario.release, level, epsilon=self.target, delta=delta)

    def _level(self) -> Plan | None:
        """Return the plan for the planned releases, or None where it is met at no level, or takes too many releases."""
        scenario = self.scenario
        number, delta = scenario.releases, scenario.delta
        try:
            if scenario.as_published:
                return epsilon0_for(EXACT, number, epsilon=self.target, delta=delta)
            return epsilon0_for_of(self._release, number, epsilon=self.target, delta=delta)
        except (InfeasibleError, ParameterError):
            return None

    def _release(self, level: float) -> Mechanism:
        return replace(self.scenario, epsilon0=level).release


@dataclass(frozen=True)
class ExactPlanAnswer(Answer):
    """As far as it is known: how many releases fit, and the level of each planned one, if the `whole` is known None for none."""

    question: ExactPlan
    releases: Plan | None = None
    level: Plan | None = None
    whole: bool = False
