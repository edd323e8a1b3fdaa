"""The plan of a release: a query, its epsilon, and the noise that each of its parts gets."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import of_type, one, real, shown
from par_core.queries import Mean, Part, Query
from par_core.queries.question import Question
from par_core.queries.sensitivity import one_person
from par_core.release.error import Measure, ReleaseError, epsilon_for_error, release_error
from par_core.release.quotient import QuotientError, quotient_error
from par_core.release.splitting import split_by_weight
from par_core.scenario import Neighbours, Scenario
from par_core.standing import PROVEN, Standing, declare

_EVEN = (1.0, 1.0)
_SOURCE = "Laplace mechanism, basic composition over the parts"
_LARGEST_EPSILON = 1e12  # beyond this there is no noise to speak of
_SMALLEST_EPSILON = 1e-12
_CLOSE = 1e-9


@dataclass(frozen=True)
class PlannedPart:
    """One noisy release of a plan: what it is, its share of epsilon, and its error."""

    part: Part
    epsilon: float
    error: ReleaseError
    standing: Standing = PROVEN
    source: str = _SOURCE


@dataclass(frozen=True)
class PlannedRelease:
    """What is going to be published, with how much noise. Nothing in it is read off the private table.

    The parts of a mean over a private number of rows are a noisy sum and a noisy count; the published number is their
    quotient, with a count of 1 at least, clamped to the bounds. An error beyond the largest float is infinite.
    """

    query: Query
    epsilon: float
    neighbours: Neighbours
    rows_per_person: int
    parts: tuple[PlannedPart, ...]
    standing: Standing = PROVEN
    source: str = _SOURCE

    @property
    def is_pair(self) -> bool:
        """Whether the published number is a noisy sum over a noisy count."""
        return len(self.parts) > 1

    @property
    def error(self) -> ReleaseError:
        """The error of a release of one part.

        ParameterError for a quotient, whose error depends on the data: see `quotient_error`.
        """
        if self.is_pair:
            raise ParameterError("the error of a noisy sum over a noisy count depends on the data; see quotient_error")
        return self.parts[0].error

    def quotient_error(self, *, size: float, mean: float | None = None) -> QuotientError:
        """Return upper bounds on the error of a quotient; arguments as in `par_core.release.quotient_error`.

        ParameterError for a release that is no quotient: see `error`.
        """
        if not (self.is_pair and isinstance(self.query, Mean)):
            raise ParameterError("only a mean over a private number of rows is a quotient; see error")
        scales = (part.error.scale for part in self.parts)
        return quotient_error(*scales, size=size, mean=mean, lower=self.query.lower, upper=self.query.upper)


def plan(
    query: Query,
    epsilon: float,
    *,
    neighbours: Neighbours,
    rows_per_person: int = 1,
    rows: int | None = None,
    weights: Sequence[float] = _EVEN,
) -> PlannedRelease:
    """Plan the release of a query with the noise that release scripts draw.

    epsilon, above 0, is what the whole release may use. One person has 1 to 1,000,000 rows at most, and `neighbours` says what may happen
    to them. A mean that is one release needs the public number of `rows`. `weights`, two above 0, say how epsilon is shared between the
    sum and the count of any other mean.

    >>> from par_core.queries import Condition, Count
    >>> planned = plan(Count(Condition("age", ">=", 18)), 0.5, neighbours=Neighbours.REPLACE_ONE)
    >>> round(planned.error.expected, 3), planned.error.range95
    (1.919, 6.0)
    """
    budget = one("epsilon", epsilon, above=0.0)
    kind, most = one_person(neighbours, rows_per_person)
    parts = of_type("query", query, Question).parts(kind, most, rows=rows)
    if real("weights", weights, above=0.0).shape != (2,):
        raise ParameterError(
            f"weights must be two numbers, one for the sum and one for the count, got {shown(weights)}"
        )
    shares = split_by_weight(budget, weights).parts if len(parts) > 1 else (budget,)
    planned = tuple(
        PlannedPart(part, share, release_error(share, part.sensitivity, k=part.k, whole=part.whole))
        for part, share in zip(parts, shares, strict=True)
    )
    return PlannedRelease(query, budget, kind, most, planned)


def plan_scenario(
    query: Query, scenario: Scenario, *, rows: int | None = None, weights: Sequence[float] = _EVEN
) -> PlannedRelease:
    """Plan the release of a query at a scenario's epsilon0, neighbours and rows per person.

    The sensitivity and the dimension are those of the query; the scenario's own describe some other release. Other
    parameters and errors as in `plan`.
    """
    of_type("scenario", scenario, Scenario)
    return plan(
        query,
        scenario.epsilon0,
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
        rows=rows,
        weights=weights,
    )


@declare(PROVEN, source=_SOURCE + ", solved for epsilon", limits="for a quotient from the upper bounds on its error")
def epsilon_for_query(
    wanted: float,
    query: Query,
    *,
    neighbours: Neighbours,
    rows_per_person: int = 1,
    rows: int | None = None,
    measure: Measure = Measure.RANGE95,
    size: float | None = None,
    mean: float | None = None,
    weights: Sequence[float] = _EVEN,
) -> float:
    """Smallest epsilon for the whole release of a query with which its error is at most the wanted one; put back in, it meets the wish.

    `wanted`, at least 0 and in the unit of the answer, is the largest error that will do, and `measure` what is meant by it: for a quotient
    EXPECTED or RANGE95. A quotient needs the size; it and the mean are as in `PlannedRelease.quotient_error`, all else as in `plan`.

    InfeasibleError if none will do, or if every epsilon will, because a quotient is clamped to the bounds; `.best` is then the largest
    error there is.

    >>> from par_core.queries import CountBy
    >>> query = CountBy(("education",), ((12, 16),))
    >>> round(epsilon_for_query(10, query, neighbours=Neighbours.REPLACE_ONE), 4)
    0.5687
    """

    def planned(epsilon: float) -> PlannedRelease:
        return plan(query, epsilon, neighbours=neighbours, rows_per_person=rows_per_person, rows=rows, weights=weights)

    parts = planned(
        1.0
    ).parts  # whatever the epsilon: everything is checked, also what plays no part for a single release
    aim = one("wanted", wanted, at_least=0.0)
    for name, value in (("size", size), ("mean", mean)):
        if value is not None:
            one(name, value)
    if len(parts) == 1:
        part = parts[0].part
        return float(epsilon_for_error(aim, part.sensitivity, measure=measure, k=part.k, whole=part.whole))
    if size is None:
        raise ParameterError("size must be given: the error of a quotient depends on the number of rows under it")
    if measure not in (Measure.EXPECTED, Measure.RANGE95):
        raise ParameterError(f"measure must be expected or range95 for a quotient, got {measure!r}")
    rows_below = size

    def error(epsilon: float) -> float:
        found = planned(epsilon).quotient_error(size=rows_below, mean=mean)
        return found.expected if measure == Measure.EXPECTED else found.range95

    return _smallest(error, aim)


def _smallest(error: Callable[[float], float], wanted: float) -> float:
    """Smallest epsilon with an error of at most `wanted`, to nine digits; the upper end of the bracket meets the wish throughout."""
    largest = error(_SMALLEST_EPSILON)
    if largest <= wanted:
        raise InfeasibleError(
            f"even hardly any epsilon keeps the error at {largest:g}: every one will do", best=largest
        )
    least = error(_LARGEST_EPSILON)
    if least > wanted:
        raise InfeasibleError(f"no epsilon makes the error as small as wanted; it stays at {least:g}", best=least)
    low, high = _SMALLEST_EPSILON, _LARGEST_EPSILON
    while high > low * (1.0 + _CLOSE):
        middle = math.sqrt(low * high)
        if error(middle) > wanted:
            low = middle
        else:
            high = middle
    return high
