"""Ridge coefficients: of one data set, and of many pairs of neighbours at once.

The objective is the mean squared error plus penalty·(squared length of the coefficients), so that the penalty means the
same for any number of rows: (X'X + rows·penalty·I) w = X'y. Libraries that leave the mean out want rows·penalty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.limits import LARGEST_PENALTY
from par_core.parameters import as_array, check_number, check_numbers, check_type
from par_core.regression.problem import RidgeProblem

GATHERED_ROWS = 1 << 16  # rows looked up at a time: a few megabytes, which stay in the processor's cache
SMALLEST_PENALTY = 1e-9  # with sums of products; the equations then lose at most nine of sixteen digits

_Floats = NDArray[np.float64]
_Whole = NDArray[np.int64]

_NORMAL = "(X'X + rows·penalty·I) w = X'y"


@Evidence(PROVEN, source=_NORMAL, limits="Not private: a fit to release with noise, or for planning.")
def ridge(design: RidgeProblem | ArrayLike, target: ArrayLike | None = None, *, penalty: float) -> _Floats:
    """Return the k coefficients that minimise the mean squared error plus penalty·(squared length of the coefficients).

    Solved by singular values, so that a tiny penalty and columns that say the same cost no digits. `design` is a problem, or rows of
    any length, shape (rows, k), beside a target of shape (rows,); the penalty, above 0 and at most 1e100, is the weight of the squared
    length for each row.

    >>> ridge([[1.0], [1.0]], [0.0, 1.0], penalty=0.25).round(12).tolist()
    [0.4]
    """
    weight = check_number("penalty", penalty, above=0.0, at_most=LARGEST_PENALTY)
    if isinstance(design, RidgeProblem):
        if target is not None:
            raise ParameterError("a RidgeProblem brings its own target")
        rows, values = design.design, design.target
    else:
        rows = check_numbers("design", design)
        values = check_numbers("target", target)
        if rows.ndim != 2 or values.shape != rows.shape[:1]:
            raise ParameterError(
                f"design must have shape (rows, k) and target shape (rows,), got {rows.shape} and {values.shape}"
            )
    left, singular, right = np.linalg.svd(rows, full_matrices=False)
    damped = singular / (singular**2 + len(rows) * weight)
    coefficients: _Floats = right.T @ (damped * (left.T @ values))
    return coefficients


@Evidence(PROVEN, source=_NORMAL, limits="Not private: sampled sensitivities of private rows leak unless protected.")
def neighbouring_coefficients(
    problem: RidgeProblem, common: ArrayLike, one: ArrayLike, other: ArrayLike, *, penalty: float
) -> tuple[_Floats, _Floats]:
    """Fit many pairs of neighbouring data sets, each of the same rows but one: the coefficients of the first and of the second.

    Row numbers of the problem, from 0: `common`, shape (pairs, rows - 1), of what both data sets of a pair share, `one` and `other`,
    shape (pairs,), of the row that only the first, only the second has. The penalty is as in `ridge`, from 1e-9: with a smaller one
    rounding would be taken for sensitivity. The two results have shape (pairs, k).

    The sums of products over the common rows are formed once for both, and one row's products added to each: the fit is then k
    equations, however many rows there are. Rows are looked up in batches, so memory stays within a few megabytes beside the arguments
    and the result.

    >>> population = RidgeProblem([[1.0], [1.0], [1.0]], [0.0, 0.5, 1.0], names=("x",))
    >>> a, b = neighbouring_coefficients(population, [[0]], [1], [2], penalty=0.25)
    >>> a.tolist(), b.tolist()
    ([[0.2]], [[0.4]])
    """
    size = len(check_type("problem", problem, RidgeProblem).design)
    shared, first, second = (
        _row_numbers(name, value, size=size) for name, value in (("common", common), ("one", one), ("other", other))
    )
    if shared.ndim != 2 or not first.shape == second.shape == shared.shape[:1]:
        raise ParameterError(
            "common must have shape (pairs, rows - 1), one and other shape (pairs,),"
            f" got {shared.shape}, {first.shape} and {second.shape}"
        )
    added = (shared.shape[1] + 1) * check_number("penalty", penalty, at_least=SMALLEST_PENALTY, at_most=LARGEST_PENALTY)
    pairs, k = len(shared), problem.design.shape[1]
    fits = (np.empty((pairs, k)), np.empty((pairs, k)))
    step = max(1, GATHERED_ROWS // (shared.shape[1] + 1))
    for start in range(0, pairs, step):
        part = slice(start, start + step)
        sums = cross_products(problem.with_target[shared[part]])
        for fit, last in zip(fits, (first, second), strict=True):
            fit[part] = solve(sums + cross_products(problem.with_target[last[part], None]), added)
    return fits


@Evidence(PROVEN, source="sums of products")
def cross_products(rows: _Floats) -> _Floats:
    """Sum the products of every two columns, the target among them: (sets, rows, k + 1) to (sets, k + 1, k + 1)."""
    sums: _Floats = rows.transpose(0, 2, 1) @ rows
    return sums


@Evidence(PROVEN, source=_NORMAL, limits="Loses digits as penalty falls: about nine of sixteen at the smallest one.")
def solve(sums: _Floats, added: float) -> _Floats:
    """Return the coefficients (sets, k) from the sums of `cross_products`; `added` is rows·penalty."""
    system = sums[:, :-1, :-1] + added * np.eye(sums.shape[1] - 1)
    return np.asarray(np.linalg.solve(system, sums[:, :-1, -1:])[..., 0], dtype=float)


def _row_numbers(name: str, value: ArrayLike, *, size: int) -> _Whole:
    numbers = as_array(name, value)
    if numbers.size and numbers.dtype.kind not in "iu":
        raise ParameterError(f"{name} must hold row numbers, got {numbers.dtype}")
    if numbers.size and (numbers.min() < 0 or numbers.max() >= size):
        raise ParameterError(
            f"{name} must hold row numbers from 0 to {size - 1:,}, got {numbers.min()} to {numbers.max()}"
        )
    return numbers.astype(np.int64, copy=False)
