"""The table of releases at different levels: edited cell by cell, pasted or uploaded as text, and carried in links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from pages.shared.packed_settings import Rows
from pages.shared.packed_settings import rows as rows_of
from pages.shared.rows_field import rows_field
from pages.shared.settings import Setting
from pages.shared.table_editor import keep, table_editor
from pages.shared.words import letters
from par_core.errors import ParameterError
from par_core.questions.composition.levels import check, wrong_with

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 60
MISSING = (1.0,)  # a pasted line without a count is one release
_LEVEL, _COUNT = "ε₀", "Count"


def setting(key: str, label: str, default: Rows) -> Setting[Rows]:
    """Return the setting: rows of a level and how many releases there are at it."""
    return rows_of(key, label, default, most=MOST_ROWS, check=_check)


def _check(rows: Rows) -> None:
    if rows:  # an emptied table is one
        check(rows)


class Drawn(NamedTuple):
    """The rows that count, none if no row can be used, and what of the table they are not, in words; none if they are all."""

    rows: Rows
    without: str


def draw(table: Setting[Rows], in_force: Rows, *, hint: str) -> Drawn:
    """Draw the table with what can be done to it; returns the rows that count: those `in_force` if the others are too many.

    What cannot be used is named and stays in the table to be put right.
    """
    frame = _editor(table)
    usable, wrong, left = sort_out(frame)
    without = _without(left)
    for sentence in wrong:
        st.error(letters(sentence))
    try:
        if usable:
            check(usable)
        keep(table, usable)
    except ParameterError as error:
        st.error(f"{letters(str(error))}. The last table that could be used stays in force.")
        usable, without = in_force, "by the last table that could be used"
    with st.expander("Paste or upload a list", key=f"group_{table.held}_text", on_change="rerun") as group:
        if group.open:
            lines = "Each line: ε₀, then how many such releases; a line without a number of them is one."
            rows_field(table, hint=hint, lines=lines, missing=MISSING, height=120)
    return Drawn(usable, without)


def sort_out(frame: pd.DataFrame) -> tuple[Rows, list[str], list[int]]:
    """Return the rows of an edited table that are used, a sentence for what is wrong, and the numbers of the others, from 1.

    Empty rows are passed over, and so is the count that waits for its level in a table of one row.
    """
    usable: list[tuple[int, tuple[float, float]]] = []
    wrong: list[str] = []
    left: list[int] = []
    cells = frame[[_LEVEL, _COUNT]].astype(object)
    for number, (level, count) in enumerate(cells.where(cells.notna(), None).itertuples(index=False), start=1):
        if level is None and (count is None or len(frame) == 1):
            continue
        problem = "has no ε₀ yet and is left out"
        if level is not None:
            row = (float(level), 1.0 if count is None else float(count))
            reason = wrong_with(*row)
            if not reason:
                usable.append((number, row))
                continue
            problem = f"is left out: {reason}"
        wrong.append(f"Row {number} {problem}.")
        left.append(number)
    if len(usable) > MOST_ROWS:
        wrong.append(f"Only the first {MOST_ROWS} rows are used: a link has to hold them.")
        left += [number for number, _ in usable[MOST_ROWS:]]
    return tuple(row for _, row in usable[:MOST_ROWS]), wrong, sorted(left)


def _without(numbers: list[int]) -> str:
    if not numbers:
        return ""
    *but_last, last = map(str, numbers)
    return f"without rows {', '.join(but_last)} and {last}" if but_last else f"without row {last}"


def _editor(table: Setting[Rows]) -> Any:
    import pandas as pd

    columns = {
        _LEVEL: st.column_config.NumberColumn(
            width="small", format="%.10g", help="The level that the noise of each is made for."
        ),
        _COUNT: st.column_config.NumberColumn(
            width="small", format="%d", default=1, help="How many releases at this level."
        ),
    }
    return table_editor(
        table,
        lambda rows: pd.DataFrame(list(rows), columns=[_LEVEL, _COUNT], dtype=float),
        columns=columns,
        alt="The releases: the level of each, and how many there are.",
    )
