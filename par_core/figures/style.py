"""How figures look: one meaning, one look, on every page.

Figures are always painted in the light colours. The browser exchanges each of them for the colour of the same role in the
theme that the reader chose (`.streamlit/config.toml` holds both lists).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from par_core.rounding import Toward, percent, raised
from par_core.standing import ESTIMATE, PROVEN, PUBLISHED, Standing

ROLES = (
    "exact",
    "published",
    "estimate",
    "invalid",
    "accent",
    "published_1",
    "published_2",
    "published_3",
    "published_4",
    "muted",
    "grid",
    "text",
    "background",
    "surface",
)
_LIGHT = """#14283c #b26a00 #0d7a6b #b3261e #1d5d8c #6f4200 #c67f12
            #8a5a12 #5a3300 #7a8794 #d5dce3 #1c2733 #ffffff #f3f5f7"""
_DARK = """#f4f7fa #f0a93b #4fc9b4 #ff8f85 #7fb8e6 #c98a2b #ffd08a
           #a9762a #ffe3b8 #93a1ae #313c47 #e8edf2 #11171d #1b232b"""
LIGHT = dict(zip(ROLES, _LIGHT.split(), strict=True))
DARK = dict(zip(ROLES, _DARK.split(), strict=True))

_HOVER = "%{xaxis.title.text}: %{x:.4g}<br>%{yaxis.title.text}: %{y:.4g}<extra>%{fullData.name}</extra>"

# Curves of one standing are told apart by dash and by lightness, so that a grey print and a colour-blind reader can follow.
_PUBLISHED_LOOKS = (
    ("published", "dash"),
    ("published_1", "dashdot"),
    ("published_2", "longdash"),
    ("published_3", "longdashdot"),
    ("published_4", "4px 4px"),
)

_EXACT_LOOKS = (("exact", 2.8), ("exact", 1.4), ("muted", 2.0), ("muted", 1.0))

_AXIS = {
    "title": {"font": {"size": 14}},
    "gridcolor": LIGHT["grid"],
    "linecolor": LIGHT["muted"],
    "zeroline": False,
    "ticks": "outside",
    "tickcolor": LIGHT["muted"],
    "showline": True,
    "automargin": True,
}
TEMPLATE = go.layout.Template(
    layout=go.Layout(
        font={"family": "Source Sans, Source Sans Pro, system-ui, sans-serif", "size": 14, "color": LIGHT["text"]},
        title={"x": 0, "xref": "paper", "xanchor": "left", "y": 0.98, "yref": "container", "yanchor": "top"},
        title_font_size=16,
        paper_bgcolor=LIGHT["background"],
        plot_bgcolor=LIGHT["background"],
        margin={"l": 64, "r": 24, "t": 48, "b": 56},
        height=460,
        colorway=[LIGHT[role] for role in ROLES[:9]],
        legend={"orientation": "h", "x": 0, "xanchor": "left", "y": -0.21, "yanchor": "top", "font": {"size": 13}},
        modebar={"bgcolor": LIGHT["surface"], "color": LIGHT["muted"], "activecolor": LIGHT["accent"]},
        hovermode="closest",
        hoverlabel={"bgcolor": LIGHT["surface"], "font": {"color": LIGHT["text"]}, "bordercolor": LIGHT["grid"]},
        xaxis=_AXIS,
        yaxis=_AXIS,
    )
)


def figure(*, title: str, x: str, y: str) -> go.Figure:
    """Return an empty figure in the house look, with its title and its two axis titles (quantity and unit)."""
    return go.Figure(
        layout={"template": TEMPLATE, "title": {"text": title}, "xaxis": {"title": x}, "yaxis": {"title": y}}
    )


Curve = tuple[ArrayLike, ArrayLike]


def exact(x: ArrayLike, y: ArrayLike, name: str, *, which: int = 0, standing: Standing = PROVEN) -> go.Scatter:
    """Return a curve that is computed exactly: solid and dark; `which` (from 0) tells several apart by weight and lightness.

    It is proven, or as good as a model of the reader's.
    """
    role, width = _EXACT_LOOKS[which % len(_EXACT_LOOKS)]
    return _line(x, y, name, {"color": LIGHT[role], "width": width}, standing.value)


