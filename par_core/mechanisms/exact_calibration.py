"""Which Laplace noise, level or confidence goes with the other two in truth: the exact counterpart of `explicit.calibrate`.

Below epsilon0 the exact confidence in epsilon is at most (1 - exp(-epsilon))/2, so less than one half; at epsilon0 it jumps
to 1. A larger confidence is therefore had only by noise for epsilon itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms.laplace import Laplace
from par_core.mechanisms.mechanism import moved_until
from par_core.parameters import check_number

_FAR = 600.0  # beyond it sinh(x) is exp(x)/2 to the last digit


@dataclass(frozen=True)
class ExactCalibration(Result):
    """A level, the exact confidence in it, and the noise that goes with them.

    One release with noise for `epsilon0` has a loss within `epsilon` with probability `confidence`. `error0` is the mean
    absolute error of each number with this noise, in the unit of the query, infinite beyond the floats. The confidence in
    epsilon is less than `below` for every epsilon0 above epsilon.
    """

    epsilon: float
    confidence: float
    epsilon0: float
    error0: float
    below: float
    QUANTITIES = quantities(
        epsilon=stated("level", "up"),
        epsilon0=stated("level", "down"),
        confidence=stated("share", "down"),
        below=stated("share", "up"),
        error0=stated("error", "up"),
    )
    evidence = Evidence(
        PROVEN,
        source="exact confidence of the Laplace mechanism, exp(-epsilon0/2)·sinh(epsilon/2) below epsilon0, solved",
        limits="worst-case neighbours: the whole sensitivity in one coordinate",
    )


def calibrate_exactly(
    *,
    epsilon: float | None = None,
    wanted: float | None = None,
    epsilon0: float | None = None,
    sensitivity: float = 1.0,
) -> ExactCalibration:
    """Find the third of epsilon, confidence and epsilon0 from the other two; exactly two must be given.

    All are above 0, the confidence `wanted` at most 1, and the L1 sensitivity is in the unit of the query. Where epsilon is asked for it
    is the smallest that holds with the wanted confidence; where epsilon0 is, the largest, that is the least noise.

    >>> calibrate_exactly(epsilon=0.4, wanted=0.6).epsilon0, round(calibrate_exactly(epsilon=0.4, wanted=0.1).epsilon0, 4)
    (0.4, 1.3996)
    """
    given = {"epsilon": epsilon, "wanted": wanted, "epsilon0": epsilon0}
    if sum(value is not None for value in given.values()) != 2:
        raise ParameterError(f"exactly two of epsilon, wanted and epsilon0 must be given, got {given!r}")
    moves = check_number("sensitivity", sensitivity, above=0.0)
    aim = None if wanted is None else check_number("wanted", wanted, above=0.0, at_most=1.0)
    level = None if epsilon is None else check_number("epsilon", epsilon, above=0.0)
    calibrated = None if epsilon0 is None else check_number("epsilon0", epsilon0, above=0.0)
    if calibrated is None and level is not None and aim is not None:
        calibrated = _noise_for(level, aim)
    elif level is None and calibrated is not None and aim is not None:
        level = _level_at(calibrated, aim)
    assert level is not None
    assert calibrated is not None
    held = float(Laplace(calibrated).loss_within(level))
    return ExactCalibration(level, held, calibrated, moves / calibrated, _less_than(level))


def _less_than(epsilon: float) -> float:
    return -0.5 * math.expm1(-epsilon)


def _noise_for(epsilon: float, wanted: float) -> float:
    """Return the largest epsilon0 with this confidence in epsilon: epsilon itself, or well above it."""
    most = _less_than(epsilon)
    if wanted >= most:
        return epsilon
    found = epsilon + 2.0 * math.log(most / wanted)
    return float(
        moved_until(lambda each: Laplace(each).loss_within(epsilon) >= wanted, np.asarray(found), toward=epsilon)
    )


def _level_at(epsilon0: float, wanted: float) -> float:
    """Return the smallest epsilon with this confidence under noise for epsilon0."""
    if wanted >= _less_than(epsilon0):
        return epsilon0
    exponent = math.log(wanted) + 0.5 * epsilon0
    found = 2.0 * (math.asinh(math.exp(exponent)) if exponent < _FAR else exponent + math.log(2.0))
    found = min(found, epsilon0)
    return float(
        moved_until(lambda each: Laplace(epsilon0).loss_within(each) >= wanted, np.asarray(found), toward=epsilon0)
    )
