"""The controls with which a reader chooses a table and a query on it, and the settings that they keep.

What a reader chooses of an uploaded table (columns, conditions, categories) stays in the session: it has keys of its own there,
which no link knows. For the built-in table the same choices are settings like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from pages.shared import controls
from pages.shared.glossary import explain
from pages.shared.query_settings import (
    ASK,
    BUILTIN,
    BY,
    BY2,
    CATEGORIES,
    CATEGORIES2,
    COMPARISON,
    GUESS,
    LIST,
    LOWER,
    MOST_LETTERS,
    OF,
    ONLY,
    OVER,
    PERSON,
    REST,
    TABLE,
    UPPER,
    VALUE,
    WHERE,
    census,
)
from pages.shared.query_words import Choice, error_words, row_words
from pages.shared.settings import Setting, present_scenario
from pages.shared.uploads import choose_table, is_own
from par_core.errors import DataError, ParameterError
from par_core.queries import (
    Category,
    Comparison,
    Condition,
    Count,
    CountBy,
    Mean,
    Query,
    Sum,
    date_letters,
    dates_as_text,
)
from par_core.scenario import is_decimal

if TYPE_CHECKING:
    from pages.shared.tables import Table

_MOST_TAKEN = 1_000  # categories
_OWN = "_own_table_"  # before the keys of what is chosen of an upload
_UNITS = {
    "weekly_income": "US dollars a week",
    "education": "years",
    "experience": "years",
    "age": "years",
}

_ASK_WORDS = {"by": "Counts by category", "count": "One count", "sum": "Sum", "mean": "Mean"}
_LIST_WORDS = {"public": "Public list", "own": "My own list"}
_OVER_WORDS = {"truncate": "Leave further rows out", "refuse": "Stop"}
_COMPARISON_WORDS = {
    "==": "equal to",
    "!=": "not equal to",
    "<": "below",
    "<=": "at most",
    ">": "above",
    ">=": "at least",
    "in": "one of (with commas)",
}
_NO_PERSON = "A person per row"
_DATES = "A column of dates: list years (2020), months (2020-01) or days (2020-01-31)."


@dataclass(frozen=True)
class Missing:
    """What the reader has to do before there is a plan."""

    sentence: str
    wrong: bool = True


def choose() -> Choice | Missing:
    """Draw the controls of the query; returns what was chosen, or what is missing."""
    with st.expander("Table: the census, or your own file", expanded=TABLE.value() != TABLE.default, key="your_data"):
        table = choose_table(TABLE, BUILTIN)
    _forget_other(table)
    ask = controls.choice(ASK, hint=explain("query"), words=_ASK_WORDS.__getitem__)
    query: Query
    lists, unit = "", "rows"
    wrong: Missing | None = None
    try:
        if ask == "by":
            query, lists = _choose_counts(table)
        elif ask == "count":
            query = Count(_choose_condition(table))
        else:
            query, unit = _choose_amount(table, Sum if ask == "sum" else Mean)
    except _UnreadyError as unready:
        wrong = Missing(str(unready), wrong=False)
    except (ParameterError, DataError) as error:
        wrong = Missing(error_words(error))
    person, over = _choose_person(table)
    if wrong is not None:
        return wrong
    return Choice(table, query, person, "refuse" if over == "refuse" else "truncate", unit, lists)


class _UnreadyError(Exception):
    """A choice that the reader has not made yet, in a sentence of ours."""


def _choose_counts(table: Table) -> tuple[CountBy, str]:
    usable = _columns(table, "text", "number", "true-false", "date")
    first = _select(BY, table, usable, hint=explain("query"))
    second = _select(BY2, table, ["", *usable], hint="Each pair of categories is a cell then.", none="(none)")
    columns = [first, second] if second else [first]
    public = {} if is_own(table) else census().categories
    kind_of_list = "own"
    if any(column in public for column in columns):
        kind_of_list = controls.choice(LIST, hint=explain("categories"), words=_LIST_WORDS.__getitem__)
    found: list[tuple[Category, ...]] = []
    wrong: Exception | None = None
    origins = []
    for column, setting in zip(columns, (CATEGORIES, CATEGORIES2), strict=False):
        if kind_of_list == "public" and column in public:
            found.append(tuple(public[column]))
            shown = ", ".join(map(str, public[column][:10]))
            more = f" and {len(public[column]) - 10} more" if len(public[column]) > 10 else ""
            st.caption(f"Public list of {column}: {shown}{more}.")
            origins.append("public list")
            continue
        try:
            values, origin = _choose_list(setting, table, column)
            found.append(values)
            origins.append(origin)
        except (_UnreadyError, ParameterError) as error:
            wrong = wrong or error
    rest = controls.switch(REST, hint=explain("rest_cell"))
    where = _choose_where(table)
    if wrong is not None:
        raise wrong
    return CountBy(tuple(columns), tuple(found), other=rest, where=where), "; ".join(origins)


def _choose_list(setting: Setting[str], table: Table, column: str) -> tuple[tuple[Category, ...], str]:
    """Draw the list of categories of one column; returns it and where it comes from."""
    name = _name(setting, table)
    text = _typed(setting, table, area=True, hint=explain("categories"))
    st.button(
        "Take from the table (leaks)",
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
            "Taken from the table: this list tells everyone which values occur in it, and noise does not undo that. Replace it "
            "by a list that is known without the table."
        )
    kind = _kind(table, column)
    if kind == "date":
        st.caption(_DATES)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise _UnreadyError(
            "Type the list of categories, one per line, as it is publicly known. It is not read off your table "
            "unless you ask for that."
        )
    values = tuple(_value(line, kind, f"line {at} of the categories") for at, line in enumerate(lines, start=1))
    if kind == "date":
        date_letters("the categories", values)
    return values, "TAKEN FROM THE TABLE, which leaks" if taken else "typed by the user"


def _take_list(name: str, table: Table, column: str) -> None:
    cells = table.frame[column].dropna()
    values = pd.unique(dates_as_text(cells, 10)) if _kind(table, column) == "date" else cells.unique()
    if len(values) > _MOST_TAKEN:
        st.session_state[f"{name}_refused"] = f"The column holds more than {_MOST_TAKEN:,} different values."
        return
    text = "\n".join(_written(value) for value in sorted(values.tolist()))
    st.session_state[name] = st.session_state[f"{name}_taken"] = text


def _choose_amount(table: Table, kind: type[Sum] | type[Mean]) -> tuple[Sum | Mean, str]:
    usable = _columns(table, "number")
    column = _select(OF, table, usable, hint=explain("query"), on_change=partial(_suggest, table))
    lower = controls.number(LOWER, hint=explain("bounds"))
    upper = controls.number(UPPER, hint=explain("bounds"))
    public = {} if is_own(table) else census().bounds
    if column in public and public[column] != (lower, upper):
        low, high = public[column]
        controls.button(f"Public bounds: {low:g} to {high:g}", _put_bounds, low, high)
    st.caption("Give bounds that are publicly known. They are never read off the table.")
    where = _choose_where(table)
    scenario = present_scenario()
    query = kind(column, lower, upper, where)
    if isinstance(query, Mean):
        if query.is_pair(scenario.neighbours):
            controls.whole(GUESS, hint=explain("rows_guess"))
        else:
            st.caption(f"With “replaced by another” the number of rows is public: {table.rows:,} in the file.")
    return query, _UNITS.get(column, "that of the column") if not is_own(table) else "that of the column"


def _suggest(table: Table) -> None:
    """Put the public bounds of the column that was just chosen, if there are any."""
    bounds = {} if is_own(table) else census().bounds
    column = st.session_state[_name(OF, table)]
    if column in bounds:
        _put_bounds(*bounds[column])


def _put_bounds(lower: float, upper: float) -> None:
    LOWER.put(lower)
    UPPER.put(upper)


def _choose_where(table: Table) -> Condition | None:
    return _choose_condition(table) if controls.switch(ONLY, hint=explain("condition")) else None


def _choose_condition(table: Table) -> Condition:
    column = _select(WHERE, table, _columns(table, "number", "text", "true-false", "date"), hint=explain("condition"))
    name = _name(COMPARISON, table)
    if is_own(table):
        st.session_state.setdefault(name, Comparison.EQUAL.value)
    comparison = _select(COMPARISON, table, list(Comparison), hint=explain("condition"), words=_COMPARISON_WORDS)
    text = _typed(VALUE, table, hint="A number, a text letter by letter, a date, or true or false.").strip()
    if not text:
        raise _UnreadyError("Type the value that the condition compares with.")
    kind = _kind(table, column)
    if comparison == Comparison.AMONG:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        values = tuple(_value(part, kind, "the value") for part in parts)
        if kind == "date":
            date_letters("the value", values)
        return Condition(column, Comparison.AMONG, values)
    return Condition(column, Comparison(comparison), _value(text, kind, "the value"))


def _choose_person(table: Table) -> tuple[str, str]:
    with st.expander("Persons with several rows", key="your_persons"):
        usable = ["", *_columns(table, "text", "number")] if table.columns else [""]
        person = _select(PERSON, table, usable, hint=explain("person_column"), none=_NO_PERSON)
        most = present_scenario().rows_per_person
        if person:
            over = controls.choice(OVER, hint=explain("over_cap"), words=_OVER_WORDS.__getitem__)
            st.caption(
                f"At most {row_words(most)} per person. If persons have different numbers of rows, choose “Added or removed”. Both are "
                "in the sidebar."
            )
            return person, over
        st.caption(f"You promise that nobody has more than {row_words(most)}. The sidebar has that number.")
        return "", OVER.value()


def _columns(table: Table, *kinds: str) -> list[str]:
    """Return the columns that hold one of these kinds of values."""
    found = [column.name for column in table.columns if column.kind in kinds]
    if not found:
        raise _UnreadyError(
            "This table has no column of numbers."
            if kinds == ("number",)
            else "This table has no column of text, numbers, dates, or true and false."
        )
    return found


def _kind(table: Table, column: str) -> str:
    return next(each.kind for each in table.columns if each.name == column)


def _value(text: str, kind: str, what: str) -> Category:
    """Read what was typed as a value of a column of this kind."""
    if kind == "number":
        if not is_decimal(text):
            raise ParameterError(f"{what} must be a number, got {text[:40]!r}")
        number = float(text)
        return int(text) if text.lstrip("+-").isdigit() else number
    if kind == "true-false":
        if text.lower() not in ("true", "false"):
            raise ParameterError(f"{what} must be true or false, got {text[:40]!r}")
        return text.lower() == "true"
    if kind == "date":
        date_letters(what, (text,))
    return text


def _written(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _name(setting: Setting[str], table: Table) -> str:
    """Return the key of a choice in the session: of an upload it is one that no link knows."""
    return f"{_OWN}{setting.key}" if is_own(table) else setting.held


def _forget_other(table: Table) -> None:
    """Drop what was chosen for another upload."""
    session = st.session_state
    if is_own(table) and session.get("_own_digest") != table.digest:
        for name in [each for each in session if str(each).startswith(_OWN)]:
            del session[name]
        session["_own_digest"] = table.digest


def _select(
    setting: Setting[str],
    table: Table,
    options: Sequence[str],
    *,
    hint: str,
    none: str = "",
    words: dict[str, str] | None = None,
    on_change: Callable[[], None] | None = None,
) -> str:
    name, session = _name(setting, table), st.session_state
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


def _typed(setting: Setting[str], table: Table, *, hint: str, area: bool = False) -> str:
    name = _name(setting, table)
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
