"""The figure of the toy "Loss by loss": the privacy losses of many releases, added up, and the level that few walks end above."""

from __future__ import annotations

import math

import numpy as np

from par_core.evidence import ESTIMATE
from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing, Trace
from par_core.lab.loss_walk import LossWalk
from par_core.rounding import amount


def walks(found: LossWalk) -> Drawing:
    """Draw all walks, those that end above the level over the others, and the curves that tell where walks go."""
    drawing = Drawing(
        title=f"{found.noise[:1].upper()}{found.noise[1:]} noise for ε = {amount(found.epsilon0, 4)}, release after release",
        x="Number of releases",
        y="Privacy losses added up (compare: privacy level ε)",
    )
    drawing.add(
        *(_walk(found, at) for at in np.argsort(found.is_above, kind="stable").tolist()),
        _looks(style.legend_only("walks", basis=ESTIMATE), is_above=False),
        _looks(style.legend_only("walks that end above", basis=ESTIMATE), is_above=True),
        style.exact([0, found.releases], [0.0, found.mean], "expected sum", which=1),
        style.exact(found.counted, found.levels, "at most 5 % of walks end above"),
    )
    top = max(1.15 * found.level, float(found.walks.max()))
    if math.isfinite(found.largest):
        drawing.add(style.reference([0, found.releases], [0.0, found.largest], "basic composition: ε each", width=2.0))
        top = min(top, found.largest)
    text = amount(found.level, 3, toward="up")
    drawing.add(style.setting(found.releases, found.level, text, name="your releases", side="top left"))
    drawing.set_x(range=[0.0, 1.06 * found.releases])
    drawing.set_y(range=[float(found.walks.min()) - 0.03 * top, 1.08 * top])
    labels.place(drawing)
    return drawing


def _walk(found: LossWalk, at: int) -> Trace:
    walk = style.exact(found.at, found.walks[at], f"walk {at + 1}", basis=ESTIMATE) | {"showlegend": False}
    return _looks(walk, is_above=bool(found.is_above[at]))


def _looks(walk: Trace, *, is_above: bool) -> Trace:
    line = {"color": theme.LIGHT["estimate" if is_above else "muted"], "width": 1.2 if is_above else 0.7}
    return walk | {"line": line, "opacity": 1.0 if is_above else 0.6}
