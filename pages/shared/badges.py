"""The standing of a number, as a badge with its word."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pages.shared.words import letters

if TYPE_CHECKING:
    from par_core.claims import Verdict

_PAPER_CHECK = "paper_check"  # its address beside that of any other page
_REFUTED, _UNPROVEN, _HOLDS = "Refuted", "Unproven", "Holds here"
_MEANINGS = {
    "Proven": "A theorem that holds, computed exactly or rounded to the safe side.",
    _REFUTED: "A paper claims it, and a recomputation shows that it fails. Never a guarantee.",
    _UNPROVEN: "A paper claims it, and nothing here proves it. Not a guarantee.",
    _HOLDS: "A paper claims it, and the exact number bears it out in this setting. The claim may fail in another.",
    "By your model": "Computed exactly from what you assume, such as a model of cost. No better than that.",
    "Estimate": "From data or simulation, with its interval and its sample size. Not a guarantee.",
}
_COLOURS = {
    "Proven": "gray",
    _REFUTED: "red",
    _UNPROVEN: "orange",
    _HOLDS: "gray",
    "By your model": "blue",
    "Estimate": "green",
}


def badge(word: str) -> str:
    """Return the badge with this word: one of those of the legend."""
    return f":{_COLOURS[word]}-badge[{word}]"


def link_to(claim: str) -> str:
    """Return where a claim of the ledger is shown with what it was tested by; the browser goes there in the same session (address.js)."""
    return f"{_PAPER_CHECK}?tab=claims&claim={claim}"


def of(source: object) -> str:
    """Return the badge of a claim (by its id in the ledger), a quantity, a result, or a function that declares its standing.

    That of a claim leads to where the claim is shown. A number that is right in its setting is not called what its claim is elsewhere.
    """
    if isinstance(source, str):
        return _of_claim(source, _word(source))
    declared: Any = getattr(source, "declaration", source)
    own = declared.standing.value.capitalize()
    if own in _COLOURS:
        return badge(own)
    told = getattr(declared, "told", None)  # of a function
    claim = told.claim if told else declared.claim
    return _of_claim(claim, _HOLDS if getattr(declared, "holds", False) else _word(claim))


def _of_claim(claim: str, word: str) -> str:
    return f"[{badge(word)}]({link_to(claim)})"


def in_words() -> str:
    """Return every badge with what it is worth, for one sentence."""
    return (
        f"{badge('Proven')} holds, {badge(_REFUTED)} stands in a paper and fails, {badge(_UNPROVEN)} stands in one without a sound "
        f"proof, {badge(_HOLDS)} fails elsewhere but is right in this setting, {badge('By your model')} is as good as your "
        f"assumptions, {badge('Estimate')} comes from data"
    )


def legend(*claims: str) -> str:
    """Return what the badges mean, and which claims of the ledger stand beside them, for a hover text."""
    lines = [f"**{word}**: {meaning}" for word, meaning in _MEANINGS.items()]
    named = (checked(each).claim for each in claims)
    here = [
        f"[**{_word(each.id)} claim**]({link_to(each.id)}): {letters(f'{each.source}: {each.statement}')}"
        for each in named
    ]
    return "  \n".join([*here, *lines])


def _word(claim: str) -> str:
    """Return what became of a claim in one word."""
    return _REFUTED if checked(claim).refuted else _UNPROVEN


@cache
def checked(claim: str) -> Verdict:
    """Return what the ledger finds of a claim, given by its id, which recomputes it: once for all readers."""
    from par_core.claims import check  # late: only a page that shows a claim needs the ledger

    return check(claim)
