"""Who is exposed by a query on repeated databases: the verdict, exposure against ε, the ranking, and one individual left out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from par_core.audit.deltas import LARGEST_EPSILON as LARGEST_CHECKED
from par_core.audit.drawn_densities import density_curves
from par_core.audit.intervals import AuditIntervals, intervals
from par_core.audit.noise import MixtureNoise, NoiseScale
from par_core.errors import InfeasibleError
from par_core.evidence import Quantity, quantity_of
from par_core.export import sentences
from par_core.export.sentences import level
from par_core.figures import empirical_audit as figures
from par_core.mechanisms import max_posterior
from par_core.parameters import check_choice, check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Heading, Headline, Note, Own, Sentence, Words
from par_core.questions.empirical_audit import formulas
from par_core.questions.empirical_audit.audited import AtLevel, AuditAnswer, Found, WithLimits, evidence_note, once
from par_core.questions.empirical_audit.noise import noise_for
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.rounding import amount

Which = Literal["delta", "total"]
_LISTED = 10
_NOTHING = 0.99  # an upper limit of δ* beyond this is no news


@dataclass(frozen=True, repr=False)
class TrueExposure(AtLevel):
    """Between which values does the true exposure lie?"""

    @property
    def long(self) -> str:
        return "Looking for the limits"

    @property
    def begun(self) -> Answer | None:
        return Found(self, None)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Found:
        return Found(self, intervals(of(self.audited).result, self.epsilon, progress=progress))


@dataclass(frozen=True, repr=False)
class WhoIsExposed(WithLimits):
    """Whom does the same number, published of repeated databases without noise, give away?"""

    which: Which = "delta"  # of the most exposed, or of all together
    allowed: float = 0.02  # largest δ that will do
    certified: float | None = None  # ε of the noise that goes into the certificate

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("which", self.which, get_args(Which))
        check_number("allowed", self.allowed, at_least=0.0, at_most=1.0)

    @property
    def unread(self) -> tuple[str, ...]:
        return (*super().unread, "certified")

    def needs(self) -> tuple[Question, ...]:
        limits = self.of_these(TrueExposure, epsilon=self.epsilon)
        return (self.audited, *[limits] * self.intervals)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> WhoIsExposedAnswer:
        audited, *limits = map(once(of), self.needs())
        return WhoIsExposedAnswer(self, audited, limits[0].found if limits else None)


@dataclass(frozen=True)
class WhoIsExposedAnswer(AuditAnswer):
    """Everybody at ε, and between which values the truth lies, if that was asked for and is known."""

    question: WhoIsExposed
    ends: AuditIntervals | None

    @cached_property
    def protected(self) -> float | None:
        """From which ε on nobody shows more than is allowed: None where somebody does at every ε that is looked at."""
        with suppress(InfeasibleError):
            return self.result.protected_from(self.question.allowed)
        return None

    @property
    def noise(self) -> tuple[NoiseScale, MixtureNoise] | None:
        """The noise that goes into the certificate, if any."""
        wanted = self.question.certified
        return None if wanted is None else noise_for(self.audited, wanted)

    @property
    def listed(self) -> int:
        """How many of the ranking are listed."""
        return min(max(_LISTED, self.question.rank), len(self.at.ranking))

    @property
    def rank(self) -> int:
        """The rank of who is looked at: the first where there are not so many."""
        return self.question.rank if self.question.rank <= len(self.at.ranking) else 1

    def ranking(self) -> list[str]:
        """Return the individuals that are listed, each with what it shows."""
        lines = []
        for rank, individual in enumerate(self.at.ranking[: self.listed].tolist(), start=1):
            name = "" if self.question.masked else f"{self.shown(individual, rank)}: "
            shows = {
                "delta": self.at.quantity("deltas", individual),
                "until": self.result.quantity("losses", individual),
            }
            lines.append(name + sentences.told("δ = {delta}, exposed up to ε = {until}", shows))
        return lines

    @property
    def _until(self) -> Quantity:
        return self.result.as_quantity("losses", self.result.losses.max())

    def numbers(self) -> dict[str, Quantity]:
        found = {
            "exposed": Quantity(self.at.exposed, "count", self.at.evidence),
            "largest_delta": self.at.quantity("delta"),
            "total_risk": self.at.quantity("total"),
            "nobody_exposed_from": self._until,
        }
        if self.ends is not None:
            found["true_delta_at_least"] = self.ends.as_quantity("lower", self.ends.delta[0])
            found["true_delta_at_most"] = self.ends.as_quantity("upper", self.ends.delta[1])
        return found

    def story(self) -> Iterator[Block]:
        asked, at, result = self.question, self.at, self.result
        databases = len(result.answers)
        yield from self.cautions()
        who = f"; the most exposed is {self.shown(int(at.ranking[0]), 1)}" if at.exposed else ""
        yield Headline(
            "At {level:level}, {number} of {all:,} {kinds} {are} exposed{who}",
            level=at.epsilon,
            number=f"{at.exposed:,}" if at.exposed else "none",
            all=len(at.deltas),
            kinds=asked.kinds,
            are="are" if at.exposed > 1 else "is",
            who=who,
            term="exposed",
        )
        above = at.above(result.floor)
        have = f"{'Only ' * (above < at.exposed)}{above:,} {'has' if above == 1 else 'have'}" if above else "None has"
        yield Sentence(
            f"{have} a δ above 1/{databases:,}, below which {databases:,} databases say nothing; the largest is **{{at.delta}}**.",
            at=at,
            claims=(),
        )
        yield Chart(
            "exposure",
            lambda: figures.exposure(result, which=asked.which, own=at, intervals=self.ends),
            Words(
                "δ of the most exposed against ε. At ε = {at.epsilon:g} it is {at.delta}, the total risk {at.total}, with {at.exposed:,} "
                f"of {len(at.deltas):,} exposed. Nothing can be said below 1/{databases:,}.",
                at=at,
            ),
            f"{result.source}; figures 3 and 4",
            notes=evidence_note(result),
        )
        yield Sentence(
            "Not exposed: an attacker 50 % sure that somebody is in the data becomes at most {believed} sure. δ is the excess of "
            "probability over that, as in (ε, δ)-DP, not the chance of a breach, which is larger.",
            believed=quantity_of(max_posterior, 0.5, at.epsilon),
        )
        yield Sentence(
            "This holds against an attacker who knows only how such answers are distributed, and for one query: it is **not differential "
            "privacy**, and does not compose."
        )
        yield from self.chance()
        yield from self._what_it_is()
        yield from self._one()
        yield Own("take_along")
        yield Formulas("exposure", formulas.EXPOSURE)

    def _what_it_is(self) -> Iterator[Block]:
        """Say what the numbers are and are not, and what to do."""
        at, asked, result = self.at, self.question, self.result
        allowed, told = amount(asked.allowed, 3), dict[str, Any](until=self._until)
        if self.protected is None:
            words = f"Even at {level(LARGEST_CHECKED)}, the largest checked, somebody’s δ is above {allowed}. From"
        else:
            fine = f" (less than {len(result.answers):,} databases can show)" * (asked.allowed < result.floor)
            words = f"From ε = {{protected}} on nobody’s δ is above {allowed}{fine}, and from"
            told["protected"] = result.as_quantity("losses", self.protected)
        words += (
            " ε = {until} on nobody’s is above 0. That comes from one bandwidth for all answers; see “Other densities”."
        )
        if at.total > 0:
            words += (
                " All together: δ* = {at.total}, which is not the paper’s “probability that someone is compromised”: it treats "
                "individuals as independent."
            )
            told["at"] = at
        yield Sentence(words, **told)
        if self.ends is not None:
            yield self._limits(self.ends)
        if at.exposed:
            yield Sentence(
                "**If that is too much**, add noise (last section), publish for larger groups, or leave those individuals out. For "
                "differential privacy, plan a release in “Your table”."
            )

    def _limits(self, ends: AuditIntervals) -> Sentence:
        """Say between which values the truth lies, and which way the estimate errs."""
        low, high = ends.as_quantity("lower", ends.delta[0]), ends.as_quantity("upper", ends.delta[1])
        total, told = "between {low} and {total}", dict[str, Any](low=low, high=high)
        if ends.total[1] > _NOTHING:
            total = "anywhere above {low}" if ends.delta[0] else "anywhere"
        else:
            told["total"] = ends.as_quantity("upper", ends.total[1])
        words = (
            f"**The true δ lies between {{low}} and {{high}}**, δ* {total}: each in at least {100 * ends.level:g} of 100 audits of "
            "independent databases."
        )
        if not ends.delta[0]:
            words += " With so few databases it is not certain that anyone is exposed."
        if self.at.exposed:
            words += (
                " On average the estimates are too high: from half of the {ends.databases:,} databases δ would be {ends.half_delta} and "
                "δ* {ends.half_total}."
            )
            told["ends"] = ends
        return Sentence(words, **told)

    def _one(self) -> Iterator[Block]:
        """Leave room for the ranking, and show the answers with and without one of it."""
        yield Heading("The ranking")
        if not self.at.exposed:
            yield Sentence(
                "At this ε nobody stands out; the order is that of how long they stay exposed at smaller ones."
            )
        yield Own("ranking")
        yield Note(
            "Ranked by δ at this ε. Moving a few answers far exposes up to a larger ε; moving many a little gives the larger δ here."
        )
        individual = int(self.at.ranking[self.rank - 1])
        # Places of exact answers are private too.
        curves = density_curves(self.result, individual, at_answers=not self.question.private)
        name = self.name(individual, self.rank)
        yield Chart(
            "with_and_without",
            lambda: figures.densities(curves, name=name),
            Words(
                "Density of {number} answers with everyone and without {name}, bandwidth {width}.",
                number=curves.databases,
                name=name,
                width=amount(curves.bandwidth, 3),
            ),
            curves.source,
            notes=evidence_note(curves),
            stays=True,
        )
        yield Note(
            f"In {int(self.result.present[individual]):,} of {curves.databases:,} databases. The further the two curves are apart, the "
            "more the answer tells about whether this individual is in the data."
        )
