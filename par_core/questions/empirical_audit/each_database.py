"""The answer on each of the repeated databases, and what speaks for or against their independence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from par_core.audit.checks import Checks
from par_core.audit.query import Values
from par_core.evidence import PROVEN, Evidence, Quantity, quantity_of
from par_core.figures import empirical_audit as figures
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Heading, Headline, Note, Sentence, Table, Words
from par_core.questions.empirical_audit import formulas
from par_core.questions.empirical_audit.audited import AuditAnswer, AuditQuestion
from par_core.questions.question import Ask, anew


@dataclass(frozen=True, repr=False)
class EachDatabase(AuditQuestion):
    """What is the answer on each of the databases, and are these independent?"""

    hidden: bool = False  # exact answers, of a file of the reader's own

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> EachDatabaseAnswer:
        return EachDatabaseAnswer(self, of(self.audited))


_GIVEN = Evidence(PROVEN, source="the answers themselves")


@_GIVEN.of("level", "down")
def _lowest(answers: Values) -> float:
    return float(answers.min())


@_GIVEN.of("level", "up")
def _highest(answers: Values) -> float:
    return float(answers.max())


@dataclass(frozen=True)
class EachDatabaseAnswer(AuditAnswer):
    """The exact answers, and what the checks found."""

    question: EachDatabase

    @property
    def for_others(self) -> Self:
        return replace(self, question=replace(self.question, hidden=True)) if self.question.private else self

    def numbers(self) -> dict[str, Quantity]:
        if self.question.hidden:
            return {}
        answers = self.result.answers
        return {
            "lowest_answer": quantity_of(_lowest, answers),
            "highest_answer": quantity_of(_highest, answers),
        }

    def story(self) -> Iterator[Block]:
        result, asked = self.result, self.question
        yield from self.cautions()
        if asked.hidden:
            yield Headline(f"{len(result.answers):,} databases, {len(result.individuals):,} individuals")
            yield Sentence("The exact answers are private: they are shown only if you switch them on.")
        else:
            yield Headline(
                f"The {asked.asked} of {len(result.answers):,} databases lies between {{lowest_answer}} and {{highest_answer}}",
                lowest_answer=self.numbers()["lowest_answer"],
                highest_answer=self.numbers()["highest_answer"],
                bare=True,
            )
            yield Chart(
                "answers",
                lambda: figures.answers(result),
                Words(f"The exact answer on each of {len(result.answers)} databases, in their order, and the mean."),
                "figure 2 of Empirical Differential Privacy; exact answers, not for publication",
            )
        if asked.note:
            yield Sentence(asked.note)
        if not asked.hidden:
            yield Note("These are exact answers: for your eyes, not for publication.")
        yield from self.chance()
        for checks in (result.independent, result.comparable):
            yield from _checked(checks)
        yield Formulas("databases", formulas.DATABASES)


def _checked(checks: Checks) -> Iterator[Block]:
    """Tell what each check found."""
    yield Heading(checks.question)
    yield Sentence("{words}", words=checks.words, evidence_from=checks)
    columns = {
        "Check": [each.name for each in checks.checks],
        "By chance": ["cannot be tested" if each.p_value is None else f"{each.p_value:.2g}" for each in checks.checks],
        "Fails": ["yes" if each.failed else "no" for each in checks.checks],
        "Found": [each.words for each in checks.checks],
    }
    yield Table(columns, f"Checks: {checks.question}")
    yield Note(
        f"By chance: how often independent databases would show at least as much. All checks together fail by chance in at most "
        f"{100 * checks.level:g} of 100 audits. {checks.limits}"
    )
