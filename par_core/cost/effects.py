"""What moves the answer: how the least budget answers to each input."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from par_core.cost.law import Law, Truth
from par_core.cost.optimum import Cost, Optimum, money_at_risk, optimum
from par_core.errors import ParameterError
from par_core.parameters import one, one_whole
from par_core.published.explicit import LARGEST_K
from par_core.standing import Result, Standing, Told, quantities

_Put = Callable[[float], tuple[Cost, float]]

_KINKS = "A derivative at a kink of the budget is the mean of the slopes on both sides."
_STEP = 1e-5  # share of an input by which it is moved for its derivative
# Weights of five points that differentiate polynomials up to the fourth degree exactly.
_BOTH_SIDES: Final = ((-2.0, 1 / 12), (-1.0, -2 / 3), (1.0, 2 / 3), (2.0, -1 / 12))
_FROM_THE_RIGHT: Final = ((0.0, -25 / 12), (1.0, 4.0), (2.0, -3.0), (3.0, 4 / 3), (4.0, -1 / 4))


@dataclass(frozen=True)
class Effect(Result):
    """How the least budget answers to one input.

    Attributes
    ----------
    name : str
        Field of the model, or "epsilon0" or "k".
    value, low, high : float
        The input as it is, and moved down and up; equal to the value where it cannot be moved that way.
    budget, budget_low, budget_high : float
        The least budget at each.
    derivative : float or None
        Change of the least budget per unit of the input, from the right where the input is 0; None for k, which is whole. Where
        the budget has a kink, as at a point of a table, it is the mean of the slopes on both sides.
    relative : float or None
        Percent by which the least budget changes per percent of the input (0 if either is 0); None for k.
    """

    name: str
    value: float
    low: float
    high: float
    budget: float
    budget_low: float
    budget_high: float
    derivative: float | None
    relative: float | None
    QUANTITIES = quantities(
        budget_low=Told("money", "up", claim="par-theorem-4"), budget_high=Told("money", "up", claim="par-theorem-4")
    )
    standing: Standing
    source: str

    @property
    def span(self) -> float:
        """Distance between the largest and the smallest of the three budgets."""
        budgets = (self.budget, self.budget_low, self.budget_high)
        return max(budgets) - min(budgets)


@dataclass(frozen=True)
class Sensitivity:
    """The effects of all inputs, the largest span first: a tornado chart from top to bottom."""

    optimum: Optimum
    percent: float
    truth: Truth
    effects: tuple[Effect, ...]
    standing: Standing
    source: str
    limits: str


def sensitivity_of(
    model: Cost, epsilon0: float, *, k: int = 1, percent: float = 10.0, truth: Truth = "published"
) -> Sensitivity:
    """Move every input down and up, find the least budget anew, and sort the inputs by what that changes.

    Each number of the model (its fields, if it is a dataclass) and epsilon0 are moved by ±percent: one that is 0 stays, and so
    does one that the model does not let move. k is halved (rounded down, at least 1) and doubled.

    Parameters
    ----------
    model : Cost
        What a breach costs.
    epsilon0 : float, at least 1e-300
        The level that the noise is calibrated to.
    k : int, 1 to 50,000
        Dimension of the query.
    percent : float in (0, 100)
        How far the inputs are moved.
    truth : "published" or "exact"
        Which confidence is used.

    Examples
    --------
    >>> from par_core.cost import CostModel
    >>> found = sensitivity_of(CostModel(5500, 100), 0.5)
    >>> [effect.name for effect in found.effects][:2]
    ['rate', 'epsilon0']
    """
    calibrated, share = one("epsilon0", epsilon0, above=0.0), one("percent", percent, above=0.0, below=100.0) / 100.0
    dimension = one_whole("k", k, at_least=1, at_most=LARGEST_K // 2)
    base = optimum(model, calibrated, k=dimension, truth=truth)
    law = Law(truth, dimension)
    effects = [_of_k(base, law)]
    for name, value, put in _inputs(model, calibrated):
        effects.append(_of_number(name, value, put, base=base, share=share, law=law))
    effects.sort(key=lambda effect: effect.span, reverse=True)
    return Sensitivity(
        optimum=base,
        percent=100.0 * share,
        truth=truth,
        effects=tuple(effects),
        standing=base.standing,
        source=base.source,
        limits=f"{base.limits} {_KINKS}",
    )


def _inputs(model: Cost, epsilon0: float) -> Iterator[tuple[str, float, _Put]]:
    """Name and value of each input, and the model and epsilon0 that another value gives."""
    if dataclasses.is_dataclass(model) and not isinstance(model, type):
        for field in dataclasses.fields(model):
            value = getattr(model, field.name)
            if isinstance(value, float):
                yield field.name, value, partial(_with_field, model, epsilon0, field.name)
    yield "epsilon0", epsilon0, lambda moved: (model, moved)


def _with_field(model: Any, epsilon0: float, name: str, moved: float) -> tuple[Cost, float]:
    return dataclasses.replace(model, **{name: moved}), epsilon0


def _of_number(name: str, value: float, put: _Put, *, base: Optimum, share: float, law: Law) -> Effect:
    low, budget_low = _moved(value * (1.0 - share), put, value=value, base=base, law=law)
    high, budget_high = _moved(value * (1.0 + share), put, value=value, base=base, law=law)
    derivative = _derivative(put, value, _STEP * (value or 1.0), base=base, law=law)
    return Effect(
        name=name,
        value=value,
        low=low,
        high=high,
        budget=base.budget,
        budget_low=budget_low,
        budget_high=budget_high,
        derivative=derivative,
        relative=_relative(derivative, value, base.budget),
        standing=base.standing,
        source=base.source,
    )


def _of_k(base: Optimum, law: Law) -> Effect:
    low, high = max(law.k // 2, 1), 2 * law.k
    budgets = [optimum(base.model, base.epsilon0, k=k, truth=law.truth).budget for k in (low, high)]
    return Effect(
        name="k",
        value=float(law.k),
        low=float(low),
        high=float(high),
        budget=base.budget,
        budget_low=budgets[0],
        budget_high=budgets[1],
        derivative=None,
        relative=None,
        standing=base.standing,
        source=base.source,
    )


def _moved(to: float, put: _Put, *, value: float, base: Optimum, law: Law) -> tuple[float, float]:
    """Where the input ends up and the least budget there; it stays where the model refuses the move."""
    if to == value:
        return value, base.budget
    try:
        model, epsilon0 = put(to)
        return to, optimum(model, epsilon0, k=law.k, truth=law.truth).budget
    except ParameterError:
        return value, base.budget


def _derivative(put: _Put, value: float, step: float, *, base: Optimum, law: Law) -> float | None:
    """Differentiate at the cheapest ε held fixed: at a minimum the ε itself moves nothing (the envelope theorem)."""
    try:
        if value > 0.0:
            both = (weight * _cost(put, value + place * step, base=base, law=law) for place, weight in _BOTH_SIDES)
            return sum(both) / step
        # From 0 on the cheapest ε may jump: a compensation of 0 leaves nothing to save. So each amount has its own.
        right = (
            weight * _moved(place * step, put, value=0.0, base=base, law=law)[1] for place, weight in _FROM_THE_RIGHT
        )
        return sum(right) / step
    except ParameterError:
        return None


def _cost(put: _Put, to: float, *, base: Optimum, law: Law) -> float:
    model, epsilon0 = put(to)
    level = epsilon0 if base.at_epsilon0 else base.epsilon
    return float(money_at_risk(model, np.asarray(level), np.asarray(epsilon0), law=law))


def _relative(derivative: float | None, value: float, budget: float) -> float | None:
    if derivative is None:
        return None
    return derivative * value / budget if budget > 0.0 else 0.0
