"""The case of explicit randomness: Privacy at Risk, Theorem 4, its inverses, and the distribution that it is built on.

T = |X1 - X2| with X1, X2 independent and Gamma(k, 1) distributed. The published confidence is
P(T <= epsilon)/P(T <= epsilon0). It takes the noise seen from the two neighbours for independent; it is the same noise,
so the number is no guarantee: `par_core.mechanisms.Laplace.loss_within` is the exact one.

T is a mixture of Gamma(1, 1) to Gamma(k, 1), and a Gamma(m, 1) variable is at most x exactly if a Poisson count of mean
x is at least m. So density, distribution and survival of T at x are all means, over a Poisson count of mean x, of a
table that depends on k alone. Every term is positive: nothing cancels, at any x and any k.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.limits import LARGEST_K
from par_core.mechanisms import Laplace
from par_core.mechanisms.mechanism import moved_until
from par_core.parameters import FloatOrArray, check_integers, check_number, check_numbers, like_input, together
from par_core.published.as_printed import AsPrinted

_Floats = NDArray[np.float64]

_THEOREM_4 = "Privacy at Risk (PoPETs 2021), Theorem 4, equation 3"
_CLAIM = "par-theorem-4"  # in the catalogue
_FALSE = (
    "False for every epsilon below epsilon0: it takes the noise seen from the two neighbours for independent, but it is"
    " the same noise. The exact confidence for worst-case neighbours is Laplace.loss_within: below half of this"
    " number, whatever k."
)
_LAW_OF_T = "T = |X1 - X2|, X1 and X2 independent Gamma(k, 1), as a finite mixture of Gamma distributions"

_FAR = 1e6  # P(T > 1e6) is below the smallest float for every k that is allowed
_TINY = 1e-200  # below this P(T <= x) is proportional to x to the last bit
_OVERFLOW = 700.0  # exp(700) is still a float
_SMALLEST_WEIGHT = 1e-300
_PADDING = 64  # see _tables
_STEPS = 100  # the root finder needs about 6; if this ran out, the result would still be moved to the safe side


@Evidence(PROVEN, source=_LAW_OF_T)
def t_cdf(x: ArrayLike, *, k: ArrayLike) -> FloatOrArray:
    """P(T <= x) for x of at least 0 and k from 1 to 100,000, with full relative accuracy where it is small.

    >>> round(t_cdf(1.0, k=1), 4), round(t_cdf(1.0, k=3), 4)
    (0.6321, 0.3562)
    """
    return _per_k(_cdf, k, check_numbers("x", x, at_least=0.0))


@Evidence(PROVEN, source=_LAW_OF_T)
def t_pdf(x: ArrayLike, *, k: ArrayLike) -> FloatOrArray:
    """Density of T at x, at least 0, for k from 1 to 100,000."""
    return _per_k(_density, k, check_numbers("x", x, at_least=0.0))


def _from_epsilon0_on(epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> FloatOrArray:  # noqa: ARG001  # as `risk` is called
    """Return where the theorem is right: below epsilon0 the true confidence is less than half of its own, for every k."""
    return np.asarray(epsilon) >= epsilon0


@Evidence(PUBLISHED, source=_THEOREM_4, limits=_FALSE).of("share", claim=_CLAIM, holds=_from_epsilon0_on)
def confidence(epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> AsPrinted:
    """Published probability P(T <= epsilon)/P(T <= epsilon0) that a release is as private as epsilon.

    `epsilon`, at least 0, is the stronger level (at 0 the confidence is 0, from epsilon0 on it is 1), `epsilon0`, above 0, the one
    that the noise is calibrated to, and k, 1 to 100,000, the dimension of the query. The result has the shape of the broadcast
    arguments. The sensitivity plays no part.

    >>> round(confidence(0.5, 1.0), 3), round(confidence(0.5, 1.0, k=5), 3)
    (0.622, 0.509)
    """
    return _per_k(_confidence, k, *_levels(epsilon, epsilon0))


@Evidence(PUBLISHED, source=_THEOREM_4, limits=_FALSE).of("share", claim=_CLAIM, holds=_from_epsilon0_on)
def risk(epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> AsPrinted:
    """Published probability that a release is not as private as epsilon: 1 - `confidence`, accurate where it is small."""
    return _per_k(_risk, k, *_levels(epsilon, epsilon0))


@Evidence(PUBLISHED, source=_THEOREM_4 + ", solved for epsilon", limits=_FALSE)
def epsilon_at(wanted: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1) -> AsPrinted:
    """Level epsilon that holds with the published confidence `wanted`, in [0, 1], when the noise is calibrated to epsilon0.

    It is in [0, epsilon0], rounded up until `confidence` of it is at least `wanted`.

    >>> round(epsilon_at(0.6, 1.0), 4)
    0.4769
    """
    aim, calibrated = together(wanted=_wanted(wanted), epsilon0=check_numbers("epsilon0", epsilon0, above=0.0))
    return _per_k(_epsilon_at, k, aim, calibrated)


@Evidence(PUBLISHED, source=_THEOREM_4 + ", solved for epsilon0 (section 6)", limits=_FALSE)
def epsilon0_for(epsilon: ArrayLike, wanted: ArrayLike, *, k: ArrayLike = 1) -> AsPrinted:
    """Largest epsilon0, that is least noise, that keeps the published confidence in epsilon (above 0) at `wanted`, in [0, 1].

    The confidence falls as epsilon0 grows, but never below P(T <= epsilon). A wish at or below that is met by every
    epsilon0, so that there is no largest one: in arrays it is then inf, and for scalars an InfeasibleError, whose `.best` is the
    lowest confidence there is. Else it is at least epsilon, rounded down until `confidence` with it is at least `wanted`.

    >>> round(epsilon0_for(0.4, 0.6), 4)
    0.7973
    """
    level, aim = together(epsilon=check_numbers("epsilon", epsilon, above=0.0), wanted=_wanted(wanted))
    found = _per_k(_epsilon0_for, k, level, aim)
    if np.ndim(found) == 0 and np.isinf(found):
        lowest = t_cdf(level, k=k)
        raise InfeasibleError(
            f"even unlimited epsilon0 (hardly any noise) keeps the confidence in epsilon = {float(level):g} at "
            f"{lowest:.6g}, which is not below the wanted {float(aim):g}: every epsilon0 will do",
            best=lowest,
        )
    return found


@Evidence(
    PROVEN,
    source="Privacy at Risk (PoPETs 2021), Lemma 5",
    limits="It compares two noise distributions and says nothing about the privacy loss: the paper's conclusion from it fails.",
)
def overlap(epsilon1: ArrayLike, epsilon2: ArrayLike) -> FloatOrArray:
    """Area that the densities of Laplace noise at two levels above 0, in either order, have in common (same sensitivity).

    >>> round(overlap(1.0, 0.6), 4)
    0.8141
    """
    first, second = together(
        epsilon1=check_numbers("epsilon1", epsilon1, above=0.0), epsilon2=check_numbers("epsilon2", epsilon2, above=0.0)
    )
    smaller, larger = np.minimum(first, second), np.maximum(first, second)
    ratio, gap = smaller / larger, (larger - smaller) / larger
    near = (ratio > 0.5) & (gap > 0.0)  # log1p keeps the digits of a small gap
    crossing = np.where(
        near,
        -ratio * np.log1p(-np.where(near, gap, 0.5)) / np.where(near, gap, 1.0),
        -special.xlogy(ratio, ratio) / np.where(gap > 0.0, gap, 1.0),
    )
    crossing = np.where(gap > 0.0, crossing, 1.0)  # where the densities cross, in units of the wider noise scale
    return like_input(np.minimum(ratio * np.exp(-crossing) - np.expm1(-crossing), 1.0))


def _is_met(found: Calibration) -> FloatOrArray:
    return np.asarray(found.exact_confidence) >= found.confidence


@dataclass(frozen=True)
class Calibration(Result):
    """A stronger level, the published confidence in it, and the noise that goes with them.

    `error0` and `error` are the expected absolute errors of each coordinate, in the unit of the query, with noise at
    epsilon0 and at epsilon: what the relaxation buys; infinite where they are beyond the floats. `epsilon0` is infinite
    where every one will do. `exact_confidence` is the true probability for worst-case neighbours that the privacy loss
    stays within epsilon.
    """

    epsilon: FloatOrArray
    confidence: FloatOrArray
    epsilon0: FloatOrArray
    k: FloatOrArray
    sensitivity: float
    error0: FloatOrArray
    error: FloatOrArray
    exact_confidence: FloatOrArray
    QUANTITIES = quantities(
        epsilon=stated("level", claim=_CLAIM, holds=_is_met),
        confidence=stated("share", claim=_CLAIM, holds=_is_met),
        epsilon0=stated("level", claim=_CLAIM, holds=_is_met),
        error0=stated("error", claim=_CLAIM, holds=_is_met),
        exact_confidence=stated("share", "down", PROVEN),
        best=stated("share", "down", PUBLISHED, _CLAIM),
    )
    evidence = Evidence(PUBLISHED, source=_THEOREM_4, limits=_FALSE)


def calibrate(
    *,
    epsilon: ArrayLike | None = None,
    wanted: ArrayLike | None = None,
    epsilon0: ArrayLike | None = None,
    k: ArrayLike = 1,
    sensitivity: float = 1.0,
) -> Calibration:
    """Find the third of epsilon, confidence (in (0, 1]) and epsilon0 from the other two; exactly two must be given.

    `sensitivity` is the L1 sensitivity of the query, in its unit. Errors as in `epsilon0_for`.

    >>> found = calibrate(epsilon=0.4, wanted=0.6)
    >>> round(found.epsilon0, 4), round(found.exact_confidence, 4)
    (0.7973, 0.1351)
    """
    scale = check_number("sensitivity", sensitivity, above=0.0)
    level = None if epsilon is None else check_numbers("epsilon", epsilon, above=0.0)
    aim = None if wanted is None else check_numbers("wanted", wanted, above=0.0, at_most=1.0)
    calibrated = None if epsilon0 is None else check_numbers("epsilon0", epsilon0, above=0.0)
    if level is None and aim is not None and calibrated is not None:
        level = np.asarray(epsilon_at(aim, calibrated, k=k))
    elif calibrated is None and level is not None and aim is not None:
        calibrated = np.asarray(epsilon0_for(level, aim, k=k))
    elif aim is None and level is not None and calibrated is not None:
        aim = np.asarray(confidence(level, calibrated, k=k))
    else:
        raise ParameterError("exactly two of epsilon, wanted and epsilon0 must be given")
    level, aim, calibrated, dimension = np.broadcast_arrays(level, aim, calibrated, check_integers("k", k, at_least=1))
    unlimited = np.isinf(calibrated)  # only in arrays, where every epsilon0 will do; without noise no loss is small
    with np.errstate(over="ignore"):  # an error beyond the largest float is infinite
        error0, error = scale / calibrated, scale / level
    return Calibration(
        epsilon=like_input(level),
        confidence=like_input(aim),
        epsilon0=like_input(calibrated),
        k=int(dimension) if dimension.ndim == 0 else dimension,
        sensitivity=scale,
        error0=like_input(error0),
        error=like_input(error),
        exact_confidence=Laplace(np.where(unlimited, np.finfo(float).max, calibrated)).loss_within(level),
    )


def _levels(epsilon: ArrayLike, epsilon0: ArrayLike) -> tuple[_Floats, ...]:
    level, calibrated = check_numbers("epsilon", epsilon, at_least=0.0), check_numbers("epsilon0", epsilon0, above=0.0)
    return together(epsilon=level, epsilon0=calibrated)


def _wanted(value: ArrayLike) -> _Floats:
    return check_numbers("wanted", value, at_least=0.0, at_most=1.0)


def _per_k(function: Callable[..., _Floats], k: ArrayLike, *arrays: _Floats) -> FloatOrArray:
    """Broadcast, and call `function(k, ...)` on the lanes of each different k, as one-dimensional arrays."""
    dimensions = check_integers("k", k, at_least=1, at_most=LARGEST_K)
    joined = np.broadcast_shapes(*(array.shape for array in arrays))
    dimensions, first = together(**{"k": dimensions, "the other parameters": np.empty(joined)})
    lanes = [np.broadcast_to(array, first.shape) for array in arrays]
    result = np.empty(dimensions.shape)
    for dimension in set(dimensions.ravel().tolist()):
        chosen = dimensions == dimension
        result[chosen] = function(dimension, *(lane[chosen] for lane in lanes))
    return like_input(result)


class _Tables(NamedTuple):
    """What the Poisson count is looked up in; each falls from its first entry on."""

    density: _Floats  # weight of Gamma(count + 1)
    survival: _Floats  # weights of all Gamma distributions above the count, added up
    mean_density: _Floats  # weights up to count + 1, added up, over count + 1


@lru_cache(maxsize=64)
def _tables(k: int) -> _Tables:
    """Build the tables of one dimension.

    The weight of Gamma(m) is 2·C(2k-1-m, k-1)/2^(2k-m). It is largest at m = 1, where it is the rounded quotient of two
    whole numbers, and falls from there by the ratio 2(k-m)/(2k-1-m). Weights below 1e-300 are left out, which changes
    no probability by more than 1e-295. `mean_density` has entries without end; those kept suffice for P(T <= x) <= 1/2,
    the only place where it is used.
    """
    largest = math.comb(2 * k - 2, k - 1) / (1 << (2 * k - 2))
    steps = np.arange(1, k)
    weights = largest * np.concatenate(([1.0], np.cumprod(2.0 * (k - steps) / (2 * k - 1 - steps))))
    weights = weights[weights >= _SMALLEST_WEIGHT]
    below = np.concatenate((weights.cumsum(), np.ones(_PADDING)))
    tables = _Tables(weights, weights[::-1].cumsum()[::-1], below / np.arange(1, below.size + 1))
    for table in tables:
        table.setflags(write=False)  # the cache hands out the same arrays again and again
    return tables


def _terms(mean: _Floats) -> NDArray[np.int64]:
    """How many counts matter: a Poisson count of this mean reaches the last with probability below exp(-40) (Chernoff).

    The tables fall, so the terms left out are to those kept at most as their probabilities are.
    """
    branch: _Floats = special.lambertw((40.0 / mean - 1.0) / math.e).real
    return np.ceil(mean * np.exp(1.0 + branch)).astype(np.int64) + 1


_ENDS = np.array([1.0, 4.0, 16.0, 64.0, 256.0, _OVERFLOW, *(2.0 ** np.arange(10, 21))])
_TERMS = _terms(_ENDS)
_FACTORIALS = special.factorial(np.arange(100))


def _poisson_mean(k: int, table: _Floats, x: _Floats) -> _Floats:
    """Mean of `table` at a Poisson count of mean x, by Horner's rule from the last term that matters.

    The number of terms depends on the lane alone, so that a value is the same to the last bit whatever it is computed
    together with: the inverses rely on that.
    """
    x = np.minimum(x, _FAR)
    needed = np.minimum(_TERMS[np.searchsorted(_ENDS, x)], table.size)
    far = x > _OVERFLOW
    if x.size and not far.any() and (needed == needed[0]).all():
        return _horner(table[: needed[0]], x)
    result = np.zeros_like(x)
    for lane in np.flatnonzero(far & ~_vanishes(k, x)):
        result[lane] = _horner_far(table[: needed[lane]], float(x[lane]))
    for terms in np.unique(needed[~far]):
        lanes = ~far & (needed == terms)
        result[lanes] = _horner(table[:terms], x[lanes])
    return result


def _horner(table: _Floats, x: _Floats) -> _Floats:
    if table.size <= _FACTORIALS.size:  # the factorials fit into the coefficients
        coefficients = table / _FACTORIALS[: table.size]
        total = np.full_like(x, coefficients[-1])
        for coefficient in coefficients[-2::-1].tolist():
            total *= x
            total += coefficient
    else:
        total = np.full_like(x, table[-1])
        for count in range(table.size - 1, 0, -1):
            total *= x / count
            total += table[count - 1]
    return total * np.exp(-x)


def _horner_far(table: _Floats, x: float) -> float:
    """Do the same where exp(x) is no float, by logarithms: a few digits fewer, but nothing overflows."""
    counts = np.arange(table.size)
    return float(np.exp(counts * math.log(x) - x - special.gammaln(counts + 1.0)) @ table)


def _vanishes(k: int, x: _Floats) -> NDArray[np.bool_]:
    """Where P(T > x) and its slope are below the smallest float, by Chernoff's bound with the best exponent."""
    slope = x / (k + np.hypot(k, x))
    gone: NDArray[np.bool_] = -slope * x - k * np.log1p(-(slope**2)) < -760.0
    return gone


