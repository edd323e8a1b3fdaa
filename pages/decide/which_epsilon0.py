"""The section "Decide": the wishes, and which ε₀ they ask for."""

from __future__ import annotations

from pages.shared import controls, plan, wish_fields
from par_core.questions.decide.which_epsilon0 import WhichEpsilon0
from par_core.scenario import Scenario


def ask(scenario: Scenario) -> WhichEpsilon0:
    wish_fields.draw()
    if wish_fields.are_examples():
        also = "" if plan.is_planned() else f" and the {scenario.releases:,} releases"
        hint = "Then they no longer count as examples, here and in reports."
        controls.button(f"These wishes{also} are mine", wish_fields.MINE.put, True, hint=hint)
    return WhichEpsilon0(scenario, wish_fields.made(), planned=plan.is_planned())
