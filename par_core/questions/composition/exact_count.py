"""What releases of one level spend together, counted exactly: what takes longest, and is the same whichever curves are drawn over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from par_core import composition
from par_core.composition import Comparison, ExactComposition
from par_core.composition.brackets import NARROW
from par_core.composition.planned_releases import exact_after
from par_core.errors import InfeasibleError
from par_core.export.sentences import level0
from par_core.mechanisms import Mechanism
from par_core.progress import Progress
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.rounding import small
from par_core.scenario import Scenario

SMALLEST_LEVEL: Final = 1e-6  # level that is composed
LARGEST_LEVEL: Final = 50.0
MOST: Final = 20_000  # releases
_QUICK = 500  # releases that are counted at once
FEW: Final = 12  # numbers of releases of another mechanism than the paper's that are counted at once


@dataclass(frozen=True, repr=False)
class ExactCount(Question):
    """What do so many releases with the noise of a scenario spend together?"""

    numbers: tuple[int, ...] = (1,)
    delta: float = 1e-5  # of all together

    @property
    def long(self) -> str:
        many = self.numbers[-1] * self.scenario.by_statistic[1] > _QUICK or (
            not self.scenario.as_published and len(self.numbers) > FEW
        )
        return "Counting exactly" * many

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> ExactCountAnswer:
        return ExactCountAnswer(self, exact_after(self.scenario, self.numbers, delta=self.delta, progress=progress))


@dataclass(frozen=True)
class ExactCountAnswer(Answer):
    """What the releases spend, at each of the numbers."""

    question: ExactCount
    found: ExactComposition

    @property
    def mechanism(self) -> Mechanism | None:
        """What makes each release private, if it is not the paper's noise."""
        scenario = self.question.scenario
        return None if scenario.as_published else scenario.release

    def at(self, numbers: tuple[int, ...]) -> ExactCountAnswer:
        """Return the same at some of the numbers."""
        places, found = [self.question.numbers.index(each) for each in numbers], self.found
        value, lower, upper, added = (
            np.asarray(each)[places] for each in (found.value, found.lower, found.upper, found.added)
        )
        part = replace(found, value=value, lower=lower, upper=upper, added=added)
        return ExactCountAnswer(replace(self.question, numbers=numbers), part)

    def compared(self, keys: Sequence[str], k: int = 1) -> Comparison:
        """Return accountants beside it, those of the paper for the dimension k."""
        asked = self.question
        release, numbers = asked.scenario.release, asked.numbers
        return composition.compare(release, numbers, delta=asked.delta, keys=keys, k=k, truth=self.found)


def can_have(epsilon0: float) -> bool:
    """Return whether releases of a level can be composed."""
    return SMALLEST_LEVEL <= epsilon0 <= LARGEST_LEVEL


def must_be_composed(scenario: Scenario) -> None:
    """Raise InfeasibleError where releases at the level of a scenario are not composed."""
    if not can_have(scenario.epsilon0):
        raise InfeasibleError(
            f"releases are composed for ε₀ from {small(SMALLEST_LEVEL)} to {LARGEST_LEVEL:g}. Your scenario has "
            f"{level0(scenario.epsilon0)}; change it in the sidebar"
        )


def usual_epsilon0(scenario: Scenario) -> float:
    """Return the level of each release, unless another one is asked for."""
    return scenario.epsilon0 if can_have(scenario.epsilon0) else Scenario.epsilon0


def noise_of(scenario: Scenario, epsilon0: float) -> Scenario:
    """Return what of a scenario makes one release private, at a level: nothing else has a part in what many spend."""
    if scenario.as_published:
        return Scenario(epsilon0=epsilon0, statistics=scenario.statistics)
    plain = {name: getattr(Scenario, name) for name in ("releases", "stakeholders", "compensation", "currency")}
    return replace(scenario, epsilon0=epsilon0, **plain)


def is_bound(found: ExactComposition, at: int) -> bool:
    """Return whether the truth at one of the numbers may lie well below what is told."""
    return bool(found.lower[at] < (1 - NARROW) * found.upper[at])
