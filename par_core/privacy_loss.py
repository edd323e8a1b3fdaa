"""Exact privacy loss of the Laplace mechanism: the truth that the published formulas are held against.

One coordinate of the answer carries noise of scale sensitivity/epsilon0. The privacy loss of a release is the logarithm
of how much likelier that release is under the true database than under its neighbour. Unless said otherwise the
neighbours are the worst case: the whole sensitivity sits in one coordinate. The other coordinates then add nothing to
the loss, so the dimension of the query plays no part here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.mechanisms import Laplace, strongest_belief
from par_core.parameters import like_input, one, one_whole, real
from par_core.progress import Progress, portion
from par_core.standing import ESTIMATE, PROVEN, Standing, Told, declare

_LAW = "law of the privacy loss of the Laplace mechanism: atoms 1/2 at epsilon0 and exp(-epsilon0)/2 at -epsilon0"
_WORST = "worst-case neighbours: the whole sensitivity in one coordinate"
_DRAWS_PER_BATCH = 500_000  # about 20 ms of drawing, 4 MB
_LARGEST_SAMPLE = 100_000_000
_SLACK = 1e-12  # shares such as ten times 0.1 miss 1 by rounding


@declare(PROVEN, source=_LAW, limits=_WORST, told=Told("share", "down"))
def loss_within(epsilon: ArrayLike, epsilon0: ArrayLike) -> Any:
    """Probability that the privacy loss of one release stays within ±epsilon.

    It is exp(-epsilon0/2)·sinh(epsilon/2) below epsilon0 and 1 from there on: the exact confidence.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The level asked about.
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.

    Returns
    -------
    float or ndarray
        In [0, 1], with full relative accuracy where it is small; shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(loss_within(0.5, 1.0), 4)
    0.1532
    """
    return Laplace(epsilon0).loss_within(epsilon)


@declare(PROVEN, source=_LAW, limits=_WORST, told=Told("share", "up"))
def loss_exceeds(epsilon: ArrayLike, epsilon0: ArrayLike, *, two_sided: bool = True) -> Any:
    """Probability that the privacy loss of one release is larger than epsilon.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The level asked about.
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.
    two_sided : bool
        True asks about the size of the loss, False only about evidence for the true database.

    Returns
    -------
    float or ndarray
        In [0, 1]; exactly 0 from epsilon = epsilon0 on. Shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(loss_exceeds(0.5, 1.0), 3), round(loss_exceeds(0.5, 1.0, two_sided=False), 3)
    (0.847, 0.611)
    """
    return Laplace(epsilon0).loss_exceeds(epsilon, two_sided=two_sided)


@declare(PROVEN, source="tight delta of the Laplace mechanism, from " + _LAW, limits=_WORST)
def delta(epsilon: ArrayLike, epsilon0: ArrayLike) -> Any:
    """Smallest delta with which the mechanism is (epsilon, delta)-differentially private.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The level of approximate differential privacy.
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.

    Returns
    -------
    float or ndarray
        1 - exp(-(epsilon0 - epsilon)/2), and 0 from epsilon0 on; shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(delta(2.0, 2.5), 4)
    0.2212
    """
    return Laplace(epsilon0).delta(epsilon)


@declare(PROVEN, source="Neyman-Pearson tests between two Laplace laws", limits=_WORST)
def tradeoff(false_positive: ArrayLike, epsilon0: ArrayLike) -> Any:
    """Smallest false-negative rate of any attack that has the given false-positive rate.

    Parameters
    ----------
    false_positive : array_like in [0, 1]
        How often the attack names the neighbour although the true database was used.
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.

    Returns
    -------
    float or ndarray
        In [0, 1]; falls and is convex in `false_positive`. Shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(tradeoff(0.5, 1.0), 4)
    0.1839
    """
    return Laplace(epsilon0).tradeoff(false_positive)


@declare(PROVEN, source="total variation distance of two Laplace laws", limits=_WORST)
def advantage(epsilon0: ArrayLike) -> Any:
    """Largest true-positive rate minus false-positive rate that any attack can have.

    Parameters
    ----------
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.

    Returns
    -------
    float or ndarray
        1 - exp(-epsilon0/2), in [0, 1]; shape of the argument.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(advantage(1.0), 4)
    0.3935
    """
    return Laplace(epsilon0).advantage


@declare(
    PROVEN,
    source="Bayes' rule, likelihood ratio exp(epsilon)",
    limits="pure epsilon-differential privacy",
    told=Told("share", "up"),
)
def posterior(prior: ArrayLike, epsilon: ArrayLike) -> Any:
    """Strongest belief that one release can leave in an observer who started from `prior`.

    It holds for every epsilon-differentially private mechanism, and Laplace noise reaches it.

    Parameters
    ----------
    prior : array_like in [0, 1]
        Probability that the observer gives to the true database (against one neighbour) before the release.
    epsilon : array_like, at least 0
        The level of differential privacy.

    Returns
    -------
    float or ndarray
        In [prior, 1]; shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(posterior(0.5, 1.0), 4)
    0.7311
    """
    return strongest_belief(prior, epsilon)


@declare(PROVEN, source="mean of the " + _LAW + " (the Kullback-Leibler divergence)", limits=_WORST)
def mean_loss(epsilon0: ArrayLike) -> Any:
    """Mean privacy loss of one release: epsilon0 - 1 + exp(-epsilon0).

    Parameters
    ----------
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.

    Returns
    -------
    float or ndarray
        Above 0 (below about 1e-162 it underflows to 0), accurate for small epsilon0 too; shape of the argument.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(mean_loss(0.1), 5)
    0.00484
    """
    return Laplace(epsilon0).mean_loss


def loss_batches(
    epsilon0: float, *, k: int = 1, shift: ArrayLike | None = None, size: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Yield simulated privacy losses in batches of a few hundredths of a second each, `size` losses in all.

    Parameters as in `simulate_loss`; they are checked at the call, before the first batch is drawn.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.
    """
    calibrated = one("epsilon0", epsilon0, above=0.0)
    changes = calibrated * _shares(shift, one_whole("k", k, at_least=1))
    total = one_whole("size", size, at_least=1, at_most=_LARGEST_SAMPLE)
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng must be a numpy random Generator, got {rng!r}")
    return _draw(calibrated, changes[changes > 0.0], total, rng)


