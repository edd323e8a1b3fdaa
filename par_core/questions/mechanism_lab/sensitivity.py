"""Sensitivity: how far one person moves the answer to a query at most, as an exercise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.evidence import Quantity
from par_core.figures import lab_sensitivity as figures
from par_core.lab import sensitivity as lab
from par_core.parameters import check_choice, check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Fails, Formula, Formulas, Headline, Holds, Note, Sentence
from par_core.questions.blocks import Words as Told
from par_core.questions.mechanism_lab.lab_question import Range, Toy, ToyAnswer
from par_core.questions.mechanism_lab.sensitivity_words import WORDS, explained, filled
from par_core.questions.question import Ask, anew
from par_core.rounding import amount
from par_core.scenario import Neighbours

_NEIGHBOURS = {
    Neighbours.REPLACE_ONE: "one of them replaced",
    Neighbours.ADD_OR_REMOVE: "one more or one fewer",
}
FORMULAS = (
    Formula(
        "Sensitivity of a query",
        r"\Delta = \max_{x \sim y} \|f(x) - f(y)\|_1",
        lab.Exercise,
        "Dwork and Roth 2014, definition of ℓ₁-sensitivity",
        "Over all neighbouring tables x and y with values in the public bounds. Laplace noise for ε has the scale Δ/ε.",
    ),
)


@dataclass(frozen=True, repr=False)
class HowFarItMoves(Toy):
    """How far does one person move the answer to a query at most?"""

    number: int = 1  # of eight exercises
    neighbours: str | None = None  # None: those of the scenario
    variant: int = 1
    said: float | None = None  # how far, by the learner
    answered: bool = True  # so that the answer is told

    ranges: ClassVar = {
        "number": Range("Exercise", 1, len(lab.QUERIES)),
        "variant": Range("Variant", 1, lab.VARIANTS),
    }
    moved_by = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("neighbours", self.changes, tuple(Neighbours))
        if self.said is not None:
            check_number("said", self.said, above=0.0)

    @property
    def changes(self) -> str:
        """What counts as one person."""
        return self.scenario.neighbours if self.neighbours is None else self.neighbours

    @property
    def unread(self) -> tuple[str, ...]:
        return (*super().unread, "answered", *["said"] * (self.said is None))

    @property
    def exercise(self) -> lab.Exercise:
        """What is asked."""
        return lab.exercise(self.number, neighbours=Neighbours(self.changes), variant=self.variant)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> HowFarItMovesAnswer:
        return HowFarItMovesAnswer(self, self.exercise)


class HowFarItMovesAnswer(ToyAnswer[HowFarItMoves, lab.Exercise]):
    """Two tables, what the learner said, and what is right."""

    def numbers(self) -> dict[str, Quantity]:
        numbers = {"these_two_are_apart": self.found.quantity("apart")}
        return numbers | ({"sensitivity": self.found.quantity("sensitivity")} if self.question.answered else {})

    def story(self) -> Iterator[Block]:
        found, asked = self.found, self.question
        words = WORDS[found.key]
        yield Headline(f"How far can one person move {filled(words.query, found)}?")
        public = f"{filled(words.detail, found)}, {_NEIGHBOURS[found.neighbours]}"
        yield Sentence(f"{public}: what is the largest change?")
        yield self._pair("neighbouring_tables", found.shown, "Two neighbouring tables")
        if asked.said is not None:
            yield from self._judged(asked.said)
        if asked.answered:
            yield self._pair("furthest_tables", found.furthest, "Two tables that are as far apart as any")
            yield self.said(f"**At most {{found.sensitivity}}.** {explained(found)}", term="sensitivity")
            yield Note(
                "Noise is made for the largest change over all neighbouring tables: never for your own table, which must not be looked at."
            )
            yield Formulas("sensitivity", FORMULAS)

    def _judged(self, said: float) -> Iterator[Block]:
        found = self.found
        verdict = found.judge(said)
        if verdict == "right":
            yield Holds(f"{amount(said)} is right.")
        elif verdict == "too small":
            further = found.furthest if self.question.answered else found.further(said)
            yield Fails(
                f"{amount(said)} is too small: one person can move the answer by {amount(float(further.change))}, as the next two tables "
                "show. Noise made for less does not give the ε it claims."
            )
            if not self.question.answered:
                yield self._pair("further_tables", further, "Two tables that are further apart")
        else:
            more = amount(said / found.sensitivity)
            yield Sentence(f"**{amount(said)} is safe, but too large:** {more} times as much noise as it takes.")

    def _pair(self, key: str, pair: lab.Pair, title: str) -> Chart:
        one, other = (
            ", ".join("nobody" if each is None else str(each) for each in table) for table in (pair.first, pair.second)
        )
        apart = f"answers {amount(float(pair.change))} apart"
        return Chart(
            key,
            partial(figures.pair, pair, title=f"{title}, {apart}"),
            Told(f"{title}, {apart}, which differ in person {pair.changed + 1}. The values are {one}; and {other}."),
            self.found.source,
            table=partial(figures.pair_table, pair),
        )
