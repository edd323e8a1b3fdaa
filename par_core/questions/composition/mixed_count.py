"""What releases at different levels spend together, counted exactly after some of them: all first, then on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from par_core.composition import (
    ExactComposition,
    as_typed,
    basic,
    compose,
    exact,
    first_releases,
    releases_in,
)
from par_core.composition.planned_releases import exact_together
from par_core.plan import PlanScenario
from par_core.questions.composition.levels import Rows
from par_core.questions.question import Answer, Stepwise
from par_core.scenario import Scenario

_POINTS = 8  # places between the first release and the last at which the exact count is drawn
_MOST_ENDS = 6  # up to so many rows, after each of them too


@dataclass(frozen=True, repr=False)
class MixedCount(Stepwise):
    """What do releases at these levels spend together, with the noise and the δ of a scenario?"""

    releases: Rows = ()

    @property
    def long(self) -> str:
        return "Counting exactly"

    def steps(self) -> Iterator[tuple[float, Answer]]:
        places, found = self.places(), dict[int, ExactComposition]()
        yield 0.0, MixedCountAnswer(self, ())
        for done, number in enumerate(places, start=1):
            found[number] = self._exact(number)
            yield done / len(places), MixedCountAnswer(self, tuple(sorted(found.items())))

    def places(self) -> list[int]:
        """Return at which numbers of releases the exact count is wanted, all of them first."""
        rows, every = self.releases, releases_in(self.releases)
        even = {max(1, round(every * step / _POINTS)) for step in range(1, _POINTS)}
        ends = {releases_in(rows[:end]) for end in range(1, len(rows))} if len(rows) <= _MOST_ENDS else set()
        return [every, *sorted((even | ends) - {every})]

    def added(self, number: int) -> Decimal:
        """Return what the first releases come to by basic composition."""
        if isinstance(self.scenario, PlanScenario):
            return as_typed(basic(self.scenario.whole.first(number), delta=self.scenario.delta))
        releases, counts = self._first(number)
        return as_typed(basic(compose([each.release for each in releases], counts), delta=self.scenario.delta))

    def _exact(self, number: int) -> ExactComposition:
        if isinstance(self.scenario, PlanScenario):
            return exact(self.scenario.whole.first(number), delta=self.scenario.delta)
        return exact_together(*self._first(number), delta=self.scenario.delta)

    def _first(self, number: int) -> tuple[list[Scenario], list[int]]:
        """Return the first so many releases: a scenario for each level, with how many there are of it."""
        levels, counts = zip(*first_releases(self.releases, number), strict=True)
        return [replace(self.scenario, epsilon0=level) for level in levels], [*map(int, counts)]


@dataclass(frozen=True)
class MixedCountAnswer(Answer):
    """The exact counts by their numbers of releases, as far as they are known."""

    question: MixedCount
    found: tuple[tuple[int, ExactComposition], ...]
