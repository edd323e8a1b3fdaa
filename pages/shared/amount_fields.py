"""The fields of a column of numbers with the bounds that its values are moved into; bounds are never read off the table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from pages.shared import controls
from pages.shared.settings import Setting, put_all
from pages.shared.table_fields import Hanging, columns_with, forget, held_name, select_likely, typed_number
from pages.shared.uploads import is_own, public
from par_core.questions.glossary import explain
from par_core.tables.table import Table


@dataclass(frozen=True)
class AmountSettings:
    """The column and its bounds on a page: of a built-in table with values from the start, of an upload empty ones."""

    of: Setting[str]
    lower: Setting[float]
    upper: Setting[float]
    lower_own: Setting[float | None]
    upper_own: Setting[float | None]
    others: tuple[Setting[Any], ...] = ()  # that make no sense without the column either

    @property
    def hanging(self) -> Hanging:
        """The settings that make no sense without the column, for `table_fields.forget`."""
        return self.of, (self.lower_own, self.upper_own, *self.others)

    def put(self, column: str, lower: float, upper: float) -> None:
        """Set a column of a built-in table with its bounds."""
        put_all({self.of: column, self.lower: lower, self.upper: upper})


def choose_amount(table: Table, of: AmountSettings, *, hint: str) -> tuple[str, float | None, float | None]:
    """Draw the fields; returns the column and its bounds, None for what the reader has not typed.

    Of a built-in table only the columns with public bounds are offered: without bounds of its own, those of another would stay.
    """
    options, bounds = columns_with(table, "number"), public(table).bounds
    if not is_own(table):
        options = [name for name in options if name in bounds]
        if of.of.value() not in options:
            of.put(options[0], *bounds[options[0]])
    column = select_likely(of.of, table, options, hint=hint, on_change=partial(_suggest, table, of))
    if is_own(table):
        lower = typed_number(of.lower_own, hint=explain("bounds"))
        upper = typed_number(of.upper_own, hint=explain("bounds"))
    else:
        lower = controls.number(of.lower, hint=explain("bounds"))
        upper = controls.number(of.upper, hint=explain("bounds"))
        low, high = bounds[column]
        if (low, high) != (lower, upper):
            controls.button(f"Public bounds: {low:g} to {high:g}", of.put, column, low, high)
    st.caption("Give bounds that are publicly known. They are never read off the table.")
    return column, lower, upper


def _suggest(table: Table, of: AmountSettings) -> None:
    """Put the public bounds of the column that was just chosen; what was typed for another column does not hold."""
    if is_own(table):
        forget(of.hanging[1])
    else:
        column = st.session_state[held_name(of.of, table)]
        of.put(column, *public(table).bounds[column])
