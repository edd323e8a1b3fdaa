"""What an observer believes after a release: Bayes' rule over the databases that they think possible."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.parameters import real, shown
from par_core.standing import PROVEN, declare


@declare(PROVEN, source="Bayes' rule", limits="the cases and their prior are the observer's own")
def updated(prior: ArrayLike, likelihood: ArrayLike) -> NDArray[np.float64]:
    """Belief in each of several cases after an answer, of the shape of both arguments; it adds up to 1.

    `prior` is at least 0 and need not add up to 1; `likelihood` says how likely the answer is in each case, at least 0. Both of shape
    (cases,). ParameterError for an answer that no case with a prior above 0 could have given.

    >>> updated([0.6, 0.4], [0.25, 0.15]).round(4).tolist()
    [0.7143, 0.2857]
    """
    before, chance = real("prior", prior, at_least=0.0), real("likelihood", likelihood, at_least=0.0)
    if before.ndim != 1:
        raise ParameterError(f"prior must be a list of numbers, got {shown(prior)}")
    if chance.shape != before.shape:
        raise ParameterError(f"likelihood must be as many numbers as prior, {before.size}, got {shown(likelihood)}")
    with np.errstate(divide="ignore"):
        joint = np.log(before) + np.log(chance)
    if not np.isfinite(joint).any():
        raise ParameterError(
            "likelihood must be above 0 for a case whose prior is, got an answer that no case could give"
        )
    return np.asarray(special.softmax(joint))
