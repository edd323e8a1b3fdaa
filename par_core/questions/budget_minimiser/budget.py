"""Figure 4 of *Privacy at Risk*: what a breach costs against ε, always enough, on average, and by the paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from par_core import cost
from par_core.cost import CostCurves
from par_core.evidence import Quantity, quantity_of
from par_core.export.sentences import level0
from par_core.figures import budget_minimiser as figures
from par_core.figures import style
from par_core.figures.drawing import Drawing
from par_core.figures.money import money
from par_core.mechanisms import default_noise
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Headline, More, Note, Sentence
from par_core.questions.budget_minimiser.breach import Breach, CurveAnswer
from par_core.questions.budget_minimiser.formulas import BUDGET
from par_core.questions.glossary import explain
from par_core.questions.question import Ask, anew
from par_core.scenario import Scenario

STORY = "health_centre_story"
_ENOUGH = "par-illustration-budget-is-enough"
_ALWAYS = "a breach costs up to {true.baseline} of the full {full}"


@dataclass(frozen=True, repr=False)
class BudgetForBreach(Breach):
    """Figure 4: what does a breach cost, and what can be saved by counting on a smaller ε?"""

    levels: tuple[float, ...] = cost.FIGURE_4  # ε₀ of the curves; that of the scenario is always drawn too
    paper_only: bool = False

    def __post_init__(self) -> None:
        self.must_agree()
        for each in self.levels:
            check_number("levels", each, above=0.0)

    @property
    def dials(self) -> tuple[str, ...]:
        return ("scenario.epsilon0",)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> BudgetForBreachAnswer:
        epsilon0 = self.scenario.epsilon0
        curves = cost.curve(self.model, sorted({*self.levels, epsilon0}, reverse=True), k=self.scenario.k)
        return BudgetForBreachAnswer(self, next(each for each in curves.curves if each.epsilon0 == epsilon0), curves)


@dataclass(frozen=True)
class BudgetForBreachAnswer(CurveAnswer):
    """The budget against ε for each level, the scenario's `own` among them."""

    question: BudgetForBreach
    curves: CostCurves

    def numbers(self) -> dict[str, Quantity]:
        averages = {
            "least_in_truth": self.true.quantity("budget"),
            "least_as_published": self.claimed.quantity("budget"),
        }
        return {"always_enough": self.true.quantity("baseline"), **averages}

    def story(self) -> Iterator[Block]:
        claimed, true = self.claimed, self.true
        yield from self.beforehand()
        yield from self._headline()
        yield self.picture("budget_for_a_breach", self._drawn)
        yield from self._meaning()
        averages = ("Least, claimed", claimed, "budget"), ("Least, true", true, "budget")
        yield self.row("least", ("At ε₀ alone", true, "baseline"), *averages)
        yield self.row("saving", ("Saving, claimed", claimed, "saving"), ("Saving, true", true, "saving"))
        yield from self.cautions()
        yield More(STORY, "The story behind the paper's numbers", _story)
        yield Formulas("budget", BUDGET)

    @property
    def _says_little(self) -> bool:
        return cost.says_little(self.question.model, self.own.epsilon0)

    def _headline(self) -> Iterator[Block]:
        """Say what is always enough, what the average is, and what the paper says that it is."""
        if self._says_little:
            yield self.say("A breach costs up to {full}", Headline)
            yield self.say("Counting on {own.epsilon0:level0} alone, your cost model gives {true.baseline}.")
        elif self.true.at_epsilon0:
            yield self.say(f"Nothing can be saved: {_ALWAYS}", Headline, bare=True)
            yield self.no_saving()
        else:
            yield self.say(f"Under your cost model {_ALWAYS}", Headline, bare=True)
            yield self.say(
                "On average over releases {true.budget} is enough; the paper *Privacy at Risk* claims {claimed.budget}."
            )

    def _drawn(self) -> Drawing:
        drawing = figures.budgets(self.curves, own=self.own.epsilon0, currency=self.question.scenario.currency)
        return style.as_printed(drawing) if self.question.paper_only else drawing

    def _meaning(self) -> Iterator[Block]:
        """Say why an average is not enough, what the amounts rest on, and what the words mean."""
        noise, true = default_noise(self.own.epsilon0), self.true
        if not true.at_epsilon0 and not self._says_little:
            yield self.say(
                "The lower amounts are **averages over releases**, not the money to have ready: {true.epsilon:level} holds in {held} of "
                "releases and fails in {fails}. Where it fails, a breach costs up to the amount at ε₀ alone.",
                held=quantity_of(noise.loss_within, true.epsilon),
                fails=quantity_of(noise.loss_exceeds, true.epsilon),
            )
        yield self.say("Your cost model: {in_words}.")
        yield Note("  \n".join(explain(word) for word in ("breach", "epsilon0", "epsilon")))


def _story() -> Iterator[Block]:
    plain, centre = Scenario(), BudgetForBreach(Scenario()).answer()
    level, premium = level0(plain.epsilon0), money(plain.compensation, plain.currency)
    budget, saving = (replace(centre.claimed.quantity(each), claim=_ENOUGH) for each in ("budget", "saving"))
    yield Sentence(
        "A university's health centre publishes twice a year how many of its staff are obese: in January 34 of 99, in July 35 of 100. The "
        "staff list is public, and John Doe is the only newcomer. Now everyone knows about him, though no name was published: that is the "
        "**breach**."
    )
    yield centre.say(
        f"So the centre adds noise before it publishes. A count that is off by 2 on average will do, which allows {level}. Research puts "
        f"the extra health insurance premium of an obese person at about {premium}: what each of the {plain.stakeholders} staff would be "
        f"paid if nothing had protected them. At {level} a breach reveals less and costs {{true.baseline}}. The paper finds {{budget}} to "
        "be enough, a saving of {saving}. With the true confidence the average is {true.budget}, a saving of {true.saving}.",
        budget=budget,
        saving=saving,
    )
    yield centre.say(
        "The paper counts one of the {together.releases:,} counts a year. Both together are only as private as {level}, and a breach then "
        "costs up to {together.money} of the full {full}.",
        level=level0(centre.question.together.epsilon),
    )
