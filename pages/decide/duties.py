"""The section "Duties": the list of a reviewer, with a box for each question that only the reader can answer."""

from __future__ import annotations

import streamlit as st

from pages.shared import badges
from pages.shared.page import Section
from pages.shared.settled_duties import TICKED, in_order
from par_core.decision import Duty
from par_core.questions.decide.duties import Duties, DutiesAnswer, says
from par_core.questions.glossary import explain
from par_core.scenario import Scenario


def ask(scenario: Scenario) -> Duties:
    return Duties(scenario, TICKED.value())


def draw_list(_: Section, answer: DutiesAnswer) -> None:
    """Draw what a reviewer asks, with a box for what only the reader can answer."""
    for each in answer.in_state("against"):
        _line("**Fails:**", each)
    left, right = st.columns(2, gap="large")
    with left:
        still = answer.in_state("open")
        ticked = f"**Only you can answer** · {len(answer.ticked)} of {len(still)} ticked"
        st.markdown(ticked, help=explain("duties_open"))
        for each in still:
            _box(each, each.key in answer.question.ticked)
    with right:
        st.markdown(f"**Answered by your {answer.question.scenario.noun}**")
        for each in answer.in_state("answered"):
            _line("✓", each)


def _line(mark: str, duty: Duty) -> None:
    st.markdown(says(duty, f"{mark} {duty.question}  \n").marked(badges.of), help=_where(duty))


def _box(duty: Duty, ticked: bool) -> None:
    key = f"_settled_{duty.key}"
    st.session_state[key] = ticked

    def turned(keys: tuple[str, ...]) -> tuple[str, ...]:
        rest = [each for each in keys if each != duty.key]
        return in_order([*rest, duty.key] if st.session_state[key] else rest)

    st.checkbox(duty.question, key=key, on_change=TICKED.change, args=(turned,), help=_where(duty))
    if duty.says:
        st.caption(duty.says)


def _where(duty: Duty) -> str:
    return f"NIST SP 800-226, {duty.section}."
