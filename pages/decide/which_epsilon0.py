"""The section "Decide": the wishes, and which ε₀ they ask for."""

from __future__ import annotations

from pages.shared import plan, wish_fields
from par_core.questions.decide.which_epsilon0 import WhichEpsilon0
from par_core.scenario import Scenario


def ask(scenario: Scenario) -> WhichEpsilon0:
    wish_fields.draw()
    return WhichEpsilon0(scenario, wish_fields.made(), planned=plan.is_planned())
