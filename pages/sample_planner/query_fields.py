"""The query whose sensitivity is sampled: what can be asked, its fields, and its names in links."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.sample_planner import link_columns, ridge_fields
from pages.sample_planner.tables import BUILTIN
from pages.shared import controls, settings
from pages.shared.amount_fields import AmountSettings, choose_amount
from pages.shared.condition_fields import ConditionSettings, choose_condition
from pages.shared.error_reports import UnreadyError
from pages.shared.settings import Setting
from pages.shared.table_fields import (
    categories_in,
    column_of,
    columns_with,
    empty_of,
    forget_other,
    public_list,
    select_likely,
    text_of,
    typed,
)
from pages.shared.uploads import is_own, public
from par_core.errors import ParameterError
from par_core.queries import Comparison
from par_core.queries.statistics import LARGEST_BOUND, Mean, Sum, Variance
from par_core.questions.glossary import explain
from par_core.sampling import CountOf, HistogramOf, PairQuery, QuantileOf
from par_core.sampling.pair_queries import PAIR_QUERIES
from par_core.tables.table import Table

_NAMES = ("mean", "median", "quantile", "variance", "sum", "count", "histogram")
_WORDS = {"ridge": "Regression"} | {name: name.capitalize() for name in _NAMES}
BOUNDED: dict[str, Callable[..., PairQuery]] = {each.name: PAIR_QUERIES[each] for each in (Mean, Sum, Variance)}

ASK = settings.choice("sask", "Query", tuple(_WORDS))
_OF = column_of("sof", "Column of numbers", "weekly_income", BUILTIN, numbers=True)
_LOWER = settings.number("slo", "Lower bound", 0.0, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
_UPPER = settings.number("shi", "Upper bound", 5000.0, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
_LOWER_OWN, _UPPER_OWN = empty_of("sown_lo", _LOWER), empty_of("sown_hi", _UPPER)
AMOUNT = AmountSettings(_OF, _LOWER, _UPPER, _LOWER_OWN, _UPPER_OWN)
SHARE = settings.number("sq", "Which quantile", 0.9, at_least=0.0, at_most=1.0)
BY = column_of("sby", "Column", "education", BUILTIN)
LIST = text_of("slist", "Categories, one per line", "")
_WHERE = column_of("swhere", "Rows in which", "age", BUILTIN)
_COMPARISON = settings.choice("scmp", "is", tuple(Comparison), Comparison.AT_LEAST.value)
_VALUE = text_of("sval", "Value", "50")
CONDITION = ConditionSettings(_WHERE, _COMPARISON, _VALUE)
_HANGING = (AMOUNT.hanging, (BY, (LIST,)), CONDITION.hanging)


def choose(table: Table) -> PairQuery:
    """Draw the fields of the query; UnreadyError or ParameterError where one cannot be made of them."""
    forget_other(table, "sample_planner_query", _HANGING)
    ask = controls.choice(ASK, hint=explain("sampled_query"), words=_WORDS.__getitem__)
    if ask == "ridge":
        return ridge_fields.choose(table)
    if ask == "count":
        _known(table, _WHERE)
        return CountOf(choose_condition(table, CONDITION))
    if ask == "histogram":
        return _histogram(table)
    link_columns.follow(table, AMOUNT)
    column, lower, upper = choose_amount(table, AMOUNT, hint=explain("sampled_query"))
    if (lower is None) != (upper is None):
        raise UnreadyError("Type both bounds, or none.")
    bounds = None if lower is None or upper is None else (lower, upper)
    if bounds is None:
        st.caption("Without bounds there is no proven sensitivity to compare with.")
    if ask in BOUNDED:
        return BOUNDED[ask](column, bounds)
    at = 0.5 if ask == "median" else controls.number(SHARE, hint=explain("which_quantile"), step=0.05)
    return QuantileOf(column, bounds, at)


def _known(table: Table, setting: Setting[str]) -> None:
    """Put a column of the open built-in table in place of one that it does not have."""
    if is_own(table):
        return
    columns = list(table.frame.columns)
    instead = setting.default if setting.default in columns else columns[0]
    link_columns.mend(setting, lambda name: name if name in columns else instead)
    link_columns.say(setting)


def _histogram(table: Table) -> HistogramOf:
    _known(table, BY)
    usable = columns_with(table, "number", "text", "true-false")
    column = select_likely(BY, table, usable, hint=explain("sampled_query"))
    if values := categories_in(typed(LIST, table, area=True, hint=explain("categories")), table.kind(column)):
        return HistogramOf(column, values)
    if column in public(table).categories:
        return HistogramOf(column, public_list(table, column))
    if is_own(table):
        raise UnreadyError("Type the list of categories, one per line, as it is publicly known.")
    raise ParameterError(f"there is no public list of the values of {column}: type one")
