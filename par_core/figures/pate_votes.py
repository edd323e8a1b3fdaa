"""The figure of PATE's votes: what the first queries spend together, as published and as proven."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from par_core.composition import VoteComposition
from par_core.figures import labels, style
from par_core.figures.drawing import Drawing, Trace
from par_core.rounding import amount, brief, small

NAMES = {
    "any_votes": "Proven, any votes",
    "these_votes": "Proven, these votes alone",
    "plain": "PATE’s bound",
    "at_risk": "PATE’s bound with PaR",
    "script": "PaR, as the script counts",
}
"""What each count is called, by its name in `VoteComposition`."""

_EXACT = {"any_votes": 0, "these_votes": 2}
_FEW = 10  # queries that have a tick each
_FLAT = 6  # times that what holds for any votes may lie above the rest before it presses it flat


def votes(count: VoteComposition) -> Drawing:
    """Draw the privacy spent against the number of queries, by each count; the last number is the reader's own."""
    drawing = Drawing(
        title=f"Privacy spent by noisy votes with ε₀ = {amount(count.epsilon0, 4)}, δ = {small(count.delta)}",
        x="Number of queries",
        y="Privacy spent, ε of all together",
    )
    lines = [_line(count, name) for name in ("plain", "at_risk", "script", "these_votes", "any_votes")]
    drawing.add(*lines)
    last, highest = int(count.numbers[-1]), float(count.any_votes[-1])
    mark = style.setting(last, highest, brief(highest, toward="up"), name="your queries", side="top left")
    drawing.add(mark)
    drawing.layout |= {"hovermode": "x unified", "height": 500}
    drawing.set_x(range=[0, 1.05 * last], hoverformat=",d", tickformat=",d")
    if last <= _FEW:
        drawing.set_x(tick0=0, dtick=1)
    drawn = np.concatenate([each["y"] for each in lines])
    if highest > _FLAT * float(count.plain[-1]):
        drawing.set_y(**style.log_axis(float(drawn[drawn > 0.0].min()), float(drawn.max()), room=(0.1, 0.15)))
    else:
        drawing.set_y(range=[0, 1.08 * float(drawn.max())])
    labels.place(drawing)
    labels.name_curves(drawing, [(each, each["name"]) for each in lines])
    return drawing


def _line(count: VoteComposition, name: str) -> Trace:
    values: ArrayLike = getattr(count, name)
    if name in _EXACT:
        line = style.exact(count.numbers, values, NAMES[name], which=_EXACT[name])
    else:
        line = style.published(count.numbers, values, NAMES[name], which=("plain", "at_risk", "script").index(name))
    toward = count.QUANTITIES[name].toward
    told = [brief(each, toward=toward) for each in np.asarray(values).tolist()]
    one_alone = (
        {"mode": "lines+markers", "marker": {"color": line["line"]["color"], "size": 7}} if len(told) == 1 else {}
    )
    return line | {"customdata": told, "hovertemplate": "%{customdata}"} | one_alone
