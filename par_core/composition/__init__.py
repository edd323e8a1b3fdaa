"""How privacy wears out over many releases: every accountant in use, and the exact truth for the Laplace mechanism."""

from __future__ import annotations

from par_core.composition.accountants import LARGEST_EPSILON0, advanced, basic, optimal_pure, rdp, zcdp
from par_core.composition.comparison import ACCOUNTANTS, Accountant, AccountantCurve, Comparison, compare
from par_core.composition.composed import Composed, compose
from par_core.composition.exact import ExactComposition, exact, exact_delta
from par_core.composition.mixed import ChangeRisk, change_risk, exact_delta_mixed, exact_mixed, used_share
from par_core.composition.plans import Plan, epsilon0_for, largest_compositions
from par_core.composition.running import RunningCount, added_up, as_typed, first_releases, releases_in, running

__all__ = [
    "ACCOUNTANTS",
    "LARGEST_EPSILON0",
    "Accountant",
    "AccountantCurve",
    "ChangeRisk",
    "Comparison",
    "Composed",
    "ExactComposition",
    "Plan",
    "RunningCount",
    "added_up",
    "advanced",
    "as_typed",
    "basic",
    "change_risk",
    "compare",
    "compose",
    "epsilon0_for",
    "exact",
    "exact_delta",
    "exact_delta_mixed",
    "exact_mixed",
    "first_releases",
    "largest_compositions",
    "optimal_pure",
    "rdp",
    "releases_in",
    "running",
    "used_share",
    "zcdp",
]
