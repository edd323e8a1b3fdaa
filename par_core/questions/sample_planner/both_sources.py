"""Figures 3a and 3b: noise that is calibrated to a sampled sensitivity, as published and in truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, Literal

from par_core.errors import InfeasibleError
from par_core.evidence import Quantity, quantity_of
from par_core.figures import sample_planner as figures
from par_core.figures import style
from par_core.figures.drawing import Drawing
from par_core.mechanisms import default_noise
from par_core.progress import Progress
from par_core.published import coupled
from par_core.questions.blocks import (
    Block,
    Boxes,
    Caution,
    Chart,
    Formulas,
    Heading,
    Headline,
    Missing,
    Note,
    Own,
    Sentence,
    Unreachable,
    Words,
)
from par_core.questions.question import Answer, Ask, anew
from par_core.questions.sample_planner.bounded import Bounded, Pairs, Rho, Share
from par_core.questions.sample_planner.formulas import BOTH
from par_core.questions.scenario_blocks import only_laplace
from par_core.rounding import brief, percent
from par_core.sampling import tolerance
from par_core.sampling.coupled_calibration import CoupledCalibration, SampledShare, calibrate, share_to_take
from par_core.sampling.coupled_curves import (
    FIGURE_3A_RHOS,
    FIGURE_3A_SAMPLES,
    FIGURE_3B_RHO,
    FIGURE_3B_SAMPLES,
    CoupledAt,
    CoupledCurve,
    Setting,
    by_rho,
    by_samples,
    coupled_at,
)

LEAST_SENSITIVITY: Final = 1e-100
MOST_SENSITIVITY: Final = 1e100
Level = Annotated[float, 1e-6, 100.0]
Sensitivity = Annotated[float, LEAST_SENSITIVITY, MOST_SENSITIVITY]
_BY: Final = {"rho": "distance ρ", "samples": "number of pairs"}
_THEOREM_6 = "par-theorem-6"


@dataclass(frozen=True, repr=False)
class BothSources(Bounded):
    """How private is noise for a sampled sensitivity, as published and in truth?"""

    by: Literal["rho", "samples"] = "rho"  # what has a curve for each
    rhos: tuple[Rho, ...] = FIGURE_3A_RHOS
    samples: Pairs = FIGURE_3A_SAMPLES
    numbers_of_pairs: tuple[Pairs, ...] = FIGURE_3B_SAMPLES  # of pairs, where each has a curve
    rho: Rho = FIGURE_3B_RHO
    noise_epsilon0: Level = 1.0  # of the noise
    epsilon: Level = 0.4  # hoped for
    quantile: Share = 1.0  # of the sampled sensitivities, that was taken
    eta_from: Literal["paper", "bound", "model"] = "paper"
    bound: Sensitivity = 0.17  # that no pair exceeds
    sampled: Sensitivity = 0.15  # sensitivity
    order: Annotated[float, 0.0, 1e6] = 2.0  # the constant of the paper's model
    thousands: bool = False  # the same data in thousands
    drawn_k: Annotated[int, 1, 10_000] = 1
    wanted_confidence: Annotated[float, 1e-6, 1.0] = 0.5
    paper_only: bool = False

    @property
    def dials(self) -> tuple[str, ...]:
        return "epsilon", "noise_epsilon0"

    @property
    def unread(self) -> tuple[str, ...]:
        of_eta = {"paper": ("bound", "sampled", "order"), "bound": ("order",), "model": ("bound",)}[self.eta_from]
        of_curves = ("numbers_of_pairs", "rho") if self.by == "rho" else ("rhos", "samples")
        return (*super().unread, *of_curves, *of_eta)

    @property
    def values(self) -> tuple[float, ...]:
        """What has a curve for each."""
        return self.rhos if self.by == "rho" else self.numbers_of_pairs

    @property
    def first(self) -> tuple[int, float]:
        """The pairs and the distance of the first curve, which the marks are for."""
        return (self.samples, self.rhos[0]) if self.by == "rho" else (self.numbers_of_pairs[0], self.rho)

    @property
    def refuted(self) -> bool:
        """Whether a sampled pair is further apart than the bound."""
        return self.eta_from == "bound" and self.bound < self.sampled

    def by_model(self, unit: float) -> Quantity:
        """Return η by the paper's model, for the same data in units of so many."""
        return quantity_of(coupled.eta, self.first[1], self.sampled, order=self.order, unit=unit)

    @property
    def eta(self) -> float:
        """True over sampled sensitivity."""
        if self.eta_from == "model":
            return float(self.by_model(1000.0 if self.thousands else 1.0).value)
        if self.eta_from == "bound":
            return 1.0 if self.refuted else float(coupled.eta_of_bound(self.bound, self.sampled))
        return coupled.PAPER_ETA

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> BothSourcesAnswer:
        if not self.values:
            return BothSourcesAnswer(self)
        shared = Setting(self.noise_epsilon0, self.drawn_k, self.eta, self.quantile)
        samples, rho = self.first
        return BothSourcesAnswer(self, coupled_at(self.epsilon, samples, rho=rho, setting=shared))


