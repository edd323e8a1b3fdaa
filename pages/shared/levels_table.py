"""The table of releases at different levels: edited cell by cell, pasted or uploaded as text, and carried in links."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.rows_field import rows_field
from pages.shared.settings import Setting
from pages.shared.versioned import Rows
from pages.shared.versioned import rows as rows_of
from pages.shared.words import letters
from par_core.errors import ParameterError
from par_core.parameters import one, one_whole

if TYPE_CHECKING:
    import pandas as pd

SMALLEST, LARGEST = 1e-6, 50.0
MOST_ROWS, MOST_RELEASES = 60, 1_000_000
_LEVEL, _COUNT = "ε₀", "Count"


def setting(key: str, label: str, default: Rows) -> Setting[Rows]:
    """Return the setting: rows of a level and how many releases there are at it."""
    return rows_of(key, label, default, most=MOST_ROWS, check=check)


def check(rows: Rows) -> None:
    """Raise ParameterError for rows that cannot be composed, naming the row."""
    if not rows:
        raise ParameterError("the table must hold at least one release")
    for number, row in enumerate(rows, start=1):
        wrong = _wrong(*row)
        if wrong:
            raise ParameterError(f"row {number}: {wrong}")
    if sum(int(count) for _, count in rows) > MOST_RELEASES:
        raise ParameterError(f"the table must hold at most {MOST_RELEASES:,} releases in all")


def draw(table: Setting[Rows], *, hint: str) -> Rows:
    """Draw the table with what can be done to it; returns the rows that count, none if no row can be used.

    What cannot be used is named and stays in the table to be put right.
    """
    frame = _editor(table)
    usable, wrong = sort_out(frame)
    for sentence in wrong:
        st.error(letters(sentence))
    if usable:
        try:
            check(usable)
            _keep(table, usable)
        except ParameterError as error:
            st.error(f"{letters(str(error))}. The last table that could be used stays in force.")
            usable = table.value()
    with st.expander("Paste or upload a list", key=f"group_{table.held}_text", on_change="rerun") as group:
        if group.open:
            rows_field(table, hint=hint, lines="Each line: ε₀, then how many such releases.", height=120)
    return usable


def sort_out(frame: pd.DataFrame) -> tuple[Rows, list[str]]:
    """Return the rows of an edited table that can be used, and a sentence for each that cannot; empty rows are neither."""
    usable, wrong = [], []
    for number, (level, count) in enumerate(zip(frame[_LEVEL], frame[_COUNT], strict=True), start=1):
        cells = [math.nan if each is None else float(each) for each in (level, count)]
        if math.isnan(cells[0]):
            if not math.isnan(cells[1]) and len(frame) > 1:
                wrong.append(f"Row {number} has no ε₀ yet and is left out.")
            continue
        count_here = 1.0 if math.isnan(cells[1]) else cells[1]
        problem = _wrong(cells[0], count_here)
        if problem:
            wrong.append(f"Row {number} is left out: {problem}.")
        else:
            usable.append((cells[0], count_here))
    if len(usable) > MOST_ROWS:
        wrong.append(f"Only the first {MOST_ROWS} rows are used: a link has to hold them.")
    return tuple(usable[:MOST_ROWS]), wrong


def _wrong(level: float, count: float) -> str:
    try:
        one(_LEVEL, level, at_least=SMALLEST, at_most=LARGEST)
        one_whole(_COUNT, count, at_least=1, at_most=MOST_RELEASES)
    except ParameterError as error:
        return str(error)
    return ""


def _editor(table: Setting[Rows]) -> Any:
    """Draw the editor. It begins anew when a link or a button has set the table, and otherwise keeps what is being typed."""
    import pandas as pd

    session = st.session_state
    base, seen, raw, round_ = (f"_{table.held}_{part}" for part in ("base", "seen", "raw", "round"))
    present = table.value()
    if session.get(seen) != present:
        session[base] = pd.DataFrame(list(present), columns=[_LEVEL, _COUNT], dtype=float)
        session[seen], session[round_] = present, session.get(round_, 0) + 1
    elif f"{table.held}_editor_{session[round_]}" not in session:  # another tab or page was open
        session[base] = session[raw].reset_index(drop=True)
    session[raw] = st.data_editor(
        session[base],
        key=f"{table.held}_editor_{session[round_]}",
        num_rows="dynamic",
        hide_index=True,
        column_config={
            _LEVEL: st.column_config.NumberColumn(
                width="small", format="%.10g", help="The level that the noise of each is made for."
            ),
            _COUNT: st.column_config.NumberColumn(
                width="small", format="%d", default=1, help="How many releases at this level."
            ),
        },
        alt="The releases: the level of each, and how many there are.",
    )
    return session[raw]


def _keep(table: Setting[Rows], usable: Rows) -> None:
    if usable != table.value():
        table.put(usable)
        st.session_state[f"_{table.held}_seen"] = usable
