"""What a number is worth in one word, and of which claim it is: the same word on a badge, on paper and in a notebook."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from par_core.evidence import PUBLISHED, evidence_of
from par_core.export.sentences import Tag

if TYPE_CHECKING:
    from par_core.claims import Verdict

REFUTED, UNPROVEN, HOLDS = "Refuted", "Unproven", "Holds here"
MEANINGS = {
    "Proven": "A theorem that holds, computed exactly or rounded to the safe side.",
    REFUTED: "A paper claims it, and a recomputation shows that it fails. Never a guarantee.",
    UNPROVEN: "A paper claims it, and nothing here proves it. Not a guarantee.",
    HOLDS: "A paper claims it, and the exact number bears it out in this setting. The claim may fail in another.",
    "By your model": "Computed exactly from what you assume, such as a model of cost. No better than that.",
    "Estimate": "From data or simulation, with its interval and its sample size. Not a guarantee.",
}


def word_of(source: object) -> tuple[str, str]:
    """Return the word and, where a paper says it, the claim; of a claim by its id, a tag, a quantity, a result, or what declares."""
    if isinstance(source, str):
        return became_of(source), source
    if isinstance(source, Tag):
        return source.word, source.claim
    basis, found = evidence_of(source).basis, cast("Any", source)
    if basis is not PUBLISHED:
        return basis.value.capitalize(), ""
    claim: str = found.claim
    # A number that is right in its setting is not called what its claim is elsewhere.
    return HOLDS if getattr(found, "holds", False) else became_of(claim), claim


def became_of(claim: str) -> str:
    """Return what became of a claim in one word."""
    return REFUTED if checked(claim).refuted else UNPROVEN


@cache
def checked(claim: str) -> Verdict:
    """Return what the catalogue finds of a claim, given by its id, which recomputes it: once for all readers."""
    from par_core.claims import check  # late: only who shows a claim needs the catalogue

    return check(claim)
