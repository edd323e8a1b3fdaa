"""Which noise is more accurate for a statistic at the same epsilon0 and delta, and from where on it is the other one.

The scale of Laplace noise grows with the number of statistics that share a release, and that of Gaussian noise with its root: from some
number on Gaussian noise is the more accurate. It has the lighter tails too, so that of very many numbers it keeps all closer at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from par_core.errors import ParameterError
from par_core.evidence import MODEL, PROVEN, Evidence, Result, quantities, stated
from par_core.limits import LARGEST_K
from par_core.mechanisms import default_noise
from par_core.parameters import check_number, check_type
from par_core.queries import PersonCounts
from par_core.release.error import Measure, ReleaseError, error_of
from par_core.release.planned_release import PlannedRelease
from par_core.release.splitting import LARGEST_STATISTICS
from par_core.roots import first_whole

_KINDS = ("laplace", "gaussian")


@dataclass(frozen=True)
class NoiseComparison(Result):
    """What one number is off by at most in 95 of 100 releases, with either noise, at the same epsilon0 and delta.

    From `statistics` like this one on, in one release, Gaussian noise is the more accurate (of a quotient until both are as wide as its
    bounds); None if not up to 10,000. From about `cells`
    in the answer on, give or take the rounding of whole numbers, Gaussian noise keeps all of them closer at once; None for a single
    number, where one person can be in all cells, and if not up to 100,000.
    """

    laplace: float
    gaussian: float
    statistics: int | None
    cells: int | None
    assumes_as_many: bool = False  # as the plan
    QUANTITIES = quantities(laplace=stated("error", "up"), gaussian=stated("error", "up"))

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        source = "quantiles of both kinds of noise, closed form; of a quotient, bounds"
        return Evidence(MODEL if self.assumes_as_many else PROVEN, source=source)

    @property
    def better(self) -> str:
        """The more accurate noise; Laplace noise, which needs no delta, where they are alike."""
        return "gaussian" if self.gaussian < self.laplace else "laplace"


def compare_noise(
    planned: PlannedRelease, *, epsilon0: float, delta: float, size: float | None = None
) -> NoiseComparison:
    """Return how accurate a planned statistic is with Laplace noise and with Gaussian noise, whichever it is planned with.

    epsilon0, above 0, and delta, above 0 and below 1, are those of the whole release; `size` as in `error_curves`. ParameterError for a
    quantile, which gets no noise.

    >>> from par_core.queries import CountBy
    >>> from par_core.release import plan_release
    >>> from par_core.scenario import Neighbours
    >>> planned = plan_release(CountBy(("education",), ((12, 16),)), 1.0, neighbours=Neighbours.ADD_OR_REMOVE)
    >>> found = compare_noise(planned, epsilon0=1.0, delta=1e-6)
    >>> found.better, round(found.gaussian, 2), found.statistics
    ('laplace', 8.28, 8)
    """
    level, small = check_number("epsilon0", epsilon0, above=0.0), check_number("delta", delta, above=0.0, below=1.0)
    guess = 0.0 if size is None else check_number("size", size, at_least=0.0)
    if check_type("planned", planned, PlannedRelease).is_selection:
        raise ParameterError(
            "planned must be released with noise: a quantile is chosen by permute and flip, whatever the noise"
        )

    def anew(mechanism: str, statistics: int) -> PlannedRelease:
        return planned.planned_anew(level, mechanism=mechanism, delta=small, statistics=statistics)

    def error(mechanism: str, statistics: int) -> float:
        found = anew(mechanism, statistics)
        return found.quotient_error(size=guess).range95 if found.is_pair else float(found.error.range95)

    laplace, gaussian = (error(name, planned.statistics) for name in _KINDS)
    if planned.is_pair:
        statistics = first_whole(lambda n: error("gaussian", n) <= error("laplace", n), LARGEST_STATISTICS)
        if statistics is not None and error("gaussian", statistics) == error("laplace", statistics):
            statistics = None  # both are as wide as the bounds
        return NoiseComparison(laplace, gaussian, statistics, None, planned.assumes_as_many)
    part, number = planned.parts[0].part, np.arange(1, LARGEST_STATISTICS + 1)
    shared = error_of(level / number, part.sensitivity, measure=Measure.RANGE95, whole=part.whole)
    worse = np.flatnonzero(error("gaussian", 1) * np.sqrt(number) >= shared)  # whole ranges cross more than once
    last = int(number[worse[-1]]) if worse.size else 0
    cells = None
    if part.k > 1 and not (
        isinstance(planned.query, PersonCounts) and part.sensitivity >= part.k
    ):  # else more cells move more
        first, second = (anew(name, planned.statistics).parts[0] for name in _KINDS)
        assert isinstance(second.error, ReleaseError)
        usual, other = default_noise(first.epsilon, sensitivity=part.sensitivity), second.error.noise
        cells = first_whole(lambda k: other.all_error(0.95, k) < usual.all_error(0.95, k), LARGEST_K)
    return NoiseComparison(
        laplace, gaussian, last + 1 if last < LARGEST_STATISTICS else None, cells, planned.assumes_as_many
    )
