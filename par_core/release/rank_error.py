"""How far off a quantile is that is chosen by permute and flip, in ranks: rows between the published value and the true quantile.

Each value x is moved to the candidate next to it first, and ranks are those of the moved values. Let
D(c) = (1 - alpha)·#(x < c) - alpha·#(x > c), whose size is the score of candidate c, and let the chosen c fall short by t at most: then
|D(c)| <= |D(b)| + t for every candidate b. Say the true quantile Q lies above c, with at most alpha of the rows below it and 1 - alpha
above. Let b be the last candidate below Q. Then D(b) <= #(x <= b) - alpha·(number of rows) <= 0, as no more than alpha of them are below Q.
From c to b the D grows by 1 for each row strictly between them, and for those on c and on b by 1 - alpha and alpha each. So

    #(c < x < b) <= D(b) - D(c) = |D(c)| - |D(b)| <= t,

and likewise on the other side: at most t rows lie between the published value and the true quantile, not counting one candidate. That
holds for every alpha and every table. How large t is `PermuteAndFlip.shortfall` says; some tables reach its bound. In the unit of the
column nothing of the kind can be said without data: where rows are few, a few ranks are far apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms import PermuteAndFlip
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, like_input
from par_core.queries.quantile_shape import MOST_CANDIDATES

_USUAL = 0.95
_ROUNDING = 1e-12


@dataclass(frozen=True)
class RankError(Result):
    """The error of one quantile in rows; fields have the shape of epsilon, but for the number of candidates.

    At most that many rows lie between the published value and the true quantile, not counting one candidate, after each value is
    moved to its nearest candidate; whatever the data. `sensitivity` is that of the score, in rows. One number is all numbers, and its own
    total. An error beyond the largest float is infinite.
    """

    epsilon: FloatOrArray
    sensitivity: FloatOrArray
    candidates: int
    evidence = Evidence(PROVEN, source="law of permute and flip for the worst scores, which order rows by rank")

    @property
    def choice(self) -> PermuteAndFlip:
        """What chooses."""
        return PermuteAndFlip.for_epsilon(self.epsilon, sensitivity=self.sensitivity)

    @property
    def scale(self) -> FloatOrArray:
        """Scale of the noise on the scores, in rows."""
        return self.choice.scale

    @property
    def expected(self) -> FloatOrArray:
        """How many rows lie between them on average, at most: the integral of what the range follows from, scale·(1/2 + ... + 1/m)."""
        with np.errstate(over="ignore"):
            return like_input(np.asarray(self.scale) * float((1.0 / np.arange(2, self.candidates + 1)).sum()))

    @property
    def range95(self) -> FloatOrArray:
        """At most so many rows lie between them with probability 0.95, in whole rows."""
        return self.range(_USUAL)

    @property
    def all95(self) -> FloatOrArray:
        """As `range95`."""
        return self.range95

    @property
    def total95(self) -> FloatOrArray:
        """As `range95`."""
        return self.range95

    @property
    def total_expected(self) -> FloatOrArray:
        """As `expected`."""
        return self.expected

    def range(self, share: float) -> FloatOrArray:
        """At most so many rows lie between them with a probability above 0 and below 1, in whole rows."""
        aim = check_number("share", share, above=0.0, below=1.0)
        with np.errstate(over="ignore"):
            return like_input(np.floor(np.asarray(self.scale) * (_shortfall(aim, self.candidates) * (1.0 + _ROUNDING))))


@lru_cache(maxsize=256)
def _shortfall(share: float, candidates: int) -> float:
    """Return how far a choice of scale 1 falls short, which is in proportion to the scale: a search for shares of a plan asks often."""
    return float(PermuteAndFlip(1.0, 0.5).shortfall(share, candidates))


def rank_error(epsilon: ArrayLike, sensitivity: ArrayLike, candidates: int) -> RankError:
    """Return the error in ranks of a quantile among 2 to 10,000 candidates; epsilon and the sensitivity of the score are above 0.

    >>> rank_error(0.125, 1.5, 366).range95
    196.0
    """
    level, moves = check_numbers("epsilon", epsilon, above=0.0), check_numbers("sensitivity", sensitivity, above=0.0)
    number = check_integer("candidates", candidates, at_least=2, at_most=MOST_CANDIDATES)
    return RankError(like_input(level), like_input(moves), number)
