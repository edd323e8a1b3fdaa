"""The figures of the page on explicit risk: a result goes in, a `Drawing` comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PUBLISHED, Toward
from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.mechanisms import ExactCalibration
from par_core.published.explicit import Calibration
from par_core.risk.explicit_curves import AttackCurves, ConfidenceCurves, NoiseOverlap, RiskAt, RiskCurve, TruthCurves
from par_core.risk.loss_curves import LossAt, LossCurves
from par_core.risk.relaxations import ThresholdedLoss
from par_core.risk.simulation import LossSimulation
from par_core.rounding import amount, brief, percent

Axis = Literal["risk", "confidence"]

_AXIS_TITLES = {
    "risk": "Risk: probability that the privacy loss exceeds ε",
    "confidence": "Confidence: probability that the privacy loss stays within ε",
}
_SAFE: dict[Axis, Toward] = {"risk": "up", "confidence": "down"}  # where a proven one still holds
_EPSILON_AXIS = "Privacy level ε (smaller is more private)"


def risk_curves(
    curves: Sequence[RiskCurve], *, by: Literal["k", "epsilon0"] = "k", axis: Axis = "risk", own: RiskAt | None = None
) -> Drawing:
    """Draw figure 1a (by k) or 1b (by epsilon0): ε against the published and the exact risk, and the reader's setting."""
    if by == "k":
        ks = ", ".join(str(curve.k) for curve in curves)
        title = f"Published {axis} by dimension, noise with ε₀ = {amount(curves[0].epsilon0, 4)}, k = {ks}"
    else:
        epsilon0s = ", ".join(f"{amount(curve.epsilon0, 4)}" for curve in curves)
        title = f"Published {axis} by ε₀ = {epsilon0s}, with k = {curves[0].k}"
    drawing = Drawing(title=title, x=_AXIS_TITLES[axis], y=_EPSILON_AXIS)
    # All exact curves of one epsilon0 are the same; then the hatched area reaches to it from the boldest claim.
    boldest = [min(curves, key=lambda curve: float(curve.risk.sum()))] if by == "k" else curves
    for which, curve in enumerate(boldest):
        below, claimed = curve.exact_epsilon < curve.epsilon0, curve.epsilon <= curve.epsilon0
        drawing.add(
            style.not_valid(
                (_on(axis, curve.risk[claimed]), curve.epsilon[claimed]),
                (_on(axis, curve.exact_risk[below]), curve.exact_epsilon[below]),
                legend=which == 0,
            )
        )
    for which, curve in enumerate(curves):
        name = f"k = {curve.k}" if by == "k" else f"ε₀ = {amount(curve.epsilon0, 4)}"
        drawing.add(style.published(_on(axis, curve.risk), curve.epsilon, f"published, {name}", which=which))
        if which == 0 or by == "epsilon0":
            exact = style.exact(
                _on(axis, curve.exact_risk), curve.exact_epsilon, "exact, every k" if by == "k" else f"exact, {name}"
            )
            drawing.add(exact | {"showlegend": by == "k"})
    if by == "epsilon0":
        drawing.add(style.legend_only("exact, one for each ε₀"))
    if own is not None:
        paper, exactly = (float(_on(axis, np.array(value))) for value in (own.risk, own.exact_risk))
        drawing.add(
            *style.claimed_and_true(
                (paper, own.epsilon),
                (exactly, own.epsilon),
                texts=(f"claimed {percent(paper)}", f"true {percent(exactly, toward=_SAFE[axis])}"),
                name=f"yours (ε₀ = {amount(own.epsilon0, 4)}, ε = {amount(own.epsilon, 4)})",
            )
        )
    drawing.set_x(range=[-0.02, 1.02])
    style.as_percentages(drawing, x=_SAFE[axis])
    labels.place(drawing)
    short = [
        (each, each["name"].removeprefix("published, "))
        for each in drawing.data
        if each.get("meta") == PUBLISHED.value and each["mode"] == "lines"
    ]
    labels.name_curves(drawing, [(each, each["name"] if each is short[0][0] else name) for each, name in short])
    return drawing


