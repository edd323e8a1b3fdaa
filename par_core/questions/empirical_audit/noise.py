"""How much noise the answers need so that nobody shows more than wanted, and what that noise is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

from par_core.audit.classical import classical_sensitivity
from par_core.audit.density import fit_density
from par_core.audit.drawn_densities import noise_curves
from par_core.audit.gaussian_noise import BandLimitedNoise, MeasuredLevel, band_limited_noise, measured_level
from par_core.audit.noise import (
    MixtureNoise,
    NoiseScale,
    compared_with_classical,
    counterexample,
    hausdorff_scale,
    mixture_noise,
    wasserstein_scale,
)
from par_core.audit.risk_totals import largest_loss
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.export.sentences import level
from par_core.figures import empirical_audit as figures
from par_core.figures.quantities import format_quantity
from par_core.parameters import check_choice, check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Heading, Headline, Missing, Note, Sentence, Table, Words
from par_core.questions.empirical_audit import formulas
from par_core.questions.empirical_audit.audited import AuditAnswer, AuditedAnswer, AuditQuestion
from par_core.questions.question import Ask, anew
from par_core.randomness import seeded
from par_core.rounding import amount

Kernel = Literal["laplace", "gaussian"]
_SEED = 1


def noise_for(audited: AuditedAnswer, epsilon: float) -> tuple[NoiseScale, MixtureNoise]:
    """Return the noise that gives a level: its scale by the valid distance, and its law for Laplace kernels."""
    result = audited.result
    scale = wasserstein_scale(result.answers, result.without[audited.farthest], epsilon=epsilon)
    return scale, mixture_noise(result.bandwidth, scale.scale)


@dataclass(frozen=True, repr=False)
class NoiseWanted(AuditQuestion):
    """How much noise do the answers need so that nobody shows more than wanted?"""

    epsilon: float = 0.1  # wanted
    kernel: Kernel = "laplace"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("epsilon", self.epsilon, above=0.0)
        check_choice("kernel", self.kernel, get_args(Kernel))

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> NoiseWantedAnswer:
        return NoiseWantedAnswer(self, of(self.audited))


@dataclass(frozen=True)
class NoiseWantedAnswer(AuditAnswer):
    """The noise for Laplace kernels, and what stands in for it with Gaussian ones."""

    question: NoiseWanted

    @cached_property
    def noise(self) -> tuple[NoiseScale, MixtureNoise]:
        """The scale that is enough, and the law for Laplace kernels, which is exact."""
        return noise_for(self.audited, self.question.epsilon)

    @cached_property
    def width(self) -> float:
        """The width of Gaussian kernels."""
        return float(fit_density(self.result.answers, kernel="gaussian", bandwidth="fixed").bandwidths[0])

    @cached_property
    def measured(self) -> tuple[BandLimitedNoise, MeasuredLevel] | None:
        """The approximation for Gaussian kernels and its level, where it can be used."""
        try:
            noise = band_limited_noise(self.width, self.noise[0].scale)
        except (InfeasibleError, ParameterError):
            return None
        return noise, measured_level(noise, self.result.answers, without=self.result.without)

    def numbers(self) -> dict[str, Quantity]:
        scale, noise = self.noise
        if self.question.kernel == "gaussian":
            found = {"measured_epsilon": _measured(self.measured[1])} if self.measured else {}
            return {"scale": scale.quantity("scale")} | found
        names = {"noise_on_average": "mean_absolute", "nothing_is_added_in": "exact_share"}
        return {name: noise.quantity(field) for name, field in names.items()}

    def story(self) -> Iterator[Block]:
        yield from self.cautions()
        yield from (self._gaussian() if self.question.kernel == "gaussian" else self._laplace())
        yield from self.chance()
        yield from self._distances()
        yield Formulas("audit_noise", formulas.NOISE)

    def _laplace(self) -> Iterator[Block]:
        """Tell the noise for Laplace kernels, which is exact."""
        scale, noise = self.noise
        if noise.exact_share == 1:
            yield Headline(
                "For {level:level} no noise is needed: the answers are spread widely enough", level=scale.epsilon
            )
            yield Sentence(
                "Leaving anyone out changes the estimated density by at most a factor of e^ε.",
                evidence_from=self.result,
                claims=(),
            )
            return
        yield Headline(
            "For {level:level} an answer needs noise of {noise.mean_absolute} on average",
            level=scale.epsilon,
            noise=noise,
            bare=True,
            term="audit_noise",
        )
        yield Sentence(
            "Computed from estimated densities; **in {noise.exact_share} of releases nothing is added: the exact answer goes out.**",
            noise=noise,
            claims=(),
        )
        yield self._drawn(noise, Words("{noise.exact_share} without any", noise=noise).told())
        yield Sentence(
            "All others get Laplace noise of scale {noise.scale}, which turns Laplace kernels of bandwidth {noise.kernel_scale} into "
            "kernels of that scale. For the estimated densities that is exact.",
            noise=noise,
            evidence_from=noise,
            then="An attacker who knows everyone else’s data is not stopped.",
        )
        reached = float(largest_loss(self.result.answers, self.result.without, bandwidth=noise.scale).max())
        yield Sentence(
            "With it, leaving anyone out changes the density by at most ε = {reached}; {level:level} was wanted. The scale is enough for "
            "any two samples this far apart, and these are more alike.",
            reached=self.result.as_quantity("losses", reached),
            level=scale.epsilon,
            evidence_from=scale,
        )
        yield self._classical(noise.mean_absolute)

    def _gaussian(self) -> Iterator[Block]:
        """Tell what stands in for noise that Gaussian kernels do not have."""
        scale, _ = self.noise
        refuted = Sentence(
            "The paper says that Gaussian kernels work too.",
            evidence_from="edp-image-gaussian",
            then="The wanted density has a kink, and nothing blurred by a Gaussian has. An approximation leaves the highest frequencies "
            "out.",
        )
        if self.measured is None:
            yield Headline(
                "For {level:level} there is no usable approximation with Gaussian kernels", level=scale.epsilon
            )
            yield Missing(
                f"For this ε the noise would have scale {amount(scale.scale, 3)}, beside kernels of width {amount(self.width, 3)}: too "
                "close (below five widths) or too far apart (above 1,000) for the approximation. Take another ε, or Laplace kernels."
            )
            yield refuted
            return
        noise, found = self.measured
        yield Headline(
            "Wanted {level:level}, measured ε = {found}",
            level=scale.epsilon,
            found=_measured(found),
            bare=True,
            term="audit_noise",
        )
        yield Sentence(
            "**No noise turns Gaussian kernels into the wanted density**: this approximation is measured, and nothing is guaranteed.",
            evidence_from=found,
            claims=(),
        )
        yield self._drawn(noise, "a band-limited approximation")
        yield refuted
        yield Sentence(
            f"Measured at {found.points:,} answers for the {found.measured} individuals who move them furthest. Plain Laplace noise of "
            "scale {scale.scale} is about as large and holds for every kernel.",
            scale=scale,
        )
        yield self._classical(noise.mean_absolute)

    def _drawn(self, noise: MixtureNoise | BandLimitedNoise, words: str) -> Chart:
        return Chart(
            "audit_noise",
            lambda: figures.noise(noise_curves(noise, rng=seeded(_SEED))),
            Words("Density of the noise and the histogram of a sample; {words}.", words=words),
            "Empirical Differential Privacy (2020), section 6 and figure 1",
        )

    def _classical(self, size: float) -> Sentence:
        """Compare with what differential privacy would need."""
        records, least = self.audited.most_records, self.audited.least_size
        # Of the reader's own databases it is not known how many records each has at least.
        public_least = least if not self.question.private and least > records else None
        sensitivity = classical_sensitivity(self.question.panel_query(), records=records, least_records=public_least)
        compared = compared_with_classical(size, self.question.epsilon, sensitivity=sensitivity)
        return Sentence("{words}", words=compared.words, evidence_from=compared)

    def _distances(self) -> Iterator[Block]:
        """Tell the published distance beside the valid one, and why it is not valid."""
        example, (valid, _), result = counterexample(), self.noise, self.result
        row = result.without[self.audited.farthest_as_published]
        published = hausdorff_scale(result.answers, row, epsilon=self.question.epsilon)
        distance = replace(published.quantity("distance"), holds=published.distance >= valid.distance)
        yield Heading("Why not less?")
        told = {"Furthest": "distance", "Scale of the noise": "scale"}
        yield Table(
            {
                "Distance": [Words("∞-Wasserstein", evidence_from=valid), Words("Hausdorff", evidence_from=distance)],
                **{
                    words: [format_quantity(each.quantity(of)) for each in (valid, published)]
                    for words, of in told.items()
                },
            },
            "Scale of the noise by the valid and by the published distance.",
        )
        yield Note(
            "Why is nothing added at times? The answers are already spread as if noise of the bandwidth had been added; what is left to "
            "add is sometimes 0."
        )
        yield Note(
            f"The paper’s Proposition 1 takes the Hausdorff distance, which is false: of two samples of {len(example.first)} answers each, "
            f"wanted {level(example.epsilon)}, it leaves ε = {amount(example.hausdorff_achieved, 3)}. The valid scale leaves "
            f"{amount(example.wasserstein_achieved, 3)}."
        )


def _measured(found: MeasuredLevel) -> Quantity:
    return Quantity(found.epsilon, "level", found.evidence, "up")
