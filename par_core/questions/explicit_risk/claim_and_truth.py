"""The published risk over the exact probabilities, simulated releases on top, a change that is known, and Theorem 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from par_core.evidence import Quantity
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, More, Note, Own, Sentence, Words
from par_core.questions.explicit_risk.claimed_and_true import claimed_and_true, why_they_differ
from par_core.questions.explicit_risk.formulas import TRUTH
from par_core.questions.glossary import explain
from par_core.questions.question import Answer, Ask, Question, anew, must_be_published
from par_core.risk import explicit_curves, relaxations
from par_core.risk.simulation import LossSimulation
from par_core.scenario import Scenario


@dataclass(frozen=True, repr=False)
class SimulatedLosses(Question):
    """How often do simulated releases lose more than ε?"""

    even: bool = False  # the change lies evenly in all k numbers, and not in one
    size: int = 100_000  # releases
    seed: int = 1

    def __post_init__(self) -> None:
        must_be_published(self.scenario)

    @property
    def long(self) -> str:
        return "Simulating"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> SimulatedLossesAnswer:
        level, k = self.scenario.epsilon0, self.scenario.k
        drawn = explicit_curves.simulate(level, k, even=self.even, size=self.size, seed=self.seed, progress=progress)
        return SimulatedLossesAnswer(self, drawn)

    def is_of(self, scenario: Scenario) -> bool:
        """Return whether it stays the same simulation in this scenario."""
        return (self.scenario.epsilon0, self.scenario.k) == (scenario.epsilon0, scenario.k)


@dataclass(frozen=True)
class SimulatedLossesAnswer(Answer):
    """Simulated releases, each bar with its interval."""

    question: SimulatedLosses
    drawn: LossSimulation

    def numbers(self) -> dict[str, Quantity]:
        return {}  # each bar is a number of its own

    def story(self) -> Iterator[Block]:
        drawn = self.drawn
        yield Sentence(
            "{size:,} simulated releases; each bar holds the truth with 99\u00a0% probability, on its own, not all at once.",
            size=drawn.size,
            evidence_from=drawn,
        )
        if drawn.k > 1 and self.question.even:
            yield Sentence(
                "The change is spread evenly over {k:,} numbers; the solid curves are for the worst case, in which it is in one, so the "
                "points may lie below them.",
                k=drawn.k,
            )
        if drawn.size < self.question.size:
            yield Sentence(
                "More than {size:,} releases of {k:,} numbers each would take too long here.",
                size=drawn.size,
                k=drawn.k,
            )


@dataclass(frozen=True, repr=False)
class ClaimAndTruth(Question):
    """How far is the published risk from the truth?"""

    epsilon: float = 0.4
    simulated: SimulatedLosses | None = None  # drawn over the curves for as long as it is of the same noise

    def __post_init__(self) -> None:
        must_be_published(self.scenario)
        check_number("epsilon", self.epsilon, above=0.0)

    def needs(self) -> tuple[Question, ...]:
        there = self.simulated is not None and self.simulated.is_of(self.scenario)
        return (self.simulated,) if there and self.simulated else ()

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> ClaimAndTruthAnswer:
        own = explicit_curves.risk_at(self.epsilon, self.scenario.epsilon0, k=self.scenario.k)
        simulated = [of(each) for each in self.needs()]
        return ClaimAndTruthAnswer(self, own, simulated[0] if simulated else None)


@dataclass(frozen=True)
class ClaimAndTruthAnswer(Answer):
    """The published and the exact risk at the reader's setting, and what was simulated."""

    question: ClaimAndTruth
    own: explicit_curves.RiskAt
    simulated: SimulatedLossesAnswer | None

    def numbers(self) -> dict[str, Quantity]:
        return {"exact_risk": self.own.quantity("exact_risk"), "published_risk": self.own.quantity("risk")}

    def story(self) -> Iterator[Block]:
        own = self.own
        yield from claimed_and_true(own)
        yield Chart(
            "claim_against_truth",
            self._drawn,
            Words(
                "Published risk and exact probabilities against ε for ε₀ = {own.epsilon0:g}. At ε = {own.epsilon:g}: published "
                "{own.risk}, exact {own.exact_risk}.",
                own=own,
            ),
            explicit_curves.TruthCurves.evidence.source,
        )
        yield from why_they_differ(own)
        yield Note(explain("loss"))
        if self.simulated:
            yield from self.simulated.story()
        yield Own("known_change")
        if own.epsilon < own.epsilon0:
            yield More("theorem_2", "For specialists: Theorem 2 and δ", self._theorem_2)
        yield Formulas("claim_against_truth", TRUTH)

    def _drawn(self) -> Drawing:
        scenario = self.question.scenario
        drawn = self.simulated.drawn if self.simulated else None
        return figures.truth(explicit_curves.truth(scenario.epsilon0, scenario.k), own=self.own, simulated=drawn)

    def _theorem_2(self) -> Iterator[Block]:
        scenario, epsilon = self.question.scenario, self.question.epsilon
        claim = relaxations.approximate_delta(epsilon, scenario.epsilon0, k=scenario.k)
        verdict = (
            "The claim is too small: it is false here."
            if claim.published < claim.exact
            else "The claim happens to be large enough here, but this does not prove it."
        )
        yield Sentence(
            "Theorem 2 turns a risk into the δ of (ε, δ)-DP. It is sound for a fixed pair of tables and the true risk. Fed with the risk "
            f"of Theorem 4 it claims δ = {{claim.published}} at {{epsilon:level}}; the smallest δ that holds is {{claim.exact}}. {verdict}",
            claim=claim,
            epsilon=epsilon,
        )
