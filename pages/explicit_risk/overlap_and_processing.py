"""Overlap and processing: the threshold of which only the side is published."""

from pages.explicit_risk.risk_settings import EPSILON, choose_epsilon
from pages.shared import controls, settings
from par_core.questions.explicit_risk.overlap_and_processing import OverlapAndProcessing
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

THRESHOLD = settings.number("th", "Threshold", 0.5, at_least=-1e6, at_most=1e6)


def ask(scenario: Scenario) -> OverlapAndProcessing:
    epsilon = choose_epsilon()
    threshold = controls.number(THRESHOLD, hint=explain("threshold"), step=0.1)
    hint = "Sets ε₀ = 1, ε = 0.8 and the threshold 0.5."
    controls.button("The example with ε₀ = 1", _put_example, hint=hint)
    return OverlapAndProcessing(scenario, epsilon, threshold)


def _put_example() -> None:
    settings.drop_plan()
    settings.put_all({EPSILON: 0.8, THRESHOLD: 0.5, settings.scenario_setting("epsilon0"): 1.0})
