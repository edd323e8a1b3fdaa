"""How grave it is that a claim fails, from its numbers: a slip in the last digits, or a promise to people that is not kept."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from par_core.claims.catalogue import Verdict, misses
from par_core.parameters import check_type

Gravity = Literal[
    "last digits",
    "wrong number",
    "false statement on the safe side",
    "false statement",
    "false statement that flatters",
]

GRAVITIES: Final[dict[Gravity, str]] = {
    "last digits": "The paper's own arithmetic, done again, gives the printed number but for less than 2 % of it. "
    "Whoever uses the number decides as they would with the right one.",
    "wrong number": "The paper's own arithmetic, done again, gives another number than the printed one. "
    "Whoever copies the number works with a wrong one.",
    "false statement on the safe side": "What is claimed is false, and people are better off than it says. "
    "Whoever relies on it harms nobody, but may add noise or pay where there is no need.",
    "false statement": "What is claimed is false, and neither side of it is worse for people. "
    "Whoever builds on it draws a wrong conclusion.",
    "false statement that flatters": "What is claimed is false, and people are worse off than it says. "
    "Whoever relies on it promises people more than they get.",
}
"""Every gravity with what it means and what a user would do wrong, the lightest first."""

# Nobody decides otherwise for less: 2 % of a level, a budget or a number of samples is far below what tells two choices apart
# (levels are chosen from 0.1, 0.2, 0.5, 1), and far above what rounding does to a number of three digits.
_LAST_DIGITS = 0.02


def gravity(verdict: Verdict) -> Gravity | None:
    """Return how grave the failure of a refuted claim is; None for a claim that is not refuted.

    Where the paper prints a number and its own arithmetic gives another, the distance decides. Any other claim is a statement:
    the side on which the tested number lies and `Claim.more` decide. Of several numbers that fail the worst decides.

    >>> from par_core.claims import check
    >>> gravity(check("par-illustration-saving")), gravity(check("lecture-laplace-example")), gravity(check("par-theorem-1"))
    ('last digits', 'wrong number', None)
    """
    check_type("verdict", verdict, Verdict)
    claim, rule, failed = verdict.claim, verdict.rule, misses(verdict)
    if rule is None or not verdict.refuted:
        return None
    tested, other = failed.T
    is_number = rule.relation in ("equal to", "rounded or cut off to") and not isinstance(claim.published, str)
    if is_number and rule.tested == "recomputed" and rule.other == "published":
        return "last digits" if (np.abs(tested - other) < _LAST_DIGITS * np.abs(other)).all() else "wrong number"
    if claim.more == "neither":
        return "false statement"
    # "above" fails at the very number too, and within rounding of it: what should be more is not.
    larger = (tested > other) & (rule.relation != "above")
    worse = larger if claim.more == "worse" else ~larger
    return "false statement that flatters" if worse.any() else "false statement on the safe side"
