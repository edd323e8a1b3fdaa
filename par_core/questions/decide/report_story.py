"""What the report on a decision tells: all that it takes, computed once, and its parts in blocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np

from par_core.composition import ExactComposition, basic, exact
from par_core.composition.planned_releases import exact_after, exact_together
from par_core.datasets import deployments as others
from par_core.decision import (
    LARGEST,
    Decision,
    Duty,
    ErrorWish,
    MoneyWish,
    Odds,
    ReleasesWish,
    Wish,
    decide,
    duties,
    odds,
)
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity, evidence_of
from par_core.export.sentences import every
from par_core.figures import decide as decide_figures
from par_core.figures import report as figures
from par_core.figures.decision_words import (
    and_list,
    colliding,
    is_narrow,
    levels_of,
    name_of,
    number_of,
    own_level,
    promise_of,
    would_give,
)
from par_core.figures.money import money
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.plan import PlanScenario, in_words
from par_core.queries.shapes import CountsShape
from par_core.questions.blocks import Beside, Block, Chart, More, Note, Sentence, Table, Words
from par_core.questions.decide.duties import on_paper
from par_core.questions.plan_assumptions import holds_if
from par_core.release.synthetic_numbers import SyntheticNumbers, synthetic_numbers
from par_core.risk.attacks import believed_after, largest_loss
from par_core.rounding import amount, small
from par_core.scenario import Neighbours, Scenario

_Result = TypeVar("_Result")

_FEW = 12  # releases are drawn at least, and this many numbers of more of them
_LOW = 130  # pixels of a picture between its axes


@dataclass(frozen=True)
class Spent:
    """What the first releases spend together at rising numbers of them, exactly and added up; `at` is the place of all planned ones."""

    releases: tuple[int, ...]
    exact: ExactComposition
    basic: tuple[float, ...]
    at: int


@dataclass(frozen=True)
class Found:
    """All that is computed for a report; what cannot be is None, and `refused` says why."""

    scenario: Scenario
    wishes: tuple[Wish, ...]
    duties: tuple[Duty, ...]
    refused: str = ""
    decision: Decision | None = None
    odds: Odds | None = None
    numbers: SyntheticNumbers | None = None
    spent: Spent | None = None

    @property
    def wished_total(self) -> float | None:
        """The total that is wished for at the scenario's delta, if one is."""
        totals = (each for each in self.wishes if isinstance(each, ReleasesWish))
        return next((each.number for each in totals if each.delta in (None, self.scenario.delta)), None)


@lru_cache(maxsize=8)
def find(scenario: Scenario, wishes: tuple[Wish, ...]) -> Found:
    """Compute what a report says of a scenario and of wishes."""
    try:
        release = scenario.release
        decision = decide(wishes, scenario)
    except (ParameterError, InfeasibleError) as error:
        return Found(scenario, wishes, duties(scenario), str(error))
    number, alone = scenario.releases, scenario.alone()
    counted = sorted({number, *(max(round(max(number, _FEW) * each / _FEW), 1) for each in range(1, _FEW + 1))})

    def spent() -> Spent:
        if isinstance(scenario, PlanScenario):
            return _spent_by_plan(scenario)
        found = exact_after(scenario, counted, delta=scenario.delta)
        added = basic(release, counted, delta=scenario.delta)
        return Spent(tuple(counted), found, tuple(added.tolist()), counted.index(number))

    return Found(
        scenario,
        wishes,
        duties(scenario),
        decision=decision,
        odds=_or_none(lambda: odds(scenario, releases=number)),
        numbers=_or_none(lambda: synthetic_numbers(alone)) if alone and alone.mechanism in NOISES else None,
        spent=_or_none(spent),
    )


def _spent_by_plan(scenario: PlanScenario) -> Spent:
    """Return what the first releases of a plan spend, after each of its statistics."""
    whole = scenario.whole
    counted = tuple(accumulate(each.times for each in whole.releases))
    found = [exact(whole.first(number), delta=whole.delta) for number in counted]
    value, lower, upper, added = (
        np.array([float(getattr(each, name)) for each in found]) for name in ("value", "lower", "upper", "added")
    )
    together = ExactComposition(value, lower, upper, added, found[-1].counted_by)
    return Spent(counted, together, tuple(added.tolist()), len(counted) - 1)


