"""What can be afforded: the ε that a budget and a wanted accuracy leave, the budget that an accuracy needs, equation 11."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import elementwise

from par_core.cost.confidence import Confidence, Truth
from par_core.cost.models import CostModel
from par_core.cost.optimum import (
    SMALLEST_EPSILON0,
    Cost,
    Optimum,
    Smooth,
    as_of_the_weaker,
    money_at_risk,
    optimum,
    stationary,
)
from par_core.errors import InfeasibleError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_number, check_type

_Floats = NDArray[np.float64]

_INWARD = 1e-12  # by this share the ends are moved inward, so that rounding never breaks the wish
_ERROR = "mean absolute error sensitivity/epsilon0"
_STEPS = (
    "The intervals are read off the same levels: where the cost has steps, a level between two of them may cost more than"
    " the budget, or one outside less."
)


class UnmetWishError(InfeasibleError):
    """No ε at this epsilon0 meets both wishes.

    `wish` is the one that breaks, and `missing` by how much: the error that is too large, or the money that is lacking. `best` is
    what can be reached instead: the mean absolute error at this epsilon0, or the least budget.
    """

    def __init__(self, message: str, *, wish: Literal["accuracy", "budget"], missing: float, best: float) -> None:
        super().__init__(f"{wish}: {message}", best=best)
        self.wish: Literal["accuracy", "budget"] = wish
        self.missing = missing


class Interval(NamedTuple):
    """Levels from `lower` to `upper`, both included; a lower end of 0 means every level above 0."""

    lower: float
    upper: float


@dataclass(frozen=True)
class EpsilonRange(Result):
    """The ε, up to epsilon0, that keep to a budget.

    In `intervals`, from left to right, equation 9, an average over releases, is within the budget; there is one, or for a cost that
    is not convex several, with each end rounded inward. `error` is the mean absolute error at epsilon0, in the unit of the query,
    infinite beyond the largest float, and `smallest_epsilon0` the smallest that is accurate enough (0 if no accuracy is asked for):
    the accuracy depends on epsilon0 alone, not on ε. `spare` is the budget minus the least budget, at least 0.
    """

    budget: float
    max_error: float | None
    epsilon0: float
    k: int
    sensitivity: float
    truth: Truth
    intervals: tuple[Interval, ...]
    error: float
    smallest_epsilon0: float
    spare: float
    optimum: Optimum
    QUANTITIES = quantities(budget=stated("coins", "down"), lower=stated("level", "up"), upper=stated("level", "down"))

    @property
    def evidence(self) -> Evidence:
        """That of the optimum, and of the error."""
        own = self.optimum.evidence
        limits = own.limits if isinstance(self.optimum.model, Smooth) else f"{own.limits} {_STEPS}"
        return Evidence(own.basis, f"{own.source}; {_ERROR}", limits)

    @property
    def always_enough(self) -> bool:
        """Whether the budget pays for E(epsilon0), which is enough in every release, and not on average alone."""
        return self.budget >= float(self.optimum.baseline)


@dataclass(frozen=True)
class BudgetFor(Result):
    """The budget that an accuracy needs: the smallest epsilon0 that reaches it, which is also the cheapest.

    `baseline` is the money for that epsilon0 alone, enough in every release; `published` and `exact` are the cheapest levels by
    either confidence, on average over releases. The evidence is that of the weaker part, the published one.
    """

    max_error: float
    sensitivity: float
    epsilon0: float
    error: float
    k: int
    baseline: float
    published: Optimum
    exact: Optimum
    QUANTITIES = quantities(epsilon0=stated("level", "up", PROVEN))

    @property
    def evidence(self) -> Evidence:
        """That of the published part."""
        own = as_of_the_weaker(self.published)
        return replace(own, source=f"{own.source}; {_ERROR}")


@dataclass(frozen=True)
class Equation11(Result):
    """The permissible range of ε as the paper prints it, `lower` to `upper`; either is infinite beyond the largest float.

    `confidence` is the one at which the upper end was computed, `implicit` whether that is the confidence in the upper end itself.
    The range `excludes_optimum` if the published optimum lies outside it, and `is_empty` if it ends before it begins.
    """

    budget: float
    max_error: float
    epsilon0: float
    k: int
    lower: float
    upper: float
    confidence: float
    implicit: bool
    optimum: Optimum
    excludes_optimum: bool
    is_empty: bool
    QUANTITIES = quantities(
        lower=stated("level", "up", PUBLISHED, "par-equation-11-range"),
        upper=stated("level", "down", PUBLISHED, "par-equation-11-range"),
    )

    @property
    def evidence(self) -> Evidence:
        """As printed, with what the paper leaves open."""
        limits = (
            "The accuracy binds epsilon0, not ε: the noise is calibrated to epsilon0. So the printed lower end contradicts the"
            " paper's own section 5.3, whose optimum 0.274 lies below its lower end 0.5. The upper end is an implicit equation,"
            f" because the confidence depends on ε. {self.optimum.limits}"
        )
        return Evidence(PUBLISHED, "Privacy at Risk (PoPETs 2021), equation 11", limits)


def epsilon_range(
    budget: float,
    max_error: float | None,
    epsilon0: float,
    *,
    model: Cost,
    k: int = 1,
    sensitivity: float = 1.0,
    truth: Truth = "exact",
) -> EpsilonRange:
    """Find every ε up to epsilon0 that a budget pays for, once the noise is known to be accurate enough.

    `budget`, at least 0, is money in all; `max_error`, above 0 and in the unit of the query, the largest mean absolute error, which
    is sensitivity/epsilon0 (None asks for none). epsilon0 is at least 1e-300, k 1 to 100,000, and the L1 sensitivity above 0, in the
    unit of the query. Where a wish is not met, an UnmetWishError, an InfeasibleError, says which and by how much; the accuracy is
    looked at first.

    >>> found = epsilon_range(40_000, 2, 0.5, model=CostModel(5500, 100), truth="published")
    >>> [(round(a, 4), round(b, 4)) for a, b in found.intervals]
    [(0.2201, 0.3272)]
    """
    money, calibrated = check_number("budget", budget, at_least=0.0), check_number("epsilon0", epsilon0, above=0.0)
    scale, confidence = check_number("sensitivity", sensitivity, above=0.0), Confidence(truth, k)
    error = scale / calibrated
    wanted = None if max_error is None else check_number("max_error", max_error, above=0.0)
    smallest = 0.0 if wanted is None else _smallest_epsilon0(wanted, scale)
    if wanted is not None and error > wanted:
        raise UnmetWishError(
            f"the mean absolute error at epsilon0 = {calibrated:g} is {error:g}, above the wanted {wanted:g} by "
            f"{error - wanted:.3g}, whatever the budget; epsilon0 must be at least {smallest:g}",
            wish="accuracy",
            missing=error - wanted,
            best=error,
        )
    cheapest = optimum(model, calibrated, k=confidence.k, truth=truth)
    spare = money - cheapest.budget
    if spare < 0.0:
        raise UnmetWishError(
            f"no ε at epsilon0 = {calibrated:g} costs less than {cheapest.budget:.2f}, which is above the budget {money:.2f} by "
            f"{-spare:.2f}",
            wish="budget",
            missing=-spare,
            best=cheapest.budget,
        )
    return EpsilonRange(
        budget=money,
        max_error=wanted,
        epsilon0=calibrated,
        k=confidence.k,
        sensitivity=scale,
        truth=truth,
        intervals=_within(money, confidence, cheapest),
        error=error,
        smallest_epsilon0=smallest,
        spare=spare,
        optimum=cheapest,
    )


def budget_for(max_error: float, *, model: Cost, k: int = 1, sensitivity: float = 1.0) -> BudgetFor:
    """Find the budget that an accuracy needs; parameters as in `epsilon_range`.

    The least epsilon0 (of at least 1e-300) that is accurate enough is also the cheapest: more noise never costs more, with
    either confidence. An accuracy that takes an epsilon0 beyond the largest float is an InfeasibleError.
    """
    wanted, scale = check_number("max_error", max_error, above=0.0), check_number("sensitivity", sensitivity, above=0.0)
    epsilon0 = _smallest_epsilon0(wanted, scale)
    if math.isinf(epsilon0):
        raise InfeasibleError(f"no finite epsilon0 makes the mean absolute error as small as {wanted:g}")
    dimension = check_integer("k", k, at_least=1)
    published = optimum(model, epsilon0, k=dimension, truth="published")
    return BudgetFor(
        max_error=wanted,
        sensitivity=scale,
        epsilon0=epsilon0,
        error=scale / epsilon0,
        k=dimension,
        baseline=published.baseline,
        published=published,
        exact=optimum(model, epsilon0, k=dimension, truth="exact"),
    )


def equation_11(
    budget: float, max_error: float, epsilon0: float, *, model: CostModel, k: int = 1, confidence: float | None = None
) -> Equation11:
    """Return the permissible range of ε as equation 11 prints it: 1/max_error ≤ ε ≤ the level at which the budget is spent.

    The paper leaves open which confidence its upper end takes, which itself depends on ε. Without `confidence` the equation is
    solved for the largest ε, at most epsilon0, that agrees with itself: the upper end of `epsilon_range`. With one in (0, 1] the
    right side is computed as it stands. The paper has rate 1 and minimum 0; other values enter as equation 9 says. A budget too
    small for any ε (with a fixed confidence: for any with that confidence) is an UnmetWishError. Parameters are those of
    `epsilon_range` for a count.

    >>> printed = equation_11(40_000, 2, 0.5, model=CostModel(5500, 100))
    >>> printed.lower, round(printed.upper, 4), printed.excludes_optimum
    (0.5, 0.3272, True)
    """
    money, lower = check_number("budget", budget, at_least=0.0), 1.0 / check_number("max_error", max_error, above=0.0)
    check_type("model", model, CostModel)
    if confidence is None:
        within = epsilon_range(money, None, epsilon0, model=model, k=k, truth="published")
        upper, found = within.intervals[-1].upper, within.optimum
        used = float(Confidence("published", k).holds(upper, found.epsilon0))
    else:
        found = optimum(
            model, check_number("epsilon0", epsilon0, above=0.0), k=check_integer("k", k, at_least=1), truth="published"
        )
        used = check_number("confidence", confidence, above=0.0, at_most=1.0)
        upper = _printed_upper(money, model, found.baseline, confidence=used)
    return Equation11(
        budget=money,
        max_error=float(max_error),
        epsilon0=found.epsilon0,
        k=found.k,
        lower=lower,
        upper=upper,
        confidence=used,
        implicit=confidence is None,
        optimum=found,
        excludes_optimum=not lower <= found.epsilon <= upper,
        is_empty=lower > upper,
    )


def _printed_upper(money: float, model: CostModel, baseline: float, *, confidence: float) -> float:
    heads = model.stakeholders
    rising = heads * (model.compensation - (model.minimum if model.capped else 0.0))
    left = money - (1.0 - confidence) * baseline - confidence * heads * model.minimum
    if left <= 0.0:
        raise UnmetWishError(
            f"equation 11 has no upper end at confidence {confidence:g}: the budget {money:.2f} does not even pay for what the"
            f" other releases cost, lacking {-left:.2f}",
            wish="budget",
            missing=-left,
            best=money - left,
        )
    exponent = math.log(confidence) + math.log(rising) - math.log(left) if rising > 0.0 else 0.0
    return model.rate / exponent if exponent > 0.0 else math.inf


def _smallest_epsilon0(max_error: float, sensitivity: float) -> float:
    """Return sensitivity/max_error, or 1e-300 if that is more, rounded up until the error really is at most max_error."""
    epsilon0 = max(sensitivity / max_error, SMALLEST_EPSILON0)
    while sensitivity / epsilon0 > max_error:
        epsilon0 = math.nextafter(epsilon0, math.inf)
    return epsilon0


def _within(money: float, confidence: Confidence, cheapest: Optimum) -> tuple[Interval, ...]:
    """Where equation 9 is at most `money`: between neighbouring levels of the scan it is crossed at most once."""

    def lacking(level: _Floats) -> _Floats:
        return money_at_risk(cheapest.model, level, np.full_like(level, cheapest.epsilon0), confidence) - money

    candidates, _ = stationary(cheapest.model, np.array([cheapest.epsilon0]), confidence)
    levels = np.unique(np.concatenate([candidates[0], [cheapest.epsilon, cheapest.epsilon0]]))
    met = lacking(levels) <= 0.0
    met |= levels == cheapest.epsilon  # the caller made sure of it; rounding must not lose it
    starts, ends = np.flatnonzero(np.diff(met, prepend=False, append=False)).reshape(-1, 2).T
    lower, upper = levels[starts], levels[ends - 1]
    rising, falling = starts > 0, ends < levels.size
    lower[rising] = _edges(lacking, lower[rising], levels[starts[rising] - 1], inward=1.0 + _INWARD)
    upper[falling] = _edges(lacking, upper[falling], levels[ends[falling]], inward=1.0 - _INWARD)
    lower[~rising] = 0.0
    return tuple(Interval(float(a), float(b)) for a, b in zip(lower, upper, strict=True))


def _edges(lacking: Callable[[_Floats], _Floats], inside: _Floats, outside: _Floats, *, inward: float) -> _Floats:
    """Last levels, on the way from `inside` to `outside`, at which no money is lacking; moved inward."""
    if not inside.size:
        return inside
    found = elementwise.find_root(lacking, (inside, outside))
    ends, missing = np.stack([found.x, *found.bracket]), np.stack([found.f_x, *found.f_bracket])
    edge = np.take_along_axis(ends, np.argmax(missing <= 0.0, axis=0)[np.newaxis], axis=0)[0]
    edge = np.where(found.success, edge, inside) * inward
    return np.where(inward > 1.0, np.minimum(edge, inside), np.maximum(edge, inside))
