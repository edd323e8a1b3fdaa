"""Empirical audit: whether a query that already exists leaks anyone, and who; from repeated databases."""

from __future__ import annotations

from pages.empirical_audit import databases, exposure, noise, other_densities
from pages.shared.page import Page, Section

PAGE = Page(
    "empirical_audit",
    "Does a number published from repeated databases without noise give anyone away?",
    (
        Section("exposed", "Who is exposed?", exposure.draw, dial="ε"),
        Section("databases", "The databases", databases.draw),
        Section("other", "Other densities", other_densities.draw, dial="ε"),
        Section("noise", "Add noise", noise.draw, dial="ε"),
    ),
    stops=("exposed", "other", "noise"),  # the databases show exact answers, which are for one pair of eyes
    of_scenario=False,  # what is audited here carries no noise
)
