"""The regression of a table: what is predicted from what, shared by the sampled sensitivity and by the accuracy."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.sample_planner import link_columns, tables
from pages.shared import controls, settings
from pages.shared.amount_fields import AmountSettings, choose_amount
from pages.shared.error_reports import UnreadyError
from pages.shared.settings import Setting, put_key
from pages.shared.table_fields import column_names, column_of, columns_with, empty_of, forget_other, held_name
from pages.shared.uploads import is_own, public
from par_core.errors import ParameterError
from par_core.questions.glossary import explain
from par_core.sampling import RidgeOf
from par_core.tables.table import Table

_MOST = 12  # predictors
_FIRST = 3  # so many of an upload until the reader chooses
_SPLIT = ","

_TARGET = column_of("sy", "Predicted", "weekly_income", tables.BUILTIN, numbers=True)
_LOWER = settings.number("sylo", "Lower bound", 0.0, at_least=-1e12, at_most=1e12)
_UPPER = settings.number("syhi", "Upper bound", 5000.0, at_least=-1e12, at_most=1e12)
_LOWER_OWN, _UPPER_OWN = empty_of("sown_ylo", _LOWER), empty_of("sown_yhi", _UPPER)
AMOUNT = AmountSettings(_TARGET, _LOWER, _UPPER, _LOWER_OWN, _UPPER_OWN)


def _read(text: str) -> list[str]:
    names = [name for name in text.split(_SPLIT) if name]
    unknown = set(names).difference(column_names(tables.BUILTIN))
    if unknown or len(names) > _MOST:
        raise ParameterError(f"Predictors must be at most {_MOST} columns of the table, got {text[:40]!r}")
    return names


PREDICTORS: Setting[list[str]] = Setting("sx", "From", ["age", "education", "experience"], _read, _SPLIT.join)
PENALTY = settings.number("sl", "Penalty λ", 0.01, at_least=1e-9, at_most=1e6)
INTERCEPT = settings.switch("sint", "With an intercept")


def choose(table: Table) -> RidgeOf:
    """Draw the fields; UnreadyError or ParameterError where no regression can be made of them."""
    forget_other(table, "sample_planner_ridge", (AMOUNT.hanging,))
    if link_columns.follow(table, AMOUNT):  # another table
        link_columns.mend(PREDICTORS, lambda names: _of_table(names, table, tables.preset(table).predictors))
        put_preset(table)
    target, lower, upper = choose_amount(table, AMOUNT, hint=explain("predicted"))
    predictors = _predictors(table, target)
    penalty = controls.number(PENALTY, hint=explain("penalty"))
    intercept = controls.switch(INTERCEPT, hint=explain("intercept"))
    if lower is None or upper is None:
        raise UnreadyError(
            "Type a lower and an upper bound for what is predicted, as they are publicly known: it is scaled to lie between them."
        )
    if not predictors:
        raise UnreadyError("Choose at least one column to predict from.")
    lists = tuple((name, tuple(public(table).categories[name])) for name in predictors if table.kind(name) == "text")
    return RidgeOf(target, tuple(predictors), (lower, upper), penalty, intercept, lists, coding="code")


def put_preset(table: Table) -> None:
    """Take what is predicted from what in a built-in table from its preset."""
    preset = tables.preset(table)
    AMOUNT.put(preset.target, *preset.target_bounds)
    PREDICTORS.put(list(preset.predictors))


def _of_table(names: list[str], table: Table, instead: Sequence[str]) -> list[str]:
    """Return the predictors, or others instead where the open table does not have them all."""
    return names if set(names) <= set(table.frame) else list(instead)


def _guessed(table: Table, usable: list[str]) -> list[str]:
    """Return the first columns of an upload that look as if something could be predicted from them."""
    return [each for each in usable if not table.is_identifier(each)][:_FIRST]


def _predictors(table: Table, target: str) -> list[str]:
    """Draw the choice of the predictors; of an upload it stays in the session."""
    lists = public(table).categories
    columns = [each for each in columns_with(table, "number", "text") if each != target]
    usable = [each for each in columns if table.kind(each) == "number" or each in lists]
    name, session = held_name(PREDICTORS, table), st.session_state
    if is_own(table):
        if name not in session:
            put_key(name, _guessed(table, usable))
    else:
        others = [each for each in tables.preset(table).predictors if each in usable]
        link_columns.mend(
            PREDICTORS,
            lambda names: _of_table(names, table, [each for each in names if each in usable] or others),
        )
        PREDICTORS.hold()
    kept = [each for each in session[name] if each in usable]
    if session[name] and not kept:  # those of another table
        kept = _guessed(table, usable)
    if kept != session[name]:
        put_key(name, kept)
    if not is_own(table):
        link_columns.say(PREDICTORS)
    st.multiselect(
        PREDICTORS.label,
        usable,
        key=name,
        max_selections=_MOST,
        help=explain("predictors"),
        placeholder="Add a column",
        persist_state="session",
    )
    if is_own(table) and "text" in {column.kind for column in table.columns}:
        st.caption("Columns of text need a public list of their values and cannot be used here; code them as numbers.")
    return list(session[name])
