"""The axes of a static picture: from data to pixels, and where the ticks are and what they say, as Plotly.js has it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from par_core.figures.drawing import Trace
from par_core.figures.svg_marks import LINE, plain, wide
from par_core.figures.theme import TEMPLATE
from par_core.rounding import raised

_APART = {"x": 60.0, "y": 32.0}  # ticks are, at least
_ROOM = 0.05  # of an axis that fits itself to marks, or upwards to anything, is left free around them
_FAR = 20.0  # lengths of the axis from its beginning a point is drawn, at most
_FORMAT = re.compile(r"(,?)(?:\.(\d+))?(~?)([dfg%])")


class Tick(NamedTuple):
    """A tick: its pixels from the beginning of the axis, what it says, and whether it is a power of ten on a log axis."""

    at: float
    text: str
    is_power: bool


class Axis:
    """One axis of the traces that are drawn on it; its length in pixels is set when the room is known."""

    def __init__(self, letter: str, settings: dict[str, Any], traces: Sequence[Trace]) -> None:
        """Fit the axis to its traces, unless it has a range of its own."""
        self.letter, self.settings, self.length = letter, settings, 1.0
        self.log = settings.get("type") == "log"
        ends = settings.get("range") or self._fitted(traces)
        self.low, self.high = float(ends[0]), float(ends[1])
        self.is_right = settings.get("side") == "right"
        self.colour = settings.get("tickfont", {}).get("color", "")
        self.title = plain(settings["title"]["text"])
        self.title_colour = settings["title"].get("font", {}).get("color", "")

    def at(self, values: Any) -> Any:
        """Return how many pixels from the beginning of the axis these values are."""
        return np.clip((self._places(values) - self.low) / (self.high - self.low), -_FAR, _FAR) * self.length

    def at_place(self, place: float) -> float:
        """Return the same for a place in the terms of the range: on a logarithmic axis a power of ten."""
        return (place - self.low) / (self.high - self.low) * self.length

    def least_length(self) -> float:
        """Return how long an axis of names must be for each of them to have its lines."""
        if "ticktext" not in self.settings or self.log:
            return 0.0
        names = sorted(zip(self.settings["tickvals"], self.settings["ticktext"], strict=True))
        high = [(place, LINE * (plain(text).count("\n") + 1)) for place, text in names]
        needed = ((low[1] + up[1]) / 2 / (up[0] - low[0]) for low, up in pairwise(high))
        return max(needed, default=0.0) * (self.high - self.low)

    def ticks(self) -> list[Tick]:
        """Return the ticks between both ends."""
        if self.settings.get("showticklabels") is False:
            return []
        values = self.settings["tickvals"] if "tickvals" in self.settings else self._values()
        texts = [plain(each) for each in self.settings.get("ticktext") or self._written(values)]
        powers = [self.log and abs(math.remainder(math.log10(each), 1)) < 1e-9 for each in values]
        ticks = map(Tick, self.at(values).tolist(), texts, powers)
        return [each for each in ticks if -0.5 <= each.at <= self.length + 0.5]

    def told(self, room: tuple[float, float]) -> list[Tick]:
        """Return the ticks whose words have room from one place to another; the powers of ten are written first."""
        taken: list[tuple[float, float]] = []
        told = []
        for tick in sorted(self.ticks(), key=lambda each: not each.is_power):
            half = self.half(tick.text)
            if any(tick.at - half < end and start < tick.at + half for start, end in taken):
                continue
            if room[0] <= tick.at - half and tick.at + half <= room[1]:
                taken.append((tick.at - half, tick.at + half))
                told.append(tick)
        return told

    def half(self, text: str) -> float:
        """Return half the room that the words of a tick take along the axis."""
        return wide(text) / 2 + 3 if self.letter == "x" else LINE * (text.count("\n") + 1) / 2 - 1

    def _places(self, values: Any) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log10(values) if self.log else np.asarray(values, dtype=float)

    def _fitted(self, traces: Sequence[Trace]) -> tuple[float, float]:
        found = [(self._places(values), roomy) for each in traces for values, roomy in _extents(each, self.letter)]
        found = [(values[np.isfinite(values)], roomy) for values, roomy in found]
        drawn = np.concatenate([values for values, _ in found] or [np.empty(0)])
        if not drawn.size:
            return 0.0, 1.0
        room = _ROOM * float(np.ptp(drawn))
        low = min(float(values.min()) - room * roomy for values, roomy in found if values.size)
        high = max(float(values.max()) + room * roomy for values, roomy in found if values.size)
        if not self.log and (
            self.settings.get("rangemode") == "tozero" or any(_stands(each, self.letter) for each in traces)
        ):
            low, high = min(low, 0.0) if drawn.min() < 0 else 0.0, high if drawn.max() > 0 else 0.0
        size = max(abs(low), abs(high))
        narrow = high - low <= max(1e-12 * size, 1e-300)  # ticks could not be told apart
        half = max(0.5, 1e-6 * size)
        return (low - half, high + half) if narrow else (low, high)

    def _values(self) -> list[float]:
        fewest = self.settings.get("nticks") or max(self.length / _APART[self.letter], 1)
        step = self.settings.get("dtick") or max(_nice((self.high - self.low) / fewest), self._finest())
        numbers = range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)
        return [10.0 ** (step * each) if self.log else step * each for each in numbers]

    def _finest(self) -> float:
        """Return the smallest step that the format can tell, in powers of ten on a logarithmic axis."""
        _, digits, _, kind = self._format()
        return 1.0 if self.log or kind == "d" else {"f": 1.0, "%": 0.01}.get(kind, 0.0) * 10.0 ** -int(digits or 6)

    def _format(self) -> tuple[str, str, str, str]:
        """Return the format of the ticks: the sign between thousands, the digits, whether zeros at the end go, the kind."""
        found = _FORMAT.fullmatch(self.settings.get("tickformat", ""))
        return tuple(each or "" for each in found.groups()) if found else ("", "", "", "")  # type: ignore[return-value]

    def _written(self, values: Sequence[float]) -> list[str]:
        return [each.replace("-", "−") for each in self._plainly_written(values)]

    def _plainly_written(self, values: Sequence[float]) -> Iterator[str]:
        thousands, digits, short, kind = self._format()
        power = math.floor(math.log10(max(map(abs, values), default=0) or 1))
        if kind:
            spec = f"{thousands}.{digits or 6}{kind}" if kind != "d" else f"{thousands}.0f"
            yield from (_short(format(each, spec)) if short else format(each, spec) for each in values)
        elif abs(power) > TEMPLATE["layout"]["xaxis"]["minexponent"]:
            yield from (f"{_short(f'{each / 10.0**power:.6f}')}×10{raised(power)}" if each else "0" for each in values)
        else:
            yield from (_short(f"{each:,.9f}") for each in values)


def _extents(trace: Trace, letter: str) -> Iterator[tuple[Any, bool]]:
    """Yield what an axis must hold of a trace, and whether room must be left around it."""
    values = np.asarray(trace[letter], dtype=float)
    if trace["type"] == "bar":
        yield from _extents_of_bars(trace, letter, values)
    else:
        marked = "markers" in trace["mode"] or "text" in trace["mode"]
        yield values, marked or letter == "y"
    if ranges := shown_ranges(trace, letter):
        yield values + ranges["array"], True
        yield values - ranges["arrayminus"], True


def _extents_of_bars(trace: Trace, letter: str, values: Any) -> Iterator[tuple[Any, bool]]:
    along, ends = bar_ends(trace)
    if letter == along:
        yield trace.get("base", 0.0) + values, True
    else:
        yield from ((each, False) for each in ends)


def _stands(trace: Trace, letter: str) -> bool:
    """Tell whether a trace stands on zero along an axis."""
    if trace["type"] == "bar":
        return bar_ends(trace)[0] == letter
    return trace.get("fill") == f"tozero{letter}"


def bar_ends(trace: Trace) -> tuple[str, tuple[Any, Any]]:
    """Return the axis along which bars lie, and where each of them begins and ends on the other one."""
    along, across = ("x", "y") if trace.get("orientation") == "h" else ("y", "x")
    width = np.asarray(trace.get("width", 0.8))
    start = np.asarray(trace[across], dtype=float) + trace.get("offset", -width / 2)
    return along, (start, start + width)


def shown_ranges(trace: Trace, letter: str) -> dict[str, Any] | None:
    """Return the ranges of a trace's points along an axis if they are drawn."""
    ranges: dict[str, Any] | None = trace.get(f"error_{letter}")
    return ranges if ranges and ranges.get("visible", True) else None


def _nice(step: float) -> float:
    power = 10.0 ** math.floor(math.log10(step))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= step * 0.999)


def _short(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number
