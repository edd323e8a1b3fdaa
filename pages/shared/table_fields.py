"""The fields in which a reader chooses of a table; what is chosen of an upload stays in the session, under keys of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.error_reports import UnreadyError
from pages.shared.scenario_sidebar import talk_is_on
from pages.shared.settings import Setting, drop_key, put_key
from pages.shared.uploads import Builtin, is_own, public
from pages.shared.words import as_sentence, letters
from par_core.errors import DataError, ParameterError
from par_core.queries import Category
from par_core.queries.typed import value_of
from par_core.tables.table import Table

Value = TypeVar("Value")

MOST_LETTERS = 2_000  # of a list in a link
_SHOWN, _LOOKED_AT, _LONGEST_SHOWN = 3, 1_000, 24  # texts, rows, letters
_LISTED = 10  # of the values on a public list
_OWN = "_own_table_"  # before the keys of what is chosen of an upload


def ask(main: DeltaGenerator, side: DeltaGenerator, draw: Callable[[], Value]) -> Value | None:
    """Draw controls in `side`; returns what they ask for, or None after `main` said what is missing or wrong."""
    with side:
        try:
            return draw()
        except UnreadyError as error:
            say, words = st.info, str(error)
        except (ParameterError, DataError) as error:
            say, words = st.error, as_sentence(str(error))
    with main:
        say(words)
    return None


def column_of(key: str, label: str, default: str, builtin: Sequence[Builtin], *, numbers: bool = False) -> Setting[str]:
    """Return the setting that holds a column of the built-in tables, or none where that is the default.

    Of `numbers` only those with public bounds. The link of an upload leaves it as it was.
    """

    def read(text: str) -> str:
        known = column_names(builtin, numbers=numbers)
        if text not in (*known, default):
            raise ParameterError(f"{label} must be one of {', '.join(known)}, got {text[:40]!r}")
        return text

    return Setting(key, label, default, read, str, is_text=True)


def column_names(builtin: Sequence[Builtin], *, numbers: bool = False) -> list[str]:
    """Return the names of the columns of built-in tables: the only ones that a link may hold."""
    tables = [each.table for each in builtin]
    return [name for table in tables for name in table.frame if not numbers or name in public(table).bounds]


def text_of(key: str, label: str, default: str) -> Setting[str]:
    """Return the setting that holds what is typed about a built-in table: it has to fit into a link."""

    def read(text: str) -> str:
        if len(text) > MOST_LETTERS:
            raise ParameterError(f"{label} must have at most {MOST_LETTERS} letters, got {len(text)}")
        return text

    return Setting(key, label, default, read, str, is_text=True)


def empty_of(key: str, like: Setting[Any]) -> Setting[Any]:
    """Return a setting like one of a built-in table, for an upload: nothing is given there until the reader types it."""
    return Setting(
        key,
        like.label,
        None,
        lambda text: like.read(text) if text else None,
        lambda value: "" if value is None else like.write(value),
        like.at_least,
        like.at_most,
        only_read=True,
    )


def held_name(setting: Setting[Any], table: Table) -> str:
    """Return the key of a choice in the session: of an upload it is one that no link knows."""
    return f"{_OWN}{setting.key}" if is_own(table) else setting.held


def for_table(setting: Setting[Value], table: Table) -> Setting[Value]:
    """Return a setting as it is chosen of this table: of an upload it is held under a key that no link knows."""
    return replace(setting, own_key=held_name(setting, table), in_links=False) if is_own(table) else setting


Hanging = tuple[Setting[Any], tuple[Setting[Any], ...]]


def forget(chosen: Sequence[Setting[Any]]) -> None:
    """Drop what was chosen or typed of an upload; only before its fields are drawn in a run, or in a callback."""
    for each in chosen:
        for ending in ("", "_taken", "_known", "_refused"):
            drop_key(f"{_OWN}{each.key}{ending}")
        if each.default is None:  # one of `empty_of`, which has its own key
            each.put(None)


def forget_other(table: Table, page: str, hanging: Sequence[Hanging]) -> None:
    """Drop what a page chose of another upload; what holds for this one too stays, as after a file has been repaired.

    `hanging` are the settings that hold a column, each with those that make no sense without it.
    """
    session, kept = st.session_state, f"_own_kinds_{page}"
    digest, before = session.get(kept, ("", {}))
    if not is_own(table) or digest == table.digest:
        return
    present = {column.name: column.kind for column in table.columns}
    for setting, others in hanging:
        name = session.get(f"{_OWN}{setting.key}")
        if name and (name not in present or present[name] != before.get(name)):
            forget((setting, *others))
    session[kept] = (table.digest, present)


def select(
    setting: Setting[str],
    table: Table,
    options: Sequence[str],
    *,
    hint: str,
    none: str = "",
    words: dict[str, str] | None = None,
    on_change: Callable[[], None] | None = None,
    guess: str | None = None,
) -> str:
    """Draw the choice of one of some options, at first a `guess` or the first; returns it."""
    name, session = held_name(setting, table), st.session_state
    if not is_own(table):
        setting.hold()
    if session.get(name) not in options:
        put_key(name, options[0] if guess is None else guess)

    st.selectbox(
        setting.label,
        options,
        format_func=lambda option: (words or {}).get(option, option) or none,
        key=name,
        help=hint,
        on_change=on_change or "rerun",
        persist_state="session",
    )
    chosen: str = session[name]
    return chosen


def select_likely(
    setting: Setting[str],
    table: Table,
    options: Sequence[str],
    *,
    hint: str,
    on_change: Callable[[], None] | None = None,
) -> str:
    """Draw the choice of the column that is published and show values of it; UnreadyError as long as there is none.

    Of an upload the first one is guessed that does not look like an identifier, texts before numbers.
    """
    guess = options[0]
    if is_own(table):
        by_kind = sorted(options, key=lambda name: table.kind(name) not in ("text", "true-false"))
        guess = next((name for name in by_kind if not table.is_identifier(name)), "")
    found = select(
        setting,
        table,
        options if guess else ["", *options],
        hint=hint,
        none="(choose a column)",
        on_change=on_change,
        guess=guess,
    )
    if not found:
        raise UnreadyError(
            f"Choose “{setting.label}”. None was picked: every column looks like an identifier, such as a name or the number of a person."
        )
    show_values(table, found)
    return found


def show_values(table: Table, column: str) -> None:
    """Show a few values of a column of an upload: what was read in a wrong encoding, or written in two ways, is seen there.

    They are private, and stand in no link, file or log; an audience does not see them.
    """
    if not is_own(table) or talk_is_on():
        return
    values, is_text = pa.array(table.frame[column]), table.kind(column) == "text"
    parts = [values.filter(pc.invert(pc.string_is_ascii(values))), values] if is_text else [values]
    first = [text for part in parts for text in part.slice(0, _LOOKED_AT).drop_null().cast(pa.string()).to_pylist()]
    found = [f"“{letters(text)}”" for text in list(dict.fromkeys(text[:_LONGEST_SHOWN] for text in first))[:_SHOWN]]
    wrong = "" if "".join(first).isascii() else " If letters look wrong, save it as UTF-8 and open it again."
    shown = f"for example: {', '.join(found)}" if found else "no value in the first rows"
    st.caption(f"In your file, {shown}.{wrong}")
    if is_text and (twice := table.written_twice(column)):
        one, other = (letters(each[:_LONGEST_SHOWN]) for each in twice)
        st.caption(f"“{one}” and “{other}” differ only in case or blanks, and are two categories.")


def typed(setting: Setting[str], table: Table, *, hint: str, area: bool = False) -> str:
    """Draw a field for text, of one line or several; returns what stands in it."""
    name = held_name(setting, table)
    if is_own(table):
        if name not in st.session_state:
            put_key(name, "")
    else:
        setting.hold()
    field = partial(st.text_area, height=160) if area else st.text_input
    most = None if is_own(table) else MOST_LETTERS  # a list of the built-in table has to fit into a link
    field(setting.label, key=name, help=hint, max_chars=most, persist_state="session")
    text: str = st.session_state[name] or ""
    return text


def typed_number(setting: Setting[Any], *, hint: str, step: int | None = None) -> float | None:
    """Draw a field that may be empty; returns the number in it, ParameterError for one that cannot be used."""
    setting.hold()
    value = st.number_input(
        setting.label,
        value=None,
        step=step,
        format=None if step else "%.15g",
        key=setting.held,
        help=hint,
        placeholder="Type a number",
        persist_state="session",
    )
    return None if value is None else setting.read(setting.write(value))  # the same rules as for a link


def columns_with(table: Table, *kinds: str) -> list[str]:
    """Return the columns that hold one of these kinds of values; UnreadyError if there is none."""
    found = [column.name for column in table.columns if column.kind in kinds]
    if not found:
        others = "" if kinds == ("number",) else "text, dates, true and false, or "
        raise UnreadyError(f"This table has no column of {others}numbers.")
    return found


def public_list(table: Table, column: str) -> tuple[Category, ...]:
    """Return the values that a column of a built-in table is publicly known to hold, and show the first of them."""
    values = tuple(public(table).categories[column])
    more = f" and {len(values) - _LISTED} more" * (len(values) > _LISTED)
    st.caption(f"Public list of {column}: {', '.join(map(str, values[:_LISTED]))}{more}.")
    return values


def categories_in(text: str, kind: str) -> tuple[Category, ...]:
    """Read a list of categories of a column of this kind, one per line; ParameterError naming the line that is none."""
    lines = filter(None, map(str.strip, text.splitlines()))
    return tuple(value_of(line, kind, f"line {at} of the categories") for at, line in enumerate(lines, start=1))
