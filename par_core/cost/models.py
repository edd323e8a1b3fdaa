"""Models of what a breach costs: equation 8, and one with a fixed fine beside the part that each person receives."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.cost.law import Truth
from par_core.cost.optimum import Optimum, at_risk, optimum
from par_core.errors import ParameterError
from par_core.parameters import like_input, one, real

_Floats = NDArray[np.float64]


class _Exponentials(ABC):
    """base + Σ amount·exp(−rate/ε), with everything that the search for the cheapest ε asks for."""

    @abstractmethod
    def _parts(self) -> tuple[float, tuple[tuple[float, float], ...]]:
        """Return the base, and each (amount, rate) with both above 0."""

    def dp(self, epsilon: ArrayLike) -> Any:
        """Money in all that a breach costs if what was published is ε-differentially private.

        Parameters
        ----------
        epsilon : array_like, above 0
            The privacy level.

        Returns
        -------
        float or ndarray
            In the currency of the model; shape of the argument. Rises with ε.
        """
        level = real("epsilon", epsilon, above=0.0)
        base, parts = self._parts()
        total = np.full(level.shape, base)
        with np.errstate(over="ignore", under="ignore"):
            for amount, rate in parts:
                total = total + amount * np.exp(-rate / level)
        return like_input(total)

    def __call__(self, epsilon: ArrayLike, /) -> Any:
        """Do the same as `dp`."""
        return self.dp(epsilon)

    @property
    def full(self) -> float:
        """Money in all after a breach of data published without any protection: what `dp` rises to."""
        base, parts = self._parts()
        return base + sum(amount for amount, _ in parts)

    @property
    def landmarks(self) -> _Floats:
        """Levels around each rate."""
        rates = np.array([rate for _, rate in self._parts()[1]])
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray((rates[:, np.newaxis] * np.geomspace(0.02, 50.0, 24)).ravel())

    def unit(self, epsilon0: _Floats) -> _Floats:
        """Money that `fall` is measured in: the largest exponential part at epsilon0."""
        parts = self._parts()[1]
        with np.errstate(over="ignore", under="ignore"):
            sizes = [amount * np.exp(-rate / epsilon0) for amount, rate in parts]
        return np.asarray(np.max(sizes, axis=0)) if sizes else np.zeros(np.shape(epsilon0))

    def fall(self, epsilon: _Floats, epsilon0: _Floats) -> _Floats:
        """Cost at epsilon0 minus cost at epsilon, in units of `unit(epsilon0)`."""
        return self.fall_and_steepness(epsilon, epsilon0)[0]

    def fall_and_steepness(self, epsilon: _Floats, epsilon0: _Floats) -> tuple[_Floats, _Floats]:
        """`fall`, and ε times the derivative of the cost in the same units."""
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

    def at_risk(self, epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "published") -> Any:
        """Money that equation 9 sets aside for ε with noise for epsilon0; see `par_core.cost.at_risk`."""
        return at_risk(self._cost(), epsilon, epsilon0, k=k, truth=truth)

    def optimum(self, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "published") -> Optimum:
        """Cheapest ε with noise for epsilon0; see `par_core.cost.optimum`."""
        return optimum(self._cost(), epsilon0, k=k, truth=truth)

    @property
    @abstractmethod
    def name(self) -> str:
        """What the model is called on a page."""

    def _cost(self) -> _Exponentials:
        return self


@dataclass(frozen=True)
class CostModel(_Exponentials):
    """Equation 8: in a breach, each stakeholder receives minimum + compensation·exp(−rate/ε).

    Parameters
    ----------
    compensation : float, at least 0
        Money per stakeholder after a breach of data published without any protection (the paper's E).
    stakeholders : float, above 0
        How many people would be compensated; it need not be whole (an expected number will do).
    rate : float, 1e-100 to 1e100
        How fast the cost falls as ε falls (the paper's c), dimensionless.
    minimum : float, at least 0
        Money per stakeholder that no protection avoids (the paper's E_min).
    capped : bool
        False is the equation as printed. With a minimum above 0 it passes the compensation for large ε, against the paper's
        own constraints 1 and 4. True is minimum + (compensation − minimum)·exp(−rate/ε), which keeps them.

    Raises
    ------
    ParameterError
        A capped model whose minimum is above its compensation.

    Examples
    --------
    >>> health_centre = CostModel(5500, stakeholders=100)
    >>> round(health_centre.dp(0.5), 2), round(health_centre.optimum(0.5).budget, 2)
    (74434.41, 37805.86)
    >>> round(health_centre.optimum(0.5, truth="exact").saving, 2)
    6455.45
    """

    compensation: float
    stakeholders: float = 1
    rate: float = 1.0
    minimum: float = 0.0
    capped: bool = False

    def __post_init__(self) -> None:
        """Check every field and store it as a float."""
        for name, bound in (("compensation", 0), ("minimum", 0)):
            object.__setattr__(self, name, one(name, getattr(self, name), at_least=bound, at_most=1e100))
        object.__setattr__(self, "stakeholders", one("stakeholders", self.stakeholders, above=0, at_most=1e100))
        object.__setattr__(self, "rate", one("rate", self.rate, at_least=1e-100, at_most=1e100))
        if not isinstance(self.capped, bool):
            raise ParameterError(f"capped must be True or False, got {self.capped!r}")
        if self.capped and self.minimum > self.compensation:
            raise ParameterError(
                f"minimum must be at most the compensation {self.compensation:g} in a capped model, got {self.minimum:g}"
            )

    @property
    def name(self) -> str:
        """What the model is called on a page."""
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
    in full in any breach; with fixed_rate = rate it shrinks with stronger privacy just as the compensation does.

    Parameters
    ----------
    fixed : float, at least 0
        The fine, in money.
    per_head : float, at least 0
        Money per stakeholder after a breach of data published without any protection.
    stakeholders : float, above 0
        How many people would be compensated.
    rate : float, 1e-100 to 1e100
        How fast the compensation falls as ε falls, dimensionless.
    fixed_rate : float, 0 or 1e-100 to 1e100
        The same for the fine.

    Examples
    --------
    >>> model = FixedPlusPerHead(20_000, 5500, 100)
    >>> round(model.dp(0.5), 2), round(model.optimum(0.5).budget, 2)
    (94434.41, 57805.86)
    """

    fixed: float
    per_head: float
    stakeholders: float = 1
    rate: float = 1.0
    fixed_rate: float = 0.0

    def __post_init__(self) -> None:
        """Check every field and store it as a float."""
        for name in ("fixed", "per_head"):
            object.__setattr__(self, name, one(name, getattr(self, name), at_least=0, at_most=1e100))
        object.__setattr__(self, "stakeholders", one("stakeholders", self.stakeholders, above=0, at_most=1e100))
        object.__setattr__(self, "rate", one("rate", self.rate, at_least=1e-100, at_most=1e100))
        object.__setattr__(self, "fixed_rate", one("fixed_rate", self.fixed_rate, at_least=0, at_most=1e100))
        if 0.0 < self.fixed_rate < 1e-100:
            raise ParameterError(f"fixed_rate must be 0 or at least 1e-100, got {self.fixed_rate:g}")

    @property
    def name(self) -> str:
        """What the model is called on a page."""
        return "a fixed fine and a compensation per head"

    def _parts(self) -> tuple[float, tuple[tuple[float, float], ...]]:
        due = self.fixed_rate == 0.0
        parts = [(self.stakeholders * self.per_head, self.rate)]
        if not due:
            parts.append((self.fixed, self.fixed_rate))
        return self.fixed if due else 0.0, tuple(part for part in parts if part[0] > 0.0)
