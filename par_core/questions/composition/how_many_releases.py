"""How many releases a target allows, and which level each of a planned number may have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from par_core.composition import ACCOUNTANTS, WithinTarget, epsilon0_for, holding, most_releases
from par_core.composition.within_target import EXACT, largest_proven, releases_within
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.figures import composition as figures
from par_core.old_names import by_old_name
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Sentence, Words
from par_core.questions.composition import formulas
from par_core.questions.composition.exact_count import SMALLEST_LEVEL, must_be_composed, noise_of
from par_core.questions.composition.exact_within_target import ExactWithinTarget, ExactWithinTargetAnswer, within
from par_core.questions.composition.within_target_table import Row, within_target_table
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.questions.scenario_blocks import each_by_itself, only_laplace, use_epsilon0
from par_core.rounding import amount, small
from par_core.scenario import HARDLY_PRIVATE

_IN_ORDER = sorted(ACCOUNTANTS, key=lambda key: bool(ACCOUNTANTS[key].claim))  # the proven ones first
_LAST_STOP = 10.0  # of the dial
_AT_ONCE = 40  # releases of this level add up to the last stop of the dial, where it is followed: more take too long


@dataclass(frozen=True, repr=False)
class HowManyReleases(Question):
    """How many releases of the scenario can be made within a target, and at which level as many as are planned?"""

    target: float = 3.0  # ε′ of all together, at the δ of the scenario

    def __post_init__(self) -> None:
        must_be_composed(self.scenario)
        must_be_possible(self.scenario)
        check_number("target", self.target, above=0.0)

    @property
    def accountants(self) -> tuple[str, ...]:
        """The keys of the accountants that hold for the scenario's mechanism."""
        held = holding(self.scenario.release)
        # At delta/n basic composition is not at one level.
        return tuple(key for key in _IN_ORDER if key in held) if len(held) > 1 else ()

    @property
    def dials(self) -> tuple[str, ...]:
        few = max(self.target, _LAST_STOP) / self.scenario.epsilon0 * self.scenario.by_statistic[1] <= _AT_ONCE
        return ("target",) if few and self.scenario.as_published else ()

    def exact(self) -> ExactWithinTarget:
        """Return what has to be counted exactly."""
        scenario = self.scenario
        noise = noise_of(scenario, scenario.epsilon0)
        return ExactWithinTarget(replace(noise, releases=scenario.releases, delta=scenario.delta), self.target)

    def needs(self) -> tuple[Question, ...]:
        return (self.exact(),)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> HowManyReleasesAnswer:
        scenario = self.scenario
        most = partial(most_releases, epsilon=self.target, delta=scenario.delta, k=scenario.k)
        return HowManyReleasesAnswer(
            self, of(self.exact()), tuple(most(key, scenario.epsilon0) for key in self.accountants)
        )

    def along(self, path: str, values: Sequence[float]) -> Mapping[float, Answer]:
        if path != "target":
            return {}
        scenario = self.scenario
        plans = partial(releases_within, epsilons=values, delta=scenario.delta, k=scenario.k)
        others = (plans(key, scenario.epsilon0) for key in self.accountants)
        found = zip(within(self.exact().scenario, values), *others, strict=True)
        moved = [self.moved(path, value) for value in values]
        return {
            each.target: HowManyReleasesAnswer(each, ExactWithinTargetAnswer(each.exact(), exact), tuple(quick))
            for each, (exact, *quick) in zip(moved, found, strict=True)
        }


