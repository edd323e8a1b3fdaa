"""What a release at ε costs with Privacy at Risk (equation 9), and the ε at which it costs least.

Equation 9 is E(ε0) − saving(ε) with saving(ε) = confidence(ε)·(E(ε0) − E(ε)). The saving is what is searched: unlike the
budget it keeps its digits where the two costs are nearly the same, and its derivative has the sign of
(ε·confidence'/confidence)·(E(ε0) − E(ε)) − ε·E'(ε), in which every term can be scaled so that nothing underflows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.cost import search
from par_core.cost.law import AVERAGE, GIVEN, NOT_EXPECTED, Law, Truth
from par_core.errors import ParameterError
from par_core.parameters import as_array, like_input, real, shown, whole
from par_core.standing import MODEL, PUBLISHED, Result, Standing, Told, declare, quantities

_Floats = NDArray[np.float64]

SMALLEST_EPSILON0 = 1e-300
"""Below it there are too few floats to look for a cheaper level among."""

# Levels looked at and the saving at each, one row for each epsilon0; top of each basin and the row that it belongs to.
_Basins = tuple[_Floats, _Floats, _Floats, NDArray[np.intp]]

_SEARCHED = (
    "Nothing is known of this cost but its values at some 400 levels: between two of them, above all next to a step of the"
    " cost, a cheaper one could have been missed."
)


@runtime_checkable
class Cost(Protocol):
    """What a breach costs in all, by the privacy level of what was published.

    Any callable with a `name` will do: it takes levels ε above 0, of any shape, and returns money of the same shape, at
    least 0 and finite, which should never fall as ε rises.
    """

    @property
    def name(self) -> str:
        """What the model is called on a page."""

    def __call__(self, epsilon: ArrayLike, /) -> Any:
        """Total money that a breach costs at level ε."""


@runtime_checkable
class Smooth(Cost, Protocol):
    """A cost whose differences and slope are known in closed form, so that its cheapest ε is found to the last digits."""

    @property
    def landmarks(self) -> _Floats:
        """Levels at which the cost changes its course; shape (m,), above 0."""

    def unit(self, epsilon0: _Floats) -> _Floats:
        """Money that `fall` and `steepness` are measured in; may underflow to 0 where they do not."""

    def fall(self, epsilon: _Floats, epsilon0: _Floats) -> _Floats:
        """E(ε0) − E(ε), in units of `unit(epsilon0)`, without cancellation, for ε up to ε0."""

    def fall_and_steepness(self, epsilon: _Floats, epsilon0: _Floats) -> tuple[_Floats, _Floats]:
        """`fall`, and ε times the derivative of E at ε (from the right) in the same units."""


@dataclass(frozen=True)
class Optimum(Result):
    """The ε that costs least with noise for `epsilon0`; fields have the shape of the broadcast epsilon0 and k.

    Attributes
    ----------
    epsilon, confidence : float or ndarray
        The cheapest level, at most epsilon0, and the probability that it holds (by `truth`).
    budget, baseline, saving : float or ndarray
        Money in all at epsilon, at epsilon0 alone, and the difference, which has its digits even where it is small. The budget
        is an average over releases; the baseline is enough in every one of them, if the model is right.
    share_saved : float or ndarray
        saving/baseline, in [0, 1].
    at_epsilon0 : bool or ndarray of bool
        True if no ε below epsilon0 costs less; then epsilon = epsilon0 and the saving is 0.
    """

    epsilon: Any
    confidence: Any
    budget: Any
    baseline: Any
    saving: Any
    share_saved: Any
    at_epsilon0: Any
    epsilon0: Any
    k: Any
    truth: Truth
    model: Cost
    QUANTITIES = quantities(
        budget=Told("money", "up", claim="par-theorem-4"),
        baseline=Told("coins", "up", MODEL),
        saving=Told("money", "down", claim="par-theorem-4"),
        share_saved=Told("share", "down", claim="par-theorem-4"),
        confidence=Told("share", "down", claim="par-theorem-4"),
    )
    standing: Standing
    source: str
    limits: str


@declare(
    PUBLISHED,
    source="Privacy at Risk (PoPETs 2021), equation 9",
    limits="With truth='published' the confidence is Theorem 4's, which is too high below epsilon0: so is the saving. With"
    " truth='exact' it is exact for worst-case neighbours, and the money is by the cost model."
    f" {AVERAGE} {NOT_EXPECTED}",
)
def at_risk(
    model: Cost, epsilon: ArrayLike, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "published"
) -> Any:
    """Money that equation 9 sets aside for level ε with noise for epsilon0.

    Parameters
    ----------
    model : Cost
        What a breach costs.
    epsilon : array_like, above 0
        The stronger level; from epsilon0 on the money is E(epsilon0).
    epsilon0 : array_like, above 0
        The level that the noise is calibrated to.
    k : array_like of int, 1 to 100,000
        Dimension of the query.
    truth : "published" or "exact"
        Which confidence is used.

    Returns
    -------
    float or ndarray
        In the currency of the model; shape of the broadcast arguments.
    """
    level, calibrated = real("epsilon", epsilon, above=0.0), real("epsilon0", epsilon0, above=0.0)
    dimensions = whole("k", k, at_least=1)
    level, calibrated, dimensions = np.broadcast_arrays(level, calibrated, dimensions)
    result = np.empty(level.shape)
    for dimension in np.unique(dimensions):
        here = dimensions == dimension
        result[here] = money_at_risk(model, level[here], calibrated[here], law=Law(truth, int(dimension)))
    return like_input(result)


def optimum(model: Cost, epsilon0: ArrayLike, *, k: ArrayLike = 1, truth: Truth = "published") -> Optimum:
    """Find the ε at which equation 9 is least, over all ε up to epsilon0.

    Parameters
    ----------
    model : Cost
        What a breach costs; it need not be convex.
    epsilon0 : array_like, at least 1e-300
        The level that the noise is calibrated to.
    k : array_like of int, 1 to 100,000
        Dimension of the query.
    truth : "published" or "exact"
        Which confidence is used.

    Returns
    -------
    Optimum
        To the last digits of ε for the models of this package. Of another callable only values are known: the result is the
        cheapest of some 400 levels and of the tops found between them, to about eight digits where the cost is smooth. A cost
        with steps may have a cheaper level between them.
    """
    calibrated = real("epsilon0", epsilon0, at_least=SMALLEST_EPSILON0)
    dimensions = whole("k", k, at_least=1)
    calibrated, dimensions = np.broadcast_arrays(calibrated, dimensions)
    epsilon, share = np.empty(calibrated.shape), np.empty(calibrated.shape)
    saving, confidence, budget = np.empty_like(share), np.empty_like(share), np.empty_like(share)
    baseline = priced(model, calibrated)
    law = Law(truth, 1)
    for dimension in np.unique(dimensions):
        here = dimensions == dimension
        law = Law(truth, int(dimension))
        found = _best(model, calibrated[here], law)
        epsilon[here], saving[here], share[here] = found
        confidence[here] = law.holds(found[0], calibrated[here])
        budget[here] = money_at_risk(model, found[0], calibrated[here], law=law)
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
        standing=law.standing,
        source=f"{law.source}; cost: {model.name}",
        limits=f"{law.limits} {caveat(model, calibrated)}",
    )


@declare(PUBLISHED, source="equation 9", limits="as `at_risk`")
def money_at_risk(model: Cost, epsilon: _Floats, epsilon0: _Floats, *, law: Law) -> _Floats:
    """Do what `at_risk` does for arrays of one shape and one law."""
    level = np.minimum(epsilon, epsilon0)
    cost, cost0 = priced(model, level), priced(model, epsilon0)
    mixture = law.holds(level, epsilon0) * cost + law.fails(level, epsilon0) * cost0
    return np.asarray(np.clip(mixture, np.minimum(cost, cost0), np.maximum(cost, cost0)))  # rounding goes no further


@declare(MODEL, source="the model itself", limits="A cost model is an assumption.")
def priced(model: Cost, epsilon: _Floats) -> _Floats:
    """Ask the model for money, and make sure that it is money."""
    if not isinstance(model, Cost):
        raise ParameterError(f"model must be a cost model: callable, with a name; got {shown(model)}")
    answer = as_array("the money that model returns", model(epsilon))
    if answer.shape != epsilon.shape:
        raise ParameterError(
            f"model must return one amount for each epsilon, got shape {answer.shape} for shape {epsilon.shape}"
        )
    return real("the money that model returns", answer, at_least=0.0) if answer.size else answer


def caveat(model: Cost, epsilon0: _Floats) -> str:
    """Say what is assumed about the cost; a model adds its own caution through a method of the same name."""
    words = [GIVEN]
    if not isinstance(model, Smooth):
        words.append(_SEARCHED)
    own = getattr(model, "caveat", None)
    if own is not None:
        words.append(own(float(epsilon0.max())))
    return " ".join(filter(None, words))


@declare(PUBLISHED, source="equation 9", limits="as `at_risk`")
def stationary(model: Cost, epsilon0: _Floats, law: Law) -> tuple[_Floats, _Floats]:
    """Levels to compare: the scan, and the top of every basin that it shows.

    Parameters
    ----------
    model : Cost
        What a breach costs.
    epsilon0 : ndarray of shape (n,), above 0
        What the noise is calibrated to.
    law : Law
        Which confidence is used.

    Returns
    -------
    tuple of ndarray
        Levels, and the saving at each in units of the model, both of shape (n, m); levels that repeat do no harm.
    """
    if isinstance(model, Smooth):
        scan, saved, top, row = _closed_form(model, epsilon0, law)
    else:
        scan, saved, top, row = _values_only(model, epsilon0, law)
    if row.size == 0:
        return scan, saved
    return _append(scan, top, row), _append(saved, savings(model, top, epsilon0[row], law), row)


@declare(PUBLISHED, source="equation 9", limits="as `at_risk`")
def savings(model: Cost, epsilon: _Floats, epsilon0: _Floats, law: Law) -> _Floats:
    """confidence·(E(ε0) − E(ε)), in units of `model.unit(epsilon0)` if the model is smooth, else in money."""
    if isinstance(model, Smooth):
        return np.asarray(law.holds(epsilon, epsilon0) * model.fall(epsilon, epsilon0))
    return np.asarray(law.holds(epsilon, epsilon0) * (priced(model, epsilon0) - priced(model, epsilon)))


def _best(model: Cost, epsilon0: _Floats, law: Law) -> tuple[_Floats, _Floats, _Floats]:
    """Cheapest level, saving in money, and saving as a share of the baseline."""
    candidates, saved = stationary(model, epsilon0, law)
    best = np.argmax(saved, axis=1)[:, np.newaxis]
    best = _cheaper(model, candidates, saved, best, epsilon0=epsilon0, law=law)
    epsilon = np.take_along_axis(candidates, best, axis=1)[:, 0]
    gain = np.take_along_axis(saved, best, axis=1)[:, 0]
    baseline = priced(model, epsilon0)
    unit = np.ones_like(epsilon0)
    if isinstance(model, Smooth):
        unit = model.unit(epsilon0)
    worth = gain > 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(baseline > 0.0, gain * (unit / baseline), gain)  # a cost that underflows is all unit
    saving = np.where(worth, gain * unit, 0.0)
    return np.where(worth, epsilon, epsilon0), saving, np.where(worth, np.minimum(share, 1.0), 0.0)


def _cheaper(
    model: Cost, candidates: _Floats, saved: _Floats, best: NDArray[np.intp], *, epsilon0: _Floats, law: Law
) -> NDArray[np.intp]:
    """Let the budgets decide where nearly all is saved: there the savings differ by less than their last digit."""
    top = np.take_along_axis(saved, best, axis=1)
    row, where = np.nonzero((saved >= top * (1.0 - 1e-13)) & (top > 0.0))
    if row.size == np.unique(row).size:
        return best
    budgets = np.full(saved.shape, np.inf)
    budgets[row, where] = money_at_risk(model, candidates[row, where], epsilon0[row], law=law)
    other = np.argmin(budgets, axis=1)[:, np.newaxis]
    clearly = np.take_along_axis(budgets, other, axis=1) < (1.0 - 1e-11) * np.take_along_axis(budgets, best, axis=1)
    return np.where(clearly, other, best)


def _closed_form(model: Smooth, epsilon0: _Floats, law: Law) -> _Basins:
    scan = search.levels(epsilon0, model.landmarks)
    column = epsilon0[:, np.newaxis]
    fall, steepness = model.fall_and_steepness(scan, column)
    slope = law.elasticity(scan) * fall - steepness  # a positive multiple of the derivative of the saving
    row, where = np.nonzero((slope[:, :-1] > 0.0) & (slope[:, 1:] <= 0.0))

    def slope_at(level: _Floats) -> _Floats:
        fall, steepness = model.fall_and_steepness(level, epsilon0[row])
        return np.asarray(law.elasticity(level) * fall - steepness)

    top = search.roots(slope_at, scan[row, where], scan[row, where + 1]) if row.size else np.empty(0)
    return scan, np.asarray(law.holds(scan, column) * fall), top, row


def _values_only(model: Cost, epsilon0: _Floats, law: Law) -> _Basins:
    scan = epsilon0[:, np.newaxis] * search.APART
    saved = savings(model, scan, np.broadcast_to(epsilon0[:, np.newaxis], scan.shape), law)
    edge = np.full((saved.shape[0], 1), -np.inf)
    padded = np.concatenate([edge, saved, edge], axis=1)
    row, where = np.nonzero((saved > 0.0) & (saved >= padded[:, :-2]) & (saved >= padded[:, 2:]))
    if row.size == 0:
        return scan, saved, np.empty(0), row
    from scipy.optimize import elementwise  # late: it takes a quarter of a second to load

    inner = np.clip(where, 1, scan.shape[1] - 2)
    bracket = scan[row, inner - 1], scan[row, inner], scan[row, inner + 1]
    found = elementwise.find_minimum(
        lambda level, calibrated: -savings(model, level, calibrated, law),
        bracket,
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
