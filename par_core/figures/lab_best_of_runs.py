"""The figure of the toy "The best of several": the level of the best run against the number of runs."""

from __future__ import annotations

import numpy as np

from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.lab.best_of_runs import BestOfRuns
from par_core.rounding import amount


def best_of(found: BestOfRuns) -> Drawing:
    """Draw the level of the best run against the number of runs, up to somewhat more than the reader's."""
    shown = found.numbers <= max(10, round(1.2 * found.runs))
    numbers = found.numbers[shown]
    drawing = Drawing(
        title=f"The best of several runs with ε = {amount(found.epsilon0, 4)} each",
        x="Number of runs k, or its mean",
        y="Privacy level ε of the best",
    )
    drawing.add(
        style.reference(numbers, np.full(len(numbers), found.epsilon0), "guess: as one run"),
        style.exact(numbers, found.levels_random[shown], "random number of runs", which=1),
        style.exact(numbers, found.levels_fixed[shown], "fixed number of runs"),
        style.setting(found.runs, found.fixed, f"ε = {amount(found.fixed, toward='up')}", name="your runs"),
        style.setting(found.runs, found.random, f"ε = {amount(found.random, toward='up')}", legend=False),
    )
    drawing.set_x(range=[0.5, float(numbers[-1]) + 0.5])
    drawing.set_y(range=[0.0, 1.1 * float(found.levels_fixed[shown][-1])])
    labels.place(drawing)
    return drawing