@dataclass(frozen=True)
class HowManyReleasesAnswer(Answer):
    """What the exact count allows, as far as it is known, and how many releases each accountant does, in their order."""

    question: HowManyReleases
    exact: ExactWithinTargetAnswer
    quick: tuple[WithinTarget, ...]

    @cached_property
    def levels(self) -> tuple[WithinTarget | None, ...]:
        """The level of each planned release by each accountant; None where one cannot take so many, or meets the target at no level."""
        return tuple(map(self._level, self.question.accountants))

    def _level(self, key: str) -> WithinTarget | None:
        asked = self.question
        scenario = asked.scenario
        try:
            return epsilon0_for(key, scenario.releases, epsilon=asked.target, delta=scenario.delta, k=scenario.k)
        except (InfeasibleError, ParameterError):
            return None

    @property
    def by_releases(self) -> list[WithinTarget]:
        """What is allowed, as a number of releases."""
        return [*([self.exact.releases] if self.exact.releases else []), *self.quick]

    @property
    def by_level(self) -> list[WithinTarget]:
        """What is allowed, as a level for each planned release."""
        return [within for within in (self.exact.level, *self.levels) if within is not None]

    @property
    def best(self) -> WithinTarget | None:
        """The exact count; until it is there, or beyond where it stops, the best of the proven ones, which is on the safe side."""
        return largest_proven(self.by_releases, by="releases")

    def numbers(self) -> dict[str, Quantity]:
        level = largest_proven(self.by_level, by="epsilon0")
        found = {"releases": self.best.quantity("releases")} if self.best else {}
        return found | ({"epsilon0_of_each_planned": level.quantity("epsilon0")} if level else {})

    def story(self) -> Iterator[Block]:
        if self.best is not None:
            yield from self._fit(self.best)
            yield self._bars(self.by_releases, "releases")
            yield from self._limits(self.best)
        yield from self._level_words()
        if self.by_level:
            yield self._bars(self.by_level, "level")
        if self.question.scenario.as_published:
            yield self._too_many()
        yield from each_by_itself(self.question.scenario)
        yield from only_laplace("RDP and the paper's accountants are", self.question.scenario)
        yield from self._table()
        yield Formulas("plan", formulas.WITHIN_TARGET)

    def _fit(self, best: WithinTarget) -> Iterator[Block]:
        asked, number = self.question, best.releases
        if number:
            stopped = best.at_limit or (self.exact.releases is not None and self.exact.releases.at_limit)
            what = f"make {number:,} release{'s' * (number != 1)}{' or more' * stopped}"
            yield Headline(f"You can {what} within ε′\u00a0=\u00a0{amount(asked.target, 4)}")
        else:
            yield Headline(f"You cannot make even one release within ε′\u00a0=\u00a0{amount(asked.target, 4)}")
        if number > 1:
            fits = "With {epsilon0:level0} each, they stay within the target together"
        else:
            fits = (
                "With {epsilon0:level0} it stays within the target"
                if number
                else "One release with {epsilon0:level0} spends more"
            )
        words = f"{fits} (δ\u00a0=\u00a0{small(asked.scenario.delta)})."
        yield Sentence(words, epsilon0=asked.scenario.epsilon0, evidence_from=best, claims=())

    def _limits(self, best: WithinTarget) -> Iterator[Block]:
        """Say what the answer leaves out: whole numbers, what the exact count cannot tell, and a target that hardly protects."""
        sentences, exact = [], self.exact.releases
        counts = self._whole_numbers or best
        values: dict[str, Any] = {}
        # Noise on whole numbers gives away as much as any of its level, which is "optimal pure".
        if self.question.scenario.as_published and not counts.at_limit and counts.releases < best.releases:
            sentences.append(
                "Noise on whole numbers spends more: only **{counts}** counts fit if a person moves each by 1."
            )
            values["counts"] = counts.quantity("releases")
        if exact is None:
            sentences.append("The exact count is still running and may allow a few more.")
        elif exact.at_limit:
            by = f"; the number above is that of “{figures.counted_by_name(best)}”, which is proven too" * (
                best is not exact
            )
            sentences.append(f"The exact count stops at {exact.releases:,} releases{by}.")
        if self.question.target > HARDLY_PRIVATE:
            sentences.append("With such a target next to nothing is protected.")
        if sentences:
            yield Sentence(" ".join(sentences), claims=(), **values)

    @property
    def _whole_numbers(self) -> WithinTarget | None:
        """How many releases of noise on whole numbers fit: as many as of any of its level, each statistic by itself."""
        found = next((each for each in self.quick if each.key == "optimal_pure"), None)
        asked, (each, times) = self.question, self.question.scenario.by_statistic
        if found is None or times == 1:
            return found
        level, delta = float(each.largest_loss), asked.scenario.delta
        alone = most_releases("optimal_pure", level, epsilon=asked.target, delta=delta)
        return replace(alone, releases=alone.releases // times)

    def _level_words(self) -> Iterator[Block]:
        scenario, within = self.question.scenario, largest_proven(self.by_level, by="epsilon0")
        number = scenario.releases
        if within is not None:
            each = "The one planned release" if number == 1 else f"Each of the **{number:,}** planned releases"
            yield Sentence(
                f"{each} may use ε₀ up to **{{within.epsilon0}}**{' or more' * within.at_limit}.", within=within
            )
            yield from use_epsilon0(within.quantity("epsilon0"), scenario)
        elif self.exact.whole:
            many = f"{number:,} release{'s' * (number != 1)}"
            least = f"No ε₀ down to {small(SMALLEST_LEVEL)}, where the search stops, is small enough for"
            yield Sentence(f"{least} {many} within this target.")

    def _bars(self, found: list[WithinTarget], what: figures.What) -> Chart:
        """Return the picture of what is allowed; that of the releases follows the dial."""
        asked = self.question
        delta, planned = asked.scenario.delta, asked.scenario.releases
        allowed = [f"{figures.allowed(within, what=what)}{' or more' * within.at_limit}" for within in found]
        sizes = "; ".join(
            f"{figures.counted_by_name(within)} {size}" for within, size in zip(found, allowed, strict=True)
        )
        words = "Largest number of releases" if what == "releases" else f"Largest ε₀ of each of {planned:,} releases"
        return Chart(
            "releases_allowed" if what == "releases" else "level_allowed",
            lambda: figures.allowed_bars(found, what=what),
            Words(f"{words} within ε′ = {asked.target:g} and δ = {small(delta)}: {sizes}."),
            "",
            table=lambda: figures.within_target_table(self.by_releases, self.by_level),
            notes={"target": f"epsilon {asked.target!r}, delta {delta!r}"},
            stays=what == "level",
        )

    def _table(self) -> Iterator[Block]:
        exact = Row(EXACT, self.exact.releases, self.exact.level)
        others = map(Row, self.question.accountants, self.quick, self.levels)
        yield from within_target_table(
            [exact, *others], planned=self.question.scenario.releases, whole=self.exact.whole
        )

    def _too_many(self) -> Sentence:
        exact, k = self.exact.releases, self.question.scenario.k
        safe, spends = (
            ("proven to be safe", "may spend") if exact is not None and exact.at_limit else ("safe", "spends")
        )
        hatched = f"A hatched one **allows more than is {safe}**: it {spends} more than the target."
        dimension = "" if k == 1 else f", for the k = {k:,} of your scenario"
        claims = tuple(each.claim for each in ACCOUNTANTS.values() if each.claim)
        return Sentence(f"The amber bars are claims of the paper{dimension}. {hatched}", claims=claims)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(
        __name__, {"ReleasePlan": "HowManyReleases", "ReleasePlanAnswer": "HowManyReleasesAnswer"}
    )
