"""What stands in place of the paper's figures where the scenario has another mechanism than Laplace noise: the exact curves alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from par_core.evidence import Quantity
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Headline, Note, Sentence, Words
from par_core.questions.glossary import explain
from par_core.questions.question import Answer, Ask, Question, anew, levels_around, must_be_possible
from par_core.risk.loss_curves import LossAt, loss_at, loss_curves


@dataclass(frozen=True, repr=False)
class LossOfMechanism(Question):
    """How often does one release lose more than ε, whatever its mechanism, and which δ goes with it?"""

    epsilon: float = 0.4

    def __post_init__(self) -> None:
        must_be_possible(self.scenario)
        check_number("epsilon", self.epsilon, above=0.0)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> LossOfMechanismAnswer:
        return LossOfMechanismAnswer(self, loss_at(self.scenario, self.epsilon))

    @property
    def key(self) -> str:
        """The name of the picture."""
        return "loss_and_profile"

    def drawn(self, own: LossAt) -> Drawing:
        """Return the picture, with the reader's own setting in it."""
        return figures.loss_truth(loss_curves(self.scenario)[0], own=own)


@dataclass(frozen=True, repr=False)
class LossByLevel(LossOfMechanism):
    """How often does one release lose more than ε, with as much privacy as each of several levels?"""

    epsilon0s: tuple[float, ...] | None = None  # None: that of the scenario, its half and its double; none: that alone

    @property
    def key(self) -> str:
        return "loss_of_a_release" if self.epsilon0s == () else "loss_by_epsilon0"

    @property
    def drawn_epsilon0s(self) -> tuple[float, ...]:
        """The levels that have a curve."""
        epsilon0 = self.scenario.epsilon0
        return levels_around(epsilon0) if self.epsilon0s is None else self.epsilon0s or (epsilon0,)

    def drawn(self, own: LossAt) -> Drawing:
        return figures.loss_levels(loss_curves(self.scenario, self.drawn_epsilon0s), own=own)


@dataclass(frozen=True)
class LossOfMechanismAnswer(Answer):
    """What one release gives away beyond ε."""

    question: LossOfMechanism
    own: LossAt

    def numbers(self) -> dict[str, Quantity]:
        return {name: self.own.quantity(name) for name in ("two_sided", "one_sided", "delta")}

    def story(self) -> Iterator[Block]:
        own = self.own
        yield self._headline()
        yield Sentence("That is two-sided, |loss| > ε, for {name} and worst-case neighbouring tables.", name=own.name)
        yield Chart(
            self.question.key,
            lambda: self.question.drawn(own),
            Words(
                "Probability that the privacy loss exceeds ε, exact, {name}. At ε = {own.epsilon:g} and ε₀ = {own.epsilon0:g}: "
                "{own.two_sided}.",
                own=own,
                name=own.name,
            ),
            own.source,
        )
        yield Sentence(
            "One-sided, the loss exceeds ε in {own.one_sided} of releases; the smallest δ for ε is {own.delta}.",
            own=own,
        )
        yield Sentence(
            "The paper's formula is for Laplace noise only, so its curve is not drawn here. These hold for every k."
        )
        if own.largest <= own.epsilon0:
            yield Note(explain("loss"))

    def _headline(self) -> Headline:
        own = self.own
        if own.epsilon >= own.largest:
            never = "One release with {own.epsilon0:level0} never loses more than {own.epsilon:level}"
            return Headline(never, own=own, evidence_from=own)
        if own.two_sided == 1.0:
            return Headline("Privacy loss exceeds {own.epsilon:level} in every release", own=own, evidence_from=own)
        return Headline("Privacy loss exceeds {own.epsilon:level} in {own.two_sided} of releases at worst", own=own)
