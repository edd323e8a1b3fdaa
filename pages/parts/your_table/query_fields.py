"""The fields in which a reader chooses of a table; what is chosen of an upload stays in the session, under keys of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.parts.your_table.query_settings import (
    BY,
    BY2,
    CATEGORIES,
    CATEGORIES2,
    COMPARISON,
    LOWER_OWN,
    MOST_LETTERS,
    OF,
    PERSON,
    UPPER_OWN,
    VALUE,
    WHERE,
)
from pages.shared.settings import Setting
from pages.shared.uploads import is_own

if TYPE_CHECKING:
    from pages.shared.tables import Table

_OWN = "_own_table_"  # before the keys of what is chosen of an upload


def held_name(setting: Setting[str], table: Table) -> str:
    """Return the key of a choice in the session: of an upload it is one that no link knows."""
    return f"{_OWN}{setting.key}" if is_own(table) else setting.held


_HANGING: tuple[tuple[Setting[Any], tuple[Setting[Any], ...]], ...] = (
    (BY, (CATEGORIES,)),
    (BY2, (CATEGORIES2,)),
    (OF, ()),
    (WHERE, (COMPARISON, VALUE)),
    (PERSON, ()),
)


def forget_other(table: Table) -> None:
    """Drop what was chosen for another upload; what holds for this one too stays, as after a file has been repaired."""
    session = st.session_state
    if not is_own(table) or session.get("_own_digest") == table.digest:
        return
    before, present = session.get("_own_kinds", {}), {column.name: column.kind for column in table.columns}
    for setting, hanging in _HANGING:
        name = session.get(f"{_OWN}{setting.key}")
        if not name or (name in present and present[name] == before.get(name)):
            continue
        for each in (setting, *hanging):
            for ending in ("", "_taken", "_refused"):
                session.pop(f"{_OWN}{each.key}{ending}", None)
        if setting is OF:
            LOWER_OWN.put(None)
            UPPER_OWN.put(None)
    session["_own_digest"], session["_own_kinds"] = table.digest, present


def select(
    setting: Setting[str],
    table: Table,
    options: Sequence[str],
    *,
    hint: str,
    none: str = "",
    words: dict[str, str] | None = None,
    on_change: Callable[[], None] | None = None,
) -> str:
    name, session = held_name(setting, table), st.session_state
    if not is_own(table):
        setting.value()
    if session.get(name) not in options:
        session[name] = options[0]

    def shown(option: str) -> str:
        return (words or {}).get(option, option) or none

    st.selectbox(
        setting.label,
        options,
        format_func=shown,
        key=name,
        help=hint,
        on_change=on_change or "rerun",
        persist_state="session",
    )
    chosen: str = session[name]
    return chosen


def typed(setting: Setting[str], table: Table, *, hint: str, area: bool = False) -> str:
    name = held_name(setting, table)
    if is_own(table):
        st.session_state.setdefault(name, "")
    else:
        setting.value()
    # A list of the built-in table has to fit into a link.
    most = None if is_own(table) else MOST_LETTERS
    if area:
        st.text_area(setting.label, key=name, help=hint, height=160, max_chars=most, persist_state="session")
    else:
        st.text_input(setting.label, key=name, help=hint, max_chars=most, persist_state="session")
    text: str = st.session_state[name] or ""
    return text


def typed_number(setting: Setting[Any], *, hint: str, step: int | None = None) -> float | None:
    """Draw a field that is empty until the reader types a number; ParameterError for one that cannot be used."""
    setting.value()
    st.number_input(
        setting.label,
        value=None,
        step=step,
        format=None if step else "%.15g",
        key=setting.held,
        help=hint,
        placeholder="Type a number",
        persist_state="session",
    )
    value = setting.value()
    return None if value is None else setting.read(setting.write(value))  # the same rules as for a link
