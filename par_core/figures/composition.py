"""The figures of the page on composition: a result goes in, a figure comes out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from par_core.composition import AccountantCurve, Comparison, ExactComposition, Plan
from par_core.figures import style
from par_core.standing import PROVEN, PUBLISHED, Standing

if TYPE_CHECKING:
    import pandas as pd

Axes = Literal["plain", "log"]
What = Literal["releases", "level"]

_SHORT = {
    "exact": "Exact",
    "basic": "Adding up",
    "advanced": "Advanced",
    "zcdp": "zCDP",
    "rdp": "Rényi",
    "optimal_pure": "Optimal pure",
    "at_risk": "PaR, Theorem 3",
    "at_risk_exact": "PaR, true confidence",
    "at_risk_preprint": "PaR, preprint",
    "at_risk_as_drawn": "PaR, as drawn",
}
# Proven bounds are grey lines: told apart by their marks, so that a grey print can be followed.
_MARKS = {
    "basic": "circle",
    "advanced": "square",
    "zcdp": "triangle-up",
    "rdp": "triangle-down",
    "optimal_pure": "x",
    "at_risk_exact": "diamond",
}
# Kinds of bars: the role of their colour, their standing, whether they are hatched.
_KINDS: dict[str, tuple[str, Standing, bool]] = {
    "exact": ("exact", PROVEN, False),
    "proven": ("muted", PROVEN, False),
    "published": ("published", PUBLISHED, False),
    "published, more than is safe": ("published", PUBLISHED, True),
}
_DASHES = ("at_risk", "at_risk_preprint", "at_risk_as_drawn")
_SPENT = "Privacy spent, ε of all together (no unit)"
_RELEASES = "Number of releases (no unit)"
_HOVER = "%{y:.5~g}"


@dataclass(frozen=True)
class Running:
    """The privacy spent by the first releases of a list, at some numbers of them.

    Attributes
    ----------
    delta, target : float
        The delta of the counts, and the epsilon that all together may reach.
    compositions : ndarray of int of shape (n,)
        Releases so far, rising.
    basic : ndarray of shape (n,)
        Their levels added up.
    published : ndarray of shape (n,)
        By Corollary 1, with Theorem 4's confidence.
    exact : sequence of ExactComposition
        One for each; none as long as they are not computed, and then the claim is not drawn either.
    """

    delta: float
    target: float
    compositions: NDArray[np.int64]
    basic: NDArray[np.float64]
    published: NDArray[np.float64]
    exact: Sequence[ExactComposition]


def short_name(key: str) -> str:
    """Return what an accountant is called in a legend."""
    return _SHORT[key]


def small(value: float) -> str:
    """Return a small number such as a delta without the zero that Python puts into its exponent."""
    return f"{value:g}".replace("e-0", "e-")


def accountants(
    comparison: Comparison, *, axes: Axes = "plain", own: tuple[int, float] | None = None, k: int = 1
) -> go.Figure:
    """Draw figure 5: the privacy spent against the number of releases, by each accountant, over the exact curve.

    Where a curve claims less than the exact one it is hatched. `own` is the reader's number of releases and what it comes to.
    """
    at_risk = any(curve.accountant.at_risk for curve in comparison.curves)
    figure = style.figure(
        title=f"Privacy spent by many releases with ε₀ = {comparison.epsilon0:g}, δ = {small(comparison.delta)}"
        + (f" (k = {k})" if at_risk and k != 1 else ""),
        x=_RELEASES,
        y=_SPENT,
    )
    numbers = comparison.compositions
    _add_not_valid(figure, numbers, comparison)
    for curve in comparison.curves:
        figure.add_trace(_line(curve, numbers))
    figure.add_trace(_hover(style.exact(numbers, comparison.exact.upper, "Exact"), _HOVER))
    _add_first_below(figure, comparison)
    if own is not None:
        figure.add_trace(
            _hover(style.setting(own[0], own[1], f"{own[1]:.4g}", name="your scenario", side="top right"), _HOVER)
        )
    _set_axes(figure, comparison, axes)
    return figure


def plans(found: Sequence[Plan], *, what: What) -> go.Figure:
    """Draw what each accountant allows as bars: the number of releases, or the level of each; hatched where it is too much."""
    first = found[0]
    if what == "releases":
        title, x = f"Releases with ε₀ = {first.epsilon0:g} that each count allows", "Number of releases (no unit)"
    else:
        title, x = (
            f"ε₀ of each of {first.compositions:,} releases that each count allows",
            "Level ε₀ of each release (no unit)",
        )
    figure = style.figure(title=title, x=x, y="Way of counting (no unit)")
    sizes = np.array([_size(plan, what) for plan in found])
    truth = next((_size(plan, what) for plan in found if plan.key == "exact"), None)
    places = np.arange(len(found), 0, -1)
    kinds = np.array([_kind(plan, size, truth) for plan, size in zip(found, sizes, strict=True)])
    for kind in _KINDS:
        if (kinds == kind).any():
            figure.add_trace(_bars(kind, sizes[kinds == kind], places[kinds == kind], what=what))
    positive = sizes[sizes > 0]
    wide = bool(positive.size) and positive.max() > 30 * positive.min()
    if wide:
        low, high = 10 ** math.floor(math.log10(positive.min()) - 0.3), positive.max()
        figure.update_xaxes(style.log_axis(low, high))
        figure.update_xaxes(range=[math.log10(low), math.log10(high) + 0.22 * math.log10(high / low)])
    else:
        figure.update_xaxes(range=[0, 1.3 * float(sizes.max()) or 1.0], exponentformat="power")
    figure.update_yaxes(
        tickvals=list(places), ticktext=[short_name(plan.key) for plan in found], showgrid=False, title_standoff=4
    )
    figure.update_yaxes(range=[0.4, len(found) + 0.6])
    # The names take a margin of their own: on a phone the title needs the width of the whole picture.
    figure.update_layout(height=190 + 30 * len(found), title={"xref": "container", "x": 0.01}, barmode="overlay")
    return figure


def plans_table(releases: Sequence[Plan], levels: Sequence[Plan]) -> pd.DataFrame:
    """Return one row for each accountant and question, with its standing and its limits."""
    import pandas as pd

    return pd.DataFrame(
        {
            "question": question,
            "way of counting": plan.name,
            "level of each release": plan.epsilon0,
            "releases": plan.compositions,
            "epsilon together": plan.epsilon,
            "search ended at its limit": plan.at_limit,
            "standing": plan.standing.value,
            "source": plan.source,
            "limits": plan.limits,
        }
        for question, found in (("how many releases", releases), ("which level", levels))
        for plan in found
    )


def running(spent: Running) -> go.Figure:
    """Draw how the privacy spent by releases at different levels grows, against the target."""
    figure = style.figure(
        title=f"Privacy spent, release by release (target {spent.target:g}, δ = {small(spent.delta)})",
        x="Releases so far (no unit)",
        y=_SPENT,
    )
    # Before the first release nothing is spent.
    numbers = np.concatenate([[0], spent.compositions])
    basic = np.concatenate([[0.0], spent.basic])
    top = max(float(basic.max()), min(spent.target, 3 * float(basic.max())))
    if spent.exact:
        _add_claim_and_truth(figure, spent, numbers)
    figure.add_trace(_proven(numbers, basic, "basic"))
    target = style.reference(numbers[[0, -1]], np.array([spent.target] * 2), "target")
    figure.add_trace(_hover(target.update(line={"color": style.LIGHT["accent"], "width": 1.6}), _HOVER))
    figure.update_layout(hovermode="x unified")
    figure.update_yaxes(range=[0, 1.08 * top])
    figure.update_xaxes(range=[0, float(numbers[-1]) * 1.02], tickformat=",d")
    return figure


def _add_claim_and_truth(figure: go.Figure, spent: Running, numbers: NDArray[np.int64]) -> None:
    published, lower, upper = (
        np.concatenate([[0.0], np.asarray(values, dtype=float)])
        for values in (spent.published, [each.lower for each in spent.exact], [each.upper for each in spent.exact])
    )
    # Between the points that are known the picture holds straight lines: hatched is what lies between those.
    fine = np.linspace(0, float(numbers[-1]), 401)
    claimed, truth = (np.interp(fine, numbers, values) for values in (published, lower))
    for count, part in enumerate(_runs(claimed < truth)):
        figure.add_trace(_hatch(fine[part], claimed[part], truth[part], legend=count == 0))
    figure.add_trace(_hover(style.published(numbers, published, "PaR, Corollary 1"), _HOVER))
    figure.add_trace(_hover(style.exact(numbers, upper, "Exact"), _HOVER))


# --- the curves -------------------------------------------------------------------------------------------------------


def _line(curve: AccountantCurve, numbers: NDArray[np.int64]) -> go.Scatter:
    key, name = curve.accountant.key, _name(curve)
    if curve.standing is PUBLISHED:
        return _hover(style.published(numbers, curve.epsilon, name, which=_DASHES.index(key)), _HOVER)
    return _proven(numbers, curve.epsilon, key)


def _name(curve: AccountantCurve) -> str:
    key = curve.accountant.key
    return short_name(key) + (f" (δ = {small(curve.delta)})" if key == "at_risk_as_drawn" else "")


def _proven(numbers: NDArray[np.int64], epsilon: NDArray[np.float64], key: str) -> go.Scatter:
    return go.Scatter(
        x=numbers,
        y=epsilon,
        name=short_name(key),
        mode="lines+markers",
        line={"color": style.LIGHT["muted"], "width": 1.4},
        marker={"color": style.LIGHT["muted"], "symbol": _MARKS[key], "size": 7, "maxdisplayed": 9},
        meta=PROVEN.value,
        hovertemplate=_HOVER,
    )


def _hover(trace: go.Scatter, template: str) -> go.Scatter:
    return trace.update(hovertemplate=template)


def _add_not_valid(figure: go.Figure, numbers: NDArray[np.int64], comparison: Comparison) -> None:
    """Hatch from the lowest claim up to the truth, wherever any claim lies below it."""
    claims = [curve.epsilon for curve in comparison.curves if curve.below.any()]
    if not claims:
        return
    lowest, truth = np.min(claims, axis=0), comparison.exact.lower
    for count, part in enumerate(_runs(lowest < truth)):
        figure.add_trace(_hatch(numbers[part], lowest[part], truth[part], legend=count == 0))


def _hatch(x: NDArray[Any], claimed: NDArray[np.float64], truth: NDArray[np.float64], *, legend: bool) -> go.Scatter:
    area = style.not_valid((x, claimed), (x, truth), legend=legend)
    return area.update(name="not a valid guarantee here")


def _runs(mask: NDArray[np.bool_]) -> Iterator[slice]:
    """Yield the stretches in which a mask holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    for start, stop in edges.reshape(-1, 2):
        yield slice(int(start), int(stop))


