"""Only a sample: which level a release has that is computed from a random part of the people, of whom nobody learns who is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import Laplace
from par_core.parameters import check_number

SMALLEST_SHARE: Final = 1e-3
_DRAWN: Final = 200


@dataclass(frozen=True)
class SampledLevel(Result):
    """Level that noise for `epsilon` has on a sample which each person is in with probability `share`, and what one may expect of it.

    `guess` is that share of epsilon. `levels` has the level at each of the `shares`.
    """

    epsilon: float
    share: float
    level: float
    guess: float
    shares: NDArray[np.float64]
    levels: NDArray[np.float64]
    evidence = Evidence(
        PROVEN,
        source="amplification by subsampling, log(1 + share·(e^ε - 1)) (Balle, Barthe and Gaboardi 2018, Poisson subsampling)",
        limits="each person is drawn independently, and nobody learns who is in the sample",
    )

    QUANTITIES = quantities(
        epsilon=stated("level"), share=stated("share"), level=stated("level", "up"), guess=stated("level")
    )


def sampled(epsilon: float, share: float) -> SampledLevel:
    """Return the level of a sample; epsilon is from 1e-6 to 50, the share from 0.001 to 1.

    >>> found = sampled(1.0, 0.1)
    >>> round(found.level, 4), round(found.guess, 4)
    (0.1586, 0.1)
    """
    whole = Laplace(check_number("epsilon", epsilon, at_least=1e-6, at_most=50.0))
    part = check_number("share", share, at_least=SMALLEST_SHARE, at_most=1.0)
    shares = np.linspace(SMALLEST_SHARE, 1.0, _DRAWN)
    levels = np.asarray(whole.subsampled(shares).largest_loss)
    return SampledLevel(
        float(whole.largest_loss), part, float(whole.subsampled(part).largest_loss), part * epsilon, shares, levels
    )
