"""Many releases of one mechanism: the privacy loss of each added up, walk by walk, and the level that few of all walks end above."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.composition import compose
from par_core.composition.dominating_pairs import law_of
from par_core.evidence import ESTIMATE, PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES, Noise
from par_core.parameters import check_choice, check_integer, check_number
from par_core.randomness import seeded

MOST_RELEASES: Final = 100
WALKS: Final = 50
SHARE: Final = 0.05  # of all walks that end above the level, at most
_POINTS = 2**16  # of the law of the sum, which moves each loss up to the next of them
_NODES, _WEIGHTS = special.roots_legendre(200)
_STOPS, _CURVE_STOPS = 25, 13  # of each walk, and of the curve of levels
_LAST_DIGITS = 1.0 + 1e-9  # by which a walk must be above a level: sums of floats are rounded
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LossWalk(Result):
    """The privacy losses of `releases` of one mechanism, added up: 50 `walks`, a row each, at the numbers of releases in `at`.

    The expected loss is `drift` for each release, the Kullback-Leibler divergence, `mean` in all. At most a `share` of all walks end
    above `level`. `levels` has that level at each number of releases in `counted`; at 0 all is 0.
    `largest` is the sum of the largest losses, infinite where there is no largest one. `epsilon` goes with delta = `share`, and at most
    `beyond` of all walks end above it.
    """

    noise: str
    epsilon0: float
    releases: int
    at: NDArray[np.int64]
    walks: _Floats
    counted: NDArray[np.int64]
    levels: _Floats
    drift: float
    mean: float
    level: float
    largest: float
    epsilon: float
    beyond: float
    share: float = SHARE
    evidence = Evidence(
        ESTIMATE,
        source="50 simulated walks; the law of the sum of the losses, each rounded up; exact composition",
        limits="each level holds for the end of a walk, not for all of its way; worst-case neighbours",
    )

    QUANTITIES = quantities(
        drift=stated("number", "near", PROVEN),
        mean=stated("number", "near", PROVEN),
        level=stated("number", "up", PROVEN),
        largest=stated("number", "up", PROVEN),
        epsilon=stated("level", "up", PROVEN),
        beyond=stated("share", "up", PROVEN),
    )

    @property
    def above(self) -> int:
        """How many of the walks end above the level."""
        return int(self.is_above.sum())

    @property
    def is_above(self) -> NDArray[np.bool_]:
        """Which of the walks end above the level."""
        return np.asarray(self.walks[:, -1] > self.level * _LAST_DIGITS)


def walk(kind: str, epsilon0: float, releases: int, *, delta: float = 1e-5, seed: int = 1) -> LossWalk:
    """Add up the losses of 1 to 100 releases; walks of the same seed, a whole number of at least 0, go on where they were.

    `kind` is a name in `NOISES`, made for epsilon0, 0.001 to 20, and where it needs one for `delta`, 1e-15 to 0.5.

    >>> seen = walk("laplace", 0.5, 30)
    >>> round(seen.mean, 2), round(seen.level, 1), seen.largest
    (3.2, 7.2, 15.0)
    """
    check_choice("kind", kind, NOISES)
    level = check_number("epsilon0", epsilon0, at_least=1e-3, at_most=20.0)
    number = check_integer("releases", releases, at_least=1, at_most=MOST_RELEASES)
    aim = check_number("delta", delta, at_least=1e-15, at_most=0.5)
    noise = NOISES[kind].for_epsilon(level, sensitivity=1, delta=aim)
    together = compose([noise], [number])
    at = np.unique(np.linspace(0, number, _STOPS).round().astype(int))
    # Closest at the beginning, where the level bends.
    counted = np.unique((number * np.linspace(0, 1, _CURVE_STOPS) ** 2).round().astype(int))
    walks = _walks(noise, check_integer("seed", seed, at_least=0))[:, at]
    levels = np.array([_level(noise, each) for each in counted.tolist()])
    drift = _mean_loss(noise)
    epsilon = float(together.epsilon(SHARE))
    return LossWalk(
        noise.name,
        level,
        number,
        at,
        walks,
        counted,
        levels,
        drift,
        number * drift,
        float(levels[-1]),
        number * float(noise.largest_loss),
        epsilon,
        float(together.loss_exceeds(epsilon, two_sided=False)),
    )


@lru_cache(maxsize=2)
def _walks(noise: Noise, seed: int) -> _Floats:
    """Draw all walks from 0 on; a picture and its words ask for the same ones."""
    off = noise.sample(np.zeros(WALKS), MOST_RELEASES, seeded(seed))
    losses = np.asarray(noise.loss_at(off)).T
    return np.concatenate([np.zeros((WALKS, 1)), losses.cumsum(axis=1)], axis=1)


@lru_cache(maxsize=2048)
def _level(noise: Noise, releases: int) -> float:
    """Return the smallest level, but for a millionth of its range, that at most the share of walks end above: rounded up."""
    if releases == 0:
        return 0.0
    exceeds = _exceeds(noise, releases)
    low, high = 0.0, min(releases * float(noise.largest_loss), 1.0)
    while exceeds(np.array([high]))[0] > SHARE and high < releases * noise.largest_loss:
        high = min(2.0 * high, releases * float(noise.largest_loss))
    for _ in range(3):
        levels = np.linspace(low, high, 100)
        first = int(np.argmax(np.append(exceeds(levels[:-1]), 0.0) <= SHARE))
        low, high = levels[max(first - 1, 0)], levels[first]
    near = np.array([float(f"{high:.6g}")])  # where losses have steps, the level is one of them, and not a little above
    return float(near[0] if exceeds(near)[0] <= SHARE else high)


def _exceeds(noise: Noise, releases: int) -> Callable[[_Floats], _Floats]:
    """Return how often at most the sum of the losses is above a level."""
    together = noise.repeated(releases)
    if together is not None:
        return lambda level: np.asarray(together.loss_exceeds(level, two_sided=False))
    return partial(law_of(compose([noise], [releases]).releases, 0.0, points=_POINTS).exceeds, two_sided=False)


def _mean_loss(noise: Noise) -> float:
    """Mean of the loss: that of t·(1 - e^-t) over its positive levels t, as neighbours in each other's place turn its sign."""
    largest = float(noise.largest_loss)
    end = largest if math.isfinite(largest) else float(noise.epsilon(1e-15))
    level = 0.5 * end * (_NODES + 1.0)
    slope = -np.expm1(-level) + level * np.exp(-level)
    return float(0.5 * end * (_WEIGHTS * np.asarray(noise.loss_exceeds(level, two_sided=False)) * slope).sum())
