"""The levels that meet each wish, the decision where all do, or the wishes that collide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

from par_core.composition.planned_releases import counted
from par_core.datasets import deployments as others
from par_core.decision import (
    LARGEST,
    SMALLEST,
    BeliefWish,
    Decision,
    ErrorWish,
    GroupWish,
    MoneyWish,
    RiseWish,
    Wish,
    decide,
    example_wishes,
    kind_of,
)
from par_core.evidence import Quantity
from par_core.export.sentences import every, level0
from par_core.figures import decide as figures
from par_core.figures import decision_words as words
from par_core.figures.drawing import Drawing
from par_core.figures.money import money
from par_core.figures.quantities import as_told
from par_core.parameters import check_list, check_type
from par_core.plan import PlanScenario, in_words
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Headline, Note, Sentence, Table, Words
from par_core.questions.plan_assumptions import holds_if
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.questions.scenario_blocks import release_script, use_epsilon0
from par_core.risk.attacks import believed_after
from par_core.rounding import amount, percent, small

_PRIORS = (0.01, 0.1, 0.5, 0.9)


@dataclass(frozen=True, repr=False)
class WhichEpsilon0(Question):
    """Which levels ε₀ meet all wishes, or which of them collide?"""

    wishes: tuple[Wish, ...] | None = None  # None: those that everybody comes to, which nobody has made
    planned: bool = True  # somebody has planned the scenario's number of releases

    def __post_init__(self) -> None:
        must_be_possible(self.scenario)
        if self.wishes is not None:
            checked = tuple(check_type("wishes", each, Wish) for each in check_list("wishes", self.wishes))
            object.__setattr__(self, "wishes", checked)

    @property
    def asked(self) -> tuple[Wish, ...]:
        """The wishes, or the examples."""
        return example_wishes(self.scenario) if self.wishes is None else self.wishes

    @property
    def are_examples(self) -> bool:
        """Whether nobody has made the wishes."""
        return self.wishes is None

    @property
    def dials(self) -> tuple[str, ...]:
        scenario, kinds = self.scenario, [*enumerate(map(kind_of, self.asked))]
        if isinstance(scenario, PlanScenario):  # of all its releases together hardly anything is found at once
            if not scenario.is_quick:
                return ()
            quick = [(at, kind) for at, kind in kinds if kind.of_noise]
        else:
            _, times = counted(scenario, scenario.releases)
            quick = [(at, kind) for at, kind in kinds if times <= kind.quickly]
        return "scenario.epsilon0", *(f"wishes.{at}.{kind.numbers[0].field}" for at, kind in quick)

    def moved(self, path: str, value: Any) -> Self:
        if self.wishes is not None or not path.startswith("wishes."):
            return super().moved(path, value)
        made = replace(self, wishes=self.asked).moved(path, value)
        return self if made.wishes == self.asked else made

    @property
    def given(self) -> dict[str, str]:
        scenario, given = self.scenario, dict[str, str]()
        example = " (an example)" * self.are_examples
        for wish in self.asked:
            label, promise = kind_of(wish).label, f"{words.promise_of(wish, None, scenario)}{example}"
            given[label] = f"{given[label]}; {promise}" if label in given else promise
            if isinstance(wish, MoneyWish):
                each = money(scenario.compensation, scenario.currency, coins=True)
                given["Without any protection"] = f"{each} for each of {scenario.stakeholders:,} people"
        return given

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> WhichEpsilon0Answer:
        return WhichEpsilon0Answer(self, decide(self.asked, self.scenario))


@dataclass(frozen=True)
class WhichEpsilon0Answer(Answer):
    """The levels that meet each wish and all of them."""

    question: WhichEpsilon0
    found: Decision

    def numbers(self) -> dict[str, Quantity]:
        found, options = self.found, [kind_of(each).option for each in self.found.wishes]
        names = [f"{each}_{at + 1}" if each in options[:at] else each for at, each in enumerate(options)]
        ends = {
            f"{name}_at_{'most' if wish.upper else 'least'}": band.quantity("high" if wish.upper else "low")
            for name, wish, band in zip(names, found.wishes, found.bands, strict=True)
        }
        if found.possible:
            ends |= {f"all_at_{name}": end for name, end in zip(("least", "most"), self.ends, strict=True)}
        own = self.question.scenario.epsilon0
        return {name: replace(end, beside=own) for name, end in ends.items() if SMALLEST < end.value < LARGEST}

    @property
    def ends(self) -> tuple[Quantity, Quantity]:
        """The smallest and the largest level that meet all wishes, where there are such levels."""
        only = self.found.only
        if only is not None:
            return (Quantity(only, "level", self.found.evidence),) * 2
        return self.found.quantity("low"), self.found.quantity("high")

    def in_one_line(self, then: str) -> Headline:
        """Return which levels to take and what is said of them `then`, or why there is none to take."""
        found = self.found
        if not found.wishes:
            return Headline("Switch on a wish: each one says which ε₀ will do")
        if self.question.are_examples:
            if found.collisions:
                return Headline("No ε₀ meets the example wishes: {colliding}", colliding=words.colliding(found))
            if not found.possible:
                return Headline("No ε₀ meets the example wishes")
            return Headline("The example wishes ask for ε₀ {levels}", levels=self.levels)
        if found.collisions:
            both = "both" if len(found.wishes) == 2 else "all"
            colliding = words.colliding(found, whose="your ")
            return Headline("No ε₀ meets {both}: {colliding}", both=both, colliding=colliding)
        if not found.possible:
            never = next(wish for wish, band in zip(found.wishes, found.bands, strict=True) if not band.possible)
            return Headline("No ε₀ meets this wish: {name}", name=words.name_of(never))
        return Headline("Take ε₀ {levels}: {said}", levels=self.levels, said=then)

    @property
    def levels(self) -> str:
        """The levels to take, on their own sides of the present one."""
        return words.levels_of(self.found, beside=self.question.scenario.epsilon0)

    def story(self) -> Iterator[Block]:
        found, scenario = self.found, self.question.scenario
        number = len(found.wishes)
        met = {1: "your wish is met", 2: "both wishes are met"}.get(number, f"all {number} wishes are met")
        headline = self.in_one_line(f"{met} there, and hardly elsewhere" if found.only else met)
        yield headline
        yield from self._sentence()
        yield Chart(
            "decision",
            self.draw,
            Words(
                "For each wish the levels ε₀ that meet it, your ε₀ = {own:g} as a line, and what {number} deployments report. {answer}.",
                own=scenario.epsilon0,
                number=len(others.deployments()),
                answer=headline.told(),
            ),
            others.SOURCE,
            partial(
                figures.decision_table,
                found,
                deployments=others.deployments(),
                delta=scenario.delta,
                currency=scenario.currency,
            ),
            {"limits": others.NOTE},
            handle="scenario.epsilon0",
        )
        yield from self._take()
        yield from self._about()

    def way_out(self) -> Sentence:
        """Return what one would have to allow on either side of a collision."""
        given = words.would_give(self.found, self.question.scenario.currency)
        return Sentence("{given}.", given=given, evidence_from=self.found.collision)

    def draw(self) -> Drawing:
        """Draw the levels that meet each wish, and what others report."""
        scenario, deployments = self.question.scenario, others.deployments()
        given = {"epsilon0": scenario.epsilon0, "delta": scenario.delta}
        of = "the whole plan" if isinstance(scenario, PlanScenario) else "each release"
        return figures.decision(self.found, **given, deployments=deployments, currency=scenario.currency, of=of)

    def _sentence(self) -> Iterator[Block]:
        """Say how the present level stands to the wishes, or what those that collide would have to give."""
        found, scenario = self.found, self.question.scenario
        if not found.wishes:
            return
        if found.collision is not None:
            yield self.way_out()
        elif not found.possible:
            never = next(each for each in found.bands if not each.possible)
            last = level0(SMALLEST) if never.high == 0 else f"{level0(LARGEST)}, the largest checked,"
            # The headline names a wish that the reader made, and of examples none.
            which = f"the {words.name_of(never.wish)} wish" if self.question.are_examples else "it"
            yield Sentence("Even {last} misses {which}.", last=last, which=which, evidence_from=never)
        elif scenario.epsilon0 > LARGEST == found.high:
            own = amount(scenario.epsilon0, 4)
            yield Sentence("Levels above {largest:g}, such as your {own}, are not checked.", largest=LARGEST, own=own)
        elif not self.question.are_examples:
            missed = [f"your {words.name_of(each)} wish" for each in found.missed(scenario.epsilon0)]
            which = " and ".join(missed) if len(missed) < 3 else f"{len(missed)} of {len(found.wishes)}"
            own, will = words.own_level(scenario.epsilon0), f"misses {which}" if missed else "will do"
            words_ = f"Your {scenario.noun}'s ε₀\u00a0=\u00a0{{own}} {{will}}."
            yield Sentence(words_, own=own, will=will, evidence_from=found)

    def _take(self) -> Iterator[Block]:
        """Propose the most private and the most accurate level that meet every wish."""
        found, scenario = self.found, self.question.scenario
        if not found.possible or not found.bands:
            return
        ends = [self._told(end) for end in ("low", "high") if SMALLEST < getattr(found, end) < LARGEST]
        levels = list(dict.fromkeys(ends)) if found.only is None else [found.only]
        names = ("most private", "most accurate") if len(levels) > 1 else ("",)
        for level, name in zip(levels, names, strict=False):
            yield from use_epsilon0(level, scenario, named=name)
        if not found.missed(scenario.epsilon0):  # no code for what the reader does not want
            yield from release_script(scenario)
            if isinstance(scenario, PlanScenario):
                yield Sentence("The release code of all releases stands on the page Your table, under “Your plan”.")

    def _about(self) -> Iterator[Block]:
        found, scenario = self.found, self.question.scenario
        yield from holds_if(scenario)
        if scenario.releases > 1:
            each = "; the error is per release" * any(isinstance(wish, ErrorWish | GroupWish) for wish in found.wishes)
            if each and isinstance(scenario, PlanScenario):
                each = f"; the error is that of release {scenario.at + 1}: {in_words(scenario.seen)}"
            yield Sentence(
                "Privacy covers {releases}{each}.",
                releases=every(scenario.releases, "release"),
                each=each,
                term="wish_together",
            )
        yield from self._examples()
        for band in found.bands:
            if band.prior is not None:
                yield Sentence("The limit is strictest for an attacker who is {band.prior} sure.", band=band)
        about_belief = [each for each in found.wishes if isinstance(each, BeliefWish | RiseWish)]
        if about_belief:
            yield from self._beliefs([each.prior for each in about_belief if isinstance(each, BeliefWish)][:1])
        yield Note(
            "Ticks at the top: ε as {number} deployments report it (OpenDP deployments registry, not reviewed), each for its own unit of "
            "privacy; ρ is converted to ε at δ\u00a0=\u00a0{delta}.",
            number=len(others.deployments()),
            delta=small(scenario.delta),
        )

    def _examples(self) -> Iterator[Block]:
        """Say what nobody has chosen of the wishes and of the releases that they are about."""
        examples = self.question.are_examples
        named = ["these wishes"] * examples
        named += [f"the {self.question.scenario.releases} releases"] * (not self.question.planned)
        if named:
            said = " and ".join(named)
            are = "are examples" if examples else "are an example"
            yield Sentence("{said} {are}: set your own.", said=said[0].upper() + said[1:], are=are)

    def _beliefs(self, own: list[float]) -> Iterator[Block]:
        """Say what attackers of several beliefs come to believe at most, at the present level and at the largest that will do."""
        found, scenario = self.found, self.question.scenario
        highest = [self._told("high")] if found.possible and found.high < LARGEST else []
        levels, priors = dict.fromkeys([scenario.epsilon0, *highest]), sorted({*_PRIORS, *own})
        at = {
            level: [
                believed_after(replace(scenario, epsilon0=level), before, releases=scenario.releases)
                for before in priors
            ]
            for level in levels
        }
        after = f"your {scenario.releases:,} releases" if scenario.releases > 1 else "one release"
        worst = max((column[0] for column in at.values()), key=lambda each: each.rare)
        if worst.rare:
            yield Sentence(
                "After {after} an attacker is at most this sure, except in {worst.rare} of outcomes: this noise has no largest loss.",
                after=after,
                worst=worst,
            )
        else:
            yield Sentence("After {after} an attacker is at most this sure.", after=after, evidence_from=worst)
        columns = {
            f"At {level0(level)}": [Words("{each.believed}", each=each, bare=True) for each in column]
            for level, column in at.items()
        }
        yield Table(
            {"Belief before": [percent(each) for each in priors], **columns},
            "How sure an attacker is at most after all releases, by how sure they were before.",
        )

    def _told(self, end: str) -> float:
        """Return an end of the levels to take as it is told beside the present level."""
        beside = replace(self.found.quantity(end), beside=self.question.scenario.epsilon0)
        return as_told(beside, fine=words.is_narrow(self.found))
