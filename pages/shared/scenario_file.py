"""The scenario as a file: saved, sent to somebody, read again, also where an older version wrote it."""

from functools import partial

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.shared import downloads, wish_fields
from pages.shared.plan import take_wish
from pages.shared.settings import MINE, PLAN, WISHES, present_scenario, put_all, put_scenario, single_scenario, touch
from pages.shared.settled_duties import TICKED
from pages.shared.words import literal
from par_core.deployment import settings as deployment
from par_core.errors import DataError, ParameterError
from par_core.scenario import from_file, plan_in, wishes_in

_FIELD, _SAID = "scenario_file", "_scenario_file_said"


def draw() -> None:
    """Draw the download of the present scenario, and the field that takes one back where files can be opened."""
    hint = (
        "What this sidebar holds, your plan and your wishes; no table or name of one. Ticks are in the link: Copy link."
    )
    wishes = {} if wish_fields.are_examples() else wish_fields.as_in_link()
    if PLAN.value() and WISHES.value():
        wishes[WISHES.key] = WISHES.write(WISHES.value())
    make = partial(single_scenario().to_file, wishes, PLAN.write(PLAN.value()))
    downloads.button("Save scenario", make, "scenario.json", key="save_scenario", hint=hint)
    if not deployment().uploads:
        return
    st.file_uploader("Open a scenario", type="json", key=_FIELD, on_change=_open, max_upload_size=1)
    of, problem, text = st.session_state.get(_SAID, (None, False, ""))
    if of == present_scenario():  # what was said is of then
        (st.error if problem else st.caption)(text)


def _open() -> None:
    session = st.session_state
    session.pop(_SAID, None)
    if not isinstance(file := session[_FIELD], UploadedFile):
        return
    try:
        scenario, missing = from_file(file.getvalue())
        texts = wishes_in(file.getvalue())
        of_plan = WISHES.read(texts.pop(WISHES.key, ""))
        wishes = wish_fields.read(texts)
        plan = PLAN.read(plan_in(file.getvalue()))
    except (DataError, ParameterError) as error:
        session[_SAID] = present_scenario(), True, f"Nothing was changed: {literal(str(error))}."
        return
    put_scenario(scenario)
    put_all({**wishes, PLAN: plan, WISHES: of_plan, TICKED: TICKED.default, MINE: MINE.default})
    take_wish()
    touch(wishes)
    older = f" Not in the file, so as in the example: {', '.join(missing)}." if missing else ""
    also = " and ".join(["its plan"] * bool(plan) + ["its wishes"] * bool(wishes))
    session[_SAID] = (
        present_scenario(),
        False,
        f"The scenario of the file is open{f', with {also}' * bool(also)}.{older}",
    )
