"""How figures look: one meaning, one look, on every page."""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import ESTIMATE, PROVEN, PUBLISHED, Basis, Toward
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.theme import LIGHT, TEMPLATE
from par_core.rounding import percent, raised

_HOVER = "%{xaxis.title.text}: %{x:.4g}<br>%{yaxis.title.text}: %{y:.4g}<extra>%{fullData.name}</extra>"

# Curves of one basis are told apart by dash and by lightness, so that a grey print and a colour-blind reader can follow.
_PUBLISHED_LOOKS = (
    ("published", "dash"),
    ("published_1", "dashdot"),
    ("published_2", "longdash"),
    ("published_3", "longdashdot"),
    ("published_4", "4px 4px"),
)

_EXACT_LOOKS = (("exact", 2.8), ("exact", 1.4), ("muted", 2.0), ("muted", 1.0))

Curve = tuple[ArrayLike, ArrayLike]


def exact(
    x: ArrayLike, y: ArrayLike, name: str, *, which: int = 0, basis: Basis = PROVEN, shape: str = "linear"
) -> Trace:
    """Return a curve that is computed exactly: solid and dark; `which` (from 0) tells several apart by weight and lightness.

    It is proven, or as good as a model of the reader's.
    """
    role, width = _EXACT_LOOKS[which % len(_EXACT_LOOKS)]
    return _line(x, y, name, {"color": LIGHT[role], "width": width, "shape": shape}, basis.value)


def published(x: ArrayLike, y: ArrayLike, name: str, *, which: int = 0) -> Trace:
    """Return a curve as a paper prints it: dashed amber; `which` (from 0) tells several of them apart."""
    role, dash = _PUBLISHED_LOOKS[which % len(_PUBLISHED_LOOKS)]
    return _line(x, y, name, {"color": LIGHT[role], "dash": dash, "width": 2.2}, PUBLISHED.value)


def reference(x: ArrayLike, y: ArrayLike, name: str, *, role: str = "muted", width: float = 1.0) -> Trace:
    """Return a thin grey line to compare with, such as a blind guess."""
    return _line(x, y, name, {"color": LIGHT[role], "width": width}, "comparison")


def estimate(
    x: ArrayLike,
    y: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    name: str,
    *,
    which: int = 0,
    along: str = "y",
    mode: str = "lines+markers",
) -> Trace:
    """Return points estimated from data or simulation: dotted, with their intervals, which lie along one axis."""
    value, low, high = (
        np.atleast_1d(np.asarray(part, dtype=float)) for part in ({"x": x, "y": y}[along], lower, upper)
    )
    interval = {"type": "data", "symmetric": False, "array": high - value, "arrayminus": value - low}
    return _scatter(
        x,
        y,
        name=name,
        mode=mode,
        line={"color": LIGHT["estimate"], "dash": "dot", "width": 1.2},
        marker={"color": LIGHT["estimate"], "size": 8, "symbol": ("circle-open", "square-open")[which % 2]},
        meta=ESTIMATE.value,
        hovertemplate=_HOVER,
        **{f"error_{along}": interval | {"color": LIGHT["estimate"], "thickness": 1.2}},
    )


def estimated_curve(
    x: ArrayLike,
    y: ArrayLike,
    name: str,
    *,
    interval: tuple[ArrayLike, ArrayLike] | None = None,
    mode: str = "lines",
    **line: Any,
) -> Trace:
    """Return an estimated curve whose intervals, by default none, are not drawn point by point; `line` changes its look."""
    curve = estimate(x, y, *(interval or (y, y)), name)
    curve["error_y"]["visible"] = False
    return curve | {"mode": mode, "line": curve["line"] | {"width": 2.4} | line}


def not_valid(claimed: Curve, true: Curve, *, name: str = "not a valid guarantee", legend: bool = True) -> Trace:
    """Return the hatched area between a claim and the truth, each an (x, y), where the claim is better than the truth."""
    return _area(
        np.concatenate([claimed[0], np.asarray(true[0])[::-1]]),
        np.concatenate([claimed[1], np.asarray(true[1])[::-1]]),
        name,
        fill="toself",
        fillcolor="rgba(0,0,0,0)",
        fillpattern={
            "shape": "/",
            "fillmode": "overlay",
            "fgcolor": LIGHT["invalid"],
            "size": 9,
            "solidity": 0.11,
            "fgopacity": 0.8,
        },
        showlegend=legend,
    )


