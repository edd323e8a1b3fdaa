"""The table of a plan's cells with their ranges; beside them, only where the reader asks for it, the exact answer."""

from __future__ import annotations

import pyarrow as pa
import streamlit as st

from pages.shared.page import Section
from pages.your_table import exact_answer
from par_core import rounding
from par_core.questions.your_table.table_question import TableAnswer

_LONG_LABEL = 25
_SHORT = {
    "cell": "Cell",
    "off by on average": "Off on average",
    "within, 95 of 100": "Within, 95 of 100",
    "all at once within, 95 of 100": "Within, all at once",
}


def draw(_: Section, found: TableAnswer) -> None:
    """Draw the cells with their ranges and, only if the reader asks for it, what is private about them."""
    planned = found.planned
    st.markdown("### Cells and their ranges" if planned.query.k > 1 else "### The number and its range")
    answer = exact_answer.if_wanted(found.question)
    rows = found.cells.to_dict("records")[: planned.query.k]  # the total is in the sentence
    shown = [
        {
            short: row[long] if short == "Cell" else _off(row[long], ranks=planned.is_selection)
            for long, short in _SHORT.items()
            if planned.query.k > 1 or "all" not in short
        }
        for row in rows
    ]
    if answer is None:
        _draw_open(shown)
    else:
        exact_answer.draw(found, answer, shown)


def _off(value: float, *, ranks: bool) -> str:
    """Return an error as a cell shows it."""
    if ranks:
        return f"{rounding.error(value)} rank{'s' * (value != 1)}"
    return "exact" if value == 0 else rounding.error(value)


def _draw_open(shown: list[dict[str, str]]) -> None:
    """Draw what anybody may see, and take along as a file."""
    numbers = {name: st.column_config.TextColumn(alignment="right") for name in shown[0] if name != "Cell"}
    # Long labels must not push the numbers out of sight; the whole label shows when its cell is opened.
    too_long = any(len(row["Cell"]) > _LONG_LABEL for row in shown)
    labels = {"Cell": st.column_config.TextColumn(width="medium")} if too_long else {}
    st.dataframe(
        pa.Table.from_pylist(shown),  # of a list Streamlit would make a frame first
        hide_index=True,
        height="content" if len(shown) <= 12 else 420,
        column_config=labels | numbers,
        alt="The cells of the release and the ranges that their published numbers stay within.",
    )