@dataclass(frozen=True)
class BothSourcesAnswer(Answer):
    """The published and the exact risk at the reader's setting (`at`); nothing, where every curve was taken away."""

    question: BothSources
    at: CoupledAt | None = None

    @cached_property
    def share(self) -> SampledShare | InfeasibleError:
        """The quantile to take where the sensitivity alone is uncertain (case 2), or why there is none."""
        samples, rho = self.question.first
        try:
            return share_to_take(self.question.wanted_confidence, samples=samples, rho=rho)
        except InfeasibleError as error:
            return error

    @cached_property
    def calibrated(self) -> CoupledCalibration | InfeasibleError:
        """The noise where that helps too (case 3), or why there is none."""
        asked, (samples, rho) = self.question, self.question.first
        alpha = float(tolerance(samples, rho))
        try:
            return calibrate(
                asked.epsilon,
                asked.wanted_confidence,
                eta=asked.eta,
                confidence2=asked.quantile,
                alpha=alpha,
                k=asked.drawn_k,
            )
        except InfeasibleError as error:
            return error

    def numbers(self) -> dict[str, Quantity]:
        if not self.at:
            return {}
        found = {"exact_risk": self.at.quantity("exact_risk"), "published_risk": self.at.quantity("risk")}
        if isinstance(self.share, SampledShare):
            found["quantile_to_take"] = self.share.quantity("share")
        if isinstance(self.calibrated, CoupledCalibration) and self.calibrated.epsilon0 is not None:
            found["epsilon0"] = self.calibrated.quantity("epsilon0")
        return found

    def story(self) -> Iterator[Block]:
        asked, at = self.question, self.at
        yield from only_laplace("This page is", asked.scenario)
        if not at:
            yield Missing("Add at least one value to see its curve.")
            return
        if asked.refuted:
            yield Caution(
                "This bound is below the sampled sensitivity: a sampled pair has already refuted it. Shown is η = 1."
            )
        yield Headline(
            "Less private than {at.epsilon:level} in up to {at.exact_risk} of releases; the paper claims {at.risk}",
            at=at,
        )
        yield Sentence(
            f"For noise of a sampled sensitivity, if the true one is η = {brief(at.setting.eta)} times as large."
        )
        yield Chart(
            "both_sources",
            self._drawn,
            Words(
                "Level ε against the published risk, one curve for each {by}: {values}; and against the exact risk of the noise, one for "
                "all; ε₀ = {shared.epsilon0:g}, η = {shared.eta:g}.",
                by=_BY[asked.by],
                values=", ".join(f"{each:g}" for each in asked.values),
                shared=at.setting,
            ),
            CoupledCurve.evidence.source,
            notes={"exact": CoupledCurve.exact_source},
        )
        yield Sentence(
            "With a proven bound on the sensitivity, make the noise for that: then you do not need this section."
        )
        yield Sentence(
            "The worst case is that of the noise alone for {at.setting.epsilon0:level0} if η is right: every release is as private as "
            "**ε = {reached}** = η·ε₀, not as ε₀. The claim of *Privacy at Risk* (PoPETs 2021) multiplies by the quantile and by α, which "
            "say only how far η can be trusted.",
            at=at,
            reached=CoupledCalibration.as_quantity("reached", at.setting.reached),
            evidence_from=_THEOREM_6,
            claims=(_THEOREM_6,),
        )
        yield from self._where_eta_comes_from()
        yield Note(
            "The marks are for the first curve. The exact curve is one for all: neither ρ nor the number of pairs changes the noise. The "
            "paper says that the risk in figure 3b rises with the number of pairs; it falls, as it should."
        )
        yield Heading("Calibrate with a sample")
        yield Own("wanted")
        yield Boxes(
            (
                (Sentence("**Only the sensitivity is uncertain** (case 2)"), self._case_2()),
                (Sentence("**The noise helps too** (case 3)"), *self._case_3()),
            )
        )
        yield Formulas("both_sources", BOTH)

    def _drawn(self) -> Drawing:
        asked = self.question
        assert self.at
        shared, (samples, rho) = self.at.setting, asked.first
        of_rho = asked.by == "rho"
        curves = (
            by_rho(asked.rhos, samples, setting=shared)
            if of_rho
            else by_samples(asked.numbers_of_pairs, rho, setting=shared)
        )
        drawing = figures.both_sources_figure(curves, by=asked.by, own=self.at)
        return style.as_printed(drawing) if asked.paper_only else drawing

    def _where_eta_comes_from(self) -> Iterator[Block]:
        asked = self.question
        if asked.eta_from == "paper":
            eta = brief(coupled.PAPER_ETA)
            yield Note(f"η is {eta} in every curve of figure 3. Where it comes from, the paper does not say.")
        elif asked.eta_from == "model":
            yield Note(
                "1 + c·ρ/Δ with ρ = {rho:g}: η = {plain}; the same data in thousands: η = {other}. The data have not changed, so the model "
                "(Lemma 12) is false.",
                rho=asked.first[1],
                plain=asked.by_model(1.0),
                other=asked.by_model(1000.0),
            )
        elif not asked.refuted:
            yield Note(
                "η = {ratio} if the bound holds.", ratio=quantity_of(coupled.eta_of_bound, asked.bound, asked.sampled)
            )

    def _case_2(self) -> Block:
        found, (samples, rho) = self.share, self.question.first
        if isinstance(found, InfeasibleError):
            return Unreachable(
                "Not possible: {samples:,} pairs at ρ = {rho:g} reach at most {best}. Sample more pairs, or wish for less.",
                samples=samples,
                rho=rho,
                best=SampledShare.as_quantity("best", found.best or 0.0),
                bare=True,
            )
        return Sentence(
            "Take the **quantile at {found.share}** of the sampled sensitivities and noise for ε itself. It covers at least "
            "{found.valid} of pairs with a probability of {found.alpha}, and {found.mean_coverage} on average.",
            found=found,
        )

    def _case_3(self) -> Iterator[Block]:
        found = self.calibrated
        if isinstance(found, InfeasibleError):
            yield Unreachable(
                f"Not possible: no noise reaches {percent(self.question.wanted_confidence)} by the formula. The best is {{best}}, the "
                "quantile times α, however small ε₀ is. Take a higher quantile, sample more pairs, or wish for less.",
                best=CoupledCalibration.as_quantity("best", found.best or 0.0),
                bare=True,
            )
        elif found.epsilon0 is None or found.reached is None:
            yield Sentence("By the formula every ε₀ will do, even with hardly any noise.", evidence_from=_THEOREM_6)
            yield Sentence("In truth the confidence falls to 0 as ε₀ grows.", evidence_from=default_noise(1.0))
        else:
            yield Sentence(
                "Noise for **ε₀ = {found.epsilon0}** with the sampled sensitivity. In truth, if η is right, it is as private as "
                "{found.epsilon:level} in {found.exact_confidence} of releases in the worst case, and as ε = {found.reached} in all.",
                found=found,
            )