def _or_none(make: Callable[[], _Result]) -> _Result | None:
    try:
        return make()
    except (ParameterError, InfeasibleError):
        return None


def plan(scenario: Scenario, *, planned: bool = True) -> str:
    """Return the mechanism, the number of releases, `planned` or an example, and what they publish in a few words."""
    if isinstance(scenario, PlanScenario):
        told = (f"{in_words(each)} ({each.times:,} times)" for each in scenario.plan)
        return f"A plan of {len(scenario.plan)}: {and_list([*told])}"
    releases = f"{scenario.releases:,} {'planned' if planned else 'example'} release{'s' * (scenario.releases > 1)}"
    number = scenario.k * scenario.statistics
    each = f"{number:,} numbers" if number > 1 else "one number"
    return f"{_mechanism(scenario)}, {releases} of {each}, sensitivity {amount(scenario.sensitivity, 4)}"


def _mechanism(scenario: Scenario) -> str:
    name = MECHANISMS[scenario.mechanism].name
    return name[0].upper() + name[1:]


# --- the decision -----------------------------------------------------------------------------------------------------


def headline(found: Found, *, examples: bool = False) -> str:
    """Return the decision in one line; nothing is decided by wishes that are `examples`."""
    scenario, decision = found.scenario, found.decision
    if decision is None:
        return f"{_mechanism(scenario)} cannot be used here"
    if not found.wishes:
        return f"ε₀ = {own_level(scenario.epsilon0)}, and no wish to decide by"
    if examples:
        return "Not decided yet: the wishes are examples"
    if decision.collision is not None or not decision.possible:
        return "No ε₀ meets all wishes" if len(found.wishes) > 1 else "No ε₀ meets the wish"
    if decision.missed(scenario.epsilon0):
        return f"Not decided yet: take ε₀ {levels_of(decision, beside=scenario.epsilon0)}"
    return f"Take ε₀ = {own_level(scenario.epsilon0)}"


def decision(found: Found, *, examples: bool = False) -> Iterator[Block]:
    """Yield what to do and why, in two to four sentences; of wishes that are `examples`, that nobody has made them."""
    scenario = found.scenario
    if found.decision is None:
        reason = found.refused[:1].upper() + found.refused[1:]
        yield Sentence("{reason}. Choose another mechanism, or other numbers for this one.", reason=reason)
        if wished := "; ".join(promise_of(each, None, scenario) for each in found.wishes):
            yield Sentence("The wishes: {wished}.", wished=wished)
    else:
        yield _decided(found, found.decision, examples=examples)
        yield from _gives(scenario)
    of = "the whole plan, which its releases share" if isinstance(scenario, PlanScenario) else "each release"
    yield Note(
        "ε₀ is the privacy level of {of}: the smaller, the more noise, and the less anyone can learn about one person. "
        "Unless they name a level, numbers are for the {noun}’s ε₀ = {own}.",
        of=of,
        noun=scenario.noun,
        own=own_level(scenario.epsilon0),
    )
    yield from holds_if(scenario)


def _decided(found: Found, decision: Decision, *, examples: bool) -> Sentence:
    scenario, every = found.scenario, _every(found.wishes)
    own = own_level(scenario.epsilon0)
    levels = levels_of(decision, beside=scenario.epsilon0) if decision.possible else ""
    if not found.wishes:
        return Sentence("No wish was switched on, so nothing speaks for one level over another.")
    if examples:
        nobody = "Nobody has made these wishes: they are examples."
        if not decision.possible:
            return Sentence(nobody + " No ε₀ would meet {every}.", every=every)
        words = nobody + " ε₀ {levels} would meet {every}."
        return Sentence(words, levels=levels, every=every, evidence_from=decision)
    if decision.collision is not None:
        words = colliding(decision, whose="the ")
        return Sentence(
            "{colliding}: every level misses one of them. {gives}.",
            colliding=words[0].upper() + words[1:],
            gives=would_give(decision, scenario.currency),
            evidence_from=decision.collision,
        )
    if not decision.possible:
        never = next(wish for wish, band in zip(found.wishes, decision.bands, strict=True) if not band.possible)
        return Sentence("No level meets this wish: {never}. Change it, or plan fewer releases.", never=name_of(never))
    if scenario.epsilon0 > LARGEST == decision.high:
        return Sentence(
            "ε₀ {levels} meets {every}. Levels above {largest:g}, such as the scenario’s ε₀ = {own}, are not checked.",
            levels=levels,
            every=every,
            largest=LARGEST,
            own=own,
            evidence_from=decision,
        )
    if failing := decision.missed(scenario.epsilon0):
        return Sentence(
            "ε₀ {levels} meets {every}. The scenario’s ε₀ = {own} misses {missed}.",
            levels=levels,
            every=every,
            own=own,
            missed=and_list([name_of(each) for each in failing]),
            evidence_from=decision,
        )
    if decision.only is not None:
        return Sentence("It meets {every}.", every=every, evidence_from=decision)
    words = "It meets {every}; so does every ε₀ {levels}."
    return Sentence(words, every=every, levels=levels, evidence_from=decision)


