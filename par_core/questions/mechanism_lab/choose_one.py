"""Choose one of many: the exponential mechanism on a table of candidates.

The names of the reader's own candidates are told to nobody else, and stand in no file: there candidates have numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Self

from par_core.errors import ParameterError
from par_core.figures import lab_choose_one as figures
from par_core.lab import choose_one as lab
from par_core.parameters import check_integer, check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, File, Formulas, Sentence, Words
from par_core.questions.mechanism_lab import formulas
from par_core.questions.mechanism_lab.lab_question import SEED, LabQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew

MOST_CANDIDATES = 30
_LONGEST = 60


@dataclass(frozen=True, repr=False)
class ChooseOne(LabQuestion):
    """How often is the best of some candidates chosen by the exponential mechanism?"""

    candidates: tuple[str, ...] = ("Mon", "Tue", "Wed", "Thu", "Fri")
    utilities: tuple[float, ...] = (12.0, 30.0, 27.0, 9.0, 21.0)
    weights: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0, 1.0)
    moves: float = 1.0  # the sensitivity of the utility
    draws: int = 200  # 0: none are drawn
    seed: int = 1

    ranges: ClassVar = {
        "moves": Range("Sensitivity of the utility", 1e-6, 1e9),
        "draws": Range("Draws", 0, lab.MOST_DRAWS),
        "seed": SEED._replace(label="Seed of the draws"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("candidates", len(self.candidates), at_least=1, at_most=MOST_CANDIDATES)
        if not len(self.candidates) == len(self.utilities) == len(self.weights):
            raise ParameterError("each of the candidates must have one of the utilities and one of the weights")
        for number, row in enumerate(zip(self.candidates, self.utilities, self.weights, strict=True), start=1):
            if wrong := wrong_with(*row):
                raise ParameterError(f"candidate {number}: {wrong}")

    @property
    def private(self) -> bool:
        return not {*ChooseOne.candidates, *self._numbered}.issuperset(self.candidates)

    @property
    def public(self) -> Self:
        return replace(self, candidates=self._numbered) if self.private else self

    @property
    def _numbered(self) -> tuple[str, ...]:
        return tuple(f"no. {at}" for at in range(1, len(self.candidates) + 1))

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> ChooseOneAnswer:
        found = lab.choose(self.utilities, self.level, sensitivity=self.moves, prior=self.weights)
        drawn = self.draws and lab.draw(
            self.utilities, self.level, draws=self.draws, seed=self.seed, sensitivity=self.moves, prior=self.weights
        )
        return ChooseOneAnswer(self, found, drawn or None)


@dataclass(frozen=True)
class ChooseOneAnswer(ToyAnswer[ChooseOne, lab.Choice]):
    """With which probability each candidate is chosen, and how often it was drawn."""

    drawn: lab.DrawnChoices | None
    told: ClassVar = {"best_is_chosen": "best", "falls_short_by_at_most": "shortfall", "bound_of_the_lecture": "bound"}

    @property
    def for_others(self) -> Self:
        return replace(self, question=self.question.public)

    def story(self) -> Iterator[Block]:
        asked, found, drawn = self.question, self.found, self.drawn
        who = "The best candidate is" if found.best_of == 1 else f"One of the {found.best_of} best candidates is"
        yield self.titled(f"{who} chosen with probability {{found.best}} at {{found.epsilon:level}}")
        yield self.said("In 95 of 100 choices the utility falls short of the best by at most {found.shortfall}.")
        yield Chart(
            "choose_one",
            partial(figures.choice, found, asked.candidates, drawn=drawn),
            Words(
                "Probability of each of {number} candidates; one of the best is chosen with probability {found.best}.",
                number=len(asked.candidates),
                found=found,
            ),
            found.source,
            table=partial(figures.choice_table, found, asked.candidates, drawn=drawn),
        )
        yield self.said(
            "**The lecture's bound** holds whatever the table: in 95 of 100 choices at most {found.bound} below the best; here "
            "{found.beyond} of choices miss it.",
            term="utility_bound",
        )
        if drawn is not None:
            yield Sentence(
                "**The same by noise:** add Gumbel noise to each utility times ε/(2Δ), and publish the name of the largest alone. The "
                "circles are {drawn.draws:,} such draws; each interval holds the exact probability in 95 of 100 repetitions.",
                drawn=drawn,
                evidence_from=drawn,
            )
        yield Formulas("choose_one", formulas.CHOOSE_ONE)
        yield File(
            "choice_script",
            "Script for a choice (Python)",
            "choose_one.py",
            partial(_script, found.epsilon, found.sensitivity),
            "Chooses with OpenDP from a file of candidates and utilities. It treats all candidates alike, whatever the prior here.",
        )


def wrong_with(name: str, utility: float, weight: float) -> str:
    """Return why a candidate cannot be used, or nothing."""
    if not 1 <= len(name.strip()) <= _LONGEST:
        return f"the name must have from 1 to {_LONGEST} characters"
    try:
        check_number("the utility", utility, at_least=-1e9, at_most=1e9)
        check_number("the weight", weight, at_least=1e-6, at_most=1e6)
    except ParameterError as error:
        return str(error)
    return ""


def _script(epsilon: float, sensitivity: float) -> str:
    from par_core.export.mechanism_code import choice_code  # late: only a reader who wants it needs it

    return choice_code(epsilon, sensitivity=sensitivity).text
