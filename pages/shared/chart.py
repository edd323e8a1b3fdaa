"""The one way to draw a chart: on a node that stays, in the reader's theme, with its words, its data and its files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pages.shared import app_version, memory
from pages.shared.component import component
from pages.shared.settings import Setting
from par_core.figures.theme import LIGHT, ROLES, TEMPLATE

_HERE = Path(__file__).parent
_HOUSE = {"template": TEMPLATE, "colours": [LIGHT[role] for role in ROLES]}  # sent once, not with each figure

_component = component(
    "chart",
    css=(_HERE / "chart.css").read_text(encoding="utf-8"),
    js="\n".join(
        [
            f"const HOUSE = {json.dumps(_HOUSE)};",
            *((_HERE / name).read_text(encoding="utf-8") for name in ("chart_frames.js", "chart.js")),
        ]
    ),
)


def show(
    key: str,
    figure: str,
    *,
    height: float | None,
    alt: str,
    source: str,
    stamps: Mapping[Setting[float], str] = {},  # it is read only
    frames: Callable[[Setting[float]], str] | None = None,
    handle: Setting[float] | None = None,
    compact: bool = False,
    on_click: Callable[[Any], object] | None = None,
) -> Any:
    """Draw the JSON of a figure; `stamps` says of each dial that it follows what its frames depend on, `frames` makes these."""
    asked = st.session_state.pop(f"_frames_{key}", None)

    def heard(what: str, then: Callable[[Any], object]) -> None:
        if key in st.session_state:  # not where the page was left meanwhile
            then(st.session_state[key][what])

    def ask(dial: Any) -> None:
        if dial in [each.key for each in stamps]:
            st.session_state[f"_frames_{key}"] = dial

    callbacks: dict[str, Any] = {}
    if frames:
        callbacks["on_frames_change"] = partial(heard, "frames", ask)
    if on_click:
        callbacks["on_click_change"] = partial(heard, "click", on_click)
    result = _component(
        key=key,
        data={
            "figure": figure,
            "alt": alt,
            "name": key,
            "source": "; ".join([f"Privacy at Risk explorer {app_version.text()}", *filter(None, [source])]),
            "height": height or TEMPLATE["layout"]["height"],
            "menu": not compact,
            "click": on_click is not None,
            "dials": {each.key: {"of": stamp, "value": each.value()} for each, stamp in stamps.items()},
            "handle": handle.key if handle else None,
            "frames": {each.key: frames(each) for each in stamps if frames and each.key == asked},
        },
        **callbacks,
    )
    memory.settle()  # the first chart of a page has loaded the last of what the page needs
    return result