def published(x: ArrayLike, y: ArrayLike, name: str, *, which: int = 0) -> go.Scatter:
    """Return a curve as a paper prints it: dashed amber; `which` (from 0) tells several of them apart."""
    role, dash = _PUBLISHED_LOOKS[which % len(_PUBLISHED_LOOKS)]
    return _line(x, y, name, {"color": LIGHT[role], "dash": dash, "width": 2.2}, PUBLISHED.value)


def reference(x: ArrayLike, y: ArrayLike, name: str) -> go.Scatter:
    """Return a thin grey line to compare with, such as a blind guess."""
    return _line(x, y, name, {"color": LIGHT["muted"], "width": 1}, "comparison")


def estimate(
    x: ArrayLike, y: ArrayLike, lower: ArrayLike, upper: ArrayLike, name: str, *, which: int = 0
) -> go.Scatter:
    """Return points estimated from data or simulation: dotted, with their intervals."""
    value, low, high = (np.atleast_1d(np.asarray(part, dtype=float)) for part in (y, lower, upper))
    return go.Scatter(
        x=np.atleast_1d(x),
        y=value,
        name=name,
        mode="lines+markers",
        line={"color": LIGHT["estimate"], "dash": "dot", "width": 1.2},
        marker={"color": LIGHT["estimate"], "size": 8, "symbol": ("circle-open", "square-open")[which % 2]},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": high - value,
            "arrayminus": value - low,
            "color": LIGHT["estimate"],
            "thickness": 1.2,
        },
        meta=ESTIMATE.value,
        hovertemplate=_HOVER,
    )


def estimated_curve(x: ArrayLike, y: ArrayLike, name: str, *, dash: str = "dot", width: float = 2.4) -> go.Scatter:
    """Return an estimated curve whose intervals are not drawn point by point."""
    curve = estimate(x, y, y, y, name)
    return curve.update(error_y_visible=False, mode="lines", line_dash=dash, line_width=width)


def not_valid(claimed: Curve, true: Curve, *, legend: bool = True) -> go.Scatter:
    """Return the hatched area between a claim and the truth, each an (x, y), where the claim is better than the truth."""
    return go.Scatter(
        x=np.concatenate([claimed[0], np.asarray(true[0])[::-1]]),
        y=np.concatenate([claimed[1], np.asarray(true[1])[::-1]]),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor="rgba(0,0,0,0)",
        fillpattern={
            "shape": "/",
            "fillmode": "overlay",
            "fgcolor": LIGHT["invalid"],
            "size": 9,
            "solidity": 0.09,
            "fgopacity": 0.75,
        },
        name="not a valid guarantee",
        showlegend=legend,
        hoverinfo="skip",
    )


def area(x: ArrayLike, y: ArrayLike, name: str) -> go.Scatter:
    """Return the area under a curve, filled calmly."""
    look = {"mode": "lines", "line": {"width": 0}, "fill": "tozeroy", "fillcolor": LIGHT["grid"]}
    return go.Scatter(x=x, y=y, name=name, hoverinfo="skip", **look)


def setting(
    x: float,
    y: float,
    text: str,
    *,
    standing: Standing = PROVEN,
    name: str = "your setting",
    side: str = "top right",
    legend: bool = True,
) -> go.Scatter:
    """Return the marker of the reader's own setting with its value written beside it."""
    return go.Scatter(
        x=[x],
        y=[y],
        name=name,
        mode="markers+text",
        text=[text],
        textposition=side,
        textfont={"color": LIGHT["accent"], "size": 13},
        marker={
            "color": LIGHT["accent"],
            "size": 11,
            "symbol": "diamond",
            "line": {"color": LIGHT["background"], "width": 1.5},
        },
        cliponaxis=False,
        showlegend=legend,
        meta=standing.value,
        hovertemplate="%{text}<extra>%{fullData.name}</extra>" if text else _HOVER,
    )


