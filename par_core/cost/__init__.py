"""What privacy costs: models of the cost of a breach, the budget with Privacy at Risk, and the cheapest ε."""

from typing import TYPE_CHECKING

from par_core.cost.confidence import TRUTHS, Truth
from par_core.cost.curves import FIGURE_4, CostCurve, CostCurves, curve
from par_core.cost.effects import Effect, SensitivityAnalysis, sensitivity_analysis
from par_core.cost.models import CostModel, FixedPlusPerHead, says_little
from par_core.cost.optimum import Cost, Optimum, Smooth, at_risk, optimum
from par_core.cost.ranges import (
    BudgetFor,
    EpsilonRange,
    Equation11,
    Interval,
    UnmetWishError,
    budget_for,
    epsilon_range,
    equation_11,
)
from par_core.cost.releases import AllReleases, all_releases
from par_core.cost.table import PiecewiseLinear
from par_core.old_names import by_old_name
from par_core.public_names import listed

__all__ = [
    "FIGURE_4",
    "TRUTHS",
    "AllReleases",
    "BudgetFor",
    "Cost",
    "CostCurve",
    "CostCurves",
    "CostModel",
    "Effect",
    "EpsilonRange",
    "Equation11",
    "FixedPlusPerHead",
    "Interval",
    "Optimum",
    "PiecewiseLinear",
    "SensitivityAnalysis",
    "Smooth",
    "Truth",
    "UnmetWishError",
    "all_releases",
    "at_risk",
    "budget_for",
    "curve",
    "epsilon_range",
    "equation_11",
    "optimum",
    "says_little",
    "sensitivity_analysis",
]
__dir__ = listed(__all__)

if not TYPE_CHECKING:
    __getattr__ = by_old_name(
        __name__, {"Sensitivity": "SensitivityAnalysis", "sensitivity_of": "sensitivity_analysis"}
    )
