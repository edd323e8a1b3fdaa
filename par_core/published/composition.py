"""Composition as the versions of *Privacy at Risk* print and draw it."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from par_core.errors import ParameterError
from par_core.evidence import PUBLISHED, Evidence
from par_core.limits import LARGEST_K, of_composition
from par_core.mechanisms import Laplace
from par_core.old_names import old_argument
from par_core.parameters import (
    check_choice,
    check_integers,
    check_number,
    check_numbers,
    like_input,
    together,
)
from par_core.published import explicit
from par_core.published.as_printed import AsPrinted

Truth = Literal["published", "exact"]

_Floats = NDArray[np.float64]
_TIGHT = {"xtol": math.ulp(0.0), "rtol": 4 * math.ulp(1.0)}
_THEOREM_3_FAILS = (
    "Sound for each fixed pair of tables with the true confidence, the lower one of its two orders (truth='exact'). With Theorem 4's "
    "confidence it falls below the exact composition of the Laplace mechanism: "
    "at delta = 1e-5 from n = 3116, 257 and 277 on for epsilon0 = 0.1, 0.5 and 1."
)


@old_argument("compositions", "releases")
@Evidence(PUBLISHED, source="Privacy at Risk (PoPETs 2021), Theorem 3", limits=_THEOREM_3_FAILS)
def at_risk(
    epsilon0: ArrayLike,
    releases: ArrayLike,
    *,
    delta: ArrayLike,
    epsilon: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> AsPrinted:
    """Epsilon of n releases by Theorem 3 of the final paper, in the shape of the broadcast arguments.

    It is epsilon0·sqrt(2n·ln(1/delta)) + n·½(confidence·epsilon² + (1 - confidence)·epsilon0²) for n `releases`, 1 to 1e9, at
    epsilon0 each, above 0 and at most 50; `delta`, above 0 and below 1, is that of all of them. With truth="exact" it is a
    guarantee for each fixed pair of tables, whose confidence is the lower one of its two orders (for Laplace noise they are alike);
    with Theorem 4's confidence it is not.

    `epsilon`, above 0, is the level hoped for of one release, by default where the cost of equation 10 is least, as in figure 5;
    epsilon0 where that is smaller. It holds with `confidence`, in [0, 1], by default that of Theorem 4 for k numbers (1 to
    100,000), or the exact one for worst-case neighbours, as `truth` says. With truth="exact" a larger one is refused.

    >>> round(at_risk(0.5, 300, delta=1e-5), 2), round(at_risk(0.5, 300, delta=1e-5, truth="exact"), 2)
    (63.07, 76.25)
    """
    level, number, small = of_composition(epsilon0, releases, delta)
    stronger, share = _stronger(level, epsilon, confidence, k=k, truth=truth)
    return like_input(_root(level, number, small) + number * 0.5 * (share * stronger**2 + (1 - share) * level**2))


@old_argument("compositions", "releases")
@Evidence(
    PUBLISHED,
    source="Privacy at Risk (first preprint), Theorem 9",
    limits="Its proof takes Theorem 4's false confidence for granted; with that confidence its mean is at least 1.23 times the "
    "mean loss of the Laplace mechanism at every epsilon0 tried, from 0.001 to 50, so that there it stays above the exact "
    "composition all the same.",
)
def at_risk_preprint(
    epsilon0: ArrayLike,
    releases: ArrayLike,
    *,
    delta: ArrayLike,
    epsilon: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> AsPrinted:
    """Epsilon of n releases by Theorem 9 of the preprint; parameters as in `at_risk`.

    It is epsilon0·sqrt(2n·ln(1/delta)) + n·(confidence·epsilon·(exp(epsilon) - 1) + (1 - confidence)·epsilon0·(exp(epsilon0) - 1)),
    which with confidence 0 is advanced composition.
    """
    level, number, small = of_composition(epsilon0, releases, delta)
    mean, _ = _preprint_mean(level, epsilon, confidence, k=k, truth=truth)
    return like_input(_root(level, number, small) + number * mean)


@old_argument("compositions", "releases")
@Evidence(
    PUBLISHED,
    source="Privacy at Risk (PoPETs 2021), the curves of figure 5",
    limits="Not what Theorem 3 says: the mean is the preprint's and the deviation almost vanishes. With delta = 1e-4 it gives the figure, "
    "whose text says 1e-5. At n = 1 and epsilon0 = 0.1 it draws 0.0075, where the exact value is 0.09998.",
)
def at_risk_as_drawn(
    epsilon0: ArrayLike,
    releases: ArrayLike,
    *,
    delta: ArrayLike,
    epsilon: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> AsPrinted:
    """Epsilon of n releases as figure 5 draws it; parameters as in `at_risk`.

    It is sqrt(ln(1/(1 - delta))/(2n))·(epsilon0 - epsilon) + n times the preprint's mean.
    """
    level, number, small = of_composition(epsilon0, releases, delta)
    mean, stronger = _preprint_mean(level, epsilon, confidence, k=k, truth=truth)
    return like_input(np.sqrt(-np.log1p(-small) / (2 * number)) * (level - stronger) + number * mean)


@old_argument("compositions", "releases")
@Evidence(PUBLISHED, source="Privacy at Risk (PoPETs 2021), Corollary 1", limits=_THEOREM_3_FAILS)
def heterogeneous(
    epsilon0: ArrayLike,
    releases: ArrayLike = 1,
    *,
    delta: float,
    epsilon: float | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> AsPrinted:
    """Epsilon of releases at different levels together, by Corollary 1.

    It is sqrt(2·sum(epsilon_l²)·ln(1/delta)) + ½·sum(confidence_l·epsilon² + (1 - confidence_l)·epsilon_l²). Parameters as in
    `at_risk`, for each level of a row `epsilon0`, with one `delta` and one `epsilon` for all: by default that of the smallest level.
    """
    small = check_number("delta", delta, above=0, below=1)
    level, number, _ = (np.atleast_1d(each) for each in of_composition(epsilon0, releases, small))
    if epsilon is None:
        epsilon = float(_cheapest(level.min()))
    stronger, share = _stronger(level, epsilon, confidence, k=k, truth=truth)
    root = np.sqrt(2 * (number * level**2).sum() * -np.log(small))
    return float(root + 0.5 * (number * (share * stronger**2 + (1 - share) * level**2)).sum())


def _root(level: _Floats, number: _Floats, delta: _Floats) -> _Floats:
    return np.asarray(level * np.sqrt(2 * number * -np.log(delta)))


def _stronger(
    level: _Floats, epsilon: ArrayLike | None, confidence: ArrayLike | None, *, k: ArrayLike, truth: Truth
) -> tuple[_Floats, _Floats]:
    """The stronger level, at most the release's own, and how often it holds."""
    check_choice("truth", truth, ("published", "exact"))
    wanted = _cheapest(level) if epsilon is None else check_numbers("epsilon", epsilon, above=0)
    share = None if confidence is None else check_numbers("confidence", confidence, at_least=0, at_most=1)
    level, wanted, dimension, _ = together(
        epsilon0=level,
        epsilon=wanted,
        k=check_integers("k", k, at_least=1, at_most=LARGEST_K),
        confidence=level if share is None else share,
    )
    stronger = np.minimum(wanted, level)
    if truth == "published":
        return stronger, np.asarray(explicit.confidence(stronger, level, k=dimension)) if share is None else share
    within = np.asarray(Laplace(level).loss_within(stronger))
    if share is None:
        return stronger, within
    given, most = np.broadcast_arrays(share, within)
    if (too_sure := given > most).any():
        raise ParameterError(
            f"confidence must be at most the exact one, {most[too_sure][0]:g}, with truth='exact', got {given[too_sure][0]:g}"
        )
    return stronger, share


def _cheapest(level: _Floats) -> _Floats:
    """Solve equation 10, 1/ε - ln(1 - (1 - e^ε)/ε²) = 1/ε0, for ε: where the published cost is least, as in figure 5."""

    def excess(epsilon: float, epsilon0: float) -> float:  # ε times the difference, which no small level overflows
        return epsilon * math.log1p(math.expm1(epsilon) / epsilon / epsilon) - (epsilon0 - epsilon) / epsilon0

    levels, back = np.unique(np.maximum(level, 1e-300), return_inverse=True)
    found = [brentq(excess, 1e-3 * min(each, 1.0), each, args=(each,), **_TIGHT) for each in levels.tolist()]
    return np.array(found)[back].reshape(level.shape)


def _preprint_mean(
    level: _Floats, epsilon: ArrayLike | None, confidence: ArrayLike | None, *, k: ArrayLike, truth: Truth
) -> tuple[_Floats, _Floats]:
    stronger, share = _stronger(level, epsilon, confidence, k=k, truth=truth)
    mean = share * stronger * np.expm1(stronger) + (1 - share) * level * np.expm1(level)
    return np.asarray(mean), stronger
