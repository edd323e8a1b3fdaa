"""What a release with Laplace noise will be like: its error, the epsilon for a wanted error, and shares of epsilon.

Planning needs no data: except where a function takes true values, nothing here is private.
"""

from __future__ import annotations

from par_core.release.curves import ErrorCurves, Within, cells, error_curves, noun_of, within
from par_core.release.error import (
    Measure,
    ReleaseError,
    epsilon_for_error,
    error_of,
    release_error,
    scenario_error,
)
from par_core.release.plan import PlannedPart, PlannedRelease, epsilon_for_query, plan, plan_scenario
from par_core.release.processing import ProcessedError, ShareWithin, processed_error, share_within
from par_core.release.quotient import QuotientError, quotient_error
from par_core.release.splitting import Split, fits, split_by_error, split_by_weight, split_evenly
from par_core.release.wanted import epsilon0_for_release

__all__ = [
    "ErrorCurves",
    "Measure",
    "PlannedPart",
    "PlannedRelease",
    "ProcessedError",
    "QuotientError",
    "ReleaseError",
    "ShareWithin",
    "Split",
    "Within",
    "cells",
    "epsilon0_for_release",
    "epsilon_for_error",
    "epsilon_for_query",
    "error_curves",
    "error_of",
    "fits",
    "noun_of",
    "plan",
    "plan_scenario",
    "processed_error",
    "quotient_error",
    "release_error",
    "scenario_error",
    "share_within",
    "split_by_error",
    "split_by_weight",
    "split_evenly",
    "within",
]
