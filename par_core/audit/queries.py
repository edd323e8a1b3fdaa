"""Queries on a panel whose answers without each individual come in closed form, and any other query by asking again.

Each looks at the values of one database, of shape (m,). `when_empty` is what is published where no record is left; by
default that is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from par_core.audit.query import AskedAgain, Codes, PanelQuery, Values, check_when_empty, ratio
from par_core.audit.sums import total, totals, without_part
from par_core.audit.variance_and_quantile import PanelQuantile, PanelVariance
from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, PROVEN, Evidence
from par_core.old_names import by_old_name
from par_core.parameters import check_integer, check_number, shown
from par_core.queries import statistics

_SEVERAL_DRAWS = "several draws of each database; Empirical Differential Privacy (2020), Definition 2"


@dataclass(frozen=True)
class PanelSum(PanelQuery):
    """Sum of all values; 0 for a database that has become empty."""

    def summary(self, values: Values, *, most: int) -> tuple[float, float]:
        return total(values)

    def answer(self, summary: tuple[float, float]) -> float:
        return summary[0]

    def without(self, summary: tuple[float, float], *, codes: Codes, values: Values, size: int) -> Values:
        return without_part(summary, totals(codes, values, size=size))


@dataclass(frozen=True)
class PanelCount(PanelQuery):
    """Number of records; 0 for a database that has become empty."""

    def summary(self, values: Values, *, most: int) -> int:
        return len(values)

    def answer(self, summary: int) -> float:
        return float(summary)

    def without(self, summary: int, *, codes: Codes, values: Values, size: int) -> Values:
        return (summary - np.bincount(codes, minlength=size)).astype(np.float64)


@dataclass(frozen=True)
class PanelMean(PanelQuery):
    """Mean of all values."""

    when_empty: float | None = None

    def __post_init__(self) -> None:
        check_when_empty(self.when_empty)

    def summary(self, values: Values, *, most: int) -> tuple[tuple[float, float], int]:
        return total(values), len(values)

    def answer(self, summary: tuple[tuple[float, float], int]) -> float:
        (high, _), records = summary
        return high / records if records else np.nan

    def without(self, summary: tuple[tuple[float, float], int], *, codes: Codes, values: Values, size: int) -> Values:
        pair, records = summary
        return ratio(without_part(pair, totals(codes, values, size=size)), records - np.bincount(codes, minlength=size))


@dataclass(frozen=True)
class ShareAbove(PanelQuery):
    """Share of the values that are above `threshold` (in their unit); one that is equal to it is not above it."""

    threshold: float
    when_empty: float | None = None

    def __post_init__(self) -> None:
        check_number("threshold", self.threshold)
        check_when_empty(self.when_empty)

    def summary(self, values: Values, *, most: int) -> tuple[int, int]:
        return int(np.count_nonzero(values > self.threshold)), len(values)

    def answer(self, summary: tuple[int, int]) -> float:
        above, records = summary
        return above / records if records else np.nan

    def without(self, summary: tuple[int, int], *, codes: Codes, values: Values, size: int) -> Values:
        own = np.bincount(codes[values > self.threshold], minlength=size)
        return ratio(summary[0] - own.astype(np.float64), summary[1] - np.bincount(codes, minlength=size))


@dataclass(frozen=True)
class Custom(AskedAgain):
    """Any question: a function of the values of one database that is asked again without each individual.

    `function` takes the values of the records, (m,) or (m, columns), as an array that it may not change, and returns a
    number. It is not asked where no record is left.
    """

    function: Callable[[Values], float]
    when_empty: float | None = None
    evidence: ClassVar[Evidence] = Evidence(
        PROVEN,
        source="the query itself, asked again without each individual; Empirical Differential Privacy (2020), algorithm 1",
    )

    def __post_init__(self) -> None:
        _check_function(self.function)
        check_when_empty(self.when_empty)

    def answer(self, summary: Values) -> float:
        return asked(self.function, summary)


@dataclass(frozen=True)
class Randomised(AskedAgain):
    """A query with randomness of its own, asked several times of each database (EDP, Definition 2).

    `function` takes the values of the records and a `numpy.random.Generator`, and returns a number. The n databases give
    n·`draws` answers (1 to 10,000 draws), all of one database together. With and without an individual the function gets
    generators of the same seed (at least 0), so that an individual without data changes nothing.
    """

    function: Callable[[Values, np.random.Generator], float]
    draws: int = 1
    seed: int = 0
    when_empty: float | None = None
    evidence: ClassVar[Evidence] = Evidence(ESTIMATE, source=_SEVERAL_DRAWS)

    def __post_init__(self) -> None:
        _check_function(self.function)
        _check_draws(self.draws, self.seed)
        check_when_empty(self.when_empty)


@dataclass(frozen=True)
class Noisy(PanelQuery):
    """A query with Laplace noise on its answer, several draws of it for each database (EDP, Definition 2).

    `scale` is above 0, in the unit of the answer; 1 to 10,000 `draws`; `seed` at least 0. The same draws are added with
    and without an individual: both samples have the right distribution, and an individual without data changes nothing.
    """

    query: PanelQuery
    scale: float
    draws: int = 1
    seed: int = 0
    evidence: ClassVar[Evidence] = Evidence(ESTIMATE, source=_SEVERAL_DRAWS)

    def __post_init__(self) -> None:
        if not isinstance(self.query, PanelQuery) or self.query.evidence.basis is ESTIMATE:
            raise ParameterError(f"query must be a query without randomness of its own, got {shown(self.query)}")
        check_number("scale", self.scale, above=0)
        _check_draws(self.draws, self.seed)

    def summary(self, values: Values, *, most: int) -> object:
        return self.query.summary(values, most=most)

    def answer(self, summary: Any) -> float:
        return self.query.answer(summary)

    def without(self, summary: Any, *, codes: Codes, values: Values, size: int) -> Values:
        return self.query.without(summary, codes=codes, values=values, size=size)


PANEL_QUERIES: Final[Mapping[type[statistics.Statistic], type[PanelQuery]]] = {
    statistics.Mean: PanelMean,
    statistics.Sum: PanelSum,
    statistics.Count: PanelCount,
    statistics.Variance: PanelVariance,
    statistics.Quantile: PanelQuantile,
}
"""What the audit does with each statistic; it asks for them without bounds, and counts all records."""

PLAIN: Final = {kind.name: query for kind, query in PANEL_QUERIES.items() if query is not PanelQuantile}
"""Those that nothing has to be said for, by the name of the statistic."""


@Evidence(PROVEN, source="the query itself")
def asked(function: Callable[..., float], *arguments: Any) -> float:
    """Return what a function says, as a float.

    DataError if it fails, or gives anything but one finite number; what it says of the data is not repeated.
    """
    try:
        found = np.asarray(function(*arguments))
    except Exception as error:
        raise DataError(f"the query failed with {type(error).__name__}") from error
    if found.size != 1 or found.dtype.kind not in "biuf" or not np.isfinite(found).all():
        raise DataError("the query must give one finite number")
    return float(found.reshape(()))


def as_query(query: object) -> PanelQuery:
    """Return a query as it is and a plain function as `Custom`; ParameterError for anything else."""
    if isinstance(query, PanelQuery):
        return query
    if callable(query):
        return Custom(query)
    raise ParameterError(f"query must be a query of this module or a function of the values, got {shown(query)}")


def _check_function(function: object) -> None:
    if not callable(function):
        raise ParameterError(f"function must be callable, got {shown(function)}")


def _check_draws(draws: int, seed: int) -> None:
    check_integer("draws", draws, at_least=1, at_most=10_000)
    check_integer("seed", seed, at_least=0)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"Quantile": "PanelQuantile", "Variance": "PanelVariance"})
