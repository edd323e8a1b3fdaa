"""A claim tried both ways: pair after pair until it is refuted, and with all outputs at once."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from par_core.audit.deltas import LARGEST_EPSILON
from par_core.audit.outputs.fixed_sample import EpsilonBound, TradeoffCheck, check_tradeoff, epsilon_at_least
from par_core.audit.outputs.refutation import Refutation, refute, refute_tradeoff
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.mechanisms import PrivacyLoss
from par_core.parameters import check_number
from par_core.progress import Progress, portion


@dataclass(frozen=True, eq=False)
class Tried(Result):
    """What the `refutation`, which takes one pair after another, and a fixed sample say; `check` is None without a curve.

    `at_once` says whether the fixed sample refutes the claim.
    """

    refutation: Refutation
    bound: EpsilonBound
    check: TradeoffCheck | None
    at_once: bool
    evidence = Evidence(ESTIMATE, source="that of each")


def try_on(
    first: ArrayLike,
    second: ArrayLike,
    claimed: float | PrivacyLoss,
    *,
    delta: float = 0.0,
    progress: Progress | None = None,
) -> Tried:
    """Try a claim on outputs on two neighbouring inputs, which are those of `refute`.

    `claimed` is an epsilon, 0 to 500, or a mechanism whose trade-off function is claimed; then `delta` is that of the bound alone.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> tried = try_on(rng.laplace(1.0, 0.5, 2_000), rng.laplace(0.0, 0.5, 2_000), 1.0)  # epsilon is 2
    >>> tried.refutation.refuted_after, tried.bound.epsilon > 1.0
    (54, True)
    """
    tell = portion(progress)
    curve = claimed if isinstance(claimed, PrivacyLoss) else None
    level = check_number("claimed", claimed, at_least=0.0, at_most=LARGEST_EPSILON) if curve is None else 0.0
    bound = epsilon_at_least(first, second, delta=delta)
    tell(0.05)
    if curve is None:
        rest = portion(tell, 0.05, 1.0)
        return Tried(refute(first, second, level, delta=delta, progress=rest), bound, None, bound.epsilon > level)
    check = check_tradeoff(first, second, curve)
    tell(0.1)
    return Tried(
        refute_tradeoff(first, second, curve, progress=portion(tell, 0.1, 1.0)), bound, check, check.is_refuted
    )
