"""Input widgets bound to settings: each keeps its value on other pages and in closed tabs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from pages.shared.settings import MOST_NUMBERS, Setting, keep, usable
from pages.shared.words import literal
from par_core.errors import ParameterError

# Fifteen digits show every typed value as it was typed and no rounding noise behind it.
_ANY_NUMBER = "%.15g"
_WHOLE_PAGE = "_whole_page_wanted"


def number(setting: Setting[float], *, hint: str, step: float | None = None) -> float:
    """Draw a field for any number; returns the present value. A value out of range is named, and the last good one stays."""
    _number_field(setting, _ANY_NUMBER, hint=hint, step=step)
    return setting.value()


def whole(setting: Setting[int], *, hint: str) -> int:
    """Draw a field for a whole number; returns the present value. Refuses like `number`."""
    _number_field(setting, None, hint=hint, step=1)
    return setting.value()


def _number_field(setting: Setting[Any], form: str | None, *, hint: str, step: float | None) -> None:
    setting.hold()
    if st.session_state[setting.held] is None:  # emptied in a field that may be empty
        setting.put(setting.value())
    st.number_input(
        setting.label,
        value=None,
        step=step,
        format=form,
        key=setting.held,
        help=hint,
        on_change=partial(_check, setting),
        persist_state="session",
    )
    refused, stays = st.session_state.get(_refused(setting), (None, None))
    if refused is not None and stays == setting.value():
        st.error(f"{refused:.10g} cannot be used: it must be {setting.allowed}. {stays:.10g} stays.")


def _check(setting: Setting[Any]) -> None:
    """Put the last good value back if the new one cannot be used. The widget itself would refuse with a red sign alone."""
    value = st.session_state[setting.held]
    try:
        setting.put(setting.read(setting.write(value)))
    except ParameterError:
        setting.put(setting.kept())
        if value is not None:  # an emptied field asks for nothing
            st.session_state[_refused(setting)] = value, setting.value()
    else:
        keep([setting])  # what stays if the next one is refused, also of a file, whose settings no link holds
        st.session_state.pop(_refused(setting), None)


def _refused(setting: Setting[Any]) -> str:
    return f"_{setting.held}_refused"


def beside(setting: Setting[Any], label: str, *, hint: str) -> None:
    """Draw a second field for a number of the sidebar, beside what it is about on a page.

    Its key holds the present value: what a slow browser still brings under the key of an old one changes nothing.
    """
    value = setting.value()
    key = f"{setting.held}_beside_{value}"
    st.session_state[key] = value

    def typed() -> None:
        setting.put(st.session_state[key])
        ask_for_the_whole_page()

    kind = type(value)
    least, most, step = (
        kind(each) for each in (setting.at_least or 0, setting.at_most or 0, 1 if kind is int else 0.1)
    )
    form = None if kind is int else _ANY_NUMBER
    st.number_input(label, least, most, step=step, format=form, key=key, help=hint, on_change=typed)


def choice(setting: Setting[str], *, hint: str | None = None, words: Callable[[str], str] = str) -> str:
    """Draw a row of buttons for a few alternatives; returns the chosen one."""
    setting.hold()
    chosen: str | None = st.segmented_control(
        setting.label,
        setting.options,
        format_func=words,
        key=setting.held,
        help=hint,
        required=True,
        wrap=True,
        persist_state="session",
    )
    return chosen or setting.default


def choices(setting: Setting[list[str]], *, hint: str, words: Callable[[str], str] = str) -> list[str]:
    """Draw a button for each of a few alternatives; returns those that are on, in the order of the options."""
    setting.hold()
    chosen: list[str] = st.pills(
        setting.label,
        options=setting.options,
        selection_mode="multi",
        format_func=words,
        key=setting.held,
        help=hint,
        wrap=True,
        persist_state="session",
    )
    return [each for each in setting.options if each in chosen]


def select(setting: Setting[str], *, hint: str, words: Callable[[str], str] = str) -> str:
    """Draw a list that unfolds, for more alternatives than a row of buttons holds; returns the chosen one."""
    setting.hold()
    st.selectbox(
        setting.label, setting.options, format_func=words, key=setting.held, help=hint, persist_state="session"
    )
    return setting.value()


def text(
    setting: Setting[str], *, hint: str, longest: int | None = None, placeholder: str | None = None, area: bool = False
) -> str:
    """Draw a field for text, of one line or several (`area`), of at most `longest` letters; returns what stands in it."""
    setting.hold()
    field = st.text_area if area else st.text_input
    field(
        setting.label,
        key=setting.held,
        max_chars=longest,
        help=hint,
        placeholder=placeholder,
        persist_state="session",
    )
    return setting.value()


def date(setting: Setting[dt.date | None], *, hint: str, at_first: dt.date) -> dt.date:
    """Draw the field of a date; returns it. It opens on `at_first`, and goes back to it where it is emptied."""
    if setting.value() is None:
        setting.put(at_first)
    setting.hold()
    st.date_input(setting.label, key=setting.held, help=hint, persist_state="session")
    return setting.value() or at_first


def switch(setting: Setting[bool], *, hint: str) -> bool:
    """Draw a switch; returns whether it is on."""
    setting.hold()
    st.toggle(setting.label, key=setting.held, help=hint, persist_state="session")
    return setting.value()


def number_list(setting: Setting[list[str]], *, hint: str, offers: Sequence[str]) -> list[float]:
    """Draw a list of numbers that the reader can shorten and add to; returns those that can be used, rising.

    Entries that cannot be used are named below the list and left out.
    """
    setting.hold()
    present = setting.value()
    st.multiselect(
        setting.label,
        options=list(dict.fromkeys([*offers, *present])),
        key=setting.held,
        help=f"{hint} Type a number to add it; at most {MOST_NUMBERS}.",
        max_selections=MOST_NUMBERS,
        accept_new_options=True,
        placeholder="Add a number",
        persist_state="session",
    )
    values, refused = usable(setting)
    for entry in refused:
        st.error(
            f"{literal(entry)} is left out: it must be {setting.allowed}"
            f"{'' if setting.only_whole else ', with a point for decimals'}."
        )
    return values


def button(
    label: str, change: Callable[..., None], *arguments: Any, hint: str | None = None, key: str | None = None
) -> None:
    """Draw a button that changes settings; then the whole page is drawn again, its sidebar too (see `redraw_if_asked`)."""
    st.button(label, on_click=then_redraw(change), args=arguments, help=hint, key=key)


def then_redraw(change: Callable[..., None]) -> Callable[..., None]:
    """Return a callback that changes settings, after which the whole page is drawn again."""

    def changed(*arguments: Any) -> None:
        change(*arguments)
        ask_for_the_whole_page()

    return changed


def takes(setting: Setting[Any], value: float) -> bool:
    """Return whether a number lies within the bounds of a setting."""
    return (setting.at_least or 0.0) <= value <= (setting.at_most or value)


def ask_for_the_whole_page() -> None:
    """In a callback: what was changed stands outside the part that may run alone next."""
    st.session_state[_WHOLE_PAGE] = True


def redraw_if_asked() -> None:
    """At the start of a part that runs alone: draw the whole page instead, if a button changed what stands outside the part.

    The button itself cannot tell: with another label, or gone, it is no longer the button that was pressed.
    """
    if st.session_state.pop(_WHOLE_PAGE, False):
        st.rerun(scope="app")


def whole_page_is_drawn() -> None:
    """At the start of a run of the whole page: nothing is owed to a button any more."""
    st.session_state.pop(_WHOLE_PAGE, None)
