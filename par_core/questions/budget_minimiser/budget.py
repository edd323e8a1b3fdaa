"""Figure 4 of *Privacy at Risk*: what a breach costs against ε, always enough, on average, and by the paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from par_core import cost
from par_core.cost import CostCurves
from par_core.export.sentences import level0
from par_core.figures import budget_minimiser as figures
from par_core.figures import style
from par_core.figures.drawing import Drawing
from par_core.figures.money import money
from par_core.mechanisms import default_noise
from par_core.parameters import one
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Headline, More, Note, Numbers, Sentence
from par_core.questions.budget_minimiser.breach import (
    Breach,
    BreachAnswer,
    alone,
    at_epsilon0,
    enough,
    least,
    least_average,
    saved,
    saving,
)
from par_core.questions.budget_minimiser.formulas import BUDGET
from par_core.questions.glossary import explain
from par_core.questions.question import Ask, anew
from par_core.scenario import Scenario
from par_core.standing import Quantity, quantity_of

STORY = "health_centre_story"
_ENOUGH = "par-illustration-budget-is-enough"


@dataclass(frozen=True, repr=False)
class BudgetForBreach(Breach):
    """Figure 4: what does a breach cost, and what can be saved by counting on a smaller ε?"""

    levels: tuple[float, ...] = cost.FIGURE_4  # ε₀ of the curves; that of the scenario is always drawn too
    paper_only: bool = False

    def __post_init__(self) -> None:
        self.must_agree()
        for each in self.levels:
            one("levels", each, above=0.0)

    @property
    def dials(self) -> tuple[str, ...]:
        return ("scenario.epsilon0",)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> BudgetForBreachAnswer:
        epsilon0 = self.scenario.epsilon0
        curves = cost.curve(self.model, sorted({*self.levels, epsilon0}, reverse=True), k=self.scenario.k)
        return BudgetForBreachAnswer(self, next(each for each in curves.curves if each.epsilon0 == epsilon0), curves)


@dataclass(frozen=True)
class BudgetForBreachAnswer(BreachAnswer):
    """The budget against ε for each level, the scenario's `own` among them."""

    question: BudgetForBreach
    curves: CostCurves

    def numbers(self) -> dict[str, Quantity]:
        averages = {"least_in_truth": least(self.true), "least_as_published": least(self.claimed)}
        return {"always_enough": alone(self.true), **averages}

    def story(self) -> Iterator[Block]:
        asked, currency = self.question, self.question.scenario.currency
        yield from asked.beforehand()
        yield from self._headline()
        yield self.picture("budget_for_a_breach", self._drawn)
        yield from self._meaning()
        averages = (
            least_average("Least, claimed", self.claimed, currency),
            least_average("Least, true", self.true, currency),
        )
        yield Numbers("least", (at_epsilon0(self.true, currency), *averages))
        yield Numbers(
            "saving", (saving("Saving, claimed", self.claimed, currency), saving("Saving, true", self.true, currency))
        )
        yield from asked.cautions()
        yield More(STORY, "The story behind the paper's numbers", _story)
        yield Formulas("budget", BUDGET)

    @property
    def _says_little(self) -> bool:
        return cost.says_little(self.model, self.own.epsilon0)

    def _headline(self) -> Iterator[Block]:
        """Say what is always enough, what the average is, and what the paper says that it is."""
        always = "a breach costs up to {always} of the full {full}"
        if self._says_little:
            yield Headline(f"A breach costs up to {self.question.full}")
            yield Sentence(
                "Counting on {own.epsilon0:level0} alone, your cost model gives {alone}.",
                own=self.own,
                alone=alone(self.true),
                currency=self.question.scenario.currency,
            )
        elif self.true.at_epsilon0:
            yield Headline(f"Nothing can be saved: {always}", bare=True, **self.money)
            yield self.no_saving()
        else:
            yield Headline(f"Under your cost model {always}", bare=True, **self.money)
            yield Sentence(
                "On average over releases {least} is enough; the paper *Privacy at Risk* claims {claimed}.",
                least=least(self.true),
                claimed=least(self.claimed),
                currency=self.question.scenario.currency,
            )

    def _drawn(self) -> Drawing:
        asked = self.question
        drawing = figures.budgets(self.curves, own=self.own.epsilon0, currency=asked.scenario.currency)
        return style.as_printed(drawing) if asked.paper_only else drawing

    def _meaning(self) -> Iterator[Block]:
        """Say why an average is not enough, what the amounts rest on, and what the words mean."""
        noise, true = default_noise(self.own.epsilon0), self.true
        if not true.at_epsilon0 and not self._says_little:
            yield Sentence(
                "The lower amounts are **averages over releases**, not the money to have ready: {true.epsilon:level} holds in {held} of "
                "releases and fails in {fails}. Where it fails, a breach costs up to the amount at ε₀ alone.",
                held=quantity_of(noise.loss_within, true.epsilon),
                fails=quantity_of(noise.loss_exceeds, true.epsilon),
                true=true,
            )
        yield Sentence(f"Your cost model: {self.question.in_words}.")
        yield Note("  \n".join(explain(word) for word in ("breach", "epsilon0", "epsilon")))


def _story() -> Iterator[Block]:
    plain = Scenario()
    centre = cost.CostModel(plain.compensation, plain.stakeholders)
    claimed, true = (centre.optimum(plain.epsilon0, truth=truth) for truth in cost.TRUTHS)
    both = cost.all_releases(centre, plain.epsilon0, releases=plain.releases)
    level, currency = level0(plain.epsilon0), plain.currency
    yield Sentence(
        "A university's health centre publishes twice a year how many of its staff are obese: in January 34 of 99, in July 35 of 100. The "
        "staff list is public, and John Doe is the only newcomer. Now everyone knows about him, though no name was published: that is the "
        "**breach**."
    )
    yield Sentence(
        f"So the centre adds noise before it publishes. A count that is off by 2 on average will do, which allows {level}. Research puts "
        f"the extra health insurance premium of an obese person at about {money(plain.compensation, currency)}: what each of the "
        f"{plain.stakeholders} staff would be paid if nothing had protected them. At {level} a breach reveals less and costs {{alone}}. "
        "The paper finds {claimed} to be enough, a saving of {claimed_saving}. With the true confidence the average is {true}, a saving "
        "of {true_saving}.",
        alone=alone(true),
        claimed=replace(least(claimed), claim=_ENOUGH),
        claimed_saving=replace(saved(claimed), claim=_ENOUGH),
        true=least(true),
        true_saving=saved(true),
        currency=currency,
    )
    yield Sentence(
        f"The paper counts one of the {plain.releases} counts a year. Both together are only as private as {level0(both.epsilon)}, and a "
        "breach then costs up to {always} of the full {full}.",
        always=enough(both.money, centre),
        full=money(centre.full, currency),
        currency=currency,
    )
