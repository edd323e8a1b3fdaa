"""The picture of a quiz question: how its answer depends on one of its numbers, first without what gives it away."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.lab.quiz import Picture
from par_core.rounding import raised


class _Axes(NamedTuple):
    title: str
    x: str
    y: str


_AXES = {
    "grade": _Axes("The grade of the one who left", "Average of those who stay (points)", "Grade (points)"),
    "response": _Axes("What the answers say of the truth", "People who say yes (number)", "Estimated share"),
    "loss": _Axes("How often the privacy loss exceeds ε", "Privacy level ε", "Share of releases"),
    "belief": _Axes("The strongest belief after a release", "Belief before (probability)", "Belief after, at worst"),
    "hits": _Axes("What an attack can reach", "False-positive rate", "Highest true-positive rate"),
    "invented": _Axes("People in cells that are empty", "Privacy level ε", "People invented (number)"),
    "added": _Axes("Basic composition", "Number of releases", "Privacy level ε of all together"),
    "spent": _Axes("Exact composition", "Number of releases", "Privacy level ε of all together"),
    "crossing": _Axes("From here on Gaussian noise is better", "δ of Gaussian noise (log scale)", "Number of counts"),
    "clamped": _Axes("The neighbour is ruled out", "Bound of the noise (unit of the count)", "Share of releases"),
    "refuted": _Axes("What the runs refute", "Runs with the event (number)", "Every ε below"),
    "somebody": _Axes("Somebody's record is published", "People (number)", "Probability"),
}


def question(picture: Picture, *, answered: bool) -> Drawing:
    """Draw the answer against one of the given numbers; before it is asked for, only the shape is drawn, from 0 to its largest."""
    axes, right = _AXES[picture.key], picture.answer
    share = right.kind == "share"
    drawing = Drawing(title=axes.title, x=axes.x, y=axes.y)
    height = picture.y if answered else picture.y / picture.y.max()
    curve = style.exact(picture.x, height, "answer", basis=picture.evidence.basis)
    own = float(height[np.searchsorted(picture.x, picture.at)])
    mark = style.setting(
        picture.at, own, format_quantity(right) if answered else "?", basis=picture.evidence.basis, name="this question"
    )
    drawing.add(curve, mark)
    if picture.key == "crossing":
        decades = range(math.ceil(math.log10(picture.x[0])), math.floor(math.log10(picture.x[-1])) + 1)
        ticks = {"tickvals": [10.0**each for each in decades], "ticktext": [f"10{raised(each)}" for each in decades]}
        drawing.set_x(type="log", **ticks)
    if picture.key in ("belief", "hits"):
        style.as_percentages(drawing, x="near")
    if answered and share:
        style.as_percentages(drawing, y=right.toward)
    if not answered:
        curve["hoverinfo"] = mark["hoverinfo"] = "skip"
        del curve["hovertemplate"], mark["hovertemplate"]
        drawing.set_y(showticklabels=False, ticks="", showgrid=False)
    drawing.set_y(rangemode="tozero")
    drawing.layout.update(showlegend=False, height=360)
    labels.place(drawing)
    return drawing
