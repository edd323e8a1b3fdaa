"""The small pictures on the overview: the gist of a page at the present scenario, without a legend or a menu."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from par_core.composition import Comparison
from par_core.cost import CostCurve
from par_core.figures import style
from par_core.risk.explicit_curves import AttackCurves, ExcessCurve, NoiseOverlap, TruthCurves
from par_core.rounding import amount
from par_core.sampling.coupled_curves import CoupledCurve
from par_core.standing import MODEL

_Points = tuple[NDArray[np.float64], NDArray[np.float64]]


def truth(curves: TruthCurves) -> go.Figure:
    """Draw the published risk under the exact one."""
    figure = _small(f"Privacy loss above ε, at ε₀ = {amount(curves.epsilon0, 4)}", x="ε", y="probability")
    inside = curves.epsilon < curves.epsilon0
    epsilon, risk, exact = curves.epsilon[inside], curves.risk[inside], curves.two_sided[inside]
    figure.add_trace(style.not_valid((epsilon, risk), (epsilon, exact)))
    return _with_claim_and_truth(figure, (epsilon, risk), (epsilon, exact))


def noise(curves: NoiseOverlap, *, unit: float) -> go.Figure:
    """Draw the noise that a release carries, in the unit of the answer (`unit` is the sensitivity in it)."""
    figure = _small(f"Noise at ε₀ = {amount(curves.epsilon0, 4)}", x="noise, in the answer's unit", y="density")
    figure.add_trace(style.exact(curves.noise * unit, curves.density0 / unit, "noise"))
    return figure


def belief(curves: AttackCurves) -> go.Figure:
    """Draw what an attacker can come to believe."""
    figure = _small(
        f"Belief after the release, at ε₀ = {amount(curves.epsilon0, 4)}", x="belief before", y="after, at worst"
    )
    figure.add_trace(style.exact(curves.prior, curves.posterior0, "exact"))
    figure.add_trace(style.reference(curves.prior, curves.prior, "nothing learnt"))
    middle = len(curves.prior) // 2
    _label(figure, 0.5, float(curves.posterior0[middle]), "at worst", above=True, left=True)
    _label(figure, 0.5, 0.5, "nothing learnt", above=False, left=False)
    style.as_percentages(figure, x="near", y="up")
    return figure


def sampled(curve: CoupledCurve) -> go.Figure:
    """Draw the published risk of noise that is calibrated to a sampled sensitivity, under the exact one."""
    setting = curve.setting
    figure = _small(
        f"Privacy loss above ε, at ε₀ = {amount(setting.epsilon0, 4)} and η = {amount(setting.eta, 4)}",
        x="ε",
        y="probability",
    )
    inside, below = curve.epsilon < setting.reached, curve.exact_epsilon < setting.reached
    claim, true = (curve.epsilon[inside], curve.risk[inside]), (curve.exact_epsilon[below], curve.exact_risk[below])
    for place, stretch in enumerate(curve.too_bold):
        figure.add_trace(style.not_valid(*stretch, legend=place == 0))
    return _with_claim_and_truth(figure, claim, true)


def excess(curve: ExcessCurve) -> go.Figure:
    """Draw what an audit of noisy releases can find at most."""
    figure = _small(f"Most that an audit finds at ε₀ = {amount(curve.epsilon0, 4)}", x="ε", y="δ")
    figure.add_trace(style.exact(curve.epsilon, curve.delta, "exact"))
    return figure


def cost(curve: CostCurve, *, currency: str) -> go.Figure:
    """Draw what a breach costs by the published and by the exact confidence."""
    figure = _small(f"Budget for a breach at ε₀ = {amount(curve.epsilon0, 4)}", x="ε counted on", y=currency)
    figure.add_trace(style.not_valid((curve.epsilon, curve.published), (curve.epsilon, curve.exact)))
    figure.add_trace(style.published(curve.epsilon, curve.published, "as published"))
    figure.add_trace(style.exact(curve.epsilon, curve.exact, "exact", standing=MODEL))
    _label(figure, curve.exact_optimum.epsilon, curve.exact_optimum.budget, "exact", above=True)
    _label(figure, curve.published_optimum.epsilon, curve.published_optimum.budget, "as published", above=False)
    figure.update_yaxes(tickformat="~s")
    return figure


def spent(comparison: Comparison) -> go.Figure:
    """Draw what many releases spend together, by basic composition and exactly."""
    numbers, (added,) = comparison.compositions, comparison.curves
    figure = _small(
        f"Privacy spent, each release at ε₀ = {amount(comparison.epsilon0, 4)}", x="number of releases", y="ε together"
    )
    figure.add_trace(style.reference(numbers, added.epsilon, "basic composition"))
    figure.add_trace(style.exact(numbers, comparison.exact.upper, "exact"))
    middle = len(numbers) // 2
    _label(figure, float(numbers[middle]), float(added.epsilon[middle]), "basic composition", above=True, left=True)
    _label(figure, float(numbers[middle]), float(comparison.exact.upper[middle]), "exact", above=False, left=False)
    return figure


def _small(title: str, *, x: str, y: str) -> go.Figure:
    figure = style.figure(title=title, x=x, y=y)
    figure.update_layout(
        height=220, margin={"l": 44, "r": 12, "t": 34, "b": 40}, showlegend=False, title_font_size=14, font_size=12
    )
    figure.update_xaxes(nticks=5)
    figure.update_yaxes(nticks=4)
    return figure


def _with_claim_and_truth(figure: go.Figure, claim: _Points, true: _Points) -> go.Figure:
    figure.add_trace(style.published(*claim, "as published"))
    figure.add_trace(style.exact(*true, "exact"))
    for (x, y), name in ((true, "exact"), (claim, "as published")):
        _label(figure, x[len(x) // 2], y[len(x) // 2], name, above=name == "exact")
    style.as_percentages(figure, y="up")
    return figure


def _label(figure: go.Figure, x: float, y: float, text: str, *, above: bool, left: bool | None = None) -> None:
    """Write a name beside a curve: above and to the right of the point, or below and to the left or right of it."""
    rightward = above if left is None else not left
    figure.add_annotation(
        x=x,
        y=y,
        text=text,
        showarrow=False,
        xanchor="left" if rightward else "right",
        yanchor="bottom" if above else "top",
    )
