"""A group: which ε the same release has for several persons together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.figures import lab_sample_and_group as figures
from par_core.lab import a_group as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Note, Sentence
from par_core.questions.mechanism_lab import sample_and_group_formulas as formulas
from par_core.questions.mechanism_lab.lab_question import LabQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew


@dataclass(frozen=True, repr=False)
class AGroup(LabQuestion):
    """Which ε has a release for a whole group?"""

    persons: int = 4

    ranges: ClassVar = {"persons": Range("Persons in the group", 1, lab.MOST_PERSONS)}
    moved_by = "persons", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> AGroupAnswer:
        return AGroupAnswer(self, lab.grouped(self.level, self.persons))


class AGroupAnswer(ToyAnswer[AGroup, lab.GroupLevel]):
    """The level of a group against its size."""

    told: ClassVar = {"epsilon_of_the_group": "level"}

    def story(self) -> Iterator[Block]:
        if self.found.size == 1:
            yield self.titled("For one person, {found.epsilon:level} is what it says")
        else:
            yield self.titled("For a group of {found.size}, {found.epsilon:level} is ε\u00a0=\u00a0{found.level}")
        words = "Noise that hides one person hides a family less: together they move the answer further."
        yield Sentence(words, evidence_from=lab.GroupLevel)
        yield self.pictured(
            "a_group",
            partial(figures.grouped, self.found),
            "Privacy level against the number of persons in the group: {found.level} for {found.size}. It rises in a straight line; the "
            "guess, the same ε for everybody, stays at {found.epsilon}.",
        )
        if self.found.level < 300.0:
            yield self.said("The odds that all of them are in the table move by a factor of {found.factor} at most.")
        yield Note(
            "The same goes for one person with several rows. To protect a family, make the noise for as many persons: ε divided by their "
            "number. With δ above 0, a group's δ grows much faster than its size."
        )
        yield Formulas("a_group", formulas.A_GROUP)
