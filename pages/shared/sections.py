"""The sections of a page: tabs for a reader, one at a time with next and previous for a presenter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.shared import links
from pages.shared.controls import redraw_if_asked
from pages.shared.error_reports import guarded
from pages.shared.navigation import PAGES, PageInfo, go_to
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.settings import Setting
from par_core.errors import ParameterError

_keys = st.components.v2.component(
    "privacy_at_risk_presenter_keys",
    js=(Path(__file__).parent / "presenter.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Section:
    """One section: its name in the address, its label, and what draws it."""

    slug: str
    label: str
    draw: Callable[[], None]


def setting(page: str, sections: Sequence[Section]) -> Setting[str]:
    """Return the setting that holds the label of the open section of a page; the first section is the default."""
    labels = {section.slug: section.label for section in sections}
    slugs = {section.label: section.slug for section in sections}

    def read(text: str) -> str:
        if text not in labels:
            raise ParameterError(f"the section must be one of {', '.join(labels)}, got {text[:40]!r}")
        return labels[text]

    return Setting("tab", "the section", sections[0].label, read, slugs.__getitem__, own_key=f"tab_{page}")


def show(sections: Sequence[Section], chosen: Setting[str]) -> None:
    """Draw the open section of a page; only this one computes, and a control in it runs it alone."""
    labels = [section.label for section in sections]
    label = chosen.value()
    if PRESENT.value():
        _run(sections[labels.index(label)])
        return
    for tab, section in zip(st.tabs(labels, key=chosen.held, on_change="rerun"), sections, strict=True):
        if tab.open:
            with tab:
                _run(section)


def presenter_bar(sections: Sequence[Section], chosen: Setting[str] | None, page: PageInfo) -> None:
    """Draw next and previous and hear the keys for them; past the last section comes the next page."""
    labels = [section.label for section in sections] or [page.title]
    at = labels.index(chosen.value()) if chosen else 0
    here = PAGES.index(page)

    def move(step: int) -> None:
        if chosen and 0 <= at + step < len(labels):
            chosen.put(labels[at + step])
        elif 0 <= here + step < len(PAGES):
            _enter(PAGES[here + step], forward=step > 0)
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


def _enter(page: PageInfo, *, forward: bool) -> None:
    """Open a page at its first section, or at its last one for a presenter who walks back."""
    module = page.load()
    if hasattr(module, "TAB"):
        module.TAB.put(module.SECTIONS[0 if forward else -1].label)


def follow_presenter() -> None:
    """Go to the page that the presenter's keys asked for in the last run, if any."""
    if "_next_page" in st.session_state:
        go_to(PAGES[st.session_state.pop("_next_page")])


@st.fragment
def _run(section: Section) -> None:
    redraw_if_asked()
    guarded(section.draw)
    links.publish_again(section.slug)