def _every(wishes: Sequence[Wish]) -> str:
    if not wishes:
        return ""
    number, names = len(wishes), and_list([name_of(each) for each in wishes])
    return f"{ {1: 'the wish', 2: 'both wishes'}.get(number, f'all {number} wishes') } ({names})"


def _gives(scenario: Scenario) -> Iterator[Block]:
    """Say what the scenario's level gives: accuracy, and what an attacker may learn."""
    if scenario.mechanism in NOISES:
        yield Sentence(
            f"At ε₀ = {{own}} each published number{_of_seen(scenario)} is within **±{{error}}** of the truth in 95 of 100 releases.",
            own=own_level(scenario.epsilon0),
            error=_reached(ErrorWish(1.0), scenario),
        )
    belief = believed_after(scenario, 0.5, releases=scenario.releases)
    often = " in all but {belief.rare} of releases" if belief.rare else ""
    after = f"after {every(scenario.releases, 'release')}"
    yield Sentence(
        f"Someone who is 50 % sure that a person is in the data is at most **{{belief.believed}}** sure {after}{often}.",
        belief=belief,
    )


def _of_seen(scenario: Scenario) -> str:
    """Return which release of a plan an error is of."""
    return f" of release {scenario.at + 1}, {in_words(scenario.seen)}," if isinstance(scenario, PlanScenario) else ""


def _reached(wish: Wish, scenario: Scenario) -> Quantity:
    """Return what a scenario reaches of a wish's number."""
    evidence = wish.evidence.only_if(scenario.only_if)
    found = Quantity(wish.reached(scenario), wish.told.kind, evidence, wish.told.toward, beside=wish.number)
    if isinstance(wish, ReleasesWish):
        return found.within(largest_loss(scenario))
    return found


# --- the parts --------------------------------------------------------------------------------------------------------


def parts(
    found: Found, *, headline: str, also: Sequence[tuple[float, float]], ticked: tuple[str, ...]
) -> Iterator[Block]:
    """Yield what the wishes ask for, what the scenario gives, what it spends and costs, and what a reviewer asks."""
    if found.decision is not None:
        yield from _asked(found, found.decision, headline)
        if found.odds is not None:
            yield More(
                "odds", "Odds in 100: what an attacker can tell", (Beside((*_odds(found.odds, found.scenario),)),)
            )
        alone = found.scenario.alone()
        counts = not isinstance(found.scenario, PlanScenario) or isinstance(found.scenario.seen.shape, CountsShape)
        if alone and counts and alone.mechanism in NOISES:
            yield More("numbers", "What published numbers will look like", (*_numbers(found.numbers, alone),))
        yield More("spent", "What the releases spend together", (*_spent(found, also),))
        for wish in (each for each in found.wishes if isinstance(each, MoneyWish)):
            yield More("money", "What a breach would cost", (_money(wish, found.scenario),))
            break
    yield on_paper(found.duties, ticked, found.scenario.noun)


