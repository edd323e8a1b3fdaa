"""The figures of the page that decides: which ε₀ meets which wish, and what a release gives away in 100."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from par_core.datasets.deployments import SOURCE, Deployment
from par_core.decision import Band, Decision, Odds, Wish
from par_core.figures import style
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.money import money
from par_core.rounding import amount, error, percent, small
from par_core.standing import PROVEN

if TYPE_CHECKING:
    import pandas as pd

_LOW, _HIGH = 0.01, 50.0  # from here to there deployments lie
_ROOM = 0.24  # of the axis: what a number takes on a phone
_HALF = 0.24  # of a band, in rows
_LOW_CHART = 360  # pixels: squares that fill a phone leave more of them empty
_GAP = 12  # from the first block of releases to the second, in places


# By the key of a wish: what it is called in a sentence, and in its row of the picture.
_WORDS = {
    "error": ("error", "Error<br>within {}"),
    "group": ("smallest group", "Groups<br>from {}"),
    "belief": ("belief", "Belief<br>up to {}"),
    "rise": ("rise of belief", "Rise up to<br>{}"),
    "attack": ("attack success", "Attack<br>up to {}"),
    "baseline": ("success", "Success<br>up to {}"),
    "advantage": ("advantage", "Advantage<br>up to {}"),
    "money": ("budget", "Breach up to<br>{}"),
    "releases": ("total ε", "Total ε<br>up to {}"),
}


def name_of(wish: Wish) -> str:
    """Return what a wish is called in a sentence."""
    return _WORDS[wish.key][0]


def number_of(wish: Wish, currency: str, *, value: float | None = None) -> str:
    """Return the wish's own number in words, or another one in its place, never too small."""
    told, kind = wish.number if value is None else value, wish.told.kind
    if kind == "money":
        return money(told, currency, toward="up")
    if kind == "share":
        return percent(told, toward="up")
    if kind == "points":
        return f"{amount(100 * told, toward='up')} points"
    return {"error": error(told), "number": f"{math.ceil(told):,}", "level": amount(told, 4, toward="up")}[kind]


def missed(found: Decision, epsilon0: float) -> list[str]:
    """Return the keys of the wishes that a level does not meet."""
    return [each.key for each in found.bands if not _meets(each, epsilon0)]


def _meets(band: Band, epsilon0: float) -> bool:
    return bool(band.possible and band.low <= epsilon0 <= band.high)


def decision(
    found: Decision,
    wishes: Sequence[Wish],
    *,
    epsilon0: float,
    deployments: Sequence[Deployment],
    delta: float,
    currency: str,
) -> Drawing:
    """Draw for each wish which levels meet it, where all do, the present level, and what deployments report above.

    A deployment that reports rho stands at what that comes to at this delta.
    """
    drawing = Drawing(title="Which ε₀ meets which wish", x="Privacy level ε₀ of each release", y="Wish")
    reported = np.array([each.level(delta) for each in deployments])
    ends = _ends(found, [epsilon0, *reported.tolist()])
    rows = len(wishes)
    names = [_WORDS[wish.key][1].format(number_of(wish, currency)) for wish in wishes]
    places = style.set_rows(drawing, ["Reported<br>by others", *names]).tolist()
    _mark_decision(drawing, found, ends, rows)
    drawing.add(_present(found, places[1:], epsilon0, rows))
    for met, words in ((True, "your ε₀ meets it"), (False, "your ε₀ misses it")):
        if any(_meets(each, epsilon0) is met for each in found.bands):
            entry = style.legend_only(words)
            drawing.add(entry | {"line": {"color": style.LIGHT["exact" if met else "grid"], "width": 12}})
    for place, name, band in zip(places[1:], names, found.bands, strict=True):
        if band.possible:
            drawing.add(_band(band, name, place, ends, met=_meets(band, epsilon0)))
        drawing.add(_text(band, place, ends, met=_meets(band, epsilon0)))
    drawing.add(_reported(deployments, reported, places[0]))
    side = "middle right" if _way(epsilon0, ends) < 0.5 else "middle left"
    mark = style.setting(epsilon0, 0.15, f"your ε₀ = {amount(epsilon0, 4)}", name="your ε₀", side=side, legend=False)
    drawing.add(mark)
    drawing.set_x(**style.log_axis(*ends, room=(0, 0)))
    height = 210 + 42 * (rows + 1)
    drawing.set_y(range=[-0.15, rows + 1.6])
    drawing.layout.update(height=height, legend={"y": -78 / (height - 104)})
    return drawing


