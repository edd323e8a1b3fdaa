"""The figures of the page on the budget for a breach: a result goes in, a `Drawing` comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from par_core.cost import CostCurve, CostCurves, Effect, EpsilonRange, SensitivityAnalysis
from par_core.evidence import MODEL, PUBLISHED, Basis, Toward
from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.money import brief_money, money, money_axis
from par_core.rounding import amount, brief

if TYPE_CHECKING:
    import pandas as pd

_EPSILON_AXIS = "Privacy level ε counted on"
_BUDGET = "Budget for a breach"
_INPUTS = {
    "compensation": "Compensation",
    "per_head": "Compensation",
    "stakeholders": "Stakeholders",
    "rate": "Rate",
    "minimum": "Minimum",
    "fixed": "Fine",
    "fixed_rate": "Rate of the fine",
    "epsilon0": "ε₀",
    "k": "k",
}
_WIDE = 12.0  # an axis that spans more than this is logarithmic


def budgets(curves: CostCurves, *, own: float, currency: str) -> Drawing:
    """Draw figure 4: the budget against ε for each epsilon0, as published and exact, with the optima of the reader's `own`."""
    levels0 = ", ".join(f"{amount(curve.epsilon0, 4)}" for curve in curves.curves)
    drawing = _money_drawing(f"Budget for a breach by ε₀ = {levels0} (k = {curves.k})", curves.curves, currency)
    mine = next(curve for curve in curves.curves if curve.epsilon0 == own)
    _add_not_valid(drawing, mine)
    for which, curve in enumerate(curves.curves):
        drawing.add(
            style.published(curve.epsilon, curve.published, f"published, ε₀ = {amount(curve.epsilon0, 4)}", which=which)
        )
        exact = style.exact(
            curve.epsilon,
            curve.exact,
            f"exact, ε₀ = {amount(curve.epsilon0, 4)}",
            which=int(curve is not mine),
            basis=MODEL,
        )
        drawing.add(exact | {"showlegend": len(curves.curves) == 1})
    if len(curves.curves) > 1:
        drawing.add(style.legend_only("exact, the bold one yours", basis=MODEL))
    # Above the curve other curves are in the way, unless it is the highest one.
    highest = mine.baseline >= max(curve.baseline for curve in curves.curves)
    _add_optima(drawing, mine, currency, true_side="top" if highest else "bottom")
    return _finished(drawing, currency)


def claim_and_truth(curve: CostCurve, *, currency: str) -> Drawing:
    """Draw the budget of one epsilon0 as published and exact, with both optima and the cost without either."""
    title = f"Claimed and real budget at ε₀ = {amount(curve.epsilon0, 4)} (k = {curve.k})"
    drawing = _money_drawing(title, [curve], currency)
    _add_not_valid(drawing, curve)
    _add_pair(drawing, curve)
    ends = curve.epsilon[[0, -1]]
    drawing.add(style.reference(ends, np.array([curve.baseline] * 2), "counting on ε₀ alone"))
    _add_optima(drawing, curve, currency)
    return _finished(drawing, currency)


def affordable(
    curve: CostCurve,
    *,
    budget: float,
    currency: str,
    published: EpsilonRange | None = None,
    exact: EpsilonRange | None = None,
) -> Drawing:
    """Draw the budget of one epsilon0 with the money that there is, and the bands of ε that it pays for (None: no ε)."""
    title = f"What a budget of {money(budget, currency, toward='down', coins=True)} pays for at ε₀ = {amount(curve.epsilon0, 4)}"
    too_high = budget > 2.0 * curve.baseline  # with its line in the picture the curves would lie flat at the bottom
    drawing = _money_drawing(title, [curve], currency, also=None if too_high else budget)
    for found, name, role in (
        (published, "band: claimed to be affordable", "published"),
        (exact, "band: truly affordable", "exact"),
    ):
        if found is not None:
            _add_bands(drawing, found, name=name, colour=theme.LIGHT[role])
    _add_pair(drawing, curve)
    if too_high:
        return _finished(drawing, currency)
    drawing.add(style.reference(curve.epsilon[[0, -1]], [budget] * 2, "your budget", role="accent", width=1.6))
    for found, words in ((published, "claimed"), (exact, "true")):
        if found is not None:
            name = f"ends of the band, {words}"
            for interval in found.intervals:
                drawing.add(_ends(interval.lower, interval.upper, budget, name, found.evidence.basis))
    return _finished(drawing, currency)


