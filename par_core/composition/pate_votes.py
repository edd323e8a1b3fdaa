"""What the queries of PATE spend together: as published, and as proven, for these votes and for any."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition.accountants import rdp
from par_core.composition.brackets import SMALLEST_DELTA
from par_core.composition.exact import exact
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.limits import LARGEST_EPSILON0
from par_core.mechanisms.noisy_max import MOST_QUERIES, SMALLEST_EPSILON0, NoisyMax
from par_core.parameters import check_integers, check_number, like_input
from par_core.published import explicit, pate

_EXACT_QUERIES, _EXACT_LEVEL = 1_000, 10.0  # beyond, the exact count takes seconds

_Floats = NDArray[np.float64]


@overload
def any_votes(epsilon0: float, numbers: int, *, delta: float) -> float: ...
@overload
def any_votes(epsilon0: float, numbers: ArrayLike, *, delta: float) -> _Floats: ...
@Evidence(
    PROVEN,
    source="noisy counts, each with Laplace noise at epsilon0/2, hold more than their maximum; exact composition of these, by Rényi "
    "divergences for more than 1,000 queries or above epsilon0 = 10",
)
def any_votes(epsilon0: float, numbers: ArrayLike, *, delta: float) -> float | _Floats:
    """Epsilon of so many queries together, `numbers` of them, whatever the votes; rounded up, in the shape of `numbers`.

    `epsilon0`, from 1e-6 to 50, is the level of one query, and delta, from 1e-15 to below 1, that of all of them.

    >>> round(any_votes(0.1, 1000, delta=1e-5), 2)
    11.35
    """
    level = check_number("epsilon0", epsilon0, at_least=SMALLEST_EPSILON0, at_most=LARGEST_EPSILON0)
    counts = 2 * check_integers("numbers", numbers, at_least=1, at_most=MOST_QUERIES)
    small = check_number("delta", delta, at_least=SMALLEST_DELTA, below=1)
    if counts.max() <= 2 * _EXACT_QUERIES and level <= _EXACT_LEVEL:
        found: float | _Floats = exact(level / 2, counts, delta=small).upper
    else:
        found = like_input(np.asarray(rdp(level / 2, counts, delta=small)) * (1 + 1e-12))
    return found


@dataclass(frozen=True)
class VoteComposition(Result):
    """What the first `numbers` of the queries spend together at `delta`; arrays of the shape of `numbers`.

    As published: `plain` is PATE's data-dependent bound, `at_risk` the same with privacy at risk (`epsilon` with `confidence`), and
    `script` what the published script makes of that by its index slip. As proven: `these_votes` holds for the given votes alone, and
    itself gives something of them away; `any_votes` holds for all.
    """

    epsilon0: float
    delta: float
    epsilon: float
    confidence: float
    moments: int
    numbers: NDArray[np.int64]
    plain: _Floats
    at_risk: _Floats
    script: _Floats
    these_votes: _Floats
    any_votes: _Floats
    QUANTITIES = quantities(
        plain=stated(
            "level",
            basis=PUBLISHED,
            claim="par-table-1-theorem-3",
            holds=lambda count: count.plain >= count.these_votes,
        ),
        at_risk=stated(
            "level",
            basis=PUBLISHED,
            claim="par-table-1-mixture",
            holds=lambda count: count.at_risk >= count.these_votes,
        ),
        script=stated("level", basis=PUBLISHED, claim="par-table-1-script"),
        these_votes=stated("level", "up", basis=PROVEN),
        any_votes=stated("level", "up", basis=PROVEN),
    )
    evidence = Evidence(
        PUBLISHED,
        source="Papernot et al. 2017, Theorem 3; Privacy at Risk (PoPETs 2021), table 1; proven: distribution of the noise, composed",
        limits="the published numbers have no proof in both directions; what holds for these votes alone depends on them",
    )


def compose_votes(
    votes: ArrayLike,
    epsilon0: float,
    *,
    delta: float,
    epsilon: float,
    confidence: float | None = None,
    moments: int = 8,
    numbers: ArrayLike | None = None,
) -> VoteComposition:
    """Count the first so many queries, `numbers` of them, by default all, in every way.

    `votes`, shape (queries, classes), and `epsilon0`, the level of one query, are those of `mechanisms.noisy_max.NoisyMax`, `moments`,
    `epsilon` and `confidence` those of `published.pate`. DataError for votes that are none.

    >>> count = compose_votes([[170, 80]] * 100, 0.1, delta=1e-5, epsilon=0.08)
    >>> [round(float(each), 3) for each in (count.plain, count.at_risk, count.these_votes, count.any_votes)]
    [1.899, 1.808, 1.164, 2.893]
    """
    asked, small = NoisyMax(votes, epsilon0), check_number("delta", delta, at_least=SMALLEST_DELTA, below=1)
    level, hoped = asked.epsilon0, check_number("epsilon", epsilon, above=0)
    share = float(explicit.confidence(min(hoped, level), level)) if confidence is None else confidence
    queries = len(asked.votes)
    at = check_integers("numbers", queries if numbers is None else numbers, at_least=1, at_most=queries)
    for_any = np.reshape(_of_any_votes(level, tuple(at.ravel().tolist()), small), at.shape)

    def count(how: Callable[..., Any], **at_risk: float) -> _Floats:
        return np.asarray(how(asked.votes, level, delta=small, numbers=at, moments=moments, **at_risk))

    return VoteComposition(
        epsilon0=level,
        delta=small,
        epsilon=hoped,
        confidence=share,
        moments=moments,
        numbers=at,
        plain=count(pate.spent),
        at_risk=count(pate.spent, epsilon=hoped, confidence=share),
        script=count(pate.spent_by_script, epsilon=hoped, confidence=share),
        these_votes=np.asarray(np.minimum(_spent(asked.log_moments(moments), small, at), for_any)),
        any_votes=for_any,
    )


@lru_cache(maxsize=256)
def _of_any_votes(level: float, numbers: tuple[int, ...], delta: float) -> tuple[float, ...]:
    """Return `any_votes`, which takes longest, and is the same while another table or epsilon is tried."""
    return tuple(any_votes(level, numbers, delta=delta).tolist())


def _spent(bounds: _Floats, delta: float, at: NDArray[np.int64]) -> _Floats:
    """Return epsilon from log moments at the best of them (Canonne, Kamath and Steinke 2020, Proposition 12)."""
    orders = np.arange(1, len(bounds) + 1).reshape(-1, *[1] * at.ndim)
    total = np.cumsum(bounds, axis=1)[:, at - 1]
    each = (total - math.log(delta) - np.log1p(orders)) / orders - np.log1p(1 / orders)
    return np.asarray(np.maximum(each.min(axis=0), 0.0))
