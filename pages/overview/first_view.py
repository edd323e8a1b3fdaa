"""The present decision in one picture and one sentence, with the way to the page that makes it, and the tour."""

from __future__ import annotations

import streamlit as st

from pages.shared import navigation, present_decision, tour
from pages.shared.chart import chart
from pages.shared.release import is_possible
from pages.shared.say import paragraph
from pages.shared.settings import present_scenario
from pages.shared.words import as_sentence
from par_core.decision import LARGEST, Decision
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures import decide as figures
from par_core.figures import decision_words as words
from par_core.scenario import Scenario

_NAMED = 2  # wishes that the sentence names


def draw() -> None:
    with st.container(border=True, key="present_decision"):
        found = _found()
        if found is None or not found.wishes:
            _ways_on()
            return
        picture, side = st.columns([3, 2], vertical_alignment="center")
        scenario = present_scenario()
        with picture:
            chart(
                figures.small_decision(found, epsilon0=scenario.epsilon0, currency=scenario.currency),
                "small_decision",
                alt=f"For each wish the levels ε₀ that meet it, and your ε₀ = {scenario.epsilon0:g} as a line.",
                compact=True,
            )
        with side:
            _sentence(found, scenario)
            _ways_on()


def _found() -> Decision | None:
    """Return the decision with its headline drawn; None where the scenario allows none, and why is drawn."""
    if not is_possible():
        return None
    try:
        found = present_decision.found()
    except (ParameterError, InfeasibleError) as error:
        st.warning(as_sentence(str(error)))
        return None
    own = present_scenario().epsilon0
    will = "will not do" if found.missed(own) else "will do"
    if own > LARGEST == found.high:
        will = "is not checked"
    st.markdown(present_decision.headline(found, then=f"your {words.own_level(own)} {will}"))
    return found


def _sentence(found: Decision, scenario: Scenario) -> None:
    """Say what the levels to take promise, or what the two wishes that collide would have to give."""
    if found.possible:
        named = [words.promise_of(*each, scenario) for each in zip(found.wishes, found.bands, strict=True)][:_NAMED]
        others = len(found.wishes) - _NAMED
        also = f", with {others} more wish{'es' * (others > 1)} met" if others > 0 else ""
        paragraph("Then {promised}{also}.", promised=" and ".join(named), also=also, standing_of=found)
    elif found.collision is not None:
        given = words.would_give(found, scenario.currency)
        paragraph("{given}.", given=given, standing_of=found.collision)


def _ways_on() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(key="way_on", width="content"):
            st.page_link(navigation.entry("decide"), label="Decide", width="content")
        st.button("Two-minute tour", on_click=tour.go_to, args=(1,), type="tertiary", key="start_tour")
