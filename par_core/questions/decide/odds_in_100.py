"""Of 100 releases, how many point to a person who is in the data, and how many if not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from par_core.decision import Odds, odds
from par_core.evidence import Quantity
from par_core.figures import decide as figures
from par_core.plan import PlanScenario
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Headline, Sentence, Words
from par_core.questions.plan_assumptions import holds_if
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.rounding import rounded


@dataclass(frozen=True, repr=False)
class OddsIn100(Question):
    """How many of 100 releases point to a person who is in the data, and how many if they are not?"""

    all_releases: bool = False  # together

    def __post_init__(self) -> None:
        must_be_possible(self.scenario)

    @property
    def dials(self) -> tuple[str, ...]:
        scenario = self.scenario
        slow = isinstance(scenario, PlanScenario) and (self.all_releases or not scenario.is_quick)
        return () if slow else ("scenario.epsilon0",)

    @property
    def unread(self) -> tuple[str, ...]:
        return () if self.all_releases else ("releases",)

    @property
    def level(self) -> float:
        """The level that is asked about: of one release, or of all together."""
        return self.scenario.epsilon0 if self.all_releases else self.scenario.level

    @property
    def named_level(self) -> float:
        """The level as a title names it: the part of a plan, which nobody has typed, with four digits."""
        return self.level if self.level == self.scenario.epsilon0 else rounded(self.level, 4)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> OddsIn100Answer:
        return OddsIn100Answer(self, odds(self.scenario, releases=self.scenario.releases if self.all_releases else 1))


@dataclass(frozen=True)
class OddsIn100Answer(Answer):
    """How likely what is published points to the person."""

    question: OddsIn100
    found: Odds

    def numbers(self) -> dict[str, Quantity]:
        found = self.found
        of_100 = (Quantity(figures.of_100(each), "count", found.evidence) for each in (found.if_in, found.if_out))
        told = {"of_100_point_to_you_if_in": next(of_100), "of_100_point_to_you_if_not": next(of_100)}
        return told | {"exactly_if_in": found.quantity("if_in"), "exactly_if_not": found.quantity("if_out")}

    def story(self) -> Iterator[Block]:
        found = self.found
        words = "Of 100 releases, {inside} point to you if you are in the data, {outside} if not"
        if found.releases > 1:
            words = f"{found.releases:,} releases together point to you {{inside}} times in 100 if you are in, {{outside}} if not"
        yield Headline(words, inside=figures.of_100(found.if_in), outside=figures.of_100(found.if_out), term="odds")
        yield Chart(
            "odds_in_100",
            partial(figures.odds, found, epsilon0=self.question.named_level),
            Words(
                "Two blocks of 100 squares: {found.if_in} point to you if you are in the data, {found.if_out} if you are not.",
                found=found,
            ),
            found.source,
            partial(figures.odds_table, found),
        )
        yield Sentence(
            "More precisely: {found.if_in} and {found.if_out}. The closer the two numbers, the less anyone learns about your record.",
            found=found,
        )
        yield from holds_if(self.question.scenario)
