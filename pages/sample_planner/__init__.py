"""Sample planner: the sensitivity of a query is not known, so it is sampled; what that is worth and what it costs."""

from __future__ import annotations

from functools import partial

from pages.sample_planner import accuracy, both_sources, how_many, ridge_fields, sampled, tables
from pages.shared import sections
from pages.shared.sections import Section

QUESTION = (
    "How far can one person's data move your query? If nobody can say, it can be sampled. Here is how far such a sample can "
    "be trusted."
)

SAYS_ACCURACY = True  # of a query of its own, not of the scenario's

_BOTH = "Both sources"


def _open_both() -> None:
    TAB.put(_BOTH)


SECTIONS = (
    Section("samples", "How many samples?", how_many.draw),
    Section("sampled", "Sampled sensitivity", partial(sampled.draw, _open_both)),
    Section("both", _BOTH, both_sources.draw),
    Section("accuracy", "What it does to accuracy", accuracy.draw),
)
TAB = sections.setting("sample_planner", SECTIONS)
SETTINGS = (
    TAB,
    *how_many.SETTINGS,
    *tables.SETTINGS,
    *sampled.SETTINGS,
    *ridge_fields.SETTINGS,
    *both_sources.SETTINGS,
    *accuracy.SETTINGS,
)


def show() -> None:
    """Draw the page."""
    sections.show(SECTIONS, TAB)
