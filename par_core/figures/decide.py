"""The figures of the page that decides: which ε₀ meets which wish, and what a release gives away in 100."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from par_core.datasets.deployments import SOURCE, Deployment
from par_core.decision import (
    AdvantageWish,
    AttackWish,
    Band,
    BeliefWish,
    Decision,
    ErrorWish,
    GroupWish,
    MoneyWish,
    Odds,
    ReleasesWish,
    RiseWish,
    Wish,
)
from par_core.figures import style
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.money import money
from par_core.rounding import amount, error, percent, small
from par_core.standing import PROVEN

if TYPE_CHECKING:
    import pandas as pd

_LOW, _HIGH = 0.01, 50.0  # from here to there deployments lie
_EDGE = 0.22  # of the axis: so near its end a number has no room beside a band
_SPAN = 0.36  # half of what an area covers of its row
_GAP = 12  # from the first block of releases to the second, in places


@dataclass(frozen=True)
class _Words:
    """How a wish is told: its short name, its row in the picture, and its own number, for any amount and a currency."""

    name: str
    row: str
    number: Callable[[float, str], str]
    of: Callable[[Any], float]


def _share(value: float, _: str) -> str:
    return percent(value, toward="up")


_WORDS: dict[type[Any], _Words] = {
    ErrorWish: _Words("error", "Error<br>within {}", lambda value, _: error(value), lambda wish: wish.within),
    GroupWish: _Words(
        "smallest group", "Groups<br>from {}", lambda value, _: f"{math.ceil(value):,}", lambda wish: wish.rows
    ),
    BeliefWish: _Words("belief", "Belief<br>up to {}", _share, lambda wish: wish.at_most),
    RiseWish: _Words(
        "rise of belief",
        "Rise up to<br>{}",
        lambda value, _: f"{amount(100 * value, toward='up')} points",
        lambda wish: wish.points,
    ),
    AttackWish: _Words("attack success", "Attack<br>up to {}", _share, lambda wish: wish.true_positive),
    AdvantageWish: _Words("advantage", "Advantage<br>up to {}", _share, lambda wish: wish.at_most),
    MoneyWish: _Words(
        "money", "Breach up to<br>{}", lambda value, currency: money(value, currency, toward="up"), lambda w: w.budget
    ),
    ReleasesWish: _Words(
        "total", "Total ε<br>up to {}", lambda value, _: amount(value, 4, toward="up"), lambda wish: wish.epsilon
    ),
}


def name_of(wish: Wish) -> str:
    """Return what a wish is called in a sentence."""
    return _WORDS[type(wish)].name


def number_of(wish: Wish, currency: str, *, value: float | None = None) -> str:
    """Return the wish's own number in words, or another one in its place, never too small."""
    words = _WORDS[type(wish)]
    return words.number(words.of(wish) if value is None else value, currency)


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
    low, high = _ends(found, [epsilon0, *reported.tolist()])
    rows = len(wishes)
    names = [_WORDS[type(wish)].row.format(number_of(wish, currency)) for wish in wishes]
    places = style.set_rows(drawing, ["Reported<br>by others", *names])
    _mark_decision(drawing, found, (low, high), rows)
    for place, name, band in zip(places[1:].tolist(), names, found.bands, strict=True):
        if band.possible:
            drawing.add(_band(band, name, place, (low, high), met=_meets(band, epsilon0)))
    drawing.add(*_texts(found, places[1:], (low, high)))
    drawing.add(_reported(deployments, reported, int(places[0])))
    drawing.add(style.reference([epsilon0] * 2, [0.2, rows + 1.4], "", role="accent", width=1.6) | _NO_HOVER)
    side = "middle right" if _way(epsilon0, (low, high)) < 0.5 else "middle left"
    drawing.add(
        style.setting(epsilon0, 0.15, f"your ε₀ = {amount(epsilon0, 4)}", name="your ε₀", side=side, legend=False)
    )
    drawing.set_x(**style.log_axis(low, high, room=(0, 0)))
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
        drawing.add(shade | {"fillcolor": style.LIGHT["accent"], "opacity": 0.22})
    elif found.collision is not None:
        pair = [each for each in found.bands if each.key in (found.collision.first_key, found.collision.second_key)]
        between = np.array([min(each.high for each in pair), max(each.low for each in pair)])
        edges = (between, np.full(2, 0.5)), (between, np.full(2, rows + 0.5))
        drawing.add(style.not_valid(*edges, name="misses two of your wishes"))


def _band(band: Band, name: str, place: int, ends: tuple[float, float], *, met: bool) -> Trace:
    line = style.exact(_within(band, ends), [place] * 2, name.replace("<br>", " "), standing=band.standing)
    line["line"] = {"color": style.LIGHT["exact" if met else "muted"], "width": 14}
    words = f"{_told(band, 'low')}{' to ' if band.low > 0 and band.high < math.inf else ''}{_told(band, 'high')}"
    return line | {"showlegend": False, "customdata": [f"ε₀ {words}"] * 2, "hovertemplate": "%{customdata}"}


def _told(band: Band, end: str) -> str:
    value = float(getattr(band, end))
    if not 0 < value < math.inf:
        return ""
    lead = "from " if end == "low" else "up to "
    return lead + amount(value, 4, toward=band.quantity(end).toward)


def _texts(found: Decision, places: NDArray[np.int64], ends: tuple[float, float]) -> list[Trace]:
    """Return the number at the end of each band: outside it where there is room, else above it."""
    at, rows, texts, sides = [], [], [], []
    for place, band in zip(places.tolist(), found.bands, strict=True):
        if not band.possible:
            at.append(math.sqrt(ends[0] * ends[1]))
            rows.append(place)
            texts.append("no ε₀ meets it")
            sides.append("middle center")
        for end in ("low", "high") if band.possible else ():
            value = float(getattr(band, end))
            if 0 < value < math.inf:
                way = _way(value, ends)
                away = way if end == "low" else 1 - way
                outside, inside = ("left", "right") if end == "low" else ("right", "left")
                at.append(value)
                rows.append(place)
                texts.append(amount(value, 4, toward=band.quantity(end).toward))
                sides.append(f"middle {outside}" if away > _EDGE else f"top {inside}")
    if not at:
        return []
    trace = style.reference(at, rows, "ends") | _NO_HOVER
    font = {"color": style.LIGHT["text"], "size": 13}
    return [trace | {"mode": "text", "text": [f" {each} " for each in texts], "textposition": sides, "textfont": font}]


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
    number = "each release" if found.releases == 1 else f"all {found.releases:,} releases"
    drawing = Drawing(
        title=f"What {number} would say, at ε₀ = {amount(epsilon0, 4)}",
        x="Number of releases of 100 that point to you",
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
