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
        title=f"{found.noise} noise for ε = {amount(found.epsilon0, 4)}: privacy losses added up",
        x="Number of releases",
        y="Privacy loss of all of them",
    )
    is_above = found.is_above
    drawing.add(
        _walks(found, ~is_above, "walks", role="muted"),
        _walks(found, is_above, "walks that end above", role="estimate"),
        style.exact([0, found.releases], [0.0, found.mean], "mean of all walks", which=1),
        style.exact(found.counted, found.levels, "at most 5 % of walks end above"),
    )
    top = max(1.15 * found.level, float(found.walks.max()))
    if math.isfinite(found.largest):
        drawing.add(style.reference([0, found.releases], [0.0, found.largest], "basic composition: ε each"))
        top = min(top, found.largest)
    text = amount(found.level, 3, toward="up")
    drawing.add(style.setting(found.releases, found.level, text, name="your releases", side="top left"))
    drawing.set_x(range=[0.0, 1.06 * found.releases])
    drawing.set_y(range=[float(found.walks.min()) - 0.03 * top, 1.08 * top])
    labels.place(drawing)
    return drawing


def _walks(found: LossWalk, chosen: np.ndarray, name: str, *, role: str) -> Trace:
    """Return some of the walks as one curve with gaps."""
    rows = found.walks[chosen]
    gap = np.full((len(rows), 1), np.nan)
    x = np.concatenate([np.broadcast_to(found.at.astype(float), rows.shape), gap], axis=1).ravel()
    curve = style.exact(x, np.concatenate([rows, gap], axis=1).ravel(), name, basis=ESTIMATE)
    return curve | {"line": {"color": theme.LIGHT[role], "width": 1.0}, "opacity": 0.6 if role == "muted" else 1.0}
