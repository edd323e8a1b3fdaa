"""The tables that sensitivities are sampled from: which one is open, and its rows without missing values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import controls, settings
from pages.shared.settings import Setting
from pages.shared.table_fields import UnreadyError, column_of
from pages.shared.uploads import Builtin, choose_table, is_own, source
from par_core.datasets import Dataset, census2000, household_heads
from par_core.regression import CENSUS_2000, HOUSEHOLD_HEADS, RidgePreset

if TYPE_CHECKING:
    import pandas as pd

    from par_core.tables.table import Table

_MAKERS: dict[str, Callable[[], Dataset]] = {"census2000": census2000, "household_heads": household_heads}
_PRESETS = {"census2000": CENSUS_2000, "household_heads": HOUSEHOLD_HEADS}
_LABELS = {"census2000": "US Census 2000", "household_heads": "Household heads (synthetic)"}


@cache
def dataset(slug: str) -> Dataset:
    """Return a built-in data set by its name in addresses."""
    return _MAKERS[slug]()


def _frame(slug: str) -> pd.DataFrame:
    return dataset(slug).table


BUILTIN = tuple(Builtin(slug, label, partial(_frame, slug)) for slug, label in _LABELS.items())
TABLE = source("stable", BUILTIN)
DROP = settings.switch("sdrop", "Leave out rows with missing values")


@dataclass(frozen=True)
class Population:
    """The rows that pairs are drawn from, and what they depend on."""

    table: Table
    frame: pd.DataFrame
    key: tuple[object, ...]

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.frame)


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    with st.expander("Table: built in, or your own file", expanded=TABLE.value() != TABLE.default, key="planner_data"):
        table = choose_table(TABLE, BUILTIN)
        if not is_own(table):
            st.caption(f"{built_in(table).note} Source: {built_in(table).source}.")
    return table


def built_in(table: Table) -> Dataset:
    """Return the data set behind a built-in table."""
    return dataset(table.digest.rpartition(":")[2])


def preset(table: Table) -> RidgePreset:
    """Return what is predicted from what in a built-in table unless the reader chooses otherwise."""
    return _PRESETS[table.digest.rpartition(":")[2]]


def public_bounds(table: Table) -> dict[str, tuple[float, float]]:
    """Return the publicly known bounds of the columns of a table; of the reader's own none are known."""
    return {} if is_own(table) else dict(built_in(table).bounds)


def unit(table: Table, column: str) -> str:
    """Return the unit of a column in words; "" where none is known, as of the reader's own."""
    return "" if is_own(table) else built_in(table).units.get(column, "")


def public_categories(table: Table) -> dict[str, tuple[str | int, ...]]:
    """Return the publicly known lists of values of the columns of a table; of the reader's own none are known."""
    return {} if is_own(table) else dict(built_in(table).categories)


def column(key: str, label: str, default: str, *, numbers: bool = False) -> Setting[str]:
    """Return the setting that holds a column of one of the built-in tables."""

    def known() -> list[str]:
        return [name for slug in _MAKERS for name in columns_of(slug, numbers=numbers)]

    return column_of(key, label, default, known=known)


def columns_of(slug: str, *, numbers: bool) -> list[str]:
    """Return the names of the columns of a built-in table, all of them or those of numbers with public bounds."""
    data = dataset(slug)
    return [name for name in data.table if not numbers or name in data.bounds]


def column_names() -> set[str]:
    """Return the names of all columns of the built-in tables: the only ones that a link may hold."""
    return {name for slug in _MAKERS for name in columns_of(slug, numbers=False)}


def population(table: Table, used: Sequence[str]) -> Population:
    """Count missing values in the columns that are used, and leave their rows out if the reader says so.

    UnreadyError as long as the reader has not.
    """
    missing = {column.name: column.missing for column in table.columns if column.name in used and column.missing}
    key: tuple[object, ...] = (table.digest, tuple(used))
    if not missing:
        return Population(table, table.frame, key)
    drop = controls.switch(
        DROP, hint="Only in the columns that the query uses. Who answers and who does not may differ."
    )
    kept = table.frame.dropna(subset=list(missing))
    lost = table.rows - len(kept)
    counted = f"{lost:,} of {table.rows:,} rows lack a value in a column that the query uses"
    if not drop:
        raise UnreadyError(f"{counted}. They are left out only if you say so: switch it on beside the query.")
    if kept.empty:
        raise UnreadyError(f"{counted}: nothing is left.")
    st.caption(f"{counted} and are left out.")
    return Population(table, kept, (*key, "kept"))
