"""The plan of a release: a query, its epsilon, and the noise that each of its parts gets; or how sharply a quantile is chosen.

Noise in L1 is planned part by part and statistic by statistic, each with its share of epsilon. Noise in L2 is planned as one release of
all of them, at the same (epsilon, delta): the squares of what one person moves each by, in standard deviations, add up, so that m
alike have √m times the noise of one. That is exact for the joint release, and needs less noise than sharing out epsilon and delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import MODEL, PROVEN, Evidence, Result
from par_core.mechanisms import NOISES, Norm, drawn
from par_core.old_names import by_old_name
from par_core.parameters import check_choice, check_integer, check_number, check_numbers, check_type, shown
from par_core.queries import MeanQuery, Part, Query
from par_core.queries.quantile_shape import QuantileShape
from par_core.queries.sensitivity import AS_MANY, one_person
from par_core.queries.table_query import TableQuery
from par_core.release.error import Measure, ReleaseError, epsilon_for_error, release_error
from par_core.release.quotient import QuotientError, mean_quotient_error
from par_core.release.rank_error import RankError, rank_error
from par_core.release.splitting import LARGEST_EVEN, split_by_weight, split_evenly
from par_core.scenario import FOR_STEPS, Neighbours, Scenario

_EVEN = (1.0, 1.0)
_SOURCE = "Laplace mechanism, basic composition over the parts"
_SOURCE_OF_CHOICE = "permute and flip (McKenna and Sheldon 2020), sensitivity of the score"
_SOURCE_L2 = "exact law of Gaussian noise (Balle and Wang 2018, Theorem 8), all parts and statistics as one release"
_LARGEST_EPSILON = 1e12  # beyond this there is no noise to speak of
_SMALLEST_EPSILON = 1e-12
_CLOSE = 1e-9
_USUAL = 0.95


def _evidence(norm: Norm, *, assumed: bool, selection: bool) -> Evidence:
    source = _SOURCE_OF_CHOICE if selection else _SOURCE if norm == "L1" else _SOURCE_L2
    return Evidence(MODEL, source=f"{source}, if {AS_MANY}") if assumed else Evidence(PROVEN, source=source)


def _norm(error: ReleaseError | RankError) -> Norm:
    return "L1" if isinstance(error, RankError) else error.noise.norm


@dataclass(frozen=True)
class PlannedPart(Result):
    """One noisy release of a plan: what it is, its share of epsilon (all of it for noise in L2), and its error."""

    part: Part
    epsilon: float
    error: ReleaseError | RankError
    assumes_as_many: bool = False  # as the plan

    @property
    def evidence(self) -> Evidence:
        """That of the plan."""
        selection = isinstance(self.error, RankError)
        return _evidence(_norm(self.error), assumed=self.assumes_as_many, selection=selection)


@dataclass(frozen=True)
class PlannedRelease(Result):
    """What is going to be published, with how much noise. Nothing in it is read off the private table.

    The parts of a mean over a private number of rows are a noisy sum and a noisy count; the published number is their
    quotient, with a count of 1 at least, clamped to the bounds. In groups there is one of each for every group. An error beyond
    the largest float is infinite.

    `mechanism` is the noise that is planned with, a name in `par_core.mechanisms.NOISES`, and `delta` that of the release, 0 where the
    noise needs none. `epsilon` is what this one of the `statistics` of the release may use: its share, or all of it together with the
    others for noise in L2. Its privacy is proven, but by the user's model where it rests on as many rows replacing a person's rows.
    """

    query: Query
    epsilon: float
    neighbours: Neighbours
    rows_per_person: int
    parts: tuple[PlannedPart, ...]
    mechanism: str = "laplace"
    delta: float = 0.0
    statistics: int = 1
    weights: tuple[float, float] = _EVEN
    USUALLY = Evidence(PROVEN, source=_SOURCE)

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        return _evidence(self.norm, assumed=self.assumes_as_many, selection=self.is_selection)

    @property
    def norm(self) -> Norm:
        """The norm in which one person moves the numbers: that of the noise."""
        return _norm(self.parts[0].error)

    @property
    def is_selection(self) -> bool:
        """Whether one of several candidates is chosen: `mechanism` plays no part then, and the error is in ranks."""
        return self.query.shape.is_selection

    @property
    def is_pair(self) -> bool:
        """Whether the published number is a noisy sum over a noisy count."""
        return len(self.parts) > 1

    @property
    def assumes_as_many(self) -> bool:
        """Whether it is as private as planned only where as many rows replace a person's rows."""
        return self.query.needs_as_many(self.neighbours, self.rows_per_person)

    @property
    def error(self) -> ReleaseError | RankError:
        """The error of a release of one part.

        ParameterError for a quotient, whose error depends on the data: see `quotient_error`.
        """
        if self.is_pair:
            raise ParameterError("the error of a noisy sum over a noisy count depends on the data; see quotient_error")
        return self.parts[0].error

    def quotient_error(self, *, size: float, mean: float | None = None) -> QuotientError:
        """Return upper bounds on the error of a quotient, of groups that of each; arguments as in `par_core.release.quotient_error`.

        ParameterError for a release that is no quotient: see `error`.
        """
        if not (self.is_pair and isinstance(self.query, MeanQuery)):
            raise ParameterError("only a mean over a private number of rows is a quotient; see error")
        of_sum, of_count = (float(part.error.scale) for part in self.parts)
        return mean_quotient_error(of_sum, of_count, self.query.shape, size=size, mean=mean, mechanism=self.mechanism)

    def planned_anew(
        self, epsilon: float, *, mechanism: str | None = None, delta: float | None = None, statistics: int | None = None
    ) -> PlannedRelease:
        """Return the plan of the same statistic with another epsilon, and other noise or another number of statistics if given."""
        return _planned(
            self.query,
            check_number("epsilon", epsilon, above=0.0),
            [part.part for part in self.parts],
            neighbours=self.neighbours,
            rows_per_person=self.rows_per_person,
            weights=self.weights,
            mechanism=self.mechanism if mechanism is None else mechanism,
            delta=self.delta if delta is None else delta,
            statistics=self.statistics if statistics is None else statistics,
        )


