"""Deltas of any two densities by quadrature, with an estimate of the error: for Gaussian kernels and adaptive bandwidths.

Both densities are smooth between the answers that they stand on, and where they cross the integrand has a kink. Pieces
between those answers are halved until the Gauss and the Kronrod rule agree; what lies beyond the ends is bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from par_core.audit.bandwidths import Floats
from par_core.audit.deltas import LARGEST_EPSILON
from par_core.audit.density import Density
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import check_list, check_number, check_type

_NODES = np.array(
    [
        0.991455371120813,
        0.949107912342759,
        0.864864423359769,
        0.741531185599394,
        0.586087235467691,
        0.405845151377397,
        0.207784955007898,
        0.0,
    ]
)
_KRONROD = np.array(
    [
        0.022935322010529,
        0.063092092629979,
        0.104790010322250,
        0.140653259715525,
        0.169004726639267,
        0.190350578064785,
        0.204432940075298,
        0.209482141084728,
    ]
)
_GAUSS = np.array([0.0, 0.129484966168870, 0.0, 0.279705391489277, 0.0, 0.381830050505119, 0.0, 0.417959183673469])
_END = 1.0 - 1e-12  # both ends are looked at too, without a weight: the rules do not see a kink beyond their last node
_X = np.concatenate([[-_END], -_NODES, _NODES[-2::-1], [_END]])
_K = np.concatenate([[0.0], _KRONROD, _KRONROD[-2::-1], [0.0]]) * (1.0 / (2.0 * _KRONROD.sum() - _KRONROD[-1]) * 2.0)
_G = np.concatenate([[0.0], _GAUSS, _GAUSS[-2::-1], [0.0]])

_TAIL = 40.0  # Laplace kernels end after so many bandwidths (exp(-40) = 4e-18), Gaussian ones after 9
_LAPLACE_STEPS = np.array([0.03, 0.1, 0.3, 1.0]) * _TAIL
_GAUSSIAN_STEPS = np.array([0.3, *range(1, 10)])  # they fall ever faster: a kink may stand anywhere
_KINK = 0.1  # several times the error of the finer rule for a piece that starts to rise at its worst place, and may fall again
_ROUNDS = 60
_FINEST = 1e-14
_MOST_PIECES = 200_000

_SOURCE = "Empirical Differential Privacy (2020), Theorem 1, by adaptive Gauss-Kronrod quadrature"
_LIMITS = (
    "`error` is what two quadrature rules disagree by, plus a bound on the tails: an estimate, not a proof. The densities are"
    " themselves estimates from few databases."
)


@dataclass(frozen=True, eq=False)
class QuadratureDeltas(Result):
    """delta_i of each individual by quadrature: `value` and an estimate of the absolute error `error`, both of shape (N,)."""

    value: Floats
    error: Floats
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)


def quadrature_deltas(
    with_all: Density, without: Sequence[Density], *, epsilon: float, tolerance: float = 1e-9
) -> QuadratureDeltas:
    """max(∫(p - exp(epsilon)·p_i)+, ∫(p_i - exp(epsilon)·p)+) for any densities, those without each individual in `without`.

    `epsilon` is 0 to 500; `tolerance`, 1e-14 to below 1, the absolute error that is aimed at. Values are in [0, 1].
    """
    level = check_number("epsilon", epsilon, at_least=0.0, at_most=LARGEST_EPSILON)
    aim = check_number("tolerance", tolerance, at_least=_FINEST, below=1.0)
    for each in (with_all, *check_list("without", without)):
        check_type("with_all and each of without", each, Density)
    found = np.array([next(deltas_by_level(with_all, other, [level], aim)) for other in without]).reshape(-1, 2)
    return QuadratureDeltas(found[:, 0], found[:, 1])


def deltas_by_level(
    first: Density, second: Density, levels: Iterable[float], aim: float
) -> Generator[tuple[float, float], None, None]:
    """Yield delta_i and the estimate of its error at each level; the pieces all begin with are looked at once."""
    densities = [first, second]
    start = _start(densities)
    for level in levels:

        def both_ways(logs: Floats, level: float = level) -> Floats:
            return np.stack([_excess(logs[0], logs[1] + level), _excess(logs[1], logs[0] + level)])

        value, error = _integrate(densities, start, both_ways, aim)
        way = int(np.argmax(value))
        yield float(np.clip(value[way], 0.0, 1.0)), float(np.minimum(error.max(), 1.0))


def _excess(log_larger: Floats, log_smaller: Floats) -> Floats:
    """exp(a) - exp(b) where that is positive and 0 elsewhere, without cancellation or overflow."""
    with np.errstate(invalid="ignore"):
        difference = np.where(np.isneginf(log_larger), 0.0, np.minimum(log_smaller - log_larger, 0.0))
    return np.asarray(-np.exp(log_larger) * np.expm1(difference))


def _kinks(heights: Floats) -> Floats:
    """What a kink may cost per half width: where the integrand is 0 in a part of a piece, both rules may agree by chance."""
    positive = heights > 0.0
    return np.where(positive.any(axis=2) & ~positive.all(axis=2), _KINK * heights.max(axis=2), 0.0)


def _breaks(densities: Sequence[Density]) -> Floats:
    """Places where a density may have a kink or a step, and points around them at the scale of the kernels."""
    found = []
    for density in densities:
        if len(density.edges):
            found.append(density.edges)
            continue
        steps = _LAPLACE_STEPS if density.kernel == "laplace" else _GAUSSIAN_STEPS
        around = np.concatenate([-steps, [0.0], steps])
        found.append((density.values[:, None] + around * density.bandwidths[:, None]).ravel())
    return np.unique(np.concatenate(found))


def _start(densities: Sequence[Density]) -> tuple[Floats, Floats]:
    """Edges of the first pieces and log densities in them, whatever function of these is integrated: most of the work."""
    edges = _breaks(densities)
    return edges, _logs(densities, edges[:-1], edges[1:])


def _logs(densities: Sequence[Density], low: Floats, high: Floats) -> Floats:
    places = ((low + high) / 2)[:, None] + ((high - low) / 2)[:, None] * _X
    return np.stack([np.asarray(each.log(places)) for each in densities])


def _integrate(
    densities: Sequence[Density], start: tuple[Floats, Floats], of: Callable[[Floats], Floats], aim: float
) -> tuple[Floats, Floats]:
    """Integrals of a function of the log densities over the line, and their errors, by halving the worst pieces."""
    edges, logs = start
    low, high = edges[:-1], edges[1:]
    value = error = np.zeros(1)
    done_value, done_error = np.zeros(1), np.zeros(1)
    width = edges[-1] - edges[0]
    for turn in range(_ROUNDS):
        centre, half = (low + high) / 2, (high - low) / 2
        heights = of(logs)
        fine = (heights @ _K) * half
        rough = np.maximum(np.abs((heights @ _G) * half - fine), _kinks(heights) * half)
        value, error = done_value + fine.sum(axis=1), done_error + rough.sum(axis=1)
        splittable = (centre > low) & (centre < high)
        worst = rough.max(axis=0)
        open_ = splittable & (worst > aim * 0.1 * np.maximum(1.0 / (4 * len(edges)), (high - low) / width / 4))
        if error.max() <= aim * 0.5 or not open_.any() or turn == _ROUNDS - 1 or 2 * open_.sum() > _MOST_PIECES:
            break
        done_value, done_error = done_value + fine[:, ~open_].sum(axis=1), done_error + rough[:, ~open_].sum(axis=1)
        low, high = np.concatenate([low[open_], centre[open_]]), np.concatenate([centre[open_], high[open_]])
        logs = _logs(densities, low, high)
    moved = np.finfo(float).eps * float(np.abs(edges).max() / np.diff(edges).min())  # by the rounding of the places
    return value, error + math.exp(-_TAIL) + min(moved, 1.0) + 1e-14
