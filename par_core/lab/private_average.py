"""A trap: an average over a count that is private itself, divided by it or with noise made for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_number

MOST_PEOPLE = 10**6
SMALLEST, LARGEST = 1e-3, 100.0
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PrivateScale(Result):
    """The loss of a noisy average whose noise has the scale 1/(n·epsilon), where a person who joins changes n too.

    Values lie from 0 to 1. In the table all `people` have the value 0; in its neighbour one more has 1. `loss` belongs to `output`; it
    grows without bound on both sides. It is `epsilon` at the two `crossings`, and above it beyond them; around the neighbour's mean it
    can be below -epsilon. `exceeds` is the chance of either from the table, and at least one release in 1,000 loses `rare_loss` or more.
    """

    people: int
    epsilon: float
    output: _Floats
    loss: _Floats
    crossings: tuple[float, float]
    exceeds: float
    rare_loss: float
    QUANTITIES = quantities(exceeds=stated("share", "up"), rare_loss=stated("level", "down"))
    evidence = Evidence(PROVEN, source="ratio of two Laplace densities of scales 1/(n·ε) and 1/((n + 1)·ε)")


def private_scale(people: int, epsilon: float) -> PrivateScale:
    """Return the loss of a table of 1 to 10^6 people against one with one person more, for an epsilon from 0.001 to 100.

    >>> found = private_scale(5, 1.0)
    >>> round(found.exceeds, 4), [round(each, 3) for each in found.crossings]
    (0.2189, [-0.182, 2.182])
    """
    number = check_integer("people", people, at_least=1, at_most=MOST_PEOPLE)
    level = check_number("epsilon", epsilon, at_least=SMALLEST, at_most=LARGEST)
    mean = 1.0 / (number + 1)  # of the neighbour; that of the table is 0
    lead = np.log1p(1.0 / number)  # of the neighbour's density, whose peak is higher

    def loss(output: _Floats) -> _Floats:
        return np.asarray(level * ((number + 1) * np.abs(output - mean) - number * np.abs(output)) - lead)

    # Outside the two means the loss rises by epsilon per unit; at 0 it is epsilon - lead.
    crossings = float(-lead / level), float(2.0 + lead / level)
    # The left tail: ½·exp(-n·lead) = ½·(n/(n + 1))^n, whatever epsilon is.
    exceeds = 0.5 * (np.exp(-number * lead) + np.exp(-number * level * crossings[1])) + _below(number, level, lead)
    rare_loss = level - lead + np.log(500.0) / number  # at which the left tail holds 1/1,000
    reach = 1.3 * (crossings[1] - mean)
    output = np.union1d(np.linspace(mean - reach, mean + reach, 121), [0.0, mean, *crossings])
    return PrivateScale(number, level, output, loss(output), crossings, float(exceeds), float(rare_loss))


def _below(number: int, level: float, lead: float) -> float:
    """Return how often the table publishes what the neighbour makes more than exp(epsilon) times as likely."""
    last = lead / level
    if last <= 1.0 / (number + 1):  # of the peak of the neighbour
        return 0.0
    first = (2.0 - last) / (2 * number + 1) if last <= 2.0 else 2.0 - last
    below = 0.5 * np.exp(-number * level * abs(first))  # of the noise beyond `first`, away from 0
    return float((below if first >= 0.0 else 1.0 - below) - 0.5 * np.exp(-number * lead))


@Evidence(PROVEN, source="the difference of the two sums").of("number")
def value_of_leaver(people: int, mean: float, *, mean_without: float) -> float:
    """Return the value of the one who left, from exact averages before and after; at least 2 people, averages up to 10^15.

    >>> value_of_leaver(40, 90.0, mean_without=91.0)
    51.0
    """
    number = check_integer("people", people, at_least=2, at_most=10**9)
    before, after = (
        check_number(name, value, at_least=-1e15, at_most=1e15)
        for name, value in (("mean", mean), ("mean_without", mean_without))
    )
    return number * before - (number - 1) * after
