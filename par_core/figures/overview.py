"""The small pictures on the overview: the gist of a page at the present scenario, without a legend or a menu."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from par_core.composition import Comparison
from par_core.cost import CostCurve
from par_core.evidence import MODEL
from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.figures.money import money_axis
from par_core.lab.two_worlds import TwoWorlds
from par_core.risk.explicit_curves import AttackCurves, ExcessCurve, TruthCurves
from par_core.rounding import amount
from par_core.sampling.coupled_curves import CoupledCurve

_Points = tuple[NDArray[np.float64], NDArray[np.float64]]


def truth(curves: TruthCurves) -> Drawing:
    """Draw the published risk under the exact one."""
    drawing = _small(f"Privacy loss above ε, at ε₀ = {amount(curves.epsilon0, 4)}", x="ε", y="probability")
    inside = curves.epsilon < curves.epsilon0
    epsilon, risk, exact = curves.epsilon[inside], curves.risk[inside], curves.two_sided[inside]
    drawing.add(style.not_valid((epsilon, risk), (epsilon, exact)))
    return _with_claim_and_truth(drawing, (epsilon, risk), (epsilon, exact))


def worlds(seen: TwoWorlds) -> Drawing:
    """Draw how likely each answer is in two worlds that differ by one person."""
    drawing = _small(f"One answer, two worlds, at ε = {amount(seen.epsilon, 4)}", x="published answer", y="density")
    drawing.add(style.exact(seen.answers, seen.without, "without you"))
    drawing.add(style.exact(seen.answers, seen.with_them, "with you", which=1))
    labels.name_curves(drawing, [(each, each["name"]) for each in drawing.data])
    return drawing


def belief(curves: AttackCurves) -> Drawing:
    """Draw what an attacker can come to believe."""
    drawing = _small(
        f"Belief after the release, at ε₀ = {amount(curves.epsilon0, 4)}", x="belief before", y="after, at worst"
    )
    drawing.add(style.exact(curves.prior, curves.posterior0, "exact"))
    drawing.add(style.reference(curves.prior, curves.prior, "nothing learnt"))
    labels.name_curves(drawing, [(drawing.data[0], "at worst"), (drawing.data[1], "nothing learnt")])
    style.as_percentages(drawing, x="near", y="up")
    return drawing


def sampled(curve: CoupledCurve) -> Drawing:
    """Draw the published risk of noise that is calibrated to a sampled sensitivity, under the exact one."""
    setting = curve.setting
    drawing = _small(
        f"Privacy loss above ε, at ε₀ = {amount(setting.epsilon0, 4)} and η = {amount(setting.eta, 4)}",
        x="ε",
        y="probability",
    )
    inside, below = curve.epsilon < setting.reached, curve.exact_epsilon < setting.reached
    claim, true = (curve.epsilon[inside], curve.risk[inside]), (curve.exact_epsilon[below], curve.exact_risk[below])
    for place, stretch in enumerate(curve.too_bold):
        drawing.add(style.not_valid(*stretch, legend=place == 0))
    return _with_claim_and_truth(drawing, claim, true)


def excess(curve: ExcessCurve) -> Drawing:
    """Draw what an audit of noisy releases can find at most."""
    drawing = _small(f"Most that an audit finds at ε₀ = {amount(curve.epsilon0, 4)}", x="ε", y="δ")
    drawing.add(style.exact(curve.epsilon, curve.delta, "exact"))
    return drawing


def cost(curve: CostCurve, *, currency: str) -> Drawing:
    """Draw what a breach costs by the published and by the exact confidence."""
    drawing = _small(f"Budget for a breach at ε₀ = {amount(curve.epsilon0, 4)}", x="ε counted on", y=currency)
    drawing.add(style.not_valid((curve.epsilon, curve.published), (curve.epsilon, curve.exact)))
    drawing.add(style.published(curve.epsilon, curve.published, "as published"))
    drawing.add(style.exact(curve.epsilon, curve.exact, "exact", basis=MODEL))
    labels.name_curves(drawing, [(each, each["name"]) for each in drawing.data[1:]])
    drawing.set_y(**money_axis(float(curve.published.max())))
    return drawing


def spent(comparison: Comparison) -> Drawing:
    """Draw what many releases spend together: by basic composition, and exactly or at most."""
    numbers, (added,) = comparison.releases, comparison.curves
    drawing = _small(
        f"Privacy spent, each release at ε₀ = {amount(comparison.epsilon0, 4)}", x="number of releases", y="ε together"
    )
    drawing.add(style.reference(numbers, added.epsilon, "basic composition"))
    drawing.add(style.exact(numbers, comparison.exact.upper, "at most" if comparison.exact.is_bound else "exact"))
    labels.name_curves(drawing, [(each, each["name"]) for each in drawing.data])
    return drawing


def _small(title: str, *, x: str, y: str) -> Drawing:
    drawing = Drawing(title=title, x=x, y=y)
    style.shrink(drawing, left=44)
    drawing.set_x(nticks=5)
    drawing.set_y(nticks=4)
    return drawing


def _with_claim_and_truth(drawing: Drawing, claim: _Points, true: _Points) -> Drawing:
    traces = style.published(*claim, "as published"), style.exact(*true, "exact")
    drawing.add(*traces)
    labels.name_curves(drawing, [(each, each["name"]) for each in traces])
    style.as_percentages(drawing, y="up")
    return drawing
