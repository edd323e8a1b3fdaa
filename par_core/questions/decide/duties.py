"""What a reviewer asks, what the scenario answers, and what only the steward can; and what others report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from par_core.datasets import deployments as others
from par_core.decision import KEYS, Duty, Total, duties, total
from par_core.evidence import Quantity
from par_core.figures import decide as figures
from par_core.parameters import check_choice
from par_core.plan import PlanScenario
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Headline, Listed, More, Own, Sentence, Table, Words
from par_core.questions.plan_assumptions import holds_if
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible

_STATES = {"answered": "answered", "open": "open", "against": "fails"}


@dataclass(frozen=True, repr=False)
class Duties(Question):
    """What does a reviewer ask of the scenario's releases, and what does it answer?"""

    ticked: tuple[str, ...] = ()  # the keys of those that the steward has settled

    def __post_init__(self) -> None:
        must_be_possible(self.scenario)
        for each in self.ticked:
            check_choice("ticked", each, KEYS)

    @property
    def dials(self) -> tuple[str, ...]:
        return () if isinstance(self.scenario, PlanScenario) else ("scenario.epsilon0",)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> DutiesAnswer:
        return DutiesAnswer(self, duties(self.scenario), total(self.scenario))


@dataclass(frozen=True)
class DutiesAnswer(Answer):
    """The questions of a reviewer, and what all releases spend together."""

    question: Duties
    asked: tuple[Duty, ...]
    total: Total

    def in_state(self, state: str) -> list[Duty]:
        """Return those that the scenario answers, leaves open, or speaks against."""
        return [each for each in self.asked if each.state == state]

    @property
    def ticked(self) -> list[Duty]:
        """Those that the scenario leaves open and the steward has settled."""
        return [each for each in self.in_state("open") if each.key in self.question.ticked]

    def numbers(self) -> dict[str, Quantity]:
        return {"all_releases_together": self.total.quantity("epsilon")}

    def story(self) -> Iterator[Block]:
        found, against = self.total, len(self.in_state("against"))
        yield Headline(
            "Your {noun} answers {answered} of {number} questions that a reviewer asks{fails}",
            answered=len(self.in_state("answered")),
            number=len(self.asked),
            noun=self.question.scenario.noun,
            fails=f" and fails {against}" if against else "",
            term="duties",
        )
        number, less = len(others.deployments()), len(others.reporting_less(found.epsilon, delta=found.delta))
        yield Sentence(
            "Your {releases} at most ε = {found.epsilon}; {less} of {number} deployments report less.",
            releases=f"{found.releases:,} releases together spend" if found.releases > 1 else "release spends",
            found=found,
            less=less,
            number=number,
        )
        yield Chart(
            "precedents",
            partial(figures.precedents, found, deployments=others.deployments()),
            Words(
                "{number} deployments by the ε that they report, and your total of {found.epsilon}: {less} report less.",
                found=found,
                number=number,
                less=less,
            ),
            others.SOURCE,
            partial(figures.precedents_table, found, deployments=others.deployments()),
            {"limits": others.NOTE},
        )
        yield from holds_if(self.question.scenario)
        yield More("nearest_deployments", "Nearest deployments", self._nearest)
        yield Own("duties", (on_paper(self.asked, self.question.ticked, self.question.scenario.noun),))

    def _nearest(self) -> Iterator[Block]:
        lines = []
        for each in others.nearest(self.total.epsilon, delta=self.total.delta):
            told, unit = figures.reported(each, each.level(self.total.delta))
            lines.append(
                Words(
                    "{named}: {told} ({unit})", named=f"{each.curator} {each.year}, {each.name}", told=told, unit=unit
                )
            )
        announced = Words("As reported to the OpenDP deployments registry, and not reviewed:")
        yield Listed(announced, tuple(lines))


def on_paper(asked: tuple[Duty, ...], ticked: tuple[str, ...], noun: str) -> More:
    """Return what a reviewer asks, what the scenario or plan, as its noun says, answers, and whether that is an answer."""
    states = [
        "yes, says the author" if each.state == "open" and each.key in ticked else _STATES[each.state] for each in asked
    ]
    asks, said = [each.question for each in asked], [says(each) for each in asked]
    table = Table({"Question": asks, f"What the {noun} says": said, "State": states}, "What a reviewer asks.")
    return More("duties", "What a reviewer asks", (table,))


def says(duty: Duty, lead: str = "") -> Words:
    """Return what the scenario says to a duty, with a mark where it is a computed number."""
    return Words("{lead}{says}", lead=lead, says=duty.says, evidence_from=duty if duty.computed else None)
