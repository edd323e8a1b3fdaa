"""Which mechanism? The error of each noise for 1 to 1,000 counts at the same ε and δ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.evidence import Quantity
from par_core.export.sentences import counted, level, told
from par_core.figures import lab_which_mechanism as figures
from par_core.lab import which_mechanism as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Note, Sentence, Words
from par_core.questions.mechanism_lab import formulas
from par_core.questions.mechanism_lab.lab_question import DeltaQuestion, ToyAnswer
from par_core.questions.question import Ask, anew
from par_core.rounding import small

_MEASURES = {
    "average": "how far off a count is on average",
    "range": "what a count stays within 95 times in 100",
    "all": "what all counts together stay within 95 times in 100",
}
_MOVES = {"all": "all counts by 1 each", "one": "one count alone, by 1"}


@dataclass(frozen=True, repr=False)
class WhichMechanism(DeltaQuestion):
    """Which noise is smaller for how many counts, at the same ε and δ?"""

    measure: str = "average"
    moves: str = "all"  # which counts one person moves

    choices: ClassVar = {"measure": ("Error", _MEASURES), "moves": ("One person moves", _MOVES)}
    moved_by = "epsilon", "noise_delta"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> WhichMechanismAnswer:
        found = lab.compare(self.level, self.aim, measure=self.measure, moves=self.moves)
        return WhichMechanismAnswer(self, found)


class WhichMechanismAnswer(ToyAnswer[WhichMechanism, lab.Compared]):
    """The errors of every noise by the number of counts, and where Gaussian noise gets smaller."""

    def numbers(self) -> dict[str, Quantity]:
        found = self.found
        if found.first is None:
            return {}
        first = Quantity(found.first, "count", found.evidence)
        return {"gaussian_is_smaller_from_counts": first, "error_there": found.quantity("crossing")}

    def story(self) -> Iterator[Block]:
        asked, found = self.question, self.found
        levels = f"{level(found.epsilon)}, δ\u00a0=\u00a0{small(found.delta)}"
        if found.first is None:
            yield Headline(f"Up to a million counts Laplace noise beats Gaussian noise at {levels}")
            crossing = "Laplace noise is smaller for all of them."
        else:
            many = counted(found.first, "count")
            yield Headline(f"From {many} on, Gaussian noise beats Laplace noise at {levels}")
            error = told("{found.crossing}", {"found": found})
            crossing = f"Gaussian noise is smaller from {many} on, where its error is {error}."
        moved, error = _MOVES[asked.moves], _MEASURES[asked.measure]
        yield Sentence(f"One person moves {moved}; the error is {error}.", evidence_from=lab.crossing)
        yield Chart(
            "which_mechanism",
            partial(figures.compared, found),
            Words(f"Error of each noise against the number of counts, 1 to {found.k[-1]:,}. {crossing}"),
            found.source,
            notes={"delta": repr(found.delta)},
        )
        yield Sentence(
            "Laplace noise grows with the number of counts that one person moves, Gaussian noise with its root. But the ε of Laplace noise "
            "holds without a δ, and discrete Laplace noise, which scripts draw for counts, can stay smaller for a few counts more."
        )
        yield Note(
            "Going from one cell of a histogram to another moves two counts: twice the Laplace noise, √2 times the Gaussian. Randomised "
            "response answers for a person, not for a table: see Coins."
        )
        yield Formulas("which_mechanism", formulas.WHICH_MECHANISM)
