"""What the sections on a table ask in common: a query, and which table: a built-in one, or one of the reader's own.

Of a table of the reader's own nothing is told on, nor is a text that somebody typed about a built-in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, Self

import pandas as pd

from par_core.datasets import Dataset
from par_core.export.sentences import counted, letters
from par_core.queries import Comparison, Condition
from par_core.questions.sample_planner.bounded import Bounded
from par_core.regression import CENSUS_2000, HOUSEHOLD_HEADS
from par_core.sampling import CountOf, HistogramOf, MeanOf, PairQuery, QuantileOf, RidgeOf, SumOf, VarianceOf
from par_core.tables.table import Table, of_frame

BuiltIn = Literal["census2000", "household_heads"]
BUILT_IN: Final[Mapping[BuiltIn, str]] = {
    "census2000": "US Census 2000",
    "household_heads": "Household heads (synthetic)",
}
PRESETS: Final = {"census2000": CENSUS_2000, "household_heads": HOUSEHOLD_HEADS}

REGRESSION: Final = RidgeOf(CENSUS_2000.target, CENSUS_2000.predictors, CENSUS_2000.target_bounds, coding="code")
_PAY: Final = CENSUS_2000.target, CENSUS_2000.target_bounds
EXAMPLES: Final[tuple[PairQuery, ...]] = (
    REGRESSION,
    MeanOf(*_PAY),
    QuantileOf(*_PAY, 0.5),
    VarianceOf(*_PAY),
    SumOf(*_PAY),
    CountOf(Condition("age", Comparison.AT_LEAST, 50)),
    HistogramOf("education", tuple(range(9, 17))),
)
"""One query of each kind on the first of the built-in tables."""


@dataclass(frozen=True, repr=False)
class TableSample(Bounded):
    """What is asked about a query on a table."""

    query: PairQuery = REGRESSION
    table: BuiltIn = "census2000"
    own: Table | None = None  # in place of the built-in one
    drop: bool = False  # rows without a value in a column that the query uses
    unnamed: bool = False  # no column of the reader's own is named

    @property
    def private(self) -> bool:
        known = (each for values in self.known.categories.values() for each in values)
        typed = {each for each in _typed(self.query) if isinstance(each, str)}
        return self.own is not None or not typed.issubset(known)

    @property
    def public(self) -> Self:
        if not self.private:
            return self
        query = next(each for each in EXAMPLES if isinstance(self.query, type(each)))
        return replace(self, query=query, table="census2000", own=None, drop=False)

    @property
    def given(self) -> Mapping[str, str]:
        table = f"{self.data.name}, {counted(self.data.rows, 'row')}"
        return {"Table": table, "Query": _in_full(self.query), **super().given}

    @property
    def data(self) -> Table:
        """The table that is asked about."""
        return self.own or _built_in(self.table)

    @property
    def known(self) -> Dataset:
        """What is publicly known of the table: of the reader's own nothing."""
        return _NOTHING if self.own else dataset(self.table)

    @property
    def frame(self) -> pd.DataFrame:
        """The rows that count."""
        missing = [each.name for each in self.data.columns if each.missing and each.name in self.query.used_columns]
        return self.data.frame.dropna(subset=missing) if self.drop and missing else self.data.frame

    @property
    def label(self) -> str:
        """What the query asks, for a sentence."""
        first = self.query.used_columns[0]
        return self.query.label.removesuffix(first) + self.name_of(first)

    def name_of(self, column: str) -> str:
        """Return a column for a sentence, of the reader's own so that Markdown shows it letter by letter."""
        if not self.own:
            return column
        return "one column" if self.unnamed else letters(column)


@cache
def dataset(name: BuiltIn) -> Dataset:
    """Return a built-in table with what is publicly known of it; it is read once."""
    return PRESETS[name].load()


@cache
def _built_in(name: BuiltIn) -> Table:
    return of_frame(BUILT_IN[name], dataset(name).table, digest=f"built-in:{name}")


_PARTS = {
    "predictors": "from",
    "target_bounds": "within",
    "bounds": "within",
    "at": "at",
    "penalty": "with λ =",
}
_NOTHING = Dataset("", pd.DataFrame(), "", "", "", {}, {})


def _in_full(query: PairQuery) -> str:
    """Return what a query asks, with all that it is asked with."""
    told, condition = [query.label], getattr(query, "condition", None)
    for name, before in _PARTS.items():
        if (value := getattr(query, name, None)) not in (None, False):
            values = value if isinstance(value, tuple) else (value,)
            told.append(f"{before} {', '.join(each if isinstance(each, str) else f'{each:g}' for each in values)}")
    return " ".join([*told, f"({condition.comparison} {condition.value})"] if condition else told)


def _typed(query: PairQuery) -> Iterable[object]:
    """Return what somebody may have typed of a query, beside numbers."""
    if isinstance(query, CountOf):
        value = query.condition.value
        return value if isinstance(value, tuple) else (value,)
    return (query.categories or ()) if isinstance(query, HistogramOf) else ()
