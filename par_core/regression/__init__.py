"""Ridge regression on rows of length one: fits, sensitivity, private release, and what the noise costs in accuracy."""

from par_core.public_names import listed
from par_core.regression.accuracy import RidgeUtility, utility
from par_core.regression.fits import SMALLEST_PENALTY, neighbouring_coefficients, ridge
from par_core.regression.presets import CENSUS_2000, HOUSEHOLD_HEADS, PENALTY, RidgePreset
from par_core.regression.private import PrivateRidge, release
from par_core.regression.problem import INTERCEPT, Coding, RidgeProblem
from par_core.regression.sensitivity import SensitivityChoice, coefficient_sensitivity, lone_income_move

__all__ = [
    "CENSUS_2000",
    "HOUSEHOLD_HEADS",
    "INTERCEPT",
    "PENALTY",
    "SMALLEST_PENALTY",
    "Coding",
    "PrivateRidge",
    "RidgePreset",
    "RidgeProblem",
    "RidgeUtility",
    "SensitivityChoice",
    "coefficient_sensitivity",
    "lone_income_move",
    "neighbouring_coefficients",
    "release",
    "ridge",
    "utility",
]
__dir__ = listed(__all__)
