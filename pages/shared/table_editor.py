"""A table that is edited cell by cell and carried in links; the setting holds the rows that can be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared.settings import Setting

if TYPE_CHECKING:
    import pandas as pd


def table_editor(
    setting: Setting[Any], frame: Callable[[Any], pd.DataFrame], *, columns: Mapping[str, Any], alt: str
) -> pd.DataFrame:
    """Draw the editor and return what stands in it; `frame` makes the table of a value, `columns` are set up as Streamlit says.

    It begins anew when a link or a button has set the table, and otherwise keeps what is being typed.
    """
    session = st.session_state
    base, seen, raw, round_ = (f"_{setting.held}_{part}" for part in ("base", "seen", "raw", "round"))
    present = setting.value()
    if session.get(seen) != present:
        session[base] = frame(present)
        session[seen], session[round_] = present, session.get(round_, 0) + 1
    elif f"{setting.held}_editor_{session[round_]}" not in session:  # another tab or page was open
        session[base] = session[raw].reset_index(drop=True)
    session[raw] = st.data_editor(
        session[base],
        key=f"{setting.held}_editor_{session[round_]}",
        num_rows="dynamic",
        hide_index=True,
        column_config=dict(columns),
        alt=alt,
    )
    edited: pd.DataFrame = session[raw]
    return edited


def keep(setting: Setting[Any], usable: Any) -> None:
    """Set the rows that can be used, without beginning the editor anew."""
    if usable != setting.value():
        setting.put(usable)
        st.session_state[f"_{setting.held}_seen"] = usable
