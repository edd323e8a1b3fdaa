"""What a breach costs, as the reader says, and what is said of its amounts in every section."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from string import Formatter
from typing import Any, Literal

from par_core import cost
from par_core.cost import CostCurve, CostModel, FixedPlusPerHead, Optimum, PiecewiseLinear
from par_core.cost.optimum import priced
from par_core.errors import ParameterError
from par_core.evidence import Result
from par_core.export.sentences import level, level0
from par_core.figures.drawing import Drawing
from par_core.figures.money import money
from par_core.figures.quantities import format_quantity
from par_core.parameters import check_choice
from par_core.questions.blocks import Block, Boxes, Caution, Chart, Notice, Number, Numbers, Sentence, Words
from par_core.questions.question import Answer, Question
from par_core.questions.scenario_blocks import only_laplace

KINDS = {"head": "Per head", "fine": "With fine", "table": "Table"}
NAMES = {
    "kind": "What a breach costs",
    "rate": "Rate",
    "minimum": "Minimum per person",
    "capped": "Never above the compensation",
    "fine": "Fine",
    "fine_rate": "Rate of the fine",
    "points": "Points of the table",
    "beside": "ε of the rest of the plan",
    "levels": "Curves for ε₀",
    "paper_only": "As in the paper",
    "budget": "Budget you have",
    "largest_error": "Largest average error",
    "percent": "Move each input by, in %",
}
"""What the fields of these questions are called."""

CLAIM = "par-theorem-4"  # what a published budget or saving stands on
_UNUSED = {
    "head": ("fine", "fine_rate", "points"),
    "fine": ("minimum", "capped", "points"),
    "table": ("rate", "minimum", "capped", "fine", "fine_rate", "compensation", "stakeholders"),
}
_TERMS = {"budget": "least_budget", "share_saved": "saving"}  # words of the glossary, where they are not the name
_TRUE_TERMS = {
    "budget": "least_true",
    "saving": "true_saving",
    "share_saved": "true_saving",
    "confidence": "true_confidence",
}
NOT_EXPECTED = Sentence(
    "This is the budget if a breach happens, **not an expected cost**: the chance of one plays no part."
)


@dataclass(frozen=True, repr=False)
class Breach(Question):
    """A scenario, and what a breach costs beside what the scenario says: each person, a fine and each person, or by a table."""

    kind: Literal["head", "fine", "table"] = "head"
    rate: float = 1.0
    minimum: float = 0.0  # per person
    capped: bool = False  # never above the compensation
    fine: float = 20_000.0
    fine_rate: float = 0.0
    # Each ε with the money in all.
    points: tuple[tuple[float, float], ...] = ((0.1, 0.0), (0.25, 1e4), (0.5, 75e3), (1.0, 22e4), (2.0, 55e4))
    beside: float = 0.0  # ε of what else is planned about the same people, infinite where that has no largest loss

    @cached_property
    def model(self) -> CostModel | FixedPlusPerHead | PiecewiseLinear:
        """The cost model; ParameterError where its numbers contradict each other."""
        people, compensation = self.scenario.stakeholders, self.scenario.compensation
        if check_choice("kind", self.kind, KINDS) == "table":
            return PiecewiseLinear(self.points)
        if self.kind == "fine":
            return FixedPlusPerHead(self.fine, compensation, people, self.rate, self.fine_rate)
        return CostModel(compensation, people, self.rate, self.minimum, self.capped and self.minimum > 0)

    def must_agree(self) -> None:
        """Raise ParameterError where the numbers of the cost model contradict each other."""
        try:
            self.model  # noqa: B018  # asked for the sake of its error
        except ParameterError as error:
            raise ParameterError(f"this cost model contradicts itself: {error}") from error

    @property
    def dials(self) -> tuple[str, ...]:
        return ()

    @property
    def unused(self) -> tuple[str, ...]:
        """The fields, of its own and of the scenario, that this kind of cost takes no notice of."""
        return (*_UNUSED[self.kind], *["capped"] * (self.minimum == 0), *["beside"] * (self.beside == 0))

    @property
    def unread(self) -> tuple[str, ...]:
        return ("sensitivity", "neighbours", "rows_per_person", "statistics", "delta", *self.unused)

    @property
    def given(self) -> Mapping[str, str]:
        asked = (each.name for each in fields(self) if each.name in NAMES and each.name not in self.unread)
        own = {NAMES[name]: self.cell(name) for name in asked if getattr(self, name) is not False}
        return {"A breach costs": self.in_words, **own}

    def cell(self, name: str) -> str:
        """Return a field, of its own or of the scenario, as it reads in a table."""
        value = getattr(self if name in NAMES else self.scenario, name)
        if name in self.unused:
            return "not used"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:,.15g}" if isinstance(value, int | float) else KINDS.get(str(value), in_one_line(value))

    @property
    def in_words(self) -> str:
        """What a breach costs in a few words: who is paid what."""
        scenario, currency = self.scenario, self.scenario.currency
        if self.kind == "table":
            ends = [f"{money(cash, currency)} at {level(epsilon)}" for epsilon, cash in self.points]
            return f"a table of {len(ends)} points, from {ends[0]} to {ends[-1]}"
        people = f"{scenario.stakeholders:,} {'person' if scenario.stakeholders == 1 else 'people'}"
        compensation, least = (money(each, currency) for each in (scenario.compensation, self.minimum))
        heads = f"{people}, up to {compensation} each"
        if self.kind == "fine":
            return f"a fine of {money(self.fine, currency)}, and {heads}"
        if self.minimum == 0:
            return heads
        return f"{heads}, at least {least}" if self.capped else f"{people}, {least} each and up to {compensation} more"

    @property
    def full(self) -> str:
        """What a breach costs without any protection: it follows from what the reader typed, and has all its digits."""
        return format_quantity(
            Optimum.as_quantity("baseline", self.model.full), currency=self.scenario.currency, fine=True
        )

    @cached_property
    def together(self) -> cost.AllReleases:
        """What all planned releases come to."""
        scenario = self.scenario
        return cost.all_releases(self.model, scenario.epsilon0, releases=scenario.releases, beside=self.beside)

    @property
    def next_to_nothing(self) -> list[str]:
        """Where the cost model says next to nothing."""
        said = (
            f"At {level0(self.scenario.epsilon0)} your cost model leaves less than a thousandth of the full {self.full}: it says next to "
            "nothing here. Count on the full amount."
        )
        return [said] * cost.says_little(self.model, self.scenario.epsilon0)

    def doubts(self, *levels0: float) -> list[str]:
        """Return where the cost model breaks its own rules or knows no more, at these levels too; each sentence once."""
        caveat = getattr(self.model, "caveat", lambda _: "")
        asked = filter(math.isfinite, (self.scenario.epsilon0, self.together.epsilon, *levels0))
        return [*filter(None, dict.fromkeys(map(caveat, asked)))]


def in_one_line(value: Any) -> str:
    """Return any value of a field as one line of text: numbers with commas between them, rows with semicolons."""
    if isinstance(value, tuple):
        return ("; " if isinstance(value[0], tuple) else ", ").join(map(in_one_line, value)) if value else "none"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class BreachAnswer(Answer):
    """What every section on a breach tells."""

    question: Breach

    def say(self, template: str, kind: type[Words] = Sentence, **values: Any) -> Words:
        """Return words in the scenario's currency; what they name and is not given is of the question, or of the answer."""
        named = {each.partition(".")[0] for _, each, *_ in Formatter().parse(template) if each} - values.keys()
        found = {name: getattr(self if hasattr(self, name) else self.question, name) for name in named}
        return kind(template, currency=self.question.scenario.currency, **found, **values)

    def beforehand(self) -> Iterator[Block]:
        """Say what has to be known before the answer is read."""
        yield from only_laplace("This section is", self.question.scenario)
        yield from map(Caution, self.question.next_to_nothing)

    def cautions(self, *levels0: float) -> Iterator[Block]:
        """Say what the amounts are not, what several releases add, and where the model itself is doubtful, at these levels too."""
        yield NOT_EXPECTED
        together, model = self.question.together, self.question.model
        if together.releases > 1 or together.beside:
            yield self._of_all(together)
        yield from map(Caution, self.question.doubts(*levels0))
        if isinstance(model, PiecewiseLinear) and not model.is_convex:
            yield Notice(
                "Your table is not convex: somewhere it rises more slowly than before. The cheapest ε is found all the same."
            )

    def _of_all(self, together: cost.AllReleases) -> Words:
        one, pays = (
            "All amounts above are for **one release**.",
            "a breach costs up to **{together.money} of the full {full}**.",
        )
        if math.isinf(together.beside):
            return self.say(
                f"{one} Some of your plan has noise whose loss has no largest value: after all of it {pays}"
            )
        planned = "You plan {together.releases:,}, which together are"
        if together.beside:
            planned = "All releases of your plan together are"
        return self.say(
            f"{one} {planned} only as private as ε₀\u00a0=\u00a0{{level}} (basic composition): after all of them {pays}",
            level=format_quantity(together.quantity("epsilon")),
        )

    def row(self, key: str, *numbers: tuple[str, Result, str]) -> Numbers:
        """Return numbers beside each other: the label of each, what it is of, and its name there."""
        return Numbers(key, tuple(self._number(*each) for each in numbers))

    def _number(self, label: str, of: Result, name: str) -> Number:
        terms = _TRUE_TERMS if getattr(of, "truth", "") == "exact" else _TERMS
        return Number(label, of.quantity(name), terms.get(name, name), self.question.scenario.currency)


