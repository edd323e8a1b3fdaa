"""The tables that sensitivities are sampled from: which one is open, and its rows without missing values."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.shared import controls, settings
from pages.shared.error_reports import UnreadyError
from pages.shared.uploads import Builtin, choose_table, is_own, public, source
from par_core.questions.sample_planner.table_sample import BUILT_IN, PRESETS, dataset
from par_core.regression import RidgePreset
from par_core.sampling import PairQuery
from par_core.tables.table import Table

BUILTIN = tuple(Builtin(name, label, partial(dataset, name)) for name, label in BUILT_IN.items())
TABLE = source("stable", BUILTIN)
DROP = settings.switch("sdrop", "Leave out rows with missing values")


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    return choose_table(TABLE, BUILTIN, "Table: built in, or your own file", key="planner_data", caption=_caption)


def _caption(table: Table) -> str:
    return "" if is_own(table) else f"{public(table).note} Source: {public(table).source}."


def preset(table: Table) -> RidgePreset:
    """Return what is predicted from what in a built-in table unless the reader chooses otherwise."""
    return PRESETS[_name_of(table)]


def _name_of(table: Table) -> str:
    return table.digest.rpartition(":")[2]


def fields_of(table: Table, query: PairQuery) -> dict[str, Any]:
    """Count missing values in the columns that are used, and leave their rows out if the reader says so.

    Returns the fields of a `TableSample`; UnreadyError as long as the reader has not.
    """
    chosen = {"query": query, **({"own": table} if is_own(table) else {"table": _name_of(table)})}
    missing = [column.name for column in table.columns if column.name in query.used_columns and column.missing]
    if not missing:
        return chosen
    drop = controls.switch(
        DROP, hint="Only in the columns that the query uses. Who answers and who does not may differ."
    )
    lacking = int(table.frame[missing].isna().any(axis=1).sum())
    counted = f"{lacking:,} of {table.rows:,} rows lack a value in a column that the query uses"
    if not drop:
        raise UnreadyError(f"{counted}. They are left out only if you say so: switch it on beside the query.")
    if lacking == table.rows:
        raise UnreadyError(f"{counted}: nothing is left.")
    st.caption(f"{counted} and are left out.")
    return {**chosen, "drop": True}
