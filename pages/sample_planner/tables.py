"""The tables that sensitivities are sampled from: which one is open, and its rows without missing values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from pages.shared import controls, settings
from pages.shared.error_reports import UnreadyError
from pages.shared.uploads import Builtin, choose_table, is_own, public, source
from par_core.datasets import census2000, household_heads
from par_core.regression import CENSUS_2000, HOUSEHOLD_HEADS, RidgePreset
from par_core.tables.table import Table

BUILTIN = (
    Builtin("census2000", "US Census 2000", census2000),
    Builtin("household_heads", "Household heads (synthetic)", household_heads),
)
_PRESETS = {"census2000": CENSUS_2000, "household_heads": HOUSEHOLD_HEADS}
TABLE = source("stable", BUILTIN)
DROP = settings.switch("sdrop", "Leave out rows with missing values")


@dataclass(frozen=True)
class Population:
    """The rows that pairs are drawn from."""

    table: Table
    frame: pd.DataFrame
    key: tuple[object, ...]  # stands for both: what is kept of a job holds no table


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    with st.expander("Table: built in, or your own file", expanded=TABLE.value() != TABLE.default, key="planner_data"):
        table = choose_table(TABLE, BUILTIN)
        if not is_own(table):
            st.caption(f"{public(table).note} Source: {public(table).source}.")
    return table


def preset(table: Table) -> RidgePreset:
    """Return what is predicted from what in a built-in table unless the reader chooses otherwise."""
    return _PRESETS[table.digest.rpartition(":")[2]]


def population(table: Table, used: Sequence[str]) -> Population:
    """Count missing values in the columns that are used, and leave their rows out if the reader says so.

    UnreadyError as long as the reader has not.
    """
    missing = [column.name for column in table.columns if column.name in used and column.missing]
    key: tuple[object, ...] = (table.digest, tuple(used))
    if not missing:
        return Population(table, table.frame, key)
    drop = controls.switch(
        DROP, hint="Only in the columns that the query uses. Who answers and who does not may differ."
    )
    kept = table.frame.dropna(subset=missing)
    counted = f"{table.rows - len(kept):,} of {table.rows:,} rows lack a value in a column that the query uses"
    if not drop:
        raise UnreadyError(f"{counted}. They are left out only if you say so: switch it on beside the query.")
    if kept.empty:
        raise UnreadyError(f"{counted}: nothing is left.")
    st.caption(f"{counted} and are left out.")
    return Population(table, kept, (*key, "kept"))
