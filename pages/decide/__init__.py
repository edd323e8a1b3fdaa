"""Decide: from what the reader can accept to the ε₀ that it takes, what that gives away in plain numbers, and what a reviewer asks."""

from pages.decide import duties, notebook_cells, odds_in_100, which_epsilon0
from pages.shared import wish_fields
from pages.shared.page import Page, Section

PAGE = Page(
    "decide",
    "Which ε₀ should I take?",
    (
        Section("decide", "Decide", which_epsilon0.draw, cells=notebook_cells.decision),
        Section("odds", "Odds in 100", odds_in_100.draw, cells=notebook_cells.odds),
        Section("duties", "Duties", duties.draw, cells=notebook_cells.duties),
    ),
    also=wish_fields.SETTINGS,
    stops=("decide", "odds"),  # a list to tick is no picture for a talk
)
