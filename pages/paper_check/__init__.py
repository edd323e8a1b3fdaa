"""Paper check: what the papers claim, what a recomputation finds of it, and what rests on what."""

from typing import Any

from pages.paper_check import claims, numbering, opened_claim, own_numbers, theorem_map
from pages.shared.page import Page, Section

_OWN: dict[str, Any] = {
    "catalogue": claims.draw_catalogue,
    "citation": opened_claim.draw_citation,
    "used": opened_claim.draw_used,
}
_CLAIMS: dict[str, Any] = {"most": claims.ROWS, "own": own_numbers.OWN}

PAGE = Page(
    "paper_check",
    "Is it true what the papers say?",
    (
        Section(
            "claims",
            "Claims",
            about=opened_claim.choose,
            ask=claims.ask,
            fields=_CLAIMS,
            own=_OWN,
            clicks={"verdicts_by_paper": claims.clicked},
        ),
        Section(
            "map",
            "What rests on what",
            ask=theorem_map.ask,
            clicks={"theorem_map": theorem_map.clicked},
            has_controls=False,
        ),
        Section("numbering", "Numbering", ask=numbering.ask, fields={"most": numbering.ROWS}, has_controls=False),
    ),
    stops=("claims",),  # a map of all theorems and a table are to be read, not to be shown
    of_scenario=False,  # a claim is about its own numbers
)
