"""The figures of the page that plans samples: a result goes in, a `Drawing` comes out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import ESTIMATE, PUBLISHED
from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.points import table
from par_core.regression import RidgeUtility
from par_core.risk.explicit_curves import RiskAt, RiskCurve
from par_core.rounding import amount, brief, percent
from par_core.sampling.coupled_curves import CoupledAt, CoupledCurve
from par_core.sampling.curves import SamplesAt, SamplesCurve
from par_core.sampling.sensitivity_sample import SensitivitySample

if TYPE_CHECKING:
    import pandas as pd

_Floats = NDArray[np.float64]

_MOST_POINTS = 2000
_FAR = 20.0  # a worst case further off than this would squeeze the sample against the left edge
_RISK_OF_SAMPLE = "Risk 1 − α (probability)"
_RISK_OF_BOTH = "Risk: probability of being less private than ε"
_EPSILON_AXIS = "Privacy level ε (smaller is more private)"


def samples_needed_figure(curves: Sequence[SamplesCurve], *, own: SamplesAt | None = None) -> Drawing:
    """Draw figure 2: risk against the number of samples for each ρ, and how many the exact coverage takes."""
    drawing = Drawing(
        title="Samples for a given risk, ρ = " + ", ".join(f"{curve.rho:g}" for curve in curves),
        x=_RISK_OF_SAMPLE,
        y="Number of sampled pairs (log scale)",
    )
    shown = False
    for curve in curves:
        for part in style.runs(np.ceil(curve.published) < curve.in_the_mean, at_least=2):
            claim, true = (curve.risk[part], curve.published[part]), (curve.risk[part], curve.in_the_mean[part])
            drawing.add(style.not_valid(claim, true, legend=not shown))
            shown = True
    for which, curve in enumerate(curves):
        drawing.add(style.published(curve.risk, curve.published, f"published, ρ = {curve.rho:g}", which=which))
    first = curves[0]
    drawing.add(style.exact(first.risk, first.in_the_mean, "exact: largest covers one more", shape="hv"))
    nearest = first if own is None else min(curves, key=lambda curve: abs(math.log(curve.rho / own.rho)))
    if own is not None and math.isclose(nearest.rho, own.rho, rel_tol=1e-9):
        name = f"exact: largest covers {percent(1 - own.rho, toward='down')}"
        drawing.add(style.exact(nearest.risk, nearest.largest, name, which=1, shape="hv"))
    heights = np.concatenate([part for curve in curves for part in (curve.published, curve.in_the_mean)])
    ends = [float(heights.min()), float(heights.max())]
    if own is not None and own.says_something and own.risk >= float(first.risk[0]):
        ends = [min(ends[0], own.samples), max(ends[1], own.samples)]
        side = "top right" if own.risk < 0.5 else "top left"
        text = f"{own.samples:,} pairs, ρ = {brief(own.rho, toward='up')}"
        drawing.add(style.setting(own.risk, own.samples, text, basis=PUBLISHED, side=side))
    drawing.set_x(range=[-0.02, 1.02])
    drawing.set_y(**style.log_axis(*ends, room=(0.15, 0.25)))
    style.as_percentages(drawing, x="up")
    labels.place(drawing)
    return drawing


def both_sources_figure(
    curves: Sequence[CoupledCurve], *, by: Literal["rho", "samples"] = "rho", own: CoupledAt | None = None
) -> Drawing:
    """Draw figure 3a (by ρ) or 3b (by samples): ε against the published risk of each, and the exact risk of the noise, one for all."""
    first = curves[0]
    title = f"Risk by ρ with {first.samples:,} samples" if by == "rho" else f"Risk by samples with ρ = {first.rho:g}"
    level0 = f"ε₀ = {amount(first.setting.epsilon0, 4)}, η = {amount(first.setting.eta, 4)}"
    drawing = Drawing(title=f"{title}, {level0}", x=_RISK_OF_BOTH, y=_EPSILON_AXIS)
    # One area, from the boldest claim to the truth: four on top of each other would hide the curves.
    boldest = min(curves, key=lambda curve: float(curve.risk.sum()))
    for place, (claim, true) in enumerate(boldest.too_bold):
        drawing.add(style.not_valid(claim[::-1], true[::-1], legend=place == 0))
    for which, curve in enumerate(curves):
        name = f"ρ = {curve.rho:g}" if by == "rho" else f"{curve.samples:,} samples"
        drawing.add(style.published(curve.risk, curve.epsilon, f"published, {name}", which=which))
    drawing.add(style.exact(first.exact_risk, first.exact_epsilon, "exact noise"))
    if own is not None:
        texts = (f"claimed {percent(own.risk)}", f"true {percent(own.exact_risk, toward='up')}")
        drawing.add(*style.claimed_and_true((own.risk, own.epsilon), (own.exact_risk, own.epsilon), texts=texts))
    drawing.set_x(range=[-0.02, 1.02])
    style.as_percentages(drawing, x="up")
    labels.place(drawing)
    return drawing


def sensitivity_cdf(
    sample: SensitivitySample, *, share: float, confidence: float = 0.9, unit: str = "", log: bool = False
) -> Drawing:
    """Draw figure 7: the share of sampled pairs up to each sensitivity, its band, the chosen quantile, and the worst case.

    The worst case is drawn as a line where it is known, and named in the legend alone where it is far off the sample.

    `share` is the quantile that is marked, `confidence` the probability that the band holds the whole true curve, `unit` that of
    the query's answer. With `log` values of 0 lie off the left end of the axis.
    """
    values = np.asarray(sample.values, dtype=np.float64)
    named = f" ({unit})" if unit else ""
    drawing = Drawing(
        title=f"Sensitivities of {values.size:,} sampled pairs",
        x=f"Sensitivity{named or ' (in the unit of the query)'}",
        y="Share of pairs up to this sensitivity",
    )
    lower, upper = (np.asarray(end, dtype=np.float64) for end in sample.band(confidence))
    last = _last_of_equals(values)
    at, height = values[last], (last + 1.0) / values.size
    # A kept step stands for those left out after it: the upper end is the one that they reach.
    reached = np.append(upper[last][1:], upper[-1]) if last.size < np.unique(values).size else upper[last]
    # Steps are spelt out: a filled outline cannot run backwards in steps.
    steps = np.repeat(at, 2)[1:], np.repeat(lower[last], 2)[:-1], np.repeat(reached, 2)[:-1]
    drawing.add(style.band(*steps, f"band, {100 * confidence:g} %"))
    ends = (lower[last], reached)
    drawing.add(style.estimated_curve(at, height, "sampled pairs", interval=ends, width=2.2, shape="hv"))
    chosen = float(sample.quantile(share))
    start = float(at[at > 0][0]) if log and np.any(at > 0) else 0.0
    guide = style.reference([start, chosen, chosen], [share, share, 0.0], "chosen quantile")
    drawing.add(guide | {"showlegend": False})
    largest = max(float(at[-1]), chosen)
    if sample.worst_case is not None:
        _add_worst_case(drawing, sample.worst_case, largest, named=f" {unit}" if unit else "")
    text = brief(chosen, toward="up")
    side = "bottom right" if chosen < 0.6 * largest else "bottom left"
    name = f"your quantile: {percent(share)} of the pairs"
    drawing.add(style.setting(chosen, share, text, basis=ESTIMATE, name=name, side=side))
    drawing.set_y(range=[-0.03, 1.08])
    style.as_percentages(drawing, y="near")
    if log:
        drawing.set_x(type="log")
    labels.place(drawing)
    return drawing


def utility_figure(
    utility: RidgeUtility, curves: Sequence[RiskCurve], *, unit: str | None = None, own: RiskAt | None = None
) -> Drawing:
    """Draw figure 6: ε against the confidence for each ε₀ (left axis) and the error of the private fit (right axis).

    `curves` come from `explicit_curves.by_epsilon0`. The error is drawn in the `unit` of the target; without one it is that of the
    target scaled to 0 to 1.
    """
    epsilons, factor = np.asarray(utility.epsilons), 1.0 if unit is None else utility.unit
    mean, spread, plain = factor * utility.mean, factor * utility.sd, factor * utility.non_private_mean
    levels0 = ", ".join(f"{curve.epsilon0:g}" for curve in curves)
    drawing = Drawing(
        title=f"Confidence for ε₀ = {levels0}, and error over {utility.runs:,} runs",
        x=_EPSILON_AXIS,
        y=f"RMSE ({unit or 'target from 0 to 1'})",
    )
    interval = (mean - spread, mean + spread)
    drawing.add(style.band(epsilons, *interval, "band of the error", legend=False))
    drawing.add(style.estimated_curve(epsilons, mean, "error, ± one deviation", interval=interval, width=2.2))
    reach = [float(epsilons.min()), float(epsilons.max())]
    without = style.reference(reach, np.full(2, plain), "error without noise", width=1.6)
    drawing.add(without | {"meta": ESTIMATE.value})
    _add_confidence(drawing, curves)
    if own is not None:
        _add_own_utility(drawing, own, epsilons=epsilons, mean=mean)
    ends = np.array([float((mean - spread).min()), float((mean + spread).max()), plain])
    drawing.set_x(range=[min(0.0, reach[0]), 1.03 * reach[1]])
    # The confidence is laid over the error, so that its curves and markers are not under the band.
    left: dict[str, Any] = {
        "title": {"text": "Confidence in ε", "font": {"size": 14}},
        "overlaying": "y",
        "side": "left",
    }
    left |= {"tickmode": "auto", "range": [-0.02, 1.08]}  # else its ticks follow those of the axis below, at odd values
    _colour_right_axis(drawing, ends)
    drawing.layout["yaxis2"] = left
    style.as_percentages(drawing, y2="down")
    labels.place(drawing)
    return drawing


def utility_table(drawing: Drawing) -> pd.DataFrame:
    """Return the points of `utility_figure` as `points.table` does, with confidence and error in columns of their own."""
    import pandas as pd

    return pd.concat([table(drawing, axis="y2"), table(drawing, axis="y")], ignore_index=True)


def _colour_right_axis(drawing: Drawing, ends: _Floats) -> None:
    """Set the axis of the error on the right, in the colour of the estimate, so that the eye finds what belongs to it."""
    low, high = float(ends.min()), float(ends.max())
    room = 0.08 * (high - low) or 0.1 * max(abs(high), 1e-9)
    colour = theme.LIGHT["estimate"]
    drawing.layout["yaxis"]["title"]["font"] = {"color": colour}
    drawing.set_y(side="right", range=[low - room, high + room], showgrid=False)
    drawing.set_y(tickcolor=colour, linecolor=colour, tickfont={"color": colour})


def _add_confidence(drawing: Drawing, curves: Sequence[RiskCurve]) -> None:
    drawing.add(_too_bold(curves) | {"yaxis": "y2"})
    for which, curve in enumerate(curves):
        name = f"ε₀ = {curve.epsilon0:g}"
        published = style.published(curve.epsilon, 1.0 - curve.risk, f"published, {name}", which=which)
        exact = style.exact(curve.exact_epsilon, 1.0 - curve.exact_risk, f"exact confidence, {name}")
        drawing.add(published | {"yaxis": "y2"}, exact | {"yaxis": "y2", "showlegend": False})
    drawing.add(style.legend_only("exact confidence, one for each ε₀"))


def _too_bold(curves: Sequence[RiskCurve]) -> Trace:
    """Return one hatched area from the boldest claim to the lowest truth, over the curves whose ε₀ is not reached yet."""
    epsilon = np.unique(np.concatenate([curve.exact_epsilon for curve in curves]))
    epsilon = epsilon[epsilon < max(curve.epsilon0 for curve in curves)]
    claims, truths = [], []
    for curve in curves:
        reached = epsilon >= curve.epsilon0
        below = curve.exact_epsilon < curve.epsilon0
        claim = 1.0 - np.interp(epsilon, curve.epsilon, curve.risk)
        truth = 1.0 - np.interp(epsilon, curve.exact_epsilon[below], curve.exact_risk[below])
        claims.append(np.where(reached, -np.inf, claim))
        truths.append(np.where(reached, np.inf, truth))
    return style.not_valid((epsilon, np.max(claims, axis=0)), (epsilon, np.min(truths, axis=0)))


def _add_own_utility(drawing: Drawing, own: RiskAt, *, epsilons: _Floats, mean: _Floats) -> None:
    if epsilons.min() <= own.epsilon0 <= epsilons.max():
        error = float(np.interp(own.epsilon0, epsilons, mean))
        name = f"error at ε₀: {amount(error)}"  # the chart has no room for a third text
        drawing.add(style.setting(own.epsilon0, error, "", basis=ESTIMATE, name=name))
    claimed, true = 1.0 - own.risk, 1.0 - own.exact_risk
    texts = (f"claimed {percent(claimed)}", f"true {percent(true, toward='down')}")
    drawing.add(*style.claimed_and_true((own.epsilon, claimed), (own.epsilon, true), texts=texts, axis="y2"))


def _add_worst_case(drawing: Drawing, worst_case: float, largest: float, *, named: str) -> None:
    name = f"worst case {brief(worst_case, toward='up')}{named}"
    if worst_case > _FAR * largest > 0:
        drawing.add(style.legend_only(f"{name}, {worst_case / largest:,.0f} times the largest sampled"))
        return
    drawing.add(style.exact([worst_case, worst_case], [0.0, 1.0], name))


def _last_of_equals(values: _Floats) -> NDArray[np.int64]:
    """Return the places of the last of each run of equal sorted values, evenly thinned, the first and the last kept."""
    last = np.flatnonzero(np.append(np.diff(values) > 0, True))
    if last.size <= _MOST_POINTS:
        return last
    return last[np.unique(np.linspace(0, last.size - 1, _MOST_POINTS).round().astype(np.int64))]
