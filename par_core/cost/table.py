"""A cost read off a table: straight lines between points that the user gives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.cost.law import Truth
from par_core.cost.optimum import Optimum, at_risk, optimum
from par_core.errors import ParameterError
from par_core.parameters import like_input, real

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PiecewiseLinear:
    """A table of costs, joined by straight lines.

    Below the first point the cost stays at the first amount, which is never cheaper than a cost that rises with ε. Beyond the
    last point it stays at the last amount, because the table knows no more: that is too cheap if the cost goes on rising, so
    the last point should lie at or beyond every epsilon0 that is asked about. (`caveat` says so where it does not.)

    Parameters
    ----------
    points : iterable of (float, float)
        Pairs (ε, money in all), at least two; ε above 0 and strictly rising, the money at least 0 and never falling.
    name : str
        What the table is called on a page.

    Raises
    ------
    ParameterError
        Naming the first point that breaks a rule.

    Examples
    --------
    >>> table = PiecewiseLinear([(0.1, 1000), (0.5, 5000), (1.0, 50_000)])
    >>> table.dp(0.3), table.is_convex
    (3000.0, True)
    """

    points: tuple[tuple[float, float], ...]
    name: str = "a table of costs"

    def __post_init__(self) -> None:
        """Check the points and store them as pairs of floats."""
        object.__setattr__(self, "points", _checked(self.points))
        if not isinstance(self.name, str) or not self.name.strip():
            raise ParameterError(f"name must be a text that is not empty, got {self.name!r}")

    def dp(self, epsilon: ArrayLike) -> Any:
        """Money in all that a breach costs at level ε (array_like, above 0); shape of the argument."""
        return like_input(np.interp(real("epsilon", epsilon, above=0.0), self._levels, self._money))

    def __call__(self, epsilon: ArrayLike, /) -> Any:
        """Do the same as `dp`."""
        return self.dp(epsilon)

    @cached_property
    def is_convex(self) -> bool:
        """Whether the slopes never fall from the first point to the last (flat below the first point included)."""
        slopes = self._slopes[:-1]
        return bool((slopes[1:] >= slopes[:-1] * (1.0 - 1e-12)).all())

    @property
    def full(self) -> float:
        """The last amount: of data published without any protection the table knows no more."""
        return self.points[-1][1]

    @property
    def landmarks(self) -> _Floats:
        """The levels of the points, where the slope changes."""
        return self._levels

    def unit(self, epsilon0: _Floats) -> _Floats:
        """Money that `fall` is measured in: one."""
        return np.ones_like(epsilon0)

    def fall(self, epsilon: _Floats, epsilon0: _Floats) -> _Floats:
        """Cost at epsilon0 minus cost at epsilon; on one line by its slope, so that near levels keep their digits."""
        piece, piece0 = self._piece(epsilon), self._piece(epsilon0)
        across = np.interp(epsilon0, self._levels, self._money) - np.interp(epsilon, self._levels, self._money)
        same = piece == piece0
        return np.where(same, self._slopes[piece] * np.where(same, epsilon0 - epsilon, 0.0), across)

    def fall_and_steepness(self, epsilon: _Floats, epsilon0: _Floats) -> tuple[_Floats, _Floats]:
        """`fall`, and ε times the slope to the right of ε."""
        return self.fall(epsilon, epsilon0), epsilon * self._slopes[self._piece(epsilon)]

    def caveat(self, epsilon0: float) -> str:
        """Say where epsilon0 lies beyond the table."""
        last = self.points[-1][0]
        if epsilon0 <= last:
            return ""
        return f"Beyond its last point, ε = {last:g}, the table is taken as flat: too cheap if the cost goes on rising."

    def at_risk(self, epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "published") -> Any:
        """Money that equation 9 sets aside for ε with noise for epsilon0; see `par_core.cost.at_risk`."""
        return at_risk(self, epsilon, epsilon0, k=k, truth=truth)

    def optimum(self, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "published") -> Optimum:
        """Cheapest ε with noise for epsilon0; see `par_core.cost.optimum`."""
        return optimum(self, epsilon0, k=k, truth=truth)

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

    def _piece(self, epsilon: _Floats) -> NDArray[np.intp]:
        return np.searchsorted(self._levels, epsilon, side="right")


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
        checked.append((_one(f"points: epsilon of point {number}", pair[0], least=1e-100), _money(number, pair[1])))
    for number, (before, after) in enumerate(pairwise(checked), start=2):
        if after[0] <= before[0]:
            raise ParameterError(f"points: epsilon of point {number} must be above {before[0]:g}, got {after[0]:g}")
        if after[1] < before[1]:
            raise ParameterError(f"points: money of point {number} must be at least {before[1]:g}, got {after[1]:g}")
    return tuple(checked)


def _one(name: str, value: object, *, least: float) -> float:
    array = real(name, value, at_least=least, at_most=1e100)
    if array.ndim:
        raise ParameterError(f"{name} must be a single number, got {value!r}")
    return float(array)


def _money(number: int, value: object) -> float:
    return _one(f"points: money of point {number}", value, least=0.0)
