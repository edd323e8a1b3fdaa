"""What a release at ε costs with Privacy at Risk (equation 9), and the ε at which it costs least.

Equation 9 is E(ε0) − saving(ε) with saving(ε) = confidence(ε)·(E(ε0) − E(ε)). The saving is what is searched: unlike the
budget it keeps its digits where the two costs are nearly the same, and its derivative has the sign of
(ε·confidence'/confidence)·(E(ε0) − E(ε)) − ε·E'(ε), in which every term can be scaled so that nothing underflows.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import elementwise

from par_core.cost import search
from par_core.cost.confidence import AVERAGE, GIVEN, NOT_EXPECTED, WEAKER, Confidence, Truth
from par_core.errors import ParameterError
from par_core.evidence import MODEL, PUBLISHED, Evidence, Quantity, Result, quantities, stated
from par_core.parameters import FloatOrArray, as_array, check_integers, check_numbers, like_input, shown

_Floats = NDArray[np.float64]

SMALLEST_EPSILON0 = 1e-300
"""Below it there are too few floats to look for a cheaper level among."""

# Levels looked at and the saving at each, one row for each epsilon0; top of each basin and the row that it belongs to.
_Basins = tuple[_Floats, _Floats, _Floats, NDArray[np.intp]]

_SEARCHED = (
    "Nothing is known of this cost but its values at some 400 levels: between two of them, above all next to a step of the"
    " cost, a cheaper one could have been missed."
)


class Cost(Protocol):
    """What a breach costs in all, by the privacy level of what was published.

    Any callable with a `name` will do: it takes levels ε above 0, of any shape, and returns money of the same shape, at
    least 0 and finite, which should never fall as ε rises.
    """

    @property
    def name(self) -> str:
        """What the model is called on a page."""

    def __call__(self, epsilon: ArrayLike, /) -> FloatOrArray:
        """Total money that a breach costs at level ε."""


class Smooth(Cost):
    """A cost whose differences and slope are known in closed form, so that its cheapest ε is found to the last digits."""

    @property
    @abstractmethod
    def landmarks(self) -> _Floats:
        """Levels at which the cost changes its course; shape (m,), above 0."""

    @abstractmethod
    def unit(self, epsilon0: _Floats) -> _Floats:
        """Money that `fall_and_steepness` is measured in; may underflow to 0 where that does not."""

    @abstractmethod
    def fall_and_steepness(self, epsilon: _Floats, epsilon0: _Floats) -> tuple[_Floats, _Floats]:
        """E(ε0) − E(ε), without cancellation, for ε up to ε0; and ε times the derivative of E at ε, from the right."""


@dataclass(frozen=True)
class Optimum(Result):
    """The ε that costs least with noise for `epsilon0`; fields have the shape of the broadcast epsilon0 and k.

    `epsilon` is the cheapest level, at most epsilon0, and holds with probability `confidence` (by `truth`). `budget`, `baseline` and
    `saving` are money in all at epsilon, at epsilon0 alone, and the difference, which has its digits even where it is small;
    `share_saved`, in [0, 1], is saving/baseline. The budget is an average over releases; the baseline is enough in every one of
    them, if the model is right. `at_epsilon0` is True if no ε below epsilon0 costs less; then epsilon = epsilon0 and the saving is 0.
    """

    epsilon: FloatOrArray
    confidence: FloatOrArray
    budget: FloatOrArray
    baseline: FloatOrArray
    saving: FloatOrArray
    share_saved: FloatOrArray
    at_epsilon0: FloatOrArray
    epsilon0: FloatOrArray
    k: FloatOrArray
    truth: Truth
    model: Cost
    QUANTITIES = quantities(
        epsilon=stated("quantile", claim="par-theorem-4", holds=lambda found: found.at_epsilon0),
        budget=stated("money", "up", claim="par-theorem-4", holds=lambda found: found.at_epsilon0),
        least=stated("money", "down", MODEL),
        baseline=stated("money", "up", MODEL),
        saving=stated("money", "down", claim="par-theorem-4", holds=lambda found: found.at_epsilon0),
        share_saved=stated("share", "down", claim="par-theorem-4", holds=lambda found: found.at_epsilon0),
        confidence=stated("share", "down", claim="par-theorem-4", holds=lambda found: found.at_epsilon0),
    )

    @cached_property  # each of its quantities asks for it
    def evidence(self) -> Evidence:
        """That of the confidence, and what is to be said of the cost model."""
        own = Confidence(self.truth, int(np.max(self.k))).evidence
        source = f"{own.source}; cost: {self.model.name}"
        return replace(own, source=source, limits=f"{own.limits} {_caveats(self.model, np.asarray(self.epsilon0))}")

    def quantity(self, name: str, at: int | None = None) -> Quantity:
        """Return a number of the table; money above 0 that is too small for a float is never told as nothing."""
        found = super().quantity(name, at)
        if name not in _ABOVE_0 or np.ndim(found.value) or found.value or not _ABOVE_0[name](self):
            return found
        return replace(found, value=NEXT_TO_NOTHING)


def as_of_the_weaker(published: Optimum) -> Evidence:
    """Return what both confidences side by side rest on: no more than the published one."""
    return replace(published.evidence, limits=f"{published.limits} {WEAKER}")


NEXT_TO_NOTHING = math.ulp(0.0)  # stands in for money above 0 that is too small for a float
_ABOVE_0: dict[str, Callable[[Optimum], bool]] = {
    "budget": lambda found: not np.all(found.at_epsilon0),
    "baseline": lambda found: getattr(found.model, "full", 0.0) > 0.0,
    "saving": lambda found: bool(np.all(found.share_saved)),
}


@Evidence(
    PUBLISHED,
    source="Privacy at Risk (PoPETs 2021), equation 9",
    limits="With truth='exact' the confidence is exact for worst-case neighbours, and the money is by the cost model. With"
    " truth='published' it is Theorem 4's, which is too high below epsilon0: so is the saving."
    f" {AVERAGE} {NOT_EXPECTED}",
)
def at_risk(
    model: Cost, epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "exact"
) -> FloatOrArray:
    """Money that equation 9 sets aside for level ε with noise for epsilon0, both above 0, and dimension k, 1 to 100,000.

    It is in the currency of the model, in the shape of the broadcast arguments; from epsilon0 on it is E(epsilon0). `truth` says
    which confidence is used, the exact or the published one.
    """
    level, calibrated = check_numbers("epsilon", epsilon, above=0.0), check_numbers("epsilon0", epsilon0, above=0.0)
    level, calibrated, dimensions = np.broadcast_arrays(level, calibrated, check_integers("k", k, at_least=1))
    result = np.empty(level.shape)
    for dimension in np.unique(dimensions):
        here = dimensions == dimension
        result[here] = money_at_risk(model, level[here], calibrated[here], Confidence(truth, int(dimension)))
    return like_input(result)


def optimum(model: Cost, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "exact") -> Optimum:
    """Find the ε at which equation 9 is least, over all ε up to epsilon0 (at least 1e-300), for dimension k (1 to 100,000).

    The cost need not be convex. For the models of this package ε is found to its last digits. Of another callable only values are
    known: the result is the cheapest of some 400 levels and of the tops found between them, to about eight digits where the cost is
    smooth. A cost with steps may have a cheaper level between them.
    """
    calibrated = check_numbers("epsilon0", epsilon0, at_least=SMALLEST_EPSILON0)
    calibrated, dimensions = np.broadcast_arrays(calibrated, check_integers("k", k, at_least=1))
    epsilon, share, saving, confidence, budget = (np.empty(calibrated.shape) for _ in range(5))
    baseline = priced(model, calibrated)
    for dimension in np.unique(dimensions):
        here = dimensions == dimension
        by = Confidence(truth, int(dimension))
        epsilon[here], saving[here], share[here] = _best(model, calibrated[here], by)
        confidence[here] = by.holds(epsilon[here], calibrated[here])
        budget[here] = money_at_risk(model, epsilon[here], calibrated[here], by)
    at_epsilon0 = epsilon >= calibrated
    return Optimum(
        epsilon=like_input(epsilon),
        confidence=like_input(confidence),
        budget=like_input(np.minimum(budget, baseline)),
        baseline=like_input(baseline),
        saving=like_input(saving),
        share_saved=like_input(share),
        at_epsilon0=bool(at_epsilon0) if at_epsilon0.ndim == 0 else at_epsilon0,
        epsilon0=like_input(calibrated),
        k=int(dimensions) if dimensions.ndim == 0 else dimensions,
        truth=truth,
        model=model,
    )


@Evidence(PUBLISHED, source="equation 9", limits="as `at_risk`")
def money_at_risk(model: Cost, epsilon: _Floats, epsilon0: _Floats, confidence: Confidence) -> _Floats:
    """Do what `at_risk` does for arrays of one shape and one confidence."""
    level = np.minimum(epsilon, epsilon0)
    cost, cost0 = priced(model, level), priced(model, epsilon0)
    mixture = confidence.holds(level, epsilon0) * cost + confidence.fails(level, epsilon0) * cost0
    return np.asarray(np.clip(mixture, np.minimum(cost, cost0), np.maximum(cost, cost0)))  # rounding goes no further


@Evidence(MODEL, source="the model itself", limits="A cost model is an assumption.")
def priced(model: Cost, epsilon: _Floats) -> _Floats:
    """Ask the model for money, and make sure that it is money."""
    if not (callable(model) and hasattr(model, "name")):
        raise ParameterError(f"model must be a cost model: callable, with a name; got {shown(model)}")
    answer = as_array("the money that model returns", model(epsilon))
    if answer.shape != epsilon.shape:
        raise ParameterError(
            f"model must return one amount for each epsilon, got shape {answer.shape} for shape {epsilon.shape}"
        )
    return check_numbers("the money that model returns", answer, at_least=0.0) if answer.size else answer


def _caveats(model: Cost, epsilon0: _Floats) -> str:
    """Say what is assumed about the cost; a model adds its own caution by a method `caveat`."""
    words = [GIVEN]
    if not isinstance(model, Smooth):
        words.append(_SEARCHED)
    own = getattr(model, "caveat", None)
    if own is not None:
        words.append(own(float(epsilon0.max())))
    return " ".join(filter(None, words))


@Evidence(PUBLISHED, source="equation 9", limits="as `at_risk`")
def stationary(model: Cost, epsilon0: _Floats, confidence: Confidence) -> tuple[_Floats, _Floats]:
    """Levels to compare, the scan and the top of every basin that it shows, and the saving at each in units of the model.

    Both have shape (n, m) for epsilon0 of shape (n,); levels that repeat do no harm.
    """
    if isinstance(model, Smooth):
        scan, saved, top, row = _closed_form(model, epsilon0, confidence)
    else:
        scan, saved, top, row = _values_only(model, epsilon0, confidence)
    if row.size == 0:
        return scan, saved
    return _append(scan, top, row), _append(saved, _savings(model, top, epsilon0[row], confidence), row)


def _savings(model: Cost, epsilon: _Floats, epsilon0: _Floats, confidence: Confidence) -> _Floats:
    """confidence·(E(ε0) − E(ε)), in units of `model.unit(epsilon0)` if the model is smooth, else in money."""
    if isinstance(model, Smooth):
        fall, _ = model.fall_and_steepness(epsilon, epsilon0)
    else:
        fall = priced(model, epsilon0) - priced(model, epsilon)
    return np.asarray(confidence.holds(epsilon, epsilon0) * fall)


def _best(model: Cost, epsilon0: _Floats, confidence: Confidence) -> tuple[_Floats, _Floats, _Floats]:
    """Cheapest level, saving in money, and saving as a share of the baseline."""
    candidates, saved = stationary(model, epsilon0, confidence)
    best = np.argmax(saved, axis=1)[:, np.newaxis]
    best = _cheaper(model, candidates, saved, best, epsilon0=epsilon0, confidence=confidence)
    epsilon = np.take_along_axis(candidates, best, axis=1)[:, 0]
    gain = np.take_along_axis(saved, best, axis=1)[:, 0]
    baseline = priced(model, epsilon0)
    unit = model.unit(epsilon0) if isinstance(model, Smooth) else np.ones_like(epsilon0)
    worth = gain > 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(baseline > 0.0, gain * (unit / baseline), gain)  # a cost that underflows is all unit
    saving = np.where(worth, gain * unit, 0.0)
    return np.where(worth, epsilon, epsilon0), saving, np.where(worth, np.minimum(share, 1.0), 0.0)


def _cheaper(
    model: Cost,
    candidates: _Floats,
    saved: _Floats,
    best: NDArray[np.intp],
    *,
    epsilon0: _Floats,
    confidence: Confidence,
) -> NDArray[np.intp]:
    """Let the budgets decide where nearly all is saved: there the savings differ by less than their last digit."""
    top = np.take_along_axis(saved, best, axis=1)
    row, where = np.nonzero((saved >= top * (1.0 - 1e-13)) & (top > 0.0))
    if row.size == np.unique(row).size:
        return best
    budgets = np.full(saved.shape, np.inf)
    budgets[row, where] = money_at_risk(model, candidates[row, where], epsilon0[row], confidence)
    other = np.argmin(budgets, axis=1)[:, np.newaxis]
    clearly = np.take_along_axis(budgets, other, axis=1) < (1.0 - 1e-11) * np.take_along_axis(budgets, best, axis=1)
    return np.where(clearly, other, best)


def _closed_form(model: Smooth, epsilon0: _Floats, confidence: Confidence) -> _Basins:
    scan = search.levels(epsilon0, model.landmarks)
    column = epsilon0[:, np.newaxis]

    def fall_and_slope(level: _Floats, calibrated: _Floats) -> tuple[_Floats, _Floats]:
        fall, steepness = model.fall_and_steepness(level, calibrated)
        return fall, confidence.elasticity(level) * fall - steepness  # a positive multiple of the saving's derivative

    fall, slope = fall_and_slope(scan, column)
    row, where = np.nonzero((slope[:, :-1] > 0.0) & (slope[:, 1:] <= 0.0))
    top = np.empty(0)
    if row.size:
        top = search.roots(lambda x: fall_and_slope(x, epsilon0[row])[1], scan[row, where], scan[row, where + 1])
    return scan, np.asarray(confidence.holds(scan, column) * fall), top, row


def _values_only(model: Cost, epsilon0: _Floats, confidence: Confidence) -> _Basins:
    scan = epsilon0[:, np.newaxis] * search.APART
    saved = _savings(model, scan, np.broadcast_to(epsilon0[:, np.newaxis], scan.shape), confidence)
    padded = np.pad(saved, ((0, 0), (1, 1)), constant_values=-np.inf)
    row, where = np.nonzero((saved > 0.0) & (saved >= padded[:, :-2]) & (saved >= padded[:, 2:]))
    if row.size == 0:
        return scan, saved, np.empty(0), row
    inner = np.clip(where, 1, scan.shape[1] - 2)
    found = elementwise.find_minimum(
        lambda level, calibrated: -_savings(model, level, calibrated, confidence),
        (scan[row, inner - 1], scan[row, inner], scan[row, inner + 1]),
        args=(epsilon0[row],),
        tolerances={"xrtol": 1e-12},
    )
    return scan, saved, np.where(found.success, found.x, scan[row, where]), row


def _append(table: _Floats, values: _Floats, row: NDArray[np.intp]) -> _Floats:
    """Add the values of each row as further columns; rows with fewer of them repeat their first entry."""
    counts = np.bincount(row, minlength=table.shape[0])
    place = np.arange(row.size) - np.repeat(np.cumsum(counts) - counts, counts)
    further = np.repeat(table[:, :1], counts.max(), axis=1)
    further[row, place] = values
    return np.concatenate([table, further], axis=1)
