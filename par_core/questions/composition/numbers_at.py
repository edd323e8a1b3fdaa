"""What each accountant says at a few numbers of releases, in a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from par_core.composition import Comparison
from par_core.evidence import Quantity
from par_core.figures.composition import short_name, truth_name
from par_core.figures.quantities import format_quantity
from par_core.progress import Progress
from par_core.questions.blocks import Block, Note, Table, Words
from par_core.questions.composition.exact_count import ExactCount
from par_core.questions.question import Answer, Ask, Question, anew


@dataclass(frozen=True, repr=False)
class NumbersAt(Question):
    """What do so many releases with the noise of a scenario spend together, exactly and by some accountants?"""

    numbers: tuple[int, ...] = (1,)
    delta: float = 1e-5  # of all together
    accountants: tuple[str, ...] = ()
    k: int = 1  # of those of the paper
    among: tuple[int, ...] = ()  # what is counted anyway

    def count(self) -> ExactCount:
        """Return what has to be counted."""
        numbers = self.among if {*self.numbers} <= {*self.among} else self.numbers
        return ExactCount(self.scenario, numbers, self.delta)

    def needs(self) -> tuple[Question, ...]:
        return (self.count(),) if self.count().long else ()

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> NumbersAtAnswer:
        return NumbersAtAnswer(self, of(self.count()).at(self.numbers).compared(self.accountants, self.k))


@dataclass(frozen=True)
class NumbersAtAnswer(Answer):
    """The accountants beside the truth at the numbers."""

    question: NumbersAt
    compared: Comparison

    def numbers(self) -> dict[str, Quantity]:
        exact = self.compared.exact
        return {f"{each:,} releases": exact.quantity("upper", at) for at, each in enumerate(self.question.numbers)}

    def story(self) -> Iterator[Block]:
        exact, curves = self.compared.exact, self.compared.curves
        names = [Words("{name}", name=short_name(each.accountant.key), evidence_from=each) for each in curves]
        columns: dict[str, list[Words | str]] = {
            "Accountant": [Words("**{name}**", name=truth_name(exact), evidence_from=exact), *names]
        }
        for at, number in enumerate(self.question.numbers):
            told = [
                format_quantity(each.quantity("epsilon", at)) + " (too low)" * bool(each.below[at]) for each in curves
            ]
            columns[f"{number:,}"] = [format_quantity(exact.quantity("upper", at)), *told]
        yield Table(columns, "Privacy spent at each chosen number of releases, by each accountant.")
        yield Note("Each column is a number of releases, with the ε that they spend together below it.")
