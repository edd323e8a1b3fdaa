"""Columns that a link asks for and the open table does not have: what is shown in their place, and a sentence that says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.sample_planner.tables import TABLE, preset
from pages.shared.amount_fields import AmountSettings
from pages.shared.settings import Setting, Value
from pages.shared.uploads import is_own
from pages.shared.words import literal
from par_core.tables.table import Table

_ASKED = "_planner_columns_asked"  # in the session: what a link asked for, with what is shown instead, by setting


def mend(setting: Setting[Value], of: Callable[[Value], Value]) -> Value:
    """Put what the open built-in table has of a value in its place, as `_put_instead` does; returns what then stands there."""
    if (mended := of(setting.value())) != setting.value():
        _put_instead(setting, mended)
    return mended


def _put_instead(setting: Setting[Any], value: object) -> None:
    """Put a value in the place of one with columns that the open built-in table does not have.

    If a link asked for that with this very table, it is noted. A reader who changes the table knows; and a copied link holds the
    defaults of fields that were never looked at.
    """
    asked, raw = setting.write(setting.value()), st.query_params
    by_link = raw.get(setting.key) == asked and raw.get(TABLE.key, TABLE.default) == TABLE.value()
    if by_link and setting.value() != setting.default:
        st.session_state.setdefault(_ASKED, {})[setting.held] = (asked, TABLE.value(), setting.write(value))
    setting.put(value)


def say(setting: Setting[Any]) -> None:
    """Say what a link asked for and what is shown instead, until the reader changes it."""
    noted = st.session_state.get(_ASKED, {})
    asked, *shown = noted.get(setting.held, ("",))
    if shown == [TABLE.value(), setting.write(setting.value())]:
        instead = f"Shown instead: {literal(shown[1])}" if shown[1] else "It is left out"
        st.info(f"The link asks for {setting.label} = {literal(asked)}, which this table does not have. {instead}.")
    else:
        noted.pop(setting.held, None)


def follow(table: Table, amount: AmountSettings) -> bool:
    """After a change of the built-in table, take column and bounds of its preset: those of another do not hold.

    Returns whether that was so.
    """
    if is_own(table):
        return False
    other = amount.of.value() not in table.frame
    if other:
        target = preset(table)
        _put_instead(amount.of, target.target)
        amount.put(target.target, *target.target_bounds)
    say(amount.of)
    return other
