"""A drawing as static SVG, for a file that must open anywhere: no script, no font, nothing to load.

It draws what the house draws: lines, areas, marks, bars with ranges, texts, on straight and logarithmic axes. The title is left out:
in a document a heading says it. A library that reads Plotly's terms without a browser is not at hand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

from par_core.figures.drawing import Drawing, Trace
from par_core.figures.theme import LIGHT
from par_core.rounding import amount

_SIZE, _LINE, _LETTER = (
    12.0,
    15.0,
    6.6,
)  # pixels of the text: its size, the height of a line, the room that a letter takes
_TICK, _GAP = 4.0, 6.0
_SWATCH = 18.0
_APART = {"x": 60.0, "y": 32.0}  # ticks are, at least
_ROOM = 0.04  # of an axis that fits itself to what is drawn
_DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "11 4", "longdashdot": "11 3 2 3"}
_MARKUP = re.compile(r"</?(?!br>)[a-z]+>")


def svg(drawing: Drawing, *, width: float, height: float, name: str, title: str, alt: str) -> str:
    """Return a drawing as an SVG element with `height` pixels between its axes, or less where both axes share a scale.

    `name` is unique in the document; `title` and `alt` are read out in place of the picture.
    """
    return _Picture(drawing, width, height, name).drawn(title, alt)


class _Axis:
    """One axis: from data to pixels from the left or from the bottom, and where its ticks are."""

    def __init__(self, settings: dict[str, Any], values: Iterator[Any], apart: float) -> None:
        self.settings, self.apart = settings, apart
        self.log = settings.get("type") == "log"
        ends = settings.get("range") or self._fitted(
            np.concatenate([np.ravel(each) for each in values] or [np.array([0.0, 1.0])])
        )
        self.low, self.high = float(ends[0]), float(ends[1])
        self.length = 1.0

    def _fitted(self, values: Any) -> tuple[float, float]:
        with np.errstate(divide="ignore", invalid="ignore"):
            at = np.log10(values) if self.log else np.asarray(values, dtype=float)
        at = at[np.isfinite(at)]
        low, high = (float(at.min()), float(at.max())) if at.size else (0.0, 1.0)
        room = _ROOM * (high - low) or 0.5
        return (0.0 if low >= 0 and not self.log else low - room), high + room

    def at(self, values: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            places = np.log10(values) if self.log else np.asarray(values, dtype=float)
        return np.clip((places - self.low) / (self.high - self.low), -20, 20) * self.length

    def ticks(self) -> list[tuple[float, str]]:
        """Return the places and the words of the ticks between both ends."""
        if self.settings.get("showticklabels") is False:
            return []
        if "tickvals" in self.settings:
            values, words = self.settings["tickvals"], self.settings["ticktext"]
        else:
            step = self.settings.get("dtick") or _nice((self.high - self.low) / max(self.length / self.apart, 1))
            if str(self.settings.get("tickformat", "")).endswith("d"):
                step = max(step, 1)
            values = [step * each for each in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]
            words = [amount(each, 6) for each in values]
        places = self.at(values).tolist()
        return [(at, _plain(text)) for at, text in zip(places, words, strict=True) if -0.5 <= at <= self.length + 0.5]


def _nice(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= step * 0.999)


def _plain(text: str) -> str:
    """Return a text with its line breaks as such and without other markup of Plotly's."""
    return _MARKUP.sub("", text).replace("<br>", "\n")


def _wide(text: str) -> float:
    return _LETTER * max(map(len, text.split("\n")))


