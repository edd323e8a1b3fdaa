"""From the error that will do to the ε₀ that it takes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity, quantity_of
from par_core.export.sentences import level0
from par_core.figures import your_table as figures
from par_core.figures.quantities import as_told
from par_core.mechanisms import NOISES
from par_core.parameters import check_number
from par_core.progress import Progress
from par_core.queries import MeanQuery
from par_core.queries.quantile_shape import AFTER_MOVING
from par_core.queries.sensitivity import AS_MANY
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Notice, Sentence, Unreachable, Words
from par_core.questions.question import Ask, anew, takes
from par_core.questions.scenario_blocks import use_epsilon0
from par_core.questions.your_table import formulas, query_words
from par_core.questions.your_table.table_question import TableAnswer, TableQuestion
from par_core.release import Measure, epsilon0_for_release
from par_core.rounding import amount, small
from par_core.scenario import FIELDS, HARDLY_PRIVATE, Scenario

Measured = Literal["each", "all", "total", "average"]
_MEASURES = {"each": Measure.RANGE95, "all": Measure.ALL95, "total": Measure.TOTAL95, "average": Measure.EXPECTED}


@dataclass(frozen=True, repr=False)
class Epsilon0ForError(TableQuestion):
    """Which ε₀ keeps the published numbers of a table as close to the truth as they are wanted?"""

    wanted: float = 10.0  # the largest error that will do, in the unit of the number
    measure: Measured = "each"  # of which error: each number's, of all at once, of their total, or each on average

    @property
    def given(self) -> dict[str, str]:
        return {**super().given, "Wanted error": amount(self.wanted, 6)}

    def __post_init__(self) -> None:
        check_number("wanted", self.wanted, above=0.0)
        if self.measure == "total" and isinstance(self.query, MeanQuery) and self.query.k > 1:
            raise ParameterError(f"the {self.query.asks.noun}s of groups have no total: choose another error")

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Epsilon0ForErrorAnswer:
        found = self.found(of)
        of_any = self.moved("scenario.epsilon0", Scenario.epsilon0)
        if of_any != self:  # what is needed is the same at every level of the scenario: a dial of it finds nothing anew
            known = of(of_any)
            return Epsilon0ForErrorAnswer(**found, needed=known.needed, why=known.why)
        planned = found["planned"]
        try:
            needed = quantity_of(
                epsilon0_for_release,
                self.wanted,
                planned,
                statistics=self.scenario.statistics,
                measure=_MEASURES[self.measure],
                rows=found["rows"],
                size=self.guess if planned.is_pair else None,
                digits=15,
            )
        except InfeasibleError as error:
            return Epsilon0ForErrorAnswer(**found, needed=None, why=str(error))
        return Epsilon0ForErrorAnswer(**found, needed=needed)


@dataclass(frozen=True)
class Epsilon0ForErrorAnswer(TableAnswer):
    """The plan at the scenario, and the ε₀ that is needed, or why there is none."""

    question: Epsilon0ForError
    needed: Quantity | None
    why: str = ""

    def numbers(self) -> dict[str, Quantity]:
        return {"epsilon0": self.needed} if self.needed else {}

    def story(self) -> Iterator[Block]:
        wanted, curves, level = self.question.wanted, self.curves, as_told(self.needed) if self.needed else None
        if self.question.scenario.mechanism not in NOISES and not self.planned.is_selection:
            yield Notice(query_words.replaced(self.planned, self.question.scenario))
        if level is None:
            yield Unreachable("{why}", why=self.why)
        else:
            yield from self._needed(level)
        yield Chart(
            "epsilon0_for_error",
            lambda: figures.error_against_epsilon0(curves, unit=self.question.unit, wanted=wanted, found=level),
            Words(
                query_words.against_epsilon0(self.planned) + ", with the wanted error {wanted:g}{needs}.",
                wanted=wanted,
                needs="" if level is None else f", which takes ε₀ = {level:g}",
            ),
            curves.source,
            notes={"standing": curves.evidence.basis.value},
            stays=self.waits,
        )
        if self.needed and level is not None:
            yield from self._beyond(self.needed, level)
        yield Formulas("your_table_inverse", formulas.of(self.planned))

    def _needed(self, level: float) -> Iterator[Block]:
        """Say which ε₀ keeps the wish, and what it costs."""
        asked, planned = self.question, self.planned
        kept = query_words.wished(planned, asked, wanted=asked.wanted, measure=asked.measure)
        yield Headline(f"{level0(level)} keeps {kept}")
        enough = "That is enough"
        if planned.is_pair:
            enough += f" if {query_words.guessed(asked)}"
        if planned.assumes_as_many:
            enough += f" if {AS_MANY}"
        if planned.norm == "L2":
            enough += f", at δ\u00a0=\u00a0{small(planned.delta)}"
        cost = "a larger one costs more privacy"
        if level > HARDLY_PRIVATE:
            cost = "but with so large an ε₀ **hardly anyone is protected**"
        then = []
        if left_out := query_words.left_out(self):
            then.append(f"Before any {'choice' if planned.is_selection else 'noise'}, {left_out}.")
        if planned.is_selection:
            then.append(f"Rows are {AFTER_MOVING}.")
        yield Sentence(
            f"{enough}; {cost}.", evidence_from=planned, then=" ".join([*then, query_words.missing(self)]).strip()
        )

    def _beyond(self, needed: Quantity, level: float) -> Iterator[Block]:
        """Say what the ε₀ is for and where it is too large, and propose it."""
        scenario, statistics = self.question.scenario, self.question.scenario.statistics
        if statistics > 1:
            share = "share it equally" if self.planned.norm == "L1" else "together"
            yield Sentence(f"That is for the whole release: {statistics:,} statistics {share}.")
        if level > HARDLY_PRIVATE:
            yield Sentence("To protect people, ask for less accuracy or publish fewer numbers.")
        if not takes("epsilon0", level):
            field = next(each for each in FIELDS if each.name == "epsilon0")
            yield Sentence(f"A scenario takes ε₀ from {field.at_least:g} to {field.at_most:g} only.")
        if self.adopted:  # else Decide could not speak of it
            yield from use_epsilon0(needed, scenario, query=self.adopted)
