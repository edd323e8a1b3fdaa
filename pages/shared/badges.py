"""The evidence of a number, as a badge with its word."""

from __future__ import annotations

from pages.shared.words import letters
from par_core.questions.evidence import HOLDS, MEANINGS, REFUTED, UNPROVEN, became_of, checked, word_of

_PAPER_CHECK = "paper_check"  # its address beside that of any other page
_COLOURS = {
    "Proven": "gray",
    REFUTED: "red",
    UNPROVEN: "orange",
    HOLDS: "gray",
    "By your model": "blue",
    "Estimate": "green",
    **dict.fromkeys(("Falls", "Fails by itself"), "red"),
    **dict.fromkeys(("Needs data", "Not reproducible"), "orange"),
}


def badge(word: str) -> str:
    """Return the badge with this word: one of those of the legend, or one that says what became of something."""
    return f":{_COLOURS.get(word, 'gray')}-badge[{word}]"


def link_to(claim: str) -> str:
    """Return where a claim of the catalogue is shown with how it was tested; the browser goes there in the same session (address.js)."""
    return f"{_PAPER_CHECK}?tab=claims&claim={claim}"


def of(source: object) -> str:
    """Return the badge of what `word_of` takes; that of a claim leads to where the claim is shown."""
    word, claim = word_of(source)
    return f"[{badge(word)}]({link_to(claim)})" if claim else badge(word)


def in_words() -> str:
    """Return every badge with what it is worth, for one sentence."""
    return (
        f"{badge('Proven')} holds, {badge(REFUTED)} stands in a paper and fails, {badge(UNPROVEN)} stands in one without a sound "
        f"proof, {badge(HOLDS)} fails elsewhere but is right in this setting, {badge('By your model')} is as good as your "
        f"assumptions, {badge('Estimate')} comes from data"
    )


def legend(*claims: str) -> str:
    """Return what the badges mean, and which claims of the catalogue stand beside them, for a hover text."""
    lines = [f"**{word}**: {meaning}" for word, meaning in MEANINGS.items()]
    named = (checked(each).claim for each in claims)
    here = [
        f"[**{became_of(each.id)} claim**]({link_to(each.id)}): {letters(f'{each.source}: {each.statement}')}"
        for each in named
    ]
    return "  \n".join([*here, *lines])
