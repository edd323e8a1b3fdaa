"""The controls of which rows a query looks at, and whose they are."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.shared import controls
from pages.shared.condition_fields import choose_condition
from pages.shared.settings import Setting, scenario_setting
from pages.shared.table_fields import held_name, select
from pages.shared.uploads import is_own
from pages.shared.words import letters
from pages.your_table import query_settings as fields
from par_core.queries import AMOUNTS, Condition, Over
from par_core.questions.glossary import explain
from par_core.scenario import Neighbours, Scenario
from par_core.tables.table import Table

_CAP: Setting[int] = scenario_setting("rows_per_person")
_OVER_WORDS = {"truncate": "Leave the rest out", "refuse": "Stop"}
_NO_PERSON = "A person per row"


def _offer_repeated(table: Table) -> None:
    """Offer as person column what names somebody in several rows of an upload: then a person is not one row."""
    for name in table.repeated_identifiers if is_own(table) else ():
        st.warning(f"Some of “{letters(name)}” have several rows.")
        key = held_name(fields.PERSON, table)
        controls.button(f"“{letters(name)}” is the person column", partial(st.session_state.__setitem__, key), name)


def choose_where(table: Table) -> Condition | None:
    """Draw the condition that rows have to meet, where there is one."""
    return (
        choose_condition(table, fields.CONDITION) if controls.switch(fields.ONLY, hint=explain("condition")) else None
    )


def choose_person(scenario: Scenario, table: Table, statistic: str) -> tuple[str, Over, bool]:
    """Draw whose row each is and how much of one person counts; returns the column, what is done above that, and if persons are counted."""
    usable = ["", *(column.name for column in table.columns if column.kind in ("text", "number"))]
    person = select(fields.PERSON, table, usable, hint=explain("person_column"), none=_NO_PERSON)
    if not person:
        most = scenario.rows_per_person
        each = "one row per person" if most == 1 else f"at most {most:,} rows per person (in the sidebar)"
        st.caption(f"Assumed: {each}. If that is wrong, choose the person column.")
        _offer_repeated(table)
        return "", "truncate", False
    once = statistic in ("by", "count") and controls.switch(fields.ONCE, hint=explain("once_per_cell"))
    if once and statistic == "count":
        return person, "truncate", True
    unit = "cells" if once else "rows"
    controls.beside(_CAP, f"{unit.capitalize()} per person, at most", hint=explain("rows_per_person"))
    over = controls.choice(fields.OVER, hint=explain("over_cap"), words=_OVER_WORDS.__getitem__)
    if statistic in (*AMOUNTS, "share") and scenario.neighbours is Neighbours.REPLACE_ONE:
        st.caption("If persons have different numbers of rows, choose “Added or removed” in the sidebar.")
    return person, "refuse" if over == "refuse" else "truncate", once
