"""The steward's scenario in the sidebar, the same on every page."""

from typing import Any

import streamlit as st

from pages.shared import controls
from pages.shared.glossary import explain
from pages.shared.settings import Setting, put_all, scenario_settings, switch
from par_core.errors import ParameterError
from par_core.scenario import FIELDS, Neighbours, Scenario

PRESENT: Setting[bool] = switch("present", "Presenter view")

_NEIGHBOUR_WORDS = {
    Neighbours.REPLACE_ONE.value: "Replaced by another",
    Neighbours.ADD_OR_REMOVE.value: "Added or removed",
}


def draw() -> None:
    """Draw the scenario: ε₀ first, the rest in groups."""
    by_name = {field.name: setting for field, setting in zip(FIELDS, scenario_settings(), strict=True)}
    _open_group()
    with st.sidebar:
        st.subheader("Your scenario")
        controls.stepped(by_name["epsilon0"], hint=explain("epsilon0"))
        st.caption("← more private · more accurate →")
        for key, label, fields in _GROUPS:
            # A closed group is not drawn: its values are kept all the same, and every update is shorter.
            with st.expander(label, key=f"group_{key}", on_change="rerun") as group:
                if group.open:
                    fields(by_name)
        hint = "The health centre of the paper, section 5.3: ε₀ = 0.5, one count, 100 staff."
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


def _query(by_name: dict[str, Setting[Any]]) -> None:
    controls.whole(by_name["k"], hint=explain("k"))
    controls.number(by_name["sensitivity"], hint=explain("sensitivity"), step=1.0)
    _neighbours(by_name["neighbours"])
    controls.whole(by_name["rows_per_person"], hint=explain("rows_per_person"))


def _releases(by_name: dict[str, Setting[Any]]) -> None:
    controls.whole(by_name["statistics"], hint=explain("statistics"))
    controls.whole(by_name["releases"], hint=explain("releases"))
    controls.number(by_name["delta"], hint=explain("delta"), step=1e-6)


def _money(by_name: dict[str, Setting[Any]]) -> None:
    controls.whole(by_name["stakeholders"], hint=explain("stakeholders"))
    controls.number(by_name["compensation"], hint=explain("compensation"), step=100.0)
    _currency(by_name["currency"])


def _neighbours(setting: Setting[Neighbours]) -> None:
    setting.value()
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
    put_all(
        {setting: getattr(Scenario(), field.name) for field, setting in zip(FIELDS, scenario_settings(), strict=True)}
    )


_OPEN_ON = {"budget_minimiser": "money"}
_GROUPS = (("query", "Query and people", _query), ("releases", "Releases", _releases), ("money", "Money", _money))
