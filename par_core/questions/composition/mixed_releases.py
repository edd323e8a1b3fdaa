"""Releases at different levels: what they spend together, and what is left of a target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from par_core.composition import ExactComposition, RunningCount, added_up, as_typed, releases_in, running
from par_core.evidence import Quantity
from par_core.export.sentences import level0
from par_core.figures import composition as figures
from par_core.figures.quantities import format_quantity
from par_core.parameters import check_number
from par_core.plan import PlanScenario
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Meter, Missing, Note, Sentence, Words
from par_core.questions.composition import formulas
from par_core.questions.composition.exact_count import must_be_composed, noise_of
from par_core.questions.composition.levels import Rows, check, planned
from par_core.questions.composition.mixed_count import MixedCount, MixedCountAnswer
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.questions.scenario_blocks import only_laplace
from par_core.rounding import amount, small
from par_core.scenario import HARDLY_PRIVATE, Scenario

_APART = Decimal("0.001")  # ends of the exact count that differ by a larger share are both named


@dataclass(frozen=True, repr=False)
class MixedReleases(Question):
    """What do releases at different levels spend together, and do they fit into a target?"""

    releases: Rows | None = None  # levels with how many releases have each; None: those that the scenario plans
    target: float = 3.0  # ε′ of all together, at the δ of the scenario
    without: str = ""  # in words, what of the reader's table does not count

    dials = ()

    @property
    def given(self) -> dict[str, str]:
        return {
            **super().given,
            "Releases": ", ".join(f"{number:,.0f} of {level0(level)}" for level, number in self.counted),
        }

    @property
    def unread(self) -> tuple[str, ...]:
        return ("epsilon0", "k", "sensitivity", "rows_per_person", "releases")

    def __post_init__(self) -> None:
        if self.releases is None and not self.is_plan:
            must_be_composed(self.scenario)
        must_be_possible(self.scenario)
        check_number("target", self.target, above=0.0)
        if self.counted:
            check(self.counted)

    @property
    def counted(self) -> Rows:
        """The releases that count."""
        return planned(self.scenario) if self.releases is None else self.releases

    def count(self) -> MixedCount:
        """Return what has to be counted exactly."""
        scenario = self.scenario
        if self.is_plan:
            return MixedCount(scenario, self.counted)
        alone = scenario.alone() or Scenario(delta=scenario.delta)  # the noise of a list is that of one release
        noise = noise_of(alone, Scenario.epsilon0)  # the levels are those of the list
        return MixedCount(replace(noise, delta=scenario.delta), self.counted)

    @property
    def is_plan(self) -> bool:
        """Whether the releases are those of a plan, each with noise of its own."""
        return self.releases is None and isinstance(self.scenario, PlanScenario)

    def needs(self) -> tuple[Question, ...]:
        return (self.count(),) if self.counted else ()

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> MixedReleasesAnswer:
        return MixedReleasesAnswer(self, of(self.count()) if self.counted else MixedCountAnswer(self.count(), ()))


class _Ends(NamedTuple):
    """Between what the exact count certainly lies."""

    lower: Decimal
    upper: Decimal

    @property
    def apart(self) -> bool:
        return self.upper - self.lower > _APART * self.upper


@dataclass(frozen=True)
class MixedReleasesAnswer(Answer):
    """What the first releases spend, after some of them and after all."""

    question: MixedReleases
    count: MixedCountAnswer

    @cached_property
    def exact(self) -> ExactComposition | None:
        """The exact count of all releases, once it is known."""
        return dict(self.count.found).get(self.number)

    @cached_property
    def number(self) -> int:
        """How many releases there are."""
        return releases_in(self.question.counted)

    @cached_property
    def added(self) -> Decimal:
        """What they come to by basic composition."""
        return self.count.question.added(self.number)

    @cached_property
    def ends(self) -> _Ends | None:
        """Between what the exact count certainly lies: never more than the sum as it was typed."""
        if self.exact is None:
            return None
        return _Ends(min(as_typed(self.exact.lower), self.added), min(as_typed(self.exact.upper), self.added))

    @cached_property
    def claimed(self) -> RunningCount | None:
        """Corollary 1 of the paper at each place that is drawn, where it is about these releases."""
        scenario = self.question.scenario.alone()
        if self.question.is_plan or scenario is None or not scenario.as_published:
            return None
        return running(self.question.counted, self._places, delta=scenario.delta, k=scenario.k)

    @property
    def _places(self) -> list[int]:
        return [place for place, _ in self.count.found] or sorted(self.count.question.places())

    @cached_property
    def spent(self) -> figures.Running:
        """What is drawn."""
        basic = [float(self.count.question.added(place)) for place in self._places]
        claimed, exact = self.claimed.published if self.claimed else None, [each for _, each in self.count.found]
        return figures.Running(self.question.scenario.delta, self.question.target, self._places, basic, claimed, exact)

    def numbers(self) -> dict[str, Quantity]:
        if not self.question.counted:
            return {}
        found = {"basic_composition": _at_most(self.added)}
        if self.ends is not None:
            found = {"all_releases": _at_most(self.ends.upper, self.added), **found}
        if self.claimed is not None:
            found["corollary_1"] = self._claim(self.claimed)
        return found

    def _claim(self, claimed: RunningCount) -> Quantity:
        holds = self.exact is not None and claimed.published[-1] >= self.exact.upper
        return replace(claimed.quantity("published", -1), holds=bool(holds))

    def story(self) -> Iterator[Block]:
        asked = self.question
        if not asked.counted:
            yield Missing("Add at least one release: its ε₀, and how many of its kind there are.")
            return
        without = f" ({asked.without})" * bool(asked.without)
        yield Headline(f"{self._verdict()}{without}")
        yield self._count_words()
        yield self._chart()
        yield from self._claim_words()
        yield self._meter("Basic composition", self.added)
        if self.ends is not None:
            yield self._meter("At most" if self.ends.apart else "Exact", self.ends.upper, self.added)
        words = "The order of the releases does not change what they spend in the end."
        if self.spent.claim_leaves:
            words += " Corollary 1 runs off the top of the picture, where it claims more than basic composition."
        yield Note(words)
        if asked.is_plan:
            yield Note(
                "A mean counts as two: its sum and its count. The paper's Corollary 1 does not cover such a list."
            )
        else:
            yield from only_laplace("Corollary 1 of the paper is", asked.scenario)
        yield Formulas("mixed", formulas.MIXED)

    def _verdict(self) -> str:
        """Return whether it fits, by the sum and by the exact count as far as that is known."""
        many, fit, do, spend = f"{self.number:,} releases", "fit", "do", "spend"
        if self.number == 1:
            many, fit, do, spend = "1 release", "fits", "does", "spends"
        ends, wanted = self.ends, as_typed(self.question.target)
        spent, budget = self.added if ends is None else ends.upper, f"ε = {_plain(wanted)}"
        if spent <= wanted:
            how = "by a closer bound" if ends is not None and ends.apart else "counted exactly"
            at_most = _at_most(spent, wanted, self.added)
            less = float(format_quantity(at_most).replace(",", "")) < float(f"{self.added:.10g}")
            exactly = f", {how}" if less else ""
            return f"{many} {fit}: {format_quantity(at_most)} of {_plain(wanted)} spent{exactly}"
        if ends is None:
            return f"{many} {spend} more than {budget} by basic composition"
        if ends.lower <= wanted:
            return f"{many} cannot be shown to fit: the exact count is too coarse for {budget}"
        return f"{many} {do} not fit: more than {budget} is spent"

    def _count_words(self) -> Sentence:
        ends = self.ends
        if ends is None:
            words = f"Basic composition gives ε = {_plain(self.added)}."
            return Sentence(words, evidence_from=added_up, term="spent")
        spent = f"ε from **{_at_least(ends.lower)}** to **{{upper}}**" if ends.apart else "**ε = {upper}**"
        return Sentence(
            f"{'A bound on the' if ends.apart else 'The exact'} privacy loss distribution gives {spent} at "
            f"δ\u00a0=\u00a0{small(self.question.scenario.delta)}, basic composition {amount(float(self.added), 4, toward='up')}.",
            upper=_at_most(ends.upper, self.added),
            term="spent",
        )

    def _chart(self) -> Chart:
        """Return the picture; what the counts come to in the end is told beside it, once it is known."""
        asked, end, values = self.question, "", dict[str, Any]()
        if self.ends is not None:
            between = f"{_at_least(self.ends.lower)} to " * self.ends.apart + format_quantity(
                _at_most(self.ends.upper, self.added)
            )
            end = f", {'in truth' if self.ends.apart else 'exact'} {between}"
            if self.claimed is not None:
                end, values = f"{end}, Corollary 1 {{claimed.published[-1]}}", {"claimed": self.claimed}
        return Chart(
            "privacy_spent_by_mixed_releases",
            lambda: figures.running(self.spent),
            Words(
                f"Privacy spent, release by release, with the target {asked.target:g}. After all {self.number:,}: basic composition "
                f"{format_quantity(_at_most(self.added))}{end}.",
                **values,
            ),
            "; ".join(each.source for each in formulas.MIXED),
            notes={"delta": repr(asked.scenario.delta), "target": repr(asked.target)},
        )

    def _claim_words(self) -> Iterator[Block]:
        sentences, values = [], dict[str, Any]()
        if self.exact is not None and self.claimed is not None:
            too_low = ", **less than is truly spent: no guarantee**" * bool(
                self.claimed.published[-1] < self.exact.lower
            )
            sentences.append(f"The paper's Corollary 1 claims {{claimed}}{too_low}.")
            values["claimed"] = self._claim(self.claimed)
        if (self.added if self.ends is None else self.ends.upper) > HARDLY_PRIVATE:
            sentences.append("At such an ε next to nothing is protected.")
        if sentences:
            yield Sentence(" ".join(sentences), claims=(formulas.COROLLARY_1,), **values)

    def _meter(self, name: str, spent: Decimal, *limits: Decimal) -> Meter:
        wanted = as_typed(self.question.target)
        left = wanted - spent
        rest = f"{_at_least(left)} left" if left >= 0 else f"{format_quantity(_at_most(-left))} too much"
        share = ExactComposition.as_quantity("of_target", float(spent / wanted))
        used = f"{format_quantity(_at_most(spent, wanted, *limits))} of {_plain(wanted)} ({format_quantity(share)})"
        return Meter(share.value, f"{name}: {used}, {rest}")


def _at_least(value: Decimal) -> str:
    return format_quantity(ExactComposition.as_quantity("lower", value))


def _at_most(value: Decimal, *limits: Decimal) -> Quantity:
    return ExactComposition.as_quantity("upper", float(value)).within(*map(float, limits))


def _plain(value: Decimal) -> str:
    return f"{float(value):,.10g}"
