"""The figure of the page on the reader's own table: the error of a plan goes in, a `Drawing` comes out.

No figure names a column or a category: pictures travel further than plans.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from par_core.figures import style
from par_core.figures.drawing import Drawing, Trace
from par_core.release import ErrorCurves
from par_core.rounding import amount, brief, error

_LEAST = 1e-3  # the smallest error of a count that is drawn: 0 has no place on a log scale
_RIGHT = 2.5  # to the right of this epsilon0 there is no room for words on the right of a mark


def error_against_epsilon0(
    curves: ErrorCurves, *, unit: str, wanted: float | None = None, found: float | None = None
) -> Drawing:
    """Draw the error against epsilon0 with the present setting marked; with the wanted error and its epsilon0 if there is one.

    `unit` is that of the answer, in words. `wanted` may be an error of any kind: only its height is drawn.
    """
    each = f"each of {curves.k:,} {curves.noun}s" if curves.k > 1 else f"the {curves.noun}"
    kind, norm = ("", "") if curves.norm == "L1" else (f", {curves.noise} noise", f"{curves.norm} ")
    moves = "" if curves.sensitivity is None else f", {norm}sensitivity {amount(curves.sensitivity, 4, toward='up')}"
    shared = f", one of {curves.statistics:,} statistics" if curves.statistics > 1 else ""
    title, y, number = f"Error of {each}", f"Error (unit: {unit}, log scale)", "each number"
    if curves.in_ranks:
        title, y, number = (
            f"Rows between published and true {curves.noun}",
            "Rows in between (ranks, log scale)",
            "at most",
        )
    drawing = Drawing(
        title=f"{title} against ε₀{kind}{moves}{shared}",
        x="Privacy level ε₀ (smaller is more private)",
        y=y,
    )
    often = "in 95 of 100 releases"
    range95 = _drawn(curves, curves.range95)
    drawn = [range95]
    if curves.all95 is not None:
        drawn.append(_drawn(curves, curves.all95))
        drawing.add(style.exact(*drawn[-1], f"all {curves.k:,} at once, {often}", which=2))
    bound = ", at most" if curves.sensitivity is None else ""
    drawing.add(style.exact(*range95, f"{number}, {often}{bound}"))
    if curves.expected is not None:
        drawn.append(_drawn(curves, curves.expected))
        drawing.add(style.exact(*drawn[-1], f"{number}, on average", which=1))
    low, high = min(float(each.min()) for _, each in drawn), max(float(each.max()) for _, each in drawn)
    text = f"{error(curves.own)} at ε₀ = {amount(curves.own_epsilon0, 4)}"
    drawing.add(_mark(curves.own_epsilon0, curves.own or low, text))
    if wanted is not None:
        ends = curves.epsilon0[[0, -1]]
        drawing.add(style.reference(ends, np.array([wanted, wanted]), f"wanted: at most {amount(wanted, 4)}"))
        low, high = min(low, wanted), max(high, wanted)
        if found is not None and curves.epsilon0[0] <= found <= curves.epsilon0[-1]:
            text, below = f"needs ε₀ = {brief(found, toward='up')}", found > 3 * curves.epsilon0[0]
            drawing.add(_mark(found, wanted, text, name="ε₀ for the wanted error", below=below))
    drawing.set_x(**style.log_axis(curves.epsilon0[0], curves.epsilon0[-1]))
    drawing.set_y(**style.log_axis(low, high))
    return drawing


def small_error_against_epsilon0(curves: ErrorCurves) -> Drawing:
    """Draw the error of one number against epsilon0 without a legend, for the overview."""
    drawing = Drawing(title=f"Error of a {curves.noun}", x="ε₀", y="within, 95 of 100")
    range95 = _drawn(curves, curves.range95)
    low, high = float(range95[1].min()), float(range95[1].max())
    drawing.add(style.exact(*range95, "95 of 100 releases"))
    text = f"{error(curves.own)} at ε₀ = {amount(curves.own_epsilon0, 4)}"
    drawing.add(_mark(curves.own_epsilon0, curves.own or low, text))
    drawing.set_x(**style.log_axis(1e-3, 1e3))  # over so many decades, ticks at powers of ten only
    drawing.set_y(**style.log_axis(1e-3, 1e6))
    drawing.set_x(range=np.log10(curves.epsilon0[[0, -1]]).tolist())
    drawing.set_y(range=np.log10([low, high]).tolist())
    style.shrink(drawing, left=56)
    return drawing


def _drawn(curves: ErrorCurves, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what is drawn of a curve: errors of counts, and those in ranks, only where they are not next to nothing."""
    shown = (values >= _LEAST) | (curves.noun != "count" and not curves.in_ranks)
    return curves.epsilon0[shown], values[shown]


def _mark(x: float, y: float, text: str, *, name: str = "your setting", below: bool = False) -> Trace:
    """Return a marker whose text stands clear of the falling curves: above and to the right, or below and to the left."""
    if below or x > _RIGHT:
        return style.setting(x, y, f"<br> <br>{text}", name=name, side="bottom left")
    return style.setting(x, y, f"{text}<br> ", name=name, side="top right")
