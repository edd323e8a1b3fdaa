"""The sections of a page: tabs for a reader; for a presenter a talk, one picture at a time."""

from functools import partial
from pathlib import Path

import streamlit as st

from pages.shared import asked, controls, links, section_downloads, settings
from pages.shared.component import component
from pages.shared.dial import dial
from pages.shared.error_reports import guarded
from pages.shared.navigation import PAGES, PageInfo, go_to
from pages.shared.page import Page, Section
from pages.shared.scenario_sidebar import PRESENT, talk_is_on
from pages.shared.settings import one_run, scenario_setting
from pages.shared.turns import turn
from par_core.questions.glossary import explain
from par_core.questions.question import Answer

DIAL = settings.choice("dial", "Dial", ("scenario", "own"))

_keys = component("presenter_keys", js=(Path(__file__).parent / "presenter.js").read_text(encoding="utf-8"))


def show(page: Page) -> None:
    """Draw the open section of a page; only this one computes, and a control in it runs it alone."""
    sections = {section.label: section for section in page.sections}
    if len(sections) == 1:
        section_downloads.draw(page.sections[0], _draw(page.sections[0]))
        return
    page.tab.hold()
    for tab, section in zip(st.tabs(list(sections), key=page.tab.held, on_change="rerun"), page.sections, strict=True):
        if tab.open:
            with tab:
                _run(section)


def present(page: Page, info: PageInfo) -> None:
    """Draw one stop of a talk, and below it next and previous and the dial; past the last stop comes the next page.

    presenter.css shows of a section what comes up to its first chart. A section that is no stop is one while it is open.
    """
    (section,) = (each for each in page.sections if each.label == page.tab.value())
    if len(page.sections) == 1:
        st.markdown(f"## {page.question}")
    _run(section)
    stops = [each for each in page.sections if each in page.talk or each == section]
    at, here = stops.index(section), PAGES.index(info)

    def move(step: int) -> None:
        if 0 <= at + step < len(stops):
            page.tab.put(stops[at + step].label)
        elif 0 <= here + step < len(PAGES):
            beside = PAGES[here + step].load()
            beside.tab.put(beside.talk[0 if step > 0 else -1].label)
            st.session_state["_next_page"] = here + step

    def on_key() -> None:
        pressed = st.session_state.get("presenter_keys")  # gone where the page is left at this moment
        if pressed is not None and pressed["move"] in (-1, 1):
            move(pressed["move"])

    with st.container(horizontal=True, vertical_alignment="center", key="presenter_bar"):
        st.button("Previous", on_click=move, args=(-1,), disabled=at == 0 and here == 0)
        st.button("Next", on_click=move, args=(1,), disabled=at == len(stops) - 1 and here == len(PAGES) - 1)
        st.title(info.title, anchor=False)
        if len(stops) > 1:
            st.markdown(f"{at + 1} of {len(stops)}", width="content")
        _dial(page, section)
        st.button("Leave presenter view", on_click=PRESENT.put, args=(False,), type="tertiary", key="leave_talk")
        with st.container(key="hidden_presenter_keys"):
            _keys(key="presenter_keys", on_move_change=on_key)


def _dial(page: Page, section: Section) -> None:
    """Draw the dial that the presenter chooses: that of the scenario, or none where presenter.css puts the section's own."""
    of_scenario = page.of_scenario and section.of_scenario
    if section.dial and of_scenario:
        controls.choice(DIAL, words={"scenario": "ε₀", "own": section.dial}.__getitem__)
    if of_scenario and not (section.dial and DIAL.value() == "own"):
        with st.container(horizontal=True, key="scenario_dial"):
            dial(scenario_setting("epsilon0"), hint=explain("epsilon0"))


def follow_presenter() -> None:
    """Go to the page that the presenter's keys asked for in the last run, if any."""
    if "_next_page" in st.session_state:
        go_to(PAGES[st.session_state.pop("_next_page")])


@st.fragment
@turn()
@one_run()
def _run(section: Section) -> None:
    controls.redraw_if_asked()
    answer = guarded(partial(_draw, section))
    if not talk_is_on():
        section_downloads.draw(section, answer)
    links.publish_again(section.slug)


def _draw(section: Section) -> Answer | None:
    return section.draw(section.scenario()) if section.draw else asked.draw(section)
