"""Several releases about the same people under one budget: what each of them is, what they spend together, who gets how much of epsilon0.

A plan holds shapes and numbers, no data and no names of columns or categories: links and scenario files may carry it. Its
`NamedRelease`s hold the names, and so does the file of `to_toml`, which is for those who may know them.

>>> from par_core.queries.shapes import CountsShape, MeanShape
>>> plan = Plan((Release(CountsShape(12), mechanism="discrete-laplace", times=12), Release(MeanShape(upper=100), rows=9277, times=12)))
>>> round(float(plan.together.epsilon(plan.delta)), 3)
4.22
>>> from_address(in_address(plan.releases)) == plan.releases
True
"""

from par_core.plan.address import from_address, in_address
from par_core.plan.named import NamedRelease
from par_core.plan.plan import LARGEST_PLAN, Plan, Release
from par_core.plan.plan_file import from_toml, to_toml
from par_core.plan.plan_scenario import PlanScenario
from par_core.plan.sharing import Shared, share_by_weights, share_by_wishes
from par_core.plan.totals import PlanTotals, totals
from par_core.plan.words import in_full, in_words, off_in_words
from par_core.public_names import listed

__all__ = [
    "LARGEST_PLAN",
    "NamedRelease",
    "Plan",
    "PlanScenario",
    "PlanTotals",
    "Release",
    "Shared",
    "from_address",
    "from_toml",
    "in_address",
    "in_full",
    "in_words",
    "off_in_words",
    "share_by_weights",
    "share_by_wishes",
    "to_toml",
    "totals",
]
__dir__ = listed(__all__)
