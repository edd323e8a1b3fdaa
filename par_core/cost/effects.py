"""What moves the answer: how the least budget answers to each input."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np

from par_core.cost.confidence import Confidence, Truth
from par_core.cost.optimum import Cost, Optimum, money_at_risk, optimum
from par_core.errors import ParameterError
from par_core.evidence import Evidence, Result, quantities, stated
from par_core.limits import LARGEST_K
from par_core.parameters import check_integer, check_number

_WithInput = Callable[[float], tuple[Cost, float]]  # the model and epsilon0 that another value of an input gives

_KINKS = "A derivative at a kink of the budget is the mean of the slopes on both sides."
_STEP = 1e-5  # share of an input by which it is moved for its derivative
# Weights of five points that differentiate polynomials up to the fourth degree exactly.
_BOTH_SIDES: Final = ((-2.0, 1 / 12), (-1.0, -2 / 3), (1.0, 2 / 3), (2.0, -1 / 12))
_FROM_THE_RIGHT: Final = ((0.0, -25 / 12), (1.0, 4.0), (2.0, -3.0), (3.0, 4 / 3), (4.0, -1 / 4))


@dataclass(frozen=True)
class Effect(Result):
    """How the least budget answers to one input: a field of the model, "epsilon0" or "k".

    `low` and `high` are its value moved down and up, or the value itself where it cannot be moved that way. `derivative` is the
    change of the least budget per unit of the input, from the right where the input is 0, and at a kink of the budget, as at a
    point of a table, the mean of the slopes on both sides. `relative` is the percent by which the least budget changes per percent
    of the input (0 if either is 0). Both are None for k, which is whole.
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
    optimum: Optimum = field(repr=False)
    QUANTITIES = quantities(
        budget_low=stated("money", "up", claim="par-theorem-4"),
        budget_high=stated("money", "up", claim="par-theorem-4"),
    )

    @property
    def evidence(self) -> Evidence:
        """That of the optimum."""
        return replace(self.optimum.evidence, limits="")

    @property
    def span(self) -> float:
        """Distance between the largest and the smallest of the three budgets."""
        budgets = (self.budget, self.budget_low, self.budget_high)
        return max(budgets) - min(budgets)


@dataclass(frozen=True)
class SensitivityAnalysis(Result):
    """The effects of all inputs, the largest span first: a tornado chart from top to bottom."""

    optimum: Optimum
    percent: float
    truth: Truth
    effects: tuple[Effect, ...]

    @property
    def evidence(self) -> Evidence:
        """That of the optimum."""
        own = self.optimum.evidence
        return replace(own, limits=f"{own.limits} {_KINKS}")


def sensitivity_analysis(
    model: Cost, epsilon0: float, *, k: int = 1, percent: float = 10.0, truth: Truth = "exact"
) -> SensitivityAnalysis:
    """Move every input down and up, find the least budget anew, and sort the inputs by what that changes.

    Each number of the model (its fields, if it is a dataclass) and epsilon0 (at least 1e-300) are moved by ±percent, in (0, 100):
    one that is 0 stays, and so does one that the model does not let move. k, 1 to 50,000, is halved (rounded down, at least 1)
    and doubled.

    >>> from par_core.cost import CostModel
    >>> found = sensitivity_analysis(CostModel(5500, 100), 0.5)
    >>> [effect.name for effect in found.effects][:2]
    ['rate', 'epsilon0']
    """
    calibrated, share = (
        check_number("epsilon0", epsilon0, above=0.0),
        check_number("percent", percent, above=0.0, below=100.0) / 100.0,
    )
    dimension = check_integer("k", k, at_least=1, at_most=LARGEST_K // 2)
    base = optimum(model, calibrated, k=dimension, truth=truth)
    low, high = (
        (float(each), base.budget if each == dimension else optimum(model, calibrated, k=each, truth=truth).budget)
        for each in (max(dimension // 2, 1), 2 * dimension)
    )
    effects = [_effect("k", float(dimension), low, high, None, base=base)]
    for name, value, replaced in _inputs(model, calibrated):
        low = _moved(value * (1.0 - share), replaced, value=value, base=base)
        high = _moved(value * (1.0 + share), replaced, value=value, base=base)
        effects.append(_effect(name, value, low, high, _derivative(replaced, value, base=base), base=base))
    effects.sort(key=lambda effect: effect.span, reverse=True)
    return SensitivityAnalysis(base, 100.0 * share, truth, tuple(effects))


def _inputs(model: Cost, epsilon0: float) -> Iterator[tuple[str, float, _WithInput]]:
    if dataclasses.is_dataclass(model) and not isinstance(model, type):
        for field in dataclasses.fields(model):
            value = getattr(model, field.name)
            if isinstance(value, float):
                yield field.name, value, partial(_with_field, model, epsilon0, field.name)
    yield "epsilon0", epsilon0, lambda moved: (model, moved)


def _with_field(model: Any, epsilon0: float, name: str, moved: float) -> tuple[Cost, float]:
    return dataclasses.replace(model, **{name: moved}), epsilon0


def _effect(
    name: str,
    value: float,
    low: tuple[float, float],
    high: tuple[float, float],
    derivative: float | None,
    *,
    base: Optimum,
) -> Effect:
    relative = derivative
    if derivative is not None:
        relative = derivative * value / base.budget if base.budget > 0.0 else 0.0
    budgets = (base.budget, low[1], high[1])
    return Effect(name, value, low[0], high[0], *budgets, derivative, relative, base)


def _moved(to: float, replaced: _WithInput, *, value: float, base: Optimum) -> tuple[float, float]:
    """Where the input ends up and the least budget there; it stays where the model refuses the move."""
    if to == value:
        return value, base.budget
    try:
        model, epsilon0 = replaced(to)
        return to, optimum(model, epsilon0, k=base.k, truth=base.truth).budget
    except ParameterError:
        return value, base.budget


def _derivative(replaced: _WithInput, value: float, *, base: Optimum) -> float | None:
    """Differentiate at the cheapest ε held fixed: at a minimum the ε itself moves nothing (the envelope theorem)."""
    step, confidence = _STEP * (value or 1.0), Confidence(base.truth, base.k)

    def budget_at(to: float) -> float:
        if value == 0.0:  # from 0 on the cheapest ε may jump: a compensation of 0 leaves nothing to save
            return _moved(to, replaced, value=value, base=base)[1]
        model, epsilon0 = replaced(to)
        level = epsilon0 if base.at_epsilon0 else base.epsilon
        return float(money_at_risk(model, np.asarray(level), np.asarray(epsilon0), confidence))

    points = _BOTH_SIDES if value > 0.0 else _FROM_THE_RIGHT
    try:
        return sum(weight * budget_at(value + place * step) for place, weight in points) / step
    except ParameterError:
        return None