class _Picture:
    def __init__(self, drawing: Drawing, width: float, height: float, name: str) -> None:
        self.traces, self.layout, self.name, self.width = drawing.data, drawing.layout, name, width
        self.x, self.y = (self._axis(letter) for letter in "xy")
        self.y.length = height
        self.left = max((_wide(text) for _, text in self.y.ticks()), default=0.0) + _TICK + _GAP
        self.right = 12.0
        self.x.length = width - self.left - self.right
        if self.layout["yaxis"].get("scaleanchor"):
            unit = min(self.x.length / (self.x.high - self.x.low), height / (self.y.high - self.y.low))
            self.x.length, self.y.length = unit * (self.x.high - self.x.low), unit * (self.y.high - self.y.low)
        named = "ticktext" in self.layout["yaxis"] or self.layout["yaxis"].get("showticklabels") is False
        self.y_title = "" if named else _plain(self.layout["yaxis"]["title"]["text"])
        self.top = _LINE + _GAP if self.y_title else _GAP

    def _axis(self, letter: str) -> _Axis:
        drawn = [each[letter] for each in self.traces if each.get("yaxis", "y") == "y"]
        for each in self.traces:
            if bars := each.get(f"error_{letter}"):
                drawn += [np.asarray(each[letter]) + bars["array"], np.asarray(each[letter]) - bars["arrayminus"]]
        return _Axis(self.layout[f"{letter}axis"], iter(drawn), _APART[letter])

    def drawn(self, title: str, alt: str) -> str:
        """Return the whole picture; only now is its height known."""
        bottom = self.top + self.y.length
        parts = [*self._axes(bottom)]
        parts.append(f'<g clip-path="url(#{self.name}-clip)">')
        for trace in self.traces:
            parts += self._trace(trace)
        parts.append("</g>")
        for trace in self.traces:
            parts += self._texts(trace)
        below, legend = self._below(bottom)
        parts += below
        height = math.ceil(legend + _GAP)
        hatch = (
            f'<pattern id="{self.name}-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<path d="M0 0V7" stroke="{LIGHT["invalid"]}" stroke-width="2"/></pattern>'
        )
        head = (
            f'<svg role="img" aria-labelledby="{self.name}-title {self.name}-alt" '
            f'viewBox="0 0 {self.width:g} {height}" font-size="{_SIZE:g}" fill="{LIGHT["text"]}">'
            f'<title id="{self.name}-title">{escape(title)}</title><desc id="{self.name}-alt">{escape(alt)}</desc>'
            f'<clipPath id="{self.name}-clip"><rect x="{self.left:g}" y="{self.top:g}" width="{self.x.length:g}" '
            f'height="{self.y.length:g}"/></clipPath>{hatch if any("fillpattern" in each for each in self.traces) else ""}'
        )
        return head + "".join(parts) + "</svg>"

    def _right(self, x: Any) -> Any:
        return self.left + self.x.at(x)

    def _down(self, y: Any) -> Any:
        return self.top + self.y.length - self.y.at(y)

    # --- around the traces ---

    def _axes(self, bottom: float) -> Iterator[str]:
        grid, line = LIGHT["grid"], LIGHT["muted"]
        end, x, y = self.left + self.x.length, self.layout["xaxis"], self.layout["yaxis"]
        for at, text in self.y.ticks():
            here = self.top + self.y.length - at
            if y.get("showgrid", True):
                yield _line(self.left, here, end, here, grid)
            yield _text(self.left - _GAP, here, text, "end")
        taken: list[tuple[float, float]] = []
        # Where there is no room for all, the powers of ten are written first.
        for at, text in sorted(self.x.ticks(), key=lambda tick: self.x.log and tick[1].strip("0.,") != "1"):
            here, half = self.left + at, _wide(text) / 2
            if x.get("showgrid", True):
                yield _line(here, self.top, here, bottom, grid)
            if here + half > self.width or any(here - half < right and left < here + half for left, right in taken):
                continue
            taken.append((here - half - _GAP, here + half + _GAP))
            if x.get("showline", True):
                yield _line(here, bottom, here, bottom + _TICK, line)
            yield _text(here, bottom + _GAP, text, "middle", "top")
        if x.get("showline", True):
            yield _line(self.left, bottom, end, bottom, line)
        if y.get("showline", True):
            yield _line(self.left, self.top, self.left, bottom, line)
        if self.y_title:
            yield _text(0, _LINE / 2, self.y_title, "start")

    def _below(self, bottom: float) -> tuple[list[str], float]:
        """Return the title of the horizontal axis and the legend, and where they end."""
        rows = max((text.count("\n") + 1 for _, text in self.x.ticks()), default=0)
        at, parts = bottom + _GAP + _LINE * rows + 2, []
        for words in _wrapped(_plain(self.layout["xaxis"]["title"]["text"]), self.width):
            centre = min(max(self.left + self.x.length / 2, _wide(words) / 2), self.width - _wide(words) / 2)
            parts.append(_text(centre, at, words, "middle", "top"))
            at += _LINE
        at, x = at + _GAP + _LINE / 2, 0.0
        for trace in self.traces:
            name = trace.get("name")
            if not name or not trace.get("showlegend", True) or trace.get("mode") == "text":
                continue
            wide = _SWATCH + _GAP + _wide(name) + 2 * _GAP
            if x and x + wide > self.width:
                at, x = at + _LINE + 3, 0.0
            parts += [*self._swatch(trace, x, at), _text(x + _SWATCH + _GAP, at, name, "start")]
            x += wide
        return parts, at + _LINE / 2

    def _swatch(self, trace: Trace, x: float, y: float) -> Iterator[str]:
        if "fillcolor" in trace or trace["type"] == "bar":
            yield f'<rect x="{x:g}" y="{y - 5:.2f}" width="{_SWATCH:g}" height="10" {self._filled(trace)}/>'
            return
        if "lines" in trace.get("mode", ""):
            yield _path([(x, y), (x + _SWATCH, y)], trace["line"] | {"width": min(trace["line"]["width"], 8)})
        if "markers" in trace.get("mode", ""):
            yield _mark(x + _SWATCH / 2, y, trace["marker"])

    # --- the traces ---

    def _trace(self, trace: Trace) -> Iterator[str]:
        x, y = self._right(trace["x"]), self._down(trace["y"])
        if trace["type"] == "bar":
            yield from self._bars(trace, x, y)
            return
        runs = _runs(x, y)
        if trace.get("fill") == "toself":
            path = " ".join(f"M{_points(run)}Z" for run in runs)
            yield f'<path d="{path}" {self._filled(trace)}/>'
        elif "lines" in trace.get("mode", "") and trace["line"]["width"]:
            yield from (_path(run, trace["line"]) for run in runs if len(run) > 1)
        if "markers" in trace.get("mode", ""):
            most = trace["marker"].get("maxdisplayed") or len(x)
            chosen = np.unique(np.linspace(0, len(x) - 1, min(len(x), most)).round().astype(int)).tolist()
            yield from (_mark(x[at], y[at], trace["marker"]) for at in chosen if math.isfinite(x[at] + y[at]))

    def _bars(self, trace: Trace, x: Any, y: Any) -> Iterator[str]:
        half = abs(float(self.x.at(trace["width"]) - self.x.at(0))) / 2
        foot = float(np.clip(self._down(0.0), self.top, self.top + self.y.length))
        for at, top in zip(x.tolist(), y.tolist(), strict=True):
            size = f'y="{min(top, foot):.2f}" height="{abs(foot - top):.2f}"'
            yield f'<rect x="{at - half:.2f}" width="{2 * half:.2f}" {size} {self._filled(trace)}/>'
        if bars := trace.get("error_y"):
            ends = (
                self._down(np.asarray(trace["y"]) + bars["array"]),
                self._down(np.asarray(trace["y"]) - bars["arrayminus"]),
            )
            foot_width = min(half, 4.0)
            for at, high, low in zip(x.tolist(), *(each.tolist() for each in ends), strict=True):
                path = f"M{at:.1f} {low:.1f}V{high:.1f}" + "".join(
                    f"M{at - foot_width:.1f} {end:.1f}h{2 * foot_width:.1f}" for end in (low, high)
                )
                yield f'<path d="{path}" fill="none" stroke="{bars["color"]}" stroke-width="{bars["thickness"]:g}"/>'

    def _filled(self, trace: Trace) -> str:
        if "fillpattern" in trace:
            return f'fill="url(#{self.name}-hatch)"'
        colour = trace.get("fillcolor") or trace["marker"]["color"]
        return f'fill="{colour}" fill-opacity="{trace.get("opacity", 1):g}"'

    def _texts(self, trace: Trace) -> Iterator[str]:
        """Yield the texts of a trace, pushed back inside where they would be cut."""
        if "text" not in trace.get("mode", ""):
            return
        sides = trace["textposition"]
        sides = [sides] * len(trace["text"]) if isinstance(sides, str) else sides
        away = trace["marker"]["size"] / 2 + 3 if "marker" in trace else 2.0
        for x, y, text, side in zip(self._right(trace["x"]), self._down(trace["y"]), trace["text"], sides, strict=True):
            high, wide = side.split()
            words, across = _plain(text).strip(), {"left": -1, "center": 0, "right": 1}[wide]
            room = _wide(words)
            start = float(np.clip(x + across * away - room * (1 - across) / 2, 0.0, max(self.width - room, 0.0)))
            place = {"left": start + room, "center": start + room / 2, "right": start}[wide]
            down = {"top": -away - _LINE / 2, "middle": 0.0, "bottom": away + _LINE / 2}[high] * (
                1 if across == 0 else 0.8
            )
            anchor = {"left": "end", "center": "middle", "right": "start"}[wide]
            yield _text(place, float(y) + down, words, anchor, colour=trace["textfont"]["color"])


