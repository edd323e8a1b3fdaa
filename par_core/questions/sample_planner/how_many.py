"""Any two of sampled pairs, distance and probability give the third, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from par_core.evidence import PROVEN, Evidence, Quantity, quantity_of
from par_core.export.sentences import counted
from par_core.figures import sample_planner as figures
from par_core.figures import style
from par_core.figures.drawing import Drawing
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Missing, Note, Sentence, Words
from par_core.questions.question import Answer, Ask, anew
from par_core.questions.sample_planner.bounded import Bounded, Pairs, Rho
from par_core.questions.sample_planner.formulas import SAMPLES
from par_core.questions.scenario_blocks import only_laplace
from par_core.rounding import amount, percent
from par_core.sampling import FIGURE_2, SamplesAt, SamplesCurve, risks_down_to, samples_at, samples_curves, tolerance


@dataclass(frozen=True, repr=False)
class HowManySamples(Bounded):
    """How many sampled pairs bring the sampled curve of sensitivities near the true one?"""

    find: Literal["samples", "alpha", "rho"] = "samples"  # from the other two
    samples: Pairs = 15_000
    rho: Rho = 0.01
    alpha: Annotated[float, 0.0, 1 - 1e-9] = 0.9
    rhos: tuple[Annotated[float, 1e-6, 0.999], ...] = FIGURE_2  # each has a curve
    paper_only: bool = False

    @property
    def dials(self) -> tuple[str, ...]:
        return tuple(each for each in ("rho", "alpha") if each != self.find)

    @property
    def unread(self) -> tuple[str, ...]:
        return (*super().unread, self.find)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> HowManySamplesAnswer:
        found = samples_at(
            samples=None if self.find == "samples" else self.samples,
            rho=None if self.find == "rho" else self.rho,
            wanted=None if self.find == "alpha" else self.alpha,
        )
        return HowManySamplesAnswer(self, found)


@Evidence(PROVEN, source="the setting itself").of("count")
def _pairs(found: SamplesAt) -> int:
    return found.samples


@dataclass(frozen=True)
class HowManySamplesAnswer(Answer):
    """Pairs, distance and probability that belong together."""

    question: HowManySamples
    found: SamplesAt

    def numbers(self) -> dict[str, Quantity]:
        found = self.found
        return {
            "pairs": quantity_of(_pairs, found),
            "distance": found.quantity("rho"),
            "certainty": found.quantity("tolerance"),
            "largest_covers_all_but_the_distance": found.quantity("share_covered"),
        }

    def story(self) -> Iterator[Block]:
        rhos = self.question.rhos
        yield from only_laplace("This page is", self.question.scenario)
        yield self._headline()
        yield self._meaning()
        if not rhos:
            yield Missing("Add at least one distance ρ to see its curve.")
            yield from self._worth()
            return
        yield Chart(
            "samples_needed",
            self._drawn,
            Words(
                "Number of pairs against the risk 1 − α, one curve for each distance ρ: {rhos}. Marked: {found.samples:,} pairs, "
                "ρ = {found.rho:g}, α = {found.tolerance:g}.",
                rhos=", ".join(f"{each:g}" for each in rhos),
                found=self.found,
            ),
            SamplesCurve.evidence.source,
            notes={"exact": SamplesCurve.exact_source},
        )
        yield from self._worth()
        yield Note("A ten times smaller ρ takes a hundred times as many pairs. The solid curve is the exact count.")
        yield Formulas("samples_needed", SAMPLES)

    def _headline(self) -> Headline:
        found, pairs = self.found, counted(self.found.samples, "pair")
        words = f"{pairs} {'is' if found.samples == 1 else 'are'} too few for"
        if not found.says_something:
            words += f" a distance of ρ = {amount(found.rho, 4)}"
        elif found.rho >= 1:
            words += f" a statement with probability α = {percent(found.tolerance)}"
        else:
            sure = Words("within {found.rho} of the truth with {found.tolerance} certainty", found=found).told()
            words = f"{pairs} bring{'s' * (found.samples == 1)} the sampled curve {sure}"
        return Headline(words, term="sampled_curve")

    def _meaning(self) -> Sentence:
        """Say for what the headline holds, or what to do."""
        found = self.found
        words = (
            "For independent pairs of tables that differ in one person; the curve shows how far their answers differ."
        )
        if not found.says_something:
            words = "Take more pairs, or a larger distance."
        elif found.rho >= 1:
            allowed = Words("{found.rho}", found=found).told()
            words = (
                f"Take more pairs, or a smaller probability: the inequality allows a distance of {allowed}, and no two such curves are "
                "further apart than 1."
            )
        return Sentence(words, evidence_from=tolerance, claims=())

    def _drawn(self) -> Drawing:
        asked, found = self.question, self.found
        curves = samples_curves(asked.rhos, risk=risks_down_to(min(max(found.risk, 1e-9), 1.0)))
        drawing = figures.samples_needed_figure(curves, own=found)
        return style.as_printed(drawing) if asked.paper_only else drawing

    def _worth(self) -> Iterator[Block]:
        """Say what the largest sampled value covers, exactly and as the paper concludes."""
        found, needed, enough = self.found, self.found.samples_for_largest, ""
        if needed is not None and found.says_something:
            are = "is" if needed == 1 else "are"
            enough = f"; to be {{found.tolerance}} sure, **{counted(needed, 'pair')}** {are} enough"
        yield Sentence("Drawn from one table, the pairs speak of that table, not of other people.")
        yield Sentence(
            f"Counted exactly, the largest of {counted(found.samples, 'pair')} is not exceeded by {{covered}} of all possible pairs with "
            f"a probability of at least **{{found.share_covered}}**{enough}. The distance ρ is about the whole curve, not the largest "
            "value.",
            covered=found.as_quantity("covered", max(1.0 - found.rho, 0.0)),
            found=found,
        )
        if not found.says_something:
            return
        claimed = replace(found.as_quantity("claimed", found.tolerance), holds=found.claim_holds)
        yield Sentence(
            "Theorem 5 of the paper takes α for the confidence in the largest value: {claimed}. "
            + (
                "Its proof forgets ρ, yet here that is no more than the true average, {found.mean_coverage}."
                if found.claim_holds
                else "**Here that is false**: without ties it covers {found.mean_coverage} of all pairs on average, whatever ρ is."
            ),
            claimed=claimed,
            found=found,
        )
