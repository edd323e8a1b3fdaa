"""What the sections on a table ask in common: a query, whose rows are whose, and the plan for publishing the answer.

Of a table of the reader's own nothing is told on, nor is a text that somebody typed about the built-in one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass, replace
from enum import Enum
from functools import cache, cached_property
from typing import Any, Self

from par_core.datasets import census2000
from par_core.export.release_meaning import named
from par_core.export.sentences import counted
from par_core.lazy_pandas import pd
from par_core.plan import Release
from par_core.plan.named import COPIED
from par_core.progress import Progress
from par_core.queries import (
    AMOUNTS,
    Comparison,
    Condition,
    Count,
    CountBy,
    Histogram,
    Kept,
    MeanQuery,
    Over,
    PersonCounts,
    Quantile,
    Query,
    Share,
    TableAmount,
    edges_between,
)
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.release import ErrorCurves, PlannedRelease, cells, error_curves, plan_release, scenario_of
from par_core.scenario import Scenario
from par_core.tables.table import Table, of_frame

EXAMPLES: tuple[Query, ...] = (
    CountBy(("education",), (tuple(range(9, 17)),)),
    Count(Condition("age", Comparison.AT_LEAST, 50)),
    Histogram("age", edges_between(0, 100, 10)),
    *(kind("weekly_income", 0.0, 5000.0) for kind in AMOUNTS.values()),
    Share(Condition("age", Comparison.AT_LEAST, 50)),
    Quantile("weekly_income", 0.0, 5000.0, 20.0),
)
"""One query of each kind on the built-in table."""


@dataclass(frozen=True, repr=False)
class TableQuestion(Question):
    """What is asked about numbers that are to be published of a table: the built-in census, or one of the reader's own."""

    query: Query = EXAMPLES[0]
    person: str = ""  # the column that says whose row each is; none: each person has one
    over: Over = "truncate"  # what becomes of rows beyond the cap
    guess: int = 1000  # rows averaged, at least, where their number is private
    lists: str = "public list"  # where the categories come from
    own: Table | None = None  # in place of the built-in one
    for_audience: bool = False  # without private numbers

    @property
    def private(self) -> bool:
        return self.own is not None or not _public_texts().issuperset(_texts((self.query, self.person)))

    @property
    def public(self) -> Self:
        if not self.private:
            return self
        query = next(each for each in EXAMPLES if isinstance(self.query, type(each)))
        plain = TableQuestion
        return replace(self, query=query, person=plain.person, guess=plain.guess, lists=plain.lists, own=None)

    @property
    def dials(self) -> tuple[str, ...]:
        return ("scenario.epsilon0",)

    @property
    def given(self) -> dict[str, str]:
        cap = {"Person": self.person} if self.person else {}
        return {"Table": f"{self.table.name}, {counted(self.table.rows, 'row')}", "Query": named(self.query), **cap}

    @property
    def unread(self) -> tuple[str, ...]:
        return ("k", "sensitivity")

    def apart_from(self, path: str) -> str:
        # The code of a table of the reader's own does not tell it from another one like it.
        return super().apart_from(path) + (self.own.digest if self.own else "")

    @property
    def table(self) -> Table:
        """The table that is asked about."""
        return self.own or _census()

    @property
    def unit(self) -> str:
        """The unit of the errors, in words: but for quantiles that of the numbers."""
        if isinstance(self.query, TableAmount):
            return self.query.asks.unit(self.column_unit(self.query.column))
        if isinstance(self.query, Share):
            return "share of the rows, 0 to 1"
        if isinstance(self.query, Quantile):
            return "ranks"
        return "persons" if isinstance(self.query, PersonCounts) else "rows"

    def column_unit(self, column: str) -> str:
        """Return the unit of a column, in words."""
        return ({} if self.own else census2000().units).get(column, "that of the column")

    @property
    def copied(self) -> bool:
        """Whether a list of categories was copied from the table, which reveals it."""
        return COPIED in self.lists

    @property
    def capped(self) -> bool:
        """Whether further rows of a person are left out."""
        return bool(self.person) and self.over == "truncate"

    @property
    def rows_are_public(self) -> bool:
        """Whether a mean is divided by the number of rows, which then is public."""
        return isinstance(self.query, MeanQuery) and not self.query.is_pair(self.scenario.neighbours)

    @property
    def kept(self) -> KeptRows | None:
        """What the cap leaves of the table, where that plays a part."""
        if not self.person or not (self.rows_are_public or self.capped):
            return None
        # The rows that are kept depend on no query.
        query = self.query if isinstance(self.query, PersonCounts) else EXAMPLES[0]
        return KeptRows(self._cap, query, self.person, self.over, own=self.own, public_number=self.rows_are_public)

    @property
    def blanks(self) -> BlankRows | None:
        """How many rows without a value count, where some may."""
        query = self.query
        if not (isinstance(query, TableAmount) and query.takes_blanks and self.table.missing(query.column)):
            return None
        person = self.person if self.capped else ""  # else no rows are left out
        cap, any_bounds = self._cap if person else Scenario(), replace(query, lower=0.0, upper=1.0)
        return BlankRows(cap, any_bounds, person, own=self.own)

    @property
    def _cap(self) -> Scenario:
        return Scenario(rows_per_person=self.scenario.rows_per_person)  # of the scenario this alone has a part in it

    def needs(self) -> tuple[Question, ...]:
        return tuple(each for each in (self.kept, self.blanks) if each)

    def planned(self, rows: int) -> PlannedRelease:
        """Return the plan at the scenario, for a table of so many rows where their number is public."""
        scenario = self.scenario
        return plan_release(
            self.query,
            scenario.epsilon0,
            neighbours=scenario.neighbours,
            rows_per_person=scenario.rows_per_person,
            rows=rows,
            mechanism=scenario.mechanism,
            delta=scenario.delta,
            statistics=scenario.statistics,
        )

    def found(self, of: Ask) -> dict[str, Any]:
        """Return the fields of a `TableAnswer`."""
        kept = of(self.kept).kept if self.kept else None
        rows = kept.number if kept and self.rows_are_public else self.table.rows
        blanks = of(self.blanks).blanks if self.blanks else 0
        return {"question": self, "planned": self.planned(rows), "rows": rows, "kept": kept, "blanks": blanks}


