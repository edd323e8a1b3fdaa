"""The steward's scenario in the sidebar, the same on every page."""

import streamlit as st

from pages.shared import controls, plan, plan_sidebar, scenario_file
from pages.shared.dial import dial
from pages.shared.settings import (
    MINE,
    Setting,
    put_all,
    put_scenario,
    scenario_setting,
    scenario_settings,
    switch,
    untouch,
)
from pages.shared.settled_duties import TICKED
from pages.shared.words import mechanism_name
from par_core.errors import ParameterError
from par_core.mechanisms import MECHANISMS
from par_core.questions.glossary import explain
from par_core.scenario import Neighbours, Scenario

PRESENT: Setting[bool] = switch("present", "Presenter view")

_NEIGHBOUR_WORDS = {
    Neighbours.REPLACE_ONE.value: "Replaced by another",
    Neighbours.ADD_OR_REMOVE.value: "Added or removed",
}


def talk_is_on() -> bool:
    """Return whether an audience looks on: it sees the dial of the talk alone, and nothing that is the reader's own."""
    return PRESENT.value()


def draw() -> None:
    """Draw the scenario: ε₀ first, the rest in groups."""
    _open_group()
    with st.sidebar:
        planned = bool(plan.releases())
        st.subheader("Your plan" if planned else "Your scenario")
        dial(scenario_setting("epsilon0"), hint=explain("epsilon0_of_plan" if planned else "epsilon0"))
        st.caption("← more private · more accurate →")
        if planned:
            plan_sidebar.draw()
        if not planned or _drafts():
            _mechanism(scenario_setting("mechanism"), "Mechanism of the next release" if planned else "")
        for key, (label, *names) in _groups().items():
            # A closed group is not drawn: its values are kept all the same, and every update is shorter.
            with st.expander(label, key=f"group_{key}", on_change="rerun") as group:
                if group.open:
                    for name in names:
                        _field(name)
        with st.expander("Scenario file", key="group_file", on_change="rerun") as group:
            if group.open:
                scenario_file.draw()
        hint = "The health centre of the paper, section 5.3: ε₀ = 0.5, one count, 100 staff. It closes a plan."
        controls.button("Reset to the example", _reset, hint=hint)
        controls.switch(PRESENT, hint=explain("present"))


def _open_group() -> None:
    """Open the group whose numbers a page is about when the reader comes to that page; afterwards it is the reader's."""
    session = st.session_state
    here = session.get("_address_page")
    if session.get("_sidebar_page") != here:
        session["_sidebar_page"] = here
        if here in _OPEN_ON:
            session[f"group_{_OPEN_ON[here]}"] = True


def _drafts() -> bool:
    """Return whether the page that is open makes up a release."""
    return bool(st.session_state.get("_address_page") == "your_table")


def _groups() -> dict[str, tuple[str, ...]]:
    """Return the groups of fields: of a plan without what each of its releases says itself."""
    return _OF_PLAN if plan.releases() and not _drafts() else _GROUPS


def _field(name: str) -> None:
    setting = scenario_setting(name)
    if name == "neighbours":
        _neighbours(setting)
    elif name == "currency":
        _currency(setting)
    elif name in _STEPS:
        controls.number(setting, hint=explain(name), step=_STEPS[name])
    else:
        controls.whole(setting, hint=explain(name))


def _mechanism(setting: Setting[str], label: str) -> None:
    setting.hold()
    st.selectbox(
        label or setting.label,
        list(MECHANISMS),
        format_func=mechanism_name,
        key=setting.held,
        help=explain("mechanism"),
        persist_state="session",
    )


def _neighbours(setting: Setting[Neighbours]) -> None:
    setting.hold()
    st.radio(
        setting.label,
        options=list(Neighbours),
        format_func=lambda value: _NEIGHBOUR_WORDS[str(value)],
        key=setting.held,
        help=explain("neighbours"),
        persist_state="session",
    )


def _currency(setting: Setting[str]) -> None:
    """Draw the field for the currency; text that is no currency is named, and the last good one stays in force."""
    good = setting.value()
    field, last_good = "_currency_typed", "_currency_good"
    if st.session_state.get(last_good) != good:  # set by a link, a button, or for the first time
        st.session_state[field] = st.session_state[last_good] = good

    def on_typed() -> None:
        try:
            setting.put(setting.read(st.session_state[field].strip().upper()))
        except ParameterError:
            return  # named below the field

    typed = st.text_input(
        setting.label, key=field, max_chars=3, help=explain("currency"), on_change=on_typed, persist_state="session"
    )
    if typed != good:
        st.error(f"A currency is three letters such as EUR. {good} stays in force.")


def _reset() -> None:
    put_scenario(Scenario())
    put_all({each: each.default for each in (TICKED, MINE)})
    untouch(scenario_settings())


_OPEN_ON = {"budget_minimiser": "money"}
_GROUPS = {
    "query": ("Query and people", "k", "sensitivity", "neighbours", "rows_per_person"),
    "releases": ("Releases", "statistics", "releases", "delta"),
    "money": ("Money", "stakeholders", "compensation", "currency"),
}
_OF_PLAN = {"query": ("People", "neighbours"), "releases": ("All releases", "delta"), "money": _GROUPS["money"]}
_STEPS = {"sensitivity": 1.0, "delta": 1e-6, "compensation": 100.0}  # of what is no whole number
