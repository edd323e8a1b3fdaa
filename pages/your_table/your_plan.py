"""Your plan: its releases, how far off each may be, how often it is made, and what they come to."""

from __future__ import annotations

import streamlit as st

from pages.shared import controls, plan
from pages.shared.words import mechanism_name
from pages.your_table import open_plan
from pages.your_table.copied_list import REVEALS
from pages.your_table.into_plan import guess_field, then
from par_core.errors import InfeasibleError
from par_core.mechanisms import NOISES
from par_core.plan import Release
from par_core.questions.glossary import explain
from par_core.questions.your_table.your_plan import YourPlan
from par_core.scenario import Scenario

_NONE_YET = "So far your scenario is the plan. Choose a statistic on “How far off”, and put it into the plan."


def ask(scenario: Scenario) -> YourPlan:
    """Draw the releases with what can be said of each."""
    releases = plan.releases()
    if not releases:
        st.caption(_NONE_YET)
        open_plan.draw()
        return YourPlan(scenario)
    for at, (name, release, asked) in enumerate(zip(plan.names(), releases, plan.asked(), strict=True)):
        with st.container(border=True, key=f"planned_{at}"):
            st.markdown(f"**{name}**")
            if asked is not None and asked.copied:
                st.warning(f"{REVEALS} Remove this release and add it again with such a list.")
            _fields(at, release, release.shape.is_pair(scenario.neighbours))
            controls.button("Remove", plan.remove, at, key=f"remove_{at}")
    open_plan.draw()
    if why := plan.problem():
        raise InfeasibleError(why)
    return YourPlan(scenario, plan.wishes())


def _fields(at: int, release: Release, is_pair: bool) -> None:
    error, times, kind = f"_wish_{at}", f"_times_{at}", f"_kind_{at}"
    session = st.session_state
    session[error], session[times], session[kind] = plan.wishes()[at], release.times, release.mechanism
    if release.shape.is_selection:
        st.caption("Chosen by permute and flip: it gets no noise.")
    else:
        st.selectbox(
            "Mechanism",
            list(NOISES),
            format_func=mechanism_name,
            key=kind,
            help=explain("mechanism"),
            on_change=then(lambda: plan.change(at, mechanism=session[kind])),
        )
    st.number_input(
        "Largest error that will do" + ", in ranks" * release.shape.is_selection,
        1e-9,
        1e12,
        value=None,
        format="%.10g",
        key=error,
        placeholder="No wish",
        help=explain("wished_error"),
        on_change=then(lambda: plan.wish(at, session[error])),
    )
    st.number_input(
        "How often",
        1,
        1_000_000,
        key=times,
        help=explain("releases"),
        on_change=then(lambda: plan.change(at, times=session[times])),
    )
    if is_pair:
        guess_field(at, f"_guess_{at}")
