"""Which mechanism? How large each noise is for k numbers at the same epsilon and delta, and from how many on Gaussian noise is smaller.

One person moves all k numbers by 1 each, so that the whole answer moves by k in L1 and by √k in L2; or one number alone by 1, as in a
histogram that a person joins or leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES, Gaussian, Laplace, Noise
from par_core.parameters import check_choice, check_integers, check_number
from par_core.roots import first_whole

MOST_NUMBERS = 1_000_000
MEASURES: Final[Mapping[str, Callable[[Noise, int], Any]]] = {
    "average": lambda noise, _: noise.mean_error,
    "range": lambda noise, _: noise.error_quantile(0.95),
    "all": lambda noise, k: noise.all_error(0.95, k),
}
"""Mean error of one number; what one number stays within 95 times of 100; what all k of them do."""
MOVES: Final = ("all", "one")
"""How many of the k numbers one person moves."""

DRAWN: Final = tuple(dict.fromkeys(round(10 ** (step / 10)) for step in range(31)))  # from 1 to 1,000 counts
_LAW = "distributions of the noises, each calibrated exactly"


@dataclass(frozen=True)
class Compared(Result):
    """Errors of every kind of noise against the number of counts `k`, at the same epsilon and, where it needs one, delta.

    `errors` has an array of the shape of `k` for each noise, under its key in `NOISES`, in units of what one person moves a count by.
    From `first` counts on Gaussian noise is smaller than Laplace noise, with the error `crossing`; None where that is at no number up to
    a million.
    """

    epsilon: float
    delta: float
    measure: str
    moves: str
    k: NDArray[np.int64]
    errors: Mapping[str, NDArray[np.float64]]
    first: int | None
    crossing: float | None
    evidence = Evidence(PROVEN, source=_LAW)

    QUANTITIES = quantities(crossing=stated("error"))


@Evidence(PROVEN, source=_LAW)
def crossing(epsilon: float, delta: float, *, measure: str = "average", moves: str = "all") -> int | None:
    """Smallest number of counts, up to a million, from which on the error of Gaussian noise is below that of Laplace noise.

    None where there is no such number. epsilon is above 0, delta above 0 and below 1; `measure` is a key of `MEASURES`, `moves` one of
    `MOVES`.

    >>> crossing(1.0, 1e-6), crossing(1.0, 1e-6, measure="all"), crossing(1.0, 1e-6, moves="one")
    (12, 6, None)
    """
    level, aim = _levels(epsilon, delta)
    error, all_move = MEASURES[check_choice("measure", measure, MEASURES)], check_choice("moves", moves, MOVES) == "all"
    gaussian, laplace = Gaussian.for_epsilon(level, sensitivity=1.0, delta=aim), Laplace(level)

    def is_smaller(k: int) -> bool:
        # An error is in proportion to the sensitivity. The ratio of both never falls with k: Laplace noise has the longer tail.
        return bool(error(gaussian, k) < error(laplace, k) * (k**0.5 if all_move else 1.0))

    return first_whole(is_smaller, MOST_NUMBERS)


def compare(
    epsilon: float, delta: float, *, ks: Sequence[int] = DRAWN, measure: str = "average", moves: str = "all"
) -> Compared:
    """Return the errors of every noise at some numbers of counts, each 1 to a million, in rising order; the rest as in `crossing`.

    >>> found = compare(1.0, 1e-6, ks=[1, 100])
    >>> {key: each.round(2).tolist() for key, each in found.errors.items()}
    {'laplace': [1.0, 100.0], 'discrete-laplace': [0.85, 100.0], 'gaussian': [3.37, 33.71]}
    """
    level, aim = _levels(epsilon, delta)
    first = crossing(level, aim, measure=measure, moves=moves)
    numbers = np.unique(check_integers("ks", ks, at_least=1, at_most=MOST_NUMBERS))
    error = MEASURES[measure]

    def of(kind: type[Noise], numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        moved = numbers if moves == "all" else np.ones_like(numbers)
        noise = kind.for_epsilon(level, sensitivity=moved if kind.norm == "L1" else np.sqrt(moved), delta=aim)
        found = [np.broadcast_to(error(noise, k), numbers.shape)[at] for at, k in enumerate(numbers.tolist())]
        return np.array(found)

    at = None if first is None else float(of(Gaussian, np.array([first]))[0])
    every = {key: of(kind, numbers) for key, kind in NOISES.items()}
    return Compared(level, aim, measure, moves, numbers, every, first, at)


def _levels(epsilon: float, delta: float) -> tuple[float, float]:
    return check_number("epsilon", epsilon, at_least=1e-6, at_most=100.0), check_number(
        "delta", delta, at_least=1e-100, at_most=0.9
    )
