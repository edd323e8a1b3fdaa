"""The same individual under other estimates of the density, where δ does not reach 0."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from par_core.audit.other_densities import DeltaCurve, delta_curves
from par_core.evidence import Quantity
from par_core.figures import empirical_audit as figures
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Note, Sentence, Table, Words
from par_core.questions.empirical_audit import formulas
from par_core.questions.empirical_audit.audited import (
    AtLevel,
    AuditAnswer,
    AuditQuestion,
    Found,
    evidence_note,
    once,
    ranked,
)
from par_core.questions.question import Ask, anew
from par_core.rounding import rounded, small


@dataclass(frozen=True, repr=False)
class DeltasOf(AuditQuestion):
    """How far does one individual show under each density?"""

    who: int = 0  # its number

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Found:
        return Found(self, delta_curves(of(self.audited).result, self.who, progress=progress))


@dataclass(frozen=True, repr=False)
class OtherDensities(AtLevel):
    """For how long is one individual exposed, if the density of the answers is estimated in other ways?"""

    @property
    def long(self) -> str:
        return "Integrating"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> OtherDensitiesAnswer:
        of = once(of)
        audited = of(self.audited)
        individual, rank = ranked(audited.result.at(self.epsilon).ranking, self.rank)
        curves = of(self.of_these(DeltasOf, who=individual)).found
        return OtherDensitiesAnswer(self, audited, individual, rank, curves)


@dataclass(frozen=True)
class OtherDensitiesAnswer(AuditAnswer):
    """One individual under each density, that of the audit first."""

    question: OtherDensities
    individual: int
    rank: int
    curves: tuple[DeltaCurve, ...]

    @cached_property
    def _left(self) -> float:
        """What other densities leave at the last level."""
        return max(float(each.deltas[-1]) for each in self.curves[1:])

    def numbers(self) -> dict[str, Quantity]:
        return {"exposed_until": self.result.quantity("losses", self.individual)}

    def story(self) -> Iterator[Block]:
        one_width, *others = self.curves
        until = self.result.quantity("losses", self.individual)
        yield from self.cautions()
        yield Headline(
            "With one bandwidth {name} is exposed up to ε = {until}{further}",
            name=self.shown(self.individual, self.rank),
            until=until,
            further=", with other densities beyond" if self._left and not one_width.deltas[-1] else "",
            bare=True,
            term="other_densities",
        )
        yield from self.beyond_the_last()
        yield Sentence(
            "At {level:level} other densities leave {left}.",
            level=float(one_width.epsilons[-1]),
            left=f"up to δ = {small(rounded(self._left))}" if self._left else "no δ",
            evidence_from=others[0],
            claims=(),
        )
        yield Chart(
            "other_densities",
            lambda: figures.other_densities(self.curves, name=self.name(self.individual, self.rank)),
            Words(
                "δ of one individual against ε under {number} densities; the first one reaches 0 at ε = {until}.",
                number=len(self.curves),
                until=until,
            ),
            one_width.source,
            notes=evidence_note(one_width),
        )
        yield Sentence(
            "That δ reaches 0 comes from one common bandwidth, not from the data: the paper itself recommends bandwidths that vary, which "
            "leave some at every ε.",
            evidence_from=one_width,
        )
        yield from self.chance()
        best = max(self.curves, key=lambda each: each.held_out)
        fits = [f"{each.held_out:.2f}{' (best)' * (each is best)}" for each in self.curves]
        errors = [
            "exact" if not each.errors.any() else small(rounded(float(each.errors.max()), 1)) for each in self.curves
        ]
        yield Table(
            {
                "Density": [each.words for each in self.curves],
                "Log likelihood of left-out answers": fits,
                "Largest error of δ": errors,
            },
            "How well each density fits answers that were left out.",
        )
        yield Note("A few units of log likelihood more mean a better fit; less than one hardly tells them apart.")
        yield Formulas("other_densities", formulas.DENSITIES)
