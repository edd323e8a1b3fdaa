"""A plan out of a file that a reader saved on purpose: its releases, and the names of columns where their table is open."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.shared import controls, plan
from pages.shared.settings import drop_plan, put_all, scenario_setting
from pages.shared.uploads import open_own
from pages.shared.words import counted, literal
from par_core.deployment import settings as deployment
from par_core.errors import DataError, ParameterError
from par_core.plan import NamedRelease, from_toml
from par_core.plan.named import COPIED
from par_core.questions.your_table.table_question import TableQuestion
from par_core.scenario import Scenario

_FIELD, _SAID = "plan_file", "_plan_file_said"


def draw() -> None:
    """Draw the field for the file where files can be opened, and what became of it."""
    if not deployment().uploads:
        return
    with st.expander("A saved plan", key="group_plan_file", on_change="rerun") as group:
        if group.open:
            change = controls.then_redraw(_open)
            st.file_uploader("Open a plan (TOML)", type="toml", key=_FIELD, on_change=change, max_upload_size=1)
            problem, text = st.session_state.get(_SAID, (False, ""))
            (st.error if problem else st.caption)(text)


def _open() -> None:
    session = st.session_state
    session.pop(_SAID, None)
    if not isinstance(file := session[_FIELD], UploadedFile):
        return
    try:
        found, named = from_toml(file.getvalue())
        put_all({scenario_setting(name): getattr(found, name) for name in ("epsilon0", "neighbours", "delta")})
    except (DataError, ParameterError) as error:
        session[_SAID] = True, f"Nothing was changed: {literal(str(error))}."
        return
    asked = tuple(map(_asked, named))
    drop_plan()
    plan.put(found.releases, asked)
    nameless = sum(each is None for each in asked)
    said = f"The plan of {counted(len(named), 'release')} is open."
    if nameless:
        said += " Open the table with its columns first if you want the release code."
    session[_SAID] = False, said


def _asked(named: NamedRelease) -> TableQuestion | None:
    """Return what a release asks of the reader's own table, where that is open and has its columns."""
    table, query = open_own(), named.query
    needed = {*query.used_columns, *filter(None, [named.person])}
    if table is None or not needed <= {column.name for column in table.columns}:
        return None
    guess = named.release.size or TableQuestion.guess
    scenario = Scenario(rows_per_person=named.release.rows_per_person)
    lists = COPIED if named.copied else "typed by the user"
    return TableQuestion(scenario, query, named.person, named.over, guess, lists, table)