def calibration(
    curves: ConfidenceCurves, *, true: ExactCalibration, claimed: Calibration | None = None, wanted: float | None = None
) -> Drawing:
    """Draw the confidence in ε that noise for each ε₀ gives, published and exact; the true answer and the paper's are marked."""
    drawing = Drawing(
        title=f"Confidence in ε = {amount(curves.epsilon, 4)} against what the noise is made for (k = {curves.k})",
        x="Privacy level ε₀ of the noise (log scale)",
        y=_AXIS_TITLES["confidence"],
    )
    bold = curves.confidence > curves.exact_confidence
    drawing.add(
        style.not_valid(
            (curves.epsilon0[bold], curves.confidence[bold]), (curves.epsilon0[bold], curves.exact_confidence[bold])
        )
    )
    drawing.add(style.published(curves.epsilon0, curves.confidence, "published confidence"))
    drawing.add(style.exact(curves.epsilon0, curves.exact_confidence, "exact confidence"))
    if wanted is not None:
        drawing.add(style.reference(curves.epsilon0[[0, -1]], np.array([wanted, wanted]), "wanted"))
    text = f"true: ε₀ = {brief(true.epsilon0, toward='down')}"
    drawing.add(style.setting(true.epsilon0, true.confidence, text, name="true answer"))
    if claimed is not None and claimed.epsilon < claimed.epsilon0:
        text = f"claimed: ε₀ = {brief(claimed.epsilon0)}"
        drawing.add(
            style.setting(claimed.epsilon0, claimed.confidence, text, basis=PUBLISHED, name="the paper's answer")
        )
    drawing.set_x(**style.log_axis(curves.epsilon0[0], curves.epsilon0[-1]))
    drawing.set_y(range=[-0.02, 1.1])
    style.as_percentages(drawing, y="down")
    labels.place(drawing)
    return drawing


def truth(curves: TruthCurves, *, own: RiskAt | None = None, simulated: LossSimulation | None = None) -> Drawing:
    """Draw the published risk over the exact probabilities, with simulated shares if there are any."""
    drawing = Drawing(
        title=f"What is claimed and what is true for noise with ε₀ = {amount(curves.epsilon0, 4)} (k = {curves.k})",
        x=_EPSILON_AXIS,
        y="Probability",
    )
    inside = curves.epsilon < curves.epsilon0
    drawing.add(
        style.not_valid(
            (curves.epsilon[inside], curves.risk[inside]), (curves.epsilon[inside], curves.two_sided[inside])
        )
    )
    drawing.add(style.published(curves.epsilon, curves.risk, "published risk"))
    drawing.add(style.exact(curves.epsilon, curves.two_sided, "exact: privacy loss exceeds ε (two-sided)"))
    drawing.add(style.exact(curves.epsilon, curves.one_sided, "exact: privacy loss exceeds ε (one-sided)", which=1))
    drawing.add(style.exact(curves.epsilon, curves.delta, "exact privacy profile δ(ε)", which=2))
    if simulated is not None:
        both = (simulated.share, simulated.lower, simulated.upper)
        one_sided = (simulated.share_one_sided, simulated.lower_one_sided, simulated.upper_one_sided)
        drawing.add(style.estimate(simulated.epsilon, *both, "simulated: privacy loss exceeds ε (two-sided)"))
        drawing.add(
            style.estimate(simulated.epsilon, *one_sided, "simulated: privacy loss exceeds ε (one-sided)", which=1)
        )
    if own is not None and own.epsilon <= curves.epsilon[-1]:
        text = f"ε = {amount(own.epsilon, 4)}: {percent(own.exact_risk, toward='up')}"
        side = "top right" if own.epsilon < 0.6 * curves.epsilon0 else "bottom left"
        drawing.add(style.setting(own.epsilon, own.exact_risk, text, side=side))
    drawing.set_y(range=[-0.02, 1.05])
    style.as_percentages(drawing, y="up")
    labels.place(drawing)
    return drawing


def loss_truth(curves: LossCurves, *, own: LossAt) -> Drawing:
    """Draw what one release of any mechanism gives away: how often its loss exceeds ε, and its privacy profile."""
    drawing = Drawing(
        title=f"What is true of {curves.name}, ε₀ = {amount(curves.epsilon0, 4)}", x=_EPSILON_AXIS, y="Probability"
    )
    drawing.add(style.exact(curves.epsilon, curves.two_sided, "exact: privacy loss exceeds ε (two-sided)"))
    drawing.add(style.exact(curves.epsilon, curves.one_sided, "exact: privacy loss exceeds ε (one-sided)", which=1))
    drawing.add(style.exact(curves.epsilon, curves.delta, "exact privacy profile δ(ε)", which=2))
    _finish_loss(drawing, own, end=float(curves.epsilon[-1]))
    return drawing


def loss_levels(curves: Sequence[LossCurves], *, own: LossAt) -> Drawing:
    """Draw how often the loss of one release exceeds ε, for several ε₀."""
    epsilon0s = ", ".join(f"{amount(curve.epsilon0, 4)}" for curve in curves)
    drawing = Drawing(
        title=f"Exact risk of {curves[0].name}, ε₀ = {epsilon0s}",
        x=_EPSILON_AXIS,
        y="Probability that the privacy loss exceeds ε (two-sided)",
    )
    for which, curve in enumerate(curves):
        drawing.add(
            style.exact(curve.epsilon, curve.two_sided, f"exact, ε₀ = {amount(curve.epsilon0, 4)}", which=which)
        )
    _finish_loss(drawing, own, end=max(float(curve.epsilon[-1]) for curve in curves))
    return drawing


