"""The audit of two answers that are published together, in coordinates in which both spread alike.

The standardised answers' sum and difference, each over its own spread, are uncorrelated whatever the unit and the order of the
queries (whitened coordinates). Kernels are products of Laplace kernels along these two axes. Where the answers without somebody
(or those with everyone) lie on one line, and others lie beside it, no kernel is put over the line: whoever sees such an answer
knows.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.audit.auditing import AuditResult
from par_core.audit.bandwidths import fixed, log_sums
from par_core.audit.deltas import LARGEST_EPSILON, individual_deltas
from par_core.errors import DataError
from par_core.evidence import ESTIMATE, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_number, check_numbers, check_type
from par_core.progress import Progress, portion

RANK_TOLERANCE = 1e-9
"""Answers are on one line if none is further from it than this share of how far they reach, or than rounding can have moved it."""

FEWEST = 3
MOST_PAIRS = 2_000

_SOURCE = "Empirical Differential Privacy (2020), section 3, on composition; whitened coordinates, products of Laplace kernels"
_LIMITS = (
    "Two densities of the plane, estimated from few databases, which must be independent: nothing can be said below about 1/databases. "
    "`error` is what two quadrature rules disagree by. That answers lie on one line may be chance where they are few or coarse."
)
_ROUNDING = 64 * np.finfo(np.float64).eps
_FAR = 4.0 * LARGEST_EPSILON  # bandwidths: what stands there is alone at every epsilon
_AIM = 1e-7
_GRID, _FINER_GRID, _FINER = 32, 9, 2
_WIDEST, _NEAR = 10.0, 1e-9
_BLOCK = 4_096
_BATCH = 16
_LEVELS, _BEYOND = 30, 6

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JointAt(Result):
    """The most exposed to two answers at one epsilon, from the most exposed on; all arrays have shape (listed,).

    `first` and `second` are delta_i of each answer alone, and `together` that of both, with its `errors`: never below one of
    these, which the wider kernels of the plane would hide. `disclosed` is the share of the databases in which a pair of answers lies
    where, with or without the individual, none ever does: delta_i is at least that, at every epsilon. `most` is the largest delta_i
    of all individuals.
    """

    epsilon: float
    ranking: NDArray[np.int64]
    together: _Floats
    errors: _Floats
    disclosed: _Floats
    first: _Floats
    second: _Floats
    databases: int
    QUANTITIES = quantities(
        together=stated("number"),
        disclosed=stated("share"),
        first=stated("number"),
        second=stated("number"),
        most=stated("number"),
    )
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)

    @property
    def most(self) -> float:
        """The largest delta_i of all individuals."""
        return float(self.together[0])


@dataclass(frozen=True, eq=False)
class JointCurve(Result):
    """delta_i of one individual against epsilon, (m,), for two answers together and for each alone, as in `JointAt`."""

    individual: int
    epsilons: _Floats
    together: _Floats
    errors: _Floats
    first: _Floats
    second: _Floats
    disclosed: float
    databases: int
    QUANTITIES = quantities(
        together=stated("number"), first=stated("number"), second=stated("number"), disclosed=stated("share")
    )
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)


@dataclass(frozen=True, eq=False)
class JointAudit(Result):
    """Two audits of the same databases, looked at together; `bandwidth` is that of the kernels, in spreads of the answers."""

    first: AuditResult
    second: AuditResult
    bandwidth: float
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)

    def at(self, epsilon: float, *, listed: int = 10, progress: Progress | None = None) -> JointAt:
        """Find the `listed` (1 to 1,000) individuals with the largest delta_i at one level (0 to 500).

        Nobody's delta_i is above what the largest shifts of the pairs allow: who is out of reach by that is not integrated.
        """
        tell = portion(progress)
        level = check_number("epsilon", epsilon, at_least=0, at_most=LARGEST_EPSILON)
        number = min(check_integer("listed", listed, at_least=1, at_most=1_000), len(self.first.losses))
        alone = np.stack([each.at(level).deltas for each in (self.first, self.second)])
        found = np.zeros((len(self.first.losses), 3))
        found[:, 0] = alone.max(axis=0)
        bounds = np.empty(len(found))
        for start in range(0, len(bounds), _BLOCK):
            plane = self._plane(part := slice(start, start + _BLOCK))
            bounds[part] = plane.bound(level, self.bandwidth)
            flat = np.flatnonzero(plane.is_flat)
            if len(flat):
                exact = _on_lines(plane, flat, np.array([level]))[:, 0]
                found[start + flat] = np.column_stack([np.maximum(exact[:, 0], found[start + flat, 0]), exact[:, 1:]])
                bounds[start + flat] = 0.0
            tell(0.3 * min(start + _BLOCK, len(bounds)) / len(bounds))
        order = np.argsort(-bounds, kind="stable")
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            if bounds[batch[0]] <= np.partition(found[:, 0], -number)[-number]:
                break
            values = _integrated(self._plane(batch), np.array([level]), self.bandwidth)[:, 0]
            better = values[:, 0] > found[batch, 0]
            found[batch[better]] = values[better]
            tell(0.3 + 0.7 * min(start + _BATCH, len(order)) / len(order))
        ranking = np.lexsort((-bounds, -found[:, 0]))[:number]
        tell(1.0)
        together, errors, disclosed = found[ranking].T
        first, second = alone[:, ranking]
        return JointAt(level, ranking, together, errors, disclosed, first, second, len(self.first.databases))

    def curve(
        self,
        individual: int,
        *,
        epsilons: ArrayLike | None = None,
        up_to: float = 0.0,
        progress: Progress | None = None,
    ) -> JointCurve:
        """Find delta_i of one individual (0 to N - 1) against `epsilons` (0 to 500).

        By default these are 30 up to where each answer alone shows nothing, and some more if `up_to` (0 to 500) is beyond.
        """
        tell = portion(progress)
        place = check_integer("individual", individual, at_least=0, at_most=len(self.first.losses) - 1)
        until = max(float(each.losses[place]) for each in (self.first, self.second)) or 1.0
        end = min(1.1 * until, LARGEST_EPSILON)
        even = np.linspace(0.0, end, _LEVELS + 1)[1:]
        if (last := check_number("up_to", up_to, at_least=0, at_most=LARGEST_EPSILON)) > end:
            even = np.append(even, np.linspace(end, last, _BEYOND + 1)[1:])
        given = even if epsilons is None else check_numbers("epsilons", epsilons, at_least=0, at_most=LARGEST_EPSILON)
        levels = np.unique(given)
        plane = self._plane(np.array([place]))
        found = np.empty((len(levels), 3))
        for at in range(len(levels)):
            found[at] = _values(plane, levels[at : at + 1], self.bandwidth)[0, 0]
            tell((at + 1) / len(levels))
        first, second = (
            individual_deltas(each.answers, each.without[[place]], epsilon=levels, bandwidth=each.bandwidth)[0]
            for each in (self.first, self.second)
        )
        together = np.maximum(found[:, 0], np.maximum(first, second))
        errors = np.where(found[:, 0] < together, 0.0, found[:, 1])
        return JointCurve(place, levels, together, errors, first, second, float(found[0, 2]), len(self.first.databases))

    def _plane(self, part: slice | NDArray[np.int64]) -> _Plane:
        of_all = np.stack([self.first.answers, self.second.answers])
        return _Plane(of_all, np.stack([self.first.without[part], self.second.without[part]]))


def joint_audit(first: AuditResult, second: AuditResult) -> JointAudit:
    """Put the audits of two queries on the same panel together; at least three databases, at most 2,000 answers.

    DataError for audits of different databases or individuals, or of too few databases.
    """
    check_type("first", first, AuditResult)
    check_type("second", second, AuditResult)
    same = first.databases.equals(second.databases) and first.individuals.equals(second.individuals)
    if not same or first.answers.shape != second.answers.shape:
        raise DataError("two answers together need audits of the same databases, individuals and number of draws")
    _enough(len(first.answers))
    return JointAudit(first, second, _bandwidth(np.stack([first.answers, second.answers])))


class _Plane:
    """The pairs of some individuals: which of them lie on a line, and all others in whitened coordinates."""

    def __init__(self, of_all: _Floats, without: _Floats) -> None:
        size = np.abs(of_all).max(axis=1)
        reach = np.ptp(of_all, axis=1)
        scale = np.where(reach > _ROUNDING * size, reach, np.where(size > 0.0, size, 1.0))
        middle = of_all.mean(axis=1)
        self.all = (of_all - middle[:, None]) / scale[:, None]
        self.without = (without - middle[:, None, None]) / scale[:, None, None]
        self.rounding = _ROUNDING * float((size / scale).max())
        # With everyone on one line, that line is the one; else that of the answers without the individual, if there is one.
        self.line_of_all = _line(self.all[:, None], self.rounding)
        self.line = self.line_of_all if self.line_of_all.flat[0] else _line(self.without, self.rounding)
        self.is_flat = np.broadcast_to(self.line.flat, without.shape[1:2])

    def whitened(self) -> tuple[_Floats, _Floats]:
        """Return the pairs (2, N, n) with everyone and without each, in spreads along the two axes: of both samples the smaller.

        With a pooled spread the wider sample would blur the narrower one, and hide what sets them apart.
        """
        spread = _or_one(self.all.std(axis=1))
        turned = [
            np.stack([one_axis + other, one_axis - other])
            for one_axis, other in (self.all / spread[:, None], self.without / spread[:, None, None])
        ]
        of_all, of_each = turned[0].std(axis=1)[:, None], turned[1].std(axis=2)
        smaller = _or_one(np.where(of_each > RANK_TOLERANCE * of_all, np.minimum(of_all, of_each), of_all))
        of_all_of_them = np.broadcast_to(turned[0][:, None], turned[1].shape) / smaller[:, :, None]
        return of_all_of_them, turned[1] / smaller[:, :, None]

    def bound(self, epsilon: float, bandwidth: float) -> _Floats:
        """Return what no delta_i is above, (N,): the mean over the databases, a shift of s bandwidths being s-private."""
        first, second = self.whitened()
        shift = np.abs(first - second).sum(axis=0) / bandwidth
        lost = -np.expm1(np.minimum(epsilon - shift, 0.0)) / (1.0 + np.exp(-shift))
        return np.asarray(lost.mean(axis=1) + _AIM)


def _or_one(spread: _Floats) -> _Floats:
    """Return a spread, 1 where there is none: on a line, which is not looked at in the plane."""
    return np.where(spread > 0.0, spread, 1.0)


@dataclass(frozen=True)
class _Line:
    """Lines of several samples: a point of each, (2, N), its direction, how far the sample reaches, and whether it is one."""

    through: _Floats
    along: _Floats
    reach: _Floats
    flat: NDArray[np.bool_]


def _line(pairs: _Floats, rounding: float) -> _Line:
    """Return the line on which each sample, (2, N, n), lies, if all of it does."""
    through = pairs.mean(axis=2)
    x, y = pairs - through[:, :, None]
    angle = 0.5 * np.arctan2(2.0 * (x * y).sum(axis=1), (x * x).sum(axis=1) - (y * y).sum(axis=1))
    along = np.stack([np.cos(angle), np.sin(angle)])
    reach = np.abs(x * along[0, :, None] + y * along[1, :, None]).max(axis=1)
    beside = np.abs(x * along[1, :, None] - y * along[0, :, None]).max(axis=1)
    return _Line(through, along, reach, beside <= RANK_TOLERANCE * reach + rounding)


def _values(plane: _Plane, levels: _Floats, bandwidth: float) -> _Floats:
    """Return delta_i, the estimate of its error and the disclosed share, (N, m, 3)."""
    found = np.empty((plane.without.shape[1], len(levels), 3))
    flat = np.flatnonzero(plane.is_flat)
    found[flat] = _on_lines(plane, flat, levels)
    if not plane.is_flat.all():
        found[~plane.is_flat] = _integrated(plane, levels, bandwidth)[~plane.is_flat]
    return found


def _on_lines(plane: _Plane, which: NDArray[np.int64], levels: _Floats) -> _Floats:
    """Return the same where one sample lies on a line, exactly: what stands beside it is alone there, as what is far away."""
    found = np.zeros((len(which), len(levels), 3))
    if bool(plane.line_of_all.flat[0]):
        found[..., 0], found[:, 0, 2] = _on_line(plane, which, 0, levels)
    else:
        for row, individual in enumerate(which):
            deltas, disclosed = _on_line(plane, which[row : row + 1], int(individual), levels)
            found[row, :, 0], found[row, 0, 2] = deltas[0], disclosed[0]
    found[..., 2] = found[:, :1, 2]
    return found


def _on_line(plane: _Plane, which: NDArray[np.int64], of: int, levels: _Floats) -> tuple[_Floats, _Floats]:
    """Return the deltas (rows, m) and disclosed shares (rows,) of some individuals by the line of this number."""
    line = plane.line
    centre, along, reach = line.through[:, of, None, None], line.along[:, of], float(line.reach[of])

    def on(pairs: _Floats) -> tuple[_Floats, NDArray[np.bool_]]:
        x, y = pairs - centre
        at = x * along[0] + y * along[1]
        point = reach <= plane.rounding
        further = 1.0 if point else 1.0 + np.abs(at) / reach
        away = np.abs(x * along[1] - y * along[0]) > 2.0 * further * (RANK_TOLERANCE * reach + plane.rounding)
        return (np.zeros_like(at), away | (np.abs(at) > 2.0 * plane.rounding)) if point else (at, away)

    (at, away), (at_without, away_without) = on(plane.all[:, None]), on(plane.without[:, which])
    width = float(fixed(at[0] if plane.line_of_all.flat[0] else at_without[0], kernel="laplace").bandwidths[0])
    far = max(float(at.max()), float(at_without.max())) + _FAR * width
    table = np.where(away_without, far, at_without)
    deltas = individual_deltas(np.where(away, far, at)[0], table, epsilon=levels, bandwidth=width)
    disclosed = np.maximum(away.mean(axis=1), away_without.mean(axis=1))
    return np.maximum(deltas, disclosed[:, None]), disclosed


def _integrated(plane: _Plane, levels: _Floats, bandwidth: float) -> _Floats:
    """Return the same in the plane, by quadrature."""
    from par_core.audit.kernels_joint import fill_joint  # late: compiling takes seconds the first time

    first, second = (each / bandwidth for each in plane.whitened())
    number, factors = first.shape[2], np.exp(levels)
    found = np.zeros((first.shape[1], len(levels), 3))

    def fill(individual: int) -> None:
        together = np.concatenate([first[:, individual], second[:, individual]], axis=1)
        places, which = np.unique(together, axis=1, return_inverse=True)
        weights = [np.bincount(part, minlength=places.shape[1]) / number for part in np.split(np.ravel(which), 2)]
        order = np.argsort(places[1], kind="stable")
        both = np.zeros((len(levels), 3))
        across, up = np.ascontiguousarray(places[0, order]), np.ascontiguousarray(places[1, order])
        fill_joint(np.unique(across), across, up, *(each[order] for each in weights), factors, _AIM, both)
        found[individual, :, 0] = np.clip(both[:, :2].max(axis=1), 0.0, 1.0)
        found[individual, :, 1] = both[:, 2]

    todo = [each for each in range(first.shape[1]) if not plane.is_flat[each]]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1) as pool:
        list(pool.map(fill, todo))
    return found


def _bandwidth(of_all: _Floats) -> float:
    """Return the bandwidth with which left-out pairs of the answers with everyone are likeliest, in spreads; 1 on a line."""
    plane = _Plane(of_all, of_all[:, None])
    if plane.is_flat[0]:
        return 1.0
    points = plane.whitened()[0][:, 0]
    apart = np.abs(points[0][:, None] - points[0]) + np.abs(points[1][:, None] - points[1])
    np.fill_diagonal(apart, np.inf)
    nearest = apart.min(axis=1)
    distinct = nearest[nearest > _NEAR]
    # Repeated pairs would be the likelier the narrower the kernels: as for one answer, half the usual gap is the least.
    floor = (
        float(np.median(distinct) / 2.0 if len(distinct) < len(nearest) else nearest.min() / 10.0)
        if len(distinct)
        else 0.1
    )
    floor = min(max(floor, 1e-6), _WIDEST / 10.0)

    def likely(width: float) -> float:
        return float(log_sums(-apart / width).sum()) - 2.0 * len(nearest) * math.log(width)

    tried = np.geomspace(floor, _WIDEST, _GRID)
    best = floor
    for _ in range(_FINER + 1):
        heights = [likely(float(width)) for width in tried]
        at = int(np.argmax(heights))
        best = float(tried[at])
        tried = np.geomspace(tried[max(at - 1, 0)], tried[min(at + 1, len(tried) - 1)], _FINER_GRID)
    return best


def _enough(answers: int) -> None:
    if answers < FEWEST:
        raise DataError(f"two answers together need at least {FEWEST} databases, got {answers}")
    if answers > MOST_PAIRS:
        raise DataError(f"two answers together take at most {MOST_PAIRS:,} answers, got {answers:,}")
