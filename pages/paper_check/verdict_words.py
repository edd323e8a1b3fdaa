"""What the page calls verdicts, papers and numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pages.shared.words import letters
from par_core.claims import NEEDS_DATA, NOT_REPRODUCIBLE, REFUTED, REPRODUCED, REPRODUCED_BY_CONVENTION, Claim, Verdict
from par_core.claims.gravity import GRAVITIES, Gravity, gravity
from par_core.claims.ledger import Numbers, Outcome
from par_core.figures.paper_check import OUTCOMES, indexed, told

_COLOURS = {REFUTED: "red", REPRODUCED: "gray", REPRODUCED_BY_CONVENTION: "gray"}
_FAILS: Final[dict[Gravity, str]] = {
    "last digits": "is off in its last digits",
    "wrong number": "prints a wrong number",
    "false statement": "is false",
    "false statement on the safe side": "is false, on the safe side",
    "false statement that flatters": "is false, and people are worse off",
}
_HOLDS: Final[dict[Outcome, str]] = {
    REPRODUCED: "is reproduced",
    REPRODUCED_BY_CONVENTION: "is reproduced, once a convention is stated",
    NEEDS_DATA: "cannot be checked without its data",
    NOT_REPRODUCIBLE: "cannot be checked from what is published",
}
_TESTED = {"exact": "The truth is", "recomputed": "The paper’s own formula gives"}
_OTHER = {"recomputed": "the paper’s formula says", "published": "the paper prints"}
_IMPLIED = "the paper’s words say"
_RELATIONS = {"at most": " at most", "at least": " at least", "above": " more than"}


def formulas(text: str) -> str:
    """Return a text of the ledger as Markdown, letter by letter, with indices."""
    return letters(indexed(text))


def badge(verdict: Verdict) -> str:
    """Return the verdict as a badge."""
    return f":{_COLOURS.get(verdict.verdict, 'orange')}-badge[{OUTCOMES[verdict.verdict]}]"


def place(claim: Claim) -> str:
    """Return where a claim stands, without its numbers in the other versions, beginning with a capital letter."""
    where = re.sub(r" \([^()]*\)$", "", claim.where)
    return where[0].upper() + where[1:]


def headline(verdict: Verdict) -> str:
    """Return what became of a claim in a few words."""
    found = gravity(verdict)
    became = _FAILS[found] if found else _HOLDS[verdict.verdict]
    return f"## {letters(place(verdict.claim).partition(', ')[0])}: this claim {became}"


def how_grave(verdict: Verdict) -> str:
    """Return how grave it is that a claim fails, for a cell; empty where it does not."""
    found = gravity(verdict)
    return f"{found[0].upper()}{found[1:]}" if found else ""


def falls(names: Sequence[str]) -> str:
    """Return with what a claim falls that is not refuted itself, for a cell; empty where it falls with nothing."""
    return f"Falls with {letters(', '.join(names))}" if names else ""


def grave_words(verdict: Verdict) -> str:
    """Return the same with what it means."""
    found = gravity(verdict)
    return f"**{how_grave(verdict)}.** {GRAVITIES[found]}" if found else ""


def compared(verdict: Verdict) -> str:
    """Return the comparison that decided, with its numbers, as a sentence; or why there is none."""
    rule = verdict.rule
    if rule is None:
        return formulas(f"{verdict.reason[0].upper()}{verdict.reason[1:]}.")
    found = {"exact": verdict.exact, "recomputed": verdict.recomputed, "published": verdict.published}
    claimed = rule.other
    tested = f"{_TESTED[rule.tested]} {numbers(found[rule.tested])}"
    says, other = (_OTHER[claimed], found[claimed]) if isinstance(claimed, str) else (_IMPLIED, claimed)
    how = "" if claimed == "published" else _RELATIONS.get(rule.relation, "")
    return f"{tested}; {says}{how} {numbers(other)}."


def numbers(value: Numbers | str | None) -> str:
    """Return what is printed or found as Markdown: text letter by letter, of many numbers the first."""
    if value is None:
        return "–"
    return formulas(value) if isinstance(value, str) else told(value)
