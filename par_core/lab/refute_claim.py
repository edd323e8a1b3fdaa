"""Refute a claim: releases of a mechanism that may have less noise than it says, and what they give away to whoever looks on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from par_core.audit.outputs import Tried, try_on
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES, Noise
from par_core.parameters import check_choice, check_integer, check_number
from par_core.randomness import generator, seeded

Against = Literal["level", "curve"]
AGAINST: tuple[Against, ...] = ("level", "curve")
FEWEST_PAIRS, MOST_PAIRS = 4, 20_000


@dataclass(frozen=True, eq=False)
class TriedClaim(Result):
    """A claim about a mechanism of which the truth is known, tried on pairs of its releases.

    `epsilon` and `delta` are claimed, or with `against` "curve" the whole trade-off function of `noise` for them. It has only a `share` of
    the noise that this takes, and goes with the same delta to the epsilon `truth`.
    """

    noise: str
    epsilon: float
    delta: float
    share: float
    against: Against
    truth: float
    tried: Tried
    QUANTITIES = quantities(truth=stated("level", "up"))
    evidence = Evidence(PROVEN, source="distribution of the noise")


@Evidence(PROVEN, source="draws from the distribution of the noise")
def releases(
    kind: str, epsilon: float, pairs: int, *, share: float = 1.0, delta: float = 1e-5, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw pairs of releases: of a count that is 1 with somebody, and 0 without; shape (pairs, 2).

    `kind` is a name in `NOISES`. The noise has a `share`, 0.01 to 10, of the scale that `epsilon`, 0.001 to 20, takes, where it needs
    one with `delta`, 0 to 0.5 (above 0 for Gaussian noise). There are 4 to 20,000 pairs.

    >>> seen = releases("laplace", 1.0, 20_000, share=0.5, rng=np.random.default_rng(1))
    >>> seen.shape, [round(float(each), 1) for each in np.median(seen, axis=0)]
    ((20000, 2), [1.0, 0.0])
    """
    number = check_integer("pairs", pairs, at_least=FEWEST_PAIRS, at_most=MOST_PAIRS)
    return np.asarray(_made(_claimed(kind, epsilon, delta), share).sample([1, 0], number, generator(rng)), dtype=float)


def try_claim(
    kind: str,
    epsilon: float,
    pairs: int,
    *,
    share: float = 1.0,
    delta: float = 1e-5,
    against: Against = "level",
    seed: int = 1,
) -> TriedClaim:
    """Try to refute a claim on drawn releases; arguments as in `releases`, `against` "level" or "curve", a seed of at least 0.

    >>> found = try_claim("laplace", 1.0, 1000, share=0.5)
    >>> found.tried.refutation.refuted_after, found.truth
    (47, 2.0)
    """
    check_choice("against", against, AGAINST)
    claimed = _claimed(kind, epsilon, delta)
    assert claimed.guarantee is not None
    level, small = check_number("epsilon", epsilon), claimed.guarantee.delta
    rng = seeded(check_integer("seed", seed, at_least=0))
    first, second = releases(kind, level, pairs, share=share, delta=delta, rng=rng).T
    tried = try_on(first, second, claimed if against == "curve" else level, delta=small)
    truth = _made(claimed, share).epsilon(small)
    return TriedClaim(claimed.name, level, small, float(share), against, truth, tried)


def _claimed(kind: str, epsilon: float, delta: float) -> Noise:
    """Return the noise that the claim takes."""
    level = check_number("epsilon", epsilon, at_least=1e-3, at_most=20.0)
    aim = check_number("delta", delta, at_least=0.0, at_most=0.5)
    return NOISES[check_choice("kind", kind, NOISES)].for_epsilon(level, sensitivity=1, delta=aim)


def _made(claimed: Noise, share: float) -> Noise:
    """Return the noise that there is."""
    return claimed.with_scale(check_number("share", share, at_least=0.01, at_most=10.0) * claimed.scale)
