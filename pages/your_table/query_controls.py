"""The controls with which a reader chooses a table and a query on it, and the settings that they keep.

What a reader chooses of an uploaded table (columns, conditions, categories) stays in the session: it has keys of its own there,
which no link knows. For the built-in table the same choices are settings like all others.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.shared import controls
from pages.shared.condition_fields import choose_condition
from pages.shared.error_reports import UnreadyError
from pages.shared.scenario_sidebar import talk_is_on
from pages.shared.table_fields import forget_other
from pages.shared.uploads import choose_table, is_own, lacks_file
from pages.shared.words import counted
from pages.your_table import into_plan
from pages.your_table import query_settings as fields
from pages.your_table.amount_controls import choose_bounded, choose_guess, choose_share
from pages.your_table.bin_controls import choose_histogram
from pages.your_table.category_controls import choose_counts
from pages.your_table.quantile_controls import choose_quantile
from pages.your_table.row_controls import choose_person
from par_core.queries import AMOUNTS, Count, MeanQuery, PersonCount, PersonCountBy, Query
from par_core.questions.glossary import explain
from par_core.questions.your_table.table_question import TableQuestion
from par_core.scenario import Scenario
from par_core.tables.table import Table

_ASK_WORDS = {
    "by": "Counts by category",
    "count": "One count",
    "hist": "Histogram",
    **{name: name.capitalize() for name in (*AMOUNTS, "share")},
    "quantile": "Median or quantile",
}


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    table = choose_table(fields.TABLE, fields.BUILTIN, "Table: the census, or your own file", key="your_data")
    if lacks_file(fields.TABLE, table):
        st.warning(
            f"No file of yours is open, and a link holds none: all below is about the built-in table “{table.name}”."
        )
    forget_other(table, "your_table", fields.HANGING)
    return table


def choose(scenario: Scenario, table: Table, statistic: str, *, of_plan: bool = True) -> dict[str, Any]:
    """Draw the controls of the query on a table, whose statistic is what `ASK` holds; returns the fields of a `TableQuestion`.

    UnreadyError or ParameterError where none can be made of them.
    """
    person, over, once = choose_person(scenario, table, statistic)
    # Drawn here, below the person, whose controls hang on it: the page has handed over what it holds.
    controls.choice(fields.ASK, hint=explain("query"), words=_ASK_WORDS.__getitem__)
    query: Query
    lists, guess = TableQuestion.lists, TableQuestion.guess
    if statistic == "by":
        counts, lists = choose_counts(table)
        query = PersonCountBy(**vars(counts), person=person) if once else counts
    elif statistic == "count":
        condition = choose_condition(table, fields.CONDITION)
        query = PersonCount(condition, person=person) if once else Count(condition)
    elif statistic == "hist":
        query = choose_histogram(table)
    elif statistic == "share":
        query, origin = choose_share(table)
        lists = origin or lists
    elif statistic == "quantile":
        query = choose_quantile(table)
    else:
        query, origin = choose_bounded(table, AMOUNTS[statistic])
        lists = origin or lists
    own = table if is_own(table) else None
    if isinstance(query, MeanQuery) and query.is_pair(scenario.neighbours):
        at = into_plan.place(TableQuestion(scenario, query, person, over, own=own)) if of_plan else None
        guess = choose_guess(table, query, at)
    if person and (nobody := table.missing(person)):
        say = "does" if nobody == 1 else "do"
        raise UnreadyError(
            f"{counted(nobody, 'row')} of {table.rows:,} {say} not say whose they are: fill in “{person}” in the file, or choose another "
            "column."
        )
    chosen = {"query": query, "person": person, "over": over, "guess": guess, "lists": lists, "own": own}
    return {**chosen, "for_audience": talk_is_on()}