def _asked(found: Found, decision: Decision, headline: str) -> Iterator[Block]:
    """Draw the levels that meet each wish, and list them with what the scenario's own level reaches."""
    scenario = found.scenario
    wishes, levels, reached = list[str](), list[str](), list[Words]()
    for wish, band in zip(found.wishes, decision.bands, strict=True):
        here, promise = _reached(wish, scenario), promise_of(wish, band, scenario)
        wishes.append(promise[0].upper() + promise[1:])
        fine = is_narrow(decision)
        asks = levels_of(band, fine=fine, beside=scenario.epsilon0).removeprefix("of ") if band.possible else "none"
        levels.append(asks)
        verdict = "met" if here.value <= wish.number else "missed"
        told = format_quantity(here, currency=scenario.currency)
        reached.append(Words("{told}: **{verdict}**", told=told, verdict=verdict))
    rows = "; ".join(f"{wish}: ε₀ {asks}" for wish, asks in zip(wishes, levels, strict=True))
    of = "the whole plan" if isinstance(scenario, PlanScenario) else "each release"
    draw = partial(
        decide_figures.decision, decision, epsilon0=scenario.epsilon0, deployments=others.deployments(), of=of
    )
    yield Chart(
        "decision",
        partial(draw, delta=scenario.delta, currency=scenario.currency),
        Words("{headline}. {rows}", headline=headline, rows=rows),
        "",
        caption="Bars: the levels that meet a wish. Ticks at the top: what others report (OpenDP deployments registry, not reviewed).",
        height=87 + 42 * len(wishes),
    )
    if wishes:
        basis = [each.evidence.basis.value.capitalize() for each in decision.bands]
        at = f"At ε₀ = {own_level(scenario.epsilon0)}"
        yield Table({"Wish": wishes, "Met by ε₀": levels, at: reached, "Basis": basis}, "")


def _odds(found: Odds, scenario: Scenario) -> Iterator[Block]:
    """Draw the odds of all releases together, and say them."""
    inside, outside = (decide_figures.of_100(each) for each in (found.if_in, found.if_out))
    yield Chart(
        "odds",
        partial(decide_figures.odds, found, epsilon0=scenario.epsilon0),
        Words(f"{inside} of 100 squares are dark if a person is in the data, {outside} if not."),
        "",
        caption="Each square is one of 100 cases.",
        height=170,
    )
    who = f"{every(found.releases, 'release')} together point" if found.releases > 1 else "one release points"
    yield Sentence(
        f"{who.capitalize()} to a person in {{odds.if_in}} of cases if that person is in the data, and in {{odds.if_out}} if "
        "not. That is the average; one outcome can reveal more. The closer the two numbers, the less anyone learns about a "
        "person’s record.",
        odds=found,
    )


def _numbers(numbers: SyntheticNumbers | None, scenario: Scenario) -> Iterator[Block]:
    """Say what the made-up numbers are, and how far off they come out."""
    if numbers is None:
        yield Sentence("The noise is too large to be drawn.")
        return
    yield Sentence(
        "**These numbers are made up**: {number} counts of {rows:,} rows in all{size}{alone}. The range is real: whatever the data, each "
        "is within ±{found.error} of the truth in 95 of 100 releases{shared}.",
        rows=numbers.rows,
        number=len(numbers.exact),
        alone=", each from a release of its own" if scenario.k * scenario.statistics == 1 else "",
        size="" if numbers.weight == 1 else f", each {amount(numbers.weight)}",
        found=numbers,
        shared=f", with ε₀ shared by {scenario.statistics:,} statistics" if scenario.statistics > 1 else "",
    )
    yield Chart(
        "numbers",
        partial(figures.synthetic_numbers, numbers),
        Words(f"{len(numbers.exact)} made-up numbers as bars, each with its range of 95 in 100."),
        "",
        caption="One release of made-up numbers. No number of yours is in this report.",
        height=_LOW,
    )


