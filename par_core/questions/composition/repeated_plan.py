"""How often the whole plan can be made within a target, and at which epsilon0 it fits once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from par_core.composition import ExactComposition, exact
from par_core.decision import Band, ReleasesWish, decide
from par_core.evidence import Quantity
from par_core.figures import composition as figures
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.parameters import check_number
from par_core.plan import PlanScenario, PlanTotals, totals
from par_core.progress import Progress, portion
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Note, Sentence, Words
from par_core.questions.composition import formulas
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.scenario_blocks import use_epsilon0
from par_core.rounding import amount, small
from par_core.scenario import HARDLY_PRIVATE

_DRAWN = 6  # so many times the whole plan are drawn, where fewer fit
_POINTS = 12
_MOST = 1_000_000  # releases that are composed


@dataclass(frozen=True, repr=False)
class RepeatedPlan(Question):
    """How often can the whole plan be made within a target, and at which ε₀ does it fit once?"""

    target: float = 3.0  # ε′ of all together, at the δ of the plan

    dials = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "scenario", PlanScenario.whichever(self.scenario))
        check_number("target", self.target, above=0.0)

    @property
    def plan(self) -> PlanScenario:
        """The plan."""
        assert isinstance(self.scenario, PlanScenario)
        return self.scenario

    @property
    def unread(self) -> tuple[str, ...]:
        return ("k", "sensitivity", "rows_per_person", "statistics", "mechanism", "stakeholders", "compensation")

    @property
    def long(self) -> str:
        return "Counting exactly"

    def spent(self, times: int) -> float:
        """Return what the whole plan spends, so many times over."""
        whole = self.plan.whole
        return whole.together.n_fold(times).quick_epsilon(whole.delta)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> RepeatedPlanAnswer:
        times, whole = self._times(), self.plan.whole
        (band,) = decide([ReleasesWish(self.target)], self.plan).bands
        tell, last = portion(progress), min(max(_DRAWN, times + 1), self.most)
        step, found = math.ceil(last / _POINTS), dict[int, ExactComposition]()
        for number in dict.fromkeys((*range(1, last, step), last)):
            found[number] = exact(whole.together.n_fold(number), delta=whole.delta)
            tell(number / last)
        return RepeatedPlanAnswer(self, times, band, tuple(found.items()))

    @property
    def most(self) -> int:
        """How often the plan is counted at most."""
        return max(_MOST // sum(each for _, each in self.plan.whole.together.parts), 1)

    def _times(self) -> int:
        """Return how often the plan fits; it spends the more the more often it is made."""
        fits, beyond, most = 0, 1, self.most
        while beyond <= most and self.spent(beyond) <= self.target:
            fits, beyond = beyond, beyond * 2
        beyond = min(beyond, most + 1)
        while fits + 1 < beyond:
            middle = (fits + beyond) // 2
            fits, beyond = (middle, beyond) if self.spent(middle) <= self.target else (fits, middle)
        return fits


@dataclass(frozen=True)
class RepeatedPlanAnswer(Answer):
    """How often the plan fits, the levels at which it fits once, and what it spends after each time."""

    question: RepeatedPlan
    times: int
    band: Band
    found: tuple[tuple[int, ExactComposition], ...]

    @cached_property
    def once(self) -> PlanTotals:
        """What the plan comes to."""
        return totals(self.question.plan.whole)

    def numbers(self) -> dict[str, Quantity]:
        found = {"all_releases": self.once.quantity("epsilon"), "times": PlanTotals.as_quantity("times", self.times)}
        return found | ({"epsilon0": self.band.quantity("high")} if self.band.possible else {})

    def story(self) -> Iterator[Block]:
        asked, plan, times = self.question, self.question.plan, self.times
        within, many = (
            f"ε′\u00a0=\u00a0{amount(asked.target, 4)}",
            f"{times:,} times{' or more' * (times == asked.most)}",
        )
        many = {0: "cannot be made even once", 1: "can be made once"}.get(times, f"can be made {many}")
        yield Headline(f"The whole plan {many} within {within}")
        each = "it spends" if plan.releases == 1 else f"its {plan.releases:,} releases together spend"
        yield Sentence(
            f"Made once at {{epsilon0:level0}}, {each} **ε = {{spent}}** (δ\u00a0=\u00a0{small(plan.delta)}).",
            epsilon0=plan.epsilon0,
            spent=self.once.quantity("epsilon"),
            term="spent",
        )
        yield self._chart()
        yield from self._level()
        if asked.target > HARDLY_PRIVATE:
            yield Sentence("With such a target next to nothing is protected.", claims=())
        yield Note("The paper's accountants are about releases that are all alike, so none of them is asked here.")
        yield Formulas("plan", formulas.WITHIN_TARGET)

    def _level(self) -> Iterator[Block]:
        if not self.band.possible:
            yield Sentence("No ε₀ is small enough for the plan to be made once within this target.")
            return
        at_limit = " or more" * self.band.at_limit
        yield Sentence(f"Made once, the plan may use ε₀ up to **{{band.high}}**{at_limit}.", band=self.band)
        yield from use_epsilon0(self.band.quantity("high"), self.question.plan)

    def _chart(self) -> Chart:
        asked, plan = self.question, self.question.plan
        last, spent = self.found[-1]
        return Chart(
            "privacy_spent_by_repeated_plan",
            self._drawn,
            Words(
                f"Privacy spent when the whole plan is made 1 to {last:,} times, with the target {asked.target:g}: "
                f"{format_quantity(self.once.quantity('epsilon'))} after the first time, at most {{upper}} after the last.",
                upper=spent.quantity("upper"),
            ),
            spent.source,
            notes={"delta": repr(plan.delta), "target": repr(asked.target)},
        )

    def _drawn(self) -> Drawing:
        asked, delta = self.question, self.question.plan.delta
        times, found = zip(*self.found, strict=True)
        spent = figures.Running(delta, asked.target, times, [float(each.added) for each in found], None, found)
        return figures.running(spent, of="plan")
