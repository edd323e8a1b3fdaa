"""Scrubbing: what a chart and its words are at every stop of a dial, so that the browser redraws them while the thumb moves.

Nothing is computed before a reader comes near the dial: then the browser asks for the frames, once for as long as no other
setting changes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence

from pages.shared import links, scenario_strip
from pages.shared.dial import stops
from pages.shared.settings import Setting, present_scenario, scenario_settings, supposing
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures.drawing import Drawing
from par_core.figures.frames import Words, packed_frames

_BADGE = re.compile(r"\[?:\w+-badge\[([^\]]*)\](?:\]\([^)]*\))?")  # with its link, if it has one


def stamps(dials: Sequence[Setting[float]], about: str) -> dict[str, str]:
    """Return in short what the frames of each dial depend on: every other setting of the page, its stops, and `about`."""
    every = links.set_now() if dials else {}

    def stamp(dial: Setting[float]) -> str:
        others = {key: text for key, text in every.items() if key != dial.key}
        return hashlib.sha256(json.dumps([others, stops(dial), about]).encode()).hexdigest()[:16]

    return {each.key: stamp(each) for each in dials}


def frames(setting: Setting[float], figure: Callable[[], Drawing], headline: Callable[[], str] | None) -> str:
    """Return the frames of a figure, with its words, at the stops of a dial; packed as in `packed_frames`."""
    return packed_frames(_drawn(setting, figure, headline))


def _drawn(
    setting: Setting[float], figure: Callable[[], Drawing], headline: Callable[[], str] | None
) -> Iterator[tuple[float, Drawing, Words]]:
    for stop in stops(setting):
        with supposing(setting, stop):
            try:
                frame = stop, figure(), _words(headline, strip=setting in scenario_settings())
            except (ParameterError, InfeasibleError):
                continue  # at this stop there is nothing to draw
        yield frame


def _words(headline: Callable[[], str] | None, *, strip: bool) -> Words:
    """Return the pieces of text as the browser holds them, by where they stand: a bold word or a badge is a piece of its own."""
    words = {"headline": [pieces(headline())]} if headline else {}
    if strip:
        words["strip"] = [pieces(text) for text in scenario_strip.texts(present_scenario())]
    return words


def pieces(markdown: str) -> list[str]:
    """Return a text of Markdown in the pieces that the browser holds."""
    text = _BADGE.sub("\0\\1\0", markdown.removeprefix("## ")).replace("**", "\0")
    return [piece for piece in text.split("\0") if piece.strip()]
