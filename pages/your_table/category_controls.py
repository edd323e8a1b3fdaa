"""The controls of what makes cells or groups: the columns, and the list of categories of each, which is public or typed."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from pages.shared import controls
from pages.shared.error_reports import UnreadyError
from pages.shared.settings import Setting
from pages.shared.table_fields import (
    categories_in,
    columns_with,
    held_name,
    public_list,
    select,
    select_likely,
    show_values,
    typed,
)
from pages.shared.uploads import public
from pages.your_table import copied_list
from pages.your_table import query_settings as fields
from pages.your_table.row_controls import choose_where
from par_core.errors import ParameterError
from par_core.plan.named import COPIED
from par_core.queries import Category, CountBy, date_letters
from par_core.questions.glossary import explain
from par_core.tables.table import Table

_LIST_WORDS = {"public": "Public list", "own": "My own list"}
_DATES = "A column of dates: list years (2020), months (2020-01) or days (2020-01-31)."


def choose_counts(table: Table) -> tuple[CountBy, str]:
    """Draw the columns and lists of categories; returns the query and where the lists come from."""
    usable = columns_with(table, "text", "number", "true-false", "date")
    first = select_likely(fields.BY, table, usable, hint=explain("query"))
    second = select(fields.BY2, table, ["", *usable], hint="Each pair of categories is a cell then.", none="(none)")
    if second:
        show_values(table, second)
    columns = [first, second] if second else [first]
    from_public = takes_public(table, columns)
    found: list[tuple[Category, ...]] = []
    wrong: Exception | None = None
    origins = []
    for column, setting in zip(columns, (fields.CATEGORIES, fields.CATEGORIES2), strict=False):
        try:
            values, origin = choose_list(setting, table, column, from_public=from_public)
            found.append(values)
            origins.append(origin)
        except (UnreadyError, ParameterError) as error:
            wrong = wrong or error
    rest = controls.switch(fields.REST, hint=explain("rest_cell"))
    where = choose_where(table)
    if wrong is not None:
        raise wrong
    return CountBy(tuple(columns), tuple(found), other=rest, where=where), "; ".join(origins)


def takes_public(table: Table, columns: Collection[str]) -> bool:
    """Draw the choice between a public list and one's own, where a column has a public one; returns whether that is taken."""
    if public(table).categories.keys().isdisjoint(columns):
        return False
    return controls.choice(fields.LIST, hint=explain("categories"), words=_LIST_WORDS.__getitem__) == "public"


def choose_list(
    setting: Setting[str], table: Table, column: str, *, from_public: bool
) -> tuple[tuple[Category, ...], str]:
    """Draw the list of categories of one column; returns it and where it comes from."""
    if from_public and column in public(table).categories:
        return public_list(table, column), "public list"
    name = held_name(setting, table)
    text = typed(setting, table, area=True, hint=explain("categories"))
    st.button(
        "Copy from the file (reveals it)",
        key=f"take_{name}",
        on_click=copied_list.take,
        args=(name, table, column),
        help="The list itself then tells which values occur in your table, before any noise is added.",
    )
    if f"{name}_refused" in st.session_state:
        st.error(st.session_state.pop(f"{name}_refused"))
    kind = table.kind(column)
    if taken := copied_list.is_still(text, st.session_state.get(f"{name}_taken", ""), kind):
        st.warning(copied_list.REVEALS)
        hint = "The warning goes, and “Plan (CSV)” says that you said so."
        st.button(
            "It is known without the file", key=f"known_{name}", on_click=copied_list.say_known, args=(name,), help=hint
        )
    if kind == "date":
        st.caption(_DATES)
    values = categories_in(text, kind)
    if not values:
        raise UnreadyError(
            "Type the publicly known list of categories, one per line. It is not read from your file unless you ask."
        )
    if kind == "date":
        date_letters("the categories", values)
    known = copied_list.is_still(text, st.session_state.get(f"{name}_known", ""), kind)
    return values, COPIED if taken else copied_list.KNOWN if known else "typed by the user"
