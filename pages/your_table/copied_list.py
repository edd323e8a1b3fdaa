"""A list of categories that is copied from the file, and so reveals what occurs in it."""

import pandas as pd
import streamlit as st

from pages.shared.table_fields import categories_in
from par_core.errors import ParameterError
from par_core.queries import dates_as_text
from par_core.tables.table import MOST_CATEGORIES, Table

REVEALS = (
    "Copied from the file: this list tells everyone which values occur in it, and noise does not undo that. Replace it "
    "with a list that is known without the file."
)

KNOWN = "known without the file, says the user"


def is_still(text: str, copied: str, kind: str) -> bool:
    """Return whether a list holds the categories that were copied: blanks and another order reveal no less."""
    try:
        return bool(copied) and set(categories_in(text, kind)) == set(categories_in(copied, kind))
    except ParameterError:  # of a text that is refused anyway, or of what was copied of a column of another kind
        return False


def take(name: str, table: Table, column: str) -> None:
    """In a callback: put the categories of a column into the field of this name."""
    cells = table.frame[column].dropna()
    values = pd.unique(dates_as_text(cells, 10)) if table.kind(column) == "date" else cells.unique()
    if len(values) > MOST_CATEGORIES:
        st.session_state[f"{name}_refused"] = f"The column holds more than {MOST_CATEGORIES:,} different values."
        return
    text = "\n".join(_written(value) for value in sorted(values.tolist()))
    st.session_state[name] = st.session_state[f"{name}_taken"] = text
    st.session_state.pop(f"{name}_known", None)


def say_known(name: str) -> None:
    """In a callback: take the reader's word that the list in the field of this name needed no file."""
    if taken := st.session_state.pop(f"{name}_taken", ""):  # a second click may come late
        st.session_state[f"{name}_known"] = taken


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
