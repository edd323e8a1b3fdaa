"""Many releases of one mechanism, whichever it is: what they spend exactly, the accountants that hold for it, and plans."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from par_core.composition.accountants import LARGEST_EPSILON0
from par_core.composition.comparison import ACCOUNTANTS, AccountantCurve, Comparison, compare
from par_core.composition.composed import MOST_RELEASES, compose
from par_core.composition.exact import SMALLEST_DELTA, ExactComposition, bracket
from par_core.composition.plans import BOUND, EXACT, Plan
from par_core.composition.running import added_up
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import Mechanism
from par_core.parameters import listed, of_type, one, one_of, one_whole, shown, whole
from par_core.progress import Progress, portion
from par_core.roots import crossing, first_whole
from par_core.standing import PROVEN, declare

_SOURCE = "privacy profile of the mechanism, composed with guaranteed ends"
_LIMITS = "every release with its worst-case neighbours"
_ANY_PURE = ("basic", "advanced", "zcdp", "optimal_pure")  # these ask of a release only that it is epsilon0-private
_SMALLEST_EPSILON0 = 1e-6
_LARGEST = np.finfo(float).max
_CLOSE = 1e-6  # how closely a level is found, relative: more digits are not told


def holding(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the keys of the accountants that hold for a mechanism; those of the paper and RDP are for Laplace noise.

    >>> from par_core.mechanisms import Gaussian
    >>> holding(Gaussian(1.0))
    ('basic',)
    """
    return _ANY_PURE if math.isfinite(of_type("mechanism", mechanism, Mechanism).largest_loss) else ("basic",)


def exact_of(
    mechanism: Mechanism, compositions: ArrayLike, *, delta: float, progress: Progress | None = None
) -> ExactComposition:
    """Smallest epsilon for which n releases of a mechanism together are (epsilon, delta)-differentially private.

    n, of shape (n,) or single, is from 1 to 1,000,000, and delta as in `exact`.

    >>> from par_core.mechanisms import RandomisedResponse
    >>> found = exact_of(RandomisedResponse(0.5), 300, delta=1e-5)
    >>> round(found.upper, 3)
    70.868
    """
    numbers = whole("compositions", compositions, at_least=1, at_most=MOST_RELEASES)
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1.0)
    ends, tell = np.empty((2, numbers.size)), portion(progress)
    for done, number in enumerate(numbers.ravel().tolist()):
        ends[:, done] = _ends(mechanism, number, small)
        tell((done + 1) / numbers.size)
    low, high = ends.reshape(2, *numbers.shape)
    added = numbers * mechanism.largest_loss
    return bracket(0.5 * (low + high), low, high, added=added, source=f"{_SOURCE}: {mechanism.name}")


def _ends(mechanisms: Mechanism | Sequence[Mechanism], compositions: ArrayLike, delta: float) -> tuple[float, float]:
    """Return both ends; the lower one is that of what the releases lose at least, where that is less than what they may lose."""
    together = compose(mechanisms, compositions)
    low, high = together.epsilon_ends(delta).tolist()
    return low or float(together.lower.epsilon(delta)), high


def mixed_of(mechanisms: Sequence[Mechanism], compositions: ArrayLike, *, delta: float) -> ExactComposition:
    """Smallest epsilon for which releases of several mechanisms together are (epsilon, delta)-differentially private.

    `compositions`, of shape (mechanisms,), says how many there are of each; delta as in `exact`.
    """
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1.0)
    low, high = _ends(mechanisms, compositions, small)
    added = basic_of(mechanisms, compositions, delta=delta)
    return bracket(0.5 * (low + high), low, min(high, added), added=added, source=_SOURCE)


@declare(
    PROVEN,
    source="basic composition (Dwork and Roth, Theorem 3.16), each release at its part of delta where it needs one",
)
def basic_of(mechanisms: Sequence[Mechanism], compositions: ArrayLike, *, delta: float) -> float:
    """Epsilon of the same releases by basic composition, where one without a largest loss is taken at delta/n.

    >>> from par_core.mechanisms import Laplace
    >>> basic_of([Laplace(0.1), Laplace(0.2)], [1, 1], delta=1e-5)
    0.3
    """
    numbers = np.atleast_1d(whole("compositions", compositions, at_least=1, at_most=MOST_RELEASES))
    several = listed("mechanisms", mechanisms)
    if numbers.shape != (len(several),):
        raise ParameterError(
            f"compositions must be as many as there are mechanisms, {len(several)}, got {numbers.shape}"
        )
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1.0) / int(numbers.sum())
    levels = [float(of_type("mechanisms", each, Mechanism).largest_loss) for each in several]
    levels = [
        level if math.isfinite(level) else float(each.epsilon(small))
        for level, each in zip(levels, several, strict=True)
    ]
    return float(added_up(list(zip(levels, numbers.tolist(), strict=True))))