def _spent(found: Found, also: Sequence[tuple[float, float]]) -> Iterator[Block]:
    """Say what all releases spend, against the wish or the sum of their levels, and what a list of others does by itself."""
    scenario, spent, wished = found.scenario, found.spent, found.wished_total
    if spent is None:
        yield Sentence("What all releases spend together cannot be computed for these numbers.")
    else:
        level = spent.exact.quantity("upper", spent.at).within(math.inf if wished is None else wished)
        level = level.only_if(scenario.only_if)
        added = Quantity(spent.basic[spent.at], "level", evidence_of(basic).only_if(scenario.only_if), "up")
        who = f"{every(scenario.releases, 'release')} together are" if scenario.releases > 1 else "the one release is"
        words = (
            f"{who.capitalize()} (ε, δ)-differentially private with **ε = {{level}}** at δ = {small(scenario.delta)}."
        )
        has_delta = scenario.release.guarantee and scenario.release.guarantee.delta  # to be shared among the summands
        beside: dict[str, Any] = {}
        if not has_delta and added.value > level.value * (1 + 1e-6):
            words, beside = words + " Adding up their levels would give {added}.", {"added": added}
        if wished is not None:
            words += f" The wish of at most {amount(wished, 4)} is {'met' if level.value <= wished else 'missed'}."
        yield Sentence(words, level=level, **beside)
    if also:
        yield _also(scenario, also)
    if spent is not None:
        yield Chart(
            "spent",
            partial(figures.spent, spent.releases, spent.exact, spent.basic, planned=spent.at, wished=wished),
            Words(
                f"ε of all together rises to {{most}} after {spent.releases[-1]:,} releases.",
                most=spent.exact.quantity("upper", -1),
            ),
            "",
            caption="The more releases, the more privacy they spend together.",
            height=_LOW,
        )


def _also(scenario: Scenario, rows: Sequence[tuple[float, float]]) -> Sentence:
    """Say what a list of releases at levels of their own spends together."""
    levels, counts = [level for level, _ in rows], [int(count) for _, count in rows]
    alone = scenario.alone() or Scenario(delta=scenario.delta)
    releases = [replace(alone, epsilon0=level) for level in levels]
    found = exact_together(releases, counts, delta=scenario.delta)
    return Sentence(
        "The list of releases on the page Composition ({listed}) spends **ε = {level}** by itself, at δ = {delta}.",
        listed=", ".join(f"{count:,} at ε₀ = {own_level(level)}" for level, count in zip(levels, counts, strict=True)),
        level=found.quantity("upper"),
        delta=small(scenario.delta),
    )


def _money(wish: MoneyWish, scenario: Scenario) -> Sentence:
    """Say what a breach would cost."""
    return Sentence(
        "A breach after {when} would cost **{cost}** on average; the wish is at most {wished}. "
        "Without any protection it would cost {full}: {persons} for each of {number:,} people. The first amount is an average, not "
        "what to set aside.",
        when=every(scenario.releases, "release"),
        cost=_reached(wish, scenario),
        wished=number_of(wish, scenario.currency),
        full=Quantity(scenario.stakeholders * scenario.compensation, "money", wish.evidence, "up"),
        currency=scenario.currency,
        persons=money(scenario.compensation, scenario.currency, coins=True),
        number=scenario.stakeholders,
    )


# --- what stands at the end -------------------------------------------------------------------------------------------


def method(scenario: Scenario) -> list[str]:
    """Return in short how all was computed."""
    neighbours = {
        Neighbours.REPLACE_ONE: "one person’s rows are exchanged for another’s, and the number of persons is public",
        Neighbours.ADD_OR_REMOVE: "one person’s rows are added or removed",
    }[scenario.neighbours]
    level = f"ε₀ = {own_level(scenario.epsilon0)}"
    noise = f"Mechanism: {MECHANISMS[scenario.mechanism].name}, set to {level} for each release."
    rows = f"{scenario.rows_per_person:,} row{'s' * (scenario.rows_per_person > 1)}"
    if isinstance(scenario, PlanScenario):
        noise, rows = f"Each release of the plan has its own part of {level}.", "as many rows as each release says"
    return [
        "Definition: a release is (ε, δ)-differentially private if, for every two neighbouring tables and every event, the probabilities "
        "of the event differ by a factor of at most exp(ε), apart from δ.",
        f"Neighbours: {neighbours}; one person has at most {rows}.",
        noise + " Each statistic has noise of its own." * (scenario.statistics > 1 and scenario.mechanism in NOISES),
        "Composition: privacy covers all releases, counted exactly or rounded up; the error is per release.",
        "Each level was checked.",
    ]


def sources(found: Found) -> list[str]:
    """Return where the numbers come from, each once."""
    named = [each.source for each in (found.decision.bands if found.decision else ())]
    named += [each.source for each in (found.odds, found.numbers) if each]
    named += [found.spent.exact.source] if found.spent else []
    registry = f"deployments: {others.SOURCE}. {others.NOTE}"
    return list(dict.fromkeys([*named, *(each.source for each in found.duties), registry]))
