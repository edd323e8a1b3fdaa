"""Figure 5 of *Privacy at Risk*: what many releases spend by each accountant, over the exact truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from par_core.composition import ACCOUNTANTS, Comparison, holding
from par_core.composition.comparison import TooLow, too_low
from par_core.evidence import Quantity
from par_core.figures import composition as figures
from par_core.figures import style
from par_core.figures.composition import short_name
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.parameters import check_choice, check_integer, check_number
from par_core.progress import Progress
from par_core.questions.blocks import (
    Block,
    Chart,
    Formulas,
    Heading,
    Headline,
    Missing,
    Note,
    Own,
    Part,
    Sentence,
    Words,
)
from par_core.questions.composition import formulas
from par_core.questions.composition.claims_of_accountants import beside_the_truth, where_too_low
from par_core.questions.composition.exact_count import (
    FEW,
    LARGEST_LEVEL,
    MOST,
    SMALLEST_LEVEL,
    ExactCount,
    ExactCountAnswer,
    can_have,
    is_bound,
    noise_of,
    usual_epsilon0,
)
from par_core.questions.composition.numbers_at import NumbersAt
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.questions.scenario_blocks import each_by_itself, only_laplace
from par_core.rounding import small
from par_core.scenario import Scenario

AS_DRAWN = ("basic", "advanced", "at_risk", "at_risk_as_drawn")
_PRINTED = ("basic", "advanced", "at_risk_as_drawn")  # the curves of the figure
_EVERY = 300  # up to here every number of releases is drawn, beyond it about so many of them
_POINTS = 160
_AT_ONCE = 100  # releases that are counted at all stops of a dial


@dataclass(frozen=True, repr=False)
class Accountants(Question):
    """How much privacy do many releases of one level spend together, exactly and by each accountant?"""

    drawn_epsilon0: float | None = None  # of each release; None: that of the scenario, where it can be composed
    largest: int | None = None  # number of releases; None: those of the scenario, of few a few more
    drawn_delta: float | None = None  # of all together; None: that of the scenario
    accountants: tuple[str, ...] = AS_DRAWN
    drawn_k: int | None = None  # of the published curves; None: that of the scenario
    axes: Literal["plain", "log"] = "plain"
    numbers_at: tuple[int, ...] | None = None  # in the table; None: one, those of the scenario, and the largest
    paper_only: bool = False

    def __post_init__(self) -> None:
        must_be_possible(self.scenario)
        check_number("drawn_epsilon0", self.level_of_each, at_least=SMALLEST_LEVEL, at_most=LARGEST_LEVEL)
        check_integer("largest", self.upto, at_least=1, at_most=MOST)
        check_number("drawn_delta", self.delta_of_all, above=0.0, at_most=0.5)
        for key in self.accountants:
            check_choice("accountants", key, ACCOUNTANTS)
        for number in self.numbers_at or ():
            check_integer("numbers_at", number, at_least=1, at_most=MOST)

    @property
    def level_of_each(self) -> float:
        """The level of each release."""
        return usual_epsilon0(self.scenario) if self.drawn_epsilon0 is None else self.drawn_epsilon0

    @property
    def upto(self) -> int:
        """The largest number of releases."""
        return usual_releases(self.scenario) if self.largest is None else self.largest

    @property
    def delta_of_all(self) -> float:
        """The δ of all releases together."""
        return self.scenario.delta if self.drawn_delta is None else self.drawn_delta

    @property
    def dimension(self) -> int:
        """The dimension of the published curves."""
        return self.scenario.k if self.drawn_k is None else self.drawn_k

    @property
    def drawn(self) -> tuple[str, ...]:
        """The keys of the accountants that hold for the scenario's mechanism, of those that are asked for."""
        held = holding(self.scenario.release)
        return tuple(key for key in self.accountants if key in held)

    @property
    def own_is_drawn(self) -> bool:
        """Whether the scenario's own releases lie on the curves."""
        own, drawn = self.scenario, (self.level_of_each, self.delta_of_all)
        return own.releases <= self.upto and (own.epsilon0, own.delta) == drawn

    @property
    def dials(self) -> tuple[str, ...]:
        # Many releases take too long to be counted at every stop.
        quick = self.upto <= (_AT_ONCE if self.scenario.as_published else FEW)
        return ("drawn_epsilon0", "scenario.epsilon0") if quick else ()

    def count(self) -> ExactCount:
        """Return what has to be counted for the curves."""
        numbers = _spread(self.upto, every=self.scenario.as_published)
        return ExactCount(noise_of(self.scenario, self.level_of_each), numbers, self.delta_of_all)

    def own(self) -> ExactCount:
        """Return what has to be counted for the scenario's own releases."""
        scenario, count = self.scenario, self.count()
        if self.own_is_drawn and scenario.releases in count.numbers:
            return count
        return ExactCount(noise_of(scenario, scenario.epsilon0), (scenario.releases,), scenario.delta)

    def needs(self) -> tuple[Question, ...]:
        counts = dict.fromkeys((self.count(), *[self.own()] * can_be_composed(self.scenario)))
        return tuple(each for each in counts if each.long)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> AccountantsAnswer:
        own = of(self.own()).at((self.scenario.releases,)) if can_be_composed(self.scenario) else None
        return AccountantsAnswer(self, of(self.count()), own)


