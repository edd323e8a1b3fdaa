"""The present decision in one picture and one sentence, with the way to the page that makes it, and the tour."""

from __future__ import annotations

import streamlit as st

from pages.shared import answers, badges, navigation, tour
from pages.shared.chart import show
from pages.shared.words import as_sentence
from par_core.errors import InfeasibleError, ParameterError
from par_core.questions.blocks import Chart, Words
from par_core.questions.overview.cards import Overview


def draw(overview: Overview) -> bool:
    """Draw it; returns whether there is a decision."""
    with st.container(border=True, key="present_decision"):
        try:
            told = answers.told(overview.decision)
        except (ParameterError, InfeasibleError) as error:
            st.warning(as_sentence(str(error)))
            _ways_on()
            return False
        headline, *rest = told.story()
        assert isinstance(headline, Words)
        st.markdown(f"## {headline.marked(badges.of)}")
        picture, side = st.columns([3, 2], vertical_alignment="center") if rest else (st.container(), st.container())
        for block in rest:
            if isinstance(block, Chart):
                with picture:
                    height, alt = told.drawing(block).layout.get("height"), block.alt.told()
                    show(block.key, told.json(block), height=height, alt=alt, source="", compact=True)
            elif isinstance(block, Words):
                side.markdown(block.marked(badges.of))
        answers.weigh(told)
        with side:
            _ways_on()
    return True


def _ways_on() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(key="way_on", width="content"):
            st.page_link(navigation.entry("decide"), label="Decide", width="content")
        st.button("Two-minute tour", on_click=tour.go_to, args=(1,), type="tertiary", key="start_tour")
