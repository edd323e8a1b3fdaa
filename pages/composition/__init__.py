"""Composition: how privacy wears out over many releases, by every accountant, over the exact truth."""

from pages.composition import accountants, mixed_releases, release_plans
from pages.shared.page import Page, Section

PAGE = Page(
    "composition",
    "How much privacy do many releases about the same people spend?",
    (
        Section("accountants", "Accountants · fig. 5", accountants.draw, dial="each ε₀"),
        Section("plan", "How many releases can I make?", release_plans.draw, dial="ε′"),
        Section("mixed", "Mixed releases", mixed_releases.draw, dial="ε′", of_scenario=False),
    ),
)
