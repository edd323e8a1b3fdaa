"""The figures of the page that decides: which ε₀ meets which wish, and what a release gives away in 100."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from par_core.datasets.deployments import SOURCE, Deployment
from par_core.decision import LARGEST, SMALLEST, Band, Decision, Odds, Total
from par_core.evidence import PROVEN
from par_core.figures import style, theme
from par_core.figures.decision_words import is_narrow, name_of, number_of, own_level, row_of
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.quantities import format_quantity
from par_core.rounding import amount, brief, small

if TYPE_CHECKING:
    import pandas as pd

_LOW, _HIGH = 0.01, 50.0  # from here to there deployments lie
_ROOM = 0.24  # of the axis: what a number takes on a phone
_HALF = 0.24  # of a band, in rows
_LOW_CHART = 360  # pixels: squares that fill a phone leave more of them empty
_GAP = 12  # from the first block of releases to the second, in places


def decision(
    found: Decision,
    *,
    epsilon0: float,
    deployments: Sequence[Deployment],
    delta: float,
    currency: str,
    of: str = "each release",
) -> Drawing:
    """Draw for each wish which levels meet it, where all do, the present level, and what deployments report above.

    A deployment that reports rho stands at what that comes to at this delta. The levels are those `of` what is named so.
    """
    drawing = Drawing(title="Which ε₀ meets which wish", x=f"Privacy level ε₀ of {of}", y="Wish")
    reported = np.array([each.level(delta) for each in deployments])
    ends = _ends(found, [epsilon0, *reported.tolist()])
    names = [row_of(wish, currency) for wish in found.wishes]
    places = style.set_rows(drawing, ["Reported<br>by others", *names]).tolist()
    _draw_wishes(drawing, found, [*zip(names, places[1:], strict=True)], ends, epsilon0)
    drawing.add(_reported(deployments, reported, np.full(len(reported), float(places[0])), ends))
    drawing.add(_own(epsilon0, ends))
    height = 210 + 42 * (len(names) + 1)
    drawing.set_y(range=[-0.15, len(names) + 1.6])
    drawing.layout.update(height=height, legend={"y": -78 / (height - 104)})
    return drawing


def small_decision(found: Decision, *, epsilon0: float, currency: str) -> Drawing:
    """Draw the same without what deployments report and without a legend, for the overview."""
    drawing = Drawing(title="Which ε₀ meets which wish", x="Privacy level ε₀", y="Wish")
    ends = _ends(found, [epsilon0])
    names = [row_of(wish, currency) for wish in found.wishes]
    places = style.set_rows(drawing, names).tolist()
    style.shrink(drawing, left=44)
    _draw_wishes(drawing, found, [*zip(names, places, strict=True)], ends, epsilon0)
    drawing.add(_own(epsilon0, ends))
    drawing.set_y(range=[-0.15, len(names) + 0.6])
    drawing.layout["height"] = 140 + 40 * len(names)
    return drawing


def _draw_wishes(
    drawing: Drawing, found: Decision, rows: Sequence[tuple[str, int]], ends: tuple[float, float], epsilon0: float
) -> None:
    """Draw a band for each wish in its row, a name and a place, and behind them the present level and where all are met."""
    _mark_decision(drawing, found, ends, len(rows))
    labels = [_label(band, ends, epsilon0, fine=is_narrow(found)) for band in found.bands]
    drawing.add(_present(labels, [place for _, place in rows], epsilon0, ends))
    for met, words in ((True, "your ε₀ meets it"), (False, "your ε₀ misses it")):
        if any(each.met is met for each in labels):
            nowhere = np.array([math.nan])
            drawing.add(style.band(nowhere, nowhere, nowhere, words) | _look(met=met))
    for (name, place), band, label in zip(rows, found.bands, labels, strict=True):
        if band.possible:
            drawing.add(_band(band, name, place, ends, met=label.met))
        drawing.add(_text(label, place))
    drawing.set_x(**_axis(ends))


def _own(epsilon0: float, ends: tuple[float, float]) -> Trace:
    side = "middle right" if _way(epsilon0, ends) < 0.5 else "middle left"
    text = f"\u00a0your ε₀ = {own_level(epsilon0)}\u00a0"  # beside a handle, which is wider than the mark
    return style.setting(epsilon0, 0.15, text, name="your ε₀", side=side, legend=False)


def _axis(ends: tuple[float, float]) -> dict[str, Any]:
    """Return an axis with ticks that have room on a phone: of many powers of ten every second, of very many every fourth."""
    axis = style.log_axis(*ends, room=(0, 0))
    every = 1 if (number := len(axis["tickvals"])) < 7 else 2 if number < 10 else 4
    kept = [at for at, value in enumerate(axis["tickvals"]) if every == 1 or round(math.log10(value)) % every == 0]
    return axis | {name: [axis[name][at] for at in kept] for name in ("tickvals", "ticktext")}


_NO_HOVER = {"hoverinfo": "skip", "showlegend": False}


def _ends(found: Decision, levels: Sequence[float]) -> tuple[float, float]:
    ends = [end for band in found.bands for end in (band.low, band.high) if band.possible and end > SMALLEST]
    return _around(np.array([*ends, *levels]))


def _around(levels: NDArray[np.float64]) -> tuple[float, float]:
    """Return the ends of an axis that holds these levels; a level of 0 has no place of its own there."""
    inside = levels[(levels > 0) & (levels < math.inf)]
    return min([_LOW, *inside]) / 1.25, 1.25 * max([_HIGH, *inside])


def _way(level: float, ends: tuple[float, float]) -> float:
    """Return how far along the axis a level stands, 0 to 1."""
    return math.log(level / ends[0]) / math.log(ends[1] / ends[0])


def _within(band: Band | Decision, ends: tuple[float, float]) -> tuple[float, float]:
    return max(float(band.low), ends[0]), min(float(band.high), ends[1])


def _mark_decision(drawing: Drawing, found: Decision, ends: tuple[float, float], rows: int) -> None:
    """Shade where all wishes are met, or hatch what lies between the two that collide."""
    if found.bands and found.possible:
        low, high = _within(found, ends)
        shade = style.band(np.array([low, high]), np.full(2, 0.5), np.full(2, rows + 0.5), "all your wishes are met")
        drawing.add(shade | {"fillcolor": theme.LIGHT["accent"], "opacity": 0.35})
    elif found.collision is not None:
        between = np.array([found.high, found.low])
        edges = (between, np.full(2, 0.5)), (between, np.full(2, rows + 0.5))
        drawing.add(style.not_valid(*edges, name="misses two of your wishes"))


def _band(band: Band, name: str, place: int, ends: tuple[float, float], *, met: bool) -> Trace:
    """Return a band as an area: a thick line would count as one that runs through its number."""
    low, high = _within(band, ends)
    lower, upper = np.full(2, place - _HALF), np.full(2, place + _HALF)
    area = style.band(np.array([low, high]), lower, upper, name.replace("<br>", " "), legend=False)
    return area | {axis: np.append(area[axis], area[axis][0]) for axis in "xy"} | _look(met=met)


def _look(*, met: bool) -> dict[str, Any]:
    """Return how a band looks: what is missed is pale, so that its number can be read, and has an edge, so that it is seen."""
    if met:
        return {"fillcolor": theme.LIGHT["exact"], "opacity": 1}
    return {"fillcolor": theme.LIGHT["grid"], "opacity": 1, "line": {"color": theme.LIGHT["muted"], "width": 1}}


def _present(labels: Sequence[_Label], places: Sequence[int], epsilon0: float, ends: tuple[float, float]) -> Trace:
    """Return the line of the present level, interrupted where a band covers it and where a number stands."""
    heights, way = [0.2], _way(epsilon0, ends)
    for place, label in sorted(zip(places, labels, strict=True), key=lambda pair: pair[0]):
        if label.met or label.first <= way <= label.last:
            heights += [place - _HALF, math.nan, place + _HALF]
    heights.append(len(places) + 1.4)
    return style.reference([epsilon0] * len(heights), heights, "", role="accent", width=1.6) | _NO_HOVER


class _Label(NamedTuple):
    """What is written of a band: where, to which side, inside the band or not, and how far along the axis it may reach."""

    at: float
    text: str
    side: str
    inside: bool
    met: bool
    first: float
    last: float


def _label(band: Band, ends: tuple[float, float], epsilon0: float, *, fine: bool) -> _Label:
    """Return the number at the end of a band, inside it where there is room, else beside it; or what there is to say instead."""
    met, middle = band.meets(epsilon0), math.sqrt(ends[0] * ends[1])
    if not band.possible:
        text = f"none up to {LARGEST:g}" if band.low > 0 else "no ε₀ meets it"
        return _Label(middle, text, "center", False, met, 0.5 - _ROOM, 0.5 + _ROOM)
    if band.low == SMALLEST:
        return _Label(middle, "every ε₀ meets it", "center", True, met, 0.5 - _ROOM, 0.5 + _ROOM)
    end = "low" if band.low > 0 else "high"
    at = float(getattr(band, end))
    text = format_quantity(replace(band.quantity(end), beside=epsilon0), fine=fine) + " or more" * band.at_limit
    way = _way(at, ends)
    inside = (1 - way if end == "low" else way) > _ROOM
    side = "right" if (end == "low") == inside else "left"
    return _Label(at, text, side, inside, met, *((way, way + _ROOM) if side == "right" else (way - _ROOM, way)))


def _text(label: _Label, place: int) -> Trace:
    trace = style.reference([label.at], [place], "number at the end") | _NO_HOVER
    font = {"color": theme.LIGHT["background" if label.met and label.inside else "text"], "size": 13}
    return trace | {
        "mode": "text",
        "text": [f" {label.text} "],
        "textposition": f"middle {label.side}",
        "textfont": font,
    }


def _reported(
    deployments: Sequence[Deployment],
    levels: NDArray[np.float64],
    places: NDArray[np.float64],
    ends: tuple[float, float],
) -> Trace:
    trace = style.reference(np.maximum(levels, ends[0]), places, "reported by a deployment")
    marker = {"symbol": "line-ns-open", "size": 15, "color": theme.LIGHT["muted"], "line": {"width": 1.6}}
    words = [_deployment_words(each, level) for each, level in zip(deployments, levels.tolist(), strict=True)]
    return trace | {"mode": "markers", "marker": marker, "customdata": words, "hovertemplate": "%{customdata}"}


def _deployment_words(each: Deployment, level: float) -> str:
    told, unit = reported(each, level)
    return f"{each.curator}, {each.year}<br>{_broken(each.name)}<br>{told}<br>{unit}<extra></extra>"


def reported(each: Deployment, level: float) -> tuple[str, str]:
    """Return what a deployment reports in words, with the level that it comes to, and its unit of privacy."""
    told = f"ε = {amount(level, 4)}" + (f", δ = {small(each.delta)}" if each.delta and each.epsilon is not None else "")
    if each.epsilon is None:
        told = f"ρ = {each.rho:g}: ε up to {brief(level, toward='up')} at your δ"
    return told, each.unit or "unit not reported"


def _broken(text: str) -> str:
    """Return a long name on lines of at most 45 letters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > 45:
            lines.append("")
        lines[-1] += f"{word} "
    return "<br>".join(line.strip() for line in lines)


