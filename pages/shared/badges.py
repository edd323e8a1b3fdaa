"""The standing of a number, as a badge with its word."""

from __future__ import annotations

from typing import Any, Literal

import streamlit as st

from par_core.standing import Standing

_COLOURS: dict[Standing, Literal["gray", "orange", "green"]] = {
    Standing.PROVEN: "gray",
    Standing.PUBLISHED: "orange",
    Standing.ESTIMATE: "green",
}
_WORDS = {
    Standing.PROVEN: ("Proven", "A theorem that holds, computed exactly or rounded to the safe side."),
    Standing.PUBLISHED: (
        "As published",
        "A formula as a paper prints it, whose proof has a gap or that is known to fail. Not a guarantee.",
    ),
    Standing.ESTIMATE: ("Estimate", "From data or simulation, with its interval and its sample size. Not a guarantee."),
}


def badge(standing: Standing, *, into: Any = st) -> None:
    """Draw the badge of a standing."""
    word, meaning = _WORDS[standing]
    into.badge(word, color=_COLOURS[standing], help=meaning)


def inline(standing: Standing) -> str:
    """Return the badge as Markdown, to stand inside a sentence."""
    return f":{_COLOURS[standing]}-badge[{_WORDS[standing][0]}]"
