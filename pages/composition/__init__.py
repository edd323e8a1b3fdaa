"""Composition: how privacy wears out over many releases, by every accountant, over the exact truth."""

from pages.composition import accountants, budget_left, how_many_releases, mixed_releases, votes
from pages.shared.page import Page, Section
from pages.shared.settings import present_scenario

_NUMBERS = {"numbers_at": accountants.choose_numbers}
_VOTES = {"epsilon": votes.EPSILON, "drawn_epsilon0": votes.EPSILON0}
_EACH, _TARGET = {"drawn_epsilon0": accountants.EPSILON0}, {"target": how_many_releases.TARGET}

PAGE = Page(
    "composition",
    "How much privacy do many releases about the same people spend?",
    (
        Section("accountants", "Accountants · fig. 5", ask=accountants.ask, fields=_EACH, dial="each ε₀", own=_NUMBERS),
        Section(
            "plan",
            "How many releases can I make?",
            ask=how_many_releases.ask,
            scenario=present_scenario,
            fields=_TARGET,
            dial="ε′",
        ),
        Section(
            "mixed", "Mixed releases", ask=mixed_releases.ask, scenario=present_scenario, dial="ε′", of_scenario=False
        ),
        Section("left", "Budget left", ask=budget_left.ask, scenario=present_scenario, fields=_TARGET, dial="ε′"),
        Section("votes", "Votes · table 1", ask=votes.ask, fields=_VOTES, dial="ε"),
    ),
)
