"""The dial: one value of a setting, as a field for any number and a slider over round steps, in one element.

While it is dragged, charts that were given frames redraw in the browser (`pages/shared/scrubbing.py`); on release the value
comes here. Each value comes as an event of its own, with a count: what the browser holds besides is never taken for news, and
an answer to an older event changes nothing under the reader's hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

import streamlit as st

from pages.shared.component import component
from pages.shared.controls import ask_for_the_whole_page
from pages.shared.settings import Setting, scenario_settings
from par_core.errors import ParameterError
from par_core.parameters import check_integer

_HERE = Path(__file__).parent
_LEADS = (1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9)
EPSILON_STEPS = (*(round(lead * 10.0**power, 6) for power in (-2, -1, 0) for lead in _LEADS), 10.0)

_component = component(
    "dial",
    css=(_HERE / "dial.css").read_text(encoding="utf-8"),
    js=(_HERE / "dial.js").read_text(encoding="utf-8"),
)


def dial(setting: Setting[Any], *, hint: str, steps: Sequence[float] = EPSILON_STEPS, label: str = "") -> float:
    """Draw the dial of a setting, under its own label or another, and return the present value.

    A value that cannot be used is named; the last good one stays.
    """
    value: float = setting.value()
    name, memory = f"dial_{setting.held}", _memory(setting)
    memory["steps"] = steps
    if value not in steps:
        memory["typed"] = value

    def hear() -> None:
        try:
            told = st.session_state[name]["told"]
            memory["heard"] = check_integer("count", told["count"], at_least=0, at_most=2**53)
            setting.put(setting.read(setting.write(told["value"])))
        except (ParameterError, KeyError, TypeError):
            return  # it comes from a page that was left meanwhile, or from no browser of ours: ours knows the bounds
        # The browser can send this in one message with what a part of the page asks, and then only that part would run.
        if setting in scenario_settings():
            ask_for_the_whole_page()

    _component(
        key=name,
        data={
            "dial": setting.key,
            "label": label or setting.label,
            "hint": hint,
            "value": value,
            "steps": stops(setting),
            "least": setting.at_least,
            "most": setting.at_most,
            "heard": memory.get("heard", 0),
            "session": memory.setdefault("session", token_hex(4)),
        },
        on_told_change=hear,
    )
    return value


def stops(setting: Setting[float]) -> list[float]:
    """Return where the slider of a dial can stand: at its steps, and at the last value that was typed between them."""
    memory = _memory(setting)
    return sorted({*memory.get("steps", ()), *([memory["typed"]] if "typed" in memory else [])})


def _memory(setting: Setting[float]) -> dict[str, Any]:
    of_all: dict[str, dict[str, Any]] = st.session_state.setdefault("_dials", {})
    return of_all.setdefault(setting.held, {})
