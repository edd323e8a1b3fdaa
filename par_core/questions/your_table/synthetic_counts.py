"""Without a file, from the number of rows and of cells alone: what noise does to made-up counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from par_core.errors import InfeasibleError
from par_core.evidence import Quantity, quantity_of
from par_core.export.sentences import counted
from par_core.figures import synthetic as figures
from par_core.figures.quantities import as_told
from par_core.mechanisms import NOISES
from par_core.parameters import check_integer
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Note, Notice, Own, Sentence, Words
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.scenario_blocks import use_epsilon0
from par_core.questions.your_table import formulas, query_words
from par_core.release import SyntheticRelease, epsilon0_for_smallest, scenario_of, synthetic_counts
from par_core.release.synthetic import MOST_CELLS, MOST_ROWS
from par_core.scenario import HARDLY_PRIVATE, Scenario


@dataclass(frozen=True, repr=False)
class SyntheticCounts(Question):
    """What does noise do to counts by category, of which only the number of rows and of cells is known?"""

    rows: int = 1_000
    cells: int = 12
    seed: int = 1

    def __post_init__(self) -> None:
        check_integer("rows", self.rows, at_least=1, at_most=MOST_ROWS)
        check_integer("cells", self.cells, at_least=1, at_most=MOST_CELLS)

    @property
    def unread(self) -> tuple[str, ...]:
        return ("k", "sensitivity")

    @property
    def dials(self) -> tuple[str, ...]:
        return ("scenario.epsilon0",)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> SyntheticCountsAnswer:
        if self.scenario.mechanism not in NOISES:
            return SyntheticCountsAnswer(self)
        return SyntheticCountsAnswer(self, synthetic_counts(self.rows, self.cells, self.scenario, seed=self.seed))


@dataclass(frozen=True)
class SyntheticCountsAnswer(Answer):
    """Made-up counts and one release of them; nothing where the mechanism adds no noise to numbers."""

    question: SyntheticCounts
    synthetic: SyntheticRelease | None = None

    @property
    def adopted(self) -> Scenario | None:
        """The scenario whose release is that of these counts, if there is one."""
        return scenario_of(self.synthetic.planned, self.question.scenario) if self.synthetic else None

    def numbers(self) -> dict[str, Quantity]:
        found = self.synthetic
        names = ("each", *["right_from"] * bool(found.each)) if found else ()
        return {name: found.quantity(name) for name in names if found}

    def story(self) -> Iterator[Block]:
        found, scenario = self.synthetic, self.question.scenario
        if found is None:
            yield Notice(f"{query_words.adds_none(scenario.mechanism)}. Choose another mechanism in the sidebar.")
            yield Own("toy")
            return
        yield Headline(
            "With {rows} in {cells} {which} count is {within} in 95 of 100 releases",
            rows=counted(found.rows, "row"),
            cells=counted(found.cells, "cell"),
            which="the" if found.cells == 1 else "each",
            within=Words("within ±{found.each}", found=found).told() if found.each else "exact",
            term="range95",
        )
        yield Sentence("The counts are made up; the range holds whatever yours are.", evidence_from=found)
        yield Chart(
            "synthetic_counts",
            partial(figures.synthetic, found),
            Words(
                "Made-up counts with noise at ε₀ = {found.epsilon0:g}, each with its range of ±{found.each}.",
                found=found,
            ),
            found.source,
            table=partial(figures.synthetic_table, found),
            notes={"limits": found.limits},
        )
        if found.each:
            yield self._ranges(found)
            yield from self._smallest(found)
        yield Note(
            "Made up: a few large cells and many small ones, as when a stick breaks at random. One person’s rows may fall into any of "
            f"them. {query_words.of_scenario(found.planned, scenario, differs=None)}",
            term="sensitivity",
        )
        yield Formulas("only_counts", formulas.of(found.planned))

    def _ranges(self, found: SyntheticRelease) -> Block:
        """Say what holds of all counts at once, and how small a count is lost in the noise."""
        every = "All {found.cells:,} at once are within **±{found.every}** as often. " * (found.cells > 1)
        few = "**publish fewer cells**" if 2 * found.like_empty > found.cells else "lost in the noise"
        lost = f"{{found.like_empty:,}} of {{found.cells:,}} cells here cannot be told from an empty one: {few}."
        return Sentence(
            f"{every}In 95 of 100 releases an empty cell comes out as {{found.each}} at most. "
            f"{lost if found.like_empty else 'Every cell here is larger.'}",
            found=found,
        )

    def _smallest(self, found: SyntheticRelease) -> Iterator[Block]:
        """Say how small a count is right within a tenth, and which level makes the smallest one so."""
        values: dict[str, Any] = {"rows": counted(found.smallest, "row")} if found.smallest else {}
        smallest = (
            "The range is {found.relative} of the smallest cell here, {rows}."
            if found.smallest
            else "The smallest cell here is empty: there is nothing to be within 10 % of."
        )
        right = "Counts from **{found.right_from}** up are right within 10 % in 95 of 100 releases."
        yield Sentence(f"{right} {smallest}", found=found, term="wish_group", **values)
        if not found.smallest:
            return
        try:
            needed = quantity_of(epsilon0_for_smallest, found)
        except InfeasibleError as error:
            why = str(error)
            yield Sentence(f"{why[:1].upper()}{why[1:]}.")
            return
        too_large = as_told(needed) > HARDLY_PRIVATE
        but = ", but then **hardly anyone is protected**: publish fewer cells" * too_large
        yield Sentence(f"It takes **ε₀ = {{needed}}** to get that within 10 %{but}.", needed=needed)
        if self.adopted and not too_large:
            yield from use_epsilon0(needed, self.question.scenario, query=self.adopted)
        if self.adopted:
            yield Own("decide")