def tornado(published: SensitivityAnalysis, exact: SensitivityAnalysis, *, currency: str) -> Drawing:
    """Draw by how much the least budget changes when each input is moved down and up, the largest true effect on top."""
    rows = list(_rows(published, exact))
    largest = max((abs(change) for _, *both in rows for effect in both for change in _changes(effect)), default=0.0)
    drawing = Drawing(
        title=f"Change of the least budget, each input moved by ±{exact.percent:g} %{_of_k(exact)}",
        x=f"Change (unit: {currency})",
        y="Input (in its own unit)",
    )
    for name, at, opacity, basis, role in (
        ("published", 0.19, 0.75, PUBLISHED, "published"),
        ("exact", -0.19, 1.0, MODEL, "exact"),
    ):
        effects = [one if name == "published" else two for _, one, two in rows]
        places = np.arange(len(rows), 0, -1) + at
        drawing.add(
            style.bars(
                [_changes(each)[side] for side in (0, 1) for each in effects],
                np.concatenate([places, places]),
                name,
                text=[_end(each, side) for side in (0, 1) for each in effects],
                textposition="outside",
                textfont={"color": theme.LIGHT["text"], "size": 12},
                cliponaxis=False,
                orientation="h",
                width=0.34,
                marker={"color": theme.LIGHT[role], "opacity": opacity},
                meta=basis.value,
                customdata=[_told(each, side, currency) for side in (0, 1) for each in effects],
                hovertemplate="%{customdata}" + f"<extra>{name}</extra>",
            )
        )
    reach = 1.3 * largest or 1.0
    drawing.set_x(**money_axis(reach), range=[-reach, reach], zeroline=True, zerolinecolor=theme.LIGHT["muted"])
    ticks = [f"{label} = {_short(one.value)}" for label, one, _ in rows]
    drawing.set_y(tickvals=list(range(len(rows), 0, -1)), ticktext=ticks, showgrid=False)
    drawing.layout["yaxis"]["title"]["standoff"] = 4
    # The names of the inputs take a margin of their own: on a phone the title needs the width of the whole picture.
    drawing.layout["title"] |= {"xref": "container", "x": 0.01}
    drawing.layout |= {"barmode": "overlay", "height": max(400, 150 + 62 * len(rows))}
    return drawing


def effects_table(published: SensitivityAnalysis, exact: SensitivityAnalysis) -> pd.DataFrame:
    """Return one row for each input and confidence: its three values, the three budgets, the derivative."""
    import pandas as pd

    return pd.DataFrame(
        {
            "input": label,
            "confidence": name,
            "low": effect.low,
            "value": effect.value,
            "high": effect.high,
            "budget at low": effect.budget_low,
            "budget": effect.budget,
            "budget at high": effect.budget_high,
            "budget per unit of the input": effect.derivative,
            "percent of budget per percent of the input": effect.relative,
            "standing": effect.evidence.basis.value,
        }
        for label, *both in _rows(published, exact)
        for name, effect in zip(("published", "exact"), both, strict=True)
    )


def label_of(name: str) -> str:
    """Return what an input of a cost model is called."""
    return _INPUTS.get(name, name)


def _money_drawing(title: str, curves: Sequence[CostCurve], currency: str, *, also: float | None = None) -> Drawing:
    drawing = Drawing(title=title, x=_EPSILON_AXIS, y=f"{_BUDGET} (unit: {currency})")
    largest = max(float(max(curve.published.max(), curve.exact.max())) for curve in curves)
    drawing.set_y(**money_axis(largest), range=_room(curves, also))
    drawing.set_x(exponentformat="power")
    levels0 = [curve.epsilon0 for curve in curves]
    if max(levels0) > _WIDE * min(1.0, *levels0):
        optima = [each for curve in curves for each in (curve.published_optimum, curve.exact_optimum)]
        low = max(0.2 * min(float(each.epsilon) for each in optima), 1e-9)
        drawing.set_x(**style.log_axis(low, max(levels0), room=(0, 0.05)))
    return drawing


def _room(curves: Sequence[CostCurve], also: float | None) -> tuple[float, float]:
    """Return a range of the money axis with room for a text below the lowest point and above the highest one."""
    drawn = np.concatenate([each for curve in curves for each in (curve.published, curve.exact)])
    values = [float(drawn.min()), float(drawn.max()), *(float(curve.published_optimum.budget) for curve in curves)]
    values += [] if also is None else [also]
    low, high = min(values), max(values)
    span = high - low or high or 1.0
    return (max(low - 0.12 * span, -0.04 * span), high + 0.08 * span)


def _finished(drawing: Drawing, currency: str) -> Drawing:
    """Let each point tell its amount and its level as sentences do, an exact amount rounded up; place the texts."""
    for trace in drawing.data:
        if "hovertemplate" in trace and trace["mode"] == "lines":
            toward: Toward = "up" if trace["meta"] == MODEL.value else "near"
            style.tell(trace, "x", [amount(level, 4) for level in trace["x"].tolist()])
            style.tell(trace, "y", [brief_money(cash, currency, toward=toward) for cash in trace["y"].tolist()])
    labels.place(drawing)
    return drawing


