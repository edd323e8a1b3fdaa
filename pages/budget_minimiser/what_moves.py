"""What moves the answer: by how much each input is moved, and what a breach costs."""

from pages.budget_minimiser import cost_controls
from pages.shared import controls, settings
from par_core.questions.budget_minimiser.breach import NAMES
from par_core.questions.budget_minimiser.what_moves import WhatMovesBudget
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

MOVED = settings.number("pct", NAMES["percent"], WhatMovesBudget.percent, at_least=0.1, at_most=90)


def ask(scenario: Scenario) -> WhatMovesBudget:
    percent = controls.number(MOVED, hint=explain("moved"), step=5.0)
    return WhatMovesBudget(scenario, **cost_controls.draw(), percent=percent)
