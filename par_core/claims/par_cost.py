"""Privacy at Risk, section 5 without composition: the cost model, its minimum (figure 4), and the health centre."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from par_core.claims import lazy_imports
from par_core.claims.catalogue import Claim, Compare, Dial, Missing, Paper, Recomputed, half_unit, worst
from par_core.cost import TRUTHS, CostModel, at_risk, budget_for, epsilon_range, equation_11, optimum
from par_core.mechanisms import Exponential
from par_core.mechanisms.posterior import updated
from par_core.published import explicit

_SECTION_5_2 = "5.2 Cost model for privacy at risk"

_EACH, _STAFF = 5500, 100  # dollars for each of the staff of the health centre
_HEALTH_CENTRE = CostModel(_EACH, stakeholders=_STAFF)
_ONE = CostModel(1.0)  # c = 1, E_min = 0, in units of E
_DOLLARS = Dial("Dollars for each", _EACH, 1000, 10_000, whole=True)
_LEVEL0 = Dial("ε₀", 0.5, 0.1, 2.0)
_EXPONENTS = (1.0, 1.25, 1.5, 2.0, 3.0)  # of costs ε^p, all of them convex
_PAPERS_LEVELS0 = (0.1, 0.5, 0.6, 0.7, 1.0)

# The printed values of figure 4 are the published script's, on its own grid of ε: computed, not digitised.
_FIGURE_4_AT = ((0.5, 0.1), (0.5, 0.3), (0.6, 0.3), (0.7, 0.2), (0.7, 0.5))  # ε0 and ε

_Floats = NDArray[np.float64]


def _cost(minimum: float, epsilon: float = 1e15) -> Recomputed:
    case = f"E = 1, E_min = {minimum:g}, c = 1, ε = {epsilon:g}".replace("1e+", "10^")
    return Recomputed(exact=CostModel(1.0, minimum=minimum).dp(epsilon), case=case)


def _rises() -> Recomputed:
    levels = np.geomspace(0.2, 50.0, 200)
    models = [CostModel(1.0, rate=rate, minimum=minimum) for rate in (0.5, 1.0, 2.0) for minimum in (0.0, 0.1)]
    steps = [np.diff(model.dp(levels)).min() for model in models]
    return Recomputed(exact=min(steps), case="E = 1, E_min = 0 and 0.1, c = 0.5, 1, 2, ε from 0.2 to 50 in 199 steps")


_NO_LEVEL = 1e-13  # in the place of ε = 0, for which a mechanism has no parameters


def _all_results_alike() -> Recomputed:
    first, second = Exponential(_NO_LEVEL).probabilities([0.0, 0.0], prior=[0.9, 0.1])
    return Recomputed(
        exact=abs(first - second),
        case="the exponential mechanism with prior 0.9 and 0.1, ε = 10^−13, in place of 0; two results of one table",
    )


def _neighbours_alike() -> Recomputed:
    one, other = (Exponential(_NO_LEVEL).probabilities(u, prior=[0.9, 0.1]) for u in ([1.0, 0.0], [0.0, 1.0]))
    case = "the exponential mechanism with prior 0.9 and 0.1, ε = 10^−13, in place of 0; each result of two neighbouring tables"
    return Recomputed(exact=np.abs(one - other).max(), case=case)


def _bend_of_equation_8(rate: float, largest: float) -> Recomputed:
    levels = np.linspace(0.05, largest, 401)
    bend = np.diff(CostModel(1.0, rate=rate).dp(levels), n=2) / (levels[1] - levels[0]) ** 2
    lowest = int(np.argmin(bend))
    case = f"E = 1, c = {rate:g}, ε up to {largest:g}: lowest at ε = {levels[lowest + 1]:.2f}, below 0 from c/2"
    return Recomputed(exact=bend[lowest], case=case)


def _lowest_bend(epsilon0: float, *, k: int) -> float:
    """Lowest second derivative of equation 9 in ε, in units of E_dp(ε0)/ε0², by second differences."""
    step = 2e-5  # of ε0: the lowest may be at the end, and rounding is a millionth
    shares = np.linspace(0.02, 1.0 - step, 10)[:, np.newaxis] + step * np.array([-1.0, 0.0, 1.0])
    budgets = _ONE.at_risk(epsilon0 * shares, epsilon0, k=k, truth="published") / _ONE.dp(epsilon0)
    return float(np.diff(budgets, n=2).min() / step**2)


def _lemma_4(epsilon0: float, numbers: float) -> Recomputed:
    bend = _lowest_bend(epsilon0, k=int(numbers))
    return Recomputed(exact=bend, case=f"k = {numbers:g}, c = 1, E_min = 0, ε0 = {epsilon0:g}, ε up to ε0")


def _convex_up_to() -> Recomputed:
    """Bisect the epsilon0 at which the lowest second derivative passes 0."""
    found = []
    for k in (1, 2, 3):
        low, high = 0.5, 3.0
        while high - low > 1e-4:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if _lowest_bend(middle, k=k) >= 0.0 else (low, middle)
        found.append(low)
    return Recomputed(exact=tuple(found), case="k = 1, 2, 3 with c = 1, E_min = 0; the largest ε0 with a convex budget")


@dataclass(frozen=True)
class _Priced:
    """A cost given by a formula of ε."""

    name: str
    formula: Callable[[_Floats], _Floats]

    def __call__(self, epsilon: ArrayLike, /) -> _Floats:
        return self.formula(np.asarray(epsilon, dtype=np.float64))


def _any_convex_cost() -> Recomputed:
    """Second differences of equation 9 for costs that rise and are convex, over what the budget differs by."""
    costs = (
        _Priced("ε²", np.square),
        _Priced("e^ε − 1", np.expm1),
        _Priced("ε", np.positive),
        _Priced("max(ε − ¼, 0)", lambda e: np.maximum(e - 0.25, 0.0)),
    )
    lowest, where = np.inf, ""
    for k, level0, cost in product((1, 2, 5), (0.5, 10.0), costs):
        budgets = at_risk(cost, level0 * np.linspace(0.01, 1.0, 100), level0, k=k, truth="published")
        bend = float(np.diff(budgets, n=2).min() / np.ptp(budgets))
        if bend < lowest:
            lowest, where = bend, f"k = {k}, ε0 = {level0:g}, cost {cost.name}"
    return Recomputed(exact=lowest, case=f"{where}, of k = 1, 2, 5, ε0 = 0.5, 10 and four costs")


def _one_minimum() -> Recomputed:
    """Steps of the budget towards its cheapest ε, counted as falls, and beyond it, counted as rises."""
    levels0 = np.geomspace(0.02, 100.0, 8)[:, np.newaxis]
    shares = np.concatenate([np.geomspace(1e-3, 0.5, 100), np.linspace(0.5, 1.0, 101)[1:]])
    least, where = np.inf, ""
    for k in (1, 3):
        cheapest = optimum(_ONE, levels0, k=k, truth="published").epsilon / levels0
        steps = np.diff(_ONE.at_risk(levels0 * shares, levels0, k=k, truth="published")) / _ONE.dp(levels0)
        right = np.where(shares[1:] <= cheapest, -steps, np.where(shares[:-1] >= cheapest, steps, np.inf))
        if right.min() < least:
            least = float(right.min())
            where = f"k = {k}, ε0 = {levels0[right.min(axis=1).argmin(), 0]:.3g}"
    return Recomputed(exact=least, case=f"{where}, of k = 1, 3 and ε0 from 0.02 to 100, in 200 steps; over E_dp(ε0)")


def _equation_10() -> Recomputed:
    roots = [_root_of_equation_10(level0) for level0 in _PAPERS_LEVELS0]
    exact = optimum(_ONE, _PAPERS_LEVELS0, truth="published").epsilon
    return Recomputed(recomputed=roots, exact=exact, case="k = 1, ε0 = 0.1, 0.5, 0.6, 0.7, 1")


def _root_of_equation_10(epsilon0: float) -> float:
    def left_less_right(epsilon: float) -> float:
        return 1.0 / epsilon - math.log1p(math.expm1(epsilon) / epsilon**2) - 1.0 / epsilon0

    return float(brentq(left_less_right, 0.01 * epsilon0, epsilon0, xtol=1e-14))


def _equation_11_lower_end(error: float) -> Recomputed:
    level0 = 1.0 / error
    found = equation_11(_HEALTH_CENTRE.full, error, level0, model=_HEALTH_CENTRE)
    same = f"with this noise the error is {error:g} whichever ε is promised"
    return Recomputed(
        recomputed=found.lower,
        exact=found.optimum.epsilon,
        case=f"T = {error:g}, ε0 = {level0:g}: {same}, the cheapest of section 5.3 for one",
    )


def _equation_11_upper_end() -> Recomputed:
    """The printed end with the γ of the largest ε that the budget pays for, which is found by looking at budgets."""
    budgets, levels0 = (40_000.0, 80_000.0), (0.5, 0.7)
    exact, ends = [], []
    for budget, level0 in zip(budgets, levels0, strict=True):
        exact.append(epsilon_range(budget, 2.0, level0, model=_HEALTH_CENTRE, truth="published").intervals[-1].upper)
        sure = float(explicit.confidence(exact[-1], level0))
        ends.append(equation_11(budget, 2.0, level0, model=_HEALTH_CENTRE, confidence=sure).upper)
    return worst("equal to", exact, ends, lambda i: f"B = {budgets[i]:,.0f} dollars, ε0 = {levels0[i]:g}, γ that of ε")


def _equation_11_range(budget: float, error: float) -> Recomputed:
    printed = equation_11(budget, error, 0.5, model=_HEALTH_CENTRE)
    levels = np.linspace(printed.lower, printed.upper, 100)
    budgets = _HEALTH_CENTRE.at_risk(levels, 0.5, truth="published")
    return Recomputed(
        recomputed=budget,
        exact=budgets.max(),
        case=f"B = {budget:,.0f} dollars, T = {error:g}, ε0 = 0.5: ε = {levels[int(budgets.argmax())]:g}, in the range from"
        f" {printed.lower:g} to {printed.upper:.3f}",
    )


def _equation_12() -> Recomputed:
    levels = np.array([0.1, 0.5, 1.0])
    exact = lazy_imports.release.release_error(levels, 1.0).expected
    return Recomputed(recomputed=1.0 / levels, exact=exact, case="a count, ε = 0.1, 0.5, 1")


def _two_counts() -> Recomputed:
    """What the newcomer may be, sick or well, and how likely the rise from 34 to 35 is then, if nobody else changed."""
    rise = 35 - 34
    found = updated([34 / 99, 65 / 99], [float(rise == 1), float(rise == 0)])
    return Recomputed(exact=found[0], case="before 34 of 99, then 35 of 100, and nobody else changed")


def _level_for_error_of_two() -> Recomputed:
    return Recomputed(recomputed=budget_for(2.0, model=_HEALTH_CENTRE).epsilon0, case="T = 2, a count")


def _baseline() -> Recomputed:
    return Recomputed(recomputed=_HEALTH_CENTRE.dp(0.5), case=_centre(_EACH, 0.5))


def _cheapest_level() -> Recomputed:
    claimed, exact = (_HEALTH_CENTRE.optimum(0.5, truth=truth).epsilon for truth in ("published", "exact"))
    return Recomputed(recomputed=claimed, exact=exact, case=_centre(_EACH, 0.5))


def _error_after_saving() -> Recomputed:
    error = lazy_imports.release.release_error(0.5, 1.0).expected
    return Recomputed(exact=error, case="a count, ε0 = 0.5, whichever ε is promised")


def _lowest_budget(each: float = _EACH, epsilon0: float = 0.5) -> Recomputed:
    model = CostModel(each, stakeholders=_STAFF)
    found = model.optimum(epsilon0, truth="published")
    exact = model.at_risk(found.epsilon, epsilon0, truth="exact")
    return Recomputed(recomputed=found.budget, exact=exact, case=f"{_centre(each, epsilon0)}, ε = {found.epsilon:.4f}")


def _printed_saving(times: float) -> Recomputed:
    """The saving of the paper's health centre, which depends on how near ε is to the cheapest one."""
    level = times * float(_HEALTH_CENTRE.optimum(0.5, truth="published").epsilon)
    saving = _HEALTH_CENTRE.dp(0.5) - _HEALTH_CENTRE.at_risk(level, 0.5, truth="published")
    return Recomputed(recomputed=saving, case=f"{_centre(_EACH, 0.5)}, ε = {level:.6f}, {times:g} times the cheapest")