@dataclass(frozen=True)
class AccountantsAnswer(Answer):
    """What is spent at each number of releases, and by the scenario's own releases where they can be counted."""

    question: Accountants
    count: ExactCountAnswer
    own: ExactCountAnswer | None

    @cached_property
    def compared(self) -> Comparison:
        """The accountants over the truth."""
        return self.count.compared(self.question.drawn, self.question.dimension)

    @cached_property
    def stretches(self) -> dict[str, tuple[TooLow, ...]]:
        """Where accountants claim too little, by their keys."""
        return {
            each.accountant.key: self._too_low(each.accountant.key) for each in self.compared.curves if not each.holds
        }

    def _too_low(self, key: str) -> tuple[TooLow, ...]:
        def look(numbers: tuple[int, ...]) -> Comparison:
            return replace(self.count.question, numbers=numbers).answer().compared((key,), self.question.dimension)

        return too_low(self.compared, key, look=look)

    @property
    def place(self) -> int:
        """The place, among those that are drawn, of the number of releases that the answer is about.

        It is that of the scenario, or the largest once another largest one is asked for.
        """
        asked = self.question
        follows = asked.own_is_drawn and asked.upto == usual_releases(asked.scenario)
        return asked.count().numbers.index(asked.scenario.releases if follows else asked.upto)

    def numbers(self) -> dict[str, Quantity]:
        exact = {"all_releases": self.compared.exact.quantity("upper", self.place)}
        return exact | {each.accountant.key: each.quantity("epsilon", self.place) for each in self.compared.curves}

    def story(self) -> Iterator[Block]:
        asked, compared, at = self.question, self.compared, self.place
        yield self._headline()
        yield Sentence(
            "That is (ε, δ)-DP with δ\u00a0=\u00a0{delta}, by "
            f"{'a bound on the' if is_bound(compared.exact, at) else 'the exact'} privacy loss distribution.",
            delta=small(compared.delta),
            evidence_from=compared.exact,
            term="spent",
        )
        yield self._chart()
        yield beside_the_truth(compared, at, mechanism=self.count.mechanism, k=asked.dimension)
        if not asked.own_is_drawn:
            yield self._own_words()
        # Curves that leave the picture so early that they can hardly be seen.
        most = compared.epsilon0 * float(compared.releases[-1])
        if gone := [short_name(each.accountant.key) for each in compared.curves if float(each.epsilon[0]) > most]:
            yield Note(f"Left out, as it lies above basic composition everywhere: {'; '.join(gone)}.")
        yield from each_by_itself(asked.scenario)
        yield from only_laplace("RDP and the paper's accountants are", asked.scenario)
        yield from where_too_low(compared, self.stretches)
        yield from self._table()
        yield Formulas("accountants", formulas.of(asked.drawn))

    def _headline(self) -> Headline:
        compared, at = self.compared, self.place
        number = int(compared.releases[at])
        spend = "{number:,} releases together, each with {epsilon0:level0}, spend"
        if number == 1:
            spend = "One release with {epsilon0:level0} spends"
        most = " at most" * is_bound(compared.exact, at)
        values: dict[str, Any] = {"number": number} if number > 1 else {}
        spent = compared.exact.quantity("upper", at)
        return Headline(f"{spend}{most} ε = {{spent}}", epsilon0=compared.epsilon0, spent=spent, bare=True, **values)

    def _chart(self) -> Chart:
        compared = self.compared
        kind = "at most" if compared.exact.is_bound else "exact"
        others = "".join(
            f"; {short_name(each.accountant.key)} {format_quantity(each.quantity('epsilon', -1))}"
            for each in compared.curves
        )
        return Chart(
            "privacy_spent",
            self._drawn,
            Words(
                "Privacy spent against the number of releases, ε₀ = {compared.epsilon0:g}, δ = {delta}. At "
                f"{{compared.releases[-1]:,}}: {kind} {{compared.exact.upper[-1]}}{others}.",
                compared=compared,
                delta=small(compared.delta),
            ),
            f"Figure 5 of Privacy at Risk; {'bound' if compared.exact.is_bound else 'exact'}: {compared.exact.source}",
            notes={f"source, {short_name(each.accountant.key)}": each.source for each in compared.curves},
        )

    def _drawn(self) -> Drawing:
        asked, own = self.question, self.own if self.question.own_is_drawn else None
        keys = [key for key in asked.drawn if not asked.paper_only or key in _PRINTED]
        drawing = figures.accountants(
            self.count.compared(keys, asked.dimension),
            axes=asked.axes,
            own=(asked.scenario.releases, own.found.quantity("upper", 0)) if own else None,
            k=asked.dimension,
            too_low=self.stretches,
        )
        return style.as_printed(drawing, also=[short_name(key) for key in _PRINTED]) if asked.paper_only else drawing

    def _own_words(self) -> Note:
        """Say what the reader's own releases come to, which do not belong to the curves."""
        mine, own = self.question.scenario, self.own
        if own is None:
            return Note(
                "Your scenario ({mine.epsilon0:level0}, {mine.releases:,} releases) lies outside of what is drawn here: "
                f"ε₀ from {small(SMALLEST_LEVEL)} to {LARGEST_LEVEL:g}, up to {MOST:,} releases.",
                mine=mine,
            )
        many = "releases" if mine.releases > 1 else "release"
        return Note(
            f"Your own scenario is another one: {{mine.releases:,}} {many} with {{mine.epsilon0:level0}} and δ\u00a0=\u00a0{{delta}}, "
            f"which spend{'s' * (mine.releases == 1)} ε = {{own.upper[0]}}.",
            mine=mine,
            delta=small(mine.delta),
            own=own.found,
            bare=True,
        )

    def _table(self) -> Iterator[Block]:
        asked = self.question
        numbers = usual_numbers(asked.scenario) if asked.numbers_at is None else tuple(sorted({*asked.numbers_at}))
        yield Heading("The numbers")
        yield Own("numbers_at")
        if numbers:
            count = self.count.question
            yield Part(NumbersAt(count.scenario, numbers, count.delta, asked.drawn, asked.dimension, count.numbers))
        else:
            yield Missing("Add a number of releases to see what each accountant says there.")


def can_be_composed(scenario: Scenario) -> bool:
    """Return whether the releases of a scenario can be counted here."""
    return can_have(scenario.epsilon0) and scenario.releases <= MOST


def usual_releases(scenario: Scenario) -> int:
    """Return up to how many releases are drawn, unless others are asked for: one release or two make no curve."""
    return min(max(scenario.releases, FEW), MOST)


def usual_numbers(scenario: Scenario) -> tuple[int, ...]:
    """Return at which numbers of releases the table is, unless others are asked for."""
    return tuple(sorted({1, min(scenario.releases, MOST), usual_releases(scenario)}))


def _spread(largest: int, *, every: bool) -> tuple[int, ...]:
    """Return the numbers of releases to draw: all of a few, else closer together where the curves bend."""
    if largest <= (_EVERY if every else FEW):
        return tuple(range(1, largest + 1))
    points, steps = (_POINTS, 40) if every else (FEW, FEW)
    bent = (round(largest ** (each / points)) for each in range(points + 1))
    even = (round(largest * each / steps) for each in range(1, steps + 1))
    return tuple(sorted({*bent, *even}))
