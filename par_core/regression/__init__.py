"""Ridge regression on rows of length one: fits, sensitivity, private release, and what the noise costs in accuracy."""

from par_core.regression.accuracy import RidgeUtility as RidgeUtility
from par_core.regression.accuracy import utility as utility
from par_core.regression.fits import SMALLEST_PENALTY as SMALLEST_PENALTY
from par_core.regression.fits import neighbouring_coefficients as neighbouring_coefficients
from par_core.regression.fits import ridge as ridge
from par_core.regression.presets import CENSUS_2000 as CENSUS_2000
from par_core.regression.presets import HOUSEHOLD_HEADS as HOUSEHOLD_HEADS
from par_core.regression.presets import PENALTY as PENALTY
from par_core.regression.presets import RidgePreset as RidgePreset
from par_core.regression.private import PrivateRidge as PrivateRidge
from par_core.regression.private import release as release
from par_core.regression.problem import INTERCEPT as INTERCEPT
from par_core.regression.problem import Coding as Coding
from par_core.regression.problem import RidgeProblem as RidgeProblem
from par_core.regression.sensitivity import SensitivityChoice as SensitivityChoice
from par_core.regression.sensitivity import coefficient_sensitivity as coefficient_sensitivity
from par_core.regression.sensitivity import lone_income_move as lone_income_move
