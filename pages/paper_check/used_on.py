"""On which pages a claim of the catalogue is used: where its number or its figure is shown beside the truth."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pages.shared.navigation import PageInfo
from pages.shared.printed_figures import FIGURES
from par_core.claims.catalogue import Claim, Paper

USED: Final[dict[str, dict[str, str]]] = {
    "par-theorem-4": {
        "explicit_risk": "dimension",
        "budget_minimiser": "budget",
        "sample_planner": "accuracy",
        "mechanism_lab": "proof",
    },
    "par-equation-11-range": {"budget_minimiser": "afford"},
    "par-figure-5-holds": {"composition": "accountants"},
    "par-theorem-3-with-theorem-4": {"composition": "accountants"},
    "par-preprint-theorem-9-with-theorem-4": {"composition": "plan"},
    "par-corollary-1-with-theorem-4": {"composition": "mixed"},
    "par-table-1-mixture": {"composition": "votes"},
    "par-table-1-script": {"composition": "votes"},
    "par-table-1-theorem-3": {"composition": "votes"},
    "par-theorem-5": {"sample_planner": "samples"},
    "par-theorem-6": {"sample_planner": "both"},
    "edp-total-risk": {"empirical_audit": "exposed"},
    "edp-composition-joint": {"empirical_audit": "joint"},
    "edp-failure-probability": {"empirical_audit": "attack"},
    "edp-proposition-1": {"empirical_audit": "noise"},
}
"""Of each claim the pages that show its badge when they are opened, with the first such section; without the overview."""

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
    return [
        *(Place(drawn[each][0], dict(drawn[each][1]), f"Figure {each}, redrawn") for each in numbers),
        *(Place(module, {"tab": slug}, PageInfo(module).title) for module, slug in USED.get(claim.id, {}).items()),
    ]
