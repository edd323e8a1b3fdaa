"""The figures of "One answer, two worlds": a `TwoWorlds` goes in, a `Drawing` comes out."""

from __future__ import annotations

import numpy as np

from par_core.figures import labels, style
from par_core.figures.drawing import Drawing, Trace
from par_core.lab.two_worlds import WITH, WITHOUT, TwoWorlds
from par_core.rounding import amount, brief

_ANSWER = "Published answer (number of students who failed)"


def densities(seen: TwoWorlds) -> Drawing:
    """Draw how likely each answer is in either world, how far the other one may be from the first, and the published answer."""
    drawing = Drawing(
        title=f"Two worlds, {seen.noise} noise for ε = {amount(seen.epsilon, 4)}",
        x=_ANSWER,
        y="Probability of each whole number" if seen.is_whole else "Density (probability per unit)",
    )
    highest = float(max(seen.without.max(), seen.with_them.max(), *seen.likelihoods))
    first, other = f"Angie passed: {WITHOUT}", f"Angie failed: {WITH}"
    least, most = (np.minimum(seen.without * factor, 2.0 * highest) for factor in (1.0 / seen.factor, seen.factor))
    drawing.add(_stepped(style.band(seen.answers, least, most, f"within a factor of e^ε of “{first}”"), seen))
    drawing.add(_stepped(style.exact(seen.answers, seen.without, first), seen))
    drawing.add(_stepped(style.exact(seen.answers, seen.with_them, other, which=1), seen))
    places, top = [seen.answer, seen.answer], 1.1 * highest
    line = style.reference(places, [0.0, top], "published answer", role="accent", width=1.5)
    drawing.add(line | {"showlegend": False})
    for each in seen.likelihoods:
        drawing.add(style.setting(seen.answer, each, "", name="published answer", legend=False))
    text = f"{amount(seen.answer, 6)}: loss {brief(seen.size)}"
    drawing.add(style.setting(seen.answer, top, text, name="published answer"))
    drawing.set_x(range=[min(float(seen.answers[0]), seen.answer), max(float(seen.answers[-1]), seen.answer)])
    drawing.set_y(range=[0.0, 1.25 * highest])
    labels.place(drawing)
    return drawing


def losses(seen: TwoWorlds) -> Drawing:
    """Draw the privacy loss of each answer beside ±epsilon, with that of the published one."""
    drawing = Drawing(
        title=f"Privacy loss of each answer, {seen.noise} noise for ε = {amount(seen.epsilon, 4)}",
        x=_ANSWER,
        y="Privacy loss: log-likelihood ratio",
    )
    most = np.full(2, seen.epsilon)
    drawing.add(style.band(seen.seen[[0, -1]], -most, most, "from −ε to ε"))
    drawing.add(_stepped(style.exact(seen.seen, seen.losses, "loss: ln(density if she failed / if she passed)"), seen))
    text = f"{brief(seen.loss)} at {amount(seen.answer, 6)}"
    drawing.add(style.setting(seen.answer, seen.loss, text, name="published answer"))
    reach = 1.3 * max(seen.epsilon, float(np.abs(seen.losses).max()))
    drawing.set_x(range=[float(seen.seen[0]), float(seen.seen[-1])])
    drawing.set_y(range=[-reach, reach])
    labels.place(drawing)
    return drawing


def _stepped(trace: Trace, seen: TwoWorlds) -> Trace:
    """Let a curve over whole numbers stay level around each."""
    return trace | {"line": trace["line"] | {"shape": "hvh"}} if seen.is_whole else trace
