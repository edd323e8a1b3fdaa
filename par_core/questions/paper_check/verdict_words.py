"""What verdicts and numbers of the catalogue are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from par_core.claims import NEEDS_DATA, NOT_REPRODUCIBLE, REPRODUCED, REPRODUCED_BY_CONVENTION, Claim, Verdict
from par_core.claims.catalogue import Numbers, Outcome
from par_core.claims.error_severity import Gravity
from par_core.export.sentences import Letters, Tag
from par_core.figures.paper_check import OUTCOMES, indexed, told
from par_core.questions.blocks import Words

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


def text(of_catalogue: str) -> Letters:
    """Return a text of the catalogue, with indices."""
    return Letters(indexed(of_catalogue))


def cell(words: str, claim: str = "") -> Words:
    """Return a text of ours or of the catalogue for a cell, letter by letter, which leads to a claim, if there is one."""
    return Words("{words}", words=Letters(words), claims=(claim,) if claim else None)


def tag(verdict: Verdict, *, leads: bool = False) -> Tag:
    """Return the verdict in a word, which leads to the claim where it stands elsewhere."""
    return Tag(OUTCOMES[verdict.verdict], verdict.claim.id if leads else "")


def place(claim: Claim) -> str:
    """Return where a claim stands, without its numbers in the other versions, beginning with a capital letter."""
    where = re.sub(r" \([^()]*\)$", "", claim.where)
    return where[0].upper() + where[1:]


def became(verdict: Verdict, grave: Gravity | None) -> str:
    """Return what became of a claim in a few words, to follow its name."""
    return _FAILS[grave] if grave else _HOLDS[verdict.verdict]


def falls(names: Sequence[str]) -> str:
    """Return with what a claim falls that is not refuted itself; empty where it falls with nothing."""
    return f"Falls with {', '.join(names)}" if names else ""


def compared(verdict: Verdict) -> Letters:
    """Return the comparison that decided, with its numbers, as a sentence; or why there is none."""
    rule = verdict.rule
    if rule is None:
        return text(f"{verdict.reason[0].upper()}{verdict.reason[1:]}.")
    found = {"exact": verdict.exact, "recomputed": verdict.recomputed, "published": verdict.published}
    claimed = rule.other
    tested = f"{_TESTED[rule.tested]} {numbers(found[rule.tested])}"
    says, other = (_OTHER[claimed], found[claimed]) if isinstance(claimed, str) else (_IMPLIED, claimed)
    how = "" if claimed == "published" else _RELATIONS.get(rule.relation, "")
    return Letters(f"{tested}; {says}{how} {numbers(other)}.")


def numbers(value: Numbers | str | None) -> str:
    """Return what is printed or found: a text with indices, of many numbers the first."""
    if value is None:
        return "–"
    return indexed(value) if isinstance(value, str) else told(value)