def _runs(x: Any, y: Any) -> list[list[tuple[float, float]]]:
    """Return the stretches of points between gaps."""
    runs: list[list[tuple[float, float]]] = [[]]
    for point in zip(np.asarray(x).tolist(), np.asarray(y).tolist(), strict=True):
        if math.isfinite(point[0] + point[1]):
            runs[-1].append(point)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _points(points: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _path(points: Sequence[tuple[float, float]], line: dict[str, Any]) -> str:
    dash = _DASHES.get(line.get("dash", ""), "")
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="M{_points(points)}" fill="none" stroke="{line["color"]}" stroke-width="{line["width"]:g}"{dashed}/>'
    )


def _line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}"/>'


def _text(x: float, y: float, text: str, anchor: str, high: str = "middle", *, colour: str = "") -> str:
    """Return a text of one or several lines whose middle, or whose top, is at a height."""
    lines = text.split("\n")
    first = y + 0.35 * _SIZE - (_LINE * (len(lines) - 1) / 2 if high == "middle" else -0.55 * _SIZE)
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{first + number * _LINE:.1f}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    painted = f' fill="{colour}"' if colour else ""
    if colour and colour != LIGHT["background"]:  # it may stand on a line or on a hatched area
        painted += f' stroke="{LIGHT["background"]}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
    return f'<text text-anchor="{anchor}"{painted}>{spans}</text>'


def _mark(x: float, y: float, marker: dict[str, Any]) -> str:
    half, symbol, colour = marker["size"] / 2, marker.get("symbol", "circle"), marker["color"]
    width = marker.get("line", {}).get("width", 1.6)
    if symbol in ("line-ns-open", "line-ew-open"):
        path = f"M{x:.1f} {y - half:.1f}v{2 * half:g}" if "ns" in symbol else f"M{x - half:.1f} {y:.1f}h{2 * half:g}"
        return f'<path d="{path}" stroke="{colour}" stroke-width="{width:g}"/>'
    if symbol == "diamond":
        half *= 1.2
        path = f"M{x:.1f} {y - half:.1f}l{half:g} {half:g}l{-half:g} {half:g}l{-half:g} {-half:g}Z"
        return f'<path d="{path}" fill="{colour}" stroke="{LIGHT["background"]}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:g}" fill="{colour}"/>'


def _wrapped(text: str, width: float) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and _wide(f"{lines[-1]} {word}") > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