@dataclass(frozen=True, repr=False)
class KeptRows(TableQuestion):
    """How many rows of a table does a cap leave, or of counts of persons how many cells?"""

    public_number: bool = False  # nothing can be told before it is known

    @property
    def long(self) -> str:
        return "Counting what is left out"

    def needs(self) -> tuple[Question, ...]:
        return ()

    @property
    def begun(self) -> Answer | None:
        return None if self.public_number else RowsAnswer(self)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> RowsAnswer:
        most, frame = self.scenario.rows_per_person, self.table.frame
        kept = self.query.kept(frame, person=self.person, rows_per_person=most, over=self.over, progress=progress)
        return RowsAnswer(self, kept)


@dataclass(frozen=True, repr=False)
class BlankRows(TableQuestion):
    """How many rows without a value does a sum or a mean count?"""

    @property
    def long(self) -> str:
        return "Counting rows without a value"

    def needs(self) -> tuple[Question, ...]:
        return ()

    @property
    def begun(self) -> Answer | None:
        return RowsAnswer(self)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> RowsAnswer:
        assert isinstance(self.query, TableAmount)
        most, person = self.scenario.rows_per_person, self.person or None
        number = self.query.blanks(self.table.frame, person=person, rows_per_person=most, progress=progress)
        return RowsAnswer(self, blanks=number)


@dataclass(frozen=True)
class RowsAnswer(Answer):
    """What was counted, once it is known."""

    question: TableQuestion
    kept: Kept | None = None
    blanks: int = 0


@dataclass(frozen=True)
class TableAnswer(Answer):
    """The plan; of the table the rows that it counts with, what the cap leaves, and how many rows without a value count: private."""

    question: TableQuestion
    planned: PlannedRelease
    rows: int
    kept: Kept | None
    blanks: int

    @property
    def for_others(self) -> Self:
        return replace(self, question=replace(self.question, for_audience=True))

    @property
    def size(self) -> float | None:
        """How many rows are averaged, where that has to be guessed."""
        return self.question.guess if self.planned.is_pair else None

    @cached_property
    def curves(self) -> ErrorCurves:
        """The error against ε₀."""
        scenario = self.question.scenario
        return error_curves(self.planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics, size=self.size)

    @cached_property
    def cells(self) -> pd.DataFrame:
        """The numbers that are published, with the ranges that they stay within."""
        return cells(self.planned, size=self.size)

    @property
    def release(self) -> Release:
        """What a plan says of it: no name, but the number of rows where a mean is divided by it, which makes that public."""
        asked, pair = self.question, self.planned.is_pair
        return Release(
            asked.query.shape,
            rows_per_person=self.planned.rows_per_person,
            rows=self.rows if asked.rows_are_public else None,
            size=asked.guess if pair else None,
            mechanism=self.planned.mechanism,
            times=asked.scenario.releases,
        )

    @property
    def waits(self) -> bool:
        """Whether something of the table is still being counted: no other answer is known then either."""
        return self.kept is None and self.question.kept is not None

    @property
    def adopted(self) -> Scenario | None:
        """The scenario that says the same as the plan, if there is one."""
        return scenario_of(self.planned, self.question.scenario)


@cache
def _census() -> Table:
    return of_frame("US Census 2000", census2000().table, digest="built-in:census2000")


@cache
def _public_texts() -> frozenset[str]:
    data = census2000()
    listed = (each for values in data.categories.values() for each in values if isinstance(each, str))
    return frozenset({"", *data.table, *listed})


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value that somebody may have typed."""
    if isinstance(value, str) and not isinstance(value, Enum):
        yield value
    elif is_dataclass(value):
        yield from _texts(tuple(vars(value).values()))
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)
