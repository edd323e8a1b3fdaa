"""How privacy wears out over many releases: every accountant in use, and the exact truth.

Every question is one function, of a level (short for its Laplace noise), an array of levels that are asked for separately, a mechanism,
or what `compose` put together: `exact`, `exact_delta`, `basic`, `compare`, `largest_compositions`, and of a number of releases
`epsilon0_for`.
"""

from __future__ import annotations

from importlib import import_module

from par_core.composition.accountants import advanced as advanced
from par_core.composition.accountants import basic as basic
from par_core.composition.accountants import of_zcdp as of_zcdp
from par_core.composition.accountants import optimal_pure as optimal_pure
from par_core.composition.accountants import rdp as rdp
from par_core.composition.accountants import zcdp as zcdp
from par_core.composition.brackets import ExactComposition as ExactComposition
from par_core.composition.comparison import ACCOUNTANTS as ACCOUNTANTS
from par_core.composition.comparison import Accountant as Accountant
from par_core.composition.comparison import AccountantCurve as AccountantCurve
from par_core.composition.comparison import Comparison as Comparison
from par_core.composition.comparison import compare as compare
from par_core.composition.comparison import holding as holding
from par_core.composition.composed import Composed as Composed
from par_core.composition.composed import compose as compose
from par_core.composition.exact import exact as exact
from par_core.composition.exact import exact_delta as exact_delta
from par_core.composition.known_change import ChangeRisk as ChangeRisk
from par_core.composition.known_change import change_risk as change_risk
from par_core.composition.known_change import used_share as used_share
from par_core.composition.plans import Plan as Plan
from par_core.composition.plans import epsilon0_for as epsilon0_for
from par_core.composition.plans import largest_compositions as largest_compositions
from par_core.composition.running import RunningCount as RunningCount
from par_core.composition.running import added_up as added_up
from par_core.composition.running import as_typed as as_typed
from par_core.composition.running import first_releases as first_releases
from par_core.composition.running import releases_in as releases_in
from par_core.composition.running import running as running
from par_core.composition.votes import VoteComposition as VoteComposition
from par_core.composition.votes import any_votes as any_votes
from par_core.composition.votes import compose_votes as compose_votes
from par_core.limits import LARGEST_EPSILON0 as LARGEST_EPSILON0


def __getattr__(name: str) -> object:
    """Return a call by the name that it had before."""
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("par_core.composition.of_mechanism").by_old_name(name)
