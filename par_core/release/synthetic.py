"""Counts without a file: made-up ones, and what a release would publish of them, from the number of rows and of cells alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import MODEL, PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES
from par_core.parameters import check_integer, check_type
from par_core.queries import CountBy
from par_core.queries.shapes import LARGEST_K
from par_core.randomness import seeded
from par_core.release.curves import within
from par_core.release.epsilon0_for_error import epsilon0_for_release
from par_core.release.error import ReleaseError
from par_core.release.planned_release import PlannedRelease, plan_release
from par_core.scenario import Scenario

MOST_ROWS = 10**9
MOST_CELLS = LARGEST_K
RIGHT_WITHIN = Fraction(1, 10)
"""A count is right if it is off by no more than this part of it."""

_LARGEST_SCALE = 1e14  # noise of this scale still is whole numbers as floats


@dataclass(frozen=True, eq=False)
class SyntheticRelease(Result):
    """Made-up counts and one release of them, each of shape (cells,), the largest cell first.

    `counts` add up to `rows`, `noisy` is what one release publishes of them: whole numbers, or with decimals where the noise has some. In
    95 of 100 releases a published count is within `each` of the exact one, and all of them are within `every`: whatever the data. So are
    counts from `right_from` rows up right within 10 %.

    Of the made-up counts, `relative` is what `each` is of the `smallest`, infinite where that is 0, and `like_empty` how many are no larger
    than `each`: an empty cell comes out as far from 0.
    """

    rows: int
    cells: int
    epsilon0: float  # of the whole release
    counts: NDArray[np.int64]
    noisy: NDArray[np.float64]
    each: float
    every: float
    right_from: int
    smallest: int
    relative: float
    like_empty: int
    planned: PlannedRelease
    seed: int
    QUANTITIES = quantities(
        each=stated("error", "up"),
        every=stated("error", "up"),
        right_from=stated("number", "up"),
        relative=stated("share", "up", MODEL),
        like_empty=stated("number", "up", MODEL),
    )
    evidence = Evidence(
        PROVEN,
        source="quantiles of the noise, closed form; one release of it, from the seed",
        limits="the exact counts are made up: as large as the pieces of a stick broken at random are on average",
    )


def synthetic_counts(rows: int, cells: int, scenario: Scenario, *, seed: int = 1) -> SyntheticRelease:
    """Return made-up counts and one release of them, planned as a count by so many categories is.

    1 to 10^9 rows fall into 1 to 10,000 cells as the pieces of a stick that is broken at random places, on average: few cells are large,
    the last ones nearly empty. The counts are whole, and the same for every seed. One person moves them as in `plan_release`, at
    the scenario's neighbours and rows per person; its statistics share epsilon0. The same `seed`, a whole number of at least 0, draws the
    same noise.

    ParameterError for a mechanism that adds no noise to numbers. InfeasibleError where the noise is too large to be drawn.

    >>> found = synthetic_counts(1000, 12, Scenario())
    >>> found.counts.tolist()
    [259, 175, 133, 106, 85, 69, 54, 43, 32, 23, 14, 7]
    >>> found.each, found.every, found.right_from, found.like_empty
    (12.0, 22.0, 120, 1)
    """
    number, size = (
        check_integer("rows", rows, at_least=1, at_most=MOST_ROWS),
        check_integer("cells", cells, at_least=1, at_most=MOST_CELLS),
    )
    check_type("scenario", scenario, Scenario)
    rng = seeded(seed)
    if scenario.mechanism not in NOISES:
        raise ParameterError(
            f"mechanism must be one that adds noise to a number, {', '.join(NOISES)}, for counts with noise, "
            f"got {scenario.mechanism!r}"
        )
    planned = plan_release(
        _by_cell(size),
        scenario.epsilon0,
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
        mechanism=scenario.mechanism,
        delta=scenario.delta,
        statistics=scenario.statistics,
    )
    assert isinstance(planned.error, ReleaseError)  # these are counts
    noise = planned.error.noise
    if not noise.scale <= _LARGEST_SCALE:
        raise InfeasibleError(
            f"noise of scale {noise.scale:.3g} is too large to be drawn: take a larger epsilon0 or fewer rows per person"
        )
    ranges, counts = within(planned), _broken_stick(number, size)
    smallest = int(counts[-1])
    return SyntheticRelease(
        number,
        size,
        scenario.epsilon0,
        counts,
        noise.sample(counts, 1, rng)[0].astype(float),
        ranges.each,
        ranges.every,
        max(math.ceil(Fraction(ranges.each) / RIGHT_WITHIN), 1),
        smallest,
        ranges.each / smallest if smallest else math.inf,
        int((counts <= ranges.each).sum()),
        planned,
        int(seed),
    )


@Evidence(
    MODEL, source="quantile of the noise, solved for epsilon0 and rounded up", limits="the exact counts are made up"
).of("level", "up")
def epsilon0_for_smallest(found: SyntheticRelease) -> float:
    """Smallest epsilon0 with which the smallest made-up count is right within 10 % in 95 of 100 releases, rounded up at its 15th digit.

    InfeasibleError where it is empty, and as in `par_core.release.epsilon0_for_release`.

    >>> round(epsilon0_for_smallest(synthetic_counts(1000, 12, Scenario())), 3)
    7.327
    """
    smallest = check_type("found", found, SyntheticRelease).smallest
    if not smallest:
        raise InfeasibleError("the smallest cell is empty, and 10 % of nothing is nothing")
    off = smallest * RIGHT_WITHIN
    whole = found.planned.parts[0].part.whole and found.planned.norm == "L1"
    wanted = float(off // 1 if whole else off)
    return epsilon0_for_release(wanted, found.planned, statistics=found.planned.statistics, digits=15)


@lru_cache(maxsize=16)
def _by_cell(cells: int) -> CountBy:
    """Return a count by so many categories; a dial asks for it at each of its stops."""
    return CountBy(("cell",), (tuple(range(1, cells + 1)),))


@lru_cache(maxsize=16)
def _broken_stick(rows: int, cells: int) -> NDArray[np.int64]:
    """Return whole counts, falling, that add up to the rows and are nearly as large as the pieces on average, (1/r + … + 1/k)/k."""
    pieces = np.cumsum(1.0 / np.arange(cells, 0, -1))[::-1]
    up_to = np.cumsum(pieces)
    counts: NDArray[np.int64] = np.diff(np.rint(rows * (up_to / up_to[-1])), prepend=0.0).astype(np.int64)
    counts[::-1].sort()  # rounding may put a cell above the one before it
    counts.setflags(write=False)
    return counts
