"""Empirical audit: whether a query that already exists leaks anyone, and who; from repeated databases."""

from __future__ import annotations

from pages.empirical_audit import (
    current_audit,
    databases,
    exposure,
    noise,
    noise_fields,
    other_densities,
    panel_fields,
    query_fields,
)
from pages.shared import sections
from pages.shared.sections import Section

QUESTION = (
    "You have published the same number from repeated databases, without noise: days, years, sites, samples. Does it give anyone "
    "away?"
)
OF_SCENARIO = False  # what is audited here carries no noise

SECTIONS = (
    Section("exposed", "Who is exposed?", exposure.draw),
    Section("databases", "The databases", databases.draw),
    Section("other", "Other densities", other_densities.draw),
    Section("noise", "Add noise", noise.draw),
)
TAB = sections.setting("empirical_audit", SECTIONS)
SETTINGS = (
    TAB,
    *panel_fields.SETTINGS,
    *query_fields.SETTINGS,
    *current_audit.SETTINGS,
    *exposure.SETTINGS,
    *noise_fields.SETTINGS,
)


def show() -> None:
    """Draw the page."""
    sections.show(SECTIONS, TAB)