def plan_release(
    query: Query,
    epsilon: float,
    *,
    neighbours: Neighbours,
    rows_per_person: int = 1,
    rows: int | None = None,
    weights: Sequence[float] = _EVEN,
    mechanism: str = "laplace",
    delta: float = 0.0,
    statistics: int = 1,
) -> PlannedRelease:
    """Plan the release of a query with the noise that release scripts draw.

    epsilon, above 0, is what the whole release may use. One person has 1 to 1,000,000 rows at most, and `neighbours` says what may happen
    to them. A mean that is one release needs the public number of `rows`. `weights`, two above 0, say how epsilon is shared between the
    sum and the count of any other mean (for noise in L2: the squares of what one person moves each by, in standard deviations).

    `mechanism` is a name in `par_core.mechanisms.MECHANISMS`. Discrete Laplace noise is planned as Laplace noise is, because scripts draw
    it for both; a mechanism that adds no noise to numbers is replaced by Laplace noise. A quantile is chosen by permute and flip, whatever
    the mechanism. Noise in L2 needs a delta, above 0 and below 1.
    1 to 1,000,000 `statistics` alike share the release, this one among them.

    >>> from par_core.queries import Condition, Count
    >>> planned = plan_release(Count(Condition("age", ">=", 18)), 0.5, neighbours=Neighbours.REPLACE_ONE)
    >>> round(planned.error.expected, 3), planned.error.range95
    (1.919, 6.0)
    >>> planned = plan_release(planned.query, 0.5, neighbours=Neighbours.REPLACE_ONE, mechanism="gaussian", delta=1e-5, statistics=4)
    >>> round(planned.error.scale, 3)
    14.064
    """
    budget = check_number("epsilon", epsilon, above=0.0)
    kind, most = one_person(neighbours, rows_per_person)
    parts = check_type("query", query, TableQuery).parts(kind, most, rows=rows)
    if check_numbers("weights", weights, above=0.0).shape != (2,):
        raise ParameterError(
            f"weights must be two numbers, one for the sum and one for the count, got {shown(weights)}"
        )
    first, second = weights
    return _planned(
        query,
        budget,
        parts,
        neighbours=kind,
        rows_per_person=most,
        weights=(float(first), float(second)),
        mechanism=mechanism,
        delta=delta,
        statistics=statistics,
    )


def _planned(
    query: Query,
    epsilon: float,
    parts: Sequence[Part],
    *,
    neighbours: Neighbours,
    rows_per_person: int,
    weights: tuple[float, float],
    mechanism: str,
    delta: float,
    statistics: int,
) -> PlannedRelease:
    norm, shape = drawn(whole=False, mechanism=mechanism).norm, query.shape
    name = mechanism if mechanism in NOISES else Scenario.mechanism
    if shape.is_selection:
        norm, name = "L1", Scenario.mechanism
    small = check_number("delta", delta, at_least=0.0, below=1.0)
    number = check_integer("statistics", statistics, at_least=1, at_most=LARGEST_EVEN)
    assumed = query.needs_as_many(neighbours, rows_per_person)
    if norm == "L1":
        small = 0.0
        share = epsilon if number == 1 else split_evenly(epsilon, number).parts[0]
        shares = split_by_weight(share, weights).parts if len(parts) > 1 else (share,)
        moves = [part.sensitivity for part in parts]
    else:
        share = epsilon
        shares = (epsilon,) * len(parts)
        ratios = [sum(weights) / weight for weight in weights] if len(parts) > 1 else [1.0]
        moves = [
            part.moves(norm) * math.sqrt(number * ratio) * FOR_STEPS for part, ratio in zip(parts, ratios, strict=True)
        ]
    planned = tuple(
        PlannedPart(
            part,
            each,
            rank_error(each, moved, shape.candidates)
            if isinstance(shape, QuantileShape)
            else release_error(each, moved, k=part.k, whole=part.whole, mechanism=name, delta=small),
            assumed,
        )
        for part, each, moved in zip(parts, shares, moves, strict=True)
    )
    return PlannedRelease(query, share, neighbours, rows_per_person, planned, name, small, number, weights)


