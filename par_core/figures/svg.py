"""A drawing as static SVG, for a file that must open anywhere: no script, no font, nothing to load.

It draws what the house draws as Plotly.js draws it on a page: lines, areas, marks, bars, ranges, texts and names at curves, on straight
and logarithmic axes. The title is left out: in a document a heading says it. A library that reads Plotly's terms without a browser is
not at hand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

from par_core.figures import svg_marks as marks
from par_core.figures.drawing import Drawing, Trace
from par_core.figures.svg_axes import Axis, bar_ends, shown_ranges
from par_core.figures.svg_marks import LINE, plain, wide
from par_core.figures.theme import LIGHT

_TICK, _GAP = 4.0, 6.0
_SWATCH = 18.0
_SPARE = 1.1  # times the room of a letter takes the widest font that a system may have
_FREE = 12.0  # on the right of the picture, at least
_CAP = 4.0  # pixels of half the line across the end of a range

_Points = list[tuple[float, float]]


def svg(drawing: Drawing, *, width: float, height: float, name: str, title: str, alt: str) -> str:
    """Return a drawing as an SVG element with `height` pixels between its axes.

    It has less where both axes share a scale, and more where the names of the rows need it. `name` is unique in the document; `title` and
    `alt` are read out in place of the picture.
    """
    return _Picture(drawing, width, height, name).drawn(title, alt)


class _Picture:
    def __init__(self, drawing: Drawing, width: float, height: float, name: str) -> None:
        self.traces, self.layout, self.name, self.width = _stacked(drawing), drawing.layout, name, width
        self.hatched: dict[str, str] = {}  # how each hatched paint is drawn, without and with its name
        self.x = Axis("x", self.layout["xaxis"], self.traces)
        self.ys = {
            letter: Axis("y", self.layout[key], [each for each in self.traces if each.get("yaxis", "y") == letter])
            for letter, key in (("y", "yaxis"), ("y2", "yaxis2"))
            if key in self.layout
        }
        for axis in self.ys.values():
            axis.length = max(height, self.ys["y"].least_length())
        self._set_margins()
        if self.layout["yaxis"].get("scaleanchor"):
            self._share_scale(self.ys["y"])
        self.high = self.ys["y"].length
        self.titles = [("\n".join(marks.wrapped(axis.title, width)), axis) for axis in self.ys.values() if axis.title]
        self.top = LINE * sum(title.count("\n") + 1 for title, _ in self.titles) + _GAP + 2
        self.bottom = self.top + self.high

    def _room(self, *, right: bool) -> float:
        """Return the room of the ticks of the vertical axes on one side."""
        ticks = (tick for axis in self.ys.values() if axis.is_right == right for tick in axis.ticks())
        return max((_SPARE * wide(tick.text) + 2 * _GAP for tick in ticks), default=0.0)

    def _set_margins(self) -> None:
        """Leave room for the words of the ticks: of the vertical axes, and of those at both ends of the horizontal one."""
        self.left, self.right = self._room(right=False), max(self._room(right=True), _FREE)
        self.x.length = self.width - self.left - self.right
        for tick in self.x.ticks():
            half = self.x.half(tick.text) + 1
            self.left = max(self.left, half - tick.at)
            self.right = max(self.right, half + tick.at - self.x.length)
        self.x.length = self.width - self.left - self.right

    def _share_scale(self, y: Axis) -> None:
        unit = min(each.length / (each.high - each.low) for each in (self.x, y))
        for each in (self.x, y):
            each.length = unit * (each.high - each.low)

    def drawn(self, title: str, alt: str) -> str:
        """Return the whole picture; only now is its height known, and what is hatched."""
        parts = [*self._axes()]
        for trace in sorted(self.traces, key=lambda each: each["type"] != "bar"):  # bars are behind
            parts += self._trace(trace)
        for trace in self.traces:
            parts += self._texts(trace)
        for note in self.layout.get("annotations", ()):
            parts.append(self._annotation(note))
        below, end = self._below()
        parts += below
        head = (
            f'<svg role="img" aria-labelledby="{self.name}-title {self.name}-alt" '
            f'viewBox="0 0 {self.width:g} {math.ceil(end + _GAP)}" font-size="{marks.SIZE:g}" fill="{LIGHT["text"]}">'
            f'<title id="{self.name}-title">{escape(title)}</title><desc id="{self.name}-alt">{escape(alt)}</desc>'
            f'<clipPath id="{self.name}-clip"><rect x="{self.left:g}" y="{self.top:g}" width="{self.x.length:g}" '
            f'height="{self.high:g}"/></clipPath>'
        )
        return head + "".join(self.hatched.values()) + "".join(parts) + "</svg>"

    def _pixels(self, trace: Trace, x: Any, y: Any) -> tuple[Any, Any]:
        """Return where values of a trace are, from the upper left corner."""
        return self.left + self.x.at(x), self.bottom - self.ys[trace.get("yaxis", "y")].at(y)

    def _is_inside(self, x: float, y: float) -> bool:
        return -0.5 <= x - self.left <= self.x.length + 0.5 and -0.5 <= y - self.top <= self.high + 0.5

    # --- around the traces ---

    def _axes(self) -> Iterator[str]:
        for axis in self.ys.values():
            yield from self._vertical(axis)
        yield from self._horizontal(self.x.settings)
        at = 0.0
        for words, axis in self.titles:
            x, anchor = (self.width, "end") if axis.is_right else (0.0, "start")
            yield marks.text(x, at, words, anchor, "top", colour=axis.title_colour)
            at += LINE * (words.count("\n") + 1)

    def _vertical(self, axis: Axis) -> Iterator[str]:
        settings, end = axis.settings, self.left + self.x.length
        line, away, anchor = (end, 1, "start") if axis.is_right else (self.left, -1, "end")
        if settings.get("showgrid", True):
            for tick in axis.ticks():
                yield marks.straight(self.left, self.bottom - tick.at, end, self.bottom - tick.at, LIGHT["grid"])
        for tick in axis.told((-LINE, axis.length + LINE)):
            yield marks.text(line + away * _GAP, self.bottom - tick.at, tick.text, anchor, colour=axis.colour)
        if settings.get("showline", True):
            yield marks.straight(line, self.top, line, self.bottom, settings.get("linecolor", LIGHT["muted"]))

    def _horizontal(self, settings: dict[str, Any]) -> Iterator[str]:
        for here in (self.left + tick.at for tick in self.x.ticks() if settings.get("showgrid", True)):
            yield marks.straight(here, self.top, here, self.bottom, LIGHT["grid"])
        if settings.get("zeroline"):
            here = self.left + float(self.x.at(0.0))
            yield marks.straight(here, self.top, here, self.bottom, LIGHT["muted"])
        for tick in self.x.told((-self.left, self.width - self.left)):
            here = self.left + tick.at
            if settings.get("showline", True):
                yield marks.straight(here, self.bottom, here, self.bottom + _TICK, LIGHT["muted"])
            yield marks.text(here, self.bottom + _GAP, tick.text, "middle", "top")
        if settings.get("showline", True):
            yield marks.straight(self.left, self.bottom, self.left + self.x.length, self.bottom, LIGHT["muted"])

    def _below(self) -> tuple[list[str], float]:
        """Return the title of the horizontal axis and the legend, and where they end."""
        rows = max((tick.text.count("\n") + 1 for tick in self.x.ticks()), default=0)
        at = self.bottom + _GAP + LINE * rows + 2
        words = "\n".join(marks.wrapped(self.x.title, self.width))
        parts = [marks.text(self._inside(self.left + self.x.length / 2, words, "middle"), at, words, "middle", "top")]
        at += LINE * (words.count("\n") + 1)
        legend, end = self._legend(at + _GAP)
        return parts + legend, end

    def _legend(self, at: float) -> tuple[list[str], float]:
        """Return the legend from a height on, and where it ends."""
        x, high, parts = 0.0, 0.0, []
        shown = self.traces if self.layout.get("showlegend", True) else ()
        for trace in shown:
            if not trace.get("name") or not trace.get("showlegend", True) or trace.get("mode") == "text":
                continue
            lines = marks.wrapped(plain(trace["name"]), self.width - _SWATCH - _GAP)
            room = _SWATCH + _GAP + max(map(wide, lines)) + 2 * _GAP
            if x and x + room - 2 * _GAP > self.width:
                at, x, high = at + high + 3, 0.0, 0.0
            parts += [
                *self._swatch(trace, x, at + LINE / 2),
                marks.text(x + _SWATCH + _GAP, at, "\n".join(lines), "start", "top"),
            ]
            x, high = x + room, max(high, LINE * len(lines))
        return parts, at + high

    def _swatch(self, trace: Trace, x: float, y: float) -> Iterator[str]:
        if "fill" in trace or trace["type"] == "bar":
            yield f'<rect x="{x:g}" y="{y - 5:.2f}" width="{_SWATCH:g}" height="10" {self._painted(trace)}/>'
            return
        if "lines" in trace["mode"]:
            yield marks.path([(x, y), (x + _SWATCH, y)], trace["line"] | {"width": min(trace["line"]["width"], 8)})
        if "markers" in trace["mode"]:
            yield marks.mark(x + _SWATCH / 2, y, trace["marker"])

    # --- the traces ---

    def _trace(self, trace: Trace) -> Iterator[str]:
        """Yield what is cut at the ends of the axes, and then the marks, which are whole."""
        is_bar = trace["type"] == "bar"
        shapes = [*(self._bars(trace) if is_bar else ()), *self._ranges(trace), *(() if is_bar else self._lines(trace))]
        if shapes:
            yield f'<g clip-path="url(#{self.name}-clip)">'
            yield from shapes
            yield "</g>"
        if not is_bar and "markers" in trace["mode"]:
            x, y = self._pixels(trace, trace["x"], trace["y"])
            most = trace["marker"].get("maxdisplayed") or len(x)
            chosen = np.unique(np.linspace(0, len(x) - 1, min(len(x), most)).round().astype(int)).tolist()
            yield from (marks.mark(x[at], y[at], trace["marker"]) for at in chosen if self._is_inside(x[at], y[at]))

    def _lines(self, trace: Trace) -> Iterator[str]:
        x, y = self._pixels(trace, trace["x"], trace["y"])
        line = trace.get("line", {})
        runs = [marks.stepped(run, line.get("shape", "linear")) for run in _runs(x, y)]
        if "fill" in trace:
            outlines = [marks.points(self._closed(trace, run)) for run in runs]
            yield f'<path d="{" ".join(f"M{each}Z" for each in outlines)}" {self._painted(trace)}/>'
        if "lines" in trace["mode"] and line["width"]:
            yield from (marks.path(run, line) for run in runs if len(run) > 1)

    def _closed(self, trace: Trace, run: _Points) -> _Points:
        """Return the outline of the area that a run of points fills."""
        if trace["fill"] == "toself":
            return run
        zero_x, zero_y = self._pixels(trace, 0.0, 0.0)
        if trace["fill"] == "tozeroy":
            return [(run[0][0], zero_y), *run, (run[-1][0], zero_y)]
        return [(zero_x, run[0][1]), *run, (zero_x, run[-1][1])]

    def _boxes(self, trace: Trace) -> Iterator[tuple[float, float, float, float]]:
        """Yield the pixels of each bar: x and y where it stands, on its one side, and where it ends, on the other."""
        along, (one, other) = bar_ends(trace)
        foot = np.broadcast_to(trace.get("base", 0.0), np.shape(trace[along]))
        lengthwise = foot, foot + np.asarray(trace[along], dtype=float)
        starts, ends = zip(lengthwise, (one, other), strict=True)
        if along == "y":
            starts, ends = starts[::-1], ends[::-1]
        for corners in zip(*self._pixels(trace, *starts), *self._pixels(trace, *ends), strict=True):
            yield tuple(map(float, corners))  # type: ignore[misc]

    def _bars(self, trace: Trace) -> Iterator[str]:
        for x, y, to_x, to_y in self._boxes(trace):
            if math.isfinite(x + y + to_x + to_y):
                place = f'x="{min(x, to_x):.2f}" y="{min(y, to_y):.2f}" width="{abs(to_x - x):.2f}" height="{abs(to_y - y):.2f}"'
                yield f"<rect {place} {self._painted(trace)}/>"

    def _ranges(self, trace: Trace) -> Iterator[str]:
        """Yield the range of each point along either axis, with a line across its ends."""
        for letter in "xy":
            if not (ranges := shown_ranges(trace, letter)):
                continue
            values, cap = np.asarray(trace[letter], dtype=float), ranges.get("width", _CAP)
            low, high = (
                self._pixels(trace, *(end if each == letter else trace[each] for each in "xy"))
                for end in (values - ranges["arrayminus"], values + ranges["array"])
            )
            across = f"v{2 * cap:g}" if letter == "x" else f"h{2 * cap:g}"
            for x, y, to_x, to_y in zip(*low, *high, strict=True):
                if not math.isfinite(x + y + to_x + to_y):
                    continue
                drawn = f"M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"
                for end_x, end_y in ((x, y), (to_x, to_y)) if cap else ():
                    drawn += f"M{end_x - cap * (letter == 'y'):.1f} {end_y - cap * (letter == 'x'):.1f}{across}"
                yield f'<path d="{drawn}" fill="none" stroke="{ranges["color"]}" stroke-width="{ranges["thickness"]:g}"/>'

    def _painted(self, trace: Trace) -> str:
        """Return the paint of an area or of a bar, and the line around a bar."""
        marker = trace.get("marker", {})
        colour = trace.get("fillcolor") or marker["color"]
        pattern = trace.get("fillpattern") or marker.get("pattern", {})
        fill = self._hatched(pattern, colour) if pattern.get("shape") else colour
        line = marker.get("line", {}) if trace["type"] == "bar" else {}
        edge = f' stroke="{line["color"]}" stroke-width="{line["width"]:g}"' if line.get("width") else ""
        return f'fill="{fill}" fill-opacity="{trace.get("opacity", 1) * marker.get("opacity", 1):g}"{edge}'

    def _hatched(self, pattern: dict[str, Any], colour: str) -> str:
        drawn = marks.hatching("", pattern, colour)
        name = f"{self.name}-hatch-{[*self.hatched, drawn].index(drawn) + 1}"
        self.hatched[drawn] = marks.hatching(name, pattern, colour)
        return f"url(#{name})"

    # --- texts ---

    def _texts(self, trace: Trace) -> Iterator[str]:
        if trace["type"] == "bar":
            yield from self._texts_of_bars(trace)
        elif "text" in trace["mode"]:
            sides = trace["textposition"]
            sides = [sides] * len(trace["text"]) if isinstance(sides, str) else sides
            away = trace["marker"]["size"] / 2 + 2 if "marker" in trace else 2.0
            colour = trace.get("textfont", {}).get("color", LIGHT["text"])
            places = zip(*self._pixels(trace, trace["x"], trace["y"]), trace["text"], sides, strict=True)
            for x, y, words, side in places:
                if plain(words).strip() and self._is_inside(x, y):
                    yield self._beside(x, y, plain(words), side, away, colour)

    def _texts_of_bars(self, trace: Trace) -> Iterator[str]:
        """Yield the texts of bars, each beyond the end of its own."""
        along, _ = bar_ends(trace)
        colour = trace.get("textfont", {}).get("color", LIGHT["text"])
        for (x, y, to_x, to_y), words in zip(self._boxes(trace), trace.get("text", ()), strict=False):
            if along == "x":
                place, side = (to_x, (y + to_y) / 2), f"middle {'right' if to_x >= x else 'left'}"
            else:
                place, side = ((x + to_x) / 2, to_y), f"{'top' if to_y <= y else 'bottom'} center"
            yield self._beside(*place, plain(words), side, 3.0, colour)

    def _beside(self, x: float, y: float, words: str, side: str, away: float, colour: str) -> str:
        """Return a text on a side of a point, so many pixels away."""
        high, across = side.split()
        right, down = {"left": -1, "center": 0, "right": 1}[across], {"top": -1, "middle": 0, "bottom": 1}[high]
        anchor = {"left": "end", "center": "middle", "right": "start"}[across]
        start = self.left if down else 0.0  # above or below its point it keeps off the ticks
        place = self._inside(x + right * away, words, anchor, start=start), float(y) + down * away
        return marks.text(*place, words, anchor, ("bottom", "middle", "top")[down + 1], colour=colour)

    def _inside(self, x: float, words: str, anchor: str, *, start: float = 0.0) -> float:
        """Return where a text stands across, pushed back inside where it would be cut."""
        room = wide(words)
        before = room * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        return float(min(max(x, start + before), max(self.width - room, 0.0) + before))

    def _annotation(self, note: dict[str, Any]) -> str:
        """Return a text that stands at a place of the axes, such as the name of a curve."""
        words, anchor = plain(note["text"]), {"left": "start", "center": "middle", "right": "end"}[note["xanchor"]]
        x = self._inside(self.left + self.x.at_place(note["x"]) + note.get("xshift", 0), words, anchor)
        y = self.bottom - self.ys["y"].at_place(note["y"]) - note.get("yshift", 0)
        ground = marks.ground(x, y, words, anchor, note["yanchor"], note["bgcolor"]) if "bgcolor" in note else ""
        return ground + marks.text(x, y, words, anchor, note["yanchor"], colour=note["font"]["color"])


def _stacked(drawing: Drawing) -> Sequence[Trace]:
    """Return the traces, each bar with the place where it stands if bars stand on each other."""
    if drawing.layout.get("barmode") != "stack":
        return drawing.data
    tops: dict[float, float] = {}
    traces = []
    for trace in drawing.data:
        if trace["type"] == "bar":
            along, across = ("x", "y") if trace.get("orientation") == "h" else ("y", "x")
            places = np.asarray(trace[across]).tolist()
            trace = trace | {"base": np.array([tops.get(each, 0.0) for each in places])}
            for place, value in zip(places, np.asarray(trace[along]).tolist(), strict=True):
                tops[place] = tops.get(place, 0.0) + value
        traces.append(trace)
    return traces


def _runs(x: Any, y: Any) -> list[_Points]:
    """Return the stretches of points between gaps."""
    runs: list[_Points] = [[]]
    for point in zip(np.asarray(x).tolist(), np.asarray(y).tolist(), strict=True):
        if math.isfinite(point[0] + point[1]):
            runs[-1].append(point)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]
