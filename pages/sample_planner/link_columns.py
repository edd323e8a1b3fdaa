"""Columns that a link asks for and the open table does not have: what is shown in their place, and a sentence that says so."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.sample_planner.tables import TABLE
from pages.shared.settings import Setting
from pages.shared.words import literal

_ASKED = "_planner_columns_asked"  # in the session: what a link asked for, with what is shown instead, by setting


def put_instead(setting: Setting[Any], value: object) -> None:
    """Put a value in the place of one with columns that the open built-in table does not have.

    If a link asked for that with this very table, it is noted. A reader who changes the table knows; and a copied link holds the
    defaults of fields that were never looked at.
    """
    asked = setting.write(setting.value())
    raw = st.query_params
    by_link = raw.get(setting.key) == asked and raw.get(TABLE.key, TABLE.default) == TABLE.value()
    if by_link and setting.value() != setting.default:
        st.session_state.setdefault(_ASKED, {})[setting.held] = (asked, TABLE.value(), setting.write(value))
    setting.put(value)


def say(*settings: Setting[Any]) -> None:
    """Say in one line each what a link asked for and what is shown instead, until the reader changes it."""
    noted = st.session_state.get(_ASKED, {})
    for setting in settings:
        if setting.held not in noted:
            continue
        asked, table, shown = noted[setting.held]
        if (table, shown) != (TABLE.value(), setting.write(setting.value())):
            del noted[setting.held]
            continue
        instead = f"Shown instead: {literal(shown)}" if shown else "It is left out"
        st.info(f"The link asks for {setting.label} = {literal(asked)}, which this table does not have. {instead}.")