def decision_table(found: Decision, *, deployments: Sequence[Deployment], delta: float, currency: str) -> pd.DataFrame:
    """Return a row for each wish with the levels that meet it, and one for each deployment with what it reports."""
    import pandas as pd

    of_wishes = [
        {
            "what": f"{name_of(wish)}: {number_of(wish, currency)}",
            "from epsilon0": band.low,
            "up to epsilon0": band.high,
            "possible": band.possible,
            "share of releases that give more away": band.rare,
            "standing": band.evidence.basis.value,
            "source": band.source,
        }
        for wish, band in zip(found.wishes, found.bands, strict=True)
    ]
    return pd.DataFrame([*of_wishes, *_rows_of(deployments, delta)])


def _rows_of(deployments: Sequence[Deployment], delta: float) -> list[dict[str, object]]:
    return [
        {
            "what": f"{each.curator} {each.year}: {each.name}",
            "reported epsilon": each.epsilon,
            "reported delta": each.delta,
            "reported rho": each.rho,
            "epsilon at your delta": each.level(delta),
            "unit": each.unit,
            "standing": "reported",
            "source": f"{each.source} ({SOURCE})",
        }
        for each in deployments
    ]


def of_100(share: float) -> int:
    """Return how many of 100 that is; all or none only where it is certain."""
    return round(100 * share) if share in (0, 1) else min(max(round(100 * share), 1), 99)


