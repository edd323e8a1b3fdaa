"""What a static picture is made of: texts, lines, the shapes of marks, hatching, in the terms of Plotly."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape, unescape
from itertools import pairwise
from typing import Any

from par_core.figures.theme import LIGHT

SIZE, LINE = 12.0, 15.0  # pixels of a text, and of the height of its line
_LETTER, _PERCENT = 6.6, 11.0  # pixels of the room that a letter takes, and that the widest of all signs takes
_DASHES = {"dash": "7 4", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "11 4", "longdashdot": "11 3 2 3"}
_MARKUP = re.compile(r"</?(?:b|i|em|strong|sub|sup|span)>")
# The corners of marks, for one whose circle has the radius 1.
_SHAPES: dict[str, Sequence[tuple[float, float]]] = {
    "square": [(-1, -1), (1, -1), (1, 1), (-1, 1)],
    "diamond": [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
    "triangle-up": [(-1.15, 0.5), (1.15, 0.5), (0, -1)],
    "triangle-down": [(-1.15, -0.5), (1.15, -0.5), (0, 1)],
    "x": [
        *((0, 0.57), (0.57, 1.13), (1.13, 0.57), (0.57, 0), (1.13, -0.57), (0.57, -1.13)),
        *((0, -0.57), (-0.57, -1.13), (-1.13, -0.57), (-0.57, 0), (-1.13, 0.57), (-0.57, 1.13)),
    ],
    "line-ns": [(0, -1), (0, 1)],
    "line-ew": [(-1, 0), (1, 0)],
}


def plain(text: str) -> str:
    """Return a text with its line breaks as such and without other markup of Plotly's."""
    return unescape(_MARKUP.sub("", text).replace("<br>", "\n"))


def wide(text: str) -> float:
    """Return the room that the longest line of a text takes."""
    return max(_LETTER * len(line) + (_PERCENT - _LETTER) * line.count("%") for line in text.split("\n"))


def wrapped(text: str, width: float) -> list[str]:
    """Return the lines of a text that may be so wide."""
    lines = [""]
    for word in text.split():
        if lines[-1] and wide(f"{lines[-1]} {word}") > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def text(x: float, y: float, words: str, anchor: str, high: str = "middle", *, colour: str = "") -> str:
    """Return a text of one or several lines whose middle, top or bottom is at a height."""
    lines = words.split("\n")
    top = y - LINE * len(lines) * {"top": 0.0, "middle": 0.5, "bottom": 1.0}[high]
    spans = "".join(
        f'<tspan x="{x:.1f}" y="{top + LINE * (number + 0.5) + 0.35 * SIZE:.1f}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    )
    painted = f' fill="{colour}"' if colour else ""
    if colour and colour != LIGHT["background"]:  # it may stand on a line or on a hatched area
        painted += f' stroke="{LIGHT["background"]}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
    return f'<text text-anchor="{anchor}"{painted}>{spans}</text>'


def ground(x: float, y: float, words: str, anchor: str, high: str, colour: str) -> str:
    """Return what is painted behind such a text."""
    room, rows = wide(words), LINE * (words.count("\n") + 1)
    left = x - room * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    top = y - rows * {"top": 0.0, "middle": 0.5, "bottom": 1.0}[high]
    return f'<rect x="{left:.1f}" y="{top:.1f}" width="{room:.1f}" height="{rows:g}" fill="{colour}"/>'


def straight(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    """Return a thin line from one point to another."""
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{colour}"/>'


def points(along: Sequence[tuple[float, float]]) -> str:
    """Return points as the data of a path."""
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in along)


def path(along: Sequence[tuple[float, float]], line: dict[str, Any]) -> str:
    """Return a line through points; dashes that have no name are given in pixels."""
    dash = line.get("dash", "solid")
    dash = _DASHES.get(dash, dash.replace("px", ""))
    dashed = "" if dash == "solid" else f' stroke-dasharray="{dash}"'
    look = f'stroke="{line["color"]}" stroke-width="{line["width"]:g}"{dashed}'
    return f'<path d="M{points(along)}" fill="none" {look}/>'


def stepped(run: Sequence[tuple[float, float]], shape: str) -> list[tuple[float, float]]:
    """Return the corners of a line from point to point: straight, or in steps as its shape says (h across, v up or down)."""
    if shape == "linear":
        return list(run)
    corners = [run[0]]
    for (x, y), (to_x, to_y) in pairwise(run):
        turn = {"hv": to_x, "hvh": (x + to_x) / 2, "vh": x}[shape]
        corners += [(turn, y), (turn, to_y), (to_x, to_y)]
    return corners


def mark(x: float, y: float, marker: dict[str, Any]) -> str:
    """Return a mark; an open one is drawn with a line of its colour alone."""
    half, symbol, colour = marker["size"] / 2, marker.get("symbol", "circle"), marker["color"]
    shape, is_open = symbol.removesuffix("-open"), symbol.endswith("-open")
    line = {"width": 0, "color": colour} | marker.get("line", {})
    if is_open:
        look = f'fill="none" stroke="{colour}" stroke-width="{line["width"] or 1:g}"'
    else:
        look = f'fill="{colour}"' + (
            f' stroke="{line["color"]}" stroke-width="{line["width"]:g}"' if line["width"] else ""
        )
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{half:g}" {look}/>'
    corners = [(x + half * right, y + half * down) for right, down in _SHAPES[shape]]
    return f'<path d="M{points(corners)}Z" {look}/>'


def hatching(name: str, pattern: dict[str, Any], colour: str) -> str:
    """Return the definition of a hatched paint: strokes or dots over a colour, or in place of it."""
    step, share = pattern["size"], pattern["solidity"]
    is_over, is_dots = pattern["fillmode"] == "overlay", pattern["shape"] == "."
    ink = pattern["fgcolor"] if is_over else colour
    size = step if is_dots else step * math.sqrt(2)  # so far apart are strokes at 45 degrees along an axis
    if is_dots:
        drawn = (
            f'<circle cx="{size / 2:g}" cy="{size / 2:g}" r="{step * math.sqrt(share / math.pi):.2f}" fill="{ink}"/>'
        )
    else:
        half, far = size / 2, size * 1.25  # the strokes of the neighbours stand in the corners
        strokes = "".join(
            f"M{x:.2f} {y:.2f}l{half:.2f} {-half:.2f}" for x, y in ((-half / 2, half / 2), (far - half, far))
        )
        look = f'stroke="{ink}" stroke-width="{step * share:.2f}"'
        drawn = f'<path d="M0 {size:.2f}l{size:.2f} {-size:.2f}{strokes}" {look}/>'
    ground = f'<rect width="{size:.2f}" height="{size:.2f}" fill="{colour}"/>' if is_over else ""
    opacity = pattern.get("fgopacity", 1)
    return (
        f'<pattern id="{name}" width="{size:.2f}" height="{size:.2f}" patternUnits="userSpaceOnUse">'
        f'{ground}<g opacity="{opacity:g}">{drawn}</g></pattern>'
    )
