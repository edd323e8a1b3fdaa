"""How many releases a target allows, and which level each of a planned number of releases may have."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition.accountants import LARGEST_EPSILON0, rdp
from par_core.composition.comparison import ACCOUNTANTS
from par_core.composition.exact import SMALLEST_DELTA
from par_core.composition.law import Floats
from par_core.composition.mixed import MOST_MIXED, exact_mixed
from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import one, one_whole, real
from par_core.published.explicit import LARGEST_K
from par_core.roots import crossing
from par_core.standing import PROVEN, Result, Standing, Told, quantities

EXACT = "exact"
BOUND = "Bound"
_SMALLEST_EPSILON0 = 1e-6
_CLOSE = 1e-9  # how closely a level is found, relative


@dataclass(frozen=True)
class Plan(Result):
    """How many releases, 0 if not even one fits, at which level one accountant (or "exact") allows within a target.

    `epsilon` is what they come to together by it, at most the target. `at_limit` says whether the search ended at the largest
    number, or the largest level, that is looked at.
    """

    key: str
    name: str
    epsilon0: float
    compositions: int
    epsilon: float
    at_limit: bool
    QUANTITIES = quantities(epsilon0=Told("level", "down"), compositions=Told("count", "down"))
    standing: Standing
    source: str
    limits: str

    @property
    def is_bound(self) -> bool:
        """Whether it is the exact count of a mechanism of which only bounds are known: more may fit than is said."""
        return self.name == BOUND

    @property
    def claim(self) -> str:
        """What it claims, by its id in the ledger, where it is PUBLISHED."""
        return ACCOUNTANTS[self.key].claim if self.key in ACCOUNTANTS else ""


def largest_compositions(key: str, epsilon0: float, *, epsilon: float, delta: float, k: int = 1) -> Plan:
    """Largest number of releases at one level that stays within (epsilon, delta), by one accountant.

    `key` is one of `ACCOUNTANTS`, or "exact", which counts with its guaranteed upper end. epsilon0, from 1e-6 to 50, is the level of each
    release, epsilon, above 0, and delta, from 1e-15 to below 1, are the target for all of them. The dimension k of the query, 1 to
    100,000, plays a part in the claims of Privacy at Risk alone.

    >>> largest_compositions("basic", 0.1, epsilon=0.3, delta=1e-5).compositions
    3
    """
    (plan,) = compositions_within(key, epsilon0, epsilons=[one("epsilon", epsilon, above=0)], delta=delta, k=k)
    return plan


def compositions_within(
    key: str, epsilon0: float, *, epsilons: ArrayLike, delta: float, k: int = 1
) -> tuple[Plan, ...]:
    """`largest_compositions` for several targets, `epsilons` of shape (n,), in one search."""
    level = one("epsilon0", epsilon0, at_least=_SMALLEST_EPSILON0, at_most=LARGEST_EPSILON0)
    targets = np.atleast_1d(real("epsilons", epsilons, above=0))
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1)
    most, dimension = _largest(key), one_whole("k", k, at_least=1, at_most=LARGEST_K)

    def together(numbers: NDArray[np.int64]) -> Floats:
        return _epsilons(key, level, numbers, delta=small, k=dimension)

    low = np.zeros(len(targets), dtype=np.int64)  # fits
    high = np.full(len(targets), most + 1)  # does not
    start = np.clip(np.minimum(targets, most * level) / level, 1, most).astype(np.int64)
    guess = start if key != EXACT else _guess(level, targets, small, most)
    while (open_ := low + 1 < high).any():
        guess = np.clip(guess, low + 1, high - 1)
        fits = together(guess[open_]) <= _raised(targets[open_])
        low[open_] = np.where(fits, guess[open_], low[open_])
        high[open_] = np.where(fits, high[open_], guess[open_])
        guess = np.where(high > most, low * 2, (low + high) // 2)
    spent = np.where(low > 0, np.minimum(together(np.maximum(low, 1)), targets), 0.0)
    return tuple(
        _plan(key, level, number, together=each, at_limit=number == most)
        for number, each in zip(low.tolist(), spent.tolist(), strict=True)
    )


def epsilon0_for(key: str, compositions: int, *, epsilon: float, delta: float, k: int = 1) -> Plan:
    """Largest level, rounded down, at which a planned number of releases stays within (epsilon, delta), by one accountant.

    As `largest_compositions`, with the number of releases, from 1 to 1,000,000, in place of the level.
    InfeasibleError if no level from 1e-6 on is small enough; `.best` is what the smallest one comes to.

    >>> round(epsilon0_for("basic", 4, epsilon=1.0, delta=1e-5).epsilon0, 6)
    0.25
    """
    number = one_whole("compositions", compositions, at_least=1, at_most=min(_largest(key), MOST_MIXED))
    target = one("epsilon", epsilon, above=0)
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1)
    dimension = one_whole("k", k, at_least=1, at_most=LARGEST_K)

    def excess(level: float) -> float:
        return _epsilon(key, level, number, delta=small, k=dimension) - target

    at_least = excess(_SMALLEST_EPSILON0)
    if at_least > 0:
        raise InfeasibleError(
            f"no epsilon0 keeps {number:,} releases within {target:g}: even {_SMALLEST_EPSILON0:g} comes to {at_least + target:g}",
            best=at_least + target,
        )
    start = max(target / number, _SMALLEST_EPSILON0)
    if key == EXACT:
        start = _level_below(lambda level: float(rdp(level, number, delta=small)) - target, start)
    level = _level_below(excess, min(start, LARGEST_EPSILON0))
    return _plan(
        key,
        level,
        number,
        together=_epsilon(key, level, number, delta=small, k=dimension),
        at_limit=level >= LARGEST_EPSILON0,
    )


def largest_proven(found: Sequence[Plan], *, by: Literal["compositions", "epsilon0"]) -> Plan | None:
    """Return the plan that allows the most among those that are proven: each of them is safe, so the largest is.

    None where no plan is proven; `by` is what was asked for. The first one among equals.
    """
    return max((plan for plan in found if plan.standing is PROVEN), key=lambda plan: getattr(plan, by), default=None)


def _level_below(excess: Callable[[float], float], start: float) -> float:
    """Return the largest level, to a billionth of it, whose excess is not above 0; the smallest level if none is."""
    low = high = min(max(start, _SMALLEST_EPSILON0), LARGEST_EPSILON0)
    factor = 1.1
    while low > _SMALLEST_EPSILON0 and excess(low) > 0:
        low, high, factor = max(low / factor, _SMALLEST_EPSILON0), low, factor**2
    if low == _SMALLEST_EPSILON0 and excess(low) > 0:
        return low
    while excess(high) <= 0:
        if high >= LARGEST_EPSILON0:
            return high
        low, high, factor = high, min(high * factor, LARGEST_EPSILON0), factor**2
    return crossing(excess, high, low, rtol=_CLOSE)


def _guess(level: float, targets: Floats, delta: float, most: int) -> NDArray[np.int64]:
    """Return numbers of releases near the largest ones, from an accountant that is quick."""
    numbers: NDArray[np.int64] = np.unique(np.geomspace(1, most, 400).astype(np.int64))
    fitting = np.searchsorted(np.asarray(rdp(level, numbers, delta=delta)), targets, side="right")
    return np.where(fitting, (numbers[np.maximum(fitting, 1) - 1] * 1.1).astype(np.int64) + 1, 1)


def _epsilon(key: str, level: float, number: int, *, delta: float, k: int) -> float:
    return float(_epsilons(key, level, np.array([number]), delta=delta, k=k)[0])


def _epsilons(key: str, level: float, numbers: NDArray[np.int64], *, delta: float, k: int) -> Floats:
    if key == EXACT:
        different, back = np.unique(numbers, return_inverse=True)
        found = [exact_mixed([level], [number], delta=delta).upper for number in different.tolist()]
        return np.array(found, dtype=np.float64)[back]
    extra = {"k": k} if ACCOUNTANTS[key].at_risk else {}
    return np.asarray(ACCOUNTANTS[key].epsilon(level, numbers, delta=delta, **extra))


def _raised(targets: Floats) -> Floats:
    """Return the targets with room for the rounding of a product: three times 0.1 is to fit into 0.3."""
    return targets * (1 + 4 * math.ulp(1.0))


def _largest(key: str) -> int:
    if not isinstance(key, str) or key not in (EXACT, *ACCOUNTANTS):
        raise ParameterError(f"key must be 'exact' or among {', '.join(ACCOUNTANTS)}, got {key!r}")
    return MOST_MIXED if key == EXACT else ACCOUNTANTS[key].largest


def _plan(key: str, level: float, number: int, *, together: float, at_limit: bool) -> Plan:
    if key == EXACT:
        source = "exact composition of the Laplace mechanism, guaranteed upper end"
        return Plan(key, "Exact", level, number, together, at_limit, PROVEN, source, "for the Laplace mechanism")
    by = ACCOUNTANTS[key]
    return Plan(key, by.name, level, number, together, at_limit, by.standing, by.source, by.limits)
