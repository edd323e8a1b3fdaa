"""Paper check: what the papers claim, what a recomputation finds of it, and what rests on what."""

from pages.paper_check import claims, notebook_cells, numbering, theorem_map
from pages.shared.page import Page, Section

PAGE = Page(
    "paper_check",
    "Is it true what the papers say?",
    (
        Section("claims", "Claims", claims.draw, cells=notebook_cells.claims),
        Section("map", "What rests on what", theorem_map.draw, cells=notebook_cells.theorem_map),
        Section("numbering", "Numbering", numbering.draw, cells=notebook_cells.numbering),
    ),
    stops=("claims",),  # a map of all theorems and a table are to be read, not to be shown
    of_scenario=False,  # a claim is about its own numbers
)
