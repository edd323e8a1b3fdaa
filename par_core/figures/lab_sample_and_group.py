"""The figures of the toys "Only a sample" and "A group": the level against the share, or the size, beside what one may expect."""

from __future__ import annotations

import numpy as np

from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.lab.a_group import GroupLevel
from par_core.lab.only_a_sample import SampledLevel
from par_core.rounding import amount


def sampled(found: SampledLevel) -> Drawing:
    """Draw the level of a sample against its share."""
    drawing = Drawing(
        title=f"Noise for ε = {amount(found.epsilon, 4)}, on a random part of the people",
        x="Share of the people in the sample",
        y="Privacy level ε of the release",
    )
    drawing.add(
        style.reference(found.shares, found.shares * found.epsilon, "guess: that share of ε"),
        style.exact(found.shares, found.levels, "exact"),
        style.setting(found.share, found.level, f"ε = {amount(found.level, 4)}", name="your sample"),
    )
    drawing.set_x(range=[0.0, 1.05])
    drawing.set_y(range=[0.0, 1.15 * found.epsilon])
    style.as_percentages(drawing, x="near")
    labels.place(drawing)
    return drawing


def grouped(found: GroupLevel) -> Drawing:
    """Draw the level of a group against its size, up to a group somewhat larger than the reader's."""
    shown = found.sizes <= max(10, found.size + 3)
    drawing = Drawing(
        title=f"Noise for ε = {amount(found.epsilon, 4)}, for several persons together",
        x="Number of persons in the group",
        y="Privacy level ε of the release",
    )
    flat = np.full(int(shown.sum()), found.epsilon)
    drawing.add(
        style.reference(found.sizes[shown], flat, "guess: ε holds for everybody"),
        style.exact(found.sizes[shown], found.levels[shown], "exact"),
        style.setting(found.size, found.level, f"ε = {amount(found.level, 4)}", name="your group"),
    )
    drawing.set_x(range=[0.5, float(found.sizes[shown][-1]) + 0.5])
    drawing.set_y(range=[0.0, 1.15 * float(found.levels[shown][-1])])
    labels.place(drawing)
    return drawing
