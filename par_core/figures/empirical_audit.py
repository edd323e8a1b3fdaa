"""The figures of the empirical audit: a result goes in, a `Drawing` comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from par_core.audit.auditing import AuditAt, AuditResult
from par_core.audit.curves import DensityCurves, NoiseCurves
from par_core.audit.intervals import AuditIntervals
from par_core.audit.other_densities import DeltaCurve
from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.rounding import rounded
from par_core.standing import ESTIMATE

Which = Literal["delta", "total"]

_LEVEL = "Privacy level ε (smaller is more private)"
_TITLES = {
    "delta": ("How far the most exposed shows", "δ: largest excess of probability (log)"),
    "total": ("How far all together show", "δ*: total risk (a share, log)"),
}
_LEAST = 1e-9  # a δ below is not drawn
_LOOKS = (("solid", 2.6), ("dash", 1.8), ("dashdot", 1.8), ("dot", 1.8))
_OWN = {"delta": "δ", "total": "δ*"}


def answers(result: AuditResult, *, unit: str = "") -> Drawing:
    """Draw figure 2 of the paper: the answer on each database, in their order, and their mean."""
    drawing = Drawing(
        title=f"Answers on {len(result.answers):,} databases",
        x="Database, in its order",
        y=f"Answer ({unit or 'unit of the query'})",
    )
    at = _places(result)
    drawing.add(style.estimated_curve(at, result.answers, "answer", mode="lines+markers", width=1.2))
    mean = float(result.answers.mean())
    drawing.add(style.reference([at[0], at[-1]], [mean, mean], "mean"))
    return drawing


def exposure(
    result: AuditResult, *, which: Which, own: AuditAt | None = None, intervals: AuditIntervals | None = None
) -> Drawing:
    """Draw figure 3 (`which` is "delta") or 4 ("total"): exposure against ε, and the floor below which nothing can be said."""
    title, height = _TITLES[which]
    drawing = Drawing(title=title, x=_LEVEL, y=height)
    values = result.delta if which == "delta" else result.total
    seen = values > 0
    levels, shown = result.epsilons[seen], values[seen]
    if own is not None and own.epsilon < result.epsilons[0] and own.exposed:  # the curve begins where its marker stands
        levels = np.append(own.epsilon, levels)
        shown = np.append(own.delta if which == "delta" else own.total, shown)
    drawing.add(style.estimated_curve(levels, shown, "from these databases"))
    ends = [float(levels[0] if levels.size else result.epsilons[0]), float(result.epsilons[-1])]
    drawing.add(style.reference(ends, [result.floor, result.floor], f"1/{len(result.answers):,} databases"))
    lowest = min(float(shown.min()) if shown.size else result.floor, result.floor)
    highest = max(float(shown.max()) if shown.size else result.floor, result.floor)
    if own is not None and own.epsilon <= ends[1]:
        value = own.delta if which == "delta" else own.total
        if value > 0:
            lowest, highest = min(lowest, value), max(highest, value)
            if intervals is not None:
                ends_of_own = intervals.delta if which == "delta" else intervals.total
                name = f"interval of {100 * intervals.level:g} %"
                drawing.add(style.estimate(own.epsilon, value, *ends_of_own, name))
                # An interval down to 0 goes to the foot of the figure.
                lowest, highest = min(lowest, ends_of_own[0] or lowest), max(highest, ends_of_own[1])
            side = "top right" if own.epsilon < 0.6 * ends[1] else "top left"
            text = f"{_OWN[which]} = {value:.3g}"
            drawing.add(style.setting(own.epsilon, value, text, standing=ESTIMATE, name="your ε", side=side))
    drawing.set_y(**style.log_axis(lowest, highest, room=(0.2, 0.35)))
    labels.place(drawing)
    return drawing


def densities(curves: DensityCurves, *, name: str, unit: str = "") -> Drawing:
    """Draw figure 5: the density of the answers with everyone, and without one individual (`name`)."""
    drawing = Drawing(
        title=f"Answers with and without {name}",
        x=f"Answer ({unit or 'unit of the query'})",
        y="Density (probability per unit)",
    )
    drawing.add(style.estimated_curve(curves.answer, curves.with_all, "with everyone", width=2.6))
    drawing.add(style.estimated_curve(curves.answer, curves.without, f"without {name}", dash="solid", width=1.4))
    drawing.set_y(rangemode="tozero")
    return drawing


def noise(curves: NoiseCurves, *, unit: str = "") -> Drawing:
    """Draw figure 1: the histogram of sampled noise under its density; the share without noise is in the title."""
    exact = f", {rounded(100 * curves.exact_share, toward='up'):g} % without any" if curves.exact_share else ""
    drawing = Drawing(
        title=f"Noise, {curves.size:,} samples{exact}",
        x=f"Noise ({unit or 'unit of the query'})",
        y="Density (probability per unit)",
    )
    middle = (curves.edges[1:] + curves.edges[:-1]) / 2
    drawing.add(
        style.bars(
            middle,
            curves.heights,
            "sample",
            width=np.diff(curves.edges),
            marker={"color": style.LIGHT["grid"], "line": {"width": 0}},
            meta=ESTIMATE.value,
            hovertemplate="%{x:.4g}: %{y:.4g}<extra>sample</extra>",
        )
    )
    drawing.add(style.exact(curves.value, curves.density, "density"))
    drawing.layout["bargap"] = 0
    drawing.set_y(exponentformat="power")
    return drawing


def other_densities(curves: Sequence[DeltaCurve], *, name: str) -> Drawing:
    """Draw one individual's δ against ε under several densities, the one of the audit first."""
    drawing = Drawing(title=f"δ of {name} under {len(curves)} densities", x=_LEVEL, y="δ: excess of probability (log)")
    lowest, highest = 1.0, 0.0
    for which, curve in enumerate(curves):
        seen = curve.deltas > _LEAST
        if not seen.any():
            continue
        levels, shown = curve.epsilons[seen], curve.deltas[seen]
        lowest, highest = min(lowest, float(shown.min())), max(highest, float(shown.max()))
        dash, width = _LOOKS[which % len(_LOOKS)]
        drawing.add(style.estimated_curve(levels, shown, curve.words, dash=dash, width=width))
    if highest > 0:
        drawing.set_y(**style.log_axis(lowest, highest, room=(0.2, 0.3)))
    return drawing


def _places(result: AuditResult) -> Sequence[float]:
    """Return the databases as numbers: their labels where they are years and the like, else 1, 2, 3 ..."""
    labels = result.databases
    if labels.dtype.kind in "iuf" and labels.is_monotonic_increasing:
        return [float(label) for label in labels]
    return [float(place) for place in range(1, len(labels) + 1)]
