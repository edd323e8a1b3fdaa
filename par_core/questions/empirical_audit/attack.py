"""How much better than guessing somebody does who sees one answer, tried on the audit's own databases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from par_core.audit.attack import FEWEST, AuditAttack, attack
from par_core.evidence import Quantity
from par_core.figures import empirical_audit as figures
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Heading, Headline, Sentence, Words
from par_core.questions.empirical_audit import formulas
from par_core.questions.empirical_audit.audited import AtLevel, AuditAnswer, evidence_note, ranked
from par_core.questions.question import Ask, anew


@dataclass(frozen=True, repr=False)
class OneAnswerAttack(AtLevel):
    """How often is an attacker right who sees one answer and says whether one individual is in the data?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> OneAnswerAttackAnswer:
        return OneAnswerAttackAnswer(self, of(self.audited))


@dataclass(frozen=True)
class OneAnswerAttackAnswer(AuditAnswer):
    """The attack on one individual."""

    question: OneAnswerAttack

    @cached_property
    def found(self) -> AuditAttack:
        """What the attacker reaches; only where there are databases enough."""
        return attack(self.result, ranked(self.at.ranking, self.question.rank)[0])

    def numbers(self) -> dict[str, Quantity]:
        if len(self.result.databases) < FEWEST:
            return {}
        names = ("right", "right_lower", "right_upper", "at_small")
        return {name: self.found.quantity(name) for name in names}

    def story(self) -> Iterator[Block]:
        yield from self.cautions()
        if len(self.result.databases) < FEWEST:
            yield from self.too_few(FEWEST)
            return
        found, (individual, rank) = self.found, ranked(self.at.ranking, self.question.rank)
        yield Headline(
            "From one answer, {found.right} of guesses about {who} are right; blind guesses 50 %",
            found=found,
            who=self.shown(individual, rank),
            bare=True,
            term="audit_attack",
        )
        yield from self.beyond_the_last()
        yield Sentence(
            "From {found.databases:,} databases: between {found.right_lower} and {found.right_upper}{so}.",
            found=found,
            so=", so that it may be mere guessing" if found.right_lower <= 0.5 else "",
            claims=(),
        )
        yield Chart(
            "audit_attack",
            lambda: figures.attack(found, who=self.name(individual, rank)),
            Words(
                "Hits against false alarms of an attacker who sees one answer. Guessing what is likelier is right in {found.right} of "
                "guesses; at 5 % false alarms it hits {found.at_small}.",
                found=found,
            ),
            found.source,
            notes=evidence_note(found),
        )
        yield Sentence(
            "The attacker knows all other databases, with and without this individual. They see one more answer and say what it makes "
            "likelier; beforehand both are equally likely. With 5 % false alarms they find this individual in {found.at_small} of the "
            "databases it is in, between {found.at_small_lower} and {found.at_small_upper}. The intervals hold in 95 of 100 audits of "
            "independent databases.",
            found=found,
        )
        yield Heading("δ is not that chance")
        yield Sentence(
            "At {at.epsilon:level}, δ of this individual is {delta}. But {beyond.share} of answers, between {beyond.lower} and "
            "{beyond.upper}, are more than e^ε times as likely on one side: of these δ counts only the part beyond.",
            at=self.at,
            delta=self.at.quantity("deltas", individual),
            beyond=found.beyond(self.at.epsilon),
        )
        yield Sentence(
            "The paper calls δ “the failure probability”.",
            evidence_from="edp-failure-probability",
            then="Better estimates, from more databases, make a better attacker: this one is no upper bound. For a bound against "
            "everybody, plan a release with noise in “Your table”.",
        )
        yield from self.chance()
        yield Formulas("audit_attack", formulas.ATTACK)
