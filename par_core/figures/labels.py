"""Texts where there is room, on a wide screen and on a phone: beside the reader's marker, and at curves in place of a legend.

A text is moved until no line, no other text and no edge is in its way on either screen, as far as that is possible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.figures import theme
from par_core.figures.drawing import Drawing, Trace

_Points = NDArray[np.float64]
_Boxes = NDArray[np.float64]  # rows of left, top, right, bottom

_SCREENS = ((560.0, 275.0), (235.0, 215.0))  # pixels between the axes
_CARD = (240.0, 145.0)
_LETTER, _LINE = 6.8, 17.0  # pixels of a letter and of a line of text
_STEP = 5.0  # pixels between the points of a curve that a text must not hold
_BESIDE_MARK, _BESIDE_CURVE = 6.0, 3.0
_SIDES = (
    "top right",
    "top left",
    "bottom right",
    "bottom left",
    "top center",
    "bottom center",
    "middle right",
    "middle left",
)
_CLEAR = np.array([-6.0, -6.0, 6.0, 6.0])  # so far other curves stay away from a name, which else could be theirs
_PLACES = np.linspace(0.08, 0.92, 13)  # of the way along a curve where its name may stand


class _Screen:
    """What is drawn on one screen: the points of all lines, and the boxes of what must not be covered."""

    def __init__(self, drawing: Drawing, size: tuple[float, float]) -> None:
        self.size = size
        self._ranges = {axis: _range(drawing, axis) for axis in ("x", "y", "y2") if _has(drawing, axis)}
        lines = [each for each in drawing.data if _is_line(each)]
        self.curves = [self.curve(each) for each in lines] or [np.empty((0, 2))]
        self.of = [id(each) for each in lines]  # whose curves these are
        marks = [point for each in drawing.data if _is_mark(each) for point in self.pixels(each)]
        self.taken: list[_Boxes] = [np.array([[x - 6, y - 6, x + 6, y + 6]]) for x, y in marks]

    def pixels(self, trace: Trace) -> _Points:
        """Return the points of a trace in pixels from the upper left corner."""
        ends = (self._ranges["x"], self._ranges[trace.get("yaxis", "y")])
        columns = []
        for (low, high, log), values, length in zip(ends, (trace["x"], trace["y"]), self.size, strict=True):
            with np.errstate(divide="ignore", invalid="ignore"):
                places = np.log10(values) if log else np.asarray(values, dtype=float)
            columns.append(np.clip((places - low) / ((high - low) or 1.0), -9, 9) * length)
        return np.column_stack([columns[0], self.size[1] - columns[1]])

    def curve(self, trace: Trace) -> _Points:
        """Return points that follow a curve closely."""
        ends = self.pixels(trace)
        ends = ends[np.isfinite(ends).all(axis=1)]
        if len(ends) < 2:
            return ends
        way = np.append(0.0, np.cumsum(np.hypot(*np.diff(ends, axis=0).T)))
        at = np.linspace(0.0, way[-1], int(way[-1] / _STEP) + 2)
        return np.column_stack([np.interp(at, way, ends[:, 0]), np.interp(at, way, ends[:, 1])])

    def boxes(self, at: _Points, text: str, sides: Sequence[str], away: float) -> _Boxes:
        """Return the boxes of a text beside each of these points, on its side and so many pixels away."""
        lines = text.split("<br>")
        size = np.array([_LETTER * max(map(len, lines)), _LINE * len(lines)])
        directions = np.array([_toward(side) for side in sides])
        corner = at + directions * away + size * (directions - 1) / 2
        return np.hstack([corner, corner + size])

    def in_the_way(self, boxes: _Boxes, named: Trace | None) -> NDArray[np.float64]:
        """Return how much is in the way of each text, 0 for nothing; other curves stay away from the name of one."""
        crossed = _inside(boxes, np.concatenate(self.curves))
        if named is not None:
            others = [curve for curve, of in zip(self.curves, self.of, strict=True) if of != id(named)]
            crossed += _inside(boxes + _CLEAR, np.concatenate([*others, np.empty((0, 2))]))
        left, top, right, bottom = boxes.T[:, :, None]
        of_left, of_top, of_right, of_bottom = np.concatenate(self.taken).T if self.taken else np.empty((4, 0))
        covered = ((left < of_right) & (of_left < right) & (top < of_bottom) & (of_top < bottom)).sum(axis=1)
        beyond = np.maximum(-boxes, 0) + np.maximum(boxes - np.tile(self.size, 2), 0)
        return np.asarray(crossed + 20 * covered + beyond.sum(axis=1))


def _inside(boxes: _Boxes, points: _Points) -> NDArray[np.int64]:
    left, top, right, bottom = boxes.T[:, :, None]
    x, y = points.T
    return np.asarray(((x > left) & (x < right) & (y > top) & (y < bottom)).sum(axis=1))


def place(drawing: Drawing) -> None:
    """Move the texts of the markers to the side where least is in their way; the side that they have is taken first."""
    screens = [_Screen(drawing, size) for size in _SCREENS]
    for trace in filter(_is_mark, drawing.data):
        sides = _sides_of(trace)
        for number, text in enumerate(trace["text"]):
            candidates = list(dict.fromkeys((sides[number], *_SIDES)))
            at = [np.repeat(screen.pixels(trace)[number : number + 1], len(candidates), axis=0) for screen in screens]
            best = int(np.argmin(_cost(screens, at, text, candidates, _BESIDE_MARK)))
            sides[number] = candidates[best]
            for screen, points in zip(screens, at, strict=True):
                screen.taken.append(screen.boxes(points[:1], text, [sides[number]], _BESIDE_MARK))
        trace["textposition"] = sides if len(sides) > 1 else sides[0]


def name_curves(drawing: Drawing, names: Sequence[tuple[Trace, str]]) -> None:
    """Write the name of each curve beside it where there is room, and take it out of the legend there.

    On a card, which has no legend, it stands where least is in its way.
    """
    has_legend = drawing.layout.get("showlegend", True)
    screens = [_Screen(drawing, size) for size in (_SCREENS if has_legend else [_CARD])]
    for screen, trace in product(screens, filter(_is_mark, drawing.data)):
        for number, (text, side) in enumerate(zip(trace["text"], _sides_of(trace), strict=True)):
            screen.taken.append(screen.boxes(screen.pixels(trace)[number : number + 1], text, [side], _BESIDE_MARK))
    for trace, name in names:
        places = np.unique((_PLACES * (len(trace["x"]) - 1)).astype(int))[::-1]  # from its end to its beginning
        sides = list(_SIDES) * len(places)
        at = [np.repeat(screen.pixels(trace)[places], len(_SIDES), axis=0) for screen in screens]
        cost = _cost(screens, at, name, sides, _BESIDE_CURVE, trace)
        first = int(np.argmin(cost))
        if cost[first] == 0 or not has_legend:
            for screen, points in zip(screens, at, strict=True):
                screen.taken.append(screen.boxes(points[first : first + 1], name, [sides[first]], _BESIDE_CURVE))
            point = int(places[first // len(_SIDES)])
            drawing.layout.setdefault("annotations", []).append(_annotation(drawing, trace, name, point, sides[first]))
            trace["showlegend"] = False


def _cost(
    screens: Sequence[_Screen],
    at: Sequence[_Points],
    text: str,
    sides: Sequence[str],
    away: float,
    named: Trace | None = None,
) -> NDArray[np.float64]:
    """Return how much is in the way of each candidate, on all screens together."""
    pairs = zip(screens, at, strict=True)
    return np.asarray(sum(screen.in_the_way(screen.boxes(each, text, sides, away), named) for screen, each in pairs))


def _annotation(drawing: Drawing, trace: Trace, name: str, at: int, side: str) -> dict[str, Any]:
    right, down = _toward(side)
    places = {}
    for axis in ("x", "y"):
        value = float(trace[axis][at])
        places[axis] = math.log10(value) if drawing.layout[f"{axis}axis"].get("type") == "log" else value
    return places | {
        "text": name,
        "showarrow": False,
        "xanchor": ("right", "center", "left")[right + 1],
        "yanchor": ("bottom", "middle", "top")[down + 1],
        "xshift": _BESIDE_CURVE * right,
        "yshift": -_BESIDE_CURVE * down,
        "borderpad": 0,
        "bgcolor": theme.LIGHT["background"],  # over a hatched area it can still be read
        "font": {"color": trace["line"]["color"], "size": 13},
    }


def _toward(side: str) -> tuple[int, int]:
    """Return the direction of a side as steps to the right and down."""
    high, wide = side.split()
    return {"left": -1, "center": 0, "right": 1}[wide], {"top": -1, "middle": 0, "bottom": 1}[high]


def _sides_of(trace: Trace) -> list[str]:
    given = trace["textposition"]
    return [given] * len(trace["text"]) if isinstance(given, str) else list(given)


def _is_line(trace: Trace) -> bool:
    return "lines" in trace.get("mode", "") and bool(trace["line"]["width"])


def _is_mark(trace: Trace) -> bool:
    return bool(trace.get("mode") == "markers+text" and any(trace["text"]))


def _has(drawing: Drawing, axis: str) -> bool:
    return f"{axis[0]}axis{axis[1:]}" in drawing.layout


def _range(drawing: Drawing, axis: str) -> tuple[float, float, bool]:
    """Return where an axis begins and ends, in powers of ten where it is logarithmic."""
    letter, settings = axis[0], drawing.layout[f"{axis[0]}axis{axis[1:]}"]
    log = settings.get("type") == "log"
    if "range" in settings:
        return *settings["range"], log
    drawn = [each[letter] for each in drawing.data if letter == "x" or each.get("yaxis", "y") == axis]
    values = np.concatenate([np.asarray(each, dtype=float) for each in drawn]) if drawn else np.array([0.0, 1.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log10(values) if log else values
    values = values[np.isfinite(values)]
    if not values.size:
        return 0.0, 1.0, log
    room = 0.05 * float(np.ptp(values)) * (letter == "y")
    return float(values.min()) - room, float(values.max()) + room, log
