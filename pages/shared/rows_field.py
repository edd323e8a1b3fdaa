"""A field for a table of numbers: typed or pasted as lines of text, or taken from a small file.

A spreadsheet copies its cells as such lines. The last table that could be used stays in force while the reader types.
"""

from __future__ import annotations

import re

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.shared.packed_settings import VERSION, Rows
from pages.shared.settings import Setting
from pages.shared.words import letters
from par_core.deployment import settings as deployment
from par_core.errors import ParameterError
from par_core.scenario import exact_text, is_decimal

_LARGEST_FILE = 100_000  # bytes; a table of this kind has a few lines


def rows_field(
    setting: Setting[Rows], *, hint: str, lines: str, missing: tuple[float, ...] = (), height: int = 190
) -> Rows:
    """Draw the field and the upload below it; returns the table in force.

    `lines` says what one line holds; `missing` are the numbers that stand in for the last ones of a line that lacks them.
    """
    typed, in_force = f"_{setting.held}_typed", f"_{setting.held}_in_force"
    session = st.session_state
    present = setting.value()
    if session.get(in_force) != present or typed not in session:  # set by a link or a button, or for the first time
        session[typed] = as_text(present)
        session[in_force] = present

    def on_typed() -> None:
        session.pop(f"{typed}_file", None)
        try:
            setting.put(read(setting, session[typed], missing=missing))
            session[in_force] = setting.value()
        except ParameterError:
            return  # named below the field

    st.text_area(
        setting.label,
        key=typed,
        height=height,
        help=f"{hint} {lines} Paste from a spreadsheet or type; a point for decimals, nothing between thousands.",
        on_change=on_typed,
        persist_state="session",
    )
    try:
        if present or session[typed].strip():
            read(setting, session[typed], missing=missing)
    except ParameterError as error:
        st.error(f"{letters(str(error))}. The last table that could be used stays in force.")
    _upload(setting, typed, lines, missing=missing)
    return setting.value()


def read(setting: Setting[Rows], text: str, *, missing: tuple[float, ...] = ()) -> Rows:
    """Return the table that lines of text hold; a first line of names is passed over. ParameterError naming what is wrong.

    A line that lacks exactly as many numbers at its end as there are in `missing` is completed with those.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and not any(is_decimal(cell) for cell in _cells(lines[0])):
        lines = lines[1:]
    width = len(setting.default[0])
    rows = [_completed(line, missing, width=width) for line in lines]
    if not rows:
        raise ParameterError(f"{setting.label} must hold at least one row of numbers")
    # Through the form of the address, so that what is typed is held to the same rules as what a link asks for.
    cells = ("_".join(cell.replace("_", "?") for cell in row) for row in rows)
    return setting.read(" ".join([VERSION, *cells]))


def _cells(line: str) -> list[str]:
    return [cell for cell in re.split(r"[\s,;]+", line.strip()) if cell]


def _completed(line: str, missing: tuple[float, ...], *, width: int) -> list[str]:
    cells = _cells(line)
    # Where the first cell is the empty one, what follows is not the first number.
    from_the_first = not re.match(r" *[\t,;]", line)
    if missing and from_the_first and len(cells) == width - len(missing):
        cells += [exact_text(each) for each in missing]
    return cells


def as_text(rows: Rows) -> str:
    """Return a table as lines of text, which `read` takes."""
    return "\n".join(", ".join(exact_text(cell) for cell in row) for row in rows)


def _upload(setting: Setting[Rows], typed: str, lines: str, *, missing: tuple[float, ...]) -> None:
    if not deployment().uploads:
        return
    session, field, refused = st.session_state, f"{setting.held}_file", f"{typed}_file"

    def on_file() -> None:
        session.pop(refused, None)
        file = session[field]
        if not isinstance(file, UploadedFile):
            return
        try:
            if file.size > _LARGEST_FILE:
                raise ParameterError(f"the file must be at most {_LARGEST_FILE // 1000} kB")
            text = file.getvalue().decode("utf-8-sig")
            setting.put(read(setting, text, missing=missing))
            session[typed], session[f"_{setting.held}_in_force"] = as_text(setting.value()), setting.value()
        except UnicodeDecodeError:
            session[refused] = "the file must be text in UTF-8, such as CSV"
        except ParameterError as error:
            session[refused] = str(error)

    with st.expander("From a file", key=f"group_{field}", on_change="rerun") as group:
        if group.open:
            st.file_uploader("CSV or text", key=field, on_change=on_file, max_upload_size=1, help=lines)
            st.caption("Its numbers are put into the field above and travel in links.")
    if refused in session:
        st.error(f"The file is not used: {letters(session[refused])}. The table stays as it was.")
