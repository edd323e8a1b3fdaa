"""A tour of two minutes: a few stops over the real pages, each with one sentence. A link starts it; it can be left at any stop."""

from typing import NamedTuple

import streamlit as st

from pages.shared import navigation, settings
from pages.shared.navigation import PageInfo


class Stop(NamedTuple):
    """A page, its section, and what is said there."""

    module: str
    section: str
    words: str


STOPS = (
    Stop("overview", "overview", "Start with the answer: which ε₀ meets your wishes, and whether yours will do."),
    Stop(
        "decide", "decide", "Switch on what you wish for and turn its dial: where all bars overlap lies the ε₀ to take."
    ),
    Stop(
        "decide",
        "odds",
        "The same ε₀ in plain numbers: how often a release points to you, if you are in the data or not.",
    ),
    Stop("your_table", "plan", "See how far off your own numbers will be, before anything is published."),
    Stop("explicit_risk", "truth", "What a paper promises of one release, and the truth: rely on the dark curve."),
    Stop("composition", "plan", "Each release about the same people spends privacy: plan how many you can make."),
    Stop(
        "decide",
        "decide",
        "Take it with you: put ε₀ into your scenario; the row at the end of this page holds the decision report for your director.",
    ),
)
STOP = settings.whole("tour", "The stop of the tour", 0, at_least=0, at_most=len(STOPS))
"""Which stop is open, from 1; 0 is no tour."""

_WENT_TO = "_tour_went_to"  # the stop that was gone to last


def go_to(number: int) -> None:
    """In a callback: open a stop, from 1, in the next run; 0 leaves the tour where the reader is."""
    STOP.put(number)
    st.session_state.pop(_WENT_TO, None)


def follow(info: PageInfo) -> None:
    """Go where the stop is that a button or a link asks for; once in a run, before anything is drawn.

    Who then walks off is let go: nothing pulls them back.
    """
    number, session = STOP.value(), st.session_state
    if number == session.get(_WENT_TO, 0):
        return
    session[_WENT_TO] = number
    if number:
        there, label = _place(STOPS[number - 1])
        there.load().tab.put(label)
        if there != info:
            session["_address_page"] = there.module  # what was refused of the link is still to be said there
            navigation.go_to(there)


def draw(info: PageInfo) -> None:
    """Draw the bar of the open stop, if the reader is on the tour."""
    if not (number := STOP.value()):
        return
    stop = STOPS[number - 1]
    is_here = _place(stop) == (info, info.load().tab.value())
    with st.container(horizontal=True, vertical_alignment="center", key="tour_bar"):
        with st.container(horizontal=True, vertical_alignment="center", width="content"):
            if is_here:
                _button("Back", number - 1, disabled=number == 1)
                _button("Next", number + 1, disabled=number == len(STOPS))
            else:
                _button("Return to the tour", number)
            _button("Leave the tour", 0)
            st.caption(f"{number} of {len(STOPS)}", width="content")
        # The sentence stands after the buttons, so that these stay in their place from stop to stop.
        st.markdown(stop.words if is_here else "You have left the tour.")


def _place(stop: Stop) -> tuple[PageInfo, str]:
    info = PageInfo(stop.module)
    (section,) = (each for each in info.load().sections if each.slug == stop.section)
    return info, section.label


def _button(label: str, number: int, *, disabled: bool = False) -> None:
    st.button(label, on_click=go_to, args=(number,), disabled=disabled, key=f"tour_{label.split()[0].lower()}")
