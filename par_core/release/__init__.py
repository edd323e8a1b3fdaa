"""What a release with noise will be like: its error, the epsilon for a wanted error, and shares of epsilon.

Planning needs no data: except where a function takes true values, nothing here is private.

>>> round(epsilon_for_error(6.0, 1.0, measure="range95"), 4)
0.4993
"""

import sys
from typing import TYPE_CHECKING

from par_core.old_names import by_old_name, old_module
from par_core.public_names import listed
from par_core.release.comparison import NoiseComparison, compare_noise
from par_core.release.curves import ErrorCurves, Within, cells, error_curves, noun_of, within
from par_core.release.epsilon0_for_error import epsilon0_for_release
from par_core.release.error import Measure, ReleaseError, epsilon_for_error, error_of, release_error
from par_core.release.planned_release import (
    PlannedPart,
    PlannedRelease,
    epsilon_for_query,
    plan_release,
    plan_release_of,
)
from par_core.release.post_processing import ProcessedError, ShareWithin, processed_error, share_within
from par_core.release.quantile_law import QuantileWithin, quantile_within
from par_core.release.quotient import QuotientError, quotient_error
from par_core.release.rank_error import RankError, rank_error
from par_core.release.scenario_of_plan import scenario_of
from par_core.release.splitting import Split, split_by_weight, split_evenly
from par_core.release.synthetic import SyntheticRelease, epsilon0_for_smallest, synthetic_counts

__all__ = [
    "ErrorCurves",
    "Measure",
    "NoiseComparison",
    "PlannedPart",
    "PlannedRelease",
    "ProcessedError",
    "QuantileWithin",
    "QuotientError",
    "RankError",
    "ReleaseError",
    "ShareWithin",
    "Split",
    "SyntheticRelease",
    "Within",
    "cells",
    "compare_noise",
    "epsilon0_for_release",
    "epsilon0_for_smallest",
    "epsilon_for_error",
    "epsilon_for_query",
    "error_curves",
    "error_of",
    "noun_of",
    "plan_release",
    "plan_release_of",
    "processed_error",
    "quantile_within",
    "quotient_error",
    "rank_error",
    "release_error",
    "scenario_of",
    "share_within",
    "split_by_weight",
    "split_evenly",
    "synthetic_counts",
    "within",
]
__dir__ = listed(__all__)

if not TYPE_CHECKING:
    _CALLS = {"plan": "plan_release", "plan_scenario": "plan_release_of"}
    __getattr__ = by_old_name(__name__, {"MadeUp": "SyntheticRelease", "made_up_counts": "synthetic_counts", **_CALLS})
    sys.modules[f"{__name__}.plan"] = old_module(f"{__name__}.plan", f"{__name__}.planned_release", _CALLS)
