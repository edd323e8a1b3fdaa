"""Claimed and real: what a breach costs."""

from pages.budget_minimiser import cost_controls
from par_core.questions.budget_minimiser.claimed_saving import ClaimedSaving
from par_core.scenario import Scenario


def ask(scenario: Scenario) -> ClaimedSaving:
    return ClaimedSaving(scenario, **cost_controls.draw())