def area(x: ArrayLike, y: ArrayLike, name: str) -> Trace:
    """Return the area under a curve, filled calmly."""
    return _area(x, y, name, fill="tozeroy", fillcolor=LIGHT["grid"])


def band(x: ArrayLike, lower: ArrayLike, upper: ArrayLike, name: str, *, legend: bool = True) -> Trace:
    """Return the area between two curves, filled calmly."""
    ends = np.concatenate([x, np.asarray(x)[::-1]]), np.concatenate([upper, np.asarray(lower)[::-1]])
    return _area(*ends, name, fill="toself", fillcolor=LIGHT["grid"], opacity=0.6, showlegend=legend)


def bars(x: ArrayLike, y: ArrayLike, name: str, **look: Any) -> Trace:
    """Return bars: their ends, their places, and how they look in the terms of Plotly."""
    return {"type": "bar", "x": np.atleast_1d(x), "y": np.atleast_1d(y), "name": name, **look}


def setting(
    x: float,
    y: float,
    text: str,
    *,
    basis: Basis = PROVEN,
    name: str = "your setting",
    side: str = "top right",
    legend: bool = True,
) -> Trace:
    """Return the marker of the reader's own setting with its value written beside it."""
    return _scatter(
        [x],
        [y],
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
        meta=basis.value,
        hovertemplate="%{text}<extra>%{fullData.name}</extra>" if text else _HOVER,
    )


def claimed_and_true(
    claimed: tuple[float, float],
    true: tuple[float, float],
    *,
    texts: tuple[str, str],
    name: str = "your setting",
    axis: str = "y",
) -> list[Trace]:
    """Return the reader's own setting, an (x, y), as claimed and as it is, joined by a thin line.

    The texts stand above and below, and away from the nearer end of an axis from 0 to 1: they do not meet.
    """
    (x, y), (true_x, true_y) = claimed, true
    joined = _scatter([x, true_x], [y, true_y], mode="lines", showlegend=False, hoverinfo="skip")
    joined["line"] = {"color": LIGHT["accent"], "width": 1, "dash": "dot"}
    beside, true_beside = ("right" if each < 0.5 else "left" for each in (x, true_x))
    traces = [
        joined,
        setting(x, y, texts[0], basis=PUBLISHED, name=name, side=f"top {beside}"),
        setting(true_x, true_y, texts[1], name=name, side=f"bottom {true_beside}", legend=False),
    ]
    return [trace | {"yaxis": axis} for trace in traces]


def legend_only(name: str, *, basis: Basis = PROVEN) -> Trace:
    """Return an entry of the legend that stands for several exact curves, or for one far off; it is not part of the data."""
    entry = exact([math.nan], [math.nan], name, basis=basis) | {"hoverinfo": "skip"}
    del entry["hovertemplate"]
    return entry


def log_axis(low: float, high: float, *, room: tuple[float, float] | None = None) -> dict[str, Any]:
    """Return a logarithmic axis from `low` to `high` with ticks at 1, 2 and 5 times each power of ten, written out.

    `room` is what is left free below and above, in powers of ten; without it the axis fits itself to what is drawn.
    """
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1,) if len(decades) > 5 else (1, 2, 5)
    values = [step * 10.0**decade for decade in decades for step in steps]
    axis = {"type": "log", "tickvals": values, "ticktext": [_written_out(value) for value in values]}
    return axis if room is None else axis | {"range": [math.log10(low) - room[0], math.log10(high) + room[1]]}


def as_printed(drawing: Drawing, *, also: Collection[str] = ()) -> Drawing:
    """Take away what a paper does not print: the truth, the hatching and the reader's marks.

    Published and estimated curves stay, lines to compare with, and what is named in `also`: a printed curve that is proven.
    """
    kept = {PUBLISHED.value, ESTIMATE.value, "comparison"}
    drawing.data = [
        trace
        for trace in drawing.data
        if trace.get("name") in also or (trace.get("meta") in kept and trace.get("mode") != "markers+text")
    ]
    return drawing


def shrink(drawing: Drawing, *, left: int) -> None:
    """Make a picture small, for a card: no legend, and so many pixels on the left for the ticks."""
    drawing.layout["title"]["font"] = {"size": 14}
    margin = {"l": left, "r": 12, "t": 34, "b": 40}
    drawing.layout.update(height=220, margin=margin, showlegend=False, font={"size": 12})


