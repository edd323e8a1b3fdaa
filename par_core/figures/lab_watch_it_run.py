"""The figure of "Watch it run": a `Run` goes in, a `Drawing` comes out."""

from __future__ import annotations

from par_core.evidence import ESTIMATE
from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.lab.watch_it_run import Run
from par_core.rounding import amount, percent


def histogram(run: Run) -> Drawing:
    """Draw the errors so far as bars of one width, what is expected of them, and by how much a release is rarely off."""
    drawn = f"{run.releases:,} release{'s' * (run.releases > 1)}" + f" of {run.k:,} numbers" * (run.k > 1)
    drawing = Drawing(
        title=f"Errors in {drawn}, {run.noise} noise for ε = {amount(run.epsilon, 4)}",
        x="Error of a number (unit of a count)",
        y="Share of the numbers in each bar",
    )
    drawing.add(
        style.bars(
            run.middles,
            run.heights,
            "drawn so far (beyond the ends: in the last bars)",
            width=run.width,
            marker={"color": theme.LIGHT["grid"], "line": {"width": 0}},
            meta=ESTIMATE.value,
            hovertemplate="%{x:.4g}: %{y:.4g}<extra>drawn so far</extra>",
        )
    )
    drawing.add(style.exact(run.errors, run.curve, "expected", shape="hvh" if run.is_whole else "linear"))
    top = min(1.25 * float(max(run.heights.max(), run.curve.max())), 1.05)
    within = f"all within, in {percent(1.0 - run.beta, toward='down')}"
    for side in (-1.0, 1.0):
        ends = [side * run.off, side * run.off]
        drawing.add(style.reference(ends, [0.0, top], within, role="accent", width=2.0) | {"showlegend": side > 0})
        if run.union and run.k > 1:
            drawing.add(style.reference([side * run.union] * 2, [0.0, top], "ln(k/β)·Δ/ε") | {"showlegend": side > 0})
    drawing.add(style.setting(run.off, 0.85 * top, f"±{format_quantity(run.quantity('off'))}", legend=False))
    drawing.layout["bargap"] = 0
    drawing.set_x(range=[float(run.middles[0] - run.width / 2), float(run.middles[-1] + run.width / 2)])
    drawing.set_y(range=[0.0, top])
    style.as_percentages(drawing, y="near")
    labels.place(drawing)
    return drawing
