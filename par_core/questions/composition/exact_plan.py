"""What of a plan takes longest: how many releases a target allows, and which level each of the planned ones, counted exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from par_core.composition import Plan, epsilon0_for, most_releases
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
        return most_releases(EXACT, scenario.release, epsilon=self.target, delta=scenario.delta)

    def _level(self) -> Plan | None:
        """Return the plan for the planned releases, or None where it is met at no level, or takes too many releases."""
        scenario = self.scenario
        number, delta = scenario.releases, scenario.delta
        try:
            return epsilon0_for(EXACT, number, epsilon=self.target, delta=delta, mechanism=self._release)
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
