"""Your table: from a private table to a plan that can be published, and the code that publishes by it."""

from __future__ import annotations

from pages.shared import sections
from pages.shared.sections import Section
from pages.your_table import epsilon0_for_error, how_far_off, query_settings

QUESTION = "You hold a table of persons and have to publish numbers from it. How far off will they be?"
SAYS_ACCURACY = True  # the sentence under the title leaves it out: it would speak of the scenario's own query

SECTIONS = (
    Section("plan", "How far off", how_far_off.draw),
    Section("wanted", "ε₀ for a wanted error", epsilon0_for_error.draw),
)
TAB = sections.setting("your_table", SECTIONS)
SETTINGS = (TAB, *query_settings.SETTINGS, epsilon0_for_error.WANTED, epsilon0_for_error.MEASURE)


def show() -> None:
    """Draw the page."""
    sections.show(SECTIONS, TAB)
