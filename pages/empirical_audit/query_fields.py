"""What was asked of every database, who may be named, and what several sections ask."""

from __future__ import annotations

from typing import Any, get_args

import streamlit as st

from pages.empirical_audit import panel_fields
from pages.shared import controls, settings
from pages.shared.scenario_sidebar import talk_is_on
from pages.shared.table_fields import for_table
from pages.shared.uploads import is_own
from par_core.questions.empirical_audit.audited import Asked, AuditQuestion
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table

_WORDS = {name: name.capitalize() for name in get_args(Asked)} | {"share": "Share above"}
ASK = settings.choice("eask", "Query", tuple(_WORDS))
THRESHOLD = settings.number("eabove", "Above", AuditQuestion.above, at_least=-1e15, at_most=1e15)
SHARE = settings.number("eq", "Which quantile", AuditQuestion.quantile, at_least=0.0, at_most=1.0)
EPSILON = settings.number("ee", "Level ε", 0.1, at_least=1e-4, at_most=100.0)
RANK = settings.whole("erank", "Individual, by rank", 1, at_least=1, at_most=50)
INTERVALS = settings.switch("eint", "Intervals", default=True)
MASK = settings.switch("emask", "Mask names")
# Asked anew in each session, and for each file.
SHOW_OWN = settings.unlinked(settings.switch("eshow", "Show the names in my file"))
SHOW_ANSWERS = settings.unlinked(settings.switch("eanswers", "Show the exact answers"))
_SHOWN_OF = "_audit_names_of"


def choose(table: Table) -> dict[str, Any]:
    """Draw what every section asks about the open table; returns the fields of an `AuditQuestion`."""
    asked: dict[str, Any] = {"query": controls.choice(ASK, hint=explain("audited_query"), words=_WORDS.__getitem__)}
    if asked["query"] == "share":
        asked["above"] = controls.number(
            for_table(THRESHOLD, table), hint="A value that is equal to it is not above it."
        )
    if asked["query"] == "quantile":
        asked["quantile"] = controls.number(SHARE, hint=explain("which_quantile"), step=0.05)
    # What is audited carries no noise: of the scenario nothing has a part in it.
    return {"scenario": Scenario(), **asked, **panel_fields.choose(table), "masked": _masked(table)}


def _masked(table: Table) -> bool:
    """Return whether names are hidden: before an audience always, of a file until the reader asks for them."""
    if talk_is_on():
        return True
    if is_own(table):
        if st.session_state.get(_SHOWN_OF) != table.digest:  # another file
            settings.put_all({SHOW_OWN: False, SHOW_ANSWERS: False})
            st.session_state[_SHOWN_OF] = table.digest
        return not controls.switch(SHOW_OWN, hint=explain("masked"))
    return controls.switch(MASK, hint=explain("masked"))
