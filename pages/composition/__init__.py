"""Composition: how privacy wears out over many releases, by every accountant, over the exact truth."""

from pages.composition import accountants, mixed_releases, notebook_cells, release_plans, votes
from pages.shared.page import Page, Section

PAGE = Page(
    "composition",
    "How much privacy do many releases about the same people spend?",
    (
        Section(
            "accountants", "Accountants · fig. 5", accountants.draw, dial="each ε₀", cells=notebook_cells.accountants
        ),
        Section("plan", "How many releases can I make?", release_plans.draw, dial="ε′", cells=notebook_cells.plan),
        Section(
            "mixed", "Mixed releases", mixed_releases.draw, dial="ε′", of_scenario=False, cells=notebook_cells.mixed
        ),
        Section("votes", "Votes · table 1", votes.draw, dial="ε", cells=notebook_cells.votes),
    ),
)
