"""The best of several: which ε it has to publish only the best of some private runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from par_core.figures import lab_best_of_runs as figures
from par_core.lab import best_of_runs as lab
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formula, Formulas, Note, Sentence
from par_core.questions.mechanism_lab.lab_question import LabQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew

FORMULAS = (
    Formula(
        "Level of the best of k runs",
        r"\varepsilon = k\,\varepsilon_0",
        lab.best_of_fixed,
        "basic composition",
        "Reached by randomised response, where all k runs come out bad, and by Laplace noise in the limit.",
    ),
    Formula(
        "Level of the best of a geometric number of runs, k on average",
        r"\varepsilon = \varepsilon_0 + 2\ln\frac{k\,e^{\varepsilon_0} + 1}{k + e^{\varepsilon_0}} < 3\,\varepsilon_0",
        lab.best_of_random,
        "Liu and Talwar 2019; Papernot and Steinke 2022, Corollary 3, has the 3\u00a0ε₀",
        "Exact over all runs with ε₀; the runs are alike: each draws its settings anew.",
    ),
)


@dataclass(frozen=True, repr=False)
class BestOfRuns(LabQuestion):
    """Which ε has the best of several private runs?"""

    runs: int = 10

    ranges: ClassVar = {"runs": Range("Runs, k", 1, lab.MOST_RUNS)}
    moved_by = "runs", "epsilon"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> BestOfRunsAnswer:
        return BestOfRunsAnswer(self, lab.best_of(self.level, self.runs))


class BestOfRunsAnswer(ToyAnswer[BestOfRuns, lab.BestOfRuns]):
    """The level of the best against the number of runs."""

    told: ClassVar = {"epsilon_of_the_best": "fixed", "epsilon_with_a_random_number": "random"}

    def story(self) -> Iterator[Block]:
        if self.found.runs == 1:
            yield self.titled("One run with {found.epsilon0:level} costs what it says")
        else:
            yield self.titled(
                "The best of {found.runs} runs with {found.epsilon0:level} each has ε\u00a0=\u00a0{found.fixed}"
            )
        words = "Each run is private, but to publish the best of them costs more than one run."
        yield Sentence(words, evidence_from=lab.BestOfRuns)
        yield self.pictured(
            "best_of_runs",
            partial(figures.best_of, self.found),
            "Privacy level against the number of runs: {found.fixed} for the best of {found.runs}, in a straight line. With a random "
            "number, {found.runs} on average, it is {found.random}, and never above {found.most}. Counted as one run it "
            "would be {found.epsilon0}.",
        )
        if self.found.runs > 1:
            yield from self._reasons()
        yield Note(
            "Each run draws its settings anew, and nobody learns how many there were. If the best is chosen by its exact error on "
            "the private data, the ε of the runs promises nothing."
        )
        yield Formulas("best_of_runs", FORMULAS)

    def _reasons(self) -> Iterator[Block]:
        why = "**Why it adds up:** let each run say good or bad by randomised response."
        if self.found.one_in_without < 1e9:
            yield self.said(
                f"{why} No run is good 1 time in {{found.one_in}} with a person in the table, 1 time in {{found.one_in_without}} without."
            )
        else:
            yield Sentence(f"{why} That no run is good is e^ε times as likely with a person in the table as without.")
        yield self.said(
            "**The remedy:** after each run, stop with probability 1/{found.runs}. There are as many runs on average, and the best has "
            "ε\u00a0=\u00a0{found.random}; however many there are, less than 3\u00a0ε₀\u00a0=\u00a0{found.most}."
        )
