"""Models of what a breach costs: equation 8, and one with a fixed fine beside the part that each person receives."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.cost.confidence import Truth
from par_core.cost.optimum import Optimum, Smooth, at_risk, optimum, priced
from par_core.errors import ParameterError
from par_core.parameters import FloatOrArray, check_number, check_numbers, like_input

_Floats = NDArray[np.float64]

_LITTLE = 1e-3
_AROUND = np.geomspace(0.02, 50.0, 24)  # a rate: levels at which its cost changes its course


class BreachCost(Smooth):
    """What a breach costs, and what that makes of a release with Privacy at Risk."""

    @property
    @abstractmethod
    def full(self) -> float:
        """Money in all after a breach of data published without any protection: what `dp` rises to."""

    @abstractmethod
    def _money_at(self, epsilon: _Floats) -> _Floats:
        """Do what `dp` does."""

    def dp(self, epsilon: ArrayLike) -> FloatOrArray:
        """Money in all that a breach costs if what was published is ε-differentially private, ε above 0; rises with ε."""
        return like_input(self._money_at(check_numbers("epsilon", epsilon, above=0.0)))

    def __call__(self, epsilon: ArrayLike, /) -> FloatOrArray:
        """Do the same as `dp`."""
        return self.dp(epsilon)

    def at_risk(
        self, epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "exact"
    ) -> FloatOrArray:
        """Money that equation 9 sets aside for ε with noise for epsilon0; see `par_core.cost.at_risk`."""
        return at_risk(self, epsilon, epsilon0, k=k, truth=truth)

    def optimum(self, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "exact") -> Optimum:
        """Cheapest ε with noise for epsilon0; see `par_core.cost.optimum`."""
        return optimum(self, epsilon0, k=k, truth=truth)


def says_little(model: BreachCost, epsilon0: float) -> bool:
    """Whether a model leaves less than a thousandth of the full amount at epsilon0.

    Then next to nothing of the answer is what is known of breaches: it is the form of the model, far from any of them.
    """
    return float(priced(model, np.asarray(check_number("epsilon0", epsilon0, above=0.0)))) < _LITTLE * model.full


class _Exponentials(BreachCost):
    """base + Σ amount·exp(−rate/ε), with everything that the search for the cheapest ε asks for."""

    @abstractmethod
    def _parts(self) -> tuple[float, tuple[tuple[float, float], ...]]:
        """Return the base, and each (amount, rate) with both above 0."""

    def _money_at(self, epsilon: _Floats) -> _Floats:
        base, parts = self._parts()
        total = np.full(epsilon.shape, base)
        with np.errstate(over="ignore", under="ignore"):
            for amount, rate in parts:
                total = total + amount * np.exp(-rate / epsilon)
        return total

    @property
    def full(self) -> float:
        base, parts = self._parts()
        return base + sum(amount for amount, _ in parts)

    @property
    def landmarks(self) -> _Floats:
        """Levels around each rate."""
        rates = np.array([rate for _, rate in self._parts()[1]])
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray((rates[:, np.newaxis] * _AROUND).ravel())

    def unit(self, epsilon0: _Floats) -> _Floats:
        """Money of the largest exponential part at epsilon0."""
        parts = self._parts()[1]
        with np.errstate(over="ignore", under="ignore"):
            sizes = [amount * np.exp(-rate / epsilon0) for amount, rate in parts]
        return np.asarray(np.max(sizes, axis=0)) if sizes else np.zeros(np.shape(epsilon0))

    def fall_and_steepness(self, epsilon: _Floats, epsilon0: _Floats) -> tuple[_Floats, _Floats]:
        """Cost at epsilon0 minus cost at ε, and ε times its derivative, both in units of `unit(epsilon0)`."""
        fall, steepness = np.zeros(np.broadcast(epsilon, epsilon0).shape), np.array(0.0)
        logs = np.log(epsilon)
        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            nearness = np.log(np.maximum((epsilon0 - epsilon) / epsilon0, 0.0)) - logs
            for (_, rate), share in zip(self._parts()[1], self._shares(epsilon0), strict=True):
                gap = np.exp(math.log(rate) + nearness)  # rate/ε − rate/ε0, without cancellation
                fall = fall - share * np.expm1(-gap)
                steepness = steepness + share * np.exp(math.log(rate) - logs - gap)
        return fall, np.broadcast_to(steepness, fall.shape)

    def _shares(self, epsilon0: _Floats) -> tuple[_Floats, ...]:
        """Size of each exponential part at epsilon0, in units of the largest, also where all of them underflow."""
        parts = self._parts()[1]
        if len(parts) == 1:
            return (np.ones(np.shape(epsilon0)),)
        with np.errstate(over="ignore", under="ignore"):
            logs = [math.log(amount) - rate / epsilon0 for amount, rate in parts]
            return tuple(np.asarray(np.exp(log - np.max(logs, axis=0))) for log in logs)

    def _check(self, **bounds: dict[str, float]) -> None:
        """Check fields, none of which may be above 1e100, and store them as floats."""
        for name, bound in bounds.items():
            object.__setattr__(self, name, check_number(name, getattr(self, name), **bound, at_most=1e100))


_MONEY, _HEADS, _RATE = {"at_least": 0.0}, {"above": 0.0}, {"at_least": 1e-100}


@dataclass(frozen=True)
class CostModel(_Exponentials):
    """Equation 8: in a breach, each stakeholder receives minimum + compensation·exp(−rate/ε).

    `compensation` (the paper's E, at least 0) is money per stakeholder after a breach of data published without any protection, and
    `minimum` (E_min, at least 0) what no protection avoids of it. The number of stakeholders, above 0, need not be whole: an expected
    number will do. `rate` (c, 1e-100 to 1e100, dimensionless) says how fast the cost falls as ε falls. Not `capped` is the equation as
    printed: with a minimum above 0 it passes the compensation for large ε, against the paper's own constraints 1 and 4. Capped is
    minimum + (compensation − minimum)·exp(−rate/ε), which keeps them, and needs a minimum of at most the compensation.

    >>> health_centre = CostModel(5500, stakeholders=100)
    >>> round(health_centre.dp(0.5), 2), round(health_centre.optimum(0.5).saving, 2)
    (74434.41, 6455.45)
    >>> round(health_centre.optimum(0.5, truth="published").budget, 2)
    37805.86
    """

    compensation: float
    stakeholders: float = 1
    rate: float = 1.0
    minimum: float = 0.0
    capped: bool = False

    def __post_init__(self) -> None:
        self._check(compensation=_MONEY, minimum=_MONEY, stakeholders=_HEADS, rate=_RATE)
        if not isinstance(self.capped, bool):
            raise ParameterError(f"capped must be True or False, got {self.capped!r}")
        if self.capped and self.minimum > self.compensation:
            raise ParameterError(
                f"minimum must be at most the compensation {self.compensation:g} in a capped model, got {self.minimum:g}"
            )

    @property
    def name(self) -> str:
        return "equation 8, kept within its constraints" if self.capped else "equation 8"

    def caveat(self, epsilon0: float) -> str:
        """Say where the model breaks its own constraints, if it does for levels up to epsilon0."""
        if self.capped or self.minimum == 0.0 or self.dp(epsilon0) <= self.stakeholders * self.compensation:
            return ""
        return "Equation 8 here passes the compensation for unprotected data, against its own constraints 1 and 4."

    def _parts(self) -> tuple[float, tuple[tuple[float, float], ...]]:
        rising = self.compensation - (self.minimum if self.capped else 0.0)
        parts = ((self.stakeholders * rising, self.rate),) if rising > 0.0 else ()
        return self.stakeholders * self.minimum, parts


@dataclass(frozen=True)
class FixedPlusPerHead(_Exponentials):
    """A fine for the breach as such, and a compensation for each stakeholder: both may grow with ε, each at its own rate.

    The cost is fixed·exp(−fixed_rate/ε) + stakeholders·per_head·exp(−rate/ε). With fixed_rate = 0, the default, the fine is due
    in full in any breach; with fixed_rate = rate it shrinks with stronger privacy just as the compensation does. Parameters are
    bounded as in `CostModel`: `fixed` and `per_head` are money, and fixed_rate is 0 or a rate.

    >>> model = FixedPlusPerHead(20_000, 5500, 100)
    >>> round(model.dp(0.5), 2), round(model.optimum(0.5, truth="published").budget, 2)
    (94434.41, 57805.86)
    """

    fixed: float
    per_head: float
    stakeholders: float = 1
    rate: float = 1.0
    fixed_rate: float = 0.0

    def __post_init__(self) -> None:
        self._check(fixed=_MONEY, per_head=_MONEY, stakeholders=_HEADS, rate=_RATE, fixed_rate=_MONEY)
        if 0.0 < self.fixed_rate < 1e-100:
            raise ParameterError(f"fixed_rate must be 0 or at least 1e-100, got {self.fixed_rate:g}")

    @property
    def name(self) -> str:
        return "a fixed fine and a compensation per head"

    def _parts(self) -> tuple[float, tuple[tuple[float, float], ...]]:
        due = self.fixed_rate == 0.0
        parts = [(self.stakeholders * self.per_head, self.rate)]
        if not due:
            parts.append((self.fixed, self.fixed_rate))
        return self.fixed if due else 0.0, tuple(part for part in parts if part[0] > 0.0)
