"""The regression of a table: what is predicted from what, shared by the sampled sensitivity and by the accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.sample_planner import link_columns, tables
from pages.shared import controls, settings
from pages.shared.amount_fields import AmountSettings, choose_amount
from pages.shared.glossary import explain
from pages.shared.settings import Setting
from pages.shared.table_fields import UnreadyError, columns_with, empty_of, forget_other, held_name
from pages.shared.uploads import is_own
from par_core.errors import ParameterError
from par_core.sampling import RidgeOf

if TYPE_CHECKING:
    from par_core.tables.table import Table

_MOST = 12  # predictors
_FIRST = 3  # so many of an upload until the reader chooses
_SPLIT = ","

_TARGET = tables.column("sy", "Predicted", "weekly_income", numbers=True)
_LOWER = settings.number("sylo", "Lower bound", 0.0, at_least=-1e12, at_most=1e12)
_UPPER = settings.number("syhi", "Upper bound", 5000.0, at_least=-1e12, at_most=1e12)
_LOWER_OWN, _UPPER_OWN = empty_of("sown_ylo", _LOWER), empty_of("sown_yhi", _UPPER)
_AMOUNT = AmountSettings(_TARGET, _LOWER, _UPPER, _LOWER_OWN, _UPPER_OWN)


def _read(text: str) -> list[str]:
    names = [name for name in text.split(_SPLIT) if name]
    unknown = set(names) - tables.column_names()
    if unknown or len(names) > _MOST:
        raise ParameterError(f"Predictors must be at most {_MOST} columns of the table, got {text[:40]!r}")
    return names


PREDICTORS: Setting[list[str]] = Setting("sx", "From", ["age", "education", "experience"], _read, _SPLIT.join)
_AMOUNT_SETTINGS: tuple[Setting[Any], ...] = (_TARGET, _LOWER, _UPPER)
PENALTY = settings.number("sl", "Penalty λ", 0.01, at_least=1e-9, at_most=1e6)
INTERCEPT = settings.switch("sint", "With an intercept")


def choose(table: Table) -> RidgeOf:
    """Draw the fields; UnreadyError or ParameterError where no regression can be made of them."""
    forget_other(table, "sample_planner_ridge", (_AMOUNT.hanging,), emptied=_AMOUNT.hanging[1])
    if not is_own(table):
        _follow(table)
        link_columns.say(_TARGET)
    target, lower, upper = choose_amount(table, _AMOUNT, tables.public_bounds(table), hint=explain("predicted"))
    predictors = _predictors(table, target)
    penalty = controls.number(PENALTY, hint=explain("penalty"))
    intercept = controls.switch(INTERCEPT, hint=explain("intercept"))
    if lower is None or upper is None:
        raise UnreadyError(
            "Type a lower and an upper bound for what is predicted, as they are publicly known: it is scaled to lie between them."
        )
    if not predictors:
        raise UnreadyError("Choose at least one column to predict from.")
    public = tables.public_categories(table)
    lists = tuple((name, tuple(public[name])) for name in predictors if table.kind(name) == "text")
    return RidgeOf(target, tuple(predictors), (lower, upper), penalty, intercept, lists, coding="code")


def _follow(table: Table) -> None:
    """After a change of the built-in table, take what is predicted from what from its preset."""
    if _TARGET.value() in table.frame.columns:
        return
    preset = tables.preset(table)
    link_columns.put_instead(_TARGET, preset.target)
    if not set(PREDICTORS.value()) <= set(table.frame.columns):
        link_columns.put_instead(PREDICTORS, list(preset.predictors))
    put_preset(table)


def put_preset(table: Table) -> None:
    """Take what is predicted from what in a built-in table from its preset."""
    preset = tables.preset(table)
    for setting, value in zip(_AMOUNT_SETTINGS, (preset.target, *preset.target_bounds), strict=True):
        setting.put(value)
    PREDICTORS.put(list(preset.predictors))


def _predictors(table: Table, target: str) -> list[str]:
    """Draw the choice of the predictors; of an upload it stays in the session."""
    public = tables.public_categories(table)
    usable = [
        name
        for name in columns_with(table, "number", "text")
        if name != target and (table.kind(name) == "number" or name in public)
    ]
    name = held_name(PREDICTORS, table)
    if is_own(table):
        st.session_state.setdefault(name, usable[:_FIRST])
    elif not set(PREDICTORS.value()) <= set(table.frame.columns):
        known = [each for each in PREDICTORS.value() if each in usable]
        others = [each for each in tables.preset(table).predictors if each in usable]
        link_columns.put_instead(PREDICTORS, known or others)
    kept = [each for each in st.session_state[name] if each in usable]
    if st.session_state[name] and not kept:  # those of another table
        kept = usable[:_FIRST]
    if kept != st.session_state[name]:
        st.session_state[name] = kept
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
    chosen: list[str] = list(st.session_state[name])
    if is_own(table) and "text" in {column.kind for column in table.columns}:
        st.caption("Columns of text need a public list of their values and cannot be used here; code them as numbers.")
    return chosen
