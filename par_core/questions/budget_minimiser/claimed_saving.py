"""What becomes of the claimed saving in truth, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from par_core import cost
from par_core.cost import Optimum
from par_core.figures import budget_minimiser as figures
from par_core.mechanisms import default_noise
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Headline, More, Number, Numbers, Sentence
from par_core.questions.budget_minimiser.breach import Breach, BreachAnswer, least_average, saved, saving
from par_core.questions.budget_minimiser.formulas import TRUTH
from par_core.questions.question import Ask, anew
from par_core.standing import Quantity, quantity_of


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
class ClaimedSavingAnswer(BreachAnswer):
    """What is saved, as claimed and in truth."""

    question: ClaimedSaving

    def numbers(self) -> dict[str, Quantity]:
        return {"saving_as_claimed": saved(self.claimed), "saving_in_truth": saved(self.true)}

    @property
    def in_short(self) -> Headline:
        """The headline."""
        if self.claimed.at_epsilon0:
            return Headline("There is no saving here, neither claimed nor real")
        return Headline(
            "The claimed saving of {claimed} is in truth {true} on average",
            claimed=saved(self.claimed),
            true=saved(self.true),
            currency=self.question.scenario.currency,
        )

    def story(self) -> Iterator[Block]:
        asked, own, claimed, currency = self.question, self.own, self.claimed, self.question.scenario.currency
        yield from asked.beforehand()
        yield self.in_short
        if claimed.at_epsilon0:
            yield self.no_saving()
        else:
            yield Sentence(
                "The privacy loss stays within {claimed.epsilon:level} in {held} of releases, not in {claimed.confidence}.",
                claimed=claimed,
                held=quantity_of(default_noise(own.epsilon0).loss_within, claimed.epsilon),
            )
        yield self.picture("claimed_and_real", lambda: figures.claim_and_truth(own, currency=currency))
        if not claimed.at_epsilon0:
            yield Sentence(
                "A breach can cost up to {always} of the full {full}: only that is always enough.", **self.money
            )
            why = "Its proof treats the noise seen from two tables as independent, but it is the same noise."
            yield More("same_noise", "Why is this not what the paper says?", (Sentence(why),))
        yield self.boxes(_told(claimed, currency), _told(self.true, currency))
        yield from asked.cautions()
        yield Formulas("claimed_and_real", TRUTH)


def _told(found: Optimum, currency: str) -> tuple[Numbers, Numbers]:
    """Return what an optimum saves, and where it lies."""
    exact = found.truth == "exact"
    truly = "true_" * exact
    return (
        Numbers(
            f"{found.truth}_saving",
            (saving("Saving", found, currency), least_average("Least average", found, currency)),
        ),
        Numbers(
            f"{found.truth}_optimum",
            (
                Number("Share saved", found.quantity("share_saved"), f"{truly}saving"),
                Number("At ε", found.quantity("epsilon"), "epsilon"),
                Number("Confidence", found.quantity("confidence"), f"{truly}confidence"),
            ),
        ),
    )
