"""The controls with which a reader chooses a table and a query on it, and the settings that they keep.

What a reader chooses of an uploaded table (columns, conditions, categories) stays in the session: it has keys of its own there,
which no link knows. For the built-in table the same choices are settings like all others.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.shared import controls
from pages.shared.amount_fields import choose_amount
from pages.shared.condition_fields import choose_condition
from pages.shared.error_reports import UnreadyError
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.settings import Setting, scenario_setting
from pages.shared.table_fields import (
    categories_in,
    columns_with,
    forget_other,
    held_name,
    public_list,
    select,
    select_likely,
    show_values,
    typed,
    typed_number,
)
from pages.shared.uploads import OWN, choose_table, is_own, public
from pages.shared.words import counted
from pages.your_table import query_settings as fields
from par_core.errors import ParameterError
from par_core.queries import (
    Category,
    Condition,
    Count,
    CountBy,
    Mean,
    Over,
    PersonCount,
    PersonCountBy,
    Query,
    Sum,
    date_letters,
    dates_as_text,
)
from par_core.questions.glossary import explain
from par_core.questions.your_table.table_question import TableQuestion
from par_core.scenario import Neighbours, Scenario
from par_core.tables.table import MOST_CATEGORIES, Table

_CAP: Setting[int] = scenario_setting("rows_per_person")
_CLOSEST = 1e-90  # of two bounds: the noise of all budgets has to be a number that can be computed with

_ASK_WORDS = {"by": "Counts by category", "count": "One count", "sum": "Sum", "mean": "Mean"}
_LIST_WORDS = {"public": "Public list", "own": "My own list"}
_OVER_WORDS = {"truncate": "Leave the rest out", "refuse": "Stop"}
_NO_PERSON = "A person per row"
_DATES = "A column of dates: list years (2020), months (2020-01) or days (2020-01-31)."


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    with st.expander(
        "Table: the census, or your own file", expanded=fields.TABLE.value() != fields.TABLE.default, key="your_data"
    ):
        table = choose_table(fields.TABLE, fields.BUILTIN)
    if fields.TABLE.value() == OWN and not is_own(table):
        st.warning(
            f"No file of yours is open, and a link holds none: all below is about the built-in table “{table.name}”."
        )
    forget_other(table, "your_table", fields.HANGING, emptied=fields.AMOUNT.hanging[1])
    return table


def choose(scenario: Scenario, table: Table) -> dict[str, Any]:
    """Draw the controls of the query on a table; returns the fields of a `TableQuestion`.

    UnreadyError or ParameterError where none can be made of them.
    """
    person, over, once = _choose_person(scenario, table)
    ask = controls.choice(fields.ASK, hint=explain("query"), words=_ASK_WORDS.__getitem__)
    query: Query
    lists, guess = TableQuestion.lists, TableQuestion.guess
    if ask == "by":
        counts, lists = _choose_counts(table)
        query = PersonCountBy(**vars(counts), person=person) if once else counts
    elif ask == "count":
        condition = choose_condition(table, fields.CONDITION)
        query = PersonCount(condition, person=person) if once else Count(condition)
    else:
        query = _choose_amount(table, Sum if ask == "sum" else Mean)
        if isinstance(query, Mean) and query.is_pair(scenario.neighbours):
            guess = _choose_guess(table)
    if person and (nobody := table.missing(person)):
        say = "does" if nobody == 1 else "do"
        raise UnreadyError(
            f"{counted(nobody, 'row')} of {table.rows:,} {say} not say whose they are: fill in “{person}” in the file, or choose another "
            "column."
        )
    own = table if is_own(table) else None
    chosen = {"query": query, "person": person, "over": over, "guess": guess, "lists": lists, "own": own}
    return {**chosen, "for_audience": PRESENT.value()}


def _choose_counts(table: Table) -> tuple[CountBy, str]:
    usable = columns_with(table, "text", "number", "true-false", "date")
    first = select_likely(fields.BY, table, usable, hint=explain("query"))
    second = select(fields.BY2, table, ["", *usable], hint="Each pair of categories is a cell then.", none="(none)")
    if second:
        show_values(table, second)
    columns = [first, second] if second else [first]
    listed = public(table).categories
    kind_of_list = "own"
    if not listed.keys().isdisjoint(columns):
        kind_of_list = controls.choice(fields.LIST, hint=explain("categories"), words=_LIST_WORDS.__getitem__)
    found: list[tuple[Category, ...]] = []
    wrong: Exception | None = None
    origins = []
    for column, setting in zip(columns, (fields.CATEGORIES, fields.CATEGORIES2), strict=False):
        if kind_of_list == "public" and column in listed:
            found.append(public_list(table, column))
            origins.append("public list")
            continue
        try:
            values, origin = _choose_list(setting, table, column)
            found.append(values)
            origins.append(origin)
        except (UnreadyError, ParameterError) as error:
            wrong = wrong or error
    rest = controls.switch(fields.REST, hint=explain("rest_cell"))
    where = _choose_where(table)
    if wrong is not None:
        raise wrong
    return CountBy(tuple(columns), tuple(found), other=rest, where=where), "; ".join(origins)


def _choose_list(setting: Setting[str], table: Table, column: str) -> tuple[tuple[Category, ...], str]:
    """Draw the list of categories of one column; returns it and where it comes from."""
    name = held_name(setting, table)
    text = typed(setting, table, area=True, hint=explain("categories"))
    st.button(
        "Copy from the file (reveals it)",
        key=f"take_{name}",
        on_click=_take_list,
        args=(name, table, column),
        help="The list itself then tells which values occur in your table, before any noise is added.",
    )
    if f"{name}_refused" in st.session_state:
        st.error(st.session_state.pop(f"{name}_refused"))
    taken = bool(text) and st.session_state.get(f"{name}_taken") == text
    if taken:
        st.warning(
            "Copied from the file: this list tells everyone which values occur in it, and noise does not undo that. Replace it "
            "with a list that is known without the file."
        )
    kind = table.kind(column)
    if kind == "date":
        st.caption(_DATES)
    values = categories_in(text, kind)
    if not values:
        raise UnreadyError(
            "Type the publicly known list of categories, one per line. It is not read from your file unless you ask."
        )
    if kind == "date":
        date_letters("the categories", values)
    return values, "COPIED FROM THE FILE, which reveals it" if taken else "typed by the user"


def _take_list(name: str, table: Table, column: str) -> None:
    cells = table.frame[column].dropna()
    values = pd.unique(dates_as_text(cells, 10)) if table.kind(column) == "date" else cells.unique()
    if len(values) > MOST_CATEGORIES:
        st.session_state[f"{name}_refused"] = f"The column holds more than {MOST_CATEGORIES:,} different values."
        return
    text = "\n".join(_written(value) for value in sorted(values.tolist()))
    st.session_state[name] = st.session_state[f"{name}_taken"] = text


def _choose_amount(table: Table, kind: type[Sum] | type[Mean]) -> Sum | Mean:
    column, lower, upper = choose_amount(table, fields.AMOUNT, hint=explain("query"))
    where = _choose_where(table)
    if lower is None or upper is None:
        raise UnreadyError(
            "Type a publicly known lower and upper bound for the column: values outside move to the nearest bound. Bounds are not read "
            "from your file."
        )
    if 0 < upper - lower < _CLOSEST:
        raise ParameterError(f"the bounds must be at least {_CLOSEST:g} apart, got {lower:g} and {upper:g}")
    if kind is Sum:
        return Sum(column, lower, upper, where)
    skip = table.missing(column) > 0 and controls.switch(fields.SKIP, hint=explain("skip_missing"))
    return Mean(column, lower, upper, where, skip_missing=skip)


def _choose_guess(table: Table) -> int:
    """Draw the guess of how many rows are averaged, which nobody may know."""
    if not is_own(table):
        return controls.whole(fields.GUESS, hint=explain("rows_guess"))
    guess = typed_number(fields.GUESS_OWN, hint=explain("rows_guess"), step=1)
    if guess is None:
        raise UnreadyError("Type how many rows are averaged at least: a guess, not read from your file.")
    return int(guess)


def _choose_where(table: Table) -> Condition | None:
    return (
        choose_condition(table, fields.CONDITION) if controls.switch(fields.ONLY, hint=explain("condition")) else None
    )


def _choose_person(scenario: Scenario, table: Table) -> tuple[str, Over, bool]:
    """Draw whose row each is and how much of one person counts; returns the column, and whether persons are counted."""
    usable = ["", *(column.name for column in table.columns if column.kind in ("text", "number"))]
    person = select(fields.PERSON, table, usable, hint=explain("person_column"), none=_NO_PERSON)
    if not person:
        most = scenario.rows_per_person
        each = "one row per person" if most == 1 else f"at most {most:,} rows per person (in the sidebar)"
        st.caption(f"Assumed: {each}. If that is wrong, choose the person column.")
        return "", "truncate", False
    counts = fields.ASK.value() in ("by", "count")
    once = counts and controls.switch(fields.ONCE, hint=explain("once_per_cell"))
    if once and fields.ASK.value() == "count":
        return person, "truncate", True
    unit = "cells" if once else "rows"
    controls.beside(_CAP, f"{unit.capitalize()} per person, at most", hint=explain("rows_per_person"))
    over = controls.choice(fields.OVER, hint=explain("over_cap"), words=_OVER_WORDS.__getitem__)
    if not counts and scenario.neighbours is Neighbours.REPLACE_ONE:
        st.caption("If persons have different numbers of rows, choose “Added or removed” in the sidebar.")
    return person, "refuse" if over == "refuse" else "truncate", once


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
