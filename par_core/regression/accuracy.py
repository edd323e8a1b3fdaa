"""What the noise costs in accuracy: prediction error on rows that were not fitted (Privacy at Risk, section 6, figure 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.limits import LARGEST_PENALTY
from par_core.mechanisms import drawn
from par_core.parameters import check_choice, check_integer, check_number, check_numbers, check_type
from par_core.progress import Progress, portion
from par_core.published.regression import published_sensitivity
from par_core.randomness import generator
from par_core.regression.fits import SMALLEST_PENALTY, cross_products, solve
from par_core.regression.problem import RidgeProblem
from par_core.regression.sensitivity import SensitivityChoice, coefficient_sensitivity

_FITTED = 0.8  # share of the rows, as in the paper

_Floats = NDArray[np.float64]

_ROWS_OF_A_STEP = 1 << 20  # some 0.1 s
_SOURCE = "runs of fit, noise and prediction, as in Privacy at Risk (PoPETs 2021), section 6.2 and figure 6"
_LIMITS = (
    "About this table: the runs split it anew and draw new noise, they draw no new people, and the intervals know nothing"
    " of other tables. The errors are computed from the private rows and are no release themselves."
)
_PUBLISHED_LIMITS = (
    " The noise is the published script's, which goes with the objective fitted here but not with the one the script"
    " fits (published_sensitivity); it is larger than it needs to be, or too small where that function says so."
)


@dataclass(frozen=True)
class RidgeUtility(Result):
    """Root mean squared errors (RMSE) on the test rows, for every run and epsilon.

    `rmse` has shape (runs, epsilons) and `non_private`, without noise, shape (runs,), as has `guess`: the error of
    guessing the mean target of the fitted rows for everybody, beyond which coefficients are of no use. All three are in
    the scale from 0 to 1 of the target; what ends in `in_unit` is in the unit of the target, `unit` of which make up the
    scale's 1. Predictions are not cut off at the bounds. One run's noise is the same draw for every epsilon, only stretched: the
    curves are smooth, and differences along one are less noisy than the points; the points are not independent of each other.

    The mean squared error of a run is a polynomial of second degree in the scale of its noise, whose coefficients from the constant
    one on are `squares`, shape (runs, 3). `proven_sensitivity` is `coefficient_sensitivity` whatever `sensitivity` the noise is
    scaled by.
    """

    epsilons: _Floats
    rmse: _Floats
    non_private: _Floats
    guess: _Floats
    unit: float
    rows_fitted: int
    rows_tested: int
    penalty: float
    sensitivity: float
    sensitivity_choice: SensitivityChoice
    squares: _Floats
    proven_sensitivity: float
    QUANTITIES = quantities(
        proven_sensitivity=stated("number", "up", PROVEN),
        published_sensitivity=stated("number", "up", PUBLISHED, "par-ridge-sensitivity"),
    )
    USUALLY = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)

    @property
    def evidence(self) -> Evidence:
        """An estimate, from these runs."""
        published = self.sensitivity_choice == "published"
        return replace(self.USUALLY, limits=_LIMITS + _PUBLISHED_LIMITS) if published else self.USUALLY

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return len(self.non_private)

    def at(self, epsilons: ArrayLike) -> RidgeUtility:
        """Return the same runs at other levels, as in `utility`, without a fit."""
        levels = _levels(epsilons)
        return replace(self, epsilons=levels, rmse=_errors(self.squares, self.sensitivity / levels))

    @property
    def is_enough(self) -> bool:
        """Whether the noise is scaled by no less than the proven sensitivity: else its level is no valid guarantee."""
        return self.sensitivity >= self.proven_sensitivity

    @property
    def mean(self) -> _Floats:
        """Mean RMSE over the runs, for each epsilon."""
        return np.asarray(self.rmse.mean(axis=0))

    @property
    def sd(self) -> _Floats:
        """Standard deviation of the RMSE between runs, for each epsilon: how far one release may lie from the mean."""
        return np.asarray(self.rmse.std(axis=0, ddof=1))

    @property
    def non_private_mean(self) -> float:
        """Mean RMSE without noise."""
        return float(self.non_private.mean())

    @property
    def guess_mean(self) -> float:
        """Mean RMSE of guessing the same for everybody."""
        return float(self.guess.mean())

    @property
    def guess_mean_in_unit(self) -> float:
        """`guess_mean` in the unit of the target."""
        return self.unit * self.guess_mean

    @property
    def mean_in_unit(self) -> _Floats:
        """`mean` in the unit of the target."""
        return self.unit * self.mean

    @property
    def non_private_mean_in_unit(self) -> float:
        """`non_private_mean` in the unit of the target."""
        return self.unit * self.non_private_mean


def utility(
    problem: RidgeProblem,
    epsilons: ArrayLike,
    *,
    penalty: float,
    runs: int = 50,
    rng: np.random.Generator,
    sensitivity: SensitivityChoice = "proven",
    progress: Progress | None = None,
) -> RidgeUtility:
    """Estimate the RMSE of predictions by private coefficients, for many epsilons at once.

    Each run splits the rows (two at least) anew, 80 % to fit and 20 % to test, and draws new noise. The error on the test rows
    follows from their sums of products, so no prediction is made, and more epsilons cost next to nothing.

    `epsilons`, shape (m,) and at least 1e-9, are the levels that the noise is calibrated to; the penalty is as in `ridge`, from 1e-9;
    of runs, 2 to 10,000, the paper has 50. The noise is scaled by `coefficient_sensitivity` ("proven") or `published_sensitivity` of
    the rows that are fitted. A table of one row is a DataError.

    >>> rng = np.random.default_rng(1)
    >>> staff = RidgeProblem([[1.0]] * 1000, rng.random(1000), names=("one",))
    >>> found = utility(staff, [0.1, 1.0], penalty=0.01, rng=rng)
    >>> found.rmse.shape, bool(found.mean[0] > found.mean[1] > found.non_private_mean)
    ((50, 2), True)
    """
    tell = portion(progress)
    levels = _levels(epsilons)
    weight = check_number("penalty", penalty, at_least=SMALLEST_PENALTY, at_most=LARGEST_PENALTY)
    number = check_integer("runs", runs, at_least=2, at_most=10_000)
    rows, k = check_type("problem", problem, RidgeProblem).design.shape
    if rows < 2:
        raise DataError("a table of one row cannot be split into rows to fit and rows to test")
    fitted = min(max(round(_FITTED * rows), 1), rows - 1)
    check_choice("sensitivity", sensitivity, get_args(SensitivityChoice))
    proven = coefficient_sensitivity(fitted, k=k, penalty=weight)
    moves = proven if sensitivity == "proven" else published_sensitivity(fitted, k=k, penalty=weight)
    draw = generator(rng)
    total = cross_products(problem.with_target[None])[0]
    whole, of_scale_1 = problem.target.sum(), drawn(whole=False).for_epsilon(1.0, sensitivity=1.0)
    squares, guesses = np.empty((number, 3)), np.empty(number)
    step = max(1, _ROWS_OF_A_STEP // rows)
    for run in range(number):
        chosen = problem.with_target[draw.permutation(rows)[fitted:]]
        tested = cross_products(chosen[None])[0]
        coefficients = solve((total - tested)[None], fitted * weight)[0]
        noise = of_scale_1.sample(np.zeros(k), 1, draw)[0]
        squares[run] = _squared_errors(tested, coefficients, noise=noise) / (rows - fitted)
        guess = (whole - chosen[:, -1].sum()) / fitted
        guesses[run] = np.sqrt(np.mean((chosen[:, -1] - guess) ** 2))
        if (run + 1) % step == 0 or run + 1 == number:
            tell((run + 1) / number)
    return RidgeUtility(
        epsilons=levels,
        rmse=_errors(squares, np.asarray(moves / levels)),
        non_private=np.sqrt(np.maximum(squares[:, 0], 0.0)),
        guess=guesses,
        unit=problem.unit,
        rows_fitted=fitted,
        rows_tested=rows - fitted,
        penalty=weight,
        sensitivity=moves,
        sensitivity_choice=sensitivity,
        squares=squares,
        proven_sensitivity=proven,
    )


def _levels(epsilons: ArrayLike) -> _Floats:
    levels = check_numbers("epsilons", epsilons, at_least=1e-9)
    if levels.ndim != 1:
        raise ParameterError(f"epsilons must be a list of numbers, got shape {levels.shape}")
    return levels


def _squared_errors(sums: _Floats, coefficients: _Floats, *, noise: _Floats) -> _Floats:
    """Sum of squared errors on the rows behind `sums`: the coefficients of 1, s and s² for noise of scale s, shape (3,)."""
    # With the target as last column a prediction error is a row times (coefficients, -1).
    at, along = np.append(coefficients, -1.0), np.append(noise, 0.0)
    return np.array([at @ sums @ at, 2.0 * (along @ sums @ at), along @ sums @ along])


def _errors(squares: _Floats, scales: _Floats) -> _Floats:
    """Return the RMSE of every run, in the rows, for noise of each scale."""
    constant, linear, quadratic = (squares[:, [power]] for power in range(3))
    return np.asarray(np.sqrt(np.maximum(constant + scales * (linear + scales * quadratic), 0.0)))
