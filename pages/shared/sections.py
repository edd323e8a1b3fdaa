"""The sections of a page: tabs for a reader, one at a time with next and previous for a presenter."""

from pathlib import Path

import streamlit as st

from pages.shared import links
from pages.shared.controls import redraw_if_asked
from pages.shared.error_reports import guarded
from pages.shared.navigation import PAGES, PageInfo, go_to
from pages.shared.page import Page, Section
from pages.shared.scenario_sidebar import PRESENT

_keys = st.components.v2.component(
    "privacy_at_risk_presenter_keys",
    js=(Path(__file__).parent / "presenter.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def show(page: Page) -> None:
    """Draw the open section of a page; only this one computes, and a control in it runs it alone."""
    sections = {section.label: section for section in page.sections}
    if len(sections) == 1:
        page.sections[0].draw()
        return
    label = page.tab.value()
    if PRESENT.value():
        _run(sections[label])
        return
    for tab, section in zip(st.tabs(list(sections), key=page.tab.held, on_change="rerun"), page.sections, strict=True):
        if tab.open:
            with tab:
                _run(section)


def presenter_bar(page: Page, info: PageInfo) -> None:
    """Draw next and previous and hear the keys for them; past the last section comes the next page."""
    labels = [section.label for section in page.sections]
    at, here = labels.index(page.tab.value()), PAGES.index(info)

    def move(step: int) -> None:
        if 0 <= at + step < len(labels):
            page.tab.put(labels[at + step])
        elif 0 <= here + step < len(PAGES):
            beside = PAGES[here + step].load()
            beside.tab.put(beside.sections[0 if step > 0 else -1].label)
            st.session_state["_next_page"] = here + step

    def on_key() -> None:
        move(st.session_state["presenter_keys"]["move"])

    with st.container(horizontal=True, vertical_alignment="center", key="presenter_bar"):
        st.button("Previous", on_click=move, args=(-1,), disabled=at == 0 and here == 0)
        count = f"{at + 1} of {len(labels)}: " if len(labels) > 1 else ""
        st.markdown(f"{count}**{labels[at]}**", width="content")
        st.button("Next", on_click=move, args=(1,), disabled=at == len(labels) - 1 and here == len(PAGES) - 1)
        st.button("Leave presenter view", on_click=PRESENT.put, args=(False,), type="tertiary")
        with st.container(key="hidden_presenter_keys"):
            _keys(key="presenter_keys", on_move_change=on_key)


def follow_presenter() -> None:
    """Go to the page that the presenter's keys asked for in the last run, if any."""
    if "_next_page" in st.session_state:
        go_to(PAGES[st.session_state.pop("_next_page")])


@st.fragment
def _run(section: Section) -> None:
    redraw_if_asked()
    guarded(section.draw)
    links.publish_again(section.slug)
