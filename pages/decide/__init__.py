"""Decide: from what the reader can accept to the ε₀ that it takes, and what that gives away in plain numbers."""

from pages.decide import odds_in_100, which_epsilon0
from pages.shared.page import Page, Section

PAGE = Page(
    "decide",
    "Which ε₀ should I take?",
    (
        Section("decide", "Decide", which_epsilon0.draw),
        Section("odds", "Odds in 100", odds_in_100.draw),
    ),
)