def plan_release_of(
    query: Query, scenario: Scenario, *, rows: int | None = None, weights: Sequence[float] = _EVEN
) -> PlannedRelease:
    """Plan the release of a query at a scenario's mechanism, epsilon0, delta, neighbours and rows per person.

    The sensitivity and the dimension are those of the query; the scenario's own describe some other release. Other
    parameters and errors as in `plan_release`.
    """
    check_type("scenario", scenario, Scenario)
    return plan_release(
        query,
        scenario.epsilon0,
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
        rows=rows,
        weights=weights,
        mechanism=scenario.mechanism,
        delta=scenario.delta,
    )


@Evidence(PROVEN, source=_SOURCE + ", solved for epsilon", limits="for a quotient from the upper bounds on its error")
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
    mechanism: str = "laplace",
    delta: float = 0.0,
    statistics: int = 1,
) -> float:
    """Smallest epsilon for the release of a query with which its error, in 95 of 100 unless `measure` says otherwise, meets the wish.

    `wanted`, at least 0 and in the unit of the answer, is the largest error that will do, and `measure` what is meant by it: for a quotient
    EXPECTED, RANGE95 or ALL95. Put back in, epsilon meets the wish. A quotient needs the size, of groups that of the smallest; it and the
    mean are as in `PlannedRelease.quotient_error`, all else as in `plan_release`.

    InfeasibleError if none will do, or if every epsilon will, because a quotient is clamped to the bounds or delta alone is enough; of a
    quotient `.best` is then the largest error there is. Of several `statistics` with noise in L1 it is the share of one.

    >>> from par_core.queries import CountBy
    >>> query = CountBy(("education",), ((12, 16),))
    >>> round(epsilon_for_query(10, query, neighbours=Neighbours.REPLACE_ONE), 4)
    0.5687
    >>> from par_core.queries import Mean
    >>> round(epsilon_for_query(0.5, Mean("age", 0, 100), neighbours=Neighbours.REPLACE_ONE, rows=2000), 4)
    0.2996
    """
    # Whatever the epsilon: everything is checked, also what plays no part for a single release.
    planned = plan_release(
        query,
        1.0,
        neighbours=neighbours,
        rows_per_person=rows_per_person,
        rows=rows,
        weights=weights,
        mechanism=mechanism,
        delta=delta,
        statistics=statistics,
    )
    if planned.norm == "L1":
        planned = planned.planned_anew(1.0, statistics=1)
    parts = planned.parts
    aim = check_number("wanted", wanted, at_least=0.0)
    for name, value in (("size", size), ("mean", mean)):
        if value is not None:
            check_number(name, value)
    if len(parts) == 1:
        part, moves = parts[0].part, parts[0].error.sensitivity
        if planned.is_selection:
            meant = Measure(check_choice("measure", measure, Measure)).name.lower()
            return _smallest(lambda epsilon: float(getattr(planned.planned_anew(epsilon).error, meant)), aim)
        found = epsilon_for_error(
            aim,
            moves,
            measure=measure,
            k=part.k,
            whole=part.whole,
            mechanism=planned.mechanism,
            delta=planned.delta,
        )
        return float(found)
    if size is None:
        raise ParameterError("size must be given: the error of a quotient depends on the number of rows under it")
    if measure not in (Measure.EXPECTED, Measure.RANGE95, Measure.ALL95):
        raise ParameterError(f"measure must be expected, range95 or all95 for a quotient, got {measure!r}")
    rows_below, k = size, planned.query.k

    def error(epsilon: float) -> float:
        found = planned.planned_anew(epsilon).quotient_error(size=rows_below, mean=mean)
        if measure == Measure.EXPECTED:
            return found.expected
        return found.range_of_all(_USUAL, k) if measure == Measure.ALL95 else found.range95

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


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"plan": "plan_release", "plan_scenario": "plan_release_of"})
