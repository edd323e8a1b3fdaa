"""The votes of PATE's teachers: which table of them, how many queries, and at which levels."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.error_reports import UnreadyError
from pages.shared.uploads import Builtin, choose_table, is_own, public, source
from par_core.datasets import digit_votes, synthetic_votes
from par_core.errors import DataError
from par_core.questions.composition import pate_votes
from par_core.questions.composition.exact_count import LARGEST_LEVEL, SMALLEST_LEVEL, usual_epsilon0
from par_core.questions.composition.pate_votes import Votes
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table

BUILTIN = (
    Builtin("synthetic", "250 teachers (synthetic)", synthetic_votes),
    Builtin("digits", "100 teachers, handwritten digits", digit_votes),
)
TABLE = source("vtable", BUILTIN)
EPSILON0 = settings.following(
    settings.number("ve0", "ε₀ of each query", 0.5, at_least=SMALLEST_LEVEL, at_most=LARGEST_LEVEL),
    usual_epsilon0,
)
EPSILON = settings.following(
    settings.number("ve", "Level hoped for, ε", 0.4, at_least=pate_votes.LEAST_HOPED, at_most=LARGEST_LEVEL),
    pate_votes.cheapest_epsilon,
)
QUERIES = settings.whole("vn", "Queries answered", 1_000, at_least=1, at_most=200_000)
DELTA = settings.following(
    settings.number("vd", "δ of all together", 1e-5, at_least=1e-15, at_most=0.5), lambda scenario: scenario.delta
)
MOMENTS = settings.whole("vm", "Moments", 8, at_least=1, at_most=32)

_PRINTED: dict[settings.Setting[Any], Any] = {
    TABLE: "synthetic",
    EPSILON0: pate_votes.PRINTED_EPSILON0,
    EPSILON: pate_votes.PRINTED_EPSILON,
    DELTA: pate_votes.PRINTED_DELTA,
    MOMENTS: pate_votes.PRINTED_MOMENTS,
}


def ask(scenario: Scenario) -> Votes:
    epsilon, epsilon0 = dial(EPSILON, hint=explain("epsilon")), dial(EPSILON0, hint=explain("vote_level"))
    queries = controls.whole(QUERIES, hint=explain("vote_queries"))
    with st.container(horizontal=True):
        for number in pate_votes.PRINTED_QUERIES:
            hint = f"As in table 1 of the paper: ε₀\u00a0=\u00a0{_PRINTED[EPSILON0]}, {number:,} queries."
            controls.button(f"Table 1: {number:,}", settings.put_all, {QUERIES: number, **_PRINTED}, hint=hint)
    delta = controls.number(DELTA, hint=explain("delta"))
    moments = controls.whole(MOMENTS, hint=explain("moments"))
    table = _choose_votes()
    levels = settings.own(EPSILON0, epsilon0), settings.own(EPSILON, epsilon), settings.own(DELTA, delta)
    built_in: pate_votes.BuiltIn = "digits" if table is BUILTIN[1].table else "synthetic"
    try:
        return Votes(scenario, built_in, queries, *levels, moments, table if is_own(table) else None)
    except DataError as error:
        raise DataError(f"{error}; rows are counted below the line of names") from None


def _choose_votes() -> Table:
    """Draw the choice of the votes; UnreadyError for a table whose columns are no classes."""
    table = choose_table(TABLE, BUILTIN, "Votes: built in, or your own file", key="votes_data", caption=_caption)
    for place, column in enumerate(table.columns, start=1):
        if column.kind != "number" or table.is_identifier(column.name):
            raise UnreadyError(
                f"Column {place} seems to hold no votes. Remove the names and numbers of queries from the file: each column is a class."
            )
    return table


def _caption(table: Table) -> str:
    if is_own(table):
        return "A row for each query, a column for each class: how many teachers voted for it."
    known = public(table)
    return f"{known.note} Source: {known.source}. Licence: {known.licence}."
