"""Budget against ε, by the published and by the exact confidence, ready to be drawn: figure 4 and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.cost.confidence import TRUTHS, Confidence
from par_core.cost.optimum import Cost, Optimum, as_of_the_weaker, money_at_risk, optimum
from par_core.evidence import Evidence, Result
from par_core.parameters import check_integer, check_numbers

_Floats = NDArray[np.float64]

FIGURE_4 = (0.7, 0.6, 0.5)
_FIGURE_4_GRID = np.linspace(0.0, 0.7, 50)[1:]  # the points of the published figure
_LARGEST_STEP = 40.0  # beyond it the published confidence is 1 to the last digit
_OF_EACH = ("epsilon", "confidence", "budget", "baseline", "saving", "share_saved", "at_epsilon0", "epsilon0", "k")


@dataclass(frozen=True)
class CostCurve(Result):
    """Budget against ε with noise for one epsilon0.

    `published` and `exact` have the shape of `epsilon`; from epsilon0 on both are the baseline E(epsilon0). The optima are the
    markers to draw: `.epsilon` and `.budget` of each. The evidence is that of the weaker part, the published one.
    """

    epsilon0: float
    k: int
    epsilon: _Floats
    published: _Floats
    exact: _Floats
    baseline: float
    published_optimum: Optimum
    exact_optimum: Optimum

    @property
    def evidence(self) -> Evidence:
        """That of the published part."""
        return as_of_the_weaker(self.published_optimum)


@dataclass(frozen=True)
class CostCurves(Result):
    """One `CostCurve` for each epsilon0, over the same levels `epsilon` of shape (points,)."""

    model: Cost
    k: int
    epsilon: _Floats
    curves: tuple[CostCurve, ...]

    @property
    def evidence(self) -> Evidence:
        """That of the published part."""
        return self.curves[0].evidence


def curve(
    model: Cost, epsilon0s: Sequence[float] = FIGURE_4, *, k: int = 1, epsilon: ArrayLike | None = None
) -> CostCurves:
    """Return the budget against ε for each epsilon0 (at least 1e-300; figure 4: 0.7, 0.6, 0.5) and dimension k (1 to 100,000).

    `epsilon`, of shape (points,) and above 0, are the levels to draw. By default they are the 49 of figure 4, from 0.7/49 to 0.7,
    where they show the curves; else levels up to the largest epsilon0, with each epsilon0 and each optimum among them.
    """
    levels0 = np.atleast_1d(check_numbers("epsilon0s", epsilon0s, above=0.0))
    dimension = check_integer("k", k, at_least=1)
    optima = {truth: optimum(model, levels0, k=dimension, truth=truth) for truth in TRUTHS}
    if epsilon is None:
        grid = _grid(levels0, np.concatenate([optima[truth].epsilon for truth in TRUTHS]))
    else:
        grid = np.atleast_1d(check_numbers("epsilon", epsilon, above=0.0))
    level, calibrated = np.broadcast_arrays(grid, levels0[:, np.newaxis])
    money = {truth: money_at_risk(model, level, calibrated, Confidence(truth, dimension)) for truth in TRUTHS}
    curves = []
    for i in range(levels0.size):
        published, exact = (
            replace(optima[truth], **{name: getattr(optima[truth], name)[i].item() for name in _OF_EACH})
            for truth in TRUTHS
        )
        drawn = (grid, money["published"][i], money["exact"][i])
        curves.append(CostCurve(published.epsilon0, dimension, *drawn, published.baseline, published, exact))
    return CostCurves(model, dimension, grid, tuple(curves))


def _grid(epsilon0: _Floats, optima: _Floats) -> _Floats:
    if epsilon0.max() <= 0.7 and epsilon0.min() >= 0.2:
        return _FIGURE_4_GRID
    end = float(epsilon0.max())
    # Everything happens next to the optimum, next to 0 and next to epsilon0, on scales that may differ by decades.
    parts = [np.linspace(0.0, end, 121)[1:], np.geomspace(1e-2 * epsilon0.min(), end, 80), epsilon0, optima]
    parts += [np.linspace(0.0, min(level, _LARGEST_STEP), 61)[1:] for level in epsilon0]
    return np.unique(np.concatenate(parts))