def compare_of(
    mechanism: Mechanism,
    epsilon0: float,
    compositions: ArrayLike,
    *,
    delta: float,
    keys: Sequence[str],
    truth: ExactComposition,
) -> Comparison:
    """Compare the accountants that hold for a mechanism, of those with these `keys`, with its exact composition, as `compare` does.

    Where the mechanism needs a delta, basic composition takes each release at delta/n.
    """
    asked = [one_of("keys", key, ACCOUNTANTS) for key in listed("keys", keys)]
    held = [key for key in asked if key in holding(mechanism)]
    of_type("truth", truth, ExactComposition)
    if math.isfinite(mechanism.largest_loss):
        return compare(epsilon0, compositions, delta=delta, keys=held, truth=truth)
    level, small = one("epsilon0", epsilon0, above=0.0), one("delta", delta, at_least=SMALLEST_DELTA, below=1.0)
    numbers = np.atleast_1d(whole("compositions", compositions, at_least=1, at_most=MOST_RELEASES))
    by, epsilon = ACCOUNTANTS["basic"], numbers * np.asarray(mechanism.epsilon(small / numbers))
    curve = AccountantCurve(
        by, small, epsilon, epsilon < truth.lower, by.standing, by.source, "each release at delta/n"
    )
    return Comparison(level, small, numbers, truth, (curve,) * len(held), PROVEN, truth.source, _LIMITS)


def largest_compositions_of(mechanism: Mechanism, epsilon0: float, *, epsilon: float, delta: float) -> Plan:
    """Largest number of releases of a mechanism, 1,000,000 at most, that stays within (epsilon, delta); 0 if not even one does."""
    of_type("mechanism", mechanism, Mechanism)
    level, goal = one("epsilon0", epsilon0, above=0.0), one("epsilon", epsilon, above=0.0)
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1.0)
    target = min(goal * (1 + 4 * math.ulp(1.0)), _LARGEST)

    def spent(number: int) -> float:
        return float(compose(mechanism, number).epsilon(small)) if number else 0.0

    too_many = first_whole(lambda number: spent(number) > target, MOST_RELEASES)
    low = MOST_RELEASES if too_many is None else too_many - 1
    return _plan(mechanism, level, low, min(spent(low), goal), delta=small, at_limit=low == MOST_RELEASES)


def epsilon0_for_of(make: Callable[[float], Mechanism], compositions: int, *, epsilon: float, delta: float) -> Plan:
    """Largest level, rounded down, at which so many releases stay within (epsilon, delta); `make` gives the mechanism of a level.

    InfeasibleError if no level from 1e-6 on is small enough.
    """
    number, target = (
        one_whole("compositions", compositions, at_least=1, at_most=MOST_RELEASES),
        one("epsilon", epsilon, above=0.0),
    )
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1.0)
    if not callable(make):
        raise ParameterError(f"make must be a function from a level to a mechanism, got {shown(make)}")

    def excess(level: float) -> float:
        return float(compose(make(level), number).epsilon(small)) - target

    low = high = min(max(target / number, _SMALLEST_EPSILON0), LARGEST_EPSILON0)
    while excess(low) > 0:
        if low <= _SMALLEST_EPSILON0:
            raise InfeasibleError(f"no epsilon0 keeps {number:,} releases within {target:g}")
        low, high = max(low / 2, _SMALLEST_EPSILON0), low
    while low == high or excess(high) <= 0:
        if high >= LARGEST_EPSILON0:
            break
        low, high = high, min(2 * high, LARGEST_EPSILON0)
    level = high if high >= LARGEST_EPSILON0 and excess(high) <= 0 else crossing(excess, high, low, rtol=_CLOSE)
    together = float(compose(make(level), number).epsilon(small))
    return _plan(make(level), level, number, together, delta=small, at_limit=level >= LARGEST_EPSILON0)


def _plan(mechanism: Mechanism, level: float, number: int, together: float, *, delta: float, at_limit: bool) -> Plan:
    name = BOUND if number and exact_of(mechanism, number, delta=delta).is_bound else "Exact"
    return Plan(EXACT, name, level, number, together, at_limit, PROVEN, f"{_SOURCE}: {mechanism.name}", _LIMITS)
