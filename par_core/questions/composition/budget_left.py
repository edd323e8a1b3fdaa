"""What is left of a budget: spent by every release of a ledger, and how often the scenario can be released on top."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.figures import budget_left as figures
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.ledger import (
    Check,
    Forecast,
    Kind,
    Ledger,
    Left,
    Policy,
    Spent,
    check,
    forecast,
    left,
    spent_by_day,
)
from par_core.ledger.example import EXAMPLE_DATA_SET, EXAMPLE_DAY, example_ledger
from par_core.parameters import check_number
from par_core.plan import Plan, PlanScenario
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Fails, Formula, Formulas, Headline, Meter, Note, Sentence, Words
from par_core.questions.composition import formulas
from par_core.questions.composition.uploaded_ledger import UploadedLedger
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.rounding import amount, brief, small
from par_core.scenario import HARDLY_PRIVATE

_QUICK = 100  # records that are composed day by day at once
# What the page cannot know, who has approved it, and what the numbers of the answer tell.
_TOLD_ELSEWHERE = ("approvers", "epsilon_per_year", "epsilon_for_ever")


@dataclass(frozen=True, repr=False)
class BudgetLeft(Question):
    """What is spent on a data set, what is left of its budget, and when does it end if the year goes on like this?"""

    target: float = 3.0  # ε′ of a year, at the δ of the scenario; a policy has its own
    today: str = EXAMPLE_DAY.isoformat()  # of which year and up to when, as YYYY-MM-DD
    own: UploadedLedger | None = None  # None: the example
    policy: Policy | None = None
    data_set: str = ""  # of the reader's ledger; empty where it has one at most

    dials = ()

    def __post_init__(self) -> None:
        check_number("target", self.target, above=0.0)
        must_be_possible(self.scenario)
        self.day  # noqa: B018  # asked for the sake of its error
        names = self.ledger.data_sets
        if self.data_set not in names and (self.data_set or len(names) > 1):
            raise ParameterError("data_set must be one of those in the ledger")
        if self.policy and names and self.policy.data_set != self.chosen:
            raise DataError("the policy is for another data set than the one that is shown of the ledger")
        kinds = {each.neighbours for each in self.ledger.of(self.chosen)}
        if len(kinds) > 1:
            raise DataError(
                "the records are for different neighbours: they cannot be composed, so nobody knows what is spent"
            )
        if kinds and self.scenario.neighbours not in kinds:
            raise InfeasibleError(
                f"the ledger is for neighbours by {min(kinds)}, and your scenario for {self.scenario.neighbours}: they cannot be composed. "
                "Change the neighbours in the sidebar"
            )

    @property
    def private(self) -> bool:
        return self.own is not None or self.policy is not None

    @property
    def public(self) -> Self:
        return replace(self, own=None, policy=None, data_set="", today=EXAMPLE_DAY.isoformat())

    @property
    def given(self) -> Mapping[str, str]:
        return {**super().given, "Day": self.today}

    @property
    def unread(self) -> tuple[str, ...]:
        return ("releases", "stakeholders", "compensation", "own", "policy", "data_set", "today")

    @property
    def long(self) -> str:
        return "Composing the ledger" if len(self.ledger.records) > _QUICK else ""

    @property
    def day(self) -> datetime.date:
        """Today."""
        try:
            return datetime.date.fromisoformat(self.today)
        except (TypeError, ValueError) as error:
            raise ParameterError("today must be a date such as 2026-03-01") from error

    @property
    def ledger(self) -> Ledger:
        """The reader's ledger, or the example for the neighbours of the scenario."""
        return example_ledger(self.scenario.neighbours) if self.own is None else self.own.ledger

    @property
    def chosen(self) -> str:
        """The data set that is asked about."""
        of_policy = self.policy.data_set if self.policy else EXAMPLE_DATA_SET
        return self.data_set or next(iter(self.ledger.data_sets), of_policy)

    @property
    def plan(self) -> Plan:
        """What may be made next: the whole plan, or one release of the scenario."""
        alone = self.scenario if self.is_plan else replace(self.scenario, releases=1)
        return PlanScenario.whichever(alone).whole

    @property
    def is_plan(self) -> bool:
        """Whether several releases are planned together."""
        return isinstance(self.scenario, PlanScenario)

    @property
    def delta(self) -> float:
        """The δ at which all is counted."""
        return self.policy.delta if self.policy else self.scenario.delta

    @property
    def per_year(self) -> float:
        """The budget of a year, an ε."""
        return self.policy.epsilon_per_year if self.policy else self.target

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> BudgetLeftAnswer:
        ledger, today, for_ever = self.ledger, self.day, self.policy.epsilon_for_ever if self.policy else math.inf
        found = left(
            ledger,
            self.plan,
            self.chosen,
            today,
            delta=self.delta,
            epsilon_per_year=self.per_year,
            epsilon_for_ever=for_ever,
        )
        year = ledger.of(self.chosen, since=datetime.date(today.year, 1, 1))
        days = spent_by_day(year, delta=self.delta, progress=progress)
        checked = check(self.policy, ledger, self.plan, today) if self.policy else None
        return BudgetLeftAnswer(self, found, days, forecast(found, year, self.plan, today), checked)


