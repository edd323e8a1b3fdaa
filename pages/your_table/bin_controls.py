"""The controls of a histogram: the column and the edges of its bins, which are public or typed and never read off the table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from pages.shared import controls
from pages.shared.error_reports import UnreadyError
from pages.shared.settings import put_all
from pages.shared.table_fields import columns_with, forget, held_name, select_likely, typed, typed_number
from pages.shared.uploads import is_own, public
from pages.your_table import query_settings as fields
from pages.your_table.row_controls import choose_where
from par_core.queries import Histogram, edges_between
from par_core.queries.typed import edges_of
from par_core.questions.glossary import explain
from par_core.tables.table import Table

_BINS_WORDS = {"width": "One width", "own": "My own edges"}
_MOST_SUGGESTED = 12  # bins


def choose_histogram(table: Table) -> Histogram:
    """Draw the column and the bins; UnreadyError while bins are missing, ParameterError for those that cannot be used."""
    options = columns_with(table, "number")
    if not is_own(table):
        options = [name for name in options if name in public(table).bounds]
    suggest = partial(_suggest, table)
    column = select_likely(fields.BINNED, table, options, hint=explain("query"), on_change=suggest)
    choose = {"width": _choose_width, "own": _choose_edges}
    edges = choose[controls.choice(fields.BINS, hint=explain("bins"), words=_BINS_WORDS.__getitem__)](table)
    st.caption("Choose publicly known bins. Bins read off the table give part of it away, and ε₀ does not cover that.")
    where = choose_where(table)
    return Histogram(column, edges(), where)


def _choose_width(table: Table) -> Callable[[], tuple[float, ...]]:
    """Draw the lowest edge, the highest one and the width; returns what makes edges of them."""
    if is_own(table):
        typed_ends = [typed_number(each, hint=explain("bins")) for each in fields.BINS_OWN]
    else:
        typed_ends = [controls.number(each, hint=explain("bins")) for each in fields.BINS_BUILTIN]

    def edges() -> tuple[float, ...]:
        lowest, highest, width = typed_ends
        if lowest is None or highest is None or width is None:
            raise UnreadyError("Type the lowest and the highest edge and the width of a bin, all publicly known.")
        return edges_between(lowest, highest, width)

    return edges


def _choose_edges(table: Table) -> Callable[[], tuple[float, ...]]:
    """Draw the list of edges; returns what reads it."""
    text = typed(fields.EDGES, table, area=True, hint=explain("bins"))

    def edges() -> tuple[float, ...]:
        if len(found := edges_of(text.splitlines())) < 2:
            raise UnreadyError("Type the publicly known edges of the bins, rising, one per line: two at least.")
        return found

    return edges


def _suggest(table: Table) -> None:
    """Put bins between the public bounds of the column that was just chosen; those of another column do not fit."""
    if is_own(table):
        forget((*fields.BINS_OWN, fields.EDGES))
        return
    low, high = public(table).bounds[st.session_state[held_name(fields.BINNED, table)]]
    put_all(dict(zip(fields.BINS_BUILTIN, (low, high, _round_width(high - low)), strict=True)))


def _round_width(span: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that goes into a span, with few bins."""
    widths = (lead * 10.0**power for power in range(-3, 12) for lead in (1, 2, 5))
    return next((each for each in widths if span / each <= _MOST_SUGGESTED and (span / each).is_integer()), span)
