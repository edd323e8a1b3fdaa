"""Numbers of the scenario that a page asks for beside its chart too: the same value as in the sidebar, in step with it."""

import streamlit as st

from pages.shared.settings import scenario_setting
from par_core.errors import ParameterError
from par_core.scenario import Scenario

_CHANGED = "_scenario_changed_here"


def field(scenario: Scenario, name: str, label: str, *, hint: str) -> None:
    """Draw a field for a number of the present scenario, under its own label. One out of range is named, and the last good one stays."""
    setting, session = scenario_setting(name), st.session_state
    if session.pop(_CHANGED, False):
        st.rerun(scope="app")  # the sidebar and the head of the page show it too
    key, refused = f"{setting.held}_here", f"_{setting.held}_here_refused"
    value = session[key] = getattr(scenario, name)

    def take() -> None:
        typed = session[key]
        session.pop(refused, None)
        session[_CHANGED] = True
        try:
            if typed is not None:  # an emptied field asks for nothing
                setting.put(setting.read(setting.write(typed)))
        except ParameterError:
            session[refused] = typed

    step, form = (1, None) if isinstance(setting.default, int) else (None, "%.15g")
    st.number_input(label, value=None, step=step, format=form, key=key, help=hint, on_change=take)
    if refused in session:
        st.error(f"{session[refused]:.10g} cannot be used: it must be {setting.allowed}. {value:.10g} stays.")
