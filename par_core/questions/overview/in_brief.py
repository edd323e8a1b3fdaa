"""The gist of a page for a card: one small picture and one sentence, of the answer that the page itself gives where it has that number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from par_core.composition import LARGEST_EPSILON0, Comparison, compare
from par_core.cost import says_little
from par_core.figures import overview as figures
from par_core.figures.your_table import small_error_against_epsilon0
from par_core.progress import Progress
from par_core.queries import Comparison as Relation
from par_core.queries import Condition, Count
from par_core.questions.blocks import Block, Chart, Sentence, Words
from par_core.questions.budget_minimiser.claimed_saving import ClaimedSaving, ClaimedSavingAnswer
from par_core.questions.explicit_risk.attacker_gains import AttackerGains, AttackerGainsAnswer
from par_core.questions.explicit_risk.claim_and_truth import ClaimAndTruth, ClaimAndTruthAnswer
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.release import PlannedRelease, error_curves, plan, within
from par_core.risk import explicit_curves
from par_core.rounding import error, small
from par_core.standing import Quantity

_NUMBERS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)
_POINTS = 61


@dataclass(frozen=True, repr=False)
class BeliefInBrief(Question):
    """What could an attacker who is half sure find out?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> BeliefInBriefAnswer:
        return BeliefInBriefAnswer(self, of(AttackerGains(self.scenario)))


@dataclass(frozen=True)
class BeliefInBriefAnswer(Answer):
    """What the page on the attacker answers."""

    question: BeliefInBrief
    whole: AttackerGainsAnswer

    def numbers(self) -> dict[str, Quantity]:
        return {"belief_after": self.whole.believed.quantity("believed")}

    def story(self) -> Iterator[Block]:
        level = self.question.scenario.epsilon0
        yield Chart(
            "card_belief",
            lambda: figures.belief(explicit_curves.attacks(level, level, points=_POINTS)),
            Words("Worst belief after the release against belief before, at ε₀ = {level:g}.", level=level),
            "",
        )
        yield Sentence(
            "An attacker half sure becomes at most **{after}** sure.", after=self.whole.believed.quantity("believed")
        )


@dataclass(frozen=True, repr=False)
class TruthInBrief(Question):
    """How private is one release, in truth?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> TruthInBriefAnswer:
        return TruthInBriefAnswer(self, of(ClaimAndTruth(self.scenario, self.scenario.epsilon0 / 2)))


@dataclass(frozen=True)
class TruthInBriefAnswer(Answer):
    """What the page on the paper's claim answers at half the level."""

    question: TruthInBrief
    whole: ClaimAndTruthAnswer

    def numbers(self) -> dict[str, Quantity]:
        return self.whole.numbers()

    def story(self) -> Iterator[Block]:
        scenario = self.question.scenario
        yield Chart(
            "card_truth",
            lambda: figures.truth(explicit_curves.truth(scenario.epsilon0, scenario.k, points=_POINTS)),
            Words("Published risk under the exact risk at ε₀ = {level:g}.", level=scenario.epsilon0),
            "",
        )
        yield Sentence(
            "A paper says that the loss exceeds half of ε₀ in {half.risk} of releases; in truth, at worst, in **{half.exact_risk}**.",
            half=self.whole.own,
        )


@dataclass(frozen=True, repr=False)
class SpentInBrief(Question):
    """How much do a hundred releases spend together?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> SpentInBriefAnswer:
        level, delta = self.scenario.epsilon0, self.scenario.delta
        found = compare(level, _NUMBERS, delta=delta, keys=["basic"]) if level <= LARGEST_EPSILON0 else None
        return SpentInBriefAnswer(self, found)


@dataclass(frozen=True)
class SpentInBriefAnswer(Answer):
    """Basic and exact composition; nothing where a single release protects nobody."""

    question: SpentInBrief
    compared: Comparison | None

    def numbers(self) -> dict[str, Quantity]:
        if self.compared is None:
            return {}
        return {"together": self.compared.exact.quantity("upper", -1), "added": self._added}

    @property
    def _added(self) -> Quantity:
        assert self.compared is not None
        return self.compared.curves[0].quantity("epsilon", -1)

    def story(self) -> Iterator[Block]:
        level, compared = self.question.scenario.epsilon0, self.compared
        if compared is None:
            yield Sentence(
                "At {level:level0} a single release protects nobody: there is nothing left to spend.", level=level
            )
            return
        yield Chart(
            "card_spent",
            lambda: figures.spent(compared),
            Words(
                "Privacy spent by up to {most} releases at ε₀ = {level:g}, by basic composition and exact.",
                most=_NUMBERS[-1],
                level=level,
            ),
            "",
        )
        yield Sentence(
            f"{_NUMBERS[-1]} releases spend **{{together}}** together (δ\u00a0=\u00a0{small(compared.delta)}), not their sum of {{added}}.",
            together=compared.exact.quantity("upper", -1),
            added=self._added,
        )


@dataclass(frozen=True, repr=False)
class CostInBrief(Question):
    """What can be saved of the cost of a breach?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> CostInBriefAnswer:
        return CostInBriefAnswer(self, of(ClaimedSaving(self.scenario)))


@dataclass(frozen=True)
class CostInBriefAnswer(Answer):
    """What the page on the cost of a breach answers."""

    question: CostInBrief
    whole: ClaimedSavingAnswer

    def numbers(self) -> dict[str, Quantity]:
        return self.whole.numbers()

    def story(self) -> Iterator[Block]:
        scenario, whole = self.question.scenario, self.whole
        yield Chart(
            "card_cost",
            lambda: figures.cost(whole.own, currency=scenario.currency),
            Words("Budget for a breach at ε₀ = {level:g}, as published and exact.", level=scenario.epsilon0),
            "",
        )
        yield whole.in_short
        if says_little(whole.question.model, scenario.epsilon0):
            yield Sentence("At this ε₀ the model says next to nothing.")


@dataclass(frozen=True, repr=False)
class CountInBrief(Question):
    """How far off will a count be?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> CountInBriefAnswer:
        scenario = self.scenario
        planned = plan(
            Count(Condition("any column", Relation.EQUAL, "any value")),
            scenario.epsilon0,
            neighbours=scenario.neighbours,
            rows_per_person=scenario.rows_per_person,
            mechanism=scenario.mechanism,
            delta=scenario.delta,
            statistics=scenario.statistics,
        )
        return CountInBriefAnswer(self, planned)


@dataclass(frozen=True)
class CountInBriefAnswer(Answer):
    """The plan of a count."""

    question: CountInBrief
    planned: PlannedRelease

    def numbers(self) -> dict[str, Quantity]:
        return {"within": Quantity(within(self.planned).each, "error", self.planned.standing, "up")}

    def story(self) -> Iterator[Block]:
        scenario, planned = self.question.scenario, self.planned
        curves = error_curves(planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics)
        yield Chart(
            "card_own_table",
            lambda: small_error_against_epsilon0(curves),
            Words("Error of a count against ε₀, with ε₀ = {level:g} marked.", level=scenario.epsilon0),
            "",
        )
        off = within(planned).each
        close = f"is within **{error(off)}** of the truth" if off else "is **exact**"
        yield Sentence(f"A count {close} in 95 of 100 releases.", standing_of=planned)