def odds(found: Odds, *, epsilon0: float) -> Drawing:
    """Draw 100 releases if a person is in the data and 100 if not, each as a square: dark where it points to the person."""
    one = found.releases == 1
    drawing = Drawing(
        title=f"What {'a release' if one else f'{found.releases:,} releases'} would say, at ε₀ = {own_level(epsilon0)}",
        x="Number of releases, of 100, that point to you" if one else "Number of times, of 100, that they point to you",
        y="Releases",
    )
    counts = of_100(found.if_in), of_100(found.if_out)
    inside = [(_GAP * block + at % 10, at // 10) for block, count in enumerate(counts) for at in range(count)]
    beside = [(_GAP * block + at % 10, at // 10) for block, count in enumerate(counts) for at in range(count, 100)]
    drawing.add(
        squares(inside, "points to you", theme.LIGHT["exact"]),
        squares(beside, "does not", theme.LIGHT["grid"]),
    )
    words = [f"You are in the data:<br><b>{counts[0]}</b>", f"You are not:<br><b>{counts[1]}</b>"]
    drawing.set_x(
        tickvals=[4.5, _GAP + 4.5], ticktext=words, range=[-0.7, _GAP + 9.7], showgrid=False, constrain="domain"
    )
    drawing.set_y(
        range=[-0.7, 9.7], showticklabels=False, ticks="", showgrid=False, scaleanchor="x", constrain="domain"
    )
    for axis in ("xaxis", "yaxis"):
        drawing.layout[axis]["showline"] = False
    drawing.layout["title"] |= {"xref": "container", "x": 0.01}
    drawing.layout.update(height=_LOW_CHART, legend={"y": -78 / (_LOW_CHART - 104)})
    return drawing


def odds_table(found: Odds) -> pd.DataFrame:
    """Return the two shares with their basis."""
    import pandas as pd

    return pd.DataFrame(
        {
            "you are": ["in the data", "not in the data"],
            "share that points to you": [found.if_in, found.if_out],
            "of 100": [of_100(found.if_in), of_100(found.if_out)],
            "releases": found.releases,
            "standing": found.evidence.basis.value,
            "source": found.source,
        }
    )


def precedents(found: Total, *, deployments: Sequence[Deployment]) -> Drawing:
    """Draw deployments in the order of what they report, one above the other, and where a total stands among them.

    A deployment that reports rho stands at what that comes to at the delta of the total.
    """
    drawing = Drawing(
        title="Your total among the deployments",
        x="ε, of each for its own unit of privacy",
        y="Number of deployments",
    )
    rising = sorted(deployments, key=lambda each: each.level(found.delta))
    levels, top = np.array([each.level(found.delta) for each in rising]), len(rising) + 2.0
    ends = _around(np.append(levels, found.epsilon))
    at = max(found.epsilon, ends[0])
    text = f"your total ε ≤ {format_quantity(found.quantity('epsilon'))}"
    side = "middle right" if _way(at, ends) < 0.5 else "middle left"
    drawing.add(
        _reported(rising, levels, np.arange(1.0, top - 1.0), ends),
        style.reference([at, at], [-1.0, top], "", role="accent", width=1.6) | _NO_HOVER,
        style.setting(at, top, text, name="your releases together", side=side),
    )
    drawing.set_x(**style.log_axis(*ends, room=(0, 0)))
    drawing.set_y(range=[-1, top + 2])
    drawing.layout.update(height=_LOW_CHART, legend={"y": -78 / (_LOW_CHART - 104)})
    return drawing


def precedents_table(found: Total, *, deployments: Sequence[Deployment]) -> pd.DataFrame:
    """Return a row for the total of all releases, and one for each deployment with what it reports."""
    import pandas as pd

    own = {"what": "your releases together", "epsilon at your delta": found.epsilon, "releases": found.releases}
    own |= {"standing": found.evidence.basis.value, "source": found.source}
    return pd.DataFrame([own, *_rows_of(deployments, found.delta)])


def squares(corners: Sequence[tuple[int, int]], name: str, colour: str) -> Trace:
    """Return squares of 0.8 as one area; NaN keeps them apart."""
    at = np.array(corners, dtype=float).reshape(-1, 2)
    steps = np.array([(-0.4, -0.4), (-0.4, 0.4), (0.4, 0.4), (0.4, -0.4), (-0.4, -0.4), (math.nan, math.nan)])
    x, y = (at[:, None, :] + steps).reshape(-1, 2).T
    trace = style.reference(x, y, name, width=0) | {"fill": "toself", "fillcolor": colour, "hoverinfo": "skip"}
    trace["meta"] = PROVEN.value
    del trace["hovertemplate"]
    return trace
