"""Numbers of the scenario that a page asks for beside its chart too: the same value as in the sidebar, in step with it."""

from typing import Any

import streamlit as st

from pages.composition.levels_table import LARGEST, SMALLEST
from pages.shared.settings import Setting, present_scenario, scenario_setting
from pages.shared.words import level0
from par_core.errors import ParameterError
from par_core.rounding import small

_CHANGED = "_scenario_changed_here"


def field(name: str, label: str, *, hint: str) -> Any:
    """Draw a field for one number of the scenario, under a label of its own; returns the present value.

    A value out of range is named, and the last good one stays.
    """
    setting, session = scenario_setting(name), st.session_state
    if session.pop(_CHANGED, False):
        st.rerun(scope="app")  # the sidebar and the head of the page show it too
    key, refused = f"{setting.held}_here", f"_{setting.held}_here_refused"
    value = setting.value()
    session[key] = value

    def on_typed() -> None:
        _take(setting, key, refused)

    whole = isinstance(setting.default, int)
    st.number_input(
        label,
        value=None,
        step=1 if whole else None,
        format=None if whole else "%.15g",
        key=key,
        help=hint,
        on_change=on_typed,
    )
    if refused in session:
        st.error(
            f"{session[refused]:.10g} cannot be used: it must be from {setting.at_least:.10g} to {setting.at_most:.10g}. "
            f"{value:.10g} stays."
        )
    return value


def is_composed() -> bool:
    """Return whether releases at the scenario's ε₀ are composed, and say so if they are not."""
    own = present_scenario().epsilon0
    if SMALLEST <= own <= LARGEST:
        return True
    st.warning(
        f"Releases are composed for ε₀ from {small(SMALLEST)} to {LARGEST:g}. Your scenario has {level0(own)}; "
        "change it in the sidebar."
    )
    return False


def _take(setting: Setting[Any], key: str, refused: str) -> None:
    session = st.session_state
    typed = session[key]
    session.pop(refused, None)
    session[_CHANGED] = True
    if typed is None:  # an emptied field asks for nothing
        return
    try:
        setting.put(setting.read(setting.write(typed)))
    except ParameterError:
        session[refused] = typed
