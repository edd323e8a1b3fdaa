"""What becomes of the claimed saving in truth, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from par_core import cost
from par_core.cost import Optimum
from par_core.evidence import Quantity, quantity_of
from par_core.figures import budget_minimiser as figures
from par_core.mechanisms import default_noise
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Headline, More, Numbers, Sentence, Words
from par_core.questions.budget_minimiser.breach import Breach, CurveAnswer
from par_core.questions.budget_minimiser.formulas import TRUTH
from par_core.questions.question import Ask, anew


@dataclass(frozen=True, repr=False)
class ClaimedSaving(Breach):
    """What becomes of the saving that the paper claims?"""

    def __post_init__(self) -> None:
        self.must_agree()

    @property
    def dials(self) -> tuple[str, ...]:
        return ("scenario.epsilon0",)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> ClaimedSavingAnswer:
        return ClaimedSavingAnswer(self, cost.curve(self.model, [self.scenario.epsilon0], k=self.scenario.k).curves[0])


@dataclass(frozen=True)
class ClaimedSavingAnswer(CurveAnswer):
    """What is saved, as claimed and in truth."""

    question: ClaimedSaving

    def numbers(self) -> dict[str, Quantity]:
        return {"saving_as_claimed": self.claimed.quantity("saving"), "saving_in_truth": self.true.quantity("saving")}

    def in_short(self, kind: type[Words] = Headline) -> Words:
        """Return the answer in one line."""
        if self.claimed.at_epsilon0:
            return kind("There is no saving here, neither claimed nor real")
        return self.say("The claimed saving of {claimed.saving} is in truth {true.saving} on average", kind)

    def story(self) -> Iterator[Block]:
        claimed, currency = self.claimed, self.question.scenario.currency
        yield from self.beforehand()
        yield self.in_short()
        if claimed.at_epsilon0:
            yield self.no_saving()
        else:
            yield self.say(
                "The privacy loss stays within {claimed.epsilon:level} in {held} of releases, not in {claimed.confidence}.",
                held=quantity_of(default_noise(claimed.epsilon0).loss_within, claimed.epsilon),
            )
        yield self.picture("claimed_and_real", lambda: figures.claim_and_truth(self.own, currency=currency))
        if not claimed.at_epsilon0:
            yield self.say("A breach can cost up to {true.baseline} of the full {full}: only that is always enough.")
            why = "Its proof treats the noise seen from two tables as independent, but it is the same noise."
            yield More("same_noise", "Why is this not what the paper says?", (Sentence(why),))
        yield self.boxes(self._told(claimed), self._told(self.true))
        yield from self.cautions()
        yield Formulas("claimed_and_real", TRUTH)

    def _told(self, found: Optimum) -> tuple[Numbers, ...]:
        """Return what an optimum saves, and where it lies."""
        truth = found.truth
        saved = ("Saving", found, "saving"), ("Least average", found, "budget")
        where = ("Share saved", found, "share_saved"), ("At ε", found, "epsilon"), ("Confidence", found, "confidence")
        return self.row(f"{truth}_saving", *saved), self.row(f"{truth}_optimum", *where)
