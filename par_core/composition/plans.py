"""How many releases a target allows, and which level each of a planned number of releases may have."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from par_core.composition.accountants import LARGEST_EPSILON0, rdp
from par_core.composition.comparison import ACCOUNTANTS
from par_core.composition.exact import SMALLEST_DELTA
from par_core.composition.mixed import MOST_MIXED, exact_mixed
from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import one, one_whole
from par_core.published.explicit import LARGEST_K
from par_core.roots import crossing
from par_core.standing import PROVEN, Result, Standing, Told, quantities

EXACT = "exact"
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
    QUANTITIES = quantities(epsilon0=Told("level", "down"))
    standing: Standing
    source: str
    limits: str

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
    level = one("epsilon0", epsilon0, at_least=_SMALLEST_EPSILON0, at_most=LARGEST_EPSILON0)
    target = one("epsilon", epsilon, above=0)
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1)
    most, dimension = _largest(key), one_whole("k", k, at_least=1, at_most=LARGEST_K)

    def fits(number: int) -> bool:
        return _epsilon(key, level, number, delta=small, k=dimension) <= _raised(target)

    start = int(min(max(target / level, 1.0), float(most)))
    low, high = 0, most + 1  # low fits, high does not
    guess = _guess(level, target, small, most) if key == EXACT else start
    while low + 1 < high:
        guess = min(max(guess, low + 1), high - 1)
        if fits(guess):
            low = guess
            guess = low * 2 if high > most else (low + high) // 2
        else:
            high = guess
            guess = (low + high) // 2
    together = _epsilon(key, level, low, delta=small, k=dimension) if low else 0.0
    return _plan(key, level, low, together=min(together, target) if low else 0.0, at_limit=low == most)


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
    while excess(high) <= 0:
        if high >= LARGEST_EPSILON0:
            return high
        low, high, factor = high, min(high * factor, LARGEST_EPSILON0), factor**2
    return crossing(excess, high, low, rtol=_CLOSE)


def _guess(level: float, target: float, delta: float, most: int) -> int:
    """Return a number of releases near the largest one, from an accountant that is quick."""
    numbers: NDArray[np.int64] = np.unique(np.geomspace(1, most, 400).astype(np.int64))
    fitting = numbers[np.asarray(rdp(level, numbers, delta=delta)) <= target]
    return int(fitting[-1] * 1.1) + 1 if len(fitting) else 1


def _epsilon(key: str, level: float, number: int, *, delta: float, k: int) -> float:
    if key == EXACT:
        return float(exact_mixed([level], [number], delta=delta).upper)
    extra = {"k": k} if ACCOUNTANTS[key].at_risk else {}
    return float(ACCOUNTANTS[key].epsilon(level, number, delta=delta, **extra))


def _raised(target: float) -> float:
    """Return the target with room for the rounding of a product: three times 0.1 is to fit into 0.3."""
    return target * (1 + 4 * math.ulp(1.0))


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
