"""How alike two noises are, and what happens to the paper's promise when an answer is processed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from par_core.evidence import Quantity
from par_core.figures import explicit_risk as figures
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Sentence, Words
from par_core.questions.explicit_risk.formulas import PIECES
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.scenario_blocks import only_laplace
from par_core.risk import explicit_curves, relaxations
from par_core.rounding import amount


@dataclass(frozen=True, repr=False)
class OverlapAndProcessing(Question):
    """What do the overlap of two noises and the loss after a threshold say about privacy at risk?"""

    epsilon: float = 0.4
    threshold: float = 0.5  # in units of the sensitivity; published is whether the noisy answer is above it

    def __post_init__(self) -> None:
        check_number("epsilon", self.epsilon, above=0.0)
        check_number("threshold", self.threshold)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> OverlapAndProcessingAnswer:
        level = self.scenario.epsilon0
        return OverlapAndProcessingAnswer(
            self,
            explicit_curves.noise_overlap(level, self.epsilon),
            relaxations.thresholded_loss(self.epsilon, level, threshold=self.threshold),
        )


@dataclass(frozen=True)
class OverlapAndProcessingAnswer(Answer):
    """The overlap of the noises for ε₀ and for ε, and how often the loss exceeds ε before and after a threshold."""

    question: OverlapAndProcessing
    curves: explicit_curves.NoiseOverlap
    own: relaxations.ThresholdedLoss

    def numbers(self) -> dict[str, Quantity]:
        before, after = (self.own.quantity(name) for name in ("exceeds_before", "exceeds_after"))
        return {"overlap": self.curves.quantity("overlap"), "exceeds_before": before, "exceeds_after": after}

    def story(self) -> Iterator[Block]:
        asked, curves, own = self.question, self.curves, self.own
        level = asked.scenario.epsilon0
        yield Headline("An overlap of {curves.overlap} says nothing about the privacy loss", curves=curves, bare=True)
        yield Sentence(
            "That is the area shared by the noise for {epsilon0:level0} and the noise for {epsilon:level}.",
            epsilon0=level,
            epsilon=asked.epsilon,
            evidence_from=curves.quantity("overlap"),
            term="overlap",
        )
        alike = Words("Two noise densities; they share an area of {curves.overlap}.", curves=curves)
        yield Chart("noise_overlap", lambda: figures.overlap(curves), alike, curves.source)
        yield Sentence(
            "The paper concludes that both are equally private in that share of releases. They are not: the privacy loss depends on "
            "how far two neighbouring *tables* move the answer."
        )
        moral = (
            "So privacy at risk is not kept by post-processing (Corollary 2 of the paper says so, rightly)."
            if own.exceeds_after > own.exceeds_before
            else "Here it did not rise; with the threshold 0.5 and ε a little below ε₀ it can."
        )
        yield Sentence(
            "Publish only whether the noisy answer is above {threshold}. Before, in the worst case, the loss is above {own.epsilon:level} "
            "in {own.exceeds_before} of releases; afterwards in **{own.exceeds_after}**. The loss is now {own.loss_above:+.3f} for "
            f"“above” and {{own.loss_below:+.3f}} for “not above”. {moral} The guarantee of ε₀ always stays.",
            own=own,
            threshold=amount(asked.threshold),
            term="post_processing",
        )
        yield Chart(
            "post_processing",
            lambda: figures.thresholded(explicit_curves.post_processing(level, asked.threshold), own=own),
            Words(
                "Probability that the absolute loss is above ε, before and after a threshold: {own.exceeds_before} and "
                "{own.exceeds_after} at ε = {own.epsilon:g}.",
                own=own,
            ),
            own.source,
        )
        yield from only_laplace("This section is", asked.scenario)
        yield Formulas("pieces", PIECES)
