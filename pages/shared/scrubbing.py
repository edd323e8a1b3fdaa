"""Scrubbing: what a chart and its words are at every stop of a dial, so that the browser redraws them while the thumb moves.

Nothing is computed before a reader comes near the dial: then the browser asks for the frames, once for as long as no other
setting changes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pages.shared import links, scenario_strip
from pages.shared.dial import stops
from pages.shared.settings import Setting, present_scenario, scenario_settings, supposing
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from par_core.figures.drawing import Drawing

_ONLY_AT_REST = ("customdata", "hovertemplate", "meta")  # what nobody sees of a curve that moves
_BADGE = re.compile(r":\w+-badge\[([^\]]*)\]")


def stamp(setting: Setting[float], about: str) -> str:
    """Return in short what the frames of a dial depend on: every other setting of the page, its stops, and `about`."""
    return hashlib.sha256(json.dumps([links.others(setting), stops(setting), about]).encode()).hexdigest()[:16]


def frames(setting: Setting[float], figure: Callable[[], Drawing], headline: Callable[[], str] | None) -> str:
    """Return the frames of a figure at the stops of a dial: compressed, each as its differences from the first one."""
    kept: list[dict[str, Any]] = []
    arrays: dict[bytes, int] = {}
    first: dict[str, Any] | None = None
    for stop in stops(setting):
        with supposing(setting, stop):
            try:
                drawing = figure()
                drawn = _light({"data": drawing.data, "layout": drawing.layout}, arrays)
            except ParameterError:
                continue  # at this stop there is nothing to draw
            words = _words(headline, strip=setting in scenario_settings())
        if first is None:
            first = drawn
        kept.append({"at": stop, "changes": [*_changes(first, drawn, ())], "words": words})
    lengths = [len(each) // 4 for each in arrays]
    head = json.dumps({"first": first, "frames": kept, "lengths": lengths}, separators=(",", ":"), ensure_ascii=False)
    # All first bytes of the numbers, then all second ones: these are alike, and so take little room.
    numbers = np.frombuffer(b"".join(arrays), dtype=np.uint8).reshape(-1, 4).T.tobytes()
    text = head.encode()
    return base64.b64encode(zlib.compress(len(text).to_bytes(4, "little") + text + numbers, 6)).decode()


def _words(headline: Callable[[], str] | None, *, strip: bool) -> dict[str, list[list[str]]]:
    """Return the pieces of text as the browser holds them, by where they stand: a bold word or a badge is a piece of its own."""
    words = {"headline": [_pieces(headline())]} if headline else {}
    if strip:
        words["strip"] = [_pieces(text) for text in scenario_strip.texts(present_scenario())]
    return words


def _pieces(markdown: str) -> list[str]:
    text = _BADGE.sub("\0\\1\0", markdown.removeprefix("#### ")).replace("**", "\0")
    return [piece for piece in text.split("\0") if piece.strip()]


def _light(part: Any, arrays: dict[bytes, int]) -> Any:
    """Return a figure without what is of use only while it is at rest, its arrays by their place in `arrays`."""
    if isinstance(part, dict):
        return {key: _light(value, arrays) for key, value in part.items() if key not in _ONLY_AT_REST}
    if isinstance(part, np.ndarray) and part.dtype.kind in "iuf" and part.ndim == 1:
        return {"array": arrays.setdefault(_short(part), len(arrays))}
    if isinstance(part, list | tuple):
        return [_light(each, arrays) for each in part]
    return part.tolist() if isinstance(part, np.ndarray | np.generic) else part


def _short(array: NDArray[Any]) -> bytes:
    """Return the numbers of an array in four bytes each, of which the last is empty: more than a screen can show."""
    return (array.astype("<f4").view("<u4") & 0xFFFFF800).tobytes()


def _changes(first: Any, other: Any, path: tuple[str | int, ...]) -> Iterator[tuple[Sequence[str | int], Any]]:
    """Yield where a figure differs from the first one, and what stands there; None for what is not there."""
    if first == other:
        return
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        for key in {**first, **other}:
            yield from _changes(first.get(key), other.get(key), (*path, key))
    elif isinstance(first, list) and isinstance(other, list) and len(first) == len(other):
        for at, (one, another) in enumerate(zip(first, other, strict=True)):
            yield from _changes(one, another, (*path, at))
    else:
        yield path, other