_NO_HOVER = {"hoverinfo": "skip", "showlegend": False}


def _ends(found: Decision, levels: Sequence[float]) -> tuple[float, float]:
    ends = [end for band in found.bands for end in (band.low, band.high) if band.possible and 0 < end < math.inf]
    return min([_LOW, *ends, *levels]) / 1.25, 1.25 * max([_HIGH, *ends, *levels])


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
        drawing.add(shade | {"fillcolor": style.LIGHT["accent"], "opacity": 0.35})
    elif found.collision is not None:
        pair = [each for each in found.bands if each.key in (found.collision.first_key, found.collision.second_key)]
        between = np.array([min(each.high for each in pair), max(each.low for each in pair)])
        edges = (between, np.full(2, 0.5)), (between, np.full(2, rows + 0.5))
        drawing.add(style.not_valid(*edges, name="misses two of your wishes"))


def _band(band: Band, name: str, place: int, ends: tuple[float, float], *, met: bool) -> Trace:
    """Return a band as an area: a thick line would count as one that runs through its number."""
    low, high = _within(band, ends)
    lower, upper = np.full(2, place - _HALF), np.full(2, place + _HALF)
    area = style.band(np.array([low, high]), lower, upper, name.replace("<br>", " "), legend=False)
    return area | {"fillcolor": style.LIGHT["exact" if met else "grid"], "opacity": 1}


def _present(found: Decision, places: Sequence[int], epsilon0: float, rows: int) -> Trace:
    """Return the line of the present level, interrupted where a band covers it."""
    heights = [0.2]
    for place, band in sorted(zip(places, found.bands, strict=True), key=lambda pair: pair[0]):
        if _meets(band, epsilon0):
            heights += [place - _HALF, math.nan, place + _HALF]
    heights.append(rows + 1.4)
    return style.reference([epsilon0] * len(heights), heights, "", role="accent", width=1.6) | _NO_HOVER


def _text(band: Band, place: int, ends: tuple[float, float], *, met: bool) -> Trace:
    """Return the number at the end of a band: inside it where there is room, else beside it."""
    end = "low" if 0 < band.low < math.inf else "high"
    at, text, side, colour = math.sqrt(ends[0] * ends[1]), "every ε₀ meets it", "center", "background"
    if not band.possible:
        text, colour = "no ε₀ meets it", "text"
    elif 0 < getattr(band, end) < math.inf:
        at, text = float(getattr(band, end)), amount(getattr(band, end), 4, toward=band.quantity(end).toward)
        inside, outside = ("right", "left") if end == "low" else ("left", "right")
        way = _way(at, ends)
        has_room = (1 - way if end == "low" else way) > _ROOM
        side = inside if has_room else outside
        colour = "background" if met and has_room else "text"
    trace = style.reference([at], [place], "number at the end") | _NO_HOVER
    font = {"color": style.LIGHT[colour], "size": 13}
    return trace | {"mode": "text", "text": [f" {text} "], "textposition": f"middle {side}", "textfont": font}


def _reported(deployments: Sequence[Deployment], levels: NDArray[np.float64], place: int) -> Trace:
    trace = style.reference(levels, np.full(len(levels), float(place)), "reported by a deployment")
    marker = {"symbol": "line-ns-open", "size": 15, "color": style.LIGHT["muted"], "line": {"width": 1.6}}
    words = [_deployment_words(each, level) for each, level in zip(deployments, levels.tolist(), strict=True)]
    return trace | {"mode": "markers", "marker": marker, "customdata": words, "hovertemplate": "%{customdata}"}


