"""What *Privacy at Risk* prints about its definitions: footnote 2 and Lemma 2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result
from par_core.parameters import FloatOrArray, check_numbers, like_input, together

_PAPER = "Privacy at Risk (PoPETs 2021)"


@Evidence(PROVEN, source=_PAPER + ", footnote 2", limits="loose: a mechanism's privacy profile is the smallest delta")
def relaxed_delta(epsilon: ArrayLike, delta: ArrayLike, *, to: ArrayLike) -> FloatOrArray:
    """Delta that goes with a smaller epsilon, for any (epsilon, delta)-differentially private mechanism.

    It is delta + exp(epsilon) - exp(to), at most 1, where `epsilon`, at least 0, holds with `delta`, in [0, 1], and `to`, at
    least 0, is asked for instead; from `to` = epsilon on delta stays as it is.

    >>> round(relaxed_delta(1.0, 0.0, to=0.9), 4)
    0.2587
    """
    level, target = check_numbers("epsilon", epsilon, at_least=0.0), check_numbers("to", to, at_least=0.0)
    extra = check_numbers("delta", delta, at_least=0.0, at_most=1.0)
    level, extra, target = together(epsilon=level, delta=extra, to=target)
    # Both exponents are cut where the sum has long passed 1, so that nothing overflows.
    excess = np.exp(np.minimum(target, 700.0)) * np.expm1(np.clip(level - target, 0.0, 1.0))
    return like_input(np.minimum(extra + excess, 1.0))


@dataclass(frozen=True)
class MixedRisk(Result):
    """What Lemma 2 claims for a mechanism that uses one of two mechanisms at random."""

    epsilon: FloatOrArray
    risk: FloatOrArray
    evidence = Evidence(
        PUBLISHED,
        source=_PAPER + ", Lemma 2",
        limits="False: it averages the bounds on the losses, but the one mechanism that was used decides the loss. The exact"
        " probability for randomised response is mixture_exceeds.",
    )


def mixed_risk(
    epsilon1: ArrayLike,
    epsilon2: ArrayLike,
    *,
    confidence1: ArrayLike = 1.0,
    confidence2: ArrayLike = 1.0,
    share: ArrayLike = 0.5,
) -> MixedRisk:
    """Level and risk that Lemma 2 claims for a mixture of two mechanisms, in the shape of the broadcast arguments.

    The mechanisms hold their levels, above 0, with their confidences, in (0, 1]; `share` is the probability of the first.

    >>> claim = mixed_risk(0.1, 1.0)
    >>> claim.epsilon, claim.risk
    (0.55, 0.0)
    """
    first, second, sure1, sure2, chosen = together(
        epsilon1=check_numbers("epsilon1", epsilon1, above=0.0),
        epsilon2=check_numbers("epsilon2", epsilon2, above=0.0),
        confidence1=check_numbers("confidence1", confidence1, above=0.0, at_most=1.0),
        confidence2=check_numbers("confidence2", confidence2, above=0.0, at_most=1.0),
        share=check_numbers("share", share, at_least=0.0, at_most=1.0),
    )
    weight1, weight2 = chosen * sure1, (1.0 - chosen) * sure2
    held = weight1 + weight2
    part = weight1 / np.maximum(held, np.finfo(float).tiny)  # averaging with parts that add up to 1 cannot overflow
    return MixedRisk(epsilon=like_input(part * first + (1.0 - part) * second), risk=like_input(1.0 - held))
