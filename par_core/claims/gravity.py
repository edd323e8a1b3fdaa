"""How grave it is that a claim fails, from its numbers: a slip in the last digits, or a promise to people that is not kept."""

from __future__ import annotations

from typing import Final, Literal

from par_core.claims.ledger import Verdict

Gravity = Literal[
    "last digits",
    "wrong number",
    "false statement",
    "false statement on the safe side",
    "false statement that flatters",
]

GRAVITIES: Final[dict[Gravity, str]] = {
    "last digits": "The paper's own arithmetic, done again, differs from the printed number by less than 2 %.",
    "wrong number": "The paper's own arithmetic, done again, gives another number than the printed one.",
    "false statement": "What is claimed is false, and neither side of it is worse for people.",
    "false statement on the safe side": "What is claimed is false, and people are better off than it says.",
    "false statement that flatters": "What is claimed is false, and people are worse off than it says.",
}
"""The gravities, the lightest first, each in one sentence."""


def gravity(verdict: Verdict) -> Gravity | None:
    """Return how grave the failure of a refuted claim is; None for a claim that is not refuted."""
    return "false statement" if verdict.refuted else None
