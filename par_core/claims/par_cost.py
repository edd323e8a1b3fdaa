"""Privacy at Risk, section 5 without composition: the cost model, its minimum, and the health centre."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from par_core import explicit
from par_core.claims.ledger import Claim, Compare, Evidence, Paper, Relation, half_unit, worst
from par_core.cost import TRUTHS, CostModel, budget_for, epsilon_range, equation_11, optimum

_SECTION_5_1 = "5.1 Cost model for differential privacy"
_SECTION_5_2 = "5.2 Cost model for privacy at risk"
_SECTION_5_3 = "5.3 Illustration"

_HEALTH_CENTRE = CostModel(5500, stakeholders=100)
_ONE = CostModel(1.0)  # c = 1, E_min = 0, in units of E
_CASE = "E = 5,500 dollars, 100 staff, ε0 = 0.5, c = 1, E_min = 0"
_PAPERS_LEVELS0 = (0.1, 0.5, 0.6, 0.7, 1.0)
_NO_MINIMUM = "E_min = 0, as the paper has it from the next sentence on."
_FIGURE_4 = ((0.5, 0.1), (0.5, 0.3), (0.6, 0.3), (0.7, 0.2), (0.7, 0.5))  # ε0 and ε of the readings
_FIGURE_4_READINGS = (56_000.0, 38_000.0, 55_000.0, 86_000.0, 87_000.0)
_READING = 1000.0  # dollars: how finely a curve can be read off the printed figure

_Floats = NDArray[np.float64]


# Equation 8


def _largest_cost(*, minimum: float) -> Callable[[], Evidence]:
    def recompute() -> Evidence:
        cost = CostModel(1.0, minimum=minimum).dp(np.geomspace(1e-3, 1e3, 400))
        return Evidence(exact=float(np.max(cost)), case=f"E = 1, E_min = {minimum:g}, c = 1, ε from 0.001 to 1,000")

    return recompute


def _upper_limit(*, minimum: float) -> Callable[[], Evidence]:
    def recompute() -> Evidence:
        cost = CostModel(1.0, minimum=minimum).dp(1e15)
        return Evidence(exact=float(cost), case=f"E = 1, E_min = {minimum:g}, c = 1, ε = 10^15")

    return recompute


def _rises() -> Evidence:
    levels = np.geomspace(0.2, 50.0, 200)
    steps = [
        np.diff(CostModel(1.0, rate=rate, minimum=minimum).dp(levels)).min()
        for rate in (0.5, 1.0, 2.0)
        for minimum in (0.0, 0.1)
    ]
    return Evidence(
        exact=float(min(steps)), case="E = 1, E_min = 0 and 0.1, c = 0.5, 1, 2, ε from 0.2 to 50 in 199 steps"
    )


def _lower_limit() -> Evidence:
    return Evidence(exact=float(CostModel(1.0, minimum=0.1).dp(1e-3)), case="E = 1, E_min = 0.1, c = 1, ε = 0.001")


def _bend_of_equation_8() -> Evidence:
    levels = np.linspace(0.05, 2.0, 400)
    bend = (1.0 / levels**4 - 2.0 / levels**3) * np.exp(-1.0 / levels)
    lowest = int(np.argmin(bend))
    return Evidence(
        exact=float(bend[lowest]),
        case=f"E = 1, c = 1, ε = {levels[lowest]:.2f}, where it is lowest; below 0 from c/2 on",
    )


def _convex_and_bounded() -> Evidence:
    """Costs that rise and are convex, each scaled to reach half of E at ε = 1, looked at from there up to ε = 4."""
    costs: dict[str, Callable[[_Floats], _Floats]] = {
        "ε": lambda e: e,
        "ε²": lambda e: e**2,
        "e^ε − 1": np.expm1,
        "sqrt(1 + ε²) − 1": lambda e: np.sqrt(1.0 + e**2) - 1.0,
        "ε − ln(1 + ε)": lambda e: e - np.log1p(e),
        "0 up to 0.9 and then a line": lambda e: np.maximum(e - 0.9, 0.0),
    }
    levels = np.linspace(0.0, 4.0, 401)
    largest = {}
    for name, cost in costs.items():
        money = 0.5 * cost(levels) / cost(np.array([1.0]))
        if np.diff(money, n=2).min() < -1e-12 or np.diff(money).min() < 0.0:
            raise ArithmeticError(f"{name} is not a rising convex cost")
        largest[name] = float(money.max())
    name = min(largest, key=largest.__getitem__)
    return Evidence(
        exact=largest[name],
        case=f"E = 1, cost {name}, the lowest of {len(costs)} rising convex costs that are 0 at ε = 0 and ½ at ε = 1; at ε = 4",
    )


# Lemma 4


def _bend(epsilon: _Floats, epsilon0: _Floats, *, k: int) -> _Floats:
    """Second derivative of equation 9 in ε, times P(T ≤ ε0)·e^(c/ε0), with c = 1 and E_min = 0.

    With F = P(T ≤ ε) and D = e^(−1/ε) it is F''·(D − D0) + 2F'·D' + F·D''.
    """
    distribution, density = explicit.t_cdf(epsilon, k=k), explicit.t_pdf(epsilon, k=k)
    cost, cost0 = np.exp(-1.0 / epsilon), np.exp(-1.0 / epsilon0)
    slope, bend = cost / epsilon**2, cost * (1.0 - 2.0 * epsilon) / epsilon**4
    result: _Floats = _slope_of_density(epsilon, k) * (cost - cost0) + 2.0 * density * slope + distribution * bend
    return result / cost0


def _slope_of_density(epsilon: _Floats, k: int) -> _Floats:
    """Slope of t^(k−½)·K_(k−½)(t): it is −t times the density of one dimension less, t^(k−3/2)·K_(k−3/2)(t), in the same constant."""
    if k == 1:
        return np.asarray(-np.exp(-epsilon))
    constant = 1.0 / (2.0 * (k - 1.0))  # ratio of the two constants 2^(2−k)/Γ(k)
    return np.asarray(-epsilon * constant * explicit.t_pdf(epsilon, k=k - 1))


def _lowest_bend(epsilon0: float, *, k: int) -> float:
    return float(_bend(epsilon0 * np.linspace(0.02, 1.0, 160), np.array(epsilon0), k=k).min())


def _lemma_4(*, levels0: tuple[float, ...]) -> Callable[[], Evidence]:
    def recompute() -> Evidence:
        bends = [_lowest_bend(level0, k=1) for level0 in levels0]
        lowest = int(np.argmin(bends))
        return Evidence(
            exact=bends[lowest],
            case=f"k = 1, c = 1, ε0 = {levels0[lowest]:g} of {', '.join(f'{level:g}' for level in levels0)}, ε up to ε0",
        )

    return recompute


def _convex_up_to() -> Evidence:
    """Bisect the epsilon0 at which the lowest second derivative passes 0."""
    found = []
    for k in (1, 2, 3):
        low, high = 0.5, 3.0
        while high - low > 1e-6:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if _lowest_bend(middle, k=k) >= 0.0 else (low, middle)
        found.append(low)
    return Evidence(exact=tuple(found), case="k = 1, 2, 3 with c = 1, E_min = 0; the largest ε0 with a convex budget")


def _any_convex_cost() -> Evidence:
    """Second differences of equation 9 for costs that rise and are convex, over what the budget differs by."""
    costs: dict[str, Callable[[_Floats], _Floats]] = {
        "ε²": lambda e: e**2,
        "e^ε − 1": np.expm1,
        "ε": lambda e: e,
        "a cost that starts at half of ε0": lambda e: np.maximum(e - 0.5 * e[-1], 0.0),
    }
    lowest, where = np.inf, ""
    for k in (1, 2, 5):
        for level0 in (0.5, 2.0, 10.0):
            levels = level0 * np.linspace(0.005, 1.0, 200)
            confidence = explicit.confidence(levels, level0, k=k)
            for name, cost in costs.items():
                saving = confidence * (cost(levels)[-1] - cost(levels))
                bend = -float((np.diff(saving, n=2) / saving.max()).max())
                if bend < lowest:
                    lowest, where = bend, f"k = {k}, ε0 = {level0:g}, cost {name}"
    return Evidence(exact=lowest, case=f"{where}, of k = 1, 2, 5, ε0 = 0.5, 2, 10 and four costs")


def _count_minima() -> Evidence:
    levels0 = np.geomspace(0.02, 100.0, 60)
    counts, cases = [], []
    for k in (1, 2, 3, 5):
        shares = np.concatenate([np.geomspace(1e-3, 0.5, 200), np.linspace(0.5, 1.0, 201)[1:-1]])
        level = levels0[:, np.newaxis] * shares
        pull = explicit.t_pdf(level, k=k) / explicit.t_cdf(level, k=k)
        gap = 1.0 / level - 1.0 / levels0[:, np.newaxis]
        falling = pull * -np.expm1(-gap) > np.exp(-gap) / level**2  # the budget falls there
        counts.append((falling[:, :-1] & ~falling[:, 1:]).sum(axis=1))
        cases += [f"k = {k}, ε0 = {level0:.3g}" for level0 in levels0]
    return worst(
        Relation.EQUAL, np.ravel(counts), 1.0, lambda i: f"{cases[i]}, of k = 1, 2, 3, 5 and ε0 from 0.02 to 100"
    )


# Equations 10, 11 and 12


def _equation_10() -> Evidence:
    roots = tuple(_root_of_equation_10(level0) for level0 in _PAPERS_LEVELS0)
    exact = tuple(float(epsilon) for epsilon in optimum(_ONE, _PAPERS_LEVELS0).epsilon)
    return Evidence(recomputed=roots, exact=exact, case="k = 1, ε0 = 0.1, 0.5, 0.6, 0.7, 1")


def _root_of_equation_10(epsilon0: float) -> float:
    """Bisect: the left side falls as ε grows."""
    low, high = 0.01 * epsilon0, epsilon0
    for _ in range(60):
        middle = 0.5 * (low + high)
        left = 1.0 / middle - math.log1p(math.expm1(middle) / middle**2)
        low, high = (middle, high) if left > 1.0 / epsilon0 else (low, middle)
    return 0.5 * (low + high)


def _equation_11_lower_end() -> Evidence:
    found = equation_11(40_000, 2.0, 0.5, model=_HEALTH_CENTRE)
    return Evidence(
        recomputed=found.lower,
        exact=float(found.optimum.epsilon),
        case="T = 2, ε0 = 0.5: with this noise the error is 2 whichever ε is promised, that of section 5.3 for one",
    )


def _equation_11_upper_end() -> Evidence:
    """The printed end with γ taken at several ε, each against the largest ε that the budget pays for, found by looking at budgets."""
    levels = (0.25, 0.274, 0.3, 0.5)
    confidences = [float(confidence) for confidence in explicit.confidence(levels, 0.5)]
    printed = tuple(
        equation_11(40_000, 2.0, 0.5, model=_HEALTH_CENTRE, confidence=confidence).upper for confidence in confidences
    )
    last = epsilon_range(40_000, 2.0, 0.5, model=_HEALTH_CENTRE).intervals[-1].upper
    taken = ", ".join(f"{level:g} (γ = {sure:.3f})" for level, sure in zip(levels, confidences, strict=True))
    return Evidence(
        recomputed=printed,
        exact=(last,) * len(levels),
        case=f"B = 40,000 dollars, ε0 = 0.5, γ the confidence in ε = {taken}",
    )


def _equation_11_range() -> Evidence:
    printed = equation_11(40_000, 10.0, 0.5, model=_HEALTH_CENTRE)
    levels = np.linspace(printed.lower, printed.upper, 100)
    budgets = _HEALTH_CENTRE.at_risk(levels, 0.5)
    return Evidence(
        exact=float(budgets.max()),
        case=f"B = 40,000 dollars, T = 10, ε0 = 0.5: ε = {levels[int(budgets.argmax())]:g}, in the range from"
        f" {printed.lower:g} to {printed.upper:.3f}",
    )


def _equation_12() -> Evidence:
    levels = (0.1, 0.5, 1.0)
    nodes, weights = np.polynomial.laguerre.laggauss(8)  # the mean of |x| under ½·ε·e^(−ε|x|), both halves alike
    exact = tuple(float((weights * nodes).sum() / level) for level in levels)
    return Evidence(recomputed=tuple(1.0 / level for level in levels), exact=exact, case="a count, ε = 0.1, 0.5, 1")


def _error_of_two() -> Evidence:
    return Evidence(recomputed=budget_for(2.0, model=_HEALTH_CENTRE).epsilon0, case="T = 2, a count")


# The health centre


def _baseline(*, cut: bool) -> Callable[[], Evidence]:
    def recompute() -> Evidence:
        money = float(_HEALTH_CENTRE.dp(0.5))
        return Evidence(recomputed=math.floor(100.0 * money) / 100.0 if cut else money, case=_CASE)

    return recompute


def _optimal_level() -> Evidence:
    published, exact = (float(_HEALTH_CENTRE.optimum(0.5, truth=truth).epsilon) for truth in TRUTHS)
    return Evidence(recomputed=published, exact=exact, case=_CASE)


def _optimal_budget(*, epsilon: float | None) -> Callable[[], Evidence]:
    def recompute() -> Evidence:
        best = _HEALTH_CENTRE.optimum(0.5)
        money = best.budget if epsilon is None else _HEALTH_CENTRE.at_risk(epsilon, 0.5)
        level = "the optimum" if epsilon is None else f"ε = {epsilon:g}"
        return Evidence(recomputed=float(money), exact=_true_budget(), case=f"{_CASE}; {level}")

    return recompute


def _true_budget() -> float:
    """Equation 9 at the published optimum with the exact confidence."""
    return float(_HEALTH_CENTRE.at_risk(_HEALTH_CENTRE.optimum(0.5).epsilon, 0.5, truth="exact"))


def _budget_is_enough() -> Evidence:
    return Evidence(
        recomputed=float(_HEALTH_CENTRE.optimum(0.5).budget),
        exact=_true_budget(),
        case=f"{_CASE}, ε = {_HEALTH_CENTRE.optimum(0.5).epsilon:.4f}",
    )


def _saving() -> Evidence:
    published, exact = (float(_HEALTH_CENTRE.optimum(0.5, truth=truth).saving) for truth in TRUTHS)
    return Evidence(recomputed=published, exact=exact, case=f"{_CASE}, each at its own cheapest ε")


def _figure_4() -> Evidence:
    levels0, levels = np.array(_FIGURE_4).T
    published, exact = (_HEALTH_CENTRE.at_risk(levels, levels0, truth=truth) for truth in TRUTHS)
    return Evidence(
        recomputed=tuple(map(float, published)),
        exact=tuple(map(float, exact)),
        case="(ε0, ε) = " + ", ".join(f"({level0:g}, {level:g})" for level0, level in _FIGURE_4),
    )


CLAIMS: Final = (
    Claim(
        id="par-equation-8-at-most-e",
        paper=Paper.FINAL,
        section=_SECTION_5_1,
        where="equation 8 and constraint 1",
        statement="The cost of equation 8 is never above E, the cost without any protection.",
        quantity="largest cost, in units of E",
        published="E_dp(ε) ≤ E for all ε ≥ 0",
        implies=1.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_MOST,
        recompute=_largest_cost(minimum=0.0),
        convention=_NO_MINIMUM,
        as_printed=_largest_cost(minimum=0.1),
        explanation="The minimum comes on top of E. E_min + (E − E_min)·e^(−c/ε) would keep the constraint for every"
        " E_min.",
    ),
    Claim(
        id="par-equation-8-rises",
        paper=Paper.FINAL,
        section=_SECTION_5_1,
        where="equation 8 and constraint 2",
        statement="The cost of equation 8 rises with ε.",
        quantity="smallest rise from one ε to the next, in units of E",
        published="monotonically increasing",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.ABOVE,
        recompute=_rises,
        explanation="−c/ε rises for every c > 0.",
    ),
    Claim(
        id="par-equation-8-towards-zero",
        paper=Paper.FINAL,
        section=_SECTION_5_1,
        where="equation 8 and constraint 3",
        statement="As ε goes to 0 the cost of equation 8 goes to E_min.",
        quantity="cost at a small ε, in units of E",
        published="E_dp(ε) → E_min",
        implies=0.1,
        compare=Compare.PROMISE,
        relation=Relation.EQUAL,
        recompute=_lower_limit,
        explanation="e^(−c/ε) goes to 0 faster than any power of ε.",
    ),
    Claim(
        id="par-equation-8-towards-infinity",
        paper=Paper.FINAL,
        section=_SECTION_5_1,
        where="equation 8 and constraint 4",
        statement="As ε grows without bound the cost of equation 8 goes to E.",
        quantity="cost at a large ε, in units of E",
        published="E_dp(ε) → E",
        implies=1.0,
        compare=Compare.PROMISE,
        relation=Relation.EQUAL,
        recompute=_upper_limit(minimum=0.0),
        convention=_NO_MINIMUM,
        as_printed=_upper_limit(minimum=0.1),
        explanation="e^(−c/ε) goes to 1, so that equation 8 goes to E + E_min.",
    ),
    Claim(
        id="par-equation-8-convex",
        paper=Paper.FINAL,
        section=_SECTION_5_1,
        where="section 1, third contribution, and section 5.1 (preprint: section 1)",
        statement="The cost of equation 8 is a convex function of ε.",
        quantity="lowest second derivative, in units of E",
        published="a convex function of the privacy level",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_LEAST,
        recompute=_bend_of_equation_8,
        explanation="It is convex up to ε = c/2 only. No rising function that stays below E can be convex everywhere.",
    ),
    Claim(
        id="par-lemma-4",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="Lemma 4 (preprint: Lemma 14; first preprint: Lemma 16)",
        statement="With equation 8 the budget of equation 9 is a convex function of ε.",
        quantity="lowest second derivative, in units of E_dp(ε0)/P(T ≤ ε0)",
        published="a convex function of ε",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_LEAST,
        recompute=_lemma_4(levels0=(0.1, 0.5, 0.7, 1.0, 1.1)),
        convention="k = 1, c = 1, E_min = 0, ε0 at most 1.1046, and ε at most ε0. Past ε0 the budget is flat.",
        as_printed=_lemma_4(levels0=(0.5, 1.2, 2.0, 5.0)),
        explanation="Above ε = c/2 the cost itself bends the other way, and from ε0 = 1.1046 on that outweighs the rest.",
    ),
    Claim(
        id="par-lemma-4-where-used",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="Lemma 4, as used in section 5.3 and for figures 4 and 5",
        statement="The budget is convex for every ε0 of the paper, of which 1 is the largest.",
        quantity="largest ε0 up to which the budget is convex, for k = 1, 2, 3",
        published="ε0 = 0.1, 0.5, 0.6, 0.7 and 1",
        implies=(1.0, 1.0, 1.0),
        compare=Compare.PROMISE,
        relation=Relation.AT_LEAST,
        recompute=_convex_up_to,
        explanation="So the fault of Lemma 4 touches no number of the paper.",
    ),
    Claim(
        id="par-lemma-4-other-costs",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="section 5.2, paragraph after equation 9",
        statement="The analysis extends to any convex cost.",
        quantity="lowest second difference of the budget, as a share of the largest saving",
        published="extends to any choice of convex cost model",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_LEAST,
        recompute=_any_convex_cost,
        explanation="If the cost rises and is convex, the budget is convex up to ε0: the published confidence rises and"
        " bends downwards, because the density of T falls. Equation 8, for which the paper proves it, is not such a cost.",
    ),
    Claim(
        id="par-unique-minimum",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="section 5.2.1, after Lemma 4 (preprint: after Lemma 14)",
        statement="With equation 8 there is exactly one ε at which the budget is lowest.",
        quantity="number of minima below ε0",
        published="there exists a unique ε_min",
        implies=1.0,
        compare=Compare.PROMISE,
        relation=Relation.EQUAL,
        recompute=_count_minima,
        explanation="True also where the budget is not convex, for which Lemma 4 gives no reason.",
    ),
    Claim(
        id="par-equation-10",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="equation 10",
        statement="For one number, c = 1 and E_min = 0, the cheapest ε solves equation 10.",
        quantity="ε at which equation 9 is lowest",
        published="1/ε − ln(1 − (1 − e^ε)/ε²) = 1/ε0",
        compare=Compare.FORMULA,
        relation=Relation.EQUAL,
        tolerance=1e-10,
        recompute=_equation_10,
        explanation="It is the derivative of equation 9 with Theorem 4's confidence, set to 0. The confidence is false, the"
        " calculus is right.",
    ),
    Claim(
        id="par-equation-11-lower-end",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="equation 11, lower end",
        statement="With a mean absolute error of at most T wanted, no ε below 1/T may be promised.",
        quantity="smallest ε promised with a mean absolute error of at most 2",
        published="1/T ≤ ε",
        implies=0.5,
        compare=Compare.PROMISE,
        relation=Relation.AT_LEAST,
        recompute=_equation_11_lower_end,
        explanation="The error is that of the noise, and the noise is calibrated to ε0. Section 5.3 itself promises 0.274"
        " with T = 2, below the printed end 0.5.",
    ),
    Claim(
        id="par-equation-11-upper-end",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="equation 11, upper end",
        statement="The largest ε that a budget B pays for has a closed form in B, E, ε0 and a confidence γ.",
        quantity="largest ε whose budget is at most B",
        published="1/ln(γ·E/(B − (1 − γ)·E_dp(ε0)))",
        compare=Compare.FORMULA,
        relation=Relation.EQUAL,
        tolerance=1e-9,
        recompute=_equation_11_upper_end,
        explanation="Equation 9 solved for ε as if γ did not depend on it. Only the γ of the end itself gives the end, so that ε"
        " stands on both sides: an equation that has to be solved, and no closed form. With any other γ the end is another one.",
    ),
    Claim(
        id="par-equation-11-range",
        paper=Paper.FINAL,
        section=_SECTION_5_2,
        where="equation 11, and the sentence after it",
        statement="Money bounds ε from above only: every ε of the printed range keeps to the budget.",
        quantity="largest budget in the printed range, in dollars",
        published="constrained by the monetary budget from above",
        implies=40_000.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_MOST,
        recompute=_equation_11_range,
        explanation="A small ε is rarely kept, and then E_dp(ε0) is due: the budget bounds ε from below as well.",
    ),
    Claim(
        id="par-equation-12",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="equation 12",
        statement="The mean absolute error of a count with Laplace noise for ε is 1/ε.",
        quantity="mean absolute error",
        published="1/ε",
        compare=Compare.FORMULA,
        relation=Relation.EQUAL,
        recompute=_equation_12,
        explanation="The mean of the magnitude of Laplace noise is its scale; here ε is what the noise is calibrated to.",
    ),
    Claim(
        id="par-error-of-two",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="section 5.3, after equation 12",
        statement="For a mean absolute error of at most 2 the privacy level has to be at least 0.5.",
        quantity="smallest level that the noise may be calibrated to",
        published=0.5,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(1),
        recompute=_error_of_two,
        explanation="Equation 12 solved for the level.",
    ),
    Claim(
        id="par-illustration-baseline",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="section 5.3, total budget",
        statement="For 100 staff, 5,500 dollars each and ε0 = 0.5 equation 8 gives 74,434.40 dollars.",
        quantity="budget in dollars",
        published=74_434.40,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(2),
        recompute=_baseline(cut=True),
        convention="Cut off after the cent. Rounded, it is 74,434.41.",
        as_printed=_baseline(cut=False),
        explanation="100·5,500·e^(−2) = 74,434.4058.",
    ),
    Claim(
        id="par-illustration-level",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="section 5.3, cheapest level",
        statement="The cheapest ε is 0.274.",
        quantity="ε at which equation 9 is lowest (exact: with the exact confidence)",
        published=0.274,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(3),
        recompute=_optimal_level,
        explanation="The root of equation 10 at ε0 = 0.5, rounded.",
    ),
    Claim(
        id="par-illustration-budget",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="section 5.3, lowest budget",
        statement="At ε = 0.274 the budget is 37,805.86 dollars.",
        quantity="budget of equation 9 in dollars (exact: with the exact confidence)",
        published=37_805.86,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(2),
        recompute=_optimal_budget(epsilon=None),
        convention="ε = 0.27411…, not rounded.",
        as_printed=_optimal_budget(epsilon=0.274),
        explanation="At 0.274 itself equation 9 gives one cent more. The arithmetic is right, the confidence in it is not.",
    ),
    Claim(
        id="par-illustration-budget-is-enough",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="section 5.3, lowest budget",
        statement="The health centre needs 37,805.86 dollars, not 74,434.40.",
        quantity="budget of equation 9 in dollars, with the true confidence in ε = 0.274",
        published=37_805.86,
        compare=Compare.PROMISE,
        relation=Relation.AT_MOST,
        tolerance=half_unit(2),
        recompute=_budget_is_enough,
        explanation="Theorem 4's fault: a release is as private as 0.274 in 10.7 of 100 cases, not in 60.9. (And a budget for"
        " the case of a breach is not an expected cost.)",
    ),
    Claim(
        id="par-illustration-saving",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="section 5.3, saving",
        statement="The difference of the two budgets is 36,628.532 dollars.",
        quantity="saving in dollars, by the paper's own formulas",
        published=36_628.532,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(3),
        recompute=_saving,
        explanation="The formulas give 36,628.549, and the two printed budgets differ by 36,628.54: off by a cent or two.",
    ),
    Claim(
        id="par-illustration-saving-is-real",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="section 5.3, saving",
        statement="By using privacy at risk the health centre saves 36,628.532 dollars.",
        quantity="saving in dollars, with the exact confidence",
        published=36_628.532,
        compare=Compare.PROMISE,
        relation=Relation.AT_LEAST,
        tolerance=half_unit(3),
        recompute=_saving,
        explanation="With the exact confidence the best ε is 0.2858, it holds with probability 0.1117, and the saving is"
        " 8.7 % of the budget instead of 49 %.",
    ),
    Claim(
        id="par-figure-4",
        paper=Paper.FINAL,
        section=_SECTION_5_3,
        where="Figure 4 (first preprint: figure 8)",
        statement="The curves of the budget against ε, for ε0 = 0.7, 0.6 and 0.5.",
        quantity="height of the curves at five points, read off the figure to 1,000 dollars",
        published=_FIGURE_4_READINGS,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=_READING,
        recompute=_figure_4,
        explanation="The drawing follows equation 9 with Theorem 4's confidence. With the exact confidence every curve lies"
        " far higher.",
    ),
    Claim(
        id="par-convex-within-constraints",
        paper=Paper.FIRST_PREPRINT,
        section=_SECTION_5_2,
        where="after Lemma 16",
        statement="Other convex costs satisfy the four constraints, and the result holds for them.",
        quantity="cost in units of E",
        published="any other convex cost model satisfying the four conditions",
        implies=1.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_MOST,
        recompute=_convex_and_bounded,
        explanation="There is none: a convex cost that rises at all passes every bound, so constraints 1 and 2 exclude it."
        " A cost can be convex up to some ε only.",
    ),
)