def _survival(k: int, x: _Floats) -> _Floats:
    """P(T > x)."""
    return _poisson_mean(k, _tables(k).survival, x)


def _density(k: int, x: _Floats) -> _Floats:
    return _poisson_mean(k, _tables(k).density, x)


def _mean_density(k: int, x: _Floats) -> _Floats:
    """P(T <= x)/x, which unlike P(T <= x) is no small number where x is small."""
    upper = _survival(k, x)
    low = upper > 0.5
    result: _Floats = (1.0 - upper) / np.where(low, 1.0, x)
    result[low] = _poisson_mean(k, _tables(k).mean_density, x[low])
    return result


def _cdf(k: int, x: _Floats) -> _Floats:
    x = np.minimum(x, _FAR)
    return -np.expm1(-x) if k == 1 else np.minimum(x * _mean_density(k, x), 1.0)


def _confidence(k: int, epsilon: _Floats, epsilon0: _Floats) -> _Floats:
    calibrated = np.minimum(epsilon0, _FAR)
    level = np.minimum(epsilon, calibrated)
    if k == 1:
        ratio = np.expm1(-level) / np.expm1(-calibrated)
    else:
        both = _mean_density(k, np.concatenate((level, calibrated)))
        ratio = (level / calibrated) * (both[: level.size] / both[level.size :])
    return np.minimum(ratio, 1.0)


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)