def _add_pair(drawing: Drawing, curve: CostCurve) -> None:
    drawing.add(style.published(curve.epsilon, curve.published, f"published, ε₀ = {amount(curve.epsilon0, 4)}"))
    drawing.add(style.exact(curve.epsilon, curve.exact, f"exact, ε₀ = {amount(curve.epsilon0, 4)}", basis=MODEL))


def _add_not_valid(drawing: Drawing, curve: CostCurve) -> None:
    """Shade where the published budget is below the one that it takes."""
    short = curve.published < curve.exact
    if short.any():
        below = curve.epsilon <= curve.epsilon[short][-1]
        drawing.add(
            style.not_valid((curve.epsilon[below], curve.published[below]), (curve.epsilon[below], curve.exact[below]))
        )


def _add_optima(drawing: Drawing, curve: CostCurve, currency: str, *, true_side: str = "top") -> None:
    label = f"cheapest ε at ε₀ = {amount(curve.epsilon0, 4)}"
    for words, found, side, first in (
        ("claimed", curve.published_optimum, "bottom", True),
        ("true", curve.exact_optimum, true_side, False),
    ):
        toward = "right" if found.epsilon < 0.5 * float(curve.epsilon[-1]) else "left"
        drawing.add(
            style.setting(
                found.epsilon,
                found.budget,
                f"{words} {brief_money(found.budget, currency, toward='up' if found.truth == 'exact' else 'near')}",
                basis=found.evidence.basis,
                name=label,
                side=f"{side} {toward}",
                legend=first,
            )
        )


def _add_bands(drawing: Drawing, found: EpsilonRange, *, name: str, colour: str) -> None:
    for number, interval in enumerate(found.intervals):
        lower = interval.lower
        if drawing.layout["xaxis"].get("type") == "log":
            lower = max(lower, 10.0 ** drawing.layout["xaxis"]["range"][0])
        drawing.layout.setdefault("shapes", []).append(
            {
                "type": "rect",
                "x0": lower,
                "x1": interval.upper,
                "xref": "x",
                "y0": 0,
                "y1": 1,
                "yref": "y domain",
                "fillcolor": colour,
                "opacity": 0.16,
                "line": {"width": 0},
                "layer": "below",
                "name": name,
                "showlegend": number == 0,
            }
        )


def _ends(lower: float, upper: float, budget: float, name: str, basis: Basis) -> Trace:
    """Return the two ends of a band on the line of the budget, with their values; a lower end of 0 is no point."""
    ends = [
        (level, text)
        for level, text in ((lower, brief(lower, toward="up")), (upper, brief(upper, toward="down")))
        if level
    ]
    colour, sides = theme.LIGHT["exact"], ["top center"] * len(ends)
    if basis is PUBLISHED:  # outside the band, but where its first end lies close to the axis
        colour = theme.LIGHT["published"]
        sides = ["bottom left" if ends[0][0] > 0.25 * upper else "bottom right", "bottom right"][-len(ends) :]
    return {
        "type": "scatter",
        "x": np.array([level for level, _ in ends]),
        "y": np.full(len(ends), budget),
        "name": name,
        "mode": "markers+text",
        "text": [f"ε = {text}" for _, text in ends],
        "textposition": sides,
        "textfont": {"color": colour, "size": 13},
        "marker": {"color": colour, "size": 9, "symbol": "line-ns-open", "line": {"width": 2}},
        "cliponaxis": False,
        "showlegend": False,
        "meta": basis.value,
        "hovertemplate": "%{text}<extra>" + name + "</extra>",
    }


def _rows(published: SensitivityAnalysis, exact: SensitivityAnalysis) -> Iterator[tuple[str, Effect, Effect]]:
    """Each input that can be moved at all: its label, its published and its exact effect."""
    by_name = {effect.name: effect for effect in published.effects}
    for effect in exact.effects:
        if (effect.low, effect.high) != (effect.value, effect.value):
            yield label_of(effect.name), by_name[effect.name], effect


def _of_k(found: SensitivityAnalysis) -> str:
    """Return how k was moved, which is whole and takes no percentage."""
    (k,) = (effect for effect in found.effects if effect.name == "k")
    return ", k doubled" if k.low == k.value else ", k halved and doubled"


def _end(effect: Effect, side: int) -> str:
    """Return what stands at the end of a bar: what the input was moved to, and nothing where there is no bar."""
    moved = (effect.low, effect.high)[side]
    return "" if effect.span == 0 or moved == effect.value else _short(moved)


def _short(value: float) -> str:
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.4g}"


def _told(effect: Effect, side: int, currency: str) -> str:
    """Return what the pointer tells of one end of a bar: what the input was moved to, and what that changes."""
    change = _changes(effect)[side]
    sign = "+" if change > 0 else ""
    return f"input {_short((effect.low, effect.high)[side])}: {sign}{money(change, currency)}"


def _changes(effect: Effect) -> tuple[float, float]:
    return effect.budget_low - effect.budget, effect.budget_high - effect.budget
