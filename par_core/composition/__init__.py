"""How privacy wears out over many releases: every accountant in use, and the exact truth.

Every question is one function, of a level (short for its Laplace noise), an array of levels that are asked for separately, a mechanism,
or what `compose` put together: `exact`, `exact_delta`, `basic`, `compare`, `most_releases`, and of a number of releases
`epsilon0_for`.

>>> round(exact(0.1, 100, delta=1e-5).value, 3)
4.22
"""

from __future__ import annotations

from importlib import import_module

from par_core.composition.accountant_registry import Accountant
from par_core.composition.accountants import advanced, basic, of_zcdp, optimal_pure, rdp, zcdp
from par_core.composition.brackets import ExactComposition
from par_core.composition.comparison import ACCOUNTANTS, AccountantCurve, Comparison, compare, holding
from par_core.composition.composed import Composed, compose
from par_core.composition.exact import exact, exact_delta
from par_core.composition.known_change import ChangeRisk, change_risk, used_share
from par_core.composition.pate_votes import VoteComposition, any_votes, compose_votes
from par_core.composition.running import RunningCount, added_up, as_typed, first_releases, releases_in, running
from par_core.composition.within_target import WithinTarget, epsilon0_for, most_releases
from par_core.limits import LARGEST_EPSILON0
from par_core.public_names import listed

__all__ = [
    "ACCOUNTANTS",
    "LARGEST_EPSILON0",
    "Accountant",
    "AccountantCurve",
    "ChangeRisk",
    "Comparison",
    "Composed",
    "ExactComposition",
    "RunningCount",
    "VoteComposition",
    "WithinTarget",
    "added_up",
    "advanced",
    "any_votes",
    "as_typed",
    "basic",
    "change_risk",
    "compare",
    "compose",
    "compose_votes",
    "epsilon0_for",
    "exact",
    "exact_delta",
    "first_releases",
    "holding",
    "most_releases",
    "of_zcdp",
    "optimal_pure",
    "rdp",
    "releases_in",
    "running",
    "used_share",
    "zcdp",
]
__dir__ = listed(__all__)


def __getattr__(name: str) -> object:
    """Return a call by the name that it had before."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("par_core.composition.old_calls").by_old_name(name)
