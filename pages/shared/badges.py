"""The standing of a number, as a badge with its word."""

from __future__ import annotations

from typing import Literal

from par_core.standing import Standing

_COLOURS: dict[Standing, Literal["gray", "orange", "green"]] = {
    Standing.PROVEN: "gray",
    Standing.PUBLISHED: "orange",
    Standing.ESTIMATE: "green",
}
_WORDS = {
    Standing.PROVEN: ("Proven", "A theorem that holds, computed exactly or rounded to the safe side."),
    Standing.PUBLISHED: (
        "Published claim",
        "A formula as a paper prints it, whose proof has a gap or that is known to fail. Not a guarantee.",
    ),
    Standing.ESTIMATE: ("Estimate", "From data or simulation, with its interval and its sample size. Not a guarantee."),
}


def inline(standing: Standing) -> str:
    """Return the badge as Markdown, to stand inside a sentence."""
    return f":{_COLOURS[standing]}-badge[{_WORDS[standing][0]}]"


def legend() -> str:
    """Return what the badges mean, for the hover text of a sentence that holds some."""
    return "  \n".join(f"**{word}**: {meaning}" for word, meaning in _WORDS.values())
