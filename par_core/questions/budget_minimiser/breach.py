"""What a breach costs, as the reader says, and what is said of its amounts in every section."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal

from par_core import cost
from par_core.cost import CostCurve, CostModel, FixedPlusPerHead, Optimum, PiecewiseLinear
from par_core.cost.optimum import priced
from par_core.errors import ParameterError
from par_core.export.sentences import level, level0
from par_core.figures.drawing import Drawing
from par_core.figures.money import money
from par_core.figures.quantities import written
from par_core.parameters import one_of
from par_core.questions.blocks import Block, Boxes, Caution, Chart, Notice, Number, Sentence, Words
from par_core.questions.question import Answer, Question
from par_core.questions.scenario_blocks import only_laplace
from par_core.standing import Quantity

Model = CostModel | FixedPlusPerHead | PiecewiseLinear
KINDS = {"head": "Per head", "fine": "With fine", "table": "Table"}
NAMES = {
    "kind": "What a breach costs",
    "rate": "Rate",
    "minimum": "Minimum per person",
    "capped": "Never above the compensation",
    "fine": "Fine",
    "fine_rate": "Rate of the fine",
    "points": "Points of the table",
    "levels": "Curves for ε₀",
    "paper_only": "As in the paper",
    "budget": "Budget you have",
    "largest_error": "Largest average error",
    "percent": "Move each input by, in %",
}
"""What the fields of these questions are called."""

CLAIM = "par-theorem-4"  # what a published budget or saving stands on
_ONLY_FOR = {
    "rate": ("head", "fine"),
    "minimum": ("head",),
    "capped": ("head",),
    "fine": ("fine",),
    "fine_rate": ("fine",),
    "points": ("table",),
    "compensation": ("head", "fine"),
    "stakeholders": ("head", "fine"),
}
"""The kinds of cost that take notice of a field; of those that are not named here every kind does."""
_NEXT_TO_NOTHING = math.ulp(0.0)  # stands in for an amount above 0 that is too small for a float


@dataclass(frozen=True, repr=False)
class Breach(Question):
    """A scenario, and what a breach costs beside what the scenario says: each person, a fine and each person, or by a table."""

    kind: Literal["head", "fine", "table"] = "head"
    rate: float = 1.0
    minimum: float = 0.0  # per person
    capped: bool = False  # never above the compensation
    fine: float = 20_000.0
    fine_rate: float = 0.0
    points: tuple[tuple[float, float], ...] = (
        (0.1, 0.0),
        (0.25, 10_000.0),
        (0.5, 75_000.0),
        (1.0, 220_000.0),
        (2.0, 550_000.0),
    )  # each ε with the money in all

    @property
    def model(self) -> Model:
        """The cost model; ParameterError where its numbers contradict each other."""
        scenario = self.scenario
        if one_of("kind", self.kind, KINDS) == "table":
            return PiecewiseLinear(self.points)
        head: dict[str, Any] = {"stakeholders": scenario.stakeholders, "rate": self.rate}
        if self.kind == "fine":
            return FixedPlusPerHead(self.fine, scenario.compensation, fixed_rate=self.fine_rate, **head)
        capped = self.capped and self.minimum > 0
        return CostModel(scenario.compensation, minimum=self.minimum, capped=capped, **head)

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
        others = (name for name, kinds in _ONLY_FOR.items() if self.kind not in kinds)
        return tuple(dict.fromkeys([*others, *["capped"] * (self.minimum == 0)]))

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
        if value in KINDS:
            return KINDS[value]
        return f"{value:,.15g}" if isinstance(value, int | float) else in_one_line(value)

    @property
    def in_words(self) -> str:
        """What a breach costs in a few words: who is paid what."""
        scenario, currency = self.scenario, self.scenario.currency
        if self.kind == "table":
            ends = [f"{money(cash, currency)} at {level(epsilon)}" for epsilon, cash in self.points]
            return f"a table of {len(ends)} points, from {ends[0]} to {ends[-1]}"
        people = f"{scenario.stakeholders:,} {'person' if scenario.stakeholders == 1 else 'people'}"
        compensation = money(scenario.compensation, currency)
        heads = f"{people}, up to {compensation} each"
        if self.kind == "fine":
            return f"a fine of {money(self.fine, currency)}, and {heads}"
        if self.minimum == 0:
            return heads
        least = money(self.minimum, currency)
        return f"{heads}, at least {least}" if self.capped else f"{people}, {least} each and up to {compensation} more"

    # --- what is said of it in every section ---

    @property
    def full(self) -> str:
        """What a breach costs without any protection: it follows from what the reader typed, and has all its digits."""
        return written(enough(self.model.full, self.model), currency=self.scenario.currency, fine=True)

    @property
    def together(self) -> cost.AllReleases:
        """What all planned releases come to."""
        return cost.all_releases(self.model, self.scenario.epsilon0, releases=self.scenario.releases)

    def beforehand(self) -> Iterator[Block]:
        """Say what has to be known before the answer is read."""
        yield from only_laplace("This section is", self.scenario)
        yield from map(Caution, self.next_to_nothing())

    def next_to_nothing(self) -> Iterator[str]:
        """Say where the cost model says next to nothing."""
        if cost.says_little(self.model, self.scenario.epsilon0):
            yield (
                f"At {level0(self.scenario.epsilon0)} your cost model leaves less than a thousandth of the full {self.full}: it says next "
                "to nothing here. Count on the full amount."
            )

    def cautions(self, *levels0: float) -> Iterator[Block]:
        """Say what the amounts are not, what several releases add, and where the model itself is doubtful.

        `levels0` are further levels that the model was asked about, beside the scenario's own.
        """
        yield NOT_EXPECTED
        together = self.together
        if together.releases > 1:
            yield Sentence(
                "All amounts above are for **one release**. You plan {together.releases:,}, which together are only as private as {level} "
                "(basic composition): after all of them a breach costs up to **{money} of the full {full}**.",
                together=together,
                level=f"ε₀\u00a0=\u00a0{written(together.quantity('epsilon'))}",
                money=enough(together.money, self.model),
                full=self.full,
                currency=self.scenario.currency,
            )
        yield from map(Caution, self.doubts(*levels0))
        if isinstance(self.model, PiecewiseLinear) and not self.model.is_convex:
            yield Notice(
                "Your table is not convex: somewhere it rises more slowly than before. The cheapest ε is found all the same."
            )

    def doubts(self, *levels0: float) -> list[str]:
        """Return where the cost model breaks its own rules or knows no more; each sentence once."""
        caveat = getattr(self.model, "caveat", lambda _: "")
        asked = (self.scenario.epsilon0, self.together.epsilon, *levels0)
        return [*filter(None, dict.fromkeys(map(caveat, asked)))]


NOT_EXPECTED = Sentence(
    "This is the budget if a breach happens, **not an expected cost**: how likely a breach is plays no part."
)


@dataclass(frozen=True)
class BreachAnswer(Answer):
    """The budget against ε at the level of the scenario, as published and in truth."""

    question: Breach
    own: CostCurve

    @cached_property
    def model(self) -> Model:
        """What a breach costs."""
        return self.question.model

    @property
    def true(self) -> Optimum:
        """The cheapest ε in truth."""
        return self.own.exact_optimum

    @property
    def claimed(self) -> Optimum:
        """The cheapest ε by the paper's formula."""
        return self.own.published_optimum

    @property
    def money(self) -> dict[str, Any]:
        """What is always enough beside the full amount, as words name it, and the currency."""
        always = enough(self.own.baseline, self.model)
        return {"always": always, "full": self.question.full, "currency": self.question.scenario.currency}

    def picture(self, key: str, draw: Callable[[], Drawing], alt: str = "", **values: Any) -> Chart:
        """Return a picture of the budget against ε; the head of its file holds the unrounded numbers."""
        own, currency = self.own, self.question.scenario.currency
        values = values or {
            "own": own,
            "always": alone(self.true),
            "claimed": self.claimed,
            "least_claimed": least(self.claimed),
            "true": self.true,
            "least": least(self.true),
        }
        alt = alt or (
            "Budget for a breach against ε. At ε₀ = {own.epsilon0:g} it is {always} without a stronger level; on average over releases at "
            "least {least_claimed} as published (ε = {claimed.epsilon:.4g}) and {least} in truth (ε = {true.epsilon:.4g})."
        )
        notes = {"cost model": f"{self.model.name}: {self.question.in_words}"}
        for found in (self.claimed, self.true):
            notes[f"{found.truth} optimum at epsilon0 = {own.epsilon0!r}"] = (
                f"epsilon {found.epsilon!r}, confidence {found.confidence!r}, budget {found.budget!r}, baseline {found.baseline!r}, "
                f"saving {found.saving!r}, share saved {found.share_saved!r}, money in {currency}"
            )
            notes[f"limits, {found.truth}"] = found.limits
        return Chart(key, draw, Words(alt, currency=currency, **values), sources(self.claimed, self.true), notes=notes)

    def no_saving(self) -> Sentence:
        """Say why no ε costs less than ε₀ alone."""
        return Sentence(
            "Your cost model gives {alone} at {own.epsilon0:level0} and no less at any smaller ε, so a stronger level saves nothing.",
            alone=alone(self.true),
            own=self.own,
            currency=self.question.scenario.currency,
        )

    def boxes(self, published: tuple[Block, ...], exact: tuple[Block, ...]) -> Boxes:
        """Return what is claimed beside what is true, each with what it is worth."""
        worth = ("**As published**", least(self.claimed)), ("**In truth**", priced)
        heads = (Sentence(words, standing_of=of, claims=(CLAIM,)) for words, of in worth)
        return Boxes(tuple((head, *rest) for head, rest in zip(heads, (published, exact), strict=True)))


