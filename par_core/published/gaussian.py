"""Gaussian noise as textbooks calibrate it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from par_core.errors import ParameterError
from par_core.evidence import PUBLISHED, Evidence
from par_core.parameters import check_numbers, like_input, together
from par_core.published.as_printed import AsPrinted


@Evidence(
    PUBLISHED,
    source="Dwork and Roth 2014, Theorem A.1; lecture on mechanisms, page 28",
    limits="It holds for epsilon below 1 alone: its proof needs that, and for large epsilon it adds too little noise. Below 1 it adds "
    "more than `mechanisms.Gaussian.for_epsilon`.",
)
def sigma(epsilon: ArrayLike, delta: ArrayLike, *, sensitivity: ArrayLike = 1.0) -> AsPrinted:
    """Standard deviation sensitivity·sqrt(2 ln(1.25/delta))/epsilon, in the unit of the L2 sensitivity, which is above 0.

    `epsilon` is above 0 and at most 1, `delta` above 0 and below 1.

    >>> round(sigma(0.99, 1e-5), 4)
    4.8937
    """
    level, aim, moves = together(
        epsilon=check_numbers("epsilon", epsilon, above=0.0),
        delta=check_numbers("delta", delta, above=0.0, below=1.0),
        sensitivity=check_numbers("sensitivity", sensitivity, above=0.0),
    )
    if (level > 1.0).any():
        raise ParameterError(
            f"epsilon must be at most 1, got {np.max(level):g}: beyond it the classical formula has no proof, and adds too little noise "
            "in the end; mechanisms.Gaussian.for_epsilon is exact for any epsilon"
        )
    with np.errstate(over="ignore"):
        return like_input(moves * np.sqrt(2.0 * np.log(1.25 / aim)) / level)