@dataclass(frozen=True)
class BudgetLeftAnswer(Answer):
    """What is left, what was spent by the days of the year, how it goes on, and what the policy says of the plan."""

    question: BudgetLeft
    left: Left
    days: figures.Days
    goes_on: Forecast | None
    checked: Check | None

    def numbers(self) -> dict[str, Quantity]:
        found = self.left
        spent = {"year": found.year, "ever": found.ever, "year_with_next": found.year_with}
        levels = {name: each.quantity("epsilon") for name, each in spent.items() if math.isfinite(each.epsilon)}
        return {"times": found.quantity("times"), **levels}

    @property
    def _year(self) -> int:
        return self.question.day.year

    @property
    def _next(self) -> str:
        return "the whole plan" if self.question.is_plan else "a release of your scenario"

    def story(self) -> Iterator[Block]:
        asked, found = self.question, self.left
        yield self._verdict()
        if math.isinf(found.year.epsilon) or math.isinf(found.ever.epsilon):
            yield from self._no_epsilon()
            return
        where = "In this made-up ledger" if asked.own is None else "So far"
        values: dict[str, Any] = {"year": found.year.quantity("epsilon").within(found.epsilon_per_year)}
        before = "nothing before"
        if found.ever.releases > found.year.releases:
            before = "{ever} in all years"
            values["ever"] = found.ever.quantity("epsilon").within(found.epsilon_for_ever)
        yield Sentence(
            f"{where}, **ε = {{year}}** has been spent in {self._year} and {before} (δ = {small(asked.delta)}).",
            term="spent",
            **values,
        )
        yield self._chart()
        yield from self._outlook()
        yield from self._meters()
        yield from self._policy()
        yield from self._notes()
        yield Formulas("left", _FORMULAS)

    def _verdict(self) -> Headline:
        found, asked = self.left, self.question
        limit, spent, when = found.epsilon_per_year, found.year, f"in {self._year}"
        if found.is_for_ever:
            limit, spent, when = found.epsilon_for_ever, found.ever, "for ever"
        budget = f"ε′\u00a0=\u00a0{amount(limit, 4)}"
        if math.isinf(spent.epsilon):
            return Headline(f"No ε holds any more at δ\u00a0=\u00a0{small(asked.delta)}")
        if found.is_overspent:
            return Headline(
                f"The budget {when} is overspent: ε = {{spent}} of {amount(limit, 4)}",
                spent=spent.quantity("epsilon").within(limit),
                bare=True,  # the sentence below it says what it is worth
            )
        if not found.times:
            return Headline(f"The budget {when}, {budget}, has no room for {self._next}")
        more = f"{found.times:,}{' or even' * found.at_limit} more"
        if asked.is_plan:
            return Headline(f"The whole plan can be made {more} time{'s' * (found.times != 1)} {when} within {budget}")
        return Headline(f"You can make {more} release{'s' * (found.times != 1)} {when} within {budget}")

    def _no_epsilon(self) -> Iterator[Block]:
        added = small(float(brief(self.left.ever.added_delta, toward="up")))
        yield Sentence(
            f"The δ of the other tools adds up to {added}. Only a larger δ can hold for all releases together.",
            evidence_from=self.left.ever,
        )

    def _chart(self) -> Chart:
        asked, found, end = self.question, self.left, ""
        if self.goes_on and self.goes_on.days:
            last, then = self.goes_on.days[-1]
            end = f"; if it goes on like this, ε = {brief(then.epsilon, toward='up')} by {_long(last)}"
        return Chart(
            "budget_left",
            self._drawn,
            Words(
                f"Privacy spent in {self._year}, day by day, with the budget {amount(asked.per_year, 6)}: "
                f"ε = {{year}} by {_long(asked.day)}{end}.",
                year=found.year.quantity("epsilon"),
            ),
            found.source,
            table=lambda: figures.burn_down_table(self._drawn(), self._year),
            notes={"delta": repr(asked.delta), "budget": repr(asked.per_year), "day": asked.today},
        )

    def _drawn(self) -> Drawing:
        asked, goes_on = self.question, self.goes_on.days if self.goes_on else ()
        return figures.burn_down(figures.BurnDown(asked.day, asked.delta, asked.per_year, self.days, goes_on))

    def _outlook(self) -> Iterator[Block]:
        found, goes_on = self.left, self.goes_on
        more = "The whole plan, made once more," if self.question.is_plan else "One more release of your scenario"
        yield Sentence(
            f"{more} brings {self._year} from {{year}} to **ε = {{with_next}}**.",
            year=found.year.quantity("epsilon"),
            with_next=found.year_with.quantity("epsilon").within(found.epsilon_per_year),
        )
        if goes_on is None:
            yield Sentence("Nothing has been released this year, so there is no pace to go by.")
        elif not found.is_overspent:
            pace = (
                f"So far there {'have' if goes_on.made != 1 else 'has'} been {goes_on.made:,} release{'s' * (goes_on.made != 1)} in "
                f"{goes_on.elapsed:,} day{'s' * (goes_on.elapsed != 1)}."
            )
            ends = goes_on.ends
            end = f"**the budget ends in {ends:%B}**" if ends else "the budget lasts to the end of the year"
            what = "this plan" if self.question.is_plan else "releases of your scenario"
            goes = f"At that pace, with {what}, {end}."
            if (
                self.question.plan.number > 1 and not goes_on.days and not ends
            ):  # some of its releases are made all the same
                goes = "At that pace the whole plan is not done this year: nothing is forecast."
            yield Sentence(f"{pace} {goes}", evidence_from=goes_on)

    def _meters(self) -> Iterator[Block]:
        found = self.left
        yield _meter(f"In {self._year}", found.year, found.epsilon_per_year)
        if math.isfinite(found.epsilon_for_ever):
            yield _meter("For ever", found.ever, found.epsilon_for_ever)

    def _policy(self) -> Iterator[Block]:
        for line in self.checked.failing if self.checked else ():
            if line.rule not in _TOLD_ELSEWHERE:
                yield Fails(f"The policy does not allow {self._next}: {line.why}.")

    def _notes(self) -> Iterator[Block]:
        asked, day = self.question, self.question.day
        records = asked.ledger.of(asked.chosen)
        if not records:
            yield Note("The ledger is empty: nothing has been spent.")
        if later := sum(each.date > day for each in records):
            yield Note(
                f"{later:,} record{' is' if later == 1 else 's are'} dated after {_long(day)}: "
                f"{'it counts' if later == 1 else 'they count'} already."
            )
        if others := sum(each.kind is Kind.OTHER_TOOL for each in records):
            yield Note(
                f"{others:,} record{' comes' if others == 1 else 's come'} from other tools: "
                f"{'it counts as that tool says' if others == 1 else 'they count as those tools say'}."
            )
        reserved = [each for each in records if each.kind is Kind.RESERVATION]
        beyond = sum(each.data_set == asked.chosen for each in asked.ledger.beyond)
        if reserved:
            places = sum(sum(each.places) for each in reserved)
            taken = sum(sum(asked.ledger.taken_of(each)) for each in reserved) - beyond
            yield Note(
                f"{taken:,} of {places:,} reserved places {'is' if taken == 1 else 'are'} taken; all of them are spent already."
            )
        if beyond:
            yield Note(
                f"{beyond:,} place{' was' if beyond == 1 else 's were'} taken beyond those reserved, as two branches can do: "
                f"{'it counts as a release' if beyond == 1 else 'they count as releases'} on top."
            )
        if torn := len(asked.ledger.torn):
            yield Note(
                f"{torn:,} line{' was' if torn == 1 else 's were'} broken off while being written: nothing was measured for "
                f"{'it' if torn == 1 else 'them'}, so {'it does' if torn == 1 else 'they do'} not count."
            )
        if asked.policy and asked.policy.approvers:
            yield Note("Your policy also wants somebody's approval: `par gate` asks for it.")
        if self.left.epsilon_per_year > HARDLY_PRIVATE:
            yield Note("With such a budget next to nothing is protected.")


def _meter(name: str, spent: Spent, limit: float) -> Meter:
    rest = limit - spent.epsilon
    left_over = Spent.as_quantity("epsilon", abs(rest))
    told = f"{brief(rest, toward='down')} left" if rest >= 0 else f"{format_quantity(left_over)} too much"
    used = format_quantity(spent.quantity("epsilon").within(limit))
    return Meter(spent.epsilon / limit, f"{name}: ε = {used} of {amount(limit, 6)} spent, {told}")


def _long(day: datetime.date) -> str:
    return f"{day.day} {day:%B %Y}"


_FORMULAS = (
    *formulas.EXACT,
    Formula(
        "Releases of other tools",
        r"\delta \ge 1 - \prod_i (1 - \delta_i) + \prod_i (1 - \delta_i)\;\delta_{\text{together}}(\varepsilon')",
        Spent,
        "Kairouz, Oh and Viswanath 2015, Theorem 3.4",
        "A release that is (ε, δ)-differentially private loses no more than one that gives all away with probability δ and answers by "
        "randomised response at ε else. It holds if the other tool is as private as it says.",
    ),
)
