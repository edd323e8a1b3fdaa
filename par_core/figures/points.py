"""The points of a figure as a table, so that what is downloaded is what is drawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import plotly.graph_objects as go

if TYPE_CHECKING:
    import pandas as pd


def table(figure: go.Figure) -> pd.DataFrame:
    """Return one row per plotted point: its curve, its coordinates, the standing of the curve, and its interval if it has one.

    The columns of the coordinates bear the names of the axes. Areas that only shade are left out.
    """
    import pandas as pd

    x, y = (_short(axis.title.text or name) for axis, name in ((figure.layout.xaxis, "x"), (figure.layout.yaxis, "y")))
    parts = []
    for trace in figure.data:
        if trace.hoverinfo == "skip":
            continue
        part = pd.DataFrame({"curve": trace.name, x: trace.x, y: trace.y, "standing": trace.meta})
        if trace.error_y.array is not None:
            part["lower"] = part[y] - trace.error_y.arrayminus
            part["upper"] = part[y] + trace.error_y.array
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def _short(title: str) -> str:
    """Return the name of the quantity: what stands before the explanation and the unit."""
    return re.split(r"[:(]", title)[0].strip()
