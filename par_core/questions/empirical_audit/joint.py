"""What two numbers from the same databases show together, and where they disclose exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from par_core.audit.joint import FEWEST, JointAt, JointCurve, joint_audit
from par_core.evidence import Quantity
from par_core.figures import empirical_audit as figures
from par_core.figures.quantities import format_quantity
from par_core.parameters import check_choice
from par_core.progress import Progress, portion
from par_core.questions.blocks import Block, Chart, Formulas, Heading, Headline, Note, Sentence, Table, Words
from par_core.questions.empirical_audit import formulas
from par_core.questions.empirical_audit.audited import AtLevel, AuditAnswer, Audited, evidence_note, ranked
from par_core.questions.question import Ask, anew

Second = Literal["sum", "mean", "median", "variance", "count", "without"]
LEFT_OUT = "without"
_LISTED = 10


@dataclass(frozen=True, repr=False)
class TwoAnswers(AtLevel):
    """How far does the most exposed show in two answers that are published together?"""

    second: Second = "sum"  # or the same answer, one individual left out

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("second", self.second, get_args(Second))

    @property
    def long(self) -> str:
        return "Auditing the second answer"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> TwoAnswersAnswer:
        audited = of(self.audited)
        first = audited.result
        if len(first.databases) < FEWEST:
            return TwoAnswersAnswer(self, audited)
        individual, rank = ranked(first.at(self.epsilon).ranking, self.rank)
        other: dict[str, Any] = {"query": self.second}
        if self.second == LEFT_OUT:
            other = {"lacking": individual}
        elif self.second == "median":
            other = {"query": "quantile", "quantile": 0.5}
        both, at = joint_audit(first, of(self.of_these(Audited, **other)).result), None
        if self.second != LEFT_OUT:
            at = both.at(self.epsilon, listed=max(_LISTED, self.rank), progress=portion(progress, 0.0, 0.7))
            individual, rank = ranked(at.ranking, self.rank)
        curve = both.curve(individual, up_to=self.epsilon, progress=portion(progress, 0.7))
        return TwoAnswersAnswer(self, audited, rank, at, curve, both.curve(individual, epsilons=[self.epsilon]))


@dataclass(frozen=True)
class TwoAnswersAnswer(AuditAnswer):
    """The most exposed to both, where that is asked for; one individual against ε, and at the reader's own."""

    question: TwoAnswers
    rank: int = 1
    most_exposed: JointAt | None = None
    curve: JointCurve | None = None
    own: JointCurve | None = None

    def numbers(self) -> dict[str, Quantity]:
        if self.own is None:
            return {}
        names = {"together": "together", "first_alone": "first", "second_alone": "second"}
        disclosed = {"disclosed": self.own.quantity("disclosed")}
        return {name: self.own.quantity(field, 0) for name, field in names.items()} | disclosed

    def story(self) -> Iterator[Block]:
        curve, own, asked = self.curve, self.own, self.question
        yield from self.cautions()
        if curve is None or own is None:
            yield from self.too_few(FEWEST)
            return
        left_out = asked.second == LEFT_OUT
        yield Headline(
            "At {level:level}, {first} and {second} together show {who} with δ = {own.together[0]}",
            level=asked.epsilon,
            first=asked.asked,
            second="the same with one left out" if left_out else asked.second,
            who=self.shown(own.individual, self.rank),
            own=own,
            bare=True,
            term="joint_delta",
        )
        yield from self.beyond_the_last()
        yield Sentence(
            "Alone they show {own.first[0]} and {own.second[0]}; {databases:,} databases say nothing below 1/{databases:,}.",
            own=own,
            databases=own.databases,
            claims=(),
        )
        names = (asked.asked, f"{asked.asked} without" if left_out else asked.second)
        yield Chart(
            "joint",
            lambda: figures.together(curve, names=names, who=self.name(own.individual, self.rank), own=own),
            Words(
                "δ of one individual against ε, from two answers together and from each alone; at ε = {level:g} together "
                "{own.together[0]}, alone {own.first[0]} and {own.second[0]}.",
                level=asked.epsilon,
                own=own,
            ),
            curve.source,
            notes=evidence_note(curve),
        )
        if curve.disclosed:
            yield Sentence(
                "**Exact disclosure**: in {share} of the databases the two answers are a pair that occurs only with this individual, or "
                "only without. Whoever sees it knows, whatever ε: δ never falls below that share.",
                share=curve.quantity("disclosed"),
            )
        if left_out:
            yield Sentence(
                "This is the paper’s own example: the two answers differ only where that individual has records."
            )
        elif curve.disclosed:
            yield Sentence(
                "The two answers depend on each other: all pairs with everyone lie on one line, and a missing record moves the pair off it."
            )
        yield Sentence(
            "Two answers can show far more than each alone. The paper audits both by one density of pairs, and does not say which. Kernels "
            "as wide as each answer alone asks for find δ = 0 where the pair discloses.",
            evidence_from="edp-composition-joint",
            then="Here the axes follow the answers, and a direction without spread gets no kernel.",
        )
        if self.most_exposed is not None:
            yield from self._listed(self.most_exposed)
        yield from self.chance()
        yield Formulas("joint", formulas.JOINT)

    def _listed(self, at: JointAt) -> Iterator[Block]:
        """List the most exposed to both answers."""
        yield Heading("The most exposed to both")
        places = range(min(_LISTED, len(at.ranking)))
        columns = {"Rank": [f"{place + 1}" for place in places]}
        if not self.question.masked:
            columns["Who"] = [self.shown(int(at.ranking[place]), place + 1) for place in places]
        told = {
            "Together": "together",
            f"{self.question.asked} alone".capitalize(): "first",
            f"{self.question.second} alone".capitalize(): "second",
            "Disclosed in": "disclosed",
        }
        columns |= {
            words: [format_quantity(at.quantity(name, place)) for place in places] for words, name in told.items()
        }
        yield Table(columns, f"δ at ε = {at.epsilon:g} of the most exposed to both answers.")
        yield Note("δ at {at.epsilon:level}. {at.databases:,} databases.", at=at, evidence_from=at)
