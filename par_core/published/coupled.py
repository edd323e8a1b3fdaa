"""Explicit and implicit randomness together: noise that is calibrated to a sampled sensitivity (PaR Theorem 6).

eta is by how much the true sensitivity exceeds the sampled one. The release is then private at eta·epsilon0, not at
epsilon0, and Theorem 4 is applied there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, PUBLISHED, Evidence
from par_core.mechanisms.mechanism import moved_until
from par_core.parameters import FloatOrArray, check_numbers, like_input
from par_core.published import explicit
from par_core.published.as_printed import AsPrinted

PAPER_ETA = 1 + 2 * 0.01 / 0.15  # in every curve of figure 3; neither 2 nor 0.15 stands in the text

_FALSE = (
    "Rests on Theorem 4, which is false for every epsilon below eta·epsilon0, and on Theorem 5, which loses a -rho. The exact "
    "confidence of the noise alone is Laplace(eta·epsilon0).loss_within(epsilon), below half of the published one."
)
_THEOREM_6 = "Privacy at Risk (PoPETs 2021), Theorem 6, equations 7 and 25"


@Evidence(
    PUBLISHED,
    source="Privacy at Risk (PoPETs 2021), Lemma 12 and Corollary 4",
    limits="False: a distribution function is not 1-Lipschitz. rho is a probability and the sensitivity has the query's unit, so that eta "
    "changes when dollars become thousands of dollars.",
).of("level", claim="par-lemma-12-unit")
def eta(rho: ArrayLike, sampled_sensitivity: ArrayLike, *, order: ArrayLike = 2.0, unit: ArrayLike = 1.0) -> AsPrinted:
    """Ratio of the true to the sampled sensitivity by the paper's model: 1 + order·rho/(sampled_sensitivity/unit).

    `rho`, at least 0, is the distance between the empirical and the true distribution, a probability; the sensitivity, above 0,
    is in the unit of the query, and `unit` of these, above 0, make one of those that the same data are then told in: 1000 for
    thousands. `order`, at least 0, is the constant c of the model.

    >>> round(eta(0.01, 0.15), 4), round(eta(0.01, 0.15, unit=1000), 4)    # the same data in thousands
    (1.1333, 134.3333)
    """
    distance, constant = check_numbers("rho", rho, at_least=0), check_numbers("order", order, at_least=0)
    sampled = check_numbers("sampled_sensitivity", sampled_sensitivity, above=0)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        ratio = 1 + constant * distance / (sampled / check_numbers("unit", unit, above=0))
    return like_input(_finite(ratio))


@Evidence(
    PROVEN,
    source="the definition of eta: true over sampled sensitivity",
    limits="as good as the bound: a sensitivity that no pair of neighbours exceeds",
).of("level", "up")
def eta_of_bound(bound: ArrayLike, sampled_sensitivity: ArrayLike) -> FloatOrArray:
    """Ratio of a proven bound on the sensitivity to the sampled one, both above 0: an upper end of the true ratio.

    It is below 1 where the sample exceeds the bound.
    """
    largest, sampled = (
        check_numbers("bound", bound, above=0),
        check_numbers("sampled_sensitivity", sampled_sensitivity, above=0),
    )
    with np.errstate(over="ignore"):
        ratio = largest / sampled
    return like_input(_finite(ratio))


@Evidence(PUBLISHED, source=_THEOREM_6, limits=_FALSE)
def confidence(
    epsilon: ArrayLike,
    epsilon0: ArrayLike,
    *,
    eta: ArrayLike,
    confidence2: ArrayLike = 1.0,
    alpha: ArrayLike = 1.0,
    k: ArrayLike = 1,
) -> AsPrinted:
    """Published confidence that a release is as private as epsilon, with noise for epsilon0 and a sampled sensitivity.

    It is P(T <= epsilon)/P(T <= eta·epsilon0)·confidence2·alpha, at most confidence2·alpha, for a query with k numbers, 1 to
    100,000. `epsilon`, at least 0, is hoped for, and the noise calibrated to `epsilon0`, above 0, with the sampled sensitivity;
    `eta`, above 0, is the true one over that, below 1 where the sample exceeds the truth. Both in [0, 1], `confidence2` is the
    quantile that was taken: how often the sampled sensitivity is not exceeded; and `alpha` how far the sample itself can be
    trusted (`sampling.tolerance`).

    >>> round(confidence(0.5, 1.0, eta=PAPER_ETA, alpha=0.9), 4)
    0.5223
    """
    level, ratio = check_numbers("epsilon0", epsilon0, above=0), check_numbers("eta", eta, above=0)
    with np.errstate(over="ignore"):
        reached = level * ratio
    noise = explicit.confidence(epsilon, reached, k=k)
    return like_input(np.asarray(noise * _trust(confidence2, alpha), dtype=np.float64))


@Evidence(PUBLISHED, source=_THEOREM_6 + ", solved for epsilon0", limits=_FALSE)
def epsilon0_for(
    epsilon: ArrayLike,
    wanted: ArrayLike,
    *,
    eta: ArrayLike,
    confidence2: ArrayLike = 1.0,
    alpha: ArrayLike = 1.0,
    k: ArrayLike = 1,
) -> AsPrinted:
    """Largest epsilon0, that is least noise, that keeps the published confidence in epsilon (above 0) at `wanted`, in [0, 1].

    It is at least epsilon/eta, rounded down until `confidence` with it meets the wish; in arrays inf where every epsilon0 will
    do. Other parameters as in `confidence`. InfeasibleError for a wish above confidence2·alpha, which no noise can reach (`.best`
    is that); for scalars also for one that every epsilon0 meets, as in `explicit.epsilon0_for`.

    >>> found = epsilon0_for(0.4, 0.5, eta=1.1, confidence2=0.9, alpha=0.9)
    >>> round(confidence(0.4, found, eta=1.1, confidence2=0.9, alpha=0.9), 6)
    0.5
    """
    level, ratio = check_numbers("epsilon", epsilon, above=0), check_numbers("eta", eta, above=0)
    aim, trust = check_numbers("wanted", wanted, at_least=0, at_most=1), _trust(confidence2, alpha)
    if np.any(aim > trust):
        best = float(np.min(trust))
        raise InfeasibleError(
            f"no noise reaches a confidence of {float(np.max(aim)):g}: with this sample the best there is is {best:.6g}, "
            "confidence2 times alpha",
            best=best,
        )
    with np.errstate(invalid="ignore"):
        share = np.where(trust > 0, np.minimum(aim / np.where(trust > 0, trust, 1.0), 1.0), 0.0)
    with np.errstate(over="ignore"):
        found = np.asarray(explicit.epsilon0_for(level, like_input(np.asarray(share)), k=k)) / ratio
        enough = 0.5 * level / ratio
    finite = np.isfinite(found)

    def meets(
        each: NDArray[np.float64],
    ) -> FloatOrArray:  # the division and the product before it are rounded on their own
        return ~finite | (np.asarray(explicit.confidence(level, each * ratio, k=k)) * trust >= aim)

    moved = moved_until(meets, np.where(finite, found, 1.0), toward=np.where(finite, enough, 1.0))
    return like_input(np.where(finite, moved, found))


def _finite(ratio: NDArray[np.float64]) -> NDArray[np.float64]:
    """Refuse a ratio that no float holds: neither an infinite one nor one of 0 says anything."""
    if not (np.isfinite(ratio) & (ratio > 0)).all():
        raise ParameterError("sampled_sensitivity must not be so small or so large that the ratio leaves the floats")
    return ratio


def _trust(confidence2: ArrayLike, alpha: ArrayLike) -> NDArray[np.float64]:
    share = check_numbers("confidence2", confidence2, at_least=0, at_most=1)
    return np.asarray(share * check_numbers("alpha", alpha, at_least=0, at_most=1))
