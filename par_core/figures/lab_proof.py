"""The four pictures of the toy "Why the proof fails": a result goes in, a `Drawing` comes out."""

from __future__ import annotations

import numpy as np

from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing
from par_core.lab.why_the_proof_fails import VIEW, NoisePairs, OneDraw
from par_core.risk.explicit_curves import RiskAt, TruthCurves
from par_core.rounding import amount, brief, percent


def one_draw(draw: OneDraw, *, both: bool) -> Drawing:
    """Draw what table x publishes with one noise draw and, if `both`, the noise that the same answer means for table y."""
    drawing = Drawing(
        title=f"One release with noise for ε₀ = {amount(draw.epsilon0, 4)}",
        x="Published answer (in units of the sensitivity)",
        y="Density (probability per unit)",
    )
    top, published = 0.5 * draw.epsilon0, draw.noise  # table x answers 0
    drawing.add(style.exact(draw.answer, draw.density_x, "answers of table x"))
    rulers = [("x", 0.0, draw.noise, 1.16 * top)]
    if both:
        drawing.add(style.exact(draw.answer, draw.density_y, "answers of table y", which=1))
        rulers.append(("y", 1.0, draw.noise_from_y, 1.4 * top))
    drawing.add(style.reference([published, published], [0.0, rulers[-1][3]], "the one published answer"))
    for table, answer, noise, height in rulers:
        ruler = style.reference(
            [answer, published], [height, height], "the noise, seen from each table", role="accent", width=2.0
        )
        side = "middle right" if noise >= 0 else "middle left"
        text = f"from {table}: {amount(noise)}"
        drawing.add(
            ruler | {"showlegend": table == "x"},
            style.setting(published, height, text, name=f"noise seen from {table}", side=side, legend=False),
        )
    drawing.set_x(range=[1.0 - VIEW - 0.1, VIEW + 0.1])
    drawing.set_y(range=[0.0, 1.6 * top], nticks=5)
    labels.place(drawing)
    return drawing


def pairs(pairs: NoisePairs, *, draw: OneDraw, epsilon: float) -> Drawing:
    """Draw the pairs (X₁, X₂) of the proof around the line that holds every release; `epsilon` is the level hoped for."""
    drawing = Drawing(
        title=f"Size of the noise seen from x and from y, ε₀ = {amount(pairs.epsilon0, 4)}",
        x="X₁, noise seen from x (in units of the sensitivity)",
        y="X₂, noise seen from y (in units)",
    )
    apart = epsilon / pairs.epsilon0
    ends = np.array([0.0, VIEW])
    for side, shown in ((1, True), (-1, False)):
        name = f"loss of size ε = {amount(epsilon, 4)}"
        drawing.add(style.reference(ends, ends + side * apart, name) | {"showlegend": shown})
    cloud = style.published(pairs.first, pairs.second, "as the proof takes them: two draws")
    marker = {"color": theme.LIGHT["published"], "size": 5, "symbol": "circle-open"}
    drawing.add(cloud | {"mode": "markers", "marker": marker})
    drawing.add(style.exact(pairs.true_first, pairs.true_second, "every release: one draw"))
    drawing.add(style.setting(draw.first, draw.second, f"loss {brief(draw.loss)}", name="this draw"))
    drawing.set_x(range=[-0.1, VIEW + 0.1])
    drawing.set_y(range=[-0.2, VIEW + 0.2])
    labels.place(drawing)
    return drawing


def law(curves: TruthCurves, *, own: RiskAt) -> Drawing:
    """Draw how often the loss exceeds ε for two draws, as the proof has it, and for the one there is."""
    drawing = Drawing(
        title=f"How often the privacy loss exceeds ε, noise with ε₀ = {amount(curves.epsilon0, 4)}",
        x="Privacy level ε (smaller is more private)",
        y="Probability that the privacy loss exceeds ε",
    )
    inside = curves.epsilon < curves.epsilon0
    drawing.add(
        style.not_valid(
            (curves.epsilon[inside], curves.risk[inside]), (curves.epsilon[inside], curves.two_sided[inside])
        ),
        style.published(curves.epsilon, curves.risk, "published: two draws"),
        style.exact(curves.epsilon, curves.two_sided, "exact: one draw"),
    )
    texts = f"claimed {percent(own.risk)}", f"true {percent(own.exact_risk, toward='up')}"
    name = f"level hoped for, ε = {amount(own.epsilon, 4)}"
    drawing.add(*style.claimed_and_true((own.epsilon, own.risk), (own.epsilon, own.exact_risk), texts=texts, name=name))
    drawing.set_y(range=[-0.05, 1.12])
    style.as_percentages(drawing, y="up")
    labels.place(drawing)
    return drawing
