"""The points of a picture as a table, so that what is downloaded is what is drawn."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from par_core.figures.drawing import Drawing

if TYPE_CHECKING:
    import pandas as pd


def table(drawing: Drawing, *, axis: str | None = None) -> pd.DataFrame:
    """Return one row per plotted point: its curve, its coordinates, the basis of the curve, and its interval if it has one.

    The columns of the coordinates bear the names of the axes. Areas that only shade are left out; with an `axis` (`y`, `y2`) also
    the curves on others.
    """
    import pandas as pd

    x, y = (_short(drawing.layout[name]["title"]["text"]) for name in ("xaxis", f"yaxis{(axis or 'y')[1:]}"))
    parts = []
    for trace in drawing.data:
        if trace.get("hoverinfo") == "skip" or axis not in (None, trace.get("yaxis", "y")):
            continue
        part = pd.DataFrame(
            {"curve": html.unescape(trace["name"]), x: trace["x"], y: trace["y"], "standing": trace["meta"]}
        )
        for of, column in (("error_x", x), ("error_y", y)):
            if interval := trace.get(of):
                part["lower"] = part[column] - interval["arrayminus"]
                part["upper"] = part[column] + interval["array"]
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _short(title: str) -> str:
    """Return the name of the quantity: what stands before the explanation and the unit."""
    return html.unescape(re.split(r"[:(]", title)[0]).strip()
