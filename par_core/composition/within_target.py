"""How many releases a target allows, and which level each of a planned number of releases may have."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition.accountants import rdp, zcdp
from par_core.composition.arguments import One, Private, Several, as_composed, each_of, has_loss
from par_core.composition.brackets import SMALLEST_DELTA, bracket
from par_core.composition.comparison import ACCOUNTANTS, holding, level_of
from par_core.composition.composed import MOST_RELEASES, Composed, compose
from par_core.composition.loss_distribution import Floats
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.limits import LARGEST_EPSILON0, LARGEST_K
from par_core.mechanisms import Mechanism, default_noise
from par_core.old_names import by_old_name, old_argument, old_attribute
from par_core.parameters import check_integer, check_number, check_numbers, check_type, shown
from par_core.roots import crossing

EXACT = "exact"
BOUND = "Bound"
_SMALLEST_EPSILON0 = 1e-6
_CLOSE = 1e-9  # how closely a level is found, relative,
_HALVE_EVERY = 4  # guesses, so that a bad one costs little
_CLOSE_ENOUGH = 1e-6  # and counted by profiles, which takes longer
_OF_LAPLACE = "exact composition of the Laplace mechanism, guaranteed upper end"
_LIMITS = "every release with its worst-case neighbours"


@dataclass(frozen=True)
class WithinTarget(Result):
    """How many releases, 0 if not even one fits, at which level one accountant (or "exact") allows within a target.

    `epsilon` is what they come to together by it, at most the target. `at_limit` says whether the search ended at the largest
    number, or the largest level, that is looked at.
    """

    key: str
    name: str
    epsilon0: float
    releases: int
    epsilon: float
    at_limit: bool
    counted_by: str  # how, where the count is exact
    QUANTITIES = quantities(epsilon0=stated("level", "down"), releases=stated("count", "down"))
    compositions = old_attribute("compositions", "releases")

    @property
    def evidence(self) -> Evidence:
        """That of the accountant, or of the exact count."""
        if self.key in ACCOUNTANTS:
            return ACCOUNTANTS[self.key].evidence
        of_laplace = self.counted_by == _OF_LAPLACE
        return Evidence(PROVEN, self.counted_by, "for the Laplace mechanism" if of_laplace else _LIMITS)

    @property
    def is_bound(self) -> bool:
        """Whether it is the exact count of a mechanism of which only bounds are known: more may fit than is said."""
        return self.name == BOUND

    @property
    def claim(self) -> str:
        """What it claims, by its id in the catalogue, where it is PUBLISHED."""
        return ACCOUNTANTS[self.key].claim if self.key in ACCOUNTANTS else ""


@overload
def most_releases(key: str, epsilon0: One, *, epsilon: float, delta: float, k: int = 1) -> WithinTarget: ...
@overload
def most_releases(
    key: str, epsilon0: Several, *, epsilon: float, delta: float, k: int = 1
) -> tuple[WithinTarget, ...]: ...
def most_releases(
    key: str, epsilon0: One | Several, *, epsilon: float, delta: float, k: int = 1
) -> WithinTarget | tuple[WithinTarget, ...]:
    """Largest number of releases that stays within (epsilon, delta), by one accountant.

    `key` is one of `ACCOUNTANTS` that holds for the releases, or "exact", which counts with its guaranteed upper end, up to 1,000,000.
    `epsilon0` is the level of each release, from 1e-6 to 50, a mechanism, or what `compose` put together, all of it counting as one;
    one answer for each of an array of levels.
    epsilon, above 0, and delta, from 1e-15 to below 1, are the target for all of them. The dimension k of the query, 1 to
    100,000, plays a part in the claims of Privacy at Risk alone.

    >>> most_releases("basic", 0.1, epsilon=0.3, delta=1e-5).releases
    3
    """
    levels = each_of(epsilon0)
    if levels is not None:
        return tuple(most_releases(key, each, epsilon=epsilon, delta=delta, k=k) for each in levels)
    (found,) = releases_within(key, epsilon0, epsilons=[check_number("epsilon", epsilon, above=0)], delta=delta, k=k)
    return found


def releases_within(
    key: str, epsilon0: Private, *, epsilons: ArrayLike, delta: float, k: int = 1
) -> tuple[WithinTarget, ...]:
    """`most_releases` for several targets, `epsilons` of shape (n,), in one search."""
    targets = np.atleast_1d(check_numbers("epsilons", epsilons, above=0))
    small = check_number("delta", delta, at_least=SMALLEST_DELTA, below=1)
    by = _Count(key, epsilon0, small, check_integer("k", k, at_least=1, at_most=LARGEST_K))
    raised, guess = _raised(targets), np.clip(by.guess(targets), 1, by.most)
    numbers, spent = np.array([0, by.most + 1]), np.array([0.0, math.inf])
    for turn in itertools.count(1):
        new = np.unique(guess)
        numbers, spent = np.append(numbers, new), np.append(spent, by.spent(new))
        rising = np.argsort(numbers)
        numbers, spent = numbers[rising], np.maximum.accumulate(spent[rising])
        at = np.searchsorted(spent, raised, side="right") - 1
        low, high = numbers[at], numbers[at + 1]  # fits, and does not
        if not (open_ := low + 1 < high).any():
            break
        guess = _between(low, high, spent[at], spent[at + 1], raised, halve=turn % _HALVE_EVERY == 0)
        guess = np.clip(guess, low + 1, high - 1)[open_]
    return tuple(
        by.allowed(number, together=each, at_limit=number == by.most)
        for number, each in zip(low.tolist(), np.minimum(spent[at], targets).tolist(), strict=True)
    )


@old_argument("compositions", "releases")
def epsilon0_for(
    key: str,
    releases: int,
    *,
    epsilon: float,
    delta: float,
    k: int = 1,
    mechanism: Callable[[float], Mechanism | Composed] = default_noise,
) -> WithinTarget:
    """Largest level, rounded down, at which a planned number of releases stays within (epsilon, delta), by one accountant.

    As `most_releases`, with the number of releases, from 1 to 1,000,000, in place of the level; `mechanism` makes the releases of
    a level, each of them one mechanism or what `compose` put together.
    InfeasibleError if no level from 1e-6 on is small enough; `.best` is what the smallest one comes to.

    >>> round(epsilon0_for("basic", 4, epsilon=1.0, delta=1e-5).epsilon0, 6)
    0.25
    >>> from par_core.mechanisms import RandomisedResponse
    >>> round(epsilon0_for("exact", 52, epsilon=3.0, delta=1e-5, mechanism=RandomisedResponse).epsilon0, 4)
    0.1022
    """
    number = check_integer("releases", releases, at_least=1, at_most=min(_largest(key), MOST_RELEASES))
    target = check_number("epsilon", epsilon, above=0)
    small = check_number("delta", delta, at_least=SMALLEST_DELTA, below=1)
    dimension = check_integer("k", k, at_least=1, at_most=LARGEST_K)
    if not callable(mechanism):
        raise ParameterError(f"mechanism must be a function from a level to a mechanism, got {shown(mechanism)}")

    def count(level: float) -> _Count:
        made = mechanism(level)
        if not isinstance(made, Composed):
            check_type("what mechanism makes", made, Mechanism)
        return _Count(key, made, small, dimension)

    def excess(level: float) -> float:
        return count(level).at(number) - target

    at_least = excess(_SMALLEST_EPSILON0)
    if at_least > 0:
        raise InfeasibleError(
            f"no epsilon0 keeps {number:,} releases within {target:g}: even {_SMALLEST_EPSILON0:g} comes to {at_least + target:g}",
            best=at_least + target,
        )
    start = max(target / number, _SMALLEST_EPSILON0)
    quick = count(1.0).quick
    if key == EXACT and quick:
        start = _level_below(lambda level: float(quick(level, number, delta=small)) - target, start)
    rtol = _CLOSE if quick is rdp or key != EXACT else _CLOSE_ENOUGH
    level = _level_below(excess, min(start, LARGEST_EPSILON0), rtol=rtol)
    found = count(level)
    return replace(found.allowed(number, together=found.at(number), at_limit=level >= LARGEST_EPSILON0), epsilon0=level)


def largest_proven(found: Sequence[WithinTarget], *, by: Literal["releases", "epsilon0"]) -> WithinTarget | None:
    """Return what allows the most among what is proven: each of them is safe, so the largest is.

    None where nothing is proven; `by` is what was asked for. The first one among equals.
    """
    return max(
        (within for within in found if within.evidence.basis is PROVEN),
        key=lambda within: getattr(within, by),
        default=None,
    )


def _level_below(excess: Callable[[float], float], start: float, *, rtol: float = _CLOSE) -> float:
    """Return the largest level, as close as is wanted, whose excess is not above 0; the smallest level if none is."""
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
    return crossing(excess, high, low, rtol=rtol)


def _between(
    low: NDArray[np.int64], high: NDArray[np.int64], spent: Floats, more: Floats, targets: Floats, *, halve: bool
) -> NDArray[np.int64]:
    """Return where epsilon, as a power of the number through `low` and `high`, meets each target; the middle if that says nothing.

    Where no number is known to be too many it is taken to grow with the root, which is the slowest.
    """
    unbounded = np.isinf(more)
    middle = np.where(unbounded, 2 * low, (low + high) // 2)
    if halve:
        return middle
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(unbounded, 2.0, np.log(high / low) / np.log(more / spent))
        met = np.minimum(low * (targets / spent) ** power, high)
    return np.where(np.isfinite(met), met, middle).astype(np.int64)


def _raised(targets: Floats) -> Floats:
    """Return the targets with room for the rounding of a product: three times 0.1 is to fit into 0.3."""
    return targets * (1 + 4 * math.ulp(1.0))


def _largest(key: str) -> int:
    if not isinstance(key, str) or key not in (EXACT, *ACCOUNTANTS):
        raise ParameterError(f"key must be 'exact' or among {', '.join(ACCOUNTANTS)}, got {key!r}")
    return MOST_RELEASES if key == EXACT else ACCOUNTANTS[key].largest


@dataclass(frozen=True)
class _Count:
    """What releases spend by one accountant, or exactly."""

    key: str
    releases: Private
    delta: float
    k: int

    def __post_init__(self) -> None:
        _largest(self.key)
        if self.key != EXACT and self.key not in (held := holding(self.releases)):
            raise ParameterError(f"key must be 'exact' or among {', '.join(held)} for these releases, got {self.key}")

    @property
    def most(self) -> int:
        """Up to how many are counted."""
        return max(_largest(self.key) // self.size, 1)

    @cached_property
    def made(self) -> Composed:
        """What counts as one."""
        return as_composed(self.releases) if has_loss(self.releases) else compose(self.level)

    @cached_property
    def size(self) -> int:
        """How many releases count as one."""
        return sum(times for _, times in self.releases.parts) if isinstance(self.releases, Composed) else 1

    @cached_property
    def level(self) -> float:
        """The level of each release."""
        if not has_loss(self.releases):
            check_number("epsilon0", self.releases, at_least=_SMALLEST_EPSILON0, at_most=LARGEST_EPSILON0)
        return level_of(self.releases, delta=self.delta)

    @property
    def quick(self) -> Callable[..., Any] | None:
        """An accountant that is quick, and near the exact count, where there is one."""
        held = holding(self.releases)
        return rdp if "rdp" in held else zcdp if "zcdp" in held else None

    def guess(self, targets: Floats) -> NDArray[np.int64]:
        """Return numbers near the largest ones."""
        if self.key != EXACT or self.quick is None:
            each = self.level * self.size
            return np.clip(np.minimum(targets, self.most * each) / each, 1, self.most).astype(np.int64)
        numbers: NDArray[np.int64] = np.unique(np.geomspace(1, self.most, 400).astype(np.int64))
        spent = np.asarray(self.quick(self.level, self.size * numbers, delta=self.delta))
        fitting = np.searchsorted(spent, targets, side="right")
        return np.where(fitting, (numbers[np.maximum(fitting, 1) - 1] * 1.1).astype(np.int64) + 1, 1)

    def at(self, number: int) -> float:
        """Return epsilon of one number of releases."""
        return float(self.spent(np.array([number]))[0])

    def spent(self, numbers: NDArray[np.int64]) -> Floats:
        """Return epsilon of numbers of releases together."""
        if self.key == EXACT:
            different, back = np.unique(numbers, return_inverse=True)
            found = [self.made.n_fold(number).upper_epsilon(self.delta) for number in different.tolist()]
            return np.array(found, dtype=np.float64)[back]
        extra = {"k": self.k} if ACCOUNTANTS[self.key].at_risk else {}
        by = ACCOUNTANTS[self.key].epsilon
        if len(holding(self.releases)) > 1:  # of one kind, with a level
            return np.asarray(by(self.level, self.size * numbers, delta=self.delta, **extra))
        return np.asarray(by(self.releases, numbers, delta=self.delta))

    def allowed(self, number: int, *, together: float, at_limit: bool) -> WithinTarget:
        """Return what allows a number of releases, which spend so much together."""
        if self.key != EXACT:
            by = ACCOUNTANTS[self.key]
            return WithinTarget(self.key, by.name, self.level, number, together, at_limit, "")
        if "rdp" in holding(self.releases):
            return WithinTarget(EXACT, "Exact", self.level, number, together, at_limit, _OF_LAPLACE)
        bound = number and bracket(*self.made.n_fold(number).closest_epsilon(self.delta)).is_bound
        name = BOUND if bound else "Exact"
        return WithinTarget(EXACT, name, self.level, number, together, at_limit, self.made.counted_by)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"Plan": "WithinTarget"})
