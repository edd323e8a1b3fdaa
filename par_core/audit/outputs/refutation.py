"""A sequential test of a claimed privacy level: it looks at one pair of outputs after another, and stops as soon as it refutes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from par_core.audit.deltas import LARGEST_EPSILON
from par_core.audit.outputs.answer_sets import Floats, checked
from par_core.audit.outputs.betting import REFUTED_AT, Lines, lines_of, log_growth
from par_core.evidence import ESTIMATE, Evidence, Result, quantities, stated
from par_core.mechanisms import PrivacyLoss
from par_core.parameters import check_number, check_type
from par_core.progress import Progress, portion


@dataclass(frozen=True, eq=False)
class Refutation(Result):
    """What bets against a claim have won.

    `wealth`, (pairs,), is that after each pair, in units of what the bets began with. The claim is refuted after `refuted_after`
    pairs, the first after which it is 20 or more, and the test ends there; None where it is not refuted, which confirms nothing.
    """

    wealth: Floats
    refuted_after: int | None
    QUANTITIES = quantities(highest=stated("number", "down"))
    evidence = Evidence(
        ESTIMATE,
        source="testing by betting (Waudby-Smith and Ramdas 2024; for differential privacy González and others 2025), Ville's inequality",
        limits="Of these two inputs: others may tell more. Each pair holds one answer on either input, drawn independently of earlier "
        "pairs. A claim that is not refuted is not confirmed.",
    )

    @property
    def pairs(self) -> int:
        """How many pairs were looked at."""
        return len(self.wealth)

    @property
    def highest(self) -> float:
        """The highest wealth; 1 at the start."""
        return max(1.0, float(self.wealth.max()))


def refute(
    first: ArrayLike, second: ArrayLike, epsilon: float, *, delta: float = 0.0, progress: Progress | None = None
) -> Refutation:
    """Try to refute that a mechanism is (epsilon, delta)-differentially private, from its outputs on two neighbouring inputs.

    The outputs are pairs in the order in which they came, at least 4; where there are more on one input, the last ones are left out.
    epsilon is 0 to 500, delta at least 0 and below 1. A true claim is refuted in at most 5 % of tests, however many pairs there are.

    >>> rng = np.random.default_rng(1)
    >>> found = refute(rng.laplace(1.0, 0.5, 2_000), rng.laplace(0.0, 0.5, 2_000), 1.0)  # epsilon is 2
    >>> found.refuted_after
    54
    """
    level = check_number("epsilon", epsilon, at_least=0.0, at_most=LARGEST_EPSILON)
    small = check_number("delta", delta, at_least=0.0, below=1.0)
    return _tested(first, second, np.array([[math.exp(level), small]]), portion(progress))


def refute_tradeoff(
    first: ArrayLike, second: ArrayLike, claimed: PrivacyLoss, *, progress: Progress | None = None
) -> Refutation:
    """Try to refute a claimed trade-off function; outputs as in `refute`.

    `claimed` is a mechanism, or releases composed, that loses as much as is claimed.

    >>> from par_core.mechanisms import Gaussian
    >>> rng = np.random.default_rng(1)
    >>> refute_tradeoff(rng.normal(1.0, 0.5, 2_000), rng.normal(0.0, 0.5, 2_000), Gaussian(1.0)).refuted_after
    49
    """
    return _tested(first, second, lines_of(check_type("claimed", claimed, PrivacyLoss)), portion(progress))


def _tested(first: ArrayLike, second: ArrayLike, lines: Lines, progress: Progress) -> Refutation:
    one_input, other = checked(first, second)
    pairs = min(one_input.size, other.size)
    one_input, other = one_input[None, :pairs], other[None, :pairs]
    wealth, parts = 0.0, []
    for growth in log_growth(one_input, other, lines):
        parts.append(wealth + np.cumsum(growth[0]))
        wealth = parts[-1][-1]
        so_far = sum(map(len, parts))
        if len(reached := np.flatnonzero(parts[-1] >= math.log(REFUTED_AT))):
            progress(1.0)
            after = so_far - len(parts[-1]) + int(reached[0]) + 1
            return Refutation(np.exp(np.concatenate(parts)[:after]), after)
        progress(so_far / pairs)
    return Refutation(np.exp(np.concatenate(parts)), None)
