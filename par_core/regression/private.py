"""Private release of ridge coefficients."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms import drawn
from par_core.parameters import check_number, check_type
from par_core.randomness import generator
from par_core.regression.fits import ridge
from par_core.regression.problem import RidgeProblem
from par_core.regression.sensitivity import coefficient_sensitivity

_Floats = NDArray[np.float64]

_LARGEST_SCALE = 1e300

LIMITS = (
    "One row replaced, one person a row; the number of rows, the columns and the bounds of the target are public. The"
    " noise is drawn in ordinary floating point, whose last digits can give the answer away: for planning only, release"
    " with a vetted library."
)


@dataclass(frozen=True)
class PrivateRidge(Result):
    """Ridge coefficients with noise.

    `coefficients` belong to rows of length one and a target from 0 to 1; `in_unit` are the same in the unit of the
    target, to which the lower bound of the target has to be added. `noise_scale` is the scale b of each coefficient's
    Laplace noise, sensitivity/epsilon0: its mean size, and its standard deviation over √2.
    """

    coefficients: _Floats
    names: tuple[str, ...]
    epsilon0: float
    sensitivity: float
    noise_scale: float
    penalty: float
    rows: int
    target_bounds: tuple[float, float]
    evidence = Evidence(
        PROVEN, source="Laplace mechanism at the sensitivity that coefficient_sensitivity proves", limits=LIMITS
    )

    @property
    def in_unit(self) -> _Floats:
        """The coefficients in the unit of the target."""
        return self.coefficients * (self.target_bounds[1] - self.target_bounds[0])


def release(problem: RidgeProblem, epsilon0: float, *, penalty: float, rng: np.random.Generator) -> PrivateRidge:
    """Fit the coefficients and add noise to each, so that the release is epsilon0-DP.

    epsilon0 is above 0, and large enough for finite noise; the penalty is as in `ridge`, chosen without looking at the data. Whoever
    knows the seed of `rng` knows the noise.

    >>> staff = RidgeProblem([[1.0]] * 1000, [0.5] * 1000, names=("one",))
    >>> found = release(staff, 1.0, penalty=0.01, rng=np.random.default_rng(1))
    >>> round(found.noise_scale, 3), abs(found.coefficients[0] - 0.495) < 10 * found.noise_scale
    (0.646, np.True_)
    """
    level, draw = check_number("epsilon0", epsilon0, above=0.0), generator(rng)
    rows, k = check_type("problem", problem, RidgeProblem).design.shape
    sensitivity = coefficient_sensitivity(rows, k=k, penalty=penalty)
    noise = drawn(whole=False).for_epsilon(level, sensitivity=sensitivity)
    if noise.scale > _LARGEST_SCALE:
        raise ParameterError(f"epsilon0 must be large enough for finite noise, got {level:g}")
    return PrivateRidge(
        coefficients=noise.sample(ridge(problem, penalty=penalty), 1, draw)[0],
        names=problem.names,
        epsilon0=level,
        sensitivity=sensitivity,
        noise_scale=noise.scale,
        penalty=float(penalty),
        rows=rows,
        target_bounds=problem.target_bounds,
    )
