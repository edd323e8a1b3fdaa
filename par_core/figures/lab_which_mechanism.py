"""The figure of the toy "Which mechanism?": the error of each noise against the number of counts."""

from __future__ import annotations

import numpy as np

from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.lab.which_mechanism import Compared
from par_core.mechanisms import NOISES
from par_core.rounding import amount, error, small

_LEAST = 1e-3  # an error below it is next to none, and 0 has no place on a log scale
_TITLES = {
    "average": "Average error of a count",
    "range": "Error of a count, 95 of 100",
    "all": "Largest error of all counts, 95 of 100",
}


def compared(found: Compared) -> Drawing:
    """Draw the error of each noise; where Gaussian noise becomes smaller than Laplace noise is marked."""
    drawing = Drawing(
        title=f"{_TITLES[found.measure]}, ε = {amount(found.epsilon, 4)}, δ = {small(found.delta)}",
        x="Number of counts (log scale)",
        y="Error (unit: counts, log scale)",
    )
    curves = []
    for which, (key, errors) in enumerate(found.errors.items()):
        shown = errors >= _LEAST
        if shown.any():
            curves.append(style.exact(found.k[shown], errors[shown], NOISES[key].name, which=which))
        else:
            drawing.add(style.legend_only(f"{NOISES[key].name}, below {_LEAST:g}"))
    drawing.add(*curves)
    if found.first is not None and found.crossing is not None and found.k[0] <= found.first <= found.k[-1]:
        text = f"from {found.first:,} on: {error(found.crossing)}"
        drawing.add(style.setting(found.first, found.crossing, text, name="Gaussian noise is smaller from here"))
    every = np.concatenate([each["y"] for each in curves])
    drawing.set_x(**style.log_axis(found.k[0], found.k[-1]))
    drawing.set_y(**style.log_axis(float(every.min()), float(every.max()), room=(0.1, 0.2)))
    labels.place(drawing)
    return drawing