def _deployment_words(each: Deployment, level: float) -> str:
    told = f"ε = {amount(level, 4)}" + (f", δ = {small(each.delta)}" if each.delta and each.epsilon is not None else "")
    if each.epsilon is None:
        told = f"ρ = {each.rho:g}: ε up to {amount(level, 4, toward='up')} at your δ"
    unit = f"<br>{each.unit}" if each.unit else "<br>unit not reported"
    return f"{each.curator}, {each.year}<br>{_broken(each.name)}<br>{told}{unit}<extra></extra>"


def _broken(text: str) -> str:
    """Return a long name on lines of at most 45 letters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > 45:
            lines.append("")
        lines[-1] += f"{word} "
    return "<br>".join(line.strip() for line in lines)


def decision_table(
    found: Decision, wishes: Sequence[Wish], *, deployments: Sequence[Deployment], delta: float, currency: str
) -> pd.DataFrame:
    """Return a row for each wish with the levels that meet it, and one for each deployment with what it reports."""
    import pandas as pd

    of_wishes = [
        {
            "what": f"{name_of(wish)}: {number_of(wish, currency)}",
            "from epsilon0": band.low,
            "up to epsilon0": band.high,
            "possible": band.possible,
            "standing": band.standing.value,
            "source": band.source,
        }
        for wish, band in zip(wishes, found.bands, strict=True)
    ]
    of_others = [
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
    return pd.DataFrame([*of_wishes, *of_others])


def of_100(share: float) -> int:
    """Return how many of 100 that is; all or none only where it is certain."""
    return round(100 * share) if share in (0, 1) else min(max(round(100 * share), 1), 99)


def odds(found: Odds, *, epsilon0: float) -> Drawing:
    """Draw 100 releases if a person is in the data and 100 if not, each as a square: dark where it points to the person."""
    one = found.releases == 1
    drawing = Drawing(
        title=f"What {'a release' if one else f'{found.releases:,} releases'} would say, at ε₀ = {amount(epsilon0, 4)}",
        x="Number of releases, of 100, that point to you" if one else "Number of times, of 100, that they point to you",
        y="Releases",
    )
    counts = of_100(found.if_in), of_100(found.if_out)
    inside = [(_GAP * block + at % 10, at // 10) for block, count in enumerate(counts) for at in range(count)]
    beside = [(_GAP * block + at % 10, at // 10) for block, count in enumerate(counts) for at in range(count, 100)]
    drawing.add(
        _squares(inside, "points to you", style.LIGHT["exact"]),
        _squares(beside, "does not", style.LIGHT["grid"]),
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
    """Return the two shares with their standing."""
    import pandas as pd

    return pd.DataFrame(
        {
            "you are": ["in the data", "not in the data"],
            "share that points to you": [found.if_in, found.if_out],
            "of 100": [of_100(found.if_in), of_100(found.if_out)],
            "releases": found.releases,
            "standing": found.standing.value,
            "source": found.source,
        }
    )


def _squares(corners: Sequence[tuple[int, int]], name: str, colour: str) -> Trace:
    """Return squares of 0.8 as one area; NaN keeps them apart."""
    at = np.array(corners, dtype=float).reshape(-1, 2)
    steps = np.array([(-0.4, -0.4), (-0.4, 0.4), (0.4, 0.4), (0.4, -0.4), (-0.4, -0.4), (math.nan, math.nan)])
    x, y = (at[:, None, :] + steps).reshape(-1, 2).T
    trace = style.reference(x, y, name, width=0) | {"fill": "toself", "fillcolor": colour, "hoverinfo": "skip"}
    trace["meta"] = PROVEN.value
    del trace["hovertemplate"]
    return trace
