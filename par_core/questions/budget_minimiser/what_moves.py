"""Which input moves the least budget most: each is moved alone, in truth and by the published formula."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from par_core import cost
from par_core.cost import Effect, SensitivityAnalysis
from par_core.evidence import Quantity
from par_core.figures import budget_minimiser as figures
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Sentence, Words
from par_core.questions.budget_minimiser.breach import CLAIM, Breach, BreachAnswer, sources
from par_core.questions.budget_minimiser.formulas import EFFECTS
from par_core.questions.question import Ask, anew
from par_core.rounding import amount


@dataclass(frozen=True, repr=False)
class WhatMovesBudget(Breach):
    """Which input moves the least budget most?"""

    percent: float = 10.0  # each input is moved down and up by so much

    def __post_init__(self) -> None:
        self.must_agree()
        check_number("percent", self.percent, above=0.0, below=100.0)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> WhatMovesBudgetAnswer:
        scenario = self.scenario
        published, exact = (
            cost.sensitivity_analysis(self.model, scenario.epsilon0, k=scenario.k, percent=self.percent, truth=truth)
            for truth in cost.TRUTHS
        )
        return WhatMovesBudgetAnswer(self, published, exact)


@dataclass(frozen=True)
class WhatMovesBudgetAnswer(BreachAnswer):
    """What each input does to the least budget, as published and in truth."""

    question: WhatMovesBudget
    published: SensitivityAnalysis
    exact: SensitivityAnalysis

    @property
    def first(self) -> Effect:
        """The effect of the input that moves the answer most in truth."""
        return self.exact.effects[0]

    def numbers(self) -> dict[str, Quantity]:
        return {"least_average_from": self.first.quantity("budget_low"), "to": self.first.quantity("budget_high")}

    def story(self) -> Iterator[Block]:
        exact, published, first, currency = self.exact, self.published, self.first, self.question.scenario.currency
        yield from self.beforehand()
        if first.span == 0:
            yield Headline("Nothing moves the least budget here")
        else:
            yield Headline(f"{figures.label_of(first.name)} moves the answer most")
            yield self.say(
                f"Moved from {amount(first.low, 4)} to {amount(first.high, 4)}, it takes the least average from {{first.budget_low}} to "
                "{first.budget_high} in truth.",
                claims=(),
            )
        moving = ", ".join(figures.label_of(effect.name) for effect in exact.effects if effect.span > 0)
        yield Chart(
            "what_moves_the_budget",
            lambda: figures.tornado(published, exact, currency=currency),
            Words(
                f"Change of the least budget for each input moved by {exact.percent:g} % (k halved and doubled), the strongest first: "
                f"{moving or 'nothing moves it'}."
            ),
            sources(published, exact),
            table=partial(figures.effects_table, published, exact),
            notes={"limits": published.limits},
        )
        if first.span > 0:
            yield self.say(
                "The published formula takes the least average from {claimed.budget_low} to {claimed.budget_high}. Know this input well "
                "before you trust the rest.",
                claimed=next(effect for effect in published.effects if effect.name == first.name),
                claims=(CLAIM,),
            )
        yield Sentence(
            "One input moves at a time; k, which is whole, is halved and doubled. The cheapest ε is found anew. The ends of a bar show "
            "what the input was moved to."
        )
        yield from self.cautions(*(effect.high for effect in exact.effects if effect.name == "epsilon0"))
        yield Formulas("effects", EFFECTS)
