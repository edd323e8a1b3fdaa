"""What can be asked, and how the answer is told: one question for each section of a page.

>>> from par_core.questions import RiskByDimension
>>> from par_core.scenario import Scenario
>>> sorted(RiskByDimension(Scenario(epsilon0=1.0), epsilon=0.4).answer().numbers())
['exact_risk', 'published_risk']
"""

import warnings
from importlib import import_module
from typing import Any

from par_core.public_names import listed

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
    "HowManyReleases": "composition.how_many_releases",
    "RepeatedPlan": "composition.repeated_plan",
    "MixedReleases": "composition.mixed_releases",
    "BudgetLeft": "composition.budget_left",
    "Votes": "composition.pate_votes",
    "HowFarOff": "your_table.how_far_off",
    "YourPlan": "your_table.your_plan",
    "Epsilon0ForError": "your_table.epsilon0_for_error",
    "BudgetForBreach": "budget_minimiser.budget",
    "ClaimedSaving": "budget_minimiser.claimed_saving",
    "AffordableLevels": "budget_minimiser.affordable",
    "WhatMovesBudget": "budget_minimiser.what_moves",
    "ComparedBudgets": "budget_minimiser.compared",
    "SyntheticCounts": "your_table.synthetic_counts",
    "HowManySamples": "sample_planner.how_many",
    "SampledSensitivity": "sample_planner.sampled",
    "BothSources": "sample_planner.both_sources",
    "RegressionError": "sample_planner.accuracy",
    "WhichEpsilon0": "decide.which_epsilon0",
    "OddsIn100": "decide.odds_in_100",
    "Duties": "decide.duties",
    "PublicLabel": "decide.public_label",
    "ListedClaims": "paper_check.listed_claims",
    "OpenedClaim": "paper_check.opened_claim",
    "TheoremMap": "paper_check.theorem_map",
    "Numbering": "paper_check.numbering",
    "WhoIsExposed": "empirical_audit.exposure",
    "EachDatabase": "empirical_audit.each_database",
    "OtherDensities": "empirical_audit.other_densities",
    "WhatTheyKnow": "empirical_audit.adversary",
    "TwoAnswers": "empirical_audit.joint",
    "OneAnswerAttack": "empirical_audit.attack",
    "NoiseWanted": "empirical_audit.noise",
    "OverlapAndProcessing": "explicit_risk.overlap_and_processing",
    "Overview": "overview.cards",
    "TwoWorlds": "mechanism_lab.two_worlds",
    "WatchItRun": "mechanism_lab.watch_it_run",
    "HowFarItMoves": "mechanism_lab.sensitivity",
    "Coins": "mechanism_lab.coins",
    "ChooseOne": "mechanism_lab.choose_one",
    "WhichMechanism": "mechanism_lab.which_mechanism",
    "LossByLoss": "mechanism_lab.loss_walk",
    "OnlyASample": "mechanism_lab.only_a_sample",
    "AGroup": "mechanism_lab.a_group",
    "BestOfRuns": "mechanism_lab.best_of_runs",
    "WhyTheProofFails": "mechanism_lab.why_the_proof_fails",
    "PublishedRecords": "mechanism_lab.traps",
    "InventedPeople": "mechanism_lab.traps",
    "FloatNoise": "mechanism_lab.traps",
    "PrivateAverage": "mechanism_lab.traps",
    "RefuteDrawn": "mechanism_lab.refute_claim",
    "RefuteOutputs": "mechanism_lab.refute_claim",
    "QuizQuestion": "mechanism_lab.quiz",
}
OLD_NAMES = {
    "MadeUpCounts": "SyntheticCounts",
    "ReleasePlan": "HowManyReleases",
}  # as notebooks of the version before have them
__all__ = sorted(_HOME)  # a list
__dir__ = listed(__all__)


def __getattr__(name: str) -> Any:
    """Load a question when it is asked for: the first page needs none of another page."""
    if name in OLD_NAMES:
        warnings.warn(f"{name} is now {OLD_NAMES[name]}", DeprecationWarning, stacklevel=2)
        name = OLD_NAMES[name]
    if name not in _HOME:
        raise AttributeError(f"there is no question {name!r}")
    return getattr(import_module(f"par_core.questions.{_HOME[name]}"), name)
