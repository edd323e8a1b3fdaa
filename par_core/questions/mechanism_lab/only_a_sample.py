"""Only a sample: which ε a release has that is computed from a random part of the people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.figures import lab_sample_and_group as figures
from par_core.lab import only_a_sample as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Note, Sentence
from par_core.questions.mechanism_lab import sample_and_group_formulas as formulas
from par_core.questions.mechanism_lab.lab_question import LabQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew


@dataclass(frozen=True, repr=False)
class OnlyASample(LabQuestion):
    """Which ε has a release from a random part of the people?"""

    share: float = 0.1

    ranges: ClassVar = {"share": Range("Share in the sample", lab.SMALLEST_SHARE, 1.0)}
    moved_by = "share", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> OnlyASampleAnswer:
        return OnlyASampleAnswer(self, lab.sampled(self.level, self.share))


class OnlyASampleAnswer(ToyAnswer[OnlyASample, lab.SampledLevel]):
    """The level of a sample against its share."""

    told: ClassVar = {"epsilon_of_the_sample": "level", "guess": "guess"}

    def story(self) -> Iterator[Block]:
        yield self.titled(
            "On a random {found.share} of the people, {found.epsilon:level} becomes ε\u00a0=\u00a0{found.level}"
        )
        words = "Whoever is not drawn gives nothing away, but a share of the people is not that share of ε."
        yield Sentence(words, evidence_from=lab.SampledLevel)
        yield self.pictured(
            "only_a_sample",
            partial(figures.sampled, self.found),
            "Privacy level against the share of the people in the sample: {found.level} at {found.share}, and all of {found.epsilon} if "
            "everybody is in it. The guess, that share of ε, lies below.",
        )
        yield Sentence(
            "A guess would be {found.guess}, that share of ε. Whoever happens to be drawn is as exposed as without a sample.",
            found=self.found,
            bare=True,
        )
        yield Note(
            "It holds for a person who is added or removed, and drawn independently of the others; with a sample of fixed size, for "
            "one who is replaced. If anybody learns who was drawn, nothing is gained."
        )
        yield Formulas("only_a_sample", formulas.ONLY_A_SAMPLE)