def _add_first_below(figure: go.Figure, comparison: Comparison) -> None:
    """Mark on each curve where it first falls below the truth, if it was above it before."""
    for curve in comparison.curves:
        first = curve.first_below
        if first is None or first == comparison.compositions[0]:
            continue
        at = int(np.searchsorted(comparison.compositions, first))
        figure.add_trace(
            go.Scatter(
                x=[first],
                y=[curve.epsilon[at]],
                name=f"{_name(curve)}: too low from here on",
                mode="markers",
                marker={"symbol": "circle-open", "size": 12, "color": style.LIGHT["invalid"], "line": {"width": 2}},
                cliponaxis=False,
                showlegend=False,
                meta=curve.standing.value,
                hovertemplate=_HOVER,
            )
        )


def _set_axes(figure: go.Figure, comparison: Comparison, axes: Axes) -> None:
    numbers = comparison.compositions
    most = float(comparison.epsilon0 * numbers[-1])
    drawn = np.concatenate([comparison.exact.upper, *(curve.epsilon for curve in comparison.curves)])
    # What lies above adding up is of no use to anyone, and would press the rest flat.
    top = min(float(drawn.max()), most)
    figure.update_layout(hovermode="x unified", height=500)
    if axes == "log":
        low = max(float(drawn[drawn > 0].min(initial=top)), 1e-4 * top)
        figure.update_xaxes(style.log_axis(1, float(numbers[-1]) + 1))
        figure.update_xaxes(range=[-0.02, math.log10(float(numbers[-1]) + 1)])
        figure.update_yaxes(style.log_axis(low, top))
        figure.update_yaxes(range=[math.log10(low) - 0.1, math.log10(top) + 0.1])
    else:
        figure.update_xaxes(range=[0, 1.02 * float(numbers[-1])])
        figure.update_yaxes(range=[0, 1.06 * top])
    figure.update_xaxes(hoverformat=",d")


