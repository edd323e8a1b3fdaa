"""Scrubbing: the words of a chart at a stop of a dial, as the browser writes them while the thumb moves."""

from __future__ import annotations

import re

_BADGE = re.compile(r"\[?:\w+-badge\[([^\]]*)\](?:\]\([^)]*\))?")  # with its link, if it has one


def pieces(markdown: str) -> list[str]:
    """Return a text of Markdown in the pieces that the browser holds."""
    text = _BADGE.sub("\0\\1\0", markdown.removeprefix("## ")).replace("**", "\0")
    return [piece for piece in text.split("\0") if piece.strip()]
