"""What can be afforded: the ε that a budget and a wanted accuracy leave, the budget that an accuracy needs, equation 11."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from par_core.cost import search
from par_core.cost.law import WEAKER, Law, Truth
from par_core.cost.models import CostModel
from par_core.cost.optimum import SMALLEST_EPSILON0, Cost, Optimum, Smooth, money_at_risk, optimum, stationary
from par_core.errors import InfeasibleError, ParameterError
from par_core.parameters import one, one_whole
from par_core.standing import MODEL, PROVEN, PUBLISHED, Result, Standing, Told, quantities

_Floats = NDArray[np.float64]

_INWARD = 1e-12  # by this share the ends are moved inward, so that rounding never breaks the wish


_STEPS = (
    "The intervals are read off the same levels: where the cost has steps, a level between two of them may cost more than"
    " the budget, or one outside less."
)


class UnmetWishError(InfeasibleError):
    """No ε at this epsilon0 meets both wishes.

    Attributes
    ----------
    wish : "accuracy" or "budget"
        The wish that breaks.
    missing : float
        By how much: the error that is too large, or the money that is lacking.
    best : float
        What can be reached instead: the mean absolute error at this epsilon0, or the least budget.
    """

    def __init__(self, message: str, *, wish: Literal["accuracy", "budget"], missing: float, best: float) -> None:
        super().__init__(message, best=best)
        self.wish: Literal["accuracy", "budget"] = wish
        self.missing = missing


class Interval(NamedTuple):
    """Levels from `lower` to `upper`, both included; a lower end of 0 means every level above 0."""

    lower: float
    upper: float


@dataclass(frozen=True)
class EpsilonRange(Result):
    """The ε, up to epsilon0, that keep to a budget.

    Attributes
    ----------
    intervals : tuple of Interval
        Where equation 9, an average over releases, is within the budget, from left to right; one, or for a cost that is not
        convex several. Each end is rounded inward.
    error, smallest_epsilon0 : float
        Mean absolute error at epsilon0, in the unit of the query, infinite beyond the largest float, and the smallest
        epsilon0 that is accurate enough (0 if no accuracy is asked for). The accuracy depends on epsilon0 alone, not on ε.
    spare : float
        Budget minus the least budget, at least 0.
    optimum : Optimum
        The cheapest level and what it costs.
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
    QUANTITIES = quantities(
        budget=Told("coins", "down"),
        lower=Told("level", "up"),
        upper=Told("level", "down"),
        error=Told("error", "up", PROVEN),
    )
    standing: Standing
    source: str
    limits: str

    @property
    def always_enough(self) -> bool:
        """Whether the budget pays for E(epsilon0), which is enough in every release, and not on average alone."""
        return self.budget >= float(self.optimum.baseline)

    def contains(self, epsilon: float) -> bool:
        """Whether a level lies in one of the intervals."""
        level = one("epsilon", epsilon, above=0.0)
        return any(interval.lower <= level <= interval.upper for interval in self.intervals)


@dataclass(frozen=True)
class BudgetFor(Result):
    """The budget that an accuracy needs: the smallest epsilon0 that reaches it, which is also the cheapest.

    `baseline` is the money for that epsilon0 alone, enough in every release; `published` and `exact` are the cheapest levels by
    either confidence, on average over releases. The standing is that of the weaker part, the published one.
    """

    max_error: float
    sensitivity: float
    epsilon0: float
    error: float
    k: int
    baseline: float
    published: Optimum
    exact: Optimum
    QUANTITIES = quantities(epsilon0=Told("level", "up", PROVEN), baseline=Told("coins", "up", MODEL))
    standing: Standing
    source: str
    limits: str


