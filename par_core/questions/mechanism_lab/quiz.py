"""Quiz: twelve questions with numbers to work out, for a reader alone, before an audience, and for a class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

from par_core.evidence import Quantity
from par_core.export.sentences import told
from par_core.figures import quiz as figures
from par_core.figures.drawing import Drawing
from par_core.lab import quiz as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Headline, Own, Sentence, Words
from par_core.questions.mechanism_lab.lab_question import DeltaQuestion, Range, ToyAnswer
from par_core.questions.mechanism_lab.quiz_words import WORDS
from par_core.questions.question import Ask, anew
from par_core.rounding import small

WHOSE = {"mine": "Mine", "lecture": "Lecture’s", "class": "Class"}


def hints(question: lab.Question) -> tuple[str, ...]:
    """Return what helps with a question, in the order in which it is told: a thought first, then the way without its result."""
    return tuple(told(each, _plain(question)) for each in WORDS[question.key].hints)


@dataclass(frozen=True, repr=False)
class QuizQuestion(DeltaQuestion):
    """What is asked in the quiz, and what is right?"""

    number: int = 1  # of twelve
    whose: str = "mine"
    seed: int = 1  # of the class
    student: int = 1
    answered: bool = True  # so that the answer is told
    for_audience: bool = False
    in_class: bool = False  # one that is open: who has its seed could compute the answers of everybody

    ranges: ClassVar = {
        "number": Range("Question", 1, len(WORDS)),
        "seed": Range("Class seed", 0, lab.LARGEST_CLASS),
        "student": Range("Student", 1, lab.STUDENTS),
    }
    choices: ClassVar = {"whose": ("Numbers", WHOSE)}
    moved_by = ()

    @property
    def unread(self) -> tuple[str, ...]:
        others = [*["epsilon", "noise_delta"] * (self.whose != "mine"), *["seed", "student"] * (self.whose != "class")]
        return (*super().unread, "answered", "for_audience", "in_class", *others)

    @property
    def passing(self) -> bool:
        return self.in_class

    @property
    def questions(self) -> tuple[lab.Question, ...]:
        """All twelve with their numbers and answers."""
        if self.whose == "class":
            return lab.of_student(self.seed, self.student)
        return lab.lecture() if self.whose == "lecture" else lab.own(self.level, self.aim)

    @property
    def asked(self) -> lab.Question:
        """The one that is asked."""
        return self.questions[self.number - 1]

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> QuizAnswer:
        return QuizAnswer(self, self.asked)


class QuizAnswer(ToyAnswer[QuizQuestion, lab.Question]):
    """What is asked, and what is right: told where it was answered."""

    @cached_property
    def picture(self) -> lab.Picture:
        """How the answer depends on one of the numbers."""
        return lab.picture(self.found)

    @property
    def drawing(self) -> Drawing:
        """The picture, without what gives the answer away until that is told."""
        return figures.question(self.picture, answered=self.question.answered)

    @property
    def alt(self) -> Words:
        """What is read out of the picture."""
        where = f"{self.drawing.layout['xaxis']['title']['text']} {self.picture.at:g}"
        if not self.question.answered:
            return Words(f"{where}: the answer is not shown yet.")
        return Words(f"{where}: the answer is {{answer}}.", answer=self.picture.answer)

    @property
    def detail(self) -> Words:
        """What else has to be known."""
        return Sentence(told(WORDS[self.found.key].detail, _plain(self.found)))

    @property
    def explanation(self) -> Words:
        """Why the answers are right, with their numbers and what these are worth."""
        template = WORDS[self.found.key].explanation
        values = {**self.found.explained, **self.found.answers, **_plain(self.found)}
        return Sentence(
            template, **{name: each for name, each in values.items() if re.search(rf"{{{name}\b", template)}
        )

    def numbers(self) -> dict[str, Quantity]:
        return dict(self.found.answers)

    def story(self) -> Iterator[Block]:
        question = self.question
        words = told(WORDS[self.found.key].asked, _plain(self.found))
        if question.for_audience:
            yield Headline(f"{question.number} of {len(WORDS)}: {words}")
            yield Own("presented")
        else:
            yield Headline(words)
            yield self.detail
        if question.answered:
            yield Chart("quiz_picture", partial(getattr, self, "drawing"), self.alt, self.picture.source)
        else:
            yield Own("picture")
        if question.answered and not question.for_audience:
            yield self.explanation
            yield Own("link")


def _plain(question: lab.Question) -> dict[str, Any]:
    """Return the numbers of a question that are no answers, by name."""
    explained = {name: each for name, each in question.explained.items() if not isinstance(each, Quantity)}
    plain = {**question.given, **explained}
    told_as = {name: int(value) if value == int(value) else value for name, value in plain.items()}
    return {**told_as, **({"delta_told": small(plain["delta"])} if "delta" in plain else {})}
