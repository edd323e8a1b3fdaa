"""Empirical audit: whether a query that already exists leaks anyone, and who; from repeated databases."""

from __future__ import annotations

from pages.empirical_audit import (
    adversary,
    attack,
    databases,
    exposure,
    joint,
    noise,
    notebook_cells,
    other_densities,
)
from pages.shared.page import Page, Section

PAGE = Page(
    "empirical_audit",
    "Does a number published from repeated databases without noise give anyone away?",
    (
        Section("exposed", "Who is exposed?", exposure.draw, dial="ε", cells=notebook_cells.exposed),
        Section("databases", "The databases", databases.draw, cells=notebook_cells.databases),
        Section("other", "Other densities", other_densities.draw, dial="ε", cells=notebook_cells.other_densities),
        Section("adversary", "What they know", adversary.draw, dial="ε", cells=notebook_cells.adversary),
        Section("joint", "Two answers", joint.draw, dial="ε", cells=notebook_cells.joint),
        Section("attack", "An attack", attack.draw, dial="ε", cells=notebook_cells.attack),
        Section("noise", "Add noise", noise.draw, dial="ε", cells=notebook_cells.noise),
    ),
    stops=("exposed", "other", "noise"),  # the databases show exact answers, which are for one pair of eyes
    of_scenario=False,  # what is audited here carries no noise
)