def _saving(each: float = _EACH, epsilon0: float = 0.5) -> Recomputed:
    model = CostModel(each, stakeholders=_STAFF)
    published, exact = (model.optimum(epsilon0, truth=truth).saving for truth in TRUTHS)
    return Recomputed(recomputed=published, exact=exact, case=f"{_centre(each, epsilon0)}, each at its own cheapest ε")


def _centre(each: float, epsilon0: float) -> str:
    return f"E = {each:,.0f} dollars, {_STAFF} staff, ε0 = {epsilon0:g}, c = 1, E_min = 0"


def _drawn_budgets() -> Recomputed:
    levels0, levels = np.array(_FIGURE_4_AT).T
    published, exact = (_HEALTH_CENTRE.at_risk(levels, levels0, truth=truth) for truth in TRUTHS)
    points = ", ".join(f"({level0:g}, {level:g})" for level0, level in _FIGURE_4_AT)
    return Recomputed(recomputed=published, exact=exact, case=f"(ε0, ε) = {points}")


def _slowest_convex_rise(share: float, epsilon: float) -> Recomputed:
    """Costs of 0 at ε = 0 and of a share of E at ε = 1, further out: of all convex ones the straight line is lowest."""
    costs = share * np.power(epsilon, _EXPONENTS)
    case = f"E = 1, E_min = 0, costs {share:g}·ε^p with p = 1, 1.25, 1.5, 2, 3, at ε = {epsilon:g}; lowest for p = 1"
    return Recomputed(exact=costs.min(), case=case)


