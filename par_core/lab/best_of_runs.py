"""The best of several private runs, published alone: which level that has, with a number of runs that is fixed, or drawn at random.

Runs are independent and each is ε₀-differentially private; their results have an order, such as that of a score, and the largest is
published. With K runs and f(x) = E[x^K], it is at most y with probability f(F(y)), F the distribution function of one run. So a result
is exp(ε₀)·f'(a)/f'(b) times as likely at most, with a and b the values of F on two neighbouring tables. f' rises, and of all (a, b)
that ε₀ allows its ratio is largest at a = e^ε₀/(1 + e^ε₀), b = 1/(1 + e^ε₀) for a geometric number of runs, where a = e^ε₀·b for a fixed
one.
The one is approached by a result ever rarer, between the two that randomised response would give; the other is reached by randomised
response, and by Laplace noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, like_input, together

MOST_RUNS: Final = 100


@Evidence(PROVEN, source="basic composition; randomised response reaches it", limits="runs of independent noise").of(
    "level", "up"
)
def best_of_fixed(epsilon0: ArrayLike, runs: ArrayLike) -> FloatOrArray:
    """Level of the best of a fixed number of runs, from 1 on, each of a level epsilon0 above 0: that of all together, or infinite.

    >>> best_of_fixed(0.5, 10)
    5.0
    """
    level, number = together(
        epsilon0=check_numbers("epsilon0", epsilon0, above=0.0), runs=check_numbers("runs", runs, at_least=1.0)
    )
    with np.errstate(over="ignore"):
        return like_input(level * number)


@Evidence(
    PROVEN,
    source="random stopping (Liu and Talwar 2019), exact for a geometric number of runs, below 3·ε₀ (Papernot and Steinke 2022, "
    "Corollary 3)",
    limits="runs of independent noise, whose number nobody learns",
).of("level", "up")
def best_of_random(epsilon0: ArrayLike, mean: ArrayLike) -> FloatOrArray:
    """Level of the best of a geometric number of runs, from 1 on and `mean` on average, each of a level epsilon0 above 0.

    After every run a coin decides whether it was the last one, with probability 1/mean. The level is
    ε₀ + 2·log((mean·e^ε₀ + 1)/(mean + e^ε₀)): that of one run at a mean of 1, and below 3·ε₀ at any.

    >>> round(best_of_random(0.5, 10), 4), best_of_random(0.5, 1)
    (1.3125, 0.5)
    """
    level, number = together(
        epsilon0=check_numbers("epsilon0", epsilon0, above=0.0), mean=check_numbers("mean", mean, at_least=1.0)
    )
    tail = np.exp(-level)  # so that nothing overflows
    return like_input(level + 2.0 * np.log1p((number - 1.0) * -np.expm1(-level) / (number * tail + 1.0)))


@dataclass(frozen=True)
class BestOfRuns(Result):
    """Level of the best of `runs` runs of a level `epsilon0` each: `fixed` where that is their number, `random` where it is their mean.

    `most` is what the random one stays below. Where a run is good or bad by randomised response, no run is good in one case of `one_in`
    with a person in the table, and of `one_in_without` without: exp(`fixed`) times as many, and infinite beyond the floats. `levels_fixed`
    and `levels_random` have the level for each of the `numbers` of runs.
    """

    epsilon0: float
    runs: int
    fixed: float
    random: float
    most: float
    one_in: float
    one_in_without: float
    numbers: NDArray[np.int64]
    levels_fixed: NDArray[np.float64]
    levels_random: NDArray[np.float64]
    evidence = Evidence(
        PROVEN,
        source="largest ratio of the chances of any best result, over all runs of that level (Liu and Talwar 2019; Papernot and "
        "Steinke 2022)",
        limits="independent runs; the random number geometric, and learned by nobody",
    )

    QUANTITIES = quantities(
        epsilon0=stated("level"),
        runs=stated("count"),
        fixed=stated("level", "up"),
        random=stated("level", "up"),
        most=stated("level", "up"),
        one_in=stated("number"),
        one_in_without=stated("number"),
    )


def best_of(epsilon0: float, runs: int) -> BestOfRuns:
    """Return what the best of 1 to 100 runs costs, each of a level from 1e-6 to 50.

    >>> found = best_of(0.5, 10)
    >>> found.fixed, round(found.random, 3), found.most
    (5.0, 1.313, 1.5)
    """
    level = check_number("epsilon0", epsilon0, at_least=1e-6, at_most=50.0)
    number = check_integer("runs", runs, at_least=1, at_most=MOST_RUNS)
    numbers = np.arange(1, MOST_RUNS + 1)
    fixed, random = np.asarray(best_of_fixed(level, numbers)), np.asarray(best_of_random(level, numbers))
    with np.errstate(over="ignore"):
        one_in, without = (float(np.exp(number * np.logaddexp(0.0, side * level))) for side in (-1.0, 1.0))
    return BestOfRuns(
        epsilon0=level,
        runs=number,
        fixed=float(fixed[number - 1]),
        random=float(random[number - 1]),
        most=3.0 * level,
        one_in=one_in,
        one_in_without=without,
        numbers=numbers,
        levels_fixed=fixed,
        levels_random=random,
    )