def _finish_loss(drawing: Drawing, own: LossAt, *, end: float) -> None:
    if own.epsilon <= end:
        text = f"ε = {amount(own.epsilon, 4)}: {percent(own.two_sided, toward='up')}"
        side = "top right" if own.epsilon < 0.5 * end else "top left"
        drawing.add(style.setting(own.epsilon, own.two_sided, text, side=side))
    drawing.set_y(range=[-0.02, 1.12])
    style.as_percentages(drawing, y="up")
    labels.place(drawing)


def tradeoff(curves: AttackCurves) -> Drawing:
    """Draw the smallest false-negative rate of any attack against its false-positive rate."""
    drawing = Drawing(
        title=f"Trade-off function: errors that no attacker avoids, ε₀ = {amount(curves.epsilon0, 4)} and ε = {amount(curves.epsilon, 4)}",
        x="False alarms (false-positive rate)",
        y="Misses (false-negative rate)",
    )
    drawing.add(style.exact(curves.false_positive, curves.false_negative0, f"exact, ε₀ = {amount(curves.epsilon0, 4)}"))
    drawing.add(
        style.exact(curves.false_positive, curves.false_negative, f"exact, ε = {amount(curves.epsilon, 4)}", which=1)
    )
    drawing.add(style.reference(curves.false_positive, 1 - curves.false_positive, "guessing blindly"))
    style.as_percentages(drawing, x="near", y="down")
    return drawing


def posterior(curves: AttackCurves, *, prior: float, believed: float) -> Drawing:
    """Draw what an attacker believes afterwards, at worst, against what they believed before; one prior is marked."""
    drawing = Drawing(
        title=f"Belief after the release, at worst, for ε₀ = {amount(curves.epsilon0, 4)} and ε = {amount(curves.epsilon, 4)}",
        x="Belief before (probability)",
        y="Belief after, at worst (probability)",
    )
    drawing.add(style.exact(curves.prior, curves.posterior0, f"exact, ε₀ = {amount(curves.epsilon0, 4)}"))
    drawing.add(style.exact(curves.prior, curves.posterior, f"exact, ε = {amount(curves.epsilon, 4)}", which=1))
    drawing.add(style.reference(curves.prior, curves.prior, "nothing learnt"))
    text = f"{percent(prior)} becomes {percent(believed, toward='up')}"
    drawing.add(style.setting(prior, believed, text, side="bottom right"))
    style.as_percentages(drawing, x="near", y="up")
    labels.place(drawing)
    return drawing


def overlap(curves: NoiseOverlap) -> Drawing:
    """Draw the two noise densities and the area that they share."""
    drawing = Drawing(
        title=f"Noise for ε₀ = {amount(curves.epsilon0, 4)} and for ε = {amount(curves.epsilon, 4)}: shared area {percent(curves.overlap)}",
        x="Noise, in units of the sensitivity",
        y="Density (per unit of the sensitivity)",
    )
    shared = np.minimum(curves.density0, curves.density)
    drawing.add(style.area(curves.noise, shared, "shared area"))
    drawing.add(style.exact(curves.noise, curves.density0, f"noise for ε₀ = {amount(curves.epsilon0, 4)}"))
    drawing.add(style.exact(curves.noise, curves.density, f"noise for ε = {amount(curves.epsilon, 4)}", which=1))
    return drawing


def thresholded(curves: ThresholdedLoss, *, own: ThresholdedLoss) -> Drawing:
    """Draw how often the loss is above ε before and after everything but "above the threshold or not" is thrown away."""
    drawing = Drawing(
        title=f"Post-processing: only “above {amount(float(own.threshold), 4)} or not” is released, ε₀ = {amount(float(own.epsilon0), 4)}",
        x=_EPSILON_AXIS,
        y="Probability that the privacy loss exceeds ε (two-sided)",
    )
    drawing.add(style.exact(curves.epsilon, curves.exceeds_after, "exact, after the threshold"))
    drawing.add(style.exact(curves.epsilon, curves.exceeds_before, "exact, before it", which=1))
    side = "right" if own.epsilon < 0.5 * float(curves.epsilon[-1]) else "left"
    if own.exceeds_after == own.exceeds_before:
        text = f"before and after: {percent(own.exceeds_after, toward='up')}"
        drawing.add(style.setting(own.epsilon, own.exceeds_after, text, side=f"top {side}"))
    else:
        lower_after = own.exceeds_after < own.exceeds_before
        for text, value, below in (
            (f"after: {percent(own.exceeds_after, toward='up')}", own.exceeds_after, lower_after),
            (f"before: {percent(own.exceeds_before, toward='up')}", own.exceeds_before, not lower_after),
        ):
            where = f"{'bottom' if below else 'top'} {side}"
            drawing.add(style.setting(own.epsilon, value, text, side=where, legend=text.startswith("after")))
    drawing.set_y(range=[-0.12, 1.14])
    style.as_percentages(drawing, y="up")
    labels.place(drawing)
    return drawing


def _on(axis: Axis, risk: NDArray[np.float64]) -> NDArray[np.float64]:
    return risk if axis == "risk" else 1.0 - risk