_claim_5_1 = partial(Claim, section="5.1 Cost model for differential privacy")
_claim_5_2 = partial(Claim, section=_SECTION_5_2)
_claim_5_3 = partial(Claim, section="5.3 Illustration")

CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_5_1(
        id="par-level-zero",
        where="section 5.1, before the constraints",
        statement="At privacy level 0 a mechanism gives all results with equal probability.",
        quantity="difference of two probabilities that ought to be equal",
        published="outputs all results with equal probability",
        holds_if=Compare("exact", "equal to", 0.0),
        recompute=_neighbours_alike,
        rests_on=("mechanisms.Exponential.probabilities",),
        convention="Equal for the two neighbours, which is what section 2 calls perfect privacy, not for all results.",
        as_printed=_all_results_alike,
        more="worse",
        explanation="At level 0 a result is as probable with one table as with the other; some results may be likelier than others.",
    ),
    _claim_5_1(
        id="par-equation-8-at-most-e",
        where="equation 8 and constraint 1",
        statement="The cost of equation 8 is never above E, the cost without any protection.",
        quantity="cost at a large ε, in units of E",
        published="E_dp(ε) ≤ E for all ε ≥ 0",
        holds_if=Compare("exact", "at most", 1.0),
        recompute=_cost,
        dials=(Dial("E_min, as a share of E", 0.1, 0.0, 1.0), Dial("ε", 100.0, 0.01, 1000.0, holds_at=0.4)),
        rests_on=("cost.CostModel.dp",),
        more="worse",
        explanation="Equation 8 admits every E_min of at least 0, and adds it to E. E_min + (E − E_min)·e^(−c/ε) would keep to E.",
    ),
    _claim_5_1(
        id="par-equation-8-rises",
        where="equation 8 and constraint 2",
        statement="The cost of equation 8 rises with ε.",
        quantity="smallest rise from one ε to the next, in units of E",
        published="monotonically increasing",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_rises,
        rests_on=("cost.CostModel.dp",),
        explanation="−c/ε rises for every c > 0.",
    ),
    _claim_5_1(
        id="par-equation-8-towards-zero",
        where="equation 8 and constraint 3",
        statement="As ε goes to 0 the cost of equation 8 goes to E_min.",
        quantity="cost at a small ε, in units of E",
        published="E_dp(ε) → E_min",
        holds_if=Compare("exact", "equal to", 0.1),
        recompute=partial(_cost, minimum=0.1, epsilon=1e-3),
        rests_on=("cost.CostModel.dp",),
        more="worse",
        explanation="e^(−c/ε) goes to 0 faster than any power of ε.",
    ),
    _claim_5_1(
        id="par-equation-8-towards-infinity",
        where="equation 8 and constraint 4",
        statement="As ε grows without bound the cost of equation 8 goes to E.",
        quantity="cost at a large ε, in units of E",
        published="E_dp(ε) → E",
        holds_if=Compare("exact", "equal to", 1.0),
        recompute=_cost,
        dials=(Dial("E_min, as a share of E", 0.1, 0.0, 1.0, holds_at=0.0),),
        rests_on=("cost.CostModel.dp",),
        more="worse",
        explanation="e^(−c/ε) goes to 1, so that equation 8 goes to E + E_min.",
    ),
    _claim_5_1(
        id="par-equation-8-where-used",
        where="equation 8 with constraints 1 and 4, as used from the next sentence on",
        statement="With E_min = 0 the cost of equation 8 is never above E, and goes to E.",
        quantity="cost at a large ε, in units of E",
        published="E_dp(ε) ≤ E and E_dp(ε) → E",
        holds_if=Compare("exact", "equal to", 1.0),
        recompute=partial(_cost, minimum=0.0),
        rests_on=("cost.CostModel.dp",),
        more="worse",
        explanation="Then only E·e^(−c/ε) is left, which rises towards E and never reaches it.",
    ),
    _claim_5_1(
        id="par-equation-8-convex",
        where="section 1, third contribution, and section 5.1 (preprint: section 1)",
        statement="The cost of equation 8 is a convex function of ε.",
        quantity="lowest second derivative, in units of E",
        published="a convex function of the privacy level",
        holds_if=Compare("exact", "at least", 0.0),
        recompute=_bend_of_equation_8,
        dials=(Dial("c", 1.0, 0.2, 10.0), Dial("Largest ε", 2.0, 0.1, 10.0, holds_at=0.4)),
        rests_on=("cost.CostModel.dp",),
        explanation="It is convex up to ε = c/2 only. No rising function that stays below E can be convex everywhere.",
    ),
    _claim_5_2(
        id="par-lemma-4",
        where="Lemma 4 (preprint: Lemma 14; first preprint: Lemma 16)",
        statement="With equation 8 the budget of equation 9 is a convex function of ε.",
        quantity="lowest second derivative, in units of E_dp(ε0)/ε0²",
        published="a convex function of ε",
        holds_if=Compare("exact", "at least", 0.0),
        recompute=_lemma_4,
        dials=(Dial("ε₀", 5.0, 0.1, 10.0, holds_at=1.0), Dial("Numbers in the answer", 1, 1, 10, whole=True)),
        rests_on=("published.explicit.confidence",),
        explanation="Above ε = c/2 the cost itself bends the other way, and with one number from ε0 = 1.1046 on that outweighs the rest.",
    ),
    _claim_5_2(
        id="par-lemma-4-where-used",
        where="Lemma 4, as used in section 5.3 and for figures 4 and 5",
        statement="The budget is convex for every ε0 of the paper, of which 1 is the largest.",
        quantity="largest ε0 up to which the budget is convex, for k = 1, 2, 3",
        published="ε0 = 0.1, 0.5, 0.6, 0.7 and 1",
        holds_if=Compare("exact", "at least", (1.0, 1.0, 1.0)),
        recompute=_convex_up_to,
        rests_on=("published.explicit.confidence",),
        explanation="So the fault of Lemma 4 touches no number of the paper.",
    ),
    _claim_5_2(
        id="par-lemma-4-other-costs",
        where="section 5.2, paragraph after equation 9",
        statement="The analysis extends to any convex cost.",
        quantity="lowest second difference of the budget, as a share of the largest saving",
        published="extends to any choice of convex cost model",
        holds_if=Compare("exact", "at least", 0.0),
        recompute=_any_convex_cost,
        rests_on=("published.explicit.confidence", "cost.at_risk"),
        explanation="If the cost rises and is convex, the budget is convex up to ε0: the published confidence rises and bends downwards,"
        " because the density of T falls. Equation 8, for which the paper proves it, is not such a cost.",
    ),
    _claim_5_2(
        id="par-unique-minimum",
        where="section 5.2.1, after Lemma 4 (preprint: after Lemma 14)",
        statement="With equation 8 there is exactly one ε at which the budget is lowest.",
        quantity="smallest fall of the budget on the way to its cheapest ε, or rise beyond",
        published="there exists a unique ε_min",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_one_minimum,
        rests_on=("cost.optimum",),
        explanation="True also where the budget is not convex, for which Lemma 4 gives no reason.",
    ),
    _claim_5_2(
        id="par-equation-10",
        where="equation 10",
        statement="For one number, c = 1 and E_min = 0, the cheapest ε solves equation 10.",
        quantity="ε at which equation 9 is lowest",
        published="1/ε − ln(1 − (1 − e^ε)/ε²) = 1/ε0",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=_equation_10,
        rests_on=("cost.optimum", "scipy.optimize.brentq"),
        explanation="The derivative of equation 9 with Theorem 4's confidence, set to 0. The confidence is false, the calculus right.",
    ),
    _claim_5_2(
        id="par-equation-11-lower-end",
        where="equation 11, lower end",
        statement="With a mean absolute error of at most T wanted, no ε below 1/T may be promised.",
        quantity="smallest ε promised with a mean absolute error of at most 2",
        published="1/T ≤ ε",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_equation_11_lower_end,
        dials=(Dial("Mean absolute error wanted", 2.0, 0.5, 20.0),),
        rests_on=("cost.equation_11",),
        more="worse",
        explanation="The error is that of noise for ε0. Section 5.3 itself promises 0.274 with T = 2, below the printed end 0.5.",
    ),
    _claim_5_2(
        id="par-equation-11-upper-end",
        where="equation 11, upper end",
        statement="For a fixed budget B a re-arrangement of equation 9 gives an upper bound on the privacy level ε.",
        quantity="largest ε whose budget is at most B",
        published="1/ln(γ·E/(B − (1 − γ)·E_dp(ε0)))",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=_equation_11_upper_end,
        rests_on=("cost.equation_11", "cost.epsilon_range"),
        more="worse",
        explanation="It is equation 9 solved for the ε in e^(−1/ε), and right with the γ of the end itself. That γ depends on ε, so that"
        " the bound has to be solved for; with the γ of another ε it is another number. The γ is Theorem 4's, which is false.",
    ),
    _claim_5_2(
        id="par-equation-11-range",
        where="equation 11, and the sentence after it",
        statement="The privacy level is constrained by the effectiveness requirement from below and by the monetary budget from above,"
        " so that every ε between keeps to the budget.",
        quantity="largest budget in the printed range, in dollars (recomputed: the one that is fixed)",
        published="constrained by the effectiveness requirement from below and by the monetary budget from above",
        holds_if=Compare("exact", "at most", "recomputed"),
        recompute=_equation_11_range,
        dials=(
            Dial("Budget in dollars", 40_000, 38_000, 100_000),
            Dial("Mean absolute error wanted", 10.0, 4.0, 50.0, holds_at=4.0),
        ),
        rests_on=("cost.CostModel.at_risk", "cost.equation_11"),
        more="worse",
        explanation="A small ε is rarely kept, and then E_dp(ε0) is due: the budget bounds ε from below as well.",
    ),
    _claim_5_3(
        id="par-illustration-breach",
        where="section 5.3, first paragraph (both preprints: the same)",
        statement="From 34 of 99 and then 35 of 100 an intruder deduces with high probability what the newcomer suffers from.",
        quantity="belief after the two exact counts that the newcomer is one of those counted, 34 of 99 before",
        published="with high probability",
        holds_if=Compare("exact", "above", 0.5),
        recompute=_two_counts,
        rests_on=("mechanisms.posterior.updated",),
        more="worse",
        explanation="If nobody else changed it is certain. With noise for ε0 = 0.5 in the second count the same belief is at most 0.46.",
    ),
    _claim_5_3(
        id="par-illustration-premiums",
        where="section 5.3, estimate of E (both preprints: the same)",
        statement="Morbid obesity raises the premium of a health insurance by 5,467 to 5,530 dollars.",
        quantity="additional cost of a person in dollars, lowest and highest",
        printed="5,467 5,530",
        holds_if=Compare("recomputed", "equal to", "published"),
        recompute=partial(Missing, "the records of health care costs behind Moriarty et al. (2012)", obtainable=False),
        more="worse",
        explanation="Quoted. Moriarty et al. give this range, by age group, for the costs of health care, not for premiums. That a breach"
        " costs as much as the illness is the example's own assumption.",
    ),
    _claim_5_3(
        id="par-equation-12",
        where="equation 12",
        statement="The mean absolute error of a count with Laplace noise for ε is 1/ε.",
        quantity="mean absolute error",
        published="1/ε",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_equation_12,
        rests_on=("release.release_error",),
        more="worse",
        explanation="The mean of the magnitude of Laplace noise is its scale; here ε is what the noise is calibrated to.",
    ),
    _claim_5_3(
        id="par-error-of-two",
        where="section 5.3, after equation 12",
        statement="For a mean absolute error of at most 2 the privacy level has to be at least 0.5.",
        quantity="smallest level that the noise may be calibrated to",
        printed="0.5",
        recompute=_level_for_error_of_two,
        rests_on=("cost.budget_for",),
        more="worse",
        explanation="Equation 12 solved for the level.",
    ),
    _claim_5_3(
        id="par-illustration-baseline",
        where="section 5.3, total budget",
        statement="For 100 staff, 5,500 dollars each and ε0 = 0.5 equation 8 gives 74,434.40 dollars.",
        quantity="budget in dollars",
        printed="74,434.40",
        recompute=_baseline,
        rests_on=("cost.CostModel.dp",),
        more="worse",
        explanation="100·5,500·e^(−2) = 74,434.4058, cut off after the cent.",
    ),
    _claim_5_3(
        id="par-illustration-level",
        where="section 5.3, cheapest level",
        statement="The cheapest ε is 0.274.",
        quantity="ε at which equation 9 is lowest (exact: with the exact confidence)",
        printed="0.274",
        recompute=_cheapest_level,
        rests_on=("cost.CostModel.optimum",),
        more="worse",
        explanation="The root of equation 10 at ε0 = 0.5, rounded.",
    ),
    _claim_5_3(
        id="par-illustration-budget",
        where="section 5.3, lowest budget",
        statement="The privacy level 0.274, the solution of equation 10, yields the lowest compensation budget of 37,805.86 dollars.",
        quantity="lowest budget of equation 9 in dollars (exact: with the exact confidence, at the same ε)",
        printed="37,805.86",
        recompute=_lowest_budget,
        rests_on=("cost.CostModel.optimum", "cost.CostModel.at_risk"),
        more="worse",
        explanation="The solution is 0.27411…; at 0.274 itself equation 9 gives one cent more. The confidence that goes in is false.",
    ),
    _claim_5_3(
        id="par-illustration-budget-is-enough",
        where="section 5.3, lowest budget",
        statement="The health centre needs 37,805.86 dollars, not 74,434.40.",
        quantity="budget of equation 9 in dollars, with the true confidence in ε = 0.274",
        printed="37,805.86",
        holds_if=Compare("exact", "at most", "published"),
        recompute=_lowest_budget,
        dials=(_DOLLARS, _LEVEL0),
        holds_if_turned=Compare("exact", "at most", "recomputed", half_unit(2)),
        rests_on=("cost.CostModel.at_risk", "cost.CostModel.optimum"),
        more="worse",
        explanation="Theorem 4's fault: a release is as private as 0.274 in 10.7 of 100 cases, not in 60.9.",
    ),
    _claim_5_3(
        id="par-illustration-saving",
        where="section 5.3, saving",
        statement="The difference of the two budgets is 36,628.532 dollars.",
        quantity="saving in dollars, by the paper's own formulas",
        printed="36,628.532",
        recompute=_printed_saving,
        dials=(Dial("ε, times the cheapest", 1.0, 0.9, 1.1, holds_at=1.00054),),
        rests_on=("cost.CostModel.optimum", "cost.CostModel.at_risk"),
        more="better",
        explanation="The formulas give 36,628.549, which rounds to 36,628.55; the two printed budgets differ by 36,628.54.",
    ),
    _claim_5_3(
        id="par-illustration-saving-is-real",
        where="section 5.3, saving",
        statement="By using privacy at risk the health centre saves 36,628.532 dollars.",
        quantity="saving in dollars, with the exact confidence",
        printed="36,628.532",
        holds_if=Compare("exact", "at least", "published"),
        recompute=_saving,
        dials=(_DOLLARS, _LEVEL0),
        holds_if_turned=Compare("exact", "at least", "recomputed", half_unit(3)),
        rests_on=("cost.CostModel.optimum",),
        more="better",
        explanation="The best ε is then 0.2858, it holds with probability 0.1117, and the saving is 8.7 % of the budget, not 49 %.",
    ),
    _claim_5_3(
        id="par-illustration-quality",
        where="section 5.3, saving (both preprints: the same)",
        statement="What is saved costs the published statistics no quality.",
        quantity="mean absolute error of the count with the noise for ε0 = 0.5 of which 0.274 is promised",
        published=2.0,
        holds_if=Compare("exact", "at most", "published"),
        recompute=_error_after_saving,
        rests_on=("release.release_error",),
        more="worse",
        explanation="The noise stays as it was. So does the privacy: what changes is only what is said of it.",
    ),
    _claim_5_3(
        id="par-figure-4",
        where="Figure 4 (first preprint: figure 8)",
        statement="The curves of the budget against ε, for ε0 = 0.7, 0.6 and 0.5.",
        quantity="height of the curves at five points, as the published script draws them",
        printed="56,438.10 38,328.12 55,478.55 85,681.11 86,964.77",
        recompute=_drawn_budgets,
        rests_on=("cost.CostModel.at_risk",),
        more="worse",
        explanation="The drawing follows equation 9 with Theorem 4's confidence. With the exact confidence every curve lies far higher.",
    ),
    _claim_5_2(
        id="par-convex-within-constraints",
        paper=Paper.FIRST_PREPRINT,
        where="after Lemma 16",
        statement="There are other convex costs that satisfy the four conditions, and the result generalises to any of them.",
        quantity="lowest of several convex costs at a large ε, in units of E, where each is half of E at ε = 1",
        published="any other convex cost model satisfying the four conditions",
        holds_if=Compare("exact", "at most", 1.0),
        recompute=_slowest_convex_rise,
        dials=(Dial("Cost at ε = 1, as a share of E", 0.5, 0.01, 1.0), Dial("ε", 10.0, 1.0, 1000.0, holds_at=2.0)),
        rests_on=("numpy.power",),
        explanation="There is none. Beyond two of its points a convex cost stays above the straight line through them, which, if the"
        " cost rises at all, passes every bound: conditions 1 and 2 exclude it. A cost can be convex up to some ε only.",
    ),
)
