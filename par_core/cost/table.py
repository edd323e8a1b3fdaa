"""A cost read off a table: straight lines between points that the user gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from par_core.cost.models import BreachCost
from par_core.errors import ParameterError
from par_core.parameters import check_number

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PiecewiseLinear(BreachCost):
    """A table of costs, joined by straight lines.

    `points` are at least two pairs (ε, money in all): ε above 0 and strictly rising, the money at least 0 and never falling; an
    error names the first point that breaks a rule. Below the first point the cost stays at the first amount, which is never
    cheaper than a cost that rises with ε. Beyond the last point it stays at the last amount, because the table knows no more: that
    is too cheap if the cost goes on rising, so the last point should lie at or beyond every epsilon0 that is asked about.

    >>> table = PiecewiseLinear([(0.1, 1000), (0.5, 5000), (1.0, 50_000)])
    >>> table.dp(0.3), table.is_convex
    (3000.0, True)
    """

    points: tuple[tuple[float, float], ...]
    name: str = "a table of costs"

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", _checked(self.points))
        if not isinstance(self.name, str) or not self.name.strip():
            raise ParameterError(f"name must be a text that is not empty, got {self.name!r}")

    def _money_at(self, epsilon: _Floats) -> _Floats:
        return np.asarray(np.interp(epsilon, self._levels, self._money))

    @cached_property
    def is_convex(self) -> bool:
        """Whether the slopes never fall from the first point to the last (flat below the first point included)."""
        slopes = self._slopes[:-1]
        return bool((slopes[1:] >= slopes[:-1] * (1.0 - 1e-12)).all())

    @property
    def full(self) -> float:
        """The last amount."""
        return self.points[-1][1]

    @property
    def landmarks(self) -> _Floats:
        """The levels of the points, where the slope changes."""
        return self._levels

    def unit(self, epsilon0: _Floats) -> _Floats:
        return np.ones_like(epsilon0)

    def fall_and_steepness(self, epsilon: _Floats, epsilon0: _Floats) -> tuple[_Floats, _Floats]:
        """Cost at epsilon0 minus cost at ε, on one line by its slope, so that near levels keep their digits, and ε times that slope."""
        piece, piece0 = (np.searchsorted(self._levels, each, side="right") for each in (epsilon, epsilon0))
        slope, same = self._slopes[piece], piece == piece0
        across = self._money_at(epsilon0) - self._money_at(epsilon)
        return np.where(same, slope * np.where(same, epsilon0 - epsilon, 0.0), across), epsilon * slope

    def caveat(self, epsilon0: float) -> str:
        """Say where epsilon0 lies beyond the table."""
        last = self.points[-1][0]
        if epsilon0 <= last:
            return ""
        return f"Beyond its last point, ε = {last:g}, the table is taken as flat: too cheap if the cost goes on rising."

    @cached_property
    def _levels(self) -> _Floats:
        return np.array([level for level, _ in self.points])

    @cached_property
    def _money(self) -> _Floats:
        return np.array([money for _, money in self.points])

    @cached_property
    def _slopes(self) -> _Floats:
        """Slope of each piece; the first lies below the first point and the last beyond the last."""
        return np.concatenate([[0.0], np.diff(self._money) / np.diff(self._levels), [0.0]])


def _checked(points: Iterable[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    try:
        pairs = [tuple(point) for point in points]
    except TypeError as error:
        raise ParameterError(f"points must be pairs (epsilon, money), got {points!r}") from error
    if len(pairs) < 2:
        raise ParameterError(f"points must be at least two, got {len(pairs)}")
    checked: list[tuple[float, float]] = []
    for number, pair in enumerate(pairs, start=1):
        if len(pair) != 2:
            raise ParameterError(f"points: point {number} must be a pair (epsilon, money), got {pair!r}")
        level = check_number(f"points: epsilon of point {number}", pair[0], at_least=1e-100, at_most=1e100)
        checked.append((level, check_number(f"points: money of point {number}", pair[1], at_least=0.0, at_most=1e100)))
    for number, (before, after) in enumerate(pairwise(checked), start=2):
        if after[0] <= before[0]:
            raise ParameterError(f"points: epsilon of point {number} must be above {before[0]:g}, got {after[0]:g}")
        if after[1] < before[1]:
            raise ParameterError(f"points: money of point {number} must be at least {before[1]:g}, got {after[1]:g}")
    return tuple(checked)