@dataclass(frozen=True)
class Equation11(Result):
    """The permissible range of ε as the paper prints it, `lower` to `upper`; either is infinite beyond the largest float.

    Attributes
    ----------
    confidence : float
        The confidence at which the upper end was computed.
    implicit : bool
        Whether that is the confidence in the upper end itself.
    optimum : Optimum
        The published optimum, which the printed lower end may exclude.
    excludes_optimum : bool
        Whether it does.
    is_empty : bool
        Whether the lower end lies above the upper one.
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
        lower=Told("level", "up", PUBLISHED, "par-equation-11-range"),
        upper=Told("level", "down", PUBLISHED, "par-equation-11-range"),
    )
    standing: Standing
    source: str
    limits: str


def epsilon_range(
    budget: float,
    max_error: float | None,
    epsilon0: float,
    *,
    model: Cost,
    k: int = 1,
    sensitivity: float = 1.0,
    truth: Truth = "published",
) -> EpsilonRange:
    """Find every ε up to epsilon0 that a budget pays for, once the noise is known to be accurate enough.

    Parameters
    ----------
    budget : float, at least 0
        Money in all.
    max_error : float, above 0, or None
        Largest mean absolute error, in the unit of the query; None asks for none.
    epsilon0 : float, at least 1e-300
        The level that the noise is calibrated to. The mean absolute error is sensitivity/epsilon0.
    model : Cost
        What a breach costs.
    k : int, 1 to 100,000
        Dimension of the query.
    sensitivity : float, above 0
        L1 sensitivity of the query, in its unit.
    truth : "published" or "exact"
        Which confidence is used.

    Raises
    ------
    UnmetWishError
        An InfeasibleError that says which wish breaks, and by how much; the accuracy is looked at first.

    Examples
    --------
    >>> found = epsilon_range(40_000, 2, 0.5, model=CostModel(5500, 100))
    >>> [(round(a, 4), round(b, 4)) for a, b in found.intervals]
    [(0.2201, 0.3272)]
    """
    money, calibrated = one("budget", budget, at_least=0.0), one("epsilon0", epsilon0, above=0.0)
    scale, law = one("sensitivity", sensitivity, above=0.0), Law(truth, k)
    error = scale / calibrated
    wanted = None if max_error is None else one("max_error", max_error, above=0.0)
    smallest = 0.0 if wanted is None else _smallest_epsilon0(wanted, scale)
    if wanted is not None and error > wanted:
        raise _too_noisy(calibrated, error=error, wanted=wanted, smallest=smallest)
    cheapest = optimum(model, calibrated, k=law.k, truth=truth)
    if money < cheapest.budget:
        raise _too_dear(calibrated, money=money, least=cheapest.budget)
    return EpsilonRange(
        budget=money,
        max_error=wanted,
        epsilon0=calibrated,
        k=law.k,
        sensitivity=scale,
        truth=truth,
        intervals=_within(money, model, calibrated, law=law, cheapest=cheapest),
        error=error,
        smallest_epsilon0=smallest,
        spare=money - cheapest.budget,
        optimum=cheapest,
        standing=law.standing,
        source=f"{cheapest.source}; mean absolute error sensitivity/epsilon0",
        limits=cheapest.limits if isinstance(model, Smooth) else f"{cheapest.limits} {_STEPS}",
    )


def _too_noisy(epsilon0: float, *, error: float, wanted: float, smallest: float) -> UnmetWishError:
    return UnmetWishError(
        f"accuracy: the mean absolute error at epsilon0 = {epsilon0:g} is {error:g}, above the wanted {wanted:g} by "
        f"{error - wanted:.3g}, whatever the budget; epsilon0 must be at least {smallest:g}",
        wish="accuracy",
        missing=error - wanted,
        best=error,
    )


def _too_dear(epsilon0: float, *, money: float, least: float) -> UnmetWishError:
    return UnmetWishError(
        f"budget: no ε at epsilon0 = {epsilon0:g} costs less than {least:.2f}, which is above the budget {money:.2f} by "
        f"{least - money:.2f}",
        wish="budget",
        missing=least - money,
        best=least,
    )


def budget_for(max_error: float, *, model: Cost, k: int = 1, sensitivity: float = 1.0) -> BudgetFor:
    """Find the budget that an accuracy needs.

    The least epsilon0 (of at least 1e-300) that is accurate enough is also the cheapest: more noise never costs more, with
    either confidence.

    Parameters
    ----------
    max_error : float, above 0
        Largest mean absolute error, in the unit of the query.
    model : Cost
        What a breach costs.
    k : int, 1 to 100,000
        Dimension of the query.
    sensitivity : float, above 0
        L1 sensitivity of the query, in its unit.

    Raises
    ------
    InfeasibleError
        An accuracy that takes an epsilon0 beyond the largest float.

    Examples
    --------
    >>> needed = budget_for(2, model=CostModel(5500, 100))
    >>> needed.epsilon0, round(needed.baseline, 2), round(needed.exact.budget, 2)
    (0.5, 74434.41, 67978.95)
    """
    wanted, scale = one("max_error", max_error, above=0.0), one("sensitivity", sensitivity, above=0.0)
    epsilon0 = _smallest_epsilon0(wanted, scale)
    if math.isinf(epsilon0):
        raise InfeasibleError(f"no finite epsilon0 makes the mean absolute error as small as {wanted:g}")
    dimension = one_whole("k", k, at_least=1)
    published = optimum(model, epsilon0, k=dimension, truth="published")
    return BudgetFor(
        max_error=wanted,
        sensitivity=scale,
        epsilon0=epsilon0,
        error=scale / epsilon0,
        k=published.k,
        baseline=published.baseline,
        published=published,
        exact=optimum(model, epsilon0, k=dimension, truth="exact"),
        standing=PUBLISHED,
        source=f"{published.source}; mean absolute error sensitivity/epsilon0",
        limits=f"{published.limits} {WEAKER}",
    )


def equation_11(
    budget: float,
    max_error: float,
    epsilon0: float,
    *,
    model: CostModel,
    k: int = 1,
    confidence: float | None = None,
) -> Equation11:
    """Return the permissible range of ε as equation 11 prints it: 1/max_error ≤ ε ≤ the level at which the budget is spent.

    The paper leaves open which confidence its upper end takes, which itself depends on ε. Without `confidence` the equation is
    solved for the largest ε, at most epsilon0, that agrees with itself: the upper end of `epsilon_range`. With it, the right side
    is computed as it stands. The paper has rate 1 and minimum 0; other values enter as equation 9 says.

    Parameters
    ----------
    budget : float, at least 0
        Money in all.
    max_error : float, above 0
        Largest mean absolute error of a count; the printed lower end is 1 over it.
    epsilon0 : float, at least 1e-300
        The level that the noise is calibrated to.
    model : CostModel
        Equation 8.
    k : int, 1 to 100,000
        Dimension of the query.
    confidence : float in (0, 1], optional
        A fixed confidence for the right side.

    Raises
    ------
    UnmetWishError
        A budget too small for any ε (with a fixed confidence: for any with that confidence).

    Examples
    --------
    >>> printed = equation_11(40_000, 2, 0.5, model=CostModel(5500, 100))
    >>> printed.lower, round(printed.upper, 4), printed.excludes_optimum
    (0.5, 0.3272, True)
    """
    money, wanted = one("budget", budget, at_least=0.0), one("max_error", max_error, above=0.0)
    if not isinstance(model, CostModel):
        raise ParameterError(f"model must be a CostModel, got {model!r}")
    found = optimum(model, one("epsilon0", epsilon0, above=0.0), k=one_whole("k", k, at_least=1))
    if confidence is None:
        upper = epsilon_range(money, None, epsilon0, model=model, k=k).intervals[-1].upper
        used = float(Law("published", k).holds(upper, found.epsilon0))
    else:
        used = one("confidence", confidence, above=0.0, at_most=1.0)
        upper = _printed_upper(money, model, found.baseline, confidence=used)
    return Equation11(
        budget=money,
        max_error=wanted,
        epsilon0=found.epsilon0,
        k=found.k,
        lower=1.0 / wanted,
        upper=upper,
        confidence=used,
        implicit=confidence is None,
        optimum=found,
        excludes_optimum=not 1.0 / wanted <= found.epsilon <= upper,
        is_empty=1.0 / wanted > upper,
        standing=PUBLISHED,
        source="Privacy at Risk (PoPETs 2021), equation 11",
        limits="The accuracy binds epsilon0, not ε: the noise is calibrated to epsilon0. So the printed lower end contradicts the"
        " paper's own section 5.3, whose optimum 0.274 lies below its lower end 0.5. The upper end is an implicit equation,"
        f" because the confidence depends on ε. {found.limits}",
    )


def _printed_upper(money: float, model: CostModel, baseline: float, *, confidence: float) -> float:
    heads = model.stakeholders
    rising = heads * (model.compensation - (model.minimum if model.capped else 0.0))
    left = money - (1.0 - confidence) * baseline - confidence * heads * model.minimum
    if left <= 0.0:
        raise UnmetWishError(
            f"budget: equation 11 has no upper end at confidence {confidence:g}: the budget {money:.2f} does not even pay for"
            f" what the other releases cost, lacking {-left:.2f}",
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


def _within(money: float, model: Cost, epsilon0: float, *, law: Law, cheapest: Optimum) -> tuple[Interval, ...]:
    """Where equation 9 is at most `money`: between neighbouring levels of the scan it is crossed at most once."""

    def affordable(level: _Floats) -> NDArray[np.bool_]:
        return money_at_risk(model, level, np.full_like(level, epsilon0), law=law) <= money

    candidates, _ = stationary(model, np.array([epsilon0]), law)
    levels = np.unique(np.concatenate([candidates[0], [cheapest.epsilon, epsilon0]]))
    met = affordable(levels)
    met |= levels == cheapest.epsilon  # the caller made sure of it; rounding must not lose it
    starts = np.flatnonzero(met & ~np.concatenate([[False], met[:-1]]))
    ends = np.flatnonzero(met & ~np.concatenate([met[1:], [False]]))
    lower, upper = levels[starts].copy(), levels[ends].copy()
    rising, falling = starts > 0, ends < levels.size - 1
    if rising.any():
        edge = search.edges(affordable, levels[starts[rising]], levels[starts[rising] - 1])
        lower[rising] = np.minimum(edge * (1.0 + _INWARD), levels[starts[rising]])
    if falling.any():
        edge = search.edges(affordable, levels[ends[falling]], levels[ends[falling] + 1])
        upper[falling] = np.maximum(edge * (1.0 - _INWARD), levels[ends[falling]])
    lower[~rising] = 0.0
    return tuple(Interval(float(a), float(b)) for a, b in zip(lower, upper, strict=True))
