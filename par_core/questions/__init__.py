"""What can be asked, and how the answer is told: one question for each section of a page.

>>> from par_core.questions import RiskByDimension
>>> from par_core.scenario import Scenario
>>> sorted(RiskByDimension(Scenario(epsilon0=1.0), epsilon=0.4).answer().numbers())
['exact_risk', 'published_risk']
"""

from importlib import import_module
from typing import Any

_HOME = {
    "RiskByDimension": "explicit_risk.risk_curves",
    "RiskByLevel": "explicit_risk.risk_curves",
    "LossOfMechanism": "explicit_risk.any_mechanism",
    "LossByLevel": "explicit_risk.any_mechanism",
    "Calibrated": "explicit_risk.calibration",
    "ClaimAndTruth": "explicit_risk.claim_and_truth",
    "SimulatedLosses": "explicit_risk.claim_and_truth",
    "KnownChange": "explicit_risk.known_change",
    "AttackerGains": "explicit_risk.attacker_gains",
    "Accountants": "composition.accountants",
    "ReleasePlan": "composition.release_plan",
    "MixedReleases": "composition.mixed_releases",
    "Votes": "composition.votes",
    "HowFarOff": "your_table.how_far_off",
    "Epsilon0ForError": "your_table.epsilon0_for_error",
    "MadeUpCounts": "your_table.made_up_counts",
    "WhoIsExposed": "empirical_audit.exposure",
    "EachDatabase": "empirical_audit.each_database",
    "OtherDensities": "empirical_audit.other_densities",
    "WhatTheyKnow": "empirical_audit.adversary",
    "TwoAnswers": "empirical_audit.joint",
    "OneAnswerAttack": "empirical_audit.attack",
    "NoiseWanted": "empirical_audit.noise",
    "OverlapAndProcessing": "explicit_risk.overlap_and_processing",
}
__all__ = sorted(_HOME)  # a list


def __getattr__(name: str) -> Any:
    """Load a question when it is asked for: the first page needs none of another page."""
    if name not in _HOME:
        raise AttributeError(f"there is no question {name!r}")
    return getattr(import_module(f"par_core.questions.{_HOME[name]}"), name)
