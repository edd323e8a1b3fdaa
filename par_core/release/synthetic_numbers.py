"""What a scenario's release looks like before there are data: made-up numbers, with the scenario's own noise on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES
from par_core.parameters import check_type
from par_core.randomness import seeded
from par_core.scenario import Neighbours, Scenario

FEWEST, MOST = 12, 24
"""So many numbers are made up: as many as the release publishes, within these bounds."""
_ROWS: Final = 1000
_LARGEST_SCALE = 1e14  # noise of this scale still is what a float can hold


@dataclass(frozen=True, eq=False)
class SyntheticNumbers(Result):
    """Made-up numbers and one release of them, each of shape (n,), the largest first; in the unit of the answer.

    `published` numbers are within `error` of the `exact` ones in 95 of 100 releases, whatever the data. Each of `rows` made-up rows
    counts as `weight` in the number that it belongs to.
    """

    exact: NDArray[np.float64]
    published: NDArray[np.float64]
    error: float
    rows: int
    weight: float
    QUANTITIES = quantities(error=stated("error", "up"))
    evidence = Evidence(
        PROVEN,
        source="quantile of the noise, closed form; one release of it, from the seed",
        limits="the exact numbers are made up: the first is twice as large as the second, three times as large as the third",
    )


def synthetic_numbers(scenario: Scenario, *, seed: int = 1) -> SyntheticNumbers:
    """Return made-up numbers and one release of them with the noise of a scenario; the same `seed` draws the same noise.

    ParameterError for a mechanism that adds no noise to numbers, InfeasibleError where the noise is too large to be drawn.

    >>> found = synthetic_numbers(Scenario())
    >>> found.exact.tolist()[:4], round(found.error, 3)
    ([322.0, 161.0, 107.0, 81.0], 5.991)
    """
    rng = seeded(seed)
    if check_type("scenario", scenario, Scenario).mechanism not in NOISES:
        raise ParameterError(
            f"mechanism must be one that adds noise to a number, {', '.join(NOISES)}, got {scenario.mechanism!r}"
        )
    noise: Any = scenario.release
    if not float(noise.scale) <= _LARGEST_SCALE:
        raise InfeasibleError(f"noise of scale {float(noise.scale):.3g} is too large to be drawn")
    number = min(max(scenario.k * scenario.statistics, FEWEST), MOST)
    shares = 1.0 / np.arange(1, number + 1)
    # A person who is replaced leaves one number of several and enters another: half of the sensitivity is one row's.
    two = scenario.k > 1 and scenario.neighbours is Neighbours.REPLACE_ONE
    weight = scenario.sensitivity / (2 if two else 1)
    if noise.loss_is_discrete and not weight.is_integer():  # its answers are whole numbers
        weight = scenario.sensitivity
    exact = np.rint(_ROWS * shares / math.fsum(shares)) * weight
    published = np.asarray(noise.sample(exact, 1, rng)[0], dtype=float)
    return SyntheticNumbers(exact, published, float(noise.error_quantile(0.95)), round(exact.sum() / weight), weight)
