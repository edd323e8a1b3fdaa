"""The section "Decide": the wishes, and which ε₀ they ask for."""

from __future__ import annotations

from pages.shared import controls, plan, wish_fields
from pages.shared.settings import MINE
from par_core.questions.decide.which_epsilon0 import WhichEpsilon0
from par_core.scenario import Scenario


def ask(scenario: Scenario) -> WhichEpsilon0:
    wish_fields.draw()
    examples = {"wishes": wish_fields.are_examples(), "releases": not plan.is_planned()}
    if any(examples.values()):
        named = ["these wishes"] * examples["wishes"] + [f"the {scenario.releases:,} releases"] * examples["releases"]
        said, own = " and ".join(named), {*MINE.value(), *(name for name, is_one in examples.items() if is_one)}
        hint = "Then it no longer counts as an example, here and in reports."
        controls.button(f"{said[0].upper()}{said[1:]} are mine", MINE.put, sorted(own), hint=hint)
    return WhichEpsilon0(scenario, wish_fields.made(), planned=plan.is_planned())
