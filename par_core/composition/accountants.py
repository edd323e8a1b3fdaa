"""The accountants that a practitioner would reach for, from adding up to optimal composition."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import overload

import numpy as np
from numpy.typing import ArrayLike

from par_core.composition.accountant_registry import TAKEN_UP, accountant, take_up
from par_core.composition.arguments import One, Private, as_composed, has_loss, of_one_kind
from par_core.composition.composed import Composed, is_default
from par_core.composition.loss_distribution import UNIT, Floats, added_up
from par_core.composition.running import sum_of_typed
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.limits import LARGEST_RELEASES, of_composition
from par_core.mechanisms import Mechanism
from par_core.old_names import old_argument
from par_core.parameters import FloatOrArray, check_integers, check_numbers, like_input, together

MOST_FOR_OPTIMAL = 200_000

# log(order - 1) is searched on a grid and then between the neighbours of the best point.
_ORDERS = np.linspace(-12.0, 16.0, 113)
_REFINE = 36
_GOLDEN = (5**0.5 - 1) / 2
_FEW = 64  # roundings of a sum of exponentials, of its logarithm and of a loss
_CONVERSION = "conversion to (epsilon, delta) of Canonne, Kamath and Steinke 2020, Proposition 12"


@overload
def basic(  # type: ignore[overload-overlap]  # one level is an array of one, too
    epsilon0: One, releases: int = 1, *, delta: float = 0.0
) -> float: ...
@overload
def basic(epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike = 0.0) -> Floats: ...
@old_argument("compositions", "releases")
@Evidence(PROVEN, source="basic composition (Dwork and Roth, Theorem 3.16)")
def basic(epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike = 0.0) -> FloatOrArray:
    """Epsilon of n releases by basic composition: n·epsilon0, for every delta, in the shape of the broadcast arguments.

    epsilon0, above 0 and at most 50, is the level of each release, or a mechanism, or what `compose` put together; n, `releases`,
    whole, 1 to 1e9. A mechanism without a largest loss is taken at delta/n, n being the number of all releases, and needs a delta above
    0. Elsewhere delta, from 0 to below 1, is taken so that every accountant is called alike.

    >>> basic(0.1, 3) == 3 * 0.1
    True
    >>> from par_core.composition import compose
    >>> basic(compose([0.1, 0.2]))
    0.3
    """
    if not has_loss(epsilon0):
        level, number, _ = of_composition(epsilon0, releases, delta, pure=True)
        return like_input(level * number)
    number, small = together(
        releases=check_integers("releases", releases, at_least=1, at_most=LARGEST_RELEASES),
        delta=check_numbers("delta", delta, at_least=0, below=1),
    )
    parts = as_composed(epsilon0).parts
    count = sum(times for _, times in parts)
    rows = [(_levels_at(each, small / (count * number)), times * number) for each, times in parts]
    result = np.empty(number.shape)
    for at in np.ndindex(number.shape):
        result[at] = sum_of_typed((float(level[at]), int(times[at])) for level, times in rows)
    return like_input(result)


take_up(basic, "Basic composition", holds_for="any mechanism")


def _levels_at(mechanism: Mechanism, delta: Floats) -> Floats:
    """Return the largest loss of a release, or where there is none the epsilon that goes with each delta."""
    loss = float(mechanism.largest_loss)
    return np.full(delta.shape, loss) if math.isfinite(loss) else np.asarray(mechanism.epsilon(delta))


@accountant("Advanced composition")
@old_argument("compositions", "releases")
@Evidence(PROVEN, source="advanced composition (Dwork and Roth, Theorem 3.20)")
def advanced(epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike) -> FloatOrArray:
    """Epsilon of n releases of any mechanism: epsilon0·sqrt(2n·ln(1/delta)) + n·epsilon0·(exp(epsilon0) - 1).

    As `basic`, with delta above 0, and for releases of one kind that has a largest loss.

    >>> round(advanced(0.1, 300, delta=1e-5), 3)
    11.466
    """
    level, number, small = of_composition(*_of_one_kind("advanced", epsilon0, releases), delta)
    return like_input(level * np.sqrt(2 * number * -np.log(small)) + number * level * np.expm1(level))


@accountant("zCDP")
@old_argument("compositions", "releases")
@Evidence(PROVEN, source="pure privacy is (epsilon0²/2)-zCDP (Bun and Steinke 2016, Proposition 3.3); " + _CONVERSION)
def zcdp(epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike) -> FloatOrArray:
    """Epsilon of n releases of any mechanism by zero-concentrated differential privacy.

    As `advanced`; converted at the best order, and never above n·epsilon0, which pure privacy gives.
    """
    level, number, small = of_composition(*_of_one_kind("zcdp", epsilon0, releases), delta)
    return like_input(np.minimum(_best_order(_concentrated, 0.5 * level**2, number, small), number * level))


@overload
def of_zcdp(rho: float, *, delta: float) -> float: ...
@overload
def of_zcdp(rho: ArrayLike, *, delta: ArrayLike) -> Floats: ...
@Evidence(PROVEN, source=_CONVERSION)
def of_zcdp(rho: ArrayLike, *, delta: ArrayLike) -> FloatOrArray:
    """Epsilon that rho-zero-concentrated privacy comes to at this delta, in the shape of the broadcast arguments.

    rho is above 0 and at most 1e6, delta between 0 and 1, both exclusive. Converted at the best order.

    >>> round(of_zcdp(2.63, delta=1e-10), 2)
    17.43
    """
    concentrated = check_numbers("rho", rho, above=0, at_most=1e6)
    shared = together(rho=concentrated, delta=check_numbers("delta", delta, above=0, below=1))
    return like_input(_best_order(_concentrated, shared[0], np.ones_like(shared[0]), shared[1]))


@accountant("Rényi DP (RDP)", holds_for="Laplace noise")
@old_argument("compositions", "releases")
@Evidence(PROVEN, source="Rényi divergence of Laplace distributions (Mironov 2017, Table II); " + _CONVERSION)
def rdp(epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike) -> FloatOrArray:
    """Epsilon of n releases of the Laplace mechanism, and of no other, by Rényi differential privacy, as `zcdp`.

    At the best real order: libraries search a grid of orders and give a little more.
    """
    level, number, small = of_composition(*_of_one_kind("rdp", epsilon0, releases), delta)
    return like_input(np.minimum(_best_order(_renyi, level, number, small), number * level))


@accountant("Optimal composition (Kairouz, Oh, Viswanath)", largest=MOST_FOR_OPTIMAL)
@old_argument("compositions", "releases")
@Evidence(
    PROVEN,
    source="optimal composition of pure privacy (Kairouz, Oh and Viswanath 2015, Theorem 3.3), between its steps too",
)
def optimal_pure(epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike) -> FloatOrArray:
    """Smallest epsilon of n releases if nothing is known but that each is epsilon0-differentially private, rounded up.

    As `advanced`, with delta from 0 on and at most 200,000 releases.
    The worst such mechanism is randomised response, whose n-fold loss is binomial.

    >>> round(optimal_pure(0.5, 300, delta=1e-5), 3)
    70.868
    """
    levels, numbers = _of_one_kind("optimal_pure", epsilon0, releases)
    check_integers("releases", numbers, at_least=1, at_most=MOST_FOR_OPTIMAL)
    level, number, small = of_composition(levels, numbers, delta, pure=True)
    result = np.empty(level.shape)
    for at in np.ndindex(level.shape):
        result[at] = _optimal(float(level[at]), int(number[at]), float(small[at]))
    return like_input(result)


def _of_one_kind(key: str, epsilon0: Private, releases: ArrayLike) -> tuple[ArrayLike, ArrayLike]:
    """Return levels and numbers of releases of one kind for which an accountant holds."""
    kind, times = of_one_kind(epsilon0)
    if not has_loss(kind):
        return kind, releases
    if isinstance(kind, Composed):
        raise ParameterError(f"epsilon0 must be releases of one kind for {key}, got {len(kind.parts)} kinds together")
    pure = next(each.holds_for for each in TAKEN_UP if each.key == key) == "pure privacy"
    if not (is_default(kind) or (pure and np.isfinite(kind.largest_loss).all())):
        needs = "with a largest loss" if pure else "with Laplace noise"
        raise ParameterError(f"epsilon0 must be a level or a mechanism {needs} for {key}, got {kind.name}")
    return kind.largest_loss, times * check_integers("releases", releases, at_least=1, at_most=LARGEST_RELEASES)


def _optimal(epsilon0: float, number: int, delta: float) -> float:
    if delta == 0:
        return added_up(epsilon0, number)
    # The outcomes by falling loss: `flips` of n answers are turned round.
    flips = np.arange(number + 1)
    log_chance = np.concatenate([[0.0], np.cumsum(np.log(number - flips[:-1]) - np.log(flips[1:]))])
    log_true = log_chance - flips * epsilon0 - number * np.log1p(np.exp(-epsilon0))
    loss = (number - 2 * flips).astype(np.float64) * epsilon0
    positive = (number + 1) // 2  # only those with positive loss can count
    log_above = np.logaddexp.accumulate(log_true[:positive])
    log_other = np.logaddexp.accumulate((log_true - loss)[:positive])
    # Delta at the loss of the next outcome, with all larger ones counted.
    following = np.append(loss[1:positive], 0.0)
    delta_there = np.exp(log_above) - np.exp(log_other + following)
    last = int(np.argmax(delta_there >= delta)) if (delta_there >= delta).any() else positive - 1
    # Rounding moves each outcome by a share of itself, the same under both tables, and all that follow it by no more.
    moved = UNIT * (np.cumsum(np.abs(log_chance)) + 8 * (log_chance + number * (1 + epsilon0)))
    # Each count of outcomes is right on its own stretch and too low beside it, so the largest is right on either side of a step.
    counts = {min(max(last + more, 1), positive) for more in (0, 1, 2)}
    found = (_at_outcome(log_true, loss, each, delta=delta, moved=float(moved[-1])) for each in counts)
    return min(max(found), added_up(epsilon0, number))


def _at_outcome(log_true: Floats, loss: Floats, count: int, *, delta: float, moved: float) -> float:
    """Return where the first so many outcomes leave this delta, rounded up; 0 where they are too few."""
    first, rest = log_true[:count], log_true[count:]
    top, few = float(first.max()), _FEW * UNIT
    if delta < 0.5:
        excess = np.exp(first - top).sum() * (1 + few) - math.exp(min(math.log(delta) - top, 700.0)) * (1 - moved)
    else:  # what is left of 1 keeps its digits
        excess = (1 - delta - np.exp(rest).sum() * (1 - few - moved)) * math.exp(min(-top, 700.0)) * (1 + few)
    if excess <= 0:
        return 0.0
    last = float(loss[count - 1])
    other = np.exp(first - top + (last - loss[:count])).sum()
    room = few * (1 + float(loss[0])) + (moved if delta >= 0.5 else 0.0)
    return max(last + math.log(excess) - math.log(other) + room, 0.0)


def _best_order(divergence: Callable[[Floats, Floats], Floats], level: Floats, number: Floats, delta: Floats) -> Floats:
    """Convert to epsilon at the order that gives the least; `divergence` takes (order - 1, level), `level` what it depends on."""
    shape = level.shape
    e0, n, log_delta = level.ravel()[:, None], number.ravel()[:, None], np.log(delta).ravel()[:, None]

    def epsilon(log_above: Floats) -> Floats:
        above = np.exp(log_above)
        # log((a - 1)/a) - (log delta + log a)/(a - 1)
        return np.asarray(n * divergence(above, e0) - np.log1p(1 / above) - (log_delta + np.log1p(above)) / above)

    values = epsilon(_ORDERS[None, :])
    best = np.clip(np.argmin(values, axis=1), 1, len(_ORDERS) - 2)
    low, high = _ORDERS[best - 1][:, None], _ORDERS[best + 1][:, None]
    for _ in range(_REFINE):
        gap = _GOLDEN * (high - low)
        left = epsilon(high - gap) < epsilon(low + gap)
        low, high = np.where(left, low, high - gap), np.where(left, low + gap, high)
    found = np.minimum(epsilon(0.5 * (low + high))[:, 0], values.min(axis=1))
    return np.asarray(np.maximum(found, 0.0).reshape(shape))


def _concentrated(above: Floats, rho: Floats) -> Floats:
    """Rényi divergence of order 1 + above that rho-zero-concentrated privacy allows."""
    return np.asarray(rho * (1 + above))


def _renyi(above: Floats, epsilon0: Floats) -> Floats:
    """Rényi divergence of order 1 + above between Laplace distributions that epsilon0 sets apart."""
    # One sum of two terms of the size of epsilon0: nothing cancels near order 1, and little at small levels.
    shrunk = above / (1 + 2 * above) * np.expm1(-(1 + 2 * above) * epsilon0)
    return np.asarray(epsilon0 + np.log1p(shrunk) / above)