def in_one_line(value: Any) -> str:
    """Return any value of a field as one line of text: numbers with commas between them, rows with semicolons."""
    if isinstance(value, tuple):
        return ("; " if isinstance(value[0], tuple) else ", ").join(map(in_one_line, value)) if value else "none"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def sources(claimed: Any, true: Any) -> str:
    """Return where a claim and the truth come from."""
    return f"{claimed.source}; exact: {true.source}"


# --- amounts, which are never told as nothing where a breach costs something ---


def least(found: Optimum, *, beside: float | None = None) -> Quantity:
    """Return the least average, `beside` the money that there is on its own side of it."""
    size = found.budget or (0.0 if found.at_epsilon0 else _NEXT_TO_NOTHING)
    return replace(found.quantity("budget"), value=size, beside=beside)


def saved(found: Optimum) -> Quantity:
    """Return what the least average saves."""
    return replace(found.quantity("saving"), value=found.saving or (_NEXT_TO_NOTHING if found.share_saved else 0.0))


def alone(found: Optimum, *, beside: float | None = None) -> Quantity:
    """Return what a breach costs at ε₀ alone; `beside` as in `least`."""
    return replace(enough(found.baseline, found.model), beside=beside)


def enough(size: float, model: Any) -> Quantity:
    """Return an amount that is always enough."""
    return Optimum.as_quantity("baseline", size or (_NEXT_TO_NOTHING if model.full else 0.0))


def at_epsilon0(found: Optimum, currency: str) -> Number:
    """Return what is always enough as a number beside others."""
    return Number("At ε₀ alone", alone(found), "baseline", currency)


def least_average(label: str, found: Optimum, currency: str) -> Number:
    """Return the least average as a number beside others."""
    return Number(label, least(found), "least_true" if found.truth == "exact" else "least_budget", currency)


def saving(label: str, found: Optimum, currency: str) -> Number:
    """Return what is saved as a number beside others."""
    return Number(label, saved(found), "true_saving" if found.truth == "exact" else "saving", currency)
