"""The numbers of a label for everybody, each from the function that the sections Odds and Duties and the plan itself ask."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

from par_core.decision import Odds, Total, odds, total
from par_core.evidence import Quantity
from par_core.plan import Plan, PlanScenario, PlanTotals
from par_core.questions.decide.label_words import far_off
from par_core.scenario import HARDLY_PRIVATE, Scenario


@dataclass(frozen=True)
class LabelFacts:
    """What guesses about one person come to after all releases, what these spend, and how far off each number is, as far as known."""

    scenario: Scenario
    odds: Odds
    total: Total
    offs: tuple[float | None, ...]  # of each release, in the unit of its numbers

    @cached_property
    def plan(self) -> Plan:
        """All that is planned; of a scenario its one release, as often as it is made."""
        return _plan(self.scenario)

    @property
    def right(self) -> Quantity:
        """How many of 100 guesses about one person are right at most, 50 to 100, rounded up: they start from even odds."""
        share = self.odds.quantity("if_in")
        return replace(share, value=math.ceil(100 * share.value), kind="count")

    @property
    def spent(self) -> Quantity:
        """The ε of all releases together at the scenario's δ, rounded up."""
        return self.total.quantity("epsilon")

    def off(self, at: int) -> Quantity | None:
        """Return how far off each number of the release at a place is at most in 95 of 100, in its unit; None where nobody can say."""
        off = self.offs[at]
        return None if off is None else PlanTotals.as_quantity("errors", off).only_if(self.scenario.only_if)

    @property
    def hides_little(self) -> bool:
        """Whether all releases together hardly hide anybody."""
        return self.total.epsilon > HARDLY_PRIVATE or self.right.value == 100


def label_facts(scenario: Scenario) -> LabelFacts:
    """Return the numbers of a scenario's label; ParameterError where its mechanism is impossible."""
    plan = _plan(scenario)
    offs = tuple(far_off(plan, at) for at in range(len(plan.releases)))
    return LabelFacts(scenario, odds(scenario, releases=scenario.releases), total(scenario), offs)


def _plan(scenario: Scenario) -> Plan:
    return PlanScenario.whichever(scenario).whole
