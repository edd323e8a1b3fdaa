"""Coins: everybody answers with coins of their own, and the share of "yes" is estimated all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

from par_core.evidence import Quantity, quantity_of
from par_core.figures import lab_coins as figures
from par_core.lab import coins as lab
from par_core.mechanisms import max_posterior
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, File, Formulas, Headline, Note, Sentence, Words
from par_core.questions.mechanism_lab import formulas
from par_core.questions.mechanism_lab.lab_question import SEED, LabQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew
from par_core.rounding import amount, rounded, small


@dataclass(frozen=True, repr=False)
class Coins(LabQuestion):
    """What does a survey tell in which everybody answers with coins of their own?"""

    true: float = 0.3  # share of yes in a survey that is drawn
    people: int = 1_000
    seed: int = 2
    said: int | None = None  # who said yes in a survey of the reader's own; None: it is drawn

    ranges: ClassVar = {
        "true": Range("True share of yes", 0.0, 1.0),
        "people": Range("People asked", 1, lab.MOST_PEOPLE),
        "seed": SEED._replace(label="Seed of the draw"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.said is not None:
            Range("Said yes", 0, self.people).check("said", self.said)

    @property
    def dials(self) -> tuple[str, ...]:
        return ("epsilon", *["true"] * (self.said is None))

    @property
    def unread(self) -> tuple[str, ...]:
        return (*super().unread, *["true", "seed"] * (self.said is not None))

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> CoinsAnswer:
        if self.said is not None:
            return CoinsAnswer(self, lab.survey(self.said, self.people, epsilon=self.level), None)
        drawn = lab.draw(self.true, self.people, epsilon=self.level, seed=self.seed)
        return CoinsAnswer(self, drawn.answers, drawn)


@dataclass(frozen=True)
class CoinsAnswer(ToyAnswer[Coins, lab.Survey]):
    """What people said and what it tells; of a survey that was drawn the truth too."""

    drawn: lab.DrawnSurvey | None
    told: ClassVar = {"share": "share", "share_at_least": "low", "share_at_most": "high"}

    @property
    def share(self) -> float:
        """The share that is true, or else the estimated one."""
        return self.drawn.true if self.drawn else self.found.share

    @cached_property
    def errors(self) -> lab.SurveyErrors:
        """How far off such a survey is, by the number of people."""
        return lab.errors(self.share, self.found.people, epsilon=self.found.epsilon)

    def numbers(self) -> dict[str, Quantity]:
        off = {"off_by_percentage_points": "own_local", "trusted_curator_off_by": "own_curator"}
        return super().numbers() | {name: self.errors.quantity(each) for name, each in off.items()}

    def story(self) -> Iterator[Block]:
        found, said = self.found, "{found.said:,} of {found.people:,} said yes"
        if drawn := self.drawn:
            words = f"{said}: the estimate is {{found.share}}, the truth {{drawn.true:percent}}"
            yield Headline(words, found=found, drawn=drawn, bare=True)
        else:
            yield self.titled(f"{said}: the estimate is {{found.share}}")
        yield self.said(
            "In 95 of 100 such surveys the interval holds the true share; here it goes from {found.low} to {found.high}."
        )
        yield self.pictured(
            "coins_survey",
            partial(figures.survey, found, drawn=self.drawn),
            "Shares of yes: {found.said:,} of {found.people:,} said it, which is estimated as {found.share}, from {found.low} to "
            "{found.high}.",
        )
        yield from self._deniability()
        yield from self._price()
        yield Formulas("coins", formulas.COINS)
        yield File(
            "coins_script",
            "Script for a survey (Python)",
            "randomised_response.py",
            partial(_script, found.epsilon),
            "Each person answers with OpenDP's coins on their own device; the script estimates the shares from all answers.",
        )

    def _deniability(self) -> Iterator[Block]:
        found, share = self.found, self.share
        yield Sentence(
            "**Everyone can deny it.** Each tells the truth with probability {found.truth}, so if the truth is yes for {share:percent} of "
            "all, it is for {believed} of those who said it.",
            found=found,
            share=share,
            believed=quantity_of(max_posterior, share, found.epsilon),
            term="posterior",
        )
        offset = small(rounded(found.offset, 4))
        rule = f"**The rule:** share = {amount(found.factor, 4)} · (share who said yes) − {offset}."
        if found.deviation:
            yield self.said(f"{rule} The standard error of this estimate is {{found.deviation}}.")
        else:
            yield Sentence(rule)
        if abs(found.share - found.formula) > 5e-4:  # less is not seen in what is told
            yield Note(
                f"Here the rule gives {amount(100 * found.formula)} %, which is no share. The nearest one is told instead."
            )

    def _price(self) -> Iterator[Block]:
        now, people = self.errors, f"{self.found.people:,}"
        yield Sentence(
            "**Local and central:** coins are the local model, in which each answer is noised before it leaves its owner. In the central "
            "model a trusted curator collects true answers, and adds noise to their total."
        )
        yield Sentence(
            f"**The price of trusting nobody:** with {people} asked, 95 of 100 surveys are off by at most {{now.own_local}} percentage "
            "points, a trusted curator with Laplace noise for the same ε by at most {now.own_curator}: in people, {now.people_local} "
            "against {now.people_curator}.",
            now=now,
        )
        yield Chart(
            "coins_errors",
            partial(figures.errors, now),
            Words(
                f"Error in 95 of 100 surveys against the number of people. With {people}: coins {{now.own_local}} percentage points, by "
                "the lecture's bound {now.own_bound}, a trusted curator {now.own_curator}.",
                now=now,
            ),
            now.source,
        )
        yield Note(
            "Counted in people, the error of the coins grows with √n, and that of the curator stays. As a share, four times as many people "
            "halve the one and quarter the other."
        )


def _script(epsilon: float) -> str:
    from par_core.export.mechanism_code import randomised_response_code  # late: only a reader who wants it needs it

    return randomised_response_code(epsilon).text
