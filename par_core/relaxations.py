"""What *Privacy at Risk* says follows from a privacy at risk, each statement beside its exact counterpart.

Theorem 2 (approximate differential privacy), Corollary 3 (probabilistic differential privacy), footnote 2 (a stronger
epsilon for a larger delta), Lemma 2 (mixing two mechanisms), Corollary 2 and Lemma 3 (processing the output). All exact
values are for the Laplace mechanism with the whole sensitivity in one coordinate, where not said otherwise.

A sound theorem fed with a false number is not itself refuted: Theorem 2 holds for the true risk, and fails for that of
Theorem 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core import privacy_loss
from par_core.errors import ParameterError
from par_core.parameters import like_input, real, together, whole
from par_core.published import explicit
from par_core.standing import PROVEN, PUBLISHED, Result, Standing, Told, declare, quantities

_PAPER = "Privacy at Risk (PoPETs 2021)"
_Floats = NDArray[np.float64]
_HALVINGS = 60


@declare(
    PROVEN,
    source=_PAPER + ", footnote 2",
    limits="loose: for the Laplace mechanism privacy_loss.delta is the smallest delta",
)
def weaken(epsilon: ArrayLike, delta: ArrayLike, *, to: ArrayLike) -> Any:
    """Delta that goes with a smaller epsilon, for any (epsilon, delta)-differentially private mechanism.

    It is delta + exp(epsilon) - exp(to), at most 1; from `to` = epsilon on delta stays as it is.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The level that holds.
    delta : array_like in [0, 1]
        The delta that it holds with.
    to : array_like, at least 0
        The level that is asked for instead.

    Returns
    -------
    float or ndarray
        In [delta, 1]; shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(weaken(1.0, 0.0, to=0.9), 4)
    0.2587
    """
    level, target = real("epsilon", epsilon, at_least=0.0), real("to", to, at_least=0.0)
    extra = real("delta", delta, at_least=0.0, at_most=1.0)
    level, extra, target = together(epsilon=level, delta=extra, to=target)
    # Both exponents are cut where the sum has long passed 1, so that nothing overflows.
    excess = np.exp(np.minimum(target, 700.0)) * np.expm1(np.clip(level - target, 0.0, 1.0))
    return like_input(np.minimum(extra + excess, 1.0))


@dataclass(frozen=True)
class ApproximateDelta(Result):
    """Delta of approximate differential privacy at epsilon, as published and exactly.

    `published` is Theorem 2 fed with the risk of Theorem 4, `sound` is Theorem 2 fed with the true risk (never below
    `exact`), and `exact` is the smallest delta there is. `valid` tells where the published delta is no smaller.
    """

    epsilon: Any
    epsilon0: Any
    k: Any
    published: Any
    sound: Any
    exact: Any
    valid: Any
    QUANTITIES = quantities(
        published=Told("number", claim="par-theorem-2-with-theorem-4"), exact=Told("number", "up", PROVEN)
    )
    standing: Standing = PUBLISHED
    source: str = _PAPER + ", Theorem 2 with the risk of Theorem 4"
    limits: str = "for k = 1 false above epsilon0 = ln 3; see largest_valid_epsilon0"


def approximate_delta(epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> ApproximateDelta:
    """Hold Theorem 2 of the paper, fed with Theorem 4's risk, against the exact delta.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The stronger level.
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.
    k : array_like of int, 1 to 100,000
        Dimension of the query.

    Returns
    -------
    ApproximateDelta
        Fields of the shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> found = approximate_delta(2.0, 2.5)
    >>> round(found.published, 3), round(found.exact, 3), found.valid
    (0.058, 0.221, False)
    """
    published = explicit.risk(epsilon, epsilon0, k=k)
    exact = privacy_loss.delta(epsilon, epsilon0)
    sound = privacy_loss.loss_exceeds(epsilon, epsilon0)
    level, calibrated, dimension, published, exact, sound = _together(epsilon, epsilon0, k, published, exact, sound)
    return ApproximateDelta(
        epsilon=level,
        epsilon0=calibrated,
        k=dimension,
        published=published,
        sound=sound,
        exact=exact,
        valid=published >= exact,
    )


@dataclass(frozen=True)
class ProbabilisticDelta:
    """Probability that the privacy loss is larger than epsilon, as published and exactly.

    `valid` tells where the published value is no smaller than the exact one.
    """

    epsilon: Any
    epsilon0: Any
    k: Any
    published: Any
    exact: Any
    valid: Any
    standing: Standing = PUBLISHED
    source: str = _PAPER + ", Corollary 3"
    limits: str = "false for every epsilon between 0 and epsilon0"


def probabilistic_delta(epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> ProbabilisticDelta:
    """Hold Corollary 3 of the paper against the exact probability of a larger loss.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The stronger level.
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.
    k : array_like of int, 1 to 100,000
        Dimension of the query.

    Returns
    -------
    ProbabilisticDelta
        Fields of the shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> found = probabilistic_delta(0.5, 1.0)
    >>> round(found.published, 3), round(found.exact, 3), found.valid
    (0.378, 0.847, False)
    """
    published = explicit.risk(epsilon, epsilon0, k=k)
    exact = privacy_loss.loss_exceeds(epsilon, epsilon0)
    level, calibrated, dimension, published, exact = _together(epsilon, epsilon0, k, published, exact)
    return ProbabilisticDelta(
        epsilon=level,
        epsilon0=calibrated,
        k=dimension,
        published=published,
        exact=exact,
        valid=published >= exact,
    )


@declare(
    PROVEN,
    source="where the slopes of Theorem 4's risk and of the exact delta are equal at epsilon0: twice the density of T is"
    " P(T <= epsilon0)",
    limits="worst-case neighbours; a statement about the two numbers, it does not make Theorem 4 true",
)
def largest_valid_epsilon0(k: ArrayLike) -> Any:
    """Largest epsilon0 up to which Theorem 2, fed with Theorem 4's risk, is right at every epsilon.

    Both the published and the exact delta are areas from epsilon to epsilon0, under a falling and under a rising curve;
    so if the first curve is the higher one at epsilon0, it is so everywhere.

    Parameters
    ----------
    k : array_like of int, 1 to 100,000
        Dimension of the query.

    Returns
    -------
    float or ndarray
        Between ln 3 (k = 1) and 2, rounded down; shape of `k`.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> round(largest_valid_epsilon0(1), 4), round(largest_valid_epsilon0(2), 2)
    (1.0986, 1.42)
    """
    dimension = whole("k", k, at_least=1)
    low, high = np.full(dimension.shape, 1.0), np.full(dimension.shape, 2.0)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        valid = 2.0 * explicit.t_pdf(middle, k=dimension) >= explicit.t_cdf(middle, k=dimension)
        low, high = np.where(valid, middle, low), np.where(valid, high, middle)
    return like_input(low)


@dataclass(frozen=True)
class MixedRisk:
    """What Lemma 2 claims for a mechanism that uses one of two mechanisms at random."""

    epsilon: Any
    risk: Any
    standing: Standing = PUBLISHED
    source: str = _PAPER + ", Lemma 2"
    limits: str = (
        "False: it averages the bounds on the losses, but the one mechanism that was used decides the loss. The exact"
        " probability for randomised response is mixture_exceeds."
    )


def mixed_risk(
    epsilon1: ArrayLike,
    epsilon2: ArrayLike,
    *,
    confidence1: ArrayLike = 1.0,
    confidence2: ArrayLike = 1.0,
    share: ArrayLike = 0.5,
) -> MixedRisk:
    """Level and risk that Lemma 2 of the paper claims for a mixture of two mechanisms.

    Parameters
    ----------
    epsilon1, epsilon2 : array_like, above 0
        Level of each mechanism.
    confidence1, confidence2 : array_like in (0, 1]
        Confidence with which each mechanism holds its level.
    share : array_like in [0, 1]
        Probability with which the first mechanism is used.

    Returns
    -------
    MixedRisk
        Fields of the shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> claim = mixed_risk(0.1, 1.0)
    >>> claim.epsilon, claim.risk, mixture_exceeds(claim.epsilon, [0.1, 1.0], shares=[0.5, 0.5])
    (0.55, 0.0, 0.5)
    """
    first, second = real("epsilon1", epsilon1, above=0.0), real("epsilon2", epsilon2, above=0.0)
    first, second, sure1, sure2, chosen = together(
        epsilon1=first,
        epsilon2=second,
        confidence1=real("confidence1", confidence1, above=0.0, at_most=1.0),
        confidence2=real("confidence2", confidence2, above=0.0, at_most=1.0),
        share=real("share", share, at_least=0.0, at_most=1.0),
    )
    weight1, weight2 = chosen * sure1, (1.0 - chosen) * sure2
    held = weight1 + weight2
    part = weight1 / np.maximum(held, np.finfo(float).tiny)  # averaging with parts that add up to 1 cannot overflow
    level = part * first + (1.0 - part) * second
    return MixedRisk(epsilon=like_input(level), risk=like_input(1.0 - held))


@declare(PROVEN, source="randomised response: every answer has a privacy loss of plus or minus its epsilon")
def mixture_exceeds(epsilon: ArrayLike, epsilons: ArrayLike, *, shares: ArrayLike) -> Any:
    """Probability of a privacy loss larger than epsilon when one of several randomised responses is used at random.

    The answers show which one was used, so that the loss is that one's own.

    Parameters
    ----------
    epsilon : array_like, at least 0
        The level asked about.
    epsilons : array_like of shape (m,), above 0
        Level of each randomised response.
    shares : array_like of shape (m,), in [0, 1] and adding up to 1
        Probability with which each is used.

    Returns
    -------
    float or ndarray
        In [0, 1]; shape of `epsilon`.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number; shapes that differ; shares that do not add up to 1.

    Examples
    --------
    >>> mixture_exceeds([0.05, 0.55, 1.0], [0.1, 1.0], shares=[0.5, 0.5])
    array([1. , 0.5, 0. ])
    """
    level, own = real("epsilon", epsilon, at_least=0.0), real("epsilons", epsilons, above=0.0)
    weights = real("shares", shares, at_least=0.0, at_most=1.0)
    if own.ndim != 1 or weights.shape != own.shape:
        raise ParameterError(f"shares must be as many as epsilons, got shapes {weights.shape} and {own.shape}")
    if abs(weights.sum() - 1.0) > 1e-9:
        raise ParameterError(f"shares must add up to 1, got {weights.sum():g}")
    return like_input(np.minimum((own > level[..., None]) @ weights, 1.0))


@dataclass(frozen=True)
class ThresholdedLoss(Result):
    """Privacy loss before and after a Laplace release is cut down to whether it lies above a threshold.

    The neighbours have the answers 0 and 1 (in units of the sensitivity). `above0` and `above1` are their probabilities
    of "above". `loss_above` and `loss_below` are the losses of the two answers if the database with answer 0 is the
    true one; for the other one the signs turn. `exceeds_after` and `delta_after` are the larger of the two databases'.
    """

    epsilon: Any
    epsilon0: Any
    threshold: Any
    above0: Any
    above1: Any
    loss_above: Any
    loss_below: Any
    exceeds_before: Any
    exceeds_after: Any
    delta_before: Any
    delta_after: Any
    QUANTITIES = quantities(exceeds_before=Told("share", "up"), exceeds_after=Told("share", "up"))
    standing: Standing = PROVEN
    source: str = _PAPER + ", Corollary 2 and Lemma 3, computed from the Laplace law"


def thresholded_loss(epsilon: ArrayLike, epsilon0: ArrayLike, *, threshold: ArrayLike = 0.5) -> ThresholdedLoss:
    """Release only whether the noisy answer is above a threshold: what becomes of the privacy loss.

    The probability of a loss above epsilon can rise (Corollary 2: privacy at risk does not survive processing), the
    delta of approximate differential privacy cannot (Lemma 3).

    Parameters
    ----------
    epsilon : array_like, at least 0
        The level asked about.
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.
    threshold : array_like
        In units of the sensitivity; the neighbours' answers are 0 and 1.

    Returns
    -------
    ThresholdedLoss
        Fields of the shape of the broadcast arguments.

    Raises
    ------
    ParameterError
        A value out of range, not finite or not a number.

    Examples
    --------
    >>> result = thresholded_loss(0.8, 1.0)
    >>> round(result.loss_above, 3), round(result.exceeds_before, 3), result.exceeds_after
    (-0.832, 0.751, 1.0)
    """
    level, calibrated = real("epsilon", epsilon, at_least=0.0), real("epsilon0", epsilon0, above=0.0)
    level, calibrated, cut = together(epsilon=level, epsilon0=calibrated, threshold=real("threshold", threshold))
    answers0 = np.stack([_noise_above(cut, calibrated), _noise_above(-cut, calibrated)])  # above, below
    answers1 = np.stack([_noise_above(cut - 1.0, calibrated), _noise_above(1.0 - cut, calibrated)])
    # Seen from the other database and turned round, "below the threshold" is "above one minus the threshold".
    losses = np.stack([_loss_above(cut, calibrated), -_loss_above(1.0 - cut, calibrated)])
    large = np.abs(losses) > level
    exceeds = np.maximum((answers0 * large).sum(axis=0), (answers1 * large).sum(axis=0))
    delta0 = -(answers0 * np.expm1(np.minimum(level, losses) - losses)).sum(axis=0)
    delta1 = -(answers1 * np.expm1(np.minimum(level, -losses) + losses)).sum(axis=0)
    return ThresholdedLoss(
        epsilon=like_input(level),
        epsilon0=like_input(calibrated),
        threshold=like_input(cut),
        above0=like_input(answers0[0]),
        above1=like_input(answers1[0]),
        loss_above=like_input(losses[0]),
        loss_below=like_input(losses[1]),
        exceeds_before=privacy_loss.loss_exceeds(level, calibrated),
        exceeds_after=like_input(np.minimum(exceeds, 1.0)),
        delta_before=privacy_loss.delta(level, calibrated),
        delta_after=like_input(np.maximum(delta0, delta1)),
    )


def _together(*values: Any) -> list[Any]:
    """Broadcast the fields of a result; if all are scalars they stay scalars."""
    return [value.item() if value.ndim == 0 else value for value in np.broadcast_arrays(*values)]


def _noise_above(cut: _Floats, epsilon0: _Floats) -> _Floats:
    """Probability that Laplace noise of scale 1/epsilon0 is above `cut`."""
    with np.errstate(over="ignore"):  # an infinite exponent gives the right 0
        tail = 0.5 * np.exp(-epsilon0 * np.abs(cut))
    return np.where(cut >= 0.0, tail, 1.0 - tail)


def _loss_above(cut: _Floats, epsilon0: _Floats) -> _Floats:
    """Logarithm of P(noise > cut)/P(noise > cut - 1), each case in a form that keeps the digits of small losses."""
    inside = np.clip(cut, 0.0, 1.0)
    between = -epsilon0 * inside - np.log1p(-np.expm1(-epsilon0 * (1.0 - inside)))
    with np.errstate(over="ignore"):
        tail = 0.5 * np.exp(epsilon0 * np.minimum(cut, 0.0))
    outside = np.log1p(tail * np.expm1(-epsilon0) / (1.0 - tail * np.exp(-epsilon0)))
    return np.where(cut < 0.0, outside, between)
