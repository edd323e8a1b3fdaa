"""What can be afforded: the budget, the accuracy, and what a breach costs."""

from pages.budget_minimiser import cost_controls
from pages.shared import controls, settings
from par_core.questions.budget_minimiser.affordable import AffordableLevels
from par_core.questions.budget_minimiser.breach import NAMES
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

BUDGET = settings.number("bud", NAMES["budget"], AffordableLevels.budget, at_least=0, at_most=1e24)
ERROR = settings.number("err", NAMES["largest_error"], AffordableLevels.largest_error, at_least=1e-9, at_most=1e12)


def ask(scenario: Scenario) -> AffordableLevels:
    budget = controls.number(BUDGET, hint=explain("money_there_is"), step=1000.0)
    error = controls.number(ERROR, hint=explain("largest_error"), step=0.5)
    return AffordableLevels(scenario, **cost_controls.draw(), budget=budget, largest_error=error)
