"""The figures of the empirical audit: a result goes in, a `Drawing` comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from par_core.audit.adversary import GivenAt
from par_core.audit.attack import AuditAttack
from par_core.audit.auditing import AuditAt, AuditResult
from par_core.audit.drawn_densities import DensityCurves, NoiseCurves
from par_core.audit.intervals import AuditIntervals
from par_core.audit.joint import JointCurve
from par_core.audit.other_densities import DeltaCurve
from par_core.evidence import ESTIMATE
from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing
from par_core.rounding import percent, rounded

_Floats = NDArray[np.float64]
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
            drawing.add(style.setting(own.epsilon, value, text, basis=ESTIMATE, name="your ε", side=side))
    drawing.set_y(**style.log_axis(lowest, highest, room=(0.2, 0.35)))
    labels.place(drawing)
    return drawing


def densities(curves: DensityCurves, *, name: str, unit: str = "") -> Drawing:
    """Draw figure 5: the density of the answers with everyone, and without one individual (`name`)."""
    who = style.letters(name)
    drawing = Drawing(
        title=f"Answers with and without {who}",
        x=f"Answer ({unit or 'unit of the query'})",
        y="Density (probability per unit)",
    )
    drawing.add(style.estimated_curve(curves.answer, curves.with_all, "with everyone", width=2.6))
    drawing.add(style.estimated_curve(curves.answer, curves.without, f"without {who}", dash="solid", width=1.4))
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
            marker={"color": theme.LIGHT["grid"], "line": {"width": 0}},
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
    drawing = Drawing(
        title=f"δ of {style.letters(name)} under {len(curves)} densities", x=_LEVEL, y="δ: excess of probability (log)"
    )
    shown = _curves(drawing, [(curve.epsilons, curve.deltas, curve.words) for curve in curves])
    if shown:
        drawing.set_y(**style.log_axis(min(shown), max(shown), room=(0.2, 0.3)))
    return drawing


def _curves(drawing: Drawing, lines: Sequence[tuple[_Floats, _Floats, str]]) -> list[float]:
    """Draw each δ against ε as far as it can be seen; returns what is drawn."""
    drawn: list[float] = []
    for (levels, deltas, name), (dash, width) in zip(lines, _LOOKS, strict=False):
        seen = deltas > _LEAST
        if seen.any():
            drawing.add(style.estimated_curve(levels[seen], deltas[seen], name, dash=dash, width=width))
            drawn += deltas[seen].tolist()
    return drawn


def given(
    at: GivenAt, *, names: Sequence[str], known: str, intervals: Sequence[AuditIntervals | None] | None = None
) -> Drawing:
    """Draw the largest δ of each bucket of what an adversary knows, named from the top, beside that of who knows nothing."""
    drawing = Drawing(
        title="How far the most exposed shows, given what is known",
        x="δ: largest excess of probability",
        y=f"Databases by {known}",
    )
    places = style.set_rows(drawing, names)
    ends = intervals or [None] * len(places)
    seen = [not np.isnan(each) for each in at.deltas]
    limits = [(d, d) if each is None else each.delta for d, each in zip(at.deltas, ends, strict=True)]
    low, high = np.reshape(limits, (-1, 2))[seen].T
    top = max([at.without_knowledge, *at.deltas[seen], *high], default=0.0) or 1.0
    drawing.add(
        style.estimate(at.deltas[seen], places[seen], low, high, "given what is known", along="x", mode="markers")
    )
    beside = [at.without_knowledge] * 2
    drawing.add(style.reference(beside, [0.5, len(names) + 0.5], "nothing known", width=1.6))
    drawing.set_x(range=[-0.02 * top, 1.08 * top])
    return drawing


def together(curve: JointCurve, *, names: tuple[str, str], who: str, own: JointCurve | None = None) -> Drawing:
    """Draw one individual's δ against ε for two answers together and for each alone; `own` is the reader's own level."""
    drawing = Drawing(title=f"δ of {who} from two answers", x=_LEVEL, y="δ: excess of probability (log)")
    floor = 1 / curve.databases
    lines = ((curve.together, "both together"), (curve.first, f"{names[0]} alone"), (curve.second, f"{names[1]} alone"))
    shown = [floor, *_curves(drawing, [(curve.epsilons, deltas, name) for deltas, name in lines])]
    ends = [float(curve.epsilons[0]), float(curve.epsilons[-1])]
    drawing.add(style.reference(ends, [floor, floor], f"1/{curve.databases:,} databases"))
    if own is not None and own.together[0] > _LEAST:
        level, delta = float(own.epsilons[0]), float(own.together[0])
        shown.append(delta)
        drawing.add(style.setting(level, delta, f"δ = {delta:.3g}", basis=ESTIMATE, name="your ε"))
    drawing.set_y(**style.log_axis(min(shown), max(shown), room=(0.2, 0.35)))
    labels.place(drawing)
    return drawing


def attack(found: AuditAttack, *, who: str) -> Drawing:
    """Draw how many true positives an attacker has at each rate of false ones, with limits, and where likelier means yes."""
    drawing = Drawing(
        title=f"Is {who} in it? What one answer tells",
        x="False alarms (false-positive rate)",
        y="Hits (true-positive rate)",
    )
    drawing.add(style.band(found.rates, found.lowest, found.highest, f"interval of {100 * found.level:g} %"))
    drawing.add(style.estimated_curve(found.false_positive, found.true_positive, "tried on these databases"))
    drawing.add(style.reference([0.0, 1.0], [0.0, 1.0], "guessing blindly"))
    text = f"{percent(found.right)} right"
    drawing.add(style.setting(*found.rule, text, basis=ESTIMATE, name="says what is likelier", side="bottom right"))
    style.as_percentages(drawing, x="near", y="near")
    labels.place(drawing)
    return drawing


def _places(result: AuditResult) -> Sequence[float]:
    """Return the databases as numbers: their labels where they are years and the like, else 1, 2, 3 ..."""
    labels = result.databases
    if labels.dtype.kind in "iuf" and labels.is_monotonic_increasing:
        return [float(label) for label in labels]
    return [float(place) for place in range(1, len(labels) + 1)]
