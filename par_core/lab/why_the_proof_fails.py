"""One noise draw seen from two neighbouring tables, and the two draws that the proof of Theorem 4 takes it for.

Everything is in units of the sensitivity, with one number (k = 1) and worst-case neighbours: table x answers 0, table y answers 1.
X₁ and X₂ are the magnitudes of the noise seen from x and from y, as in the proof; |X₁ - X₂| times epsilon0 is the size of the loss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.mechanisms import default_noise
from par_core.parameters import check_integer, check_number
from par_core.randomness import seeded

VIEW = 5.0  # magnitudes beyond it are not drawn
_ANSWERS = np.unique(
    np.concatenate([np.linspace(1 - VIEW, VIEW, 181), [0.0, 1.0]])
)  # as far as `VIEW` from both tables
_TRIED = 2000
_PAIRS = 250  # about a third of the tried pairs, or more, lie in the band
_SMALLEST, _LARGEST = 1e-6, 700.0
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OneDraw(Result):
    """One release of table x: the noise seen from both tables, `first` and `second` their sizes X₁ and X₂, and the privacy loss.

    `density_x` and `density_y` are those of the answers of each table, at the points `answer`; all three have one shape.
    """

    epsilon0: float
    noise: float
    noise_from_y: float
    first: float
    second: float
    loss: float
    answer: _Floats
    density_x: _Floats
    density_y: _Floats
    QUANTITIES = quantities(
        noise=stated("number"),
        noise_from_y=stated("number"),
        first=stated("number"),
        second=stated("number"),
        loss=stated("level"),
    )
    evidence = Evidence(
        PROVEN,
        source="the Laplace distribution; the noise seen from a table is the answer published less that of the table",
    )


@dataclass(frozen=True)
class NoisePairs(Result):
    """Pairs (X₁, X₂) as the proof takes them, and where the true ones lie.

    `first` and `second` are independent and exponential, within `VIEW` and no farther apart than the sensitivity (Lemma 10); both have
    shape (250,). `true_first` and `true_second` are the corners of the line that holds every release. `on_edge` is the true
    probability that |X₁ - X₂| is the whole sensitivity, for which the proof has 0.
    """

    epsilon0: float
    first: _Floats
    second: _Floats
    true_first: _Floats
    true_second: _Floats
    on_edge: float
    QUANTITIES = quantities(on_edge=stated("share", "up", PROVEN))
    evidence = Evidence(
        PUBLISHED,
        source="Privacy at Risk (PoPETs 2021), appendix B, equations 15 to 17; the line from the distribution of one draw",
    )
    claim: str = "par-equation-17"


def one_draw(noise: float, epsilon0: float) -> OneDraw:
    """Return what a noise draw, from -4 to 5 sensitivities, makes of the answer 0, and how it looks from the answer 1.

    >>> found = one_draw(0.75, 2.0)
    >>> found.noise_from_y, found.loss
    (-0.25, -1.0)
    """
    drawn, level = check_number("noise", noise, at_least=1.0 - VIEW, at_most=VIEW), _level(epsilon0)
    of_x, of_y = (0.5 * level * np.exp(-level * np.abs(_ANSWERS - answer)) for answer in (0.0, 1.0))
    # |noise - 1| - |noise|, without its cancellation
    loss = level * float(np.clip(1.0 - 2.0 * drawn, -1.0, 1.0))
    seen = drawn - 1.0
    return OneDraw(level, drawn, seen, abs(drawn), abs(seen), loss, _ANSWERS, of_x, of_y)


def noise_pairs(epsilon0: float, *, seed: int = 1) -> NoisePairs:
    """Return pairs drawn as the proof assumes, with noise for epsilon0, and the line on which the true ones lie.

    >>> pairs = noise_pairs(1.0)
    >>> round(pairs.on_edge, 3), float(abs(pairs.first - pairs.second).max()) <= 1.0
    (0.684, True)
    """
    level, rng = _level(epsilon0), seeded(check_integer("seed", seed, at_least=0, at_most=2**32))
    # An exponential distribution cut at the end of the view, by its inverse: for another epsilon0 each point moves a little.
    first, second = -np.log1p(rng.random((2, _TRIED)) * np.expm1(-level * VIEW)) / level
    kept = np.flatnonzero(np.abs(first - second) <= 1.0)[:_PAIRS]
    edge = float(default_noise(level).loss_exceeds(np.nextafter(level, 0.0)))
    corners = np.array([VIEW, 1.0, 0.0, VIEW - 1.0])
    return NoisePairs(level, first[kept], second[kept], corners, np.array([VIEW - 1.0, 0.0, 1.0, VIEW]), edge)


def _level(epsilon0: float) -> float:
    return check_number("epsilon0", epsilon0, at_least=_SMALLEST, at_most=_LARGEST)
