"""A picture as plain dictionaries in the terms of Plotly.js, which draws it in the browser.

Plotly's own checks cost more than most results. They run in `Drawing.figure`, and there for every figure in a test.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from par_core.figures.theme import TEMPLATE

if TYPE_CHECKING:
    import plotly.graph_objects as go

Trace = dict[str, Any]


class Drawing:
    """Traces (`data`) and what is around them (`layout`), with a title and two axis titles (quantity and unit)."""

    def __init__(self, *, title: str, x: str, y: str) -> None:
        """Begin a picture without traces."""
        self.data: list[Trace] = []
        self.layout: dict[str, Any] = {
            "title": {"text": title},
            "xaxis": {"title": {"text": x}},
            "yaxis": {"title": {"text": y}},
        }

    def add(self, *traces: Trace) -> None:
        """Draw these traces over those that are there."""
        self.data.extend(traces)

    def set_x(self, **axis: Any) -> None:
        """Set properties of the horizontal axis."""
        self.layout["xaxis"].update(axis)

    def set_y(self, **axis: Any) -> None:
        """Set properties of the vertical axis."""
        self.layout["yaxis"].update(axis)

    def to_json(self, **layout: Any) -> str:
        """Return what Plotly.js reads, with `layout` added (the template is not in it); arrays as the bytes of doubles."""
        picture = {"data": self.data, "layout": self.layout | layout}
        return json.dumps(picture, default=_encoded, allow_nan=False, separators=(",", ":"))

    def figure(self) -> go.Figure:
        """Return the picture in the house look as a figure of Plotly, checked by it."""
        import plotly.graph_objects as go

        return go.Figure({"data": self.data, "layout": self.layout | {"template": TEMPLATE}})


def _encoded(value: Any) -> Any:
    """Return an array of numbers as Plotly.js takes it: NaN and infinities, which JSON has not, are gaps in a curve."""
    array = np.asarray(value)
    if array.dtype.kind not in "iuf" or array.ndim != 1 or not array.size:
        return array.tolist()
    return {"dtype": "f8", "bdata": base64.b64encode(array.astype("<f8").tobytes()).decode("ascii")}
