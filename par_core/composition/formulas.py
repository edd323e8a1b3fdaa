"""Composition in closed form: basic, advanced, and Privacy at Risk as its versions print and draw it."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core import privacy_loss
from par_core.cost import CostModel
from par_core.errors import ParameterError
from par_core.parameters import like_input, one, real, together, whole
from par_core.published import explicit
from par_core.standing import PROVEN, PUBLISHED, declare

Truth = Literal["published", "exact"]

_Floats = NDArray[np.float64]

LARGEST_EPSILON0 = 50.0
MOST_COMPOSITIONS = 10**9

_THEOREM_3 = "Privacy at Risk (PoPETs 2021), Theorem 3"
_THEOREM_3_FAILS = (
    "Sound for each fixed pair of tables with the true confidence (truth='exact'). With Theorem 4's confidence it falls below "
    "the exact composition of the Laplace mechanism: at delta = 1e-5 from n = 3116, 257 and 277 on for epsilon0 = 0.1, 0.5 and 1."
)


@declare(PROVEN, source="basic composition (Dwork and Roth, Theorem 3.16)")
def basic(epsilon0: ArrayLike, compositions: ArrayLike, *, delta: ArrayLike = 0.0) -> Any:
    """Epsilon of n releases by adding the levels up; it holds for every delta.

    Parameters
    ----------
    epsilon0 : array_like, above 0, at most 50
        The level of each release.
    compositions : array_like of whole numbers, 1 to 1e9
        Number of releases n.
    delta : array_like, from 0 to below 1
        Taken so that every accountant is called alike.

    Returns
    -------
    float or ndarray
        n·epsilon0, in the shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> basic(0.1, 3) == 3 * 0.1
    True
    """
    level, number = _releases(epsilon0, compositions)
    level, number, _ = together(epsilon0=level, compositions=number, delta=real("delta", delta, at_least=0, below=1))
    return like_input(level * number)


@declare(PROVEN, source="advanced composition (Dwork and Roth, Theorem 3.20)")
def advanced(epsilon0: ArrayLike, compositions: ArrayLike, *, delta: ArrayLike) -> Any:
    """Epsilon of n releases by the advanced composition theorem, for any mechanism.

    Parameters and errors as in `basic`, with delta above 0.

    Returns
    -------
    float or ndarray
        epsilon0·sqrt(2n·ln(1/delta)) + n·epsilon0·(exp(epsilon0) - 1).

    Examples
    --------
    >>> round(advanced(0.1, 300, delta=1e-5), 3)
    11.466
    """
    level, number, root = _with_root(epsilon0, compositions, delta)
    return like_input(root + number * level * np.expm1(level))


@declare(PUBLISHED, source=_THEOREM_3, limits=_THEOREM_3_FAILS)
def at_risk(
    epsilon0: ArrayLike,
    compositions: ArrayLike,
    *,
    delta: ArrayLike,
    epsilon: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> Any:
    """Epsilon of n releases by Theorem 3 of the final paper.

    With truth="exact" it is a guarantee for each fixed pair of tables; with Theorem 4's confidence it is not.

    Parameters
    ----------
    epsilon0 : array_like, above 0, at most 50
        The level of each release.
    compositions : array_like of whole numbers, 1 to 1e9
        Number of releases n.
    delta : array_like, above 0 and below 1
        The delta of the guarantee for all of them.
    epsilon : array_like, above 0, optional
        The level hoped for of one release; by default where the cost of equation 10 is least, as in figure 5. Where it is above
        epsilon0, epsilon0 itself is taken.
    confidence : array_like in [0, 1], optional
        How often the hope is met; by default as `truth` says. With truth="exact" at most the exact one: a larger one is refused.
    k : array_like of int, 1 to 100,000
        Dimension of the query, for Theorem 4's confidence.
    truth : "published" or "exact"
        Theorem 4's confidence, or the exact one for worst-case neighbours.

    Returns
    -------
    float or ndarray
        epsilon0·sqrt(2n·ln(1/delta)) + n·½(confidence·epsilon² + (1 - confidence)·epsilon0²).

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(at_risk(0.5, 300, delta=1e-5), 2), round(at_risk(0.5, 300, delta=1e-5, truth="exact"), 2)
    (63.07, 76.25)
    """
    level, number, root = _with_root(epsilon0, compositions, delta)
    hoped, share = _hope(level, epsilon, confidence, k=k, truth=truth)
    return like_input(root + number * 0.5 * (share * hoped**2 + (1 - share) * level**2))


@declare(
    PUBLISHED,
    source="Privacy at Risk (first preprint), Theorem 9",
    limits="Its proof takes Theorem 4's false confidence for granted; with that confidence its mean is at least 1.23 times the "
    "mean loss of the Laplace mechanism at every epsilon0 tried, from 0.001 to 50, so that there it stays above the exact "
    "composition all the same.",
)
def at_risk_preprint(
    epsilon0: ArrayLike,
    compositions: ArrayLike,
    *,
    delta: ArrayLike,
    epsilon: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> Any:
    """Epsilon of n releases by Theorem 9 of the preprint; parameters and errors as in `at_risk`.

    Returns
    -------
    float or ndarray
        epsilon0·sqrt(2n·ln(1/delta)) + n·(confidence·epsilon·(exp(epsilon) - 1) + (1 - confidence)·epsilon0·(exp(epsilon0) - 1)).
        With confidence 0 it is `advanced`.

    Examples
    --------
    >>> at_risk_preprint(0.5, 7, delta=1e-5, confidence=0.0) == advanced(0.5, 7, delta=1e-5)
    True
    """
    level, number, root = _with_root(epsilon0, compositions, delta)
    return like_input(root + number * _preprint_mean(level, epsilon, confidence, k=k, truth=truth))


@declare(
    PUBLISHED,
    source="Privacy at Risk (PoPETs 2021), the curves of figure 5",
    limits="Not what Theorem 3 says: the mean is the preprint's and the deviation almost vanishes. With delta = 1e-4 it gives the figure, "
    "whose text says 1e-5. At n = 1 and epsilon0 = 0.1 it draws 0.0075, where the exact value is 0.09998.",
)
def at_risk_as_drawn(
    epsilon0: ArrayLike,
    compositions: ArrayLike,
    *,
    delta: ArrayLike,
    epsilon: ArrayLike | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> Any:
    """Epsilon of n releases as figure 5 draws it; parameters and errors as in `at_risk`.

    Returns
    -------
    float or ndarray
        sqrt(ln(1/(1 - delta))/(2n))·(epsilon0 - epsilon) + n times the preprint's mean.

    Examples
    --------
    >>> round(at_risk_as_drawn(0.1, 1, delta=1e-4), 4)
    0.0075
    """
    level, number, _ = _with_root(epsilon0, compositions, delta)
    hoped, _ = _hope(level, epsilon, confidence, k=k, truth=truth)
    deviation = np.sqrt(-np.log1p(-np.asarray(delta, dtype=np.float64)) / (2 * number)) * (level - hoped)
    return like_input(deviation + number * _preprint_mean(level, epsilon, confidence, k=k, truth=truth))


@declare(PUBLISHED, source="Privacy at Risk (PoPETs 2021), Corollary 1", limits=_THEOREM_3_FAILS)
def heterogeneous(
    epsilon0: ArrayLike,
    compositions: ArrayLike = 1,
    *,
    delta: float,
    epsilon: float | None = None,
    confidence: ArrayLike | None = None,
    k: ArrayLike = 1,
    truth: Truth = "published",
) -> float:
    """Epsilon of releases at different levels together, by Corollary 1.

    Parameters
    ----------
    epsilon0 : array_like of one dimension, above 0, at most 50
        The levels.
    compositions : array_like of whole numbers, 1 to 1e9
        How many releases there are at each level.
    delta : float, above 0 and below 1
        The delta of the guarantee for all of them.
    epsilon : float, above 0, optional
        The level hoped for, one for all; by default where the cost of equation 10 is least for the smallest level.
    confidence, k, truth
        As in `at_risk`, for each level.

    Returns
    -------
    float
        sqrt(2·sum(epsilon_l²)·ln(1/delta)) + ½·sum(confidence_l·epsilon² + (1 - confidence_l)·epsilon_l²).

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> mixed = heterogeneous([0.5, 0.5], 150, delta=1e-5)
    >>> bool(abs(mixed - at_risk(0.5, 300, delta=1e-5)) < 1e-12)
    True
    """
    level, number = (np.atleast_1d(each) for each in _releases(epsilon0, compositions))
    small = one("delta", delta, above=0, below=1)
    if epsilon is None:
        epsilon = float(_cheapest(level.min()))
    hoped, share = _hope(level, epsilon, confidence, k=k, truth=truth)
    root = np.sqrt(2 * (number * level**2).sum() * -np.log(small))
    return float(root + 0.5 * (number * (share * hoped**2 + (1 - share) * level**2)).sum())


def _releases(epsilon0: ArrayLike, compositions: ArrayLike) -> tuple[_Floats, _Floats]:
    level = real("epsilon0", epsilon0, above=0, at_most=LARGEST_EPSILON0)
    number = whole("compositions", compositions, at_least=1, at_most=MOST_COMPOSITIONS).astype(np.float64)
    level, number = together(epsilon0=level, compositions=number)
    return level, number


def _with_root(epsilon0: ArrayLike, compositions: ArrayLike, delta: ArrayLike) -> tuple[_Floats, _Floats, _Floats]:
    level, number = _releases(epsilon0, compositions)
    level, number, small = together(epsilon0=level, compositions=number, delta=real("delta", delta, above=0, below=1))
    return level, number, level * np.sqrt(2 * number * -np.log(small))


def _hope(
    level: _Floats, epsilon: ArrayLike | None, confidence: ArrayLike | None, *, k: ArrayLike, truth: Truth
) -> tuple[_Floats, _Floats]:
    """Return the level hoped for, at most the release's own, and how often it is met."""
    if not isinstance(truth, str) or truth not in ("published", "exact"):
        raise ParameterError(f"truth must be 'published' or 'exact', got {truth!r}")
    wanted = _cheapest(level) if epsilon is None else real("epsilon", epsilon, above=0)
    share = None if confidence is None else real("confidence", confidence, at_least=0, at_most=1)
    level, wanted, dimension, _ = together(
        epsilon0=level,
        epsilon=wanted,
        k=whole("k", k, at_least=1, at_most=explicit.LARGEST_K),
        confidence=level if share is None else share,
    )
    hoped = np.minimum(wanted, level)
    if truth == "published":
        return hoped, np.asarray(explicit.confidence(hoped, level, k=dimension)) if share is None else share
    within = np.asarray(privacy_loss.loss_within(hoped, level))
    if share is None:
        return hoped, within
    given, most = np.broadcast_arrays(share, within)
    if (too_sure := given > most).any():
        raise ParameterError(
            f"confidence must be at most the exact one, {most[too_sure][0]:g}, with truth='exact', got {given[too_sure][0]:g}"
        )
    return hoped, share


def _cheapest(level: _Floats) -> _Floats:
    """Return where the published cost of equation 10 is least: the level that figure 5 takes."""
    return np.asarray(CostModel(1.0).optimum(np.maximum(level, 1e-300)).epsilon, dtype=np.float64)


def _preprint_mean(
    level: _Floats, epsilon: ArrayLike | None, confidence: ArrayLike | None, *, k: ArrayLike, truth: Truth
) -> _Floats:
    hoped, share = _hope(level, epsilon, confidence, k=k, truth=truth)
    return np.asarray(share * hoped * np.expm1(hoped) + (1 - share) * level * np.expm1(level))
