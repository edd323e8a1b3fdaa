"""Budget against ε, by the published and by the exact confidence, ready to be drawn: figure 4 and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.cost.law import TRUTHS, WEAKER, Law
from par_core.cost.optimum import Cost, Optimum, money_at_risk, optimum
from par_core.parameters import one_whole, real
from par_core.standing import PUBLISHED, Standing

_Floats = NDArray[np.float64]

FIGURE_4 = (0.7, 0.6, 0.5)
_FIGURE_4_GRID = np.linspace(0.0, 0.7, 50)[1:]  # the points of the published figure
_LARGEST_STEP = 40.0  # beyond it the published confidence is 1 to the last digit


@dataclass(frozen=True)
class CostCurve:
    """Budget against ε with noise for one epsilon0.

    `published` and `exact` have the shape of `epsilon`; from epsilon0 on both are the baseline E(epsilon0). The optima are the
    markers to draw: `.epsilon` and `.budget` of each. The standing is that of the weaker part, the published one.
    """

    epsilon0: float
    k: int
    epsilon: _Floats
    published: _Floats
    exact: _Floats
    baseline: float
    published_optimum: Optimum
    exact_optimum: Optimum
    standing: Standing
    source: str
    limits: str


@dataclass(frozen=True)
class CostCurves:
    """One `CostCurve` for each epsilon0, over the same levels `epsilon` of shape (points,)."""

    model: Cost
    k: int
    epsilon: _Floats
    curves: tuple[CostCurve, ...]
    standing: Standing
    source: str
    limits: str


def curve(
    model: Cost, epsilon0s: Sequence[float] = FIGURE_4, *, k: int = 1, epsilon: ArrayLike | None = None
) -> CostCurves:
    """Return the budget against ε for each epsilon0 (figure 4: 0.7, 0.6, 0.5).

    Parameters
    ----------
    model : Cost
        What a breach costs.
    epsilon0s : sequence of float, at least 1e-300
        What the noise is calibrated to.
    k : int, 1 to 100,000
        Dimension of the query.
    epsilon : array_like of shape (points,), above 0, optional
        Levels to draw. By default the 49 of figure 4, from 0.7/49 to 0.7, where they show the curves; else levels up to the
        largest epsilon0, with each epsilon0 and each optimum among them.
    """
    levels0 = np.atleast_1d(real("epsilon0s", epsilon0s, above=0.0))
    dimension = one_whole("k", k, at_least=1)
    optima = {truth: optimum(model, levels0, k=dimension, truth=truth) for truth in TRUTHS}
    if epsilon is None:
        grid = _grid(levels0, np.concatenate([optima[truth].epsilon for truth in TRUTHS]))
    else:
        grid = np.atleast_1d(real("epsilon", epsilon, above=0.0))
    level, calibrated = np.broadcast_arrays(grid, levels0[:, np.newaxis])
    laws = {truth: Law(truth, dimension) for truth in TRUTHS}
    money = {truth: money_at_risk(model, level, calibrated, law=laws[truth]) for truth in TRUTHS}
    about = (PUBLISHED, optima["published"].source, f"{optima['published'].limits} {WEAKER}")
    curves = tuple(
        CostCurve(
            float(levels0[i]),
            dimension,
            grid,
            money["published"][i],
            money["exact"][i],
            float(optima["published"].baseline[i]),
            _single(optima["published"], i),
            _single(optima["exact"], i),
            *about,
        )
        for i in range(levels0.size)
    )
    return CostCurves(model, dimension, grid, curves, *about)


def _grid(epsilon0: _Floats, optima: _Floats) -> _Floats:
    if epsilon0.max() <= 0.7 and epsilon0.min() >= 0.2:
        return _FIGURE_4_GRID
    end = float(epsilon0.max())
    # Everything happens next to the optimum, next to 0 and next to epsilon0, on scales that may differ by decades.
    parts = [np.linspace(0.0, end, 121)[1:], np.geomspace(1e-2 * epsilon0.min(), end, 80), epsilon0, optima]
    parts += [np.linspace(0.0, min(level, _LARGEST_STEP), 61)[1:] for level in epsilon0]
    return np.unique(np.concatenate(parts))


def _single(found: Optimum, index: int) -> Optimum:
    return Optimum(
        epsilon=float(found.epsilon[index]),
        confidence=float(found.confidence[index]),
        budget=float(found.budget[index]),
        baseline=float(found.baseline[index]),
        saving=float(found.saving[index]),
        share_saved=float(found.share_saved[index]),
        at_epsilon0=bool(found.at_epsilon0[index]),
        epsilon0=float(found.epsilon0[index]),
        k=int(found.k[index]),
        truth=found.truth,
        model=found.model,
        standing=found.standing,
        source=found.source,
        limits=found.limits,
    )
