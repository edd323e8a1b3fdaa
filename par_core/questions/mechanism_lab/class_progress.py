"""A class that takes the quiz: how many joined, and how far they are with each question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.evidence import Quantity
from par_core.figures import class_progress as figures
from par_core.lab.classroom import Progress as Counted
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Headline, Own, Sentence, Words
from par_core.questions.mechanism_lab.lab_question import Toy
from par_core.questions.question import Answer, Ask, anew


@dataclass(frozen=True, repr=False)
class ClassProgress(Toy):
    """How far is the class with the quiz?"""

    counted: Counted

    moved_by: ClassVar[tuple[str, ...]] = ()

    @property
    def passing(self) -> bool:
        return True

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> ClassProgressAnswer:
        return ClassProgressAnswer(self)


@dataclass(frozen=True)
class ClassProgressAnswer(Answer):
    """The counts as they stand, without anybody's name."""

    question: ClassProgress

    def numbers(self) -> dict[str, Quantity]:
        return {}

    def story(self) -> Iterator[Block]:
        counted = self.question.counted
        joined, right = counted.joined, sum(counted.right)
        if joined:
            yield Headline(f"{joined:,} joined, with {right:,} right answer{'s' * (right != 1)}")
        else:
            yield Headline("The class is open: nobody has come in yet")
        most = max(counted.wrong)
        yield Own("invitation")
        if most:
            hardest = counted.wrong.index(most) + 1
            yield Sentence(f"Question {hardest} has the most wrong answers: {most:,}.")
        alt = f"Of {joined:,} who joined, " + "; ".join(
            f"question {number}: {right} right, {tried} tried"
            for number, (right, tried) in enumerate(zip(counted.right, counted.tried, strict=True), start=1)
        )
        draw = partial(figures.progress, joined, counted.tried, counted.right)
        yield Chart("class_progress", draw, Words(f"{alt}."), "counted in this class")
        yield Own("watch")
