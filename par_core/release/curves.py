"""A plan as curves and as a table: its error against epsilon0, and what its numbers stay within."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import MODEL, PROVEN, Evidence, Result, evidence_of
from par_core.lazy_pandas import pd
from par_core.mechanisms import Norm, PermuteAndFlip, drawn
from par_core.parameters import check_integer, check_number, check_type
from par_core.release.error import ReleaseError, release_error
from par_core.release.planned_release import PlannedRelease
from par_core.release.quotient import QuotientError
from par_core.release.rank_error import RankError
from par_core.release.splitting import LARGEST_EVEN
from par_core.scenario import is_decimal

_POINTS = 121
_POINTS_OF_QUOTIENT = 41  # each takes a search of its own
_LOW, _HIGH = 0.01, 10.0


@dataclass(frozen=True, eq=False)
class ErrorCurves(Result):
    """The error of one statistic against the epsilon0 of the release that it is part of.

    `expected` and `all95` are None where they are not known or say nothing new. `own_epsilon0` and `own` are the present
    setting and what one number is off by at most there, in 95 of 100 releases. Ranges of counts are whole, and 0 from some
    epsilon0 on.
    """

    noun: str
    k: int
    statistics: int
    sensitivity: float | None  # in `norm`, of one of the statistics
    epsilon0: NDArray[np.float64]
    range95: NDArray[np.float64]
    all95: NDArray[np.float64] | None
    expected: NDArray[np.float64] | None
    own_epsilon0: float
    own: float
    noise: str = "Laplace"
    norm: Norm = "L1"
    assumes_as_many: bool = False  # as the plan
    in_ranks: bool = False  # the error is in rows, whatever the unit of the numbers

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        of = RankError if self.in_ranks else ReleaseError if self.expected is not None else QuotientError
        return Evidence(MODEL if self.assumes_as_many else PROVEN, source=evidence_of(of).source)


def error_curves(
    planned: PlannedRelease, *, epsilon0: float, statistics: int = 1, size: float | None = None
) -> ErrorCurves:
    """Return the error of a planned release against epsilon0, which it shares with so many `statistics`; infinite beyond the floats.

    epsilon0, above 0, is that of the whole release at the present setting; 1 to 1,000,000 statistics share it. A mean over a private number
    of rows needs a public guess of it, `size`, at least 0; in groups, of the rows of the smallest.
    """
    noun, own_epsilon0 = noun_of(planned), check_number("epsilon0", epsilon0, above=0.0)
    shares = check_integer("statistics", statistics, at_least=1, at_most=LARGEST_EVEN)
    guess = 0.0 if size is None else check_number("size", size, at_least=0.0)
    number = _POINTS_OF_QUOTIENT if planned.is_pair else _POINTS
    grid = np.geomspace(min(_LOW, own_epsilon0), max(_HIGH, own_epsilon0), number)
    levels = grid / shares if planned.norm == "L1" else grid
    name = drawn(whole=False, mechanism=planned.mechanism).name
    kind = PermuteAndFlip.name if planned.is_selection else name, planned.norm
    if planned.is_pair:
        own = planned.quotient_error(size=guess)
        scales = (
            release_error(
                levels * (each.epsilon / planned.epsilon),
                each.error.sensitivity,
                mechanism=planned.mechanism,
                delta=planned.delta,
            ).scale.tolist()
            for each in planned.parts
        )
        bound = [replace(own, sum_scale=a, count_scale=b).range95 for a, b in zip(*scales, strict=True)]
        return ErrorCurves(
            noun,
            planned.query.k,
            shares,
            None,
            grid,
            np.array(bound),
            None,
            None,
            own_epsilon0,
            own.range95,
            *kind,
            planned.assumes_as_many,
        )
    part = planned.parts[0].part
    error = _error_at(planned, levels)
    return ErrorCurves(
        noun,
        part.k,
        shares,
        part.moves(planned.norm),
        grid,
        error.range95,
        error.all95 if part.k > 1 else None,
        error.expected,
        own_epsilon0,
        float(planned.error.range95),
        *kind,
        planned.assumes_as_many,
        planned.is_selection,
    )


def _error_at(planned: PlannedRelease, epsilon: NDArray[np.float64]) -> ReleaseError | RankError:
    """Return the error of a plan of one part at other levels of the one statistic."""
    error, part = planned.error, planned.parts[0].part
    if isinstance(error, RankError):
        return replace(error, epsilon=epsilon)
    return release_error(
        epsilon, error.sensitivity, k=part.k, whole=part.whole, mechanism=planned.mechanism, delta=planned.delta
    )


def noun_of(planned: PlannedRelease) -> str:
    """Return what one number of a planned release is called."""
    query = check_type("planned", planned, PlannedRelease).query
    return query.labels[0] if planned.is_selection else query.asks.noun


@dataclass(frozen=True)
class Within(Result):
    """What 95 of 100 releases stay within, in the unit of the answer: one published number, all at once, and their total.

    Of a quantile all three are in rows: so many lie between the published value and the true one at most, not counting one candidate,
    after each value is moved to its nearest candidate.
    """

    each: float
    every: float
    total: float
    assumes_as_many: bool = False  # as the plan
    in_ranks: bool = False

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        of = RankError if self.in_ranks else ReleaseError
        return Evidence(MODEL if self.assumes_as_many else PROVEN, source=of.evidence.source)


def within(planned: PlannedRelease) -> Within:
    """Return what 95 of 100 releases of a plan, but of one for a mean over a private number of rows, stay within."""
    error = check_type("planned", planned, PlannedRelease).error
    each, every, total = map(float, (error.range95, error.all95, error.total95))
    return Within(each, every, total, planned.assumes_as_many, planned.is_selection)


@Evidence(PROVEN, source="quantiles and means of the noise, closed form; of a quotient, bounds")
def cells(planned: PlannedRelease, *, size: float | None = None) -> pd.DataFrame:
    """Return one row for each number of a plan, and of counts and sums one for their total: label, mean error, and ranges that hold 95 %.

    Of a quantile they are in rows, as in `within`. A label that a spreadsheet would take for a formula gets an apostrophe before it.
    `size` as in `error_curves`.
    """
    noun, guess = noun_of(planned), 0.0 if size is None else check_number("size", size, at_least=0.0)
    if planned.is_pair:
        found, k = planned.quotient_error(size=guess), planned.query.k
        every = found.range_of_all(0.95, k)
        rows = [_row(label, found.expected, found.range95, every) for label in planned.query.labels]
    else:
        part, error = planned.parts[0].part, planned.error
        ranges = within(planned)
        labels = [noun] if part.k == 1 and noun != "count" else planned.query.labels
        rows = [_row(label, error.expected, ranges.each, ranges.every) for label in labels]
        if part.k > 1:
            rows.append(_row("(total)", error.total_expected, ranges.total, math.nan))
    return pd.DataFrame(rows)


def _row(label: str, expected: float, each: float, every: float) -> dict[str, Any]:
    formula = label[:1] in ("=", "+", "-", "@", "\t") and not is_decimal(label)
    return {
        "cell": f"'{label}" if formula else label,
        "off by on average": expected,
        "within, 95 of 100": each,
        "all at once within, 95 of 100": every,
    }
