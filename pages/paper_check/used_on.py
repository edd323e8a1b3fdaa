"""On which pages a claim of the ledger is used: where its number or its figure is shown beside the truth."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pages.shared.navigation import PageInfo
from pages.shared.printed_figures import FIGURES
from par_core.claims.ledger import Claim, Paper

SHOWN: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "explicit_risk": {
        "dimension": ("par-theorem-4",),
        "level": ("par-theorem-4",),
        "calibrate": ("par-theorem-4",),
        "truth": ("par-theorem-4",),
    },
    "budget_minimiser": {
        "budget": ("par-theorem-4",),
        "truth": ("par-theorem-4",),
        "afford": ("par-equation-11-range", "par-theorem-4"),
        "moves": ("par-theorem-4",),
    },
    "composition": {
        "accountants": ("par-figure-5-holds", "par-theorem-3-with-theorem-4"),
        "plan": ("par-figure-5-holds", "par-preprint-theorem-9-with-theorem-4", "par-theorem-3-with-theorem-4"),
        "mixed": ("par-corollary-1-with-theorem-4",),
        "votes": ("par-table-1-mixture", "par-table-1-script", "par-table-1-theorem-3"),
    },
    "sample_planner": {
        "samples": ("par-theorem-5",),
        "sampled": ("par-theorem-5",),
        "both": ("par-theorem-5", "par-theorem-6"),
        "accuracy": ("par-theorem-4",),
    },
    "empirical_audit": {
        "exposed": ("edp-total-risk",),
        "joint": ("edp-composition-joint",),
        "attack": ("edp-failure-probability",),
        "noise": ("edp-proposition-1",),
    },
    "mechanism_lab": {"proof": ("par-theorem-4",)},
}
"""By page and section: the claims whose badges stand there when it is opened. The overview, which shows a little of each, is left out."""

_PRINTED: Final = {Paper.FINAL: "Privacy at Risk", Paper.EMPIRICAL: "Empirical Differential Privacy"}


class Place(NamedTuple):
    """A page and what of its address shows the claim, with the words of the link."""

    module: str
    address: dict[str, str]
    words: str


def places(claim: Claim) -> list[Place]:
    """Return where a claim is used: the figure that it is about, redrawn, and of each page the first section that shows it."""
    drawn = FIGURES.get(_PRINTED.get(claim.paper, ""), {})
    numbers = [each for each in re.findall(r"^Figure (\d\w?)\b", claim.where) if each in drawn]
    first = {
        module: next((slug for slug, claims in sections.items() if claim.id in claims), None)
        for module, sections in SHOWN.items()
    }
    return [
        *(Place(drawn[each][0], dict(drawn[each][1]), f"Figure {each}, redrawn") for each in numbers),
        *(Place(module, {"tab": slug}, PageInfo(module).title) for module, slug in first.items() if slug),
    ]
