"""What *Privacy at Risk* says follows from a privacy at risk, beside what is true of the noise.

Theorem 2 (approximate differential privacy), Corollary 3 (probabilistic differential privacy), Lemma 2 (mixing two
mechanisms), Corollary 2 and Lemma 3 (processing the output). A sound theorem fed with a false number is not itself
refuted: Theorem 2 holds for the true risk, and fails for that of Theorem 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.mechanisms import default_noise
from par_core.parameters import FloatOrArray, check_numbers, like_input, together
from par_core.published import explicit

_PAPER = "Privacy at Risk (PoPETs 2021)"
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ApproximateDelta(Result):
    """Delta of approximate differential privacy at epsilon, as published and exactly.

    `published` is Theorem 2 fed with the risk of Theorem 4, `sound` is Theorem 2 fed with the true risk (never below
    `exact`), and `exact` is the smallest delta there is. `valid` tells where the published delta is no smaller.
    """

    epsilon: FloatOrArray
    epsilon0: FloatOrArray
    k: FloatOrArray
    published: FloatOrArray
    sound: FloatOrArray
    exact: FloatOrArray
    valid: FloatOrArray
    QUANTITIES = quantities(
        published=stated("number", claim="par-theorem-2-with-theorem-4", holds=lambda found: found.valid),
        exact=stated("number", "up", PROVEN),
    )
    evidence = Evidence(
        PUBLISHED,
        source=_PAPER + ", Theorem 2 with the risk of Theorem 4",
        limits="for k = 1 false above epsilon0 = ln 3, for larger k above a level that stays below 2",
    )


def approximate_delta(epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> ApproximateDelta:
    """Hold Theorem 2 of the paper, fed with Theorem 4's risk, against the exact delta.

    The noise is calibrated to `epsilon0`, above 0; `epsilon`, at least 0, is the stronger level, k, 1 to 100,000, the dimension.

    >>> found = approximate_delta(2.0, 2.5)
    >>> round(found.published, 3), round(found.exact, 3), found.valid
    (0.058, 0.221, False)
    """
    published, noise = explicit.risk(epsilon, epsilon0, k=k), default_noise(epsilon0)
    exact, sound = noise.delta(epsilon), noise.loss_exceeds(epsilon)
    return ApproximateDelta(*_together(epsilon, epsilon0, k, published, sound, exact, published >= exact))


@dataclass(frozen=True)
class ProbabilisticDelta(Result):
    """Probability that the privacy loss is larger than epsilon, as published and exactly.

    `valid` tells where the published value is no smaller than the exact one.
    """

    epsilon: FloatOrArray
    epsilon0: FloatOrArray
    k: FloatOrArray
    published: FloatOrArray
    exact: FloatOrArray
    valid: FloatOrArray
    evidence = Evidence(
        PUBLISHED, source=_PAPER + ", Corollary 3", limits="false for every epsilon between 0 and epsilon0"
    )


def probabilistic_delta(epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> ProbabilisticDelta:
    """Hold Corollary 3 of the paper against the exact probability of a larger loss; parameters as in `approximate_delta`."""
    published, exact = explicit.risk(epsilon, epsilon0, k=k), default_noise(epsilon0).loss_exceeds(epsilon)
    return ProbabilisticDelta(*_together(epsilon, epsilon0, k, published, exact, published >= exact))


@Evidence(PROVEN, source="randomised response: every answer has a privacy loss of plus or minus its epsilon")
def mixture_exceeds(epsilon: ArrayLike, epsilons: ArrayLike, *, shares: ArrayLike) -> FloatOrArray:
    """Probability of a privacy loss larger than epsilon when one of several randomised responses is used at random.

    The answers show which one was used, so that the loss is that one's own. `epsilon`, at least 0, gives the result its shape;
    `epsilons`, above 0, are the levels of the responses, and `shares`, in [0, 1] and adding up to 1, their probabilities, both (m,).

    >>> mixture_exceeds([0.05, 0.55, 1.0], [0.1, 1.0], shares=[0.5, 0.5])
    array([1. , 0.5, 0. ])
    """
    level, own = check_numbers("epsilon", epsilon, at_least=0.0), check_numbers("epsilons", epsilons, above=0.0)
    weights = check_numbers("shares", shares, at_least=0.0, at_most=1.0)
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

    epsilon: FloatOrArray
    epsilon0: FloatOrArray
    threshold: FloatOrArray
    above0: FloatOrArray
    above1: FloatOrArray
    loss_above: FloatOrArray
    loss_below: FloatOrArray
    exceeds_before: FloatOrArray
    exceeds_after: FloatOrArray
    delta_before: FloatOrArray
    delta_after: FloatOrArray
    QUANTITIES = quantities(exceeds_before=stated("share", "up"), exceeds_after=stated("share", "up"))
    evidence = Evidence(PROVEN, source=_PAPER + ", Corollary 2 and Lemma 3, computed from the Laplace distribution")


def thresholded_loss(epsilon: ArrayLike, epsilon0: ArrayLike, *, threshold: ArrayLike = 0.5) -> ThresholdedLoss:
    """Release only whether the noisy answer is above a threshold: what becomes of the privacy loss.

    The probability of a loss above epsilon can rise (Corollary 2: privacy at risk does not survive processing), the
    delta of approximate differential privacy cannot (Lemma 3). The noise is calibrated to `epsilon0`, above 0, and `epsilon` is at
    least 0; the threshold is in units of the sensitivity, in which the neighbours' answers are 0 and 1.

    >>> result = thresholded_loss(0.8, 1.0)
    >>> round(result.loss_above, 3), round(result.exceeds_before, 3), result.exceeds_after
    (-0.832, 0.751, 1.0)
    """
    level, calibrated = check_numbers("epsilon", epsilon, at_least=0.0), check_numbers("epsilon0", epsilon0, above=0.0)
    level, calibrated, cut = together(
        epsilon=level, epsilon0=calibrated, threshold=check_numbers("threshold", threshold)
    )
    answers0 = np.stack([_noise_above(cut, calibrated), _noise_above(-cut, calibrated)])  # above, below
    answers1 = np.stack([_noise_above(cut - 1.0, calibrated), _noise_above(1.0 - cut, calibrated)])
    # Seen from the other database and turned round, "below the threshold" is "above one minus the threshold".
    losses = np.stack([_loss_above(cut, calibrated), -_loss_above(1.0 - cut, calibrated)])
    large = np.abs(losses) > level
    exceeds = np.maximum((answers0 * large).sum(axis=0), (answers1 * large).sum(axis=0))
    delta0 = -(answers0 * np.expm1(np.minimum(level, losses) - losses)).sum(axis=0)
    delta1 = -(answers1 * np.expm1(np.minimum(level, -losses) + losses)).sum(axis=0)
    noise = default_noise(calibrated)
    before, after = noise.loss_exceeds(level), np.minimum(exceeds, 1.0)
    deltas = noise.delta(level), np.maximum(delta0, delta1)
    return ThresholdedLoss(
        *_together(level, calibrated, cut, answers0[0], answers1[0], losses[0], losses[1], before, after, *deltas)
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
