"""What several releases about the same people spend together, how far off each is, and who gets how much of ε₀."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from par_core.composition import basic
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity, evidence_of
from par_core.figures import plan as figures
from par_core.figures.quantities import as_told, format_quantity
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.parameters import check_list, check_number
from par_core.plan import (
    Plan,
    PlanScenario,
    PlanTotals,
    Release,
    Shared,
    in_words,
    off_in_words,
    share_by_wishes,
    totals,
)
from par_core.progress import Progress
from par_core.queries.quantile_shape import AFTER_MOVING
from par_core.questions.blocks import Beside, Block, Chart, Headline, Note, Own, Sentence, Table, Take, Words
from par_core.questions.plan_assumptions import assumed
from par_core.questions.question import Answer, Ask, Question, anew, takes
from par_core.rounding import amount, brief, error, small


@dataclass(frozen=True, repr=False)
class YourPlan(Question):
    """What do the releases of a plan spend together, and how far off is each? A scenario of one release is a plan of one."""

    wishes: tuple[
        float | None, ...
    ] = ()  # for each release the largest error that will do, in its unit; none is no wish

    def __post_init__(self) -> None:
        object.__setattr__(self, "scenario", PlanScenario.whichever(self.scenario))
        if toys := [MECHANISMS[each.mechanism].name for each in self.plan if each.mechanism not in NOISES]:
            raise InfeasibleError(f"{toys[0]} adds no noise to a number: choose another mechanism in the sidebar")
        for at, each in enumerate(self.plan, start=1):
            if each.size is None and each.shape.is_pair(self.scenario.neighbours):
                raise InfeasibleError(
                    f"release {at} needs your guess of how many rows are {each.shape.rows_are}, at least"
                    + ", in each group" * (each.shape.k > 1)
                )
        given = tuple(
            None if each is None else check_number("wishes", each, above=0.0)
            for each in check_list("wishes", self.wishes)
        )
        if given and len(given) != len(self.plan):
            raise ParameterError(f"wishes must be one for each of {len(self.plan)} releases, got {len(given)}")
        object.__setattr__(self, "wishes", given)

    @property
    def plan(self) -> tuple[Release, ...]:
        """The releases."""
        assert isinstance(self.scenario, PlanScenario)
        return self.scenario.plan

    @property
    def whole(self) -> Plan:
        """The plan at the numbers of the scenario."""
        assert isinstance(self.scenario, PlanScenario)
        return self.scenario.whole

    @property
    def wished(self) -> list[float]:
        """The wishes there are."""
        return [each for each in self.wishes if each is not None]

    @property
    def dials(self) -> tuple[str, ...]:
        return ()  # all releases together take too long at every stop

    @property
    def unread(self) -> tuple[str, ...]:
        return ("k", "sensitivity", "rows_per_person", "statistics", "mechanism", "stakeholders", "wishes")

    @property
    def given(self) -> dict[str, str]:
        wished = ((at, wish) for at, wish in enumerate(self.wishes, start=1) if wish is not None)
        return {f"Wish for release {at}": f"within {amount(wish, 6)}" for at, wish in wished}

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> YourPlanAnswer:
        whole, wishes = self.whole, self.wished
        shared, why = None, ""
        if len(wishes) == len(self.plan):
            try:
                shared = share_by_wishes(whole, wishes)
            except InfeasibleError as refused:
                why = str(refused)
        added = Quantity(float(basic(whole.together, delta=whole.delta)), "level", evidence_of(basic), "up")
        return YourPlanAnswer(self, totals(whole), added, shared, why)


@dataclass(frozen=True)
class YourPlanAnswer(Answer):
    """What the plan comes to, what basic composition makes of it, and the shares that suit the wishes, if each release has one."""

    question: YourPlan
    totals: PlanTotals
    added: Quantity
    shared: Shared | None
    why: str = ""

    def numbers(self) -> dict[str, Quantity]:
        found = {"all_together": self.totals.quantity("epsilon")}
        for at in range(len(self.question.plan)):
            found[f"release_{at + 1}_within"] = self.totals.quantity("errors", at)
        if self.shared:
            found["all_wishes_met_at"] = self._all_met
        return found

    @property
    def _all_met(self) -> Quantity:
        assert self.shared
        return Quantity(self.shared.epsilon0, "level", self.shared.evidence, "up")

    def story(self) -> Iterator[Block]:
        scenario, plan = self.question.scenario, self.question.plan
        many = scenario.releases
        yield Headline(
            "Your {releases} at most ε = {spent}",
            releases=f"{many:,} releases together spend" if many > 1 else "one release spends",
            spent=self.totals.quantity("epsilon"),
            term="spent",
        )
        words, spent = "That is at δ = {delta}, counted exactly", self.totals.quantity("epsilon")
        if format_quantity(spent) != format_quantity(self.added):
            words += f"; simply adding up the ε₀ of all {many:,} gives {format_quantity(self.added)}"
        yield Sentence(f"{words}.", delta=small(scenario.delta), evidence_from=self.totals)
        names = [f"{at}. {in_words(each)}" for at, each in enumerate(plan, start=1)]
        offs = [
            off_in_words(each, error(off)) if off or each.shape.is_selection else "exact"
            for each, off in zip(plan, self.totals.errors, strict=True)
        ]
        yield Chart(
            "plan_shares",
            lambda: figures.shares(names, self.totals.levels, offs, epsilon0=scenario.epsilon0),
            Words(
                "Each release with its part of ε₀ = {own:g} and how far off its numbers are: {each}.",
                own=scenario.epsilon0,
                each="; ".join(f"{name} {off}" for name, off in zip(names, offs, strict=True)),
            ),
            self.totals.source,
        )
        yield from self._wishes()
        yield self._table()
        yield from self._assumed()
        yield Own("publish")

    def _wishes(self) -> Iterator[Block]:
        """Say by how much the wishes are missed where all are missed alike, and propose that."""
        asked, scenario = self.question, self.question.scenario
        if self.why:
            yield Sentence("{why}.", why=self.why[:1].upper() + self.why[1:])
        if self.shared is None:
            if not any(asked.wishes):
                yield Note(
                    "Say how far off each release may be: then ε₀ is shared so that all wishes are met, or missed, alike."
                )
            return
        words = "All wishes together take ε₀ = {met}."
        if self.shared.factor > 1:
            missed = f"{amount(scenario.epsilon0, 4)} is at most {brief(self.shared.factor, toward='up')} times what you wished"
            words += f" With shares to match, each error at your ε₀ = {missed}."
        yield Sentence(words, met=self._all_met)
        met, offered = as_told(self._all_met), []
        if self.shared.plan.releases != asked.plan:
            offered.append(Take("Share ε₀ to match the wishes", {"plan": self.shared.plan.releases}))
        if takes("epsilon0", met) and met != scenario.epsilon0:
            there = share_by_wishes(replace(asked.whole, epsilon0=met), asked.wished).plan.releases
            fields = {"plan": there, "scenario.epsilon0": met}
            offered.append(Take(f"Meet all wishes with ε₀ = {amount(met, 4)}", fields))
        yield Beside(tuple(offered))

    def _table(self) -> Table:
        asked, found = self.question, self.totals
        number = range(len(asked.plan))
        columns: dict[str, list[Words | str]] = {
            "No.": [str(at + 1) for at in number],
            "Release": [in_words(each) for each in asked.plan],
            "Part of ε₀": [Words("{each}", each=found.quantity("levels", at), bare=True) for at in number],
            "Within, 95 of 100": [
                Words(f"{{each}}{' ranks' * each.shape.is_selection}", each=found.quantity("errors", at), bare=True)
                for at, each in enumerate(asked.plan)
            ],
            "How often": [_times(each) for each in asked.plan],
        }
        if any(asked.wishes):
            columns["Wished"] = ["" if each is None else amount(each, 6) for each in asked.wishes]
        return Table(columns, "Each release: its part of ε₀, how far off its numbers are, and how often it is made.")

    def _assumed(self) -> Iterator[Block]:
        if told := assumed(self.question.whole):
            yield Note(f"This holds if {told}.")
        if any(each.shape.is_selection for each in self.question.plan):
            yield Note(
                f"Ranks are rows, {AFTER_MOVING}: at most so many lie between the published value and the true one, not counting one "
                "candidate.",
                term="ranks",
            )


def _times(release: Release) -> str:
    return "once" if release.times == 1 else f"{release.times:,} times"
