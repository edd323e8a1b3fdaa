"""Choose one of many: the exponential mechanism on a short table of candidates, in exact numbers and in draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import Exponential
from par_core.parameters import check_integer, check_number, check_numbers
from par_core.randomness import seeded

MOST_CANDIDATES, MOST_DRAWS = 60, 100_000
_SURE = 0.95  # of the choice, and of each interval
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Choice(Result):
    """With which probability each candidate is chosen, and how far the choice can fall short of the best utility.

    `probabilities` has the shape of the utilities; one of the `best_of` best is chosen with probability `best`. In 95 of 100 choices the
    utility falls short by at most `shortfall`; by the lecture's bound, which holds whatever the other utilities are, by at most `bound`,
    and by more than that with probability `beyond`.
    """

    epsilon: float
    sensitivity: float
    utilities: _Floats
    probabilities: _Floats
    best: float
    best_of: int
    shortfall: float
    bound: float
    beyond: float
    evidence = Evidence(
        PROVEN,
        source="distribution of the exponential mechanism, prior·exp(epsilon·utility/(2·sensitivity)); its utility bound",
    )

    QUANTITIES = quantities(
        best=stated("share"),
        shortfall=stated("error"),
        bound=stated("error"),
        beyond=stated("share", "up"),
    )


@dataclass(frozen=True)
class DrawnChoices(Result):
    """How often each candidate was chosen in `draws` seeded draws, as shares with 95 % intervals of Clopper and Pearson.

    Each interval holds on its own, not all of them at once. The draws are the largest of the utilities with Gumbel noise.
    """

    share: _Floats
    low: _Floats
    high: _Floats
    draws: int
    evidence = Evidence(ESTIMATE, source="report noisy max with Gumbel noise, drawn")


def choose(utilities: ArrayLike, epsilon: float, *, sensitivity: float = 1.0, prior: ArrayLike | None = None) -> Choice:
    """Return the exact choice among 1 to 60 candidates; the prior weights, 1e-12 to 1e12, are by default alike.

    The utilities are at most 1e12 in size, their sensitivity, in their unit, is from 1e-9 to 1e9, and epsilon from 1e-6 to 1000.

    >>> found = choose([30.0, 28.0, 21.0], 1.0)
    >>> round(found.best, 4), found.shortfall, round(found.bound, 2), round(found.beyond, 4)
    (0.7252, 2.0, 8.19, 0.0081)
    """
    value, weight = _table(utilities, prior)
    mechanism = _mechanism(epsilon, sensitivity)
    chance = mechanism.probabilities(value, prior=weight)
    short = value.max() - value
    best = short == 0.0
    order = np.argsort(short)
    reached = np.cumsum(chance[order]) >= _SURE
    bound = float(mechanism.shortfall(_SURE, min(weight[best].sum() / weight.sum(), 1.0)))
    return Choice(
        float(mechanism.epsilon0),
        float(mechanism.sensitivity),
        value,
        chance,
        min(float(chance[best].sum()), 1.0),
        int(best.sum()),
        float(short[order][np.argmax(reached)]),
        bound,
        float(chance[short > bound].sum()),
    )


def draw(
    utilities: ArrayLike,
    epsilon: float,
    *,
    draws: int,
    seed: int,
    sensitivity: float = 1.0,
    prior: ArrayLike | None = None,
) -> DrawnChoices:
    """Choose 1 to 100,000 times by report noisy max with Gumbel noise; the other arguments are those of `choose`.

    >>> float(draw([30.0, 28.0, 21.0], 1.0, draws=1000, seed=1).share.sum())
    1.0
    """
    value, weight = _table(utilities, prior)
    number = check_integer("draws", draws, at_least=1, at_most=MOST_DRAWS)
    mechanism = _mechanism(epsilon, sensitivity)
    chosen = mechanism.sample(value, number, seeded(seed), prior=weight)
    hits = np.bincount(chosen, minlength=value.size)
    misses, tail = number - hits, 0.5 * (1.0 - _SURE)
    low = np.where(hits == 0, 0.0, special.betaincinv(np.maximum(hits, 1), misses + 1, tail))
    high = np.where(misses == 0, 1.0, special.betainccinv(hits + 1, np.maximum(misses, 1), tail))
    return DrawnChoices(hits / number, low, high, number)


def _mechanism(epsilon: float, sensitivity: float) -> Exponential:
    moves = check_number("sensitivity", sensitivity, at_least=1e-9, at_most=1e9)
    return Exponential(check_number("epsilon", epsilon, at_least=1e-6, at_most=1e3), moves)


def _table(utilities: ArrayLike, prior: ArrayLike | None) -> tuple[_Floats, _Floats]:
    """Return the checked utilities and prior weights, alike where there are none."""
    value = check_numbers("utilities", utilities, at_least=-1e12, at_most=1e12)
    if value.ndim != 1 or value.size > MOST_CANDIDATES:
        raise ParameterError(f"utilities must be a list of 1 to {MOST_CANDIDATES} numbers, got shape {value.shape}")
    weight = np.ones(value.shape) if prior is None else check_numbers("prior", prior, at_least=1e-12, at_most=1e12)
    if weight.shape != value.shape:
        raise ParameterError(f"prior must be as many numbers as there are candidates, {value.size}")
    return value, weight
