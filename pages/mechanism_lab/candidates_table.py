"""The table of candidates, each with a name, a utility and a prior weight: edited cell by cell, and carried in links."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import streamlit as st

from pages.shared.packed_settings import VERSION
from pages.shared.settings import Setting
from pages.shared.table_editor import keep, table_editor
from pages.shared.words import letters
from par_core.errors import ParameterError
from par_core.questions.mechanism_lab.choose_one import MOST_CANDIDATES, ChooseOne, wrong_with
from par_core.scenario import exact_text, is_decimal

if TYPE_CHECKING:
    import pandas as pd

Candidates = tuple[tuple[str, float, float], ...]

_COLUMNS = _NAME, _UTILITY, _WEIGHT = "Name", "Utility", "Weight"
_ROW, _CELL, _NONE = " ", "_", "none"


def _read(text: str) -> Candidates:
    if text == _NONE:
        return ()
    version, *rows = text.split(_ROW)
    if version != VERSION:
        raise ParameterError(f"the candidates must be of version {VERSION}, the only one known here, got {text[:40]!r}")
    if len(rows) > MOST_CANDIDATES:
        raise ParameterError(f"the candidates must be at most {MOST_CANDIDATES}, got {len(rows)}")
    return tuple(_row(number, row.split(_CELL)) for number, row in enumerate(rows, start=1))


def _row(number: int, cells: list[str]) -> tuple[str, float, float]:
    if len(cells) != len(_COLUMNS) or not all(is_decimal(cell) for cell in cells[1:]):
        raise ParameterError(f"candidate {number} must have a name, a utility and a weight, got {cells!r:.40}")
    row = (unquote(cells[0]), float(cells[1]), float(cells[2]))
    if wrong := wrong_with(*row):
        raise ParameterError(f"candidate {number}: {wrong}")
    return row


def _write(table: Candidates) -> str:
    rows = (
        _CELL.join((quote(name, safe="").replace(_CELL, "%5F"), exact_text(utility), exact_text(weight)))
        for name, utility, weight in table
    )
    return _ROW.join([VERSION, *rows]) if table else _NONE


TABLE: Setting[Candidates] = Setting(
    "lutab",
    "Candidates",
    (*zip(ChooseOne.candidates, ChooseOne.utilities, ChooseOne.weights, strict=True),),
    _read,
    _write,
    is_text=True,
)


def draw() -> Candidates:
    """Draw the table and return the candidates that count; what cannot be used is named and stays to be put right."""
    usable, wrong = sort_out(_editor())
    for sentence in wrong:
        st.error(letters(sentence))
    keep(TABLE, usable)
    return usable


def sort_out(frame: pd.DataFrame) -> tuple[Candidates, list[str]]:
    """Return the rows of an edited table that are used, and a sentence for each that is not; one without name and utility is empty."""
    usable: list[tuple[str, float, float]] = []
    wrong: list[str] = []
    cells = frame[list(_COLUMNS)].astype(object)
    for number, (name, utility, weight) in enumerate(cells.where(cells.notna(), None).itertuples(index=False), start=1):
        if name is None and utility is None:
            continue
        if name is None or utility is None:
            wrong.append(f"Row {number} has no {'name' if name is None else 'utility'} yet and is left out.")
            continue
        row = (str(name), float(utility), 1.0 if weight is None else float(weight))
        if problem := wrong_with(*row):
            wrong.append(f"Row {number} is left out: {problem}.")
        else:
            usable.append(row)
    if len(usable) > MOST_CANDIDATES:
        wrong.append(f"Only the first {MOST_CANDIDATES} candidates are used: a link has to hold them.")
    return tuple(usable[:MOST_CANDIDATES]), wrong


def _editor() -> Any:
    import pandas as pd

    def frame(table: Candidates) -> pd.DataFrame:
        kinds = {_NAME: str, _UTILITY: float, _WEIGHT: float}
        return pd.DataFrame(list(table), columns=list(_COLUMNS)).astype(kinds)

    columns = {
        _NAME: st.column_config.TextColumn(width=70, help="What may be chosen; names travel in links."),
        _UTILITY: st.column_config.NumberColumn(width=60, format="%.10g", help="How good it is: here, votes."),
        _WEIGHT: st.column_config.NumberColumn(
            width=60, format="%.10g", default=1.0, help="Its weight before any data are looked at; 1 for all is fair."
        ),
    }
    return table_editor(TABLE, frame, columns=columns, alt="The candidates: name, utility and weight of each.")
