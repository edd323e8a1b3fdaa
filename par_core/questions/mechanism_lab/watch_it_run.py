"""Watch it run: releases rain into a histogram, and few are off by more than the bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.figures import lab_watch_it_run as figures
from par_core.lab import watch_it_run as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Note
from par_core.questions.mechanism_lab import formulas
from par_core.questions.mechanism_lab.lab_question import SEED, NoiseQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew


@dataclass(frozen=True, repr=False)
class WatchItRun(NoiseQuestion):
    """How often is a release off by more than it should be?"""

    drawn: int = 100  # releases so far
    beta: float = 0.05  # share that may be off by more than the bound
    each: int = 1  # numbers in a release
    seed: int = 1

    ranges: ClassVar = {
        "drawn": Range("Releases so far", 1, lab.MOST_RELEASES),
        "beta": Range("Share β that may be off by more", 1e-4, 0.5),
        "each": Range("Numbers in a release, k", 1, lab.MOST_NUMBERS),
        "seed": SEED,
    }
    moved_by = "drawn", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> WatchItRunAnswer:
        level, aim = self.level, self.aim
        found = lab.run(self.kind, level, self.drawn, delta=aim, k=self.each, beta=self.beta, seed=self.seed)
        return WatchItRunAnswer(self, found)


class WatchItRunAnswer(ToyAnswer[WatchItRun, lab.Run]):
    """The errors of the releases so far."""

    told: ClassVar = {"bound": "off", "share_beyond_it": "share"}

    def story(self) -> Iterator[Block]:
        found = self.found
        yield self.titled(
            "{found.beyond:,} of {found.releases:,} releases were off by more than {found.off}; at most {found.beta:percent} are expected"
        )
        yield self.said(
            "So far {found.share}, with a {found.level:percent} interval from {found.lower} to {found.upper}.",
            term="lab_interval",
        )
        yield self.pictured(
            "watch_it_run",
            partial(figures.histogram, found),
            "Errors of {found.releases:,} releases; {found.beyond:,} were off by more than {found.off}.",
        )
        yield self.said(self._bound())
        yield Note("Each number has noise of its own. The more releases, the closer the bars come to the line.")
        yield Formulas("watch_it_run", formulas.WATCH_IT_RUN)

    def _bound(self) -> str:
        """Say where the bound comes from."""
        found = self.found
        if found.union and found.k > 1:
            return (
                "The lecture’s bound, ln(k/β)·Δ/ε, is {found.union}. It adds up the chances of {found.k:,} numbers; as their errors are "
                "independent, {found.off} is enough."
            )
        if found.union:
            return "For one number the lecture’s bound, ln(1/β)·Δ/ε, is exact: {found.off}."
        if found.is_whole:
            return (
                "Errors are whole numbers, and {found.off} is the smallest that no more than a share β exceeds: in the long run fewer "
                "do."
            )
        return "The bound, {found.off}, is exact. The lecture’s ln(k/β)·Δ/ε is for Laplace noise."
