"""Why the proof of Theorem 4 fails: one noise draw seen from two tables, which it takes for two draws, in four steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from par_core.evidence import Quantity
from par_core.figures import lab_proof as figures
from par_core.figures.drawing import Drawing
from par_core.lab import why_the_proof_fails as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Headline, More, Sentence, Words
from par_core.questions.mechanism_lab.lab_question import LabQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew
from par_core.risk import explicit_curves

_HEADLINES = {
    1: "Table x answers 0, the noise drawn is {drawn.noise}: {drawn.noise} is published",
    2: "From table y the same release is a noise of {drawn.noise_from_y}, not {drawn.noise}",
    3: "{pairs.on_edge} of releases lie on the outer lines (loss ±ε₀), but none of the proof's pairs",
    4: "The loss exceeds {own.epsilon:level} in {own.exact_risk} of releases; the proof says {own.risk}",
}
_SENTENCES = {
    1: "All is in units of the sensitivity: how far one person moves the answer at most.",
    2: "Table y answers 1: the two noises are always 1 apart, because there is one draw.",
    3: "The proof draws X₁ and X₂ independently and gets the cloud; one draw gives the dark line.",
    4: "Dashed: the law of two independent draws, Theorem 4; solid: that of the one draw there is.",
}
_WHICH_LINE = (
    "*Privacy at Risk*, appendix B, for an answer z of the table x and its neighbour y.  \n"
    "**Lemma 6** is right: |X₁ − X₂| ≤ Δf, where X₁ = Σ|f(xᵢ) − zᵢ| and X₂ = Σ|f(yᵢ) − zᵢ|.  \n"
    "**Equation 15** takes both f(x) − z and f(y) − z for Lap(Δf/ε₀). There is one z: if the first is, the second has its centre at "
    "f(y) − f(x).  \n"
    "**Equation 17** then puts X₁ and X₂ into Lemmas 9 and 10, which are about *independent* Gamma(k, Δf/ε₀) variables. Here X₁ and "
    "the sign of the noise fix X₂. **This is the false link**; equation 18 and Theorem 4 inherit it."
)


@dataclass(frozen=True, repr=False)
class WhyTheProofFails(LabQuestion):
    """What does the proof of Theorem 4 take for two draws of noise? Its ε is the ε₀ that the noise is made for."""

    step: int = 1
    drawn: float = 1.25  # the noise, in units of the sensitivity
    hoped: float = 0.5  # the level hoped for, as a part of ε₀

    ranges: ClassVar = {
        "step": Range("Step", 1, 4),
        "drawn": Range("Noise drawn", 1 - lab.VIEW, lab.VIEW),
        "hoped": Range("Level hoped for, ε as a part of ε₀", 0.01, 0.99),
    }

    @property
    def given(self) -> dict[str, str]:
        return {"ε₀" if name == "ε" else name: words for name, words in super().given.items()}

    @property
    def dials(self) -> tuple[str, ...]:
        return "step", "epsilon", "drawn" if self.step < 4 else "hoped"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> WhyTheProofFailsAnswer:
        own = explicit_curves.risk_at(self.hoped * self.level, self.level)
        return WhyTheProofFailsAnswer(self, lab.one_draw(self.drawn, self.level), own)


@dataclass(frozen=True)
class WhyTheProofFailsAnswer(ToyAnswer[WhyTheProofFails, lab.OneDraw]):
    """One draw seen from both tables, and how often the loss is too large, in truth and by the proof."""

    own: explicit_curves.RiskAt
    told: ClassVar = {"noise_seen_from_x": "first", "noise_seen_from_y": "second", "privacy_loss": "loss"}

    @cached_property
    def pairs(self) -> lab.NoisePairs:
        """Pairs as the proof draws them, and where the true ones lie."""
        return lab.noise_pairs(self.own.epsilon0)

    def numbers(self) -> dict[str, Quantity]:
        pairs = {"releases_on_the_outer_lines": self.pairs.quantity("on_edge")} if self.question.step == 3 else {}
        own = {"exact_risk": self.own.quantity("exact_risk"), "published_risk": self.own.quantity("risk")}
        return super().numbers() | pairs | own

    def story(self) -> Iterator[Block]:
        step, drawn, own = self.question.step, self.found, self.own
        told = {"pairs": self.pairs} if step == 3 else {"own": own} if step == 4 else {"drawn": drawn}
        headline = Headline(_HEADLINES[step], bare=True, **told)
        yield headline
        yield Sentence(_SENTENCES[step])
        yield Chart(
            "one_noise_two_tables",
            self._picture,
            Words(f"Step {step} of 4: {headline.told()}."),
            f"{drawn.source}; {own.source}",
        )
        yield self.said(
            "The privacy loss of this release is {found.loss}: ε₀ · (X₂ − X₁), where the noise has the size X₁ = {found.first} seen from "
            "x and X₂ = {found.second} seen from y."
        )
        yield Sentence(
            "In {own.exact_risk} of releases its size exceeds {own.epsilon:level}; with two independent draws that would be {own.risk}.",
            own=own,
            claims=("par-theorem-4", "par-equation-17"),
        )
        yield More("which_line", "Which line of the proof is false?", (Sentence(_WHICH_LINE),))

    def _picture(self) -> Drawing:
        step, own = self.question.step, self.own
        if step == 3:
            return figures.pairs(self.pairs, draw=self.found, epsilon=own.epsilon)
        if step == 4:
            return figures.law(explicit_curves.truth(own.epsilon0), own=own)
        return figures.one_draw(self.found, both=step == 2)
