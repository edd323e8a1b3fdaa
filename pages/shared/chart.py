"""The one way to draw a chart: on a node that stays, in the reader's theme, with its words, its data and its files."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import app_version, downloads, memory, scrubbing
from pages.shared.say import told
from pages.shared.settings import Setting
from par_core.figures import points
from par_core.figures.drawing import Drawing
from par_core.figures.theme import LIGHT, ROLES, TEMPLATE

if TYPE_CHECKING:
    import pandas as pd

_HERE = Path(__file__).parent
_HOUSE = {"template": TEMPLATE, "colours": [LIGHT[role] for role in ROLES]}  # sent once, not with each figure

_component = st.components.v2.component(
    "privacy_at_risk_chart",
    css=(_HERE / "chart.css").read_text(encoding="utf-8"),
    js="\n".join(
        [
            f"const HOUSE = {json.dumps(_HOUSE)};",
            *((_HERE / name).read_text(encoding="utf-8") for name in ("chart_frames.js", "chart.js")),
        ]
    ),
    isolate_styles=False,
)


def chart(
    figure: Drawing | Callable[[], Drawing],
    key: str,
    *,
    alt: str,
    dials: Sequence[Setting[float]] = (),
    handle: Setting[float] | None = None,
    headline: Callable[[], str] | None = None,
    about: str = "",
    table: Callable[[], pd.DataFrame] | None = None,
    compact: bool = False,
    notes: Mapping[str, str] | None = None,
    on_click: Callable[[], None] | None = None,
    on_select: Callable[[], None] | None = None,
    **values: Any,
) -> Any:
    """Draw a figure of `par_core.figures` and, below it, its data.

    `key` names the chart in the session and its files; `alt` is read out to a reader who cannot see it, with the numbers of
    `values` as in `told`. `table` makes what can be opened or downloaded (else the plotted points). A `compact` picture only
    points elsewhere: no menu, no data. `notes` stand in the head of the CSV, their source under saved pictures too. `on_click` and
    `on_select` are called after these; the points are then in `.click` or `.select` of what this returns, each as a list of curve,
    index, x, y.

    With `dials` the figure is a function of the settings: it, and the `headline` above it, follow these dials while they are
    dragged; the mark of the one that is the `handle` can be drawn aside in the chart itself. `about` tells apart what no setting
    does, such as the open file.
    """
    if unread := values.keys() - set(re.findall(r"{(\w+)", alt)):
        raise TypeError(f"the words of the chart do not name {', '.join(unread)}")
    notes = notes or {}
    make = figure if callable(figure) else None
    figure = figure() if callable(figure) else figure
    result = show(
        key,
        figure.to_json(),
        height=figure.layout.get("height"),
        alt=told(alt, **values) if values else alt,
        source=notes.get("source", ""),
        stamps=dict(zip(dials, scrubbing.stamps(dials, about).values(), strict=True)),
        frames=(lambda dial: scrubbing.frames(dial, make, headline)) if make else None,
        handle=handle,
        compact=compact,
        on_click=on_click,
        on_select=on_select,
    )
    if not compact:
        downloads.row(key, table or partial(points.table, figure), title=plain_title(figure), notes=notes)
    return result


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
    on_click: Callable[[], None] | None = None,
    on_select: Callable[[], None] | None = None,
) -> Any:
    """Draw the JSON of a figure; `stamps` says of each dial that it follows what its frames depend on, `frames` makes these."""
    asked = st.session_state.pop(f"_frames_{key}", None)
    callbacks: dict[str, Any] = {}
    if frames:

        def ask() -> None:
            asked = st.session_state[key]["frames"]
            if asked in [each.key for each in stamps]:
                st.session_state[f"_frames_{key}"] = asked

        callbacks["on_frames_change"] = ask
    if on_click:
        callbacks["on_click_change"] = on_click
    if on_select:
        callbacks["on_select_change"] = on_select
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
            "select": on_select is not None,
            "dials": {each.key: {"of": stamp, "value": each.value()} for each, stamp in stamps.items()},
            "handle": handle.key if handle else None,
            "frames": {each.key: frames(each) for each in stamps if frames and each.key == asked},
        },
        **callbacks,
    )
    memory.settle()  # the first chart of a page has loaded the last of what the page needs
    return result


def plain_title(figure: Drawing) -> str:
    """Return the title of a figure without its markup."""
    return html.unescape(re.sub(r"<[^>]+>", " ", figure.layout["title"]["text"])).strip()