def _risk(k: int, epsilon: _Floats, epsilon0: _Floats) -> _Floats:
    """P(epsilon < T <= epsilon0)/P(T <= epsilon0).

    The numerator is a difference of survivals where they differ by a tenth or more, else the density integrated:
    over so short a stretch it hardly changes, and ten nodes give it to the last digit.
    """
    high = np.minimum(epsilon0, _FAR)
    low = np.minimum(epsilon, high)
    if k == 1:
        share: _Floats = np.abs(np.exp(-low) * np.expm1(low - high) / np.expm1(-high))
        return share
    above_low, above_high = _survival(k, low), _survival(k, high)
    points = low[:, None] + (high - low)[:, None] * (0.5 + 0.5 * _NODES)
    inside = _density(k, points.ravel()).reshape(points.shape) @ (0.5 * _WEIGHTS)
    mean_density = _mean_density(k, high)
    short = ((high - low) / high) * (inside / mean_density)
    close = above_high >= 0.9 * above_low
    long = (above_low - above_high) / np.where(close, 1.0, high * mean_density)
    return np.minimum(np.where(close, short, long), 1.0)


def _quantile(k: int, lower: _Floats, upper: _Floats) -> _Floats:
    """Solve P(T <= x) = lower, that is P(T > x) = upper; both are given because each is exact where it is small.

    Newton's method inside a bracket on -log P(T > x). That function is convex (the density of T is log-concave), has
    slope between the density at 0 and 1, and the tail of T is sub-gamma, which gives both ends of the bracket. Coming
    from the upper end, the steps fall onto the root without passing it.
    """
    goal: _Floats = np.where(
        lower < 0.5, -np.log1p(-np.minimum(lower, 0.5)), -np.log(np.where(lower < 0.5, 0.5, upper))
    )
    if k == 1:
        return goal
    exponent = goal + math.log(2.0)
    left = goal.copy()
    right = np.minimum(goal / _tables(k).density[0], np.sqrt(4.0 * k * exponent) + exponent)
    x: _Floats = right.copy()
    active = np.arange(x.size)
    for _ in range(_STEPS):
        here, aim = x[active], goal[active]
        above = _survival(k, here)
        low = above > 0.5
        height = -np.log(np.where(low, 1.0, above))
        height[low] = -np.log1p(-_cdf(k, here[low]))
        left[active] = np.where(height < aim, here, left[active])
        right[active] = np.where(height < aim, right[active], here)
        there = here - (height - aim) * above / _density(k, here)
        outside = (there < left[active]) | (there > right[active])
        there = np.where(outside, 0.5 * (left[active] + right[active]), there)
        x[active] = there
        # a Newton step this short leaves an error of about its square; a halving has to be seen to the end
        active = active[np.abs(there - here) > np.where(outside, 4e-16, 1e-9) * here]
        if active.size == 0:
            break
    return x