def set_rows(drawing: Drawing, names: Sequence[str], *, least: int = 0) -> NDArray[np.int64]:
    """Name the rows of a picture from its top, with room for `least` of them, and make it as high as they need; returns their places."""
    number = max(len(names), least)
    places = np.arange(number, number - len(names), -1)
    height = 190 + 30 * number + 10 * sum("<br>" in name for name in names)
    drawing.set_y(tickvals=places.tolist(), ticktext=list(names), range=[0.4, number + 0.7], showgrid=False)
    drawing.layout["yaxis"]["title"]["standoff"] = 8
    # The names take a margin of their own: on a phone the title needs the width of the whole picture.
    drawing.layout["title"] |= {"xref": "container", "x": 0.01}
    if height > TEMPLATE["layout"]["height"]:
        drawing.layout.update(height=height, legend={"y": -78 / (height - 104)})  # as far below the axis as elsewhere
    return places


def letters(text: str) -> str:
    """Return text from outside such that Plotly, which takes tags for markup, shows it letter by letter."""
    return html.escape(text, quote=False)


def runs(mask: NDArray[np.bool_], *, at_least: int = 1) -> Iterator[slice]:
    """Yield the stretches of at least so many points in which a mask holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    for start, stop in edges.reshape(-1, 2):
        if stop - start >= at_least:
            yield slice(int(start), int(stop))


def as_percentages(drawing: Drawing, **safe: Toward) -> None:
    """Write the shares on axes (`x`, `y`, `y2`) as percentages, at the ticks and under the pointer.

    Each axis is given with the side to which its proven shares are rounded, so that they still hold.
    """
    for axis, toward in safe.items():
        letter, number = axis[0], axis[1:]
        drawing.layout[f"{letter}axis{number}"]["tickformat"] = ".0%"
        for trace in drawing.data:
            if trace.get(f"{letter}axis", letter) == axis and "hovertemplate" in trace:
                to = toward if trace["meta"] == PROVEN.value else "near"
                tell(trace, letter, _percentages(trace[letter], toward=to))


def tell(trace: Trace, axis: str, words: Sequence[str]) -> None:
    """Let each point of a trace tell these words under the pointer in place of its number on an axis."""
    told = trace["customdata"].T if "customdata" in trace else ()
    place, column = "%{" + axis + ":.4g}", "%{customdata[" + str(len(told)) + "]}"
    if place in trace["hovertemplate"]:
        trace["customdata"] = np.column_stack([*told, words])
        trace["hovertemplate"] = trace["hovertemplate"].replace(place, column)


def _percentages(shares: NDArray[np.float64], *, toward: Toward) -> list[str]:
    """Return what `percent` writes of each share, faster; where a digit may hang on the last bit, `percent` decides."""
    with np.errstate(all="ignore"):  # what is too small for a power of ten is not clear
        steps = 10.0 ** (4 - np.floor(np.log10(100 * shares)))
        places, round_to = shares * steps, {"up": np.ceil, "down": np.floor, "near": np.rint}[toward]
        clear = (shares > 0.001) & (shares < 0.999) & (np.abs(2 * places - np.rint(2 * places)) > 1e-6)
        rounded = 100 * round_to(places) / steps
    return [
        f"{told:g}\u00a0%" if sure else percent(share, toward=toward)
        for told, sure, share in zip(rounded.tolist(), clear.tolist(), shares.tolist(), strict=True)
    ]


def _written_out(value: float) -> str:
    if 1e-6 <= value < 1e10:
        return f"{value:,.6f}".rstrip("0").rstrip(".")
    lead, _, exponent = f"{value:.0e}".partition("e")
    return f"{lead}·10{raised(int(exponent))}".removeprefix("1·")


def _line(x: ArrayLike, y: ArrayLike, name: str, line: dict[str, Any], basis: str) -> Trace:
    return _scatter(x, y, name=name, mode="lines", line=line, meta=basis, hovertemplate=_HOVER)


def _area(x: ArrayLike, y: ArrayLike, name: str, **look: Any) -> Trace:
    return _scatter(x, y, name=name, mode="lines", line={"width": 0}, hoverinfo="skip", **look)


def _scatter(x: ArrayLike, y: ArrayLike, **look: Any) -> Trace:
    return {"type": "scatter", "x": np.atleast_1d(x), "y": np.atleast_1d(y), **look}
