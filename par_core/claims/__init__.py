"""The catalogue: every published claim, how it is recomputed, what came out, and its verdict.

One file for each part of a paper, which its first line names with the figures, holds its entries in a tuple `CLAIMS` and is
named in `_PARTS`. What brings pandas (tables, the audit, data) comes from `late`, so that importing the catalogue stays light.
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import chain
from typing import Final

from par_core.claims import (
    edp_definitions,
    edp_noise,
    edp_precipitation,
    edp_proofs,
    edp_total_risk,
    lecture_belief,
    lecture_choice,
    lecture_noise,
    lecture_response,
    par_cost,
    par_definitions,
    par_moment_accountant,
    par_theorem_3_composition,
    par_theorem_4_explicit,
    par_theorem_5_implicit,
    par_utility,
)
from par_core.claims.catalogue import (
    NEEDS_DATA,
    NOT_REPRODUCIBLE,
    REFUTED,
    REPRODUCED,
    REPRODUCED_BY_CONVENTION,
    Claim,
    Verdict,
)
from par_core.claims.catalogue import decide as _decide
from par_core.errors import ParameterError
from par_core.progress import Progress, portion
from par_core.public_names import listed

__all__ = [
    "CLAIMS",
    "NEEDS_DATA",
    "NOT_REPRODUCIBLE",
    "REFUTED",
    "REPRODUCED",
    "REPRODUCED_BY_CONVENTION",
    "Claim",
    "Verdict",
    "check",
    "check_all",
]
__dir__ = listed(__all__)

_PARTS = (
    par_definitions,
    par_theorem_4_explicit,
    par_theorem_5_implicit,
    par_cost,
    par_theorem_3_composition,
    par_moment_accountant,
    par_utility,
    edp_definitions,
    edp_total_risk,
    edp_noise,
    edp_precipitation,
    edp_proofs,
    lecture_belief,
    lecture_response,
    lecture_noise,
    lecture_choice,
)

CLAIMS: Final[tuple[Claim, ...]] = tuple(chain.from_iterable(part.CLAIMS for part in _PARTS))
"""All claims, in the order of the papers and their sections."""

_BY_ID: Final = {claim.id: claim for claim in CLAIMS}


def check(claim: Claim | str) -> Verdict:
    """Recompute a claim, given as an entry or by its id in the catalogue, and say what became of it.

    Raises ParameterError if no claim bears the id.

    >>> verdict = check("par-theorem-4")
    >>> verdict.verdict, round(verdict.recomputed, 3), round(verdict.exact, 3)
    ('refuted', 0.378, 0.847)
    """
    if isinstance(claim, Claim):
        return _decide(claim)
    if isinstance(claim, str) and claim in _BY_ID:
        return _decide(_BY_ID[claim])
    near = get_close_matches(claim, _BY_ID, n=1) if isinstance(claim, str) else []
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise ParameterError(f"claim must be a Claim or the id of one in the catalogue, got {claim!r}{hint}")


def check_all(*, progress: Progress | None = None) -> tuple[Verdict, ...]:
    """Recompute the whole catalogue; the verdicts, in its order. It takes seconds."""
    tell = portion(progress)
    found = []
    for done, claim in enumerate(CLAIMS, start=1):
        found.append(_decide(claim))
        tell(done / len(CLAIMS))
    return tuple(found)