@declare(ESTIMATE, source="simulated releases of the Laplace mechanism", limits="as good as the sample is large")
def simulate_loss(
    epsilon0: float, *, k: int = 1, shift: ArrayLike | None = None, size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Privacy losses of simulated releases of a k-dimensional answer.

    Parameters
    ----------
    epsilon0 : float, above 0
        The level that the noise is calibrated to.
    k : int, at least 1
        Dimension of the query.
    shift : array_like of shape (k,), optional
        How far each coordinate differs between the neighbours, in units of the L1 sensitivity: each at least 0 and
        together at most 1. The default puts everything into the first coordinate.
    size : int, 1 to 100,000,000
        Number of releases.
    rng : numpy.random.Generator
        Source of randomness; the same state gives the same losses.

    Returns
    -------
    ndarray of shape (size,)
        Losses in [-epsilon0, epsilon0].

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> losses = simulate_loss(1.0, size=1000, rng=np.random.default_rng(1))
    >>> losses.shape, bool(np.abs(losses).max() <= 1.0)
    ((1000,), True)
    """
    return np.concatenate(list(loss_batches(epsilon0, k=k, shift=shift, size=size, rng=rng)))


@dataclass(frozen=True)
class LossSimulation:
    """How often simulated releases lost more than epsilon, with Clopper-Pearson intervals.

    `share`, `lower` and `upper` are about the size of the loss; those with `_one_sided` only about evidence for the
    true database. Each interval holds with probability `level` on its own, not all of them at once.
    """

    epsilon: Any
    epsilon0: float
    k: int
    share: Any
    lower: Any
    upper: Any
    share_one_sided: Any
    lower_one_sided: Any
    upper_one_sided: Any
    size: int
    level: float
    standing: Standing = ESTIMATE
    source: str = "simulated releases of the Laplace mechanism"


def simulate_exceedance(
    epsilon: ArrayLike,
    epsilon0: float,
    *,
    k: int = 1,
    shift: ArrayLike | None = None,
    size: int,
    rng: np.random.Generator,
    level: float = 0.99,
    progress: Progress | None = None,
) -> LossSimulation:
    """Estimate by simulation how often the privacy loss is larger than epsilon.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The levels asked about.
    epsilon0, k, shift, size, rng
        As in `simulate_loss`.
    level : float in (0, 1)
        Probability with which each interval holds the truth.
    progress : callable, optional
        Called after each batch with the share of the work that is done.

    Returns
    -------
    LossSimulation
        Fields of the shape of `epsilon`.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> result = simulate_exceedance(0.5, 1.0, size=20_000, rng=np.random.default_rng(1))
    >>> result.lower < loss_exceeds(0.5, 1.0) < result.upper
    True
    """
    tell = portion(progress)
    levels = real("epsilon", epsilon, at_least=0.0)
    chance = one("level", level, above=0.0, below=1.0)
    ordered, place = np.unique(levels, return_inverse=True)
    either_side = np.zeros(ordered.size, dtype=np.int64)
    one_side = np.zeros(ordered.size, dtype=np.int64)
    done = 0
    for losses in loss_batches(epsilon0, k=k, shift=shift, size=size, rng=rng):
        either_side += _count_above(np.abs(losses), ordered)
        one_side += _count_above(losses, ordered)
        done += losses.size
        tell(done / size)
    share, lower, upper = (part[place].reshape(levels.shape) for part in _clopper_pearson(either_side, done, chance))
    share1, lower1, upper1 = (part[place].reshape(levels.shape) for part in _clopper_pearson(one_side, done, chance))
    return LossSimulation(
        epsilon=like_input(levels),
        epsilon0=float(epsilon0),
        k=int(k),
        share=like_input(share),
        lower=like_input(lower),
        upper=like_input(upper),
        share_one_sided=like_input(share1),
        lower_one_sided=like_input(lower1),
        upper_one_sided=like_input(upper1),
        size=done,
        level=chance,
    )


def _shares(shift: ArrayLike | None, k: int) -> NDArray[np.float64]:
    """Check how the sensitivity is spread over the coordinates; by default all of it on the first."""
    if shift is None:
        return np.ones(1)
    shares = real("shift", shift, at_least=0.0, at_most=1.0)
    if shares.shape != (k,):
        raise ParameterError(f"shift must hold one number for each of the {k} coordinates, got shape {shares.shape}")
    if shares.sum() > 1.0 + _SLACK:
        raise ParameterError(f"shift must add up to at most 1, got {shares.sum():g}")
    return shares


def _draw(
    epsilon0: float, changes: NDArray[np.float64], size: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Sum over the coordinates that change: with unit Laplace noise z, the loss is |z - change| - |z|.

    That is `change - 2z` held between -change and change; written so, the atoms at the ends are exact.
    """
    rows = max(1, _DRAWS_PER_BATCH // max(1, changes.size))
    for start in range(0, size, rows):
        noise = rng.laplace(size=(min(rows, size - start), changes.size))
        losses = np.clip(changes - 2.0 * noise, -changes, changes).sum(axis=1)
        yield np.clip(losses, -epsilon0, epsilon0)  # the sum of the changes may pass epsilon0 by rounding


def _count_above(values: NDArray[np.float64], ordered: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each of the ordered levels, count the values that are strictly larger."""
    levels_passed = np.bincount(np.searchsorted(ordered, values, side="left"), minlength=ordered.size + 1)
    return levels_passed[::-1].cumsum()[::-1][1:]


def _clopper_pearson(
    hits: NDArray[np.int64], size: int, level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return share, lower end and upper end of the exact binomial interval."""
    tail = 0.5 * (1.0 - level)
    misses = size - hits
    lower = special.betaincinv(np.maximum(hits, 1), misses + 1, tail)
    upper = special.betainccinv(hits + 1, np.maximum(misses, 1), tail)
    return hits / size, np.where(hits == 0, 0.0, lower), np.where(misses == 0, 1.0, upper)