@dataclass(frozen=True)
class CurveAnswer(BreachAnswer):
    """The budget against ε at the level of the scenario, as published and in truth."""

    own: CostCurve

    @property
    def true(self) -> Optimum:
        """The cheapest ε in truth."""
        return self.own.exact_optimum

    @property
    def claimed(self) -> Optimum:
        """The cheapest ε by the paper's formula."""
        return self.own.published_optimum

    def picture(self, key: str, draw: Callable[[], Drawing], alt: str = "", **values: Any) -> Chart:
        """Return a picture of the budget against ε; the head of its file holds the unrounded numbers."""
        alt = alt or (
            "Budget for a breach against ε. At ε₀ = {own.epsilon0:g} it is {true.baseline} without a stronger level; on average over "
            "releases at least {claimed.budget} as published (ε = {claimed.epsilon:.4g}) and {true.budget} in truth "
            "(ε = {true.epsilon:.4g})."
        )
        notes = {"cost model": f"{self.question.model.name}: {self.question.in_words}"}
        for found in (self.claimed, self.true):
            notes[f"{found.truth} optimum at epsilon0 = {found.epsilon0!r}"] = (
                f"epsilon {found.epsilon!r}, confidence {found.confidence!r}, budget {found.budget!r}, baseline {found.baseline!r}, "
                f"saving {found.saving!r}, share saved {found.share_saved!r}, money in {self.question.scenario.currency}"
            )
            notes[f"limits, {found.truth}"] = found.limits
        return Chart(key, draw, self.say(alt, Words, **values), sources(self.claimed, self.true), notes=notes)

    def no_saving(self) -> Words:
        """Say why no ε costs less than ε₀ alone."""
        return self.say(
            "Your cost model gives {true.baseline} at {own.epsilon0:level0} and no less at any smaller ε, so a stronger level saves "
            "nothing."
        )

    def boxes(self, published: tuple[Block, ...], exact: tuple[Block, ...]) -> Boxes:
        """Return what is claimed beside what is true, each with what it is worth."""
        claimed = Sentence("**As published**", evidence_from=self.claimed.quantity("budget"), claims=(CLAIM,))
        return Boxes(((claimed, *published), (Sentence("**In truth**", evidence_from=priced, claims=(CLAIM,)), *exact)))


def sources(claimed: Any, true: Any) -> str:
    """Return where a claim and the truth come from."""
    return f"{claimed.source}; exact: {true.source}"
