"""One answer, two worlds: how likely a published count is in either, what it gives away, and what it makes of a belief."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.evidence import Quantity
from par_core.export.sentences import level, told
from par_core.figures import lab_two_worlds as figures
from par_core.lab import ten_students
from par_core.lab import two_worlds as lab
from par_core.lab.two_worlds import WITH, WITHOUT
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, More, Note, Own, Sentence, Table
from par_core.questions.evidence import checked
from par_core.questions.mechanism_lab import formulas
from par_core.questions.mechanism_lab.lab_question import NoiseQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew
from par_core.rounding import amount

_POSTERIOR = "lecture-posterior"


@dataclass(frozen=True, repr=False)
class TwoWorlds(NoiseQuestion):
    """What does one published answer give away, and what does it make of a belief?"""

    published: float = 42.0
    prior: float = 0.5
    fails: float = ten_students.FAILS  # the belief that one of the lecture's ten students failed

    ranges: ClassVar = {
        "published": Range("Published answer", -1e6, 1e6),
        "prior": Range("Belief before", 0.0, 1.0),
        "fails": Range("Belief that a student failed", 0.001, 0.999),
    }
    moved_by = "published", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> TwoWorldsAnswer:
        found = lab.two_worlds(self.kind, self.level, delta=self.aim, answer=self.published, prior=self.prior)
        return TwoWorldsAnswer(self, found)


class TwoWorldsAnswer(ToyAnswer[TwoWorlds, lab.TwoWorlds]):
    """How likely answers are in two worlds, and what the published one tells."""

    def numbers(self) -> dict[str, Quantity]:
        found = self.found
        moved = {"belief_after": found.quantity("raised" if found.loss > 0 else "lowered")} if found.loss else {}
        return moved | {"privacy_loss": found.quantity("size")}

    def story(self) -> Iterator[Block]:
        asked, found, after = self.question, self.found, self._after
        yield self._headline()
        yield Sentence(
            "Somebody knows that {others} others failed; what this answer tells them of Angie is a privacy loss of {found.size}.",
            others=WITHOUT,
            found=found,
            term="lab_loss",
        )
        yield self.pictured(
            "two_worlds",
            partial(figures.densities, found),
            "How likely each answer is in two worlds. At {found.answer:g} the privacy loss is {found.size}; a belief of "
            f"{{found.prior:percent}} becomes {after}.",
        )
        if found.answer != asked.published:
            yield Note(f"This noise gives whole numbers: {amount(asked.published, 6)} is read as {found.answer:,.0f}.")
        yield self._bounds()
        yield self.pictured(
            "loss_of_an_answer",
            partial(figures.losses, found),
            "Privacy loss of each answer; it is {found.size} in size at {found.answer:g}, and ε is {found.epsilon:g}.",
        )
        yield More("ten_students", "The lecture's ten students", self._students)
        yield Formulas("two_worlds", formulas.TWO_WORLDS)

    @property
    def _after(self) -> str:
        return "{found.raised}" if self.found.loss > 0 else "{found.lowered}"

    def _headline(self) -> Block:
        found = self.found
        if found.loss:
            times = "over a billion times" if found.is_certain else "{found.ratio} times"
            world = "failed" if found.loss > 0 else "passed"
            words = f"{times} as likely if Angie {world}: belief {{found.prior:percent}} → {self._after}"
        else:
            words = "as likely in both worlds: belief stays {found.prior:percent}"
        return self.titled(f"An answer of {amount(found.answer, 6)} is {words}", term="lab_times")

    def _bounds(self) -> Block:
        """Say how far any answer can move a belief, and what noise without a largest loss does beside."""
        found = self.found
        limits = (
            "odds of a belief change by at most a factor of e^ε = {found.factor}: {found.prior:percent} ends between {found.lowest} and "
            "{found.highest}."
        )
        if not found.one_in:
            # What every answer beyond them gives away needs no mark: it follows from the limits.
            whole = f"Every answer up to {WITHOUT}, or from {WITH} on, gives all of that away."
            return Sentence(f"**Whatever is published**, the {limits}", found=found, then=whole)
        share = "{found.exceeds} of releases lose" if found.exceeds >= 0.001 else "1 of {found.one_in} releases loses"
        return self.said(
            f"**If an answer loses at most ε**, the {limits} {found.noise} noise has no largest loss: at most {share} more, in the tails."
        )

    def _students(self) -> Iterator[Block]:
        """The lecture's example: three queries about ten students, with and without noise."""
        yield Own("fails")
        asked, queries = self.question, ten_students.QUERIES
        lecture = [ten_students.student_belief(each, fails=asked.fails) for each in queries]
        own = [ten_students.student_belief(each, asked.level, fails=asked.fails) for each in queries]
        both = [*zip(queries, lecture, own, strict=True)]

        def after(answer: int, belief: Quantity) -> str:
            return told(f"{answer}: {{belief}}", {"belief": belief})

        yield Table(
            {
                "Query": [each.words for each in queries],
                "Belief that": [f"{each.about} failed" for each in queries],
                "Exact answer": [after(each.exact, found.quantity("exact")) for each, found, _ in both],
                "With the lecture’s noise": [after(each.answer, found.quantity("after")) for each, found, _ in both],
                f"With noise for {level(asked.level)}": [
                    after(each.answer, found.quantity("after")) for each, _, found in both
                ],
            },
            "Answers of three queries, and what each makes of a belief.",
        )
        yield Sentence(
            "Each column has the answer and the belief after it; Angie and Eva are the female students. The lecture’s noise is discrete "
            "Laplace noise for {own:level}; with it the third answer has a probability of {third.chance}.",
            own=ten_students.EPSILON,
            third=lecture[-1],
        )
        if asked.fails == ten_students.FAILS:
            said = checked(_POSTERIOR).claim.published
            yield Sentence(
                "The lecture has {said:percent} for the belief after it.", said=said, evidence_from=_POSTERIOR
            )