def _epsilon_at(k: int, wanted: _Floats, epsilon0: _Floats) -> _Floats:
    calibrated = np.minimum(epsilon0, _FAR)
    inner = np.where(wanted < 1.0, wanted, 0.5)  # 1 is answered below
    lower = inner * _cdf(k, calibrated)
    upper = (1.0 - inner) + inner * _survival(k, calibrated)
    guess = np.where(calibrated < _TINY, inner * calibrated, _quantile(k, lower, upper))
    guess = np.minimum(guess, epsilon0)
    found = moved_until(lambda x: _confidence(k, x, epsilon0) >= inner, guess, toward=epsilon0)
    return np.where(wanted < 1.0, found, epsilon0)


def _epsilon0_for(k: int, epsilon: _Floats, wanted: _Floats) -> _Floats:
    below, above = _cdf(k, epsilon), _survival(k, epsilon)
    left = np.where(below > 0.5, above - (1.0 - wanted), wanted - below)
    feasible = (left > 0.0) & (wanted < 1.0)  # 1 is answered below
    aim = np.where(feasible, wanted, 1.0)
    guess = _quantile(k, np.minimum(below / aim, 1.0), np.where(feasible, left, 1.0) / aim)
    guess = np.where(epsilon < _TINY * aim, epsilon / aim, guess)
    guess = np.where(feasible, np.maximum(guess, epsilon), epsilon)
    found = moved_until(lambda x: _confidence(k, epsilon, x) >= aim, guess, toward=epsilon)
    return np.where(feasible | (wanted == 1.0), found, np.inf)
