"""Decide: from what the reader can accept to the ε₀ that it takes, what that gives away, and what reviewers and everybody are told."""

from pages.decide import duties, odds_in_100, public_label, which_epsilon0
from pages.shared import wish_fields
from pages.shared.page import Page, Section
from pages.shared.settings import present_scenario

_OWN = {"duties": duties.draw_list}

PAGE = Page(
    "decide",
    "Which ε₀ should I take?",
    (
        Section("decide", "Decide", ask=which_epsilon0.ask, scenario=present_scenario, fields=wish_fields.dials),
        Section("odds", "Odds in 100", ask=odds_in_100.ask, scenario=present_scenario),
        Section("duties", "Duties", ask=duties.ask, scenario=present_scenario, has_controls=False, own=_OWN),
        Section("public", "For the public", ask=public_label.ask, scenario=present_scenario),
    ),
    also=wish_fields.LINKED,
    stops=("decide", "odds"),  # a list to tick is no picture for a talk
)
