"""Sensitivity: which exercise with whose numbers, and what the learner says, which the session alone holds."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.mechanism_lab.lab_settings import toy_setting
from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.scenario_sidebar import talk_is_on
from par_core.errors import ParameterError
from par_core.lab.sensitivity import QUERIES, read
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.sensitivity import HowFarItMoves
from par_core.scenario import Neighbours, Scenario

EXERCISE = toy_setting("lx", HowFarItMoves, "number")
NEIGHBOURS = settings.following(
    settings.choice("lxn", "Neighbours", tuple(Neighbours)), lambda scenario: scenario.neighbours.value
)
VARIANT = toy_setting("lxv", HowFarItMoves, "variant")

_LAST = len(QUERIES)
_WORDS = {Neighbours.REPLACE_ONE: "Replace one", Neighbours.ADD_OR_REMOVE: "Add or remove"}


def ask(scenario: Scenario) -> HowFarItMoves:
    number = int(dial(EXERCISE, hint=explain("sensitivity_exercise"), steps=tuple(range(1, _LAST + 1))))
    neighbours = NEIGHBOURS.value()
    if not QUERIES[number - 1].fixed:
        neighbours = controls.choice(
            NEIGHBOURS, hint=explain("neighbours"), words=lambda each: _WORDS[Neighbours(each)]
        )
    question = HowFarItMoves(scenario, number, settings.own(NEIGHBOURS, neighbours), VARIANT.value(), answered=False)
    memory = _memory(question)
    if not talk_is_on():
        _field(question, memory)
    said = memory.get("said")
    is_told = "shown" in memory or (said is not None and question.exercise.judge(said) == "right")
    with st.container(horizontal=True):
        if not is_told:
            st.button("Show the answer", on_click=memory.update, kwargs={"shown": True}, key="sensitivity_shown")
        if number < _LAST:
            st.button("Next exercise", on_click=EXERCISE.put, args=(number + 1,))
    controls.whole(VARIANT, hint=explain("exercise_variant"))
    return replace(question, said=said, answered=is_told)


def _field(question: HowFarItMoves, memory: dict[str, Any]) -> None:
    """Draw the field for the answer."""
    key = f"sensitivity {_name(question)}"
    st.session_state.setdefault(
        key, memory.get("typed", "")
    )  # Streamlit forgets a field that was not drawn for a while

    def check() -> None:
        memory["typed"] = st.session_state[key]
        try:
            memory["said"] = float(read(memory["typed"]))
        except ParameterError:
            memory["said"] = None

    with st.form("sensitivity", border=False):
        st.text_input("At most by", key=key, help=explain("sensitivity_answer"), autocomplete="off")
        st.form_submit_button("Check", on_click=check)
    if "typed" in memory and memory["said"] is None:
        st.info("Write a number above 0 such as 2.5 or 5/2.")


def _memory(question: HowFarItMoves) -> dict[str, Any]:
    every: dict[str, dict[str, Any]] = st.session_state.setdefault("_sensitivity", {})
    return every.setdefault(_name(question), {})


def _name(question: HowFarItMoves) -> str:
    return f"{question.number} {question.changes} {question.variant}"