# --- the bars ---------------------------------------------------------------------------------------------------------


def _size(plan: Plan, what: What) -> float:
    return float(plan.compositions if what == "releases" else plan.epsilon0)


def _kind(plan: Plan, size: float, truth: float | None) -> str:
    if plan.standing is PUBLISHED:
        return "published, more than is safe" if truth is not None and size > truth else "published"
    return "exact" if plan.key == "exact" else "proven"


def _bars(kind: str, sizes: NDArray[np.float64], places: NDArray[np.int64], *, what: What) -> go.Bar:
    role, standing, unsafe = _KINDS[kind]
    return go.Bar(
        x=sizes,
        y=places,
        orientation="h",
        name=kind,
        text=[f"{size:,.0f}" if what == "releases" else f"{size:.4g}" for size in sizes],
        textposition="outside",
        textfont={"color": style.LIGHT["text"], "size": 13},
        cliponaxis=False,
        width=0.62,
        marker={
            "color": style.LIGHT["background" if unsafe else role],
            "line": {"color": style.LIGHT[role], "width": 1.4},
            "pattern": {
                "shape": "/" if unsafe else "",
                "fillmode": "overlay",
                "fgcolor": style.LIGHT["invalid"],
                "size": 9,
                "solidity": 0.15,
                "fgopacity": 1,
            },
        },
        meta=standing.value,
        hovertemplate="%{x:.6~g}<extra>" + kind + "</extra>",
    )
