"""What a budget and a wanted accuracy leave of ε, what the accuracy costs, and the range as the paper prints it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from par_core import cost, rounding
from par_core.cost import EpsilonRange, Optimum, UnmetWishError
from par_core.evidence import Quantity, quantity_of
from par_core.export.sentences import level, told
from par_core.figures import budget_minimiser as figures
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import default_noise
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Heading, Headline, More, Sentence, Unreachable, Words
from par_core.questions.budget_minimiser.breach import Breach, CurveAnswer
from par_core.questions.budget_minimiser.formulas import AFFORD
from par_core.questions.question import Ask, anew
from par_core.questions.scenario_blocks import use_epsilon0
from par_core.rounding import amount

_EQUATION_11 = "par-equation-11-range"

_Found = EpsilonRange | UnmetWishError


@dataclass(frozen=True, repr=False)
class AffordableLevels(Breach):
    """Which ε do a budget and a wanted accuracy leave, and what does the accuracy cost?"""

    budget: float = 40_000.0
    largest_error: float = 2.0

    def __post_init__(self) -> None:
        self.must_agree()
        check_number("budget", self.budget, at_least=0.0)
        check_number("largest_error", self.largest_error, above=0.0)

    @property
    def unread(self) -> tuple[str, ...]:
        return ("neighbours", "delta", *self.unused)

    @property
    def unit(self) -> float:
        """The sensitivity of all that the release holds: the average error at ε₀ = 1."""
        return self.scenario.noise_scale * self.scenario.epsilon0

    @property
    def there_is(self) -> str:
        """The budget in words."""
        return format_quantity(EpsilonRange.as_quantity("budget", self.budget), currency=self.scenario.currency)

    @property
    def allowed(self) -> str:
        """The wanted accuracy in words."""
        return amount(self.largest_error, 4)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> AffordableLevelsAnswer:
        own = cost.curve(self.model, [self.scenario.epsilon0], k=self.scenario.k).curves[0]
        published, exact = map(self._range, cost.TRUTHS)
        return AffordableLevelsAnswer(self, own, published, exact)

    def _range(self, truth: cost.Truth) -> _Found:
        try:
            return cost.epsilon_range(
                self.budget,
                self.largest_error,
                self.scenario.epsilon0,
                model=self.model,
                k=self.scenario.k,
                sensitivity=self.unit,
                truth=truth,
            )
        except UnmetWishError as unmet:
            return unmet


@dataclass(frozen=True)
class AffordableLevelsAnswer(CurveAnswer):
    """The ε that the money pays for, as published and in truth, or which wish breaks and by how much."""

    question: AffordableLevels
    published: _Found
    exact: _Found

    @cached_property
    def needed(self) -> cost.BudgetFor:
        """What the wanted accuracy costs."""
        asked = self.question
        return cost.budget_for(asked.largest_error, model=asked.model, k=asked.scenario.k, sensitivity=asked.unit)

    @cached_property
    def printed(self) -> cost.Equation11 | None:
        """The paper's own range; none where the money is less than the claimed average at every ε."""
        asked, scenario, model = self.question, self.question.scenario, self.question.model
        assert isinstance(model, cost.CostModel)
        try:
            return cost.equation_11(asked.budget, asked.largest_error, scenario.epsilon0, model=model, k=scenario.k)
        except UnmetWishError:
            return None

    def numbers(self) -> dict[str, Quantity]:
        found = {
            "epsilon0_for_that_error": self.needed.quantity("epsilon0"),
            "then_always_enough": self.needed.exact.quantity("baseline"),
            "then_the_least_average": self.needed.exact.quantity("budget"),
        }
        for name, each, best in (("as_published", self.published, self.claimed), ("in_truth", self.exact, self.true)):
            if isinstance(each, EpsilonRange):
                worth = replace(best.quantity("epsilon"), kind="level")
                for number, (lower, upper) in enumerate(each.intervals, start=1):
                    place = f"_{number}" * (len(each.intervals) > 1)
                    if lower:
                        found[f"epsilon_at_least_{name}{place}"] = replace(worth, value=lower, toward="up")
                    found[f"epsilon_at_most_{name}{place}"] = replace(worth, value=upper, toward="down")
            elif each.wish == "budget":
                found[f"missing_{name}"] = replace(best.quantity("budget"), value=each.missing, toward="up")
        return found

    def story(self) -> Iterator[Block]:
        yield from self.beforehand()
        yield from self._verdict()
        yield self.picture(
            "what_can_be_afforded",
            self._drawn,
            "Budget for a breach against ε at ε₀ = {own.epsilon0:g}, with a budget of {there_is}. Claimed: {first}. True: {second}.",
            there_is=self.question.there_is,
            first=_in_words(self.published),
            second=_in_words(self.exact),
        )
        yield from self._rest()
        yield from self._budget_for()
        if isinstance(self.question.model, cost.CostModel):
            yield from self._equation_11()
        yield from self.cautions(self.needed.epsilon0)
        yield Formulas("afford", AFFORD)

    def _drawn(self) -> Drawing:
        published, exact = (each if isinstance(each, EpsilonRange) else None for each in (self.published, self.exact))
        budget, currency = self.question.budget, self.question.scenario.currency
        return figures.affordable(self.own, budget=budget, currency=currency, published=published, exact=exact)

    def _verdict(self) -> Iterator[Block]:
        """Say whether both wishes can be met, in truth, always or on average, and if not which one breaks and by how much."""
        found, budget = self.exact, self.question.budget
        if isinstance(found, EpsilonRange) and found.always_enough:
            yield self.say(
                "Yes: under your cost model {there_is} is enough for a breach after any one release", Headline
            )
            yield self.say(
                "A breach costs up to {always}.", always=replace(self.true.quantity("baseline"), beside=budget)
            )
        elif isinstance(found, EpsilonRange):
            least = replace(self.true.quantity("budget"), beside=budget)
            words = "On average yes, but not always: the true average over releases is {least} at best"
            yield self.say(words, Headline, least=least, bare=True)
            yield self.say(
                "In {fails} of releases {true.epsilon:level} does not hold, and under your cost model a breach costs up to "
                "{true.baseline}.",
                fails=quantity_of(default_noise(self.own.epsilon0).loss_exceeds, self.true.epsilon),
            )
        elif found.wish == "accuracy":
            yield self.say("No: at {own.epsilon0:level0} the error is too large, whatever the budget", Headline)
            yield Unreachable(
                f"The average error is {rounding.error(found.best or 0)}, {amount(found.missing)} more than the {self.question.allowed} "
                "that you allow. Below the chart: which ε₀ would do, and its budget."
            )
        else:
            words = "No: under your cost model you are {missing} short, even on average"
            yield self.say(words, Headline, missing=_missing(found), bare=True)
            never = replace(Optimum.as_quantity("least", self.true.budget), beside=budget)
            yield self.say("You have {there_is}; the true average over releases is never below {never}.", never=never)

    def _rest(self) -> Iterator[Block]:
        """Say that the accuracy is met, and what the money is enough for."""
        if isinstance(self.exact, UnmetWishError) and self.exact.wish == "accuracy":
            return
        always = (
            " After one release a breach can cost up to {true.baseline} of the full {full}: only that is always enough."
        )
        enough = isinstance(self.exact, EpsilonRange) and self.exact.always_enough
        close = f"The average error is {rounding.error(self.question.scenario.noise_scale)}, as allowed."
        yield self.say(close + always * (not enough))
        yield self.boxes((self._told(self.published),), (self._told(self.exact),))

    def _told(self, found: _Found) -> Words:
        if isinstance(found, UnmetWishError):
            words = "**No ε.** Even the least average is {missing} more than you have."
            return self.say(words, missing=_missing(found), bare=True)
        always = " It pays even for ε₀ alone, so it is enough after any one release." * found.always_enough
        return self.say(
            f"On average the money is enough for **{_in_words(found)}**.{always} Cheapest: {{best.epsilon:level}}, for {{best.budget}} on "
            "average.",
            best=found.optimum,
            bare=True,
        )

    def _budget_for(self) -> Iterator[Block]:
        """Answer the other way round: what the wanted accuracy costs."""
        needed, smallest = self.needed, self.needed.quantity("epsilon0")
        yield self.say("An average error of at most {allowed}: what budget does it take?", Heading)
        yield self.say(
            "It takes ε₀\u00a0=\u00a0{smallest} or more, and the smallest is the cheapest: **{needed.exact.baseline} of the full {full}** "
            "is always enough, {needed.exact.budget} on average over releases. The published formula says {needed.published.budget}.",
            smallest=format_quantity(smallest),
        )
        averages = ("Least, claimed", needed.published, "budget"), ("Least, true", needed.exact, "budget")
        yield self.row(
            "needed", ("ε₀ needed", needed, "epsilon0"), ("At ε₀ alone", needed.exact, "baseline"), *averages
        )
        yield from use_epsilon0(smallest, self.question.scenario)

    def _equation_11(self) -> Iterator[Block]:
        """Tell the paper's own range, and why it contradicts the paper."""
        words = "no ε at all, because the money is less than the claimed average at every ε"
        if self.printed:
            words = told("ε from {printed.lower} to {printed.upper}", {"printed": self.printed})
            words += ", which is no ε at all" * self.printed.is_empty
        said = f"**As the paper prints it**, equation 11 would permit {words}."
        yield Sentence(said, evidence_from=_EQUATION_11, claims=(_EQUATION_11,))
        why = (
            "The noise is made for ε₀, so the accuracy sets a limit to ε₀ and none to ε. With the largest error of 2 of its section 5.3 "
            f"the equation forbids every ε below 0.5, and with them the {level(0.274)} that the section recommends."
        )
        yield More("equation_11", "Why does this contradict the paper?", (Sentence(why),))


def _missing(unmet: UnmetWishError) -> Quantity:
    """Return the money that is lacking."""
    return Optimum.as_quantity("budget", unmet.missing)


def _in_words(found: _Found) -> str:
    if isinstance(found, UnmetWishError):
        return "no ε"
    return " and ".join(
        told(
            "every ε up to {upper}" if lower == 0 else "ε from {lower} to {upper}",
            {"lower": EpsilonRange.as_quantity("lower", lower), "upper": EpsilonRange.as_quantity("upper", upper)},
        )
        for lower, upper in found.intervals
    )