def claimed_and_true(
    claimed: tuple[float, float],
    true: tuple[float, float],
    *,
    texts: tuple[str, str],
    name: str = "your setting",
    axis: str = "y",
) -> list[go.Scatter]:
    """Return the reader's own setting, an (x, y), as claimed and as it is, joined by a thin line.

    The texts stand above and below, and away from the nearer end of an axis from 0 to 1: they do not meet.
    """
    (x, y), (true_x, true_y) = claimed, true
    line = {"color": LIGHT["accent"], "width": 1, "dash": "dot"}
    beside, true_beside = ("right" if each < 0.5 else "left" for each in (x, true_x))
    traces = [
        go.Scatter(x=[x, true_x], y=[y, true_y], mode="lines", line=line, showlegend=False, hoverinfo="skip"),
        setting(x, y, texts[0], standing=PUBLISHED, name=name, side=f"top {beside}"),
        setting(true_x, true_y, texts[1], name=name, side=f"bottom {true_beside}", legend=False),
    ]
    return [trace.update(yaxis=axis) for trace in traces]


def legend_only(trace: go.Scatter) -> go.Scatter:
    """Return a trace without points that stands in the legend for several curves; it is not part of the data."""
    return trace.update(hoverinfo="skip", hovertemplate=None)


def log_axis(low: float, high: float, *, room: tuple[float, float] | None = None) -> dict[str, Any]:
    """Return a logarithmic axis from `low` to `high` with ticks at 1, 2 and 5 times each power of ten, written out.

    `room` is what is left free below and above, in powers of ten; without it the axis fits itself to what is drawn.
    """
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1,) if len(decades) > 5 else (1, 2, 5)
    values = [step * 10.0**decade for decade in decades for step in steps]
    axis = {"type": "log", "tickvals": values, "ticktext": [_written_out(value) for value in values]}
    return axis if room is None else axis | {"range": [math.log10(low) - room[0], math.log10(high) + room[1]]}


def as_printed(figure: go.Figure, *, also: Collection[str] = ()) -> go.Figure:
    """Take away what a paper does not print: the truth, the hatching and the reader's marks.

    Published and estimated curves stay, lines to compare with, and what is named in `also`: a printed curve that is proven.
    """
    kept = {PUBLISHED.value, ESTIMATE.value, "comparison"}
    figure.data = [
        trace
        for trace in figure.data
        if trace.name in also or (trace.meta in kept and "markers" not in (trace.mode or ""))
    ]
    return figure


def runs(mask: NDArray[np.bool_], *, at_least: int = 1) -> Iterator[slice]:
    """Yield the stretches of at least so many points in which a mask holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    for start, stop in edges.reshape(-1, 2):
        if stop - start >= at_least:
            yield slice(int(start), int(stop))


def as_percentages(figure: go.Figure, **safe: Toward) -> None:
    """Write the shares on axes (`x`, `y`, `y2`) as percentages, at the ticks and under the pointer.

    Each axis is given with the side to which its proven shares are rounded, so that they still hold.
    """
    for axis, toward in safe.items():
        letter, number = axis[0], axis[1:]
        figure.update_layout({f"{letter}axis{number}": {"tickformat": ".0%"}})
        for trace in figure.data:
            if (trace[f"{letter}axis"] or letter) == axis and trace.hovertemplate:
                to = toward if trace.meta == PROVEN.value else "near"
                tell(trace, letter, [percent(float(share), toward=to) for share in trace[letter]])


def tell(trace: go.Scatter, axis: str, words: Sequence[str]) -> None:
    """Let each point of a trace tell these words under the pointer in place of its number on an axis."""
    told = [] if trace.customdata is None else [trace.customdata[:, at] for at in range(trace.customdata.shape[1])]
    place, column = "%{" + axis + ":.4g}", "%{customdata[" + str(len(told)) + "]}"
    if place in trace.hovertemplate:
        trace.update(
            customdata=np.column_stack([*told, words]), hovertemplate=trace.hovertemplate.replace(place, column)
        )


def _written_out(value: float) -> str:
    if 1e-6 <= value < 1e10:
        return f"{value:,.6f}".rstrip("0").rstrip(".")
    lead, _, exponent = f"{value:.0e}".partition("e")
    return f"{lead}·10{raised(int(exponent))}".removeprefix("1·")


def _line(x: ArrayLike, y: ArrayLike, name: str, line: dict[str, Any], standing: str) -> go.Scatter:
    return go.Scatter(x=x, y=y, name=name, mode="lines", line=line, meta=standing, hovertemplate=_HOVER)
