"""Privacy at Risk, section 4.1, appendix B and case 1 of section 6: the case of explicit randomness."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.claims import dials
from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, worst
from par_core.mechanisms import Laplace
from par_core.published import explicit
from par_core.risk import relaxations

_APPENDIX = "Appendix B, proof of Theorem 4"

_RISK_IS_ONE_MINUS = (
    "risk = 1 − P(T ≤ ε)/P(T ≤ ε0). Equation 3 prints the ratio itself and calls it the risk, but Lemma 11 defines the"
    " ratio as the probability that the level holds, and Corollary 3 takes 1 minus it as the probability that it fails."
)

# The printed values of figure 1 are the published script's, on its own grid of levels: computed, not digitised.
_FIGURE_1A_LEVELS = (12 / 49, 25 / 49, 37 / 49)
_FIGURE_1B_LEVELS = (25 / 49, 1.0)
_FIGURE_1B_LEVELS0 = (1.0, 1.5, 2.0, 2.5)

_Floats = NDArray[np.float64]
_Formula = Callable[..., Any]


def _theorem_4(level0: float, level: float, *, formula: _Formula, k: tuple[int, ...]) -> Recomputed:
    """Risk of exceeding a level, for a change in one coordinate of k."""
    return Recomputed(
        recomputed=np.squeeze(formula(level, level0, k=k)),
        exact=np.squeeze(np.full(len(k), Laplace(level0).loss_exceeds(level))),
        case=f"ε0 = {level0:g}, ε = {level:g}, k = {', '.join(map(str, k))}, the neighbours differ in one coordinate",
    )


def _theorem_4_averaged(ones: float, level: float) -> Recomputed:
    differ = 2.0 * ones * (1.0 - ones)  # where two rows agree, the loss is 0
    return Recomputed(
        recomputed=explicit.risk(level, 1.0),
        exact=differ * Laplace(1.0).loss_exceeds(level),
        case=f"ε0 = 1, ε = {level:g}, count of rows that are 1 with probability {ones:g}",
    )


def _ratio_up_to_epsilon0() -> Recomputed:
    levels = np.linspace(0.0, 1.0, 201)
    ratios = [explicit.t_cdf(levels * top, k=k) / explicit.t_cdf(top, k=k) for k in (1, 2, 5) for top in (1, 3)]
    return _ends(ratios, "k = 1, 2, 5, ε0 = 1, 3, ε from 0 to ε0")


def _ratio_at_twice_epsilon0() -> Recomputed:
    return _ends([explicit.t_cdf([0, 2], k=1) / explicit.t_cdf(1, k=1)], "ε0 = 1, ε = 0 and 2, k = 1")


def _ends(ratios: list[_Floats], case: str) -> Recomputed:
    return Recomputed(recomputed=(0.0 - np.min(ratios), np.max(ratios)), case=case)


def _figure_1a(formula: _Formula) -> Recomputed:
    k = np.array([[1], [2], [3]])
    return Recomputed(
        recomputed=formula(_FIGURE_1A_LEVELS, 1.0, k=k),
        exact=np.tile(Laplace(1.0).loss_exceeds(_FIGURE_1A_LEVELS), 3),
        case="ε0 = 1; ε = 12/49, 25/49, 37/49 for k = 1, then 2, then 3",
    )


def _figure_1b(formula: _Formula) -> Recomputed:
    levels0 = np.array(_FIGURE_1B_LEVELS0)[:, np.newaxis]
    return Recomputed(
        recomputed=formula(_FIGURE_1B_LEVELS, levels0),
        exact=Laplace(levels0).loss_exceeds(_FIGURE_1B_LEVELS),
        case="k = 1; ε = 25/49, 1 for ε0 = 1, then 1.5, then 2, then 2.5",
    )


def _rise_with_k(formula: _Formula) -> Recomputed:
    steps = np.diff(formula(np.linspace(0.02, 0.98, 49)[:, np.newaxis], 1.0, k=np.arange(1, 4)))
    return Recomputed(recomputed=steps.min(), case="ε0 = 1, k = 1, 2, 3, ε from 0.02 to 0.98")


def _rise_with_epsilon0(formula: _Formula, k: tuple[int, ...]) -> Recomputed:
    levels, levels0 = np.linspace(0.02, 0.98, 49)[:, np.newaxis], np.linspace(1.0, 2.5, 31)
    steps = [np.diff(formula(levels, levels0, k=each)).min() for each in k]
    case = f"k = {', '.join(map(str, k))}, ε0 from 1 to 2.5, ε from 0.02 to 0.98"
    return Recomputed(recomputed=min(steps), case=case)


def _more_numbers() -> Recomputed:
    errors = [Laplace(1.0).mean_total_error(k) for k in (1, 2, 3, 5, 20)]
    return Recomputed(exact=np.diff(errors).min(), case="ε0 = 1, sensitivity 1, k = 1, 2, 3, 5, 20")


def _less_noise() -> Recomputed:
    beyond = Laplace(np.linspace(1.0, 2.5, 31)).exceeds(np.array([[0.1], [1.0], [5.0]]))
    return Recomputed(
        exact=-np.diff(beyond).max(), case="ε0 from 1 to 2.5, noise beyond 0.1, 1 and 5 times the sensitivity"
    )


def _one_to_one() -> Recomputed:
    steps = [
        np.diff(explicit.confidence(np.linspace(0.0, level0, 201), level0, k=k)).min()
        for k in (1, 2, 3, 5)
        for level0 in (0.1, 1.0, 2.5)
    ]
    return Recomputed(recomputed=min(steps), case="k = 1, 2, 3, 5, ε0 = 0.1, 1, 2.5, 200 steps of ε from 0 to ε0")


def _inverse() -> Recomputed:
    wanted = np.array((0.1, 0.5, 0.9))
    printed_level = np.log(1.0 / (1.0 - wanted * (1.0 - math.exp(-1.0))))
    return Recomputed(recomputed=explicit.confidence(printed_level, 1.0), case="ε0 = 1, γ1 = 0.1, 0.5, 0.9")


def _integral(function: Callable[[_Floats], _Floats], low: float, high: float) -> float:
    """Integrate a function that is smooth from `low` to `high`."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(low, high, 41)
    half = 0.5 * np.diff(edges)[:, np.newaxis]
    places = half * nodes + 0.5 * (edges[1:] + edges[:-1])[:, np.newaxis]
    return float((half * weights * function(places)).sum())


def _smaller_density(x: _Floats, *, levels: tuple[float, float]) -> _Floats:
    """The lower of two Laplace densities, at x from 0 on."""
    return np.minimum(*(np.exp(-x * level) * level / 2.0 for level in levels))


def _overlap_value() -> Recomputed:
    return Recomputed(recomputed=explicit.overlap(1.0, 0.6), case="ε0 = 1, ε = 0.6")


def _overlap_formula() -> Recomputed:
    pairs = [(1.0, 0.6), (1.0, 0.8), (1.0, 0.1), (2.5, 0.5), (0.3, 0.29)]
    exact = []
    for larger, smaller in pairs:
        common = partial(_smaller_density, levels=(larger, smaller))
        kink = math.log(larger / smaller) / (larger - smaller)  # split there: each half is smooth
        exact.append(2.0 * (_integral(common, 0.0, kink) + _integral(common, kink, kink + 45.0 / larger)))
    formula = [explicit.overlap(larger, smaller) for larger, smaller in pairs]
    return worst("equal to", exact, formula, lambda i: f"ε1 = {pairs[i][0]:g}, ε2 = {pairs[i][1]:g}")


def _noise_magnitude() -> Recomputed:
    """Fold the tails of Laplace noise: P(noise > −x) − P(noise > x)."""
    cases = [(scale, x) for scale in (0.5, 1.0, 4.0) for x in (0.1, 1.0, 5.0)]
    scale, x = np.array(cases).T
    above = relaxations.thresholded_loss(0.0, 1.0 / scale, threshold=np.array([-x, x])).above0
    return worst(
        "equal to",
        above[0] - above[1],
        special.gammainc(1, x / scale),
        lambda i: f"scale {cases[i][0]:g}, P(|X| ≤ {cases[i][1]:g})",
    )


def _sum_of_exponentials() -> Recomputed:
    """Add one exponential variable to a Gamma(n − 1) one by convolution: the step of an induction."""
    cases = [(shape, x) for shape in (2, 3, 5) for x in (0.3, 1.0, 4.0)]
    exact = [_integral(partial(_one_more, shape=n, total=x), 0.0, x) for n, x in cases]
    formula = [special.gammainc(n, x) for n, x in cases]
    return worst("equal to", exact, formula, lambda i: f"n = {cases[i][0]}, P(sum ≤ {cases[i][1]:g}·b)")


def _one_more(s: _Floats, *, shape: int, total: float) -> _Floats:
    return np.asarray(special.gammainc(shape - 1, total - s) * np.exp(-s))


def _density(scale: float, *, power: int) -> Recomputed:
    """Hold a printed density, 2^(power − n)·t^(n−½)·K_(n−½)(t)/(√(2π)·Γ(n)·scale), against that of T."""
    cases = [(n, t) for n in (1, 2, 3, 5) for t in (0.1, 0.5, 1.0, 3.0)]
    n, t = np.array(cases).T
    claimed = 2.0 ** (power - n) * t ** (n - 0.5) * special.kv(n - 0.5, t)
    claimed /= math.sqrt(2 * math.pi) * special.gamma(n) * scale
    exact = explicit.t_pdf(t, k=n.astype(int))
    return worst("equal to", exact, claimed, lambda i: f"θ = {scale:g}, n = {cases[i][0]}, t = {cases[i][1]:g}")


def _density_of_difference() -> Recomputed:
    cases = [(n, scale, x) for n in (1, 2, 5) for scale in (0.5, 1.0, 2.0) for x in (0.1, 1.0, 3.0)]
    n, scale, x = np.array(cases).T
    claimed = 2.0 ** (1 - n) * (x / scale) ** (n - 0.5) * special.kv(n - 0.5, x / scale)
    claimed /= math.sqrt(2 * math.pi) * special.gamma(n) * scale
    exact = explicit.t_pdf(x / scale, k=n.astype(int)) / (2.0 * scale)  # half of it on either side of 0
    return worst(
        "equal to", exact, claimed, lambda i: f"n = {cases[i][0]}, θ = {cases[i][1]:g}, X1 − X2 of size {cases[i][2]:g}"
    )


def _ratio_of_densities() -> Recomputed:
    """Two neighbours with answers (0, 0) and (0.3, 0.7), whose distance is the sensitivity 1."""
    moved, places = np.array([0.3, 0.7]), np.array([-1.0, 0.1, 0.5, 2.0])
    cases = [(level0, first, second) for level0 in (0.5, 1.0, 2.5) for first in places for second in places]
    exact, printed_exponent = [], []
    for level0, *output in cases:
        noise, at = Laplace(level0), np.array(output)
        exact.append((noise.log_density(at) - noise.log_density(at - moved)).sum())
        printed_exponent.append(level0 * (np.abs(moved - at) - np.abs(at)).sum())
    return worst(
        "equal to",
        exact,
        printed_exponent,
        lambda i: (
            f"k = 2, answers (0, 0) and (0.3, 0.7), ε0 = {cases[i][0]:g}, output ({cases[i][1]:g}, {cases[i][2]:g})"
        ),
    )


def _seen_from_the_neighbour(epsilon0: float, apart: float) -> Recomputed:
    """P(f(y) − z ≤ 0) where z is drawn from x, whose answer is lower by `apart`, in units of the sensitivity."""
    claimed, exact = relaxations.thresholded_loss(0.0, epsilon0, threshold=[0.0, apart]).above0
    return Recomputed(
        recomputed=claimed,
        exact=exact,
        case=f"ε0 = {epsilon0:g}, f(y) − f(x) = {apart:g} times the sensitivity, z drawn from x",
    )


def _two_magnitudes() -> Recomputed:
    cases = [(level0, total) for level0 in (0.25, 1.0, 2.0) for total in (0.3, 1.0, 4.0)]
    exact = []
    for level0, total in cases:
        noise = Laplace(level0)

        def split(one: _Floats, noise: Laplace = noise, total: float = total) -> _Floats:
            return np.asarray(2.0 * np.exp(noise.log_density(one)) * (1.0 - noise.exceeds(total - one)))

        exact.append(_integral(split, 0.0, total))
    claimed = [special.gammainc(2, level0 * total) for level0, total in cases]
    return worst("equal to", exact, claimed, lambda i: f"k = 2, ε0 = {cases[i][0]:g}, P(sum ≤ {cases[i][1]:g}·Δ)")


def _theorem_4_density(level0: float, sensitivity: float) -> Recomputed:
    return _density(sensitivity / level0, power=1)


def _noise_magnitudes() -> Recomputed:
    """Draw answers of neighbours 1 apart, and outputs near them: by how much the noise seen from one is the larger."""
    rng, largest = np.random.default_rng(6), []
    for k in (1, 2, 5):
        towards, off = rng.normal(size=(2, 2_000, k))
        moved = towards / np.abs(towards).sum(axis=1, keepdims=True)
        seen, seen_moved = (np.linalg.norm(3.0 * off - answer, ord=1, axis=1) for answer in (0.0, moved))
        largest.append(np.abs(seen_moved - seen).max())
    return Recomputed(
        exact=max(largest), case="2,000 pairs and outputs, drawn at random, for each of 1, 2 and 5 numbers"
    )


def _mass_of_truncated(up_to: float, divisor_at: float, case: str) -> Recomputed:
    """Total mass of the density of T up to a value, divided by P(T ≤ divisor_at)."""
    masses = [_integral(partial(explicit.t_pdf, k=n), 0.0, up_to) / explicit.t_cdf(divisor_at, k=n) for n in (1, 2, 5)]
    return Recomputed(recomputed=masses, case=f"{case}, n = 1, 2, 5")


def _lemma_10(largest: float, scale: float) -> Recomputed:
    return _mass_of_truncated(largest / scale, largest, f"M = {largest:g}, θ = {scale:g}")


def _largest_loss(level0: float) -> Recomputed:
    below = np.nextafter(level0, 0.0)  # what is above every smaller level sits on ±epsilon0 itself
    return Recomputed(exact=Laplace(level0).loss_exceeds(below), case=f"ε0 = {level0:g}, k = 1")


def _negative_loss(level0: float) -> Recomputed:
    return Recomputed(exact=1.0 - Laplace(level0).loss_exceeds(0.0, two_sided=False), case=f"ε0 = {level0:g}, k = 1")


def _lemma_11(level0: float, level: float) -> Recomputed:
    return Recomputed(
        recomputed=explicit.confidence(level, level0),
        exact=1.0 - Laplace(level0).loss_exceeds(level, two_sided=False),
        case=f"ε0 = {level0:g}, ε = {level:g}, k = 1",
    )


def _hypergeometric_cdf() -> Recomputed:
    cases = [(k, x) for k in (1, 2, 3, 5) for x in (0.1, 0.5, 2.0, 3.0)]
    printed = [_printed_cdf(x, k) / _printed_cdf(1.0, k) for k, x in cases]
    exact = [explicit.t_cdf(x, k=k) / explicit.t_cdf(1.0, k=k) for k, x in cases]
    return worst("equal to", exact, printed, lambda i: f"P(T ≤ {cases[i][1]:g})/P(T ≤ 1), k = {cases[i][0]}")


def _printed_cdf(x: float, k: int) -> float:
    square = 0.25 * x * x
    first = _regularised_1f2(0.5, 1.5 - k, 1.5, square) * math.sqrt(math.pi) * 4.0**k * x
    return first - 2.0 * _regularised_1f2(k, k + 0.5, k + 1.0, square) * x ** (2 * k) * math.gamma(k)


def _regularised_1f2(a: float, b1: float, b2: float, z: float) -> float:
    term = total = float(special.rgamma(b1) * special.rgamma(b2))
    for j in range(60):  # for z at most 9/4 the terms are far below rounding by then
        term *= (a + j) * z / ((b1 + j) * (b2 + j) * (j + 1))
        total += term
    return total


def _corollary_3(level0: float, level: float) -> Recomputed:
    found = relaxations.probabilistic_delta(level, level0)
    return Recomputed(recomputed=found.published, exact=found.exact, case=f"ε0 = {level0:g}, ε = {level:g}, k = 1")


def _overlap_conclusion(level0: float, level: float) -> Recomputed:
    return Recomputed(
        recomputed=explicit.overlap(level0, level),
        exact=Laplace(level0).loss_within(level),
        case=f"ε0 = {level0:g}, ε = {level:g}",
    )


def _case_1(k: float) -> Recomputed:
    levels0 = np.linspace(0.4, 0.8, 401)
    enough = Laplace(levels0).loss_within(0.4) >= 0.6
    return Recomputed(
        recomputed=explicit.epsilon0_for(0.4, 0.6, k=int(k)),
        exact=levels0[enough].max(),
        case=f"ε = 0.4, confidence 0.6, k = {int(k)}",
    )


def _case_1_guarantee(level0: float, level: float) -> Recomputed:
    return Recomputed(
        recomputed=explicit.confidence(level, level0),
        exact=Laplace(level0).loss_within(level),
        case=f"ε0 = {level0:g}, ε = {level:g}, k = 1",
    )


_THEOREM_4_FAILS = (
    "The proof treats the noise seen from the two neighbours as independent; it is the same noise, and for worst-case"
    " neighbours the loss sits on ±ε0 most of the time."
)

_claim_4 = partial(Claim, section="4.1 Explicit randomness")
_claim_appendix = partial(Claim, section=_APPENDIX)
_claim_6 = partial(Claim, section="6.2 Case 1, explicit randomness")

CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_4(
        id="par-theorem-4",
        where="Theorem 4, equation 3 (preprint: Theorem 10; first preprint: Theorem 12)",
        statement="Laplace noise calibrated to ε0 exceeds a stronger level ε with a risk that T alone decides.",
        quantity="P(|loss| > ε) of one release, for a query with one number",
        published="γ1 = P(T ≤ ε)/P(T ≤ ε0)",
        recompute=partial(_theorem_4, formula=explicit.risk, k=(1,)),
        dials=(dials.level0(1.0), dials.level(0.5, holds_at=1.0)),
        rests_on=("mechanisms.Laplace.loss_exceeds", "published.explicit.risk", "published.explicit.confidence"),
        convention=_RISK_IS_ONE_MINUS,
        as_printed=partial(_theorem_4, formula=explicit.confidence, k=(1,)),
        more="worse",
        explanation=f"{_THEOREM_4_FAILS} Either reading of γ1 is below the true risk; the true confidence is below half of the formula's.",
    ),
    _claim_4(
        id="par-theorem-4-vector",
        where="Theorem 4, equation 3 (preprint: Theorem 10; first preprint: Theorem 12)",
        statement="The same holds for queries with several numbers, with the T of their dimension.",
        quantity="P(|loss| > ε) of one release, for queries with 2, 3 and 5 numbers",
        published="γ1 = P(T ≤ ε)/P(T ≤ ε0)",
        recompute=partial(_theorem_4, formula=explicit.risk, k=(2, 3, 5)),
        dials=(dials.level0(1.0), dials.level(0.5, holds_at=1.0)),
        rests_on=("mechanisms.Laplace.loss_exceeds", "published.explicit.risk", "published.explicit.confidence"),
        convention=_RISK_IS_ONE_MINUS,
        as_printed=partial(_theorem_4, formula=explicit.confidence, k=(2, 3, 5)),
        more="worse",
        explanation="Neighbours that differ in one coordinate lose as much as with a single number: the others add nothing to the loss.",
    ),
    _claim_4(
        id="par-theorem-4-averaged",
        where="Theorem 4 with Definition 5 (preprint: Theorem 10; first preprint: Theorem 12, Definition 6)",
        statement="The risk holds when it is averaged, as Definition 5 does, over neighbours drawn from the data.",
        quantity="P(|loss| > ε), averaged over neighbours drawn from fair coins",
        published="1 − P(T ≤ ε)/P(T ≤ ε0)",
        recompute=_theorem_4_averaged,
        dials=(dials.ones(holds_at=0.05), dials.level(0.5)),
        rests_on=("mechanisms.Laplace.loss_exceeds", "published.explicit.risk"),
        more="worse",
        explanation="The average can save it where neighbours rarely differ; with fair coins, where half of them do, it does not.",
    ),
    _claim_4(
        id="par-theorem-4-range",
        where="Theorem 4 (preprint: Theorem 10; first preprint: Theorem 12)",
        statement="The ratio lies between 0 and 1 for every level ε from 0 on.",
        quantity="how far P(T ≤ ε)/P(T ≤ ε0) goes below 0, and its largest value",
        published="γ1 ∈ [0, 1] for ε ≥ 0",
        holds_if=Compare("recomputed", "at most", (0.0, 1.0)),
        recompute=_ratio_up_to_epsilon0,
        rests_on=("published.explicit.t_cdf",),
        convention="ε at most ε0, as Lemma 11, which is the proof of the theorem, has it.",
        as_printed=_ratio_at_twice_epsilon0,
        explanation="Past ε0 the ratio is above 1; from there on the level holds for certain, and the confidence is 1.",
    ),
    _claim_4(
        id="par-theorem-4-density",
        where="Theorem 4, density of T (preprint: Theorem 10; first preprint: Theorem 12)",
        statement="T has the density that Theorem 4 prints.",
        quantity="density of T, where the printed one is furthest from it",
        published="2^(1−k)·t^(k−½)·K_(k−½)(t)·ε0/(√(2π)·Γ(k)·Δ)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=_theorem_4_density,
        dials=(dials.level0(1.0), Dial("Sensitivity", 2.0, 0.1, 10.0, holds_at=0.5)),
        rests_on=("published.explicit.t_pdf", "scipy.special.kv"),
        explanation="Its mass is ε0/(2Δ); here n is k, and θ = Δ/ε0 is 2. The constant is 2^(2−k), and T is free of ε0 and of the"
        " sensitivity. The ratio of equation 3 is not touched, for the constant cancels.",
    ),
    _claim_4(
        id="par-figure-1a",
        where="Figure 1a (first preprint: figures 1 and 3)",
        statement="The curves of ε against privacy at risk γ1, for ε0 = 1 and queries with 1, 2 and 3 numbers.",
        quantity="horizontal position of each curve at three levels, as the published script draws it",
        printed="0.6564 0.3678 0.1615 0.7292 0.4501 0.2133 0.7430 0.4704 0.2287",
        recompute=partial(_figure_1a, explicit.risk),
        rests_on=("published.explicit.risk", "published.explicit.confidence", "mechanisms.Laplace.loss_exceeds"),
        convention=f"The axis shows the {_RISK_IS_ONE_MINUS}",
        as_printed=partial(_figure_1a, explicit.confidence),
        more="worse",
        explanation="The drawing follows the formula, with 1 − γ1 on an axis that says γ1. The exact risk is far to the right.",
    ),
    _claim_4(
        id="par-figure-1a-order",
        where="section 4.1, text on figure 1a",
        statement="For a given level the risk rises with the number k of numbers in the answer.",
        quantity="smallest rise of the published risk from one k to the next, on the figure's axis",
        published="increases",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=partial(_rise_with_k, explicit.risk),
        rests_on=("published.explicit.risk", "published.explicit.confidence"),
        convention=_RISK_IS_ONE_MINUS,
        as_printed=partial(_rise_with_k, explicit.confidence),
        explanation="True of the formula. The exact risk of neighbours that differ in one coordinate is the same for all k.",
    ),
    _claim_4(
        id="par-figure-1a-reason",
        where="section 4.1, reason given for figure 1a",
        statement="The more numbers an answer has, the more noise is added to it.",
        quantity="smallest rise of the mean error of the sum of all numbers, from one k to the next",
        published="the amount of noise added in the output of numeric query increases",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_more_numbers,
        rests_on=("mechanisms.Laplace.mean_total_error",),
        more="worse",
        explanation="Each number gets noise of the same scale, for a given sensitivity, and all of them together more. It is no reason for"
        " a larger risk, which is the same for every k if the neighbours differ in one number.",
    ),
    _claim_4(
        id="par-figure-1b",
        where="Figure 1b (first preprint: figures 2 and 3)",
        statement="The curves of ε against privacy at risk γ1, for one number and ε0 = 1, 1.5, 2 and 2.5.",
        quantity="horizontal position of each curve at two levels, as the published script draws it",
        printed="0.3678 0.0000 0.4856 0.1863 0.5378 0.2689 0.5646 0.3114",
        recompute=partial(_figure_1b, explicit.risk),
        rests_on=("published.explicit.risk", "published.explicit.confidence", "mechanisms.Laplace.loss_exceeds"),
        convention=f"The axis shows the {_RISK_IS_ONE_MINUS}",
        as_printed=partial(_figure_1b, explicit.confidence),
        more="worse",
        explanation="The drawing follows the formula, with 1 − γ1 on an axis that says γ1. The exact risk is far to the right.",
    ),
    _claim_4(
        id="par-figure-1b-order",
        where="section 4.1, remarks on ε0",
        statement="For a given level and one number the risk rises with ε0.",
        quantity="smallest rise of the published risk from one ε0 to the next, on the figure's axis",
        published="increases",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=partial(_rise_with_epsilon0, explicit.risk, k=(1,)),
        rests_on=("published.explicit.risk", "published.explicit.confidence"),
        convention=_RISK_IS_ONE_MINUS,
        as_printed=partial(_rise_with_epsilon0, explicit.confidence, k=(1,)),
        explanation="P(T ≤ ε0) grows with ε0, so the ratio falls and the risk rises. The exact risk rises too.",
    ),
    _claim_4(
        id="par-figure-1b-reason",
        where="section 4.1, reason given for figure 1b",
        statement="The larger ε0 is, the less probable is large noise.",
        quantity="smallest fall of P(|noise| > x) from one ε0 to the next",
        published="the probability of Laplace mechanism generating higher value of noise reduces",
        holds_if=Compare("exact", "above", 0.0),
        recompute=_less_noise,
        rests_on=("mechanisms.Laplace.exceeds",),
        more="better",
        explanation="It is e^(−ε0·x/Δ).",
    ),
    _claim_4(
        id="par-order-several-numbers",
        where="section 4.1, remarks on ε0, last sentence",
        statement="The risk also rises with ε0 for queries with several numbers.",
        quantity="smallest rise of the published risk from one ε0 to the next",
        published="the same observation for k > 1",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=partial(_rise_with_epsilon0, explicit.risk, k=(2, 3, 5)),
        rests_on=("published.explicit.risk", "published.explicit.confidence"),
        convention=_RISK_IS_ONE_MINUS,
        as_printed=partial(_rise_with_epsilon0, explicit.confidence, k=(2, 3, 5)),
        explanation="For the same reason as with one number: only the denominator depends on ε0.",
    ),
    _claim_4(
        id="par-one-to-one",
        where="section 4.1, paragraph after figure 1a",
        statement="Each value of γ1 belongs to one level ε, so that the formula can be inverted.",
        quantity="smallest step of the ratio as ε grows from 0 to ε0",
        published="bijective",
        holds_if=Compare("recomputed", "above", 0.0),
        recompute=_one_to_one,
        rests_on=("published.explicit.confidence",),
        explanation="The density of T is above 0 everywhere, so the ratio rises strictly from 0 to 1.",
    ),
    _claim_4(
        id="par-equation-4",
        where="equation 4",
        statement="For one number the level that belongs to γ1 has a closed form.",
        quantity="P(T ≤ ε)/P(T ≤ ε0) at the ε that equation 4 gives for γ1 = 0.1, 0.5, 0.9",
        published="ε = ln(1/(1 − γ1·(1 − e^−ε0)))",
        holds_if=Compare("recomputed", "equal to", (0.1, 0.5, 0.9)),
        recompute=_inverse,
        rests_on=("published.explicit.confidence",),
        more="better",
        explanation="For one number T is exponential, and the equation solves equation 3; it inherits Theorem 4's fault.",
    ),
    _claim_appendix(
        id="par-lemma-5",
        where="Lemma 5 (preprint: Lemma 16; first preprint: Lemma 18)",
        statement="The overlap of two Laplace densities of different scale has a closed form.",
        quantity="area under the smaller of the two densities",
        published="1 − (e^(−μ·ε2/Δ) − e^(−μ·ε1/Δ)), μ = Δ·ln(ε1/ε2)/(ε1 − ε2)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=_overlap_formula,
        rests_on=("published.explicit.overlap", "numpy.polynomial.legendre.leggauss"),
        explanation="The densities cross at ±μ; integrating the smaller gives the formula. (At equal levels μ is 0/0, the overlap 1.)",
    ),
    _claim_appendix(
        id="par-overlap-value",
        where="text after Lemma 5 (preprint: after Lemma 16; first preprint: after Lemma 18)",
        statement="The noise laws for ε0 = 1 and ε = 0.6 overlap by 0.81.",
        quantity="overlap of the two noise distributions",
        printed="0.81",
        recompute=_overlap_value,
        rests_on=("published.explicit.overlap",),
        explanation="Lemma 5's formula at these levels, rounded.",
    ),
    _claim_appendix(
        id="par-overlap-conclusion",
        where="text after Lemma 5 (preprint: after Lemma 16; first preprint: after Lemma 18)",
        statement="'We can loosely say that at least 80% of the times' noise for ε0 = 1 'will provide the same privacy' as noise for 0.8.",
        quantity="P(|loss| ≤ 0.8) of one release (recomputed: the overlap at 0.8)",
        published=0.8,
        holds_if=Compare("exact", "at least", "published"),
        recompute=_overlap_conclusion,
        dials=(dials.level0(1.0), dials.level(0.8, holds_at=1.0)),
        rests_on=("mechanisms.Laplace.loss_within", "published.explicit.overlap"),
        more="better",
        explanation="The paper says it loosely, for an intuition, and takes it back in its next sentence: the overlap 'does not capture the"
        " constraint induced by the sensitivity'. Nothing rests on it. As a number it fails: the overlap of two densities says nothing"
        " about the loss, and that at 0.6, which is printed, does not speak of 0.8.",
    ),
    _claim_appendix(
        id="par-lemma-6",
        where="Lemma 6 (preprint: Lemma 17; first preprint: Lemma 19)",
        statement="The noise seen from two neighbours differs in magnitude by no more than the sensitivity.",
        quantity="largest difference of the two magnitudes, in units of the distance between the two answers",
        published="upper bounded by the sensitivity",
        holds_if=Compare("exact", "at most", 1.0),
        recompute=_noise_magnitudes,
        rests_on=("numpy.linalg.norm",),
        more="worse",
        explanation="The triangle inequality, coordinate by coordinate: ||f(y) − z| − |f(x) − z|| is at most |f(x) − f(y)|. A pair that"
        " differs by the whole sensitivity reaches the bound at every output on the far side of f(x) or of f(y).",
    ),
    _claim_appendix(
        id="par-lemma-7",
        where="Lemma 7 (preprint: Lemma 18; first preprint: Lemma 20)",
        statement="The magnitude of Laplace noise of scale b is exponential with the same scale.",
        quantity="P(|X| ≤ x)",
        published="|X| ~ Exp(b)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_noise_magnitude,
        rests_on=("risk.relaxations.thresholded_loss", "scipy.special.gammainc"),
        explanation="Folding the symmetric density at 0 doubles it on the positive side.",
    ),
    _claim_appendix(
        id="par-lemma-8",
        where="Lemma 8 (preprint: Lemma 19; first preprint: Lemma 21)",
        statement="A sum of n independent exponential variables of one scale is Gamma(n) with that scale.",
        quantity="density of the sum",
        published="X1 + … + Xn ~ Gamma(n, b)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_sum_of_exponentials,
        rests_on=("scipy.special.gammainc",),
        explanation="By convolution, one variable at a time.",
    ),
    _claim_appendix(
        id="par-lemma-9",
        where="Lemma 9 (preprint: Lemma 20; first preprint: Lemma 22)",
        statement="The scaled difference of two independent Gamma(n, θ) variables has the printed density.",
        quantity="density of T, where the printed one is furthest from it",
        published="2^(2−n)·t^(n−½)·K_(n−½)(t)/(√(2π)·Γ(n)·θ)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=partial(_density, power=2),
        dials=(Dial("θ", 2.0, 0.1, 10.0, holds_at=1.0),),
        rests_on=("published.explicit.t_pdf", "scipy.special.kv"),
        explanation="T is divided by θ already; θ does not belong in the density too: the mass is 1/θ. With θ = 1 all of it is right.",
    ),
    _claim_appendix(
        id="par-lemma-9-difference",
        where="proof of Lemma 9, density of X1 − X2 (preprint: Lemma 20; first preprint: Lemma 22)",
        statement="The difference of two independent Gamma(n, θ) variables, with its sign, has the density that the proof finds.",
        quantity="density of X1 − X2",
        published="2^(1−n)·|x/θ|^(n−½)·K_(n−½)(|x/θ|)/(√(2π)·Γ(n)·θ)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=_density_of_difference,
        rests_on=("published.explicit.t_pdf", "scipy.special.kv"),
        explanation="Right, with its θ: the faults come with the last step, from X1 − X2 to |X1 − X2|/θ.",
    ),
    _claim_appendix(
        id="par-lemma-9-proof",
        where="Lemma 9, last line of its proof (preprint: Lemma 20; first preprint: Lemma 22)",
        statement="The proof ends on the density of T with the constant 2^(1−n).",
        quantity="density of T, where the proof's is furthest from it (θ = 1)",
        published="2^(1−n)·t^(n−½)·K_(n−½)(t)/(√(2π)·Γ(n)·θ)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=partial(_density, power=1),
        dials=(Dial("θ", 1.0, 0.1, 10.0, holds_at=0.5),),
        rests_on=("published.explicit.t_pdf", "scipy.special.kv"),
        explanation="The step from X1 − X2 to its magnitude doubles the density; the proof forgets it. Theorem 4 prints its constant.",
    ),
    _claim_appendix(
        id="par-lemma-10",
        where="Lemma 10 (preprint: Lemma 21; first preprint: Lemma 23)",
        statement="Given that the difference is at most M, the density of T is divided by P(T ≤ M).",
        quantity="total mass of the law so obtained",
        published="P_T(t)/P(T ≤ M)",
        holds_if=Compare("recomputed", "equal to", (1.0, 1.0, 1.0)),
        recompute=_lemma_10,
        dials=(Dial("M", 1.0, 0.1, 5.0), Dial("θ", 2.0, 0.1, 10.0, holds_at=1.0)),
        rests_on=("published.explicit.t_cdf", "published.explicit.t_pdf"),
        explanation="The condition |X1 − X2| ≤ M is about the unscaled difference: for a truncated law, P(T ≤ M/θ) belongs there.",
    ),
    _claim_appendix(
        id="par-lemma-10-where-used",
        where="Lemma 10, as used for equation 18",
        statement="With M = Δ and θ = Δ/ε0 the density of T is divided by P(T ≤ ε0).",
        quantity="total mass of the law so obtained",
        published="P(T ≤ ε)/P(T ≤ ε0)",
        holds_if=Compare("recomputed", "equal to", (1.0, 1.0, 1.0)),
        recompute=partial(_mass_of_truncated, up_to=0.5, divisor_at=0.5, case="ε0 = 0.5"),
        rests_on=("published.explicit.t_cdf", "published.explicit.t_pdf"),
        explanation="M/θ is ε0: equation 18 divides by what the lemma should have said.",
    ),
    _claim_appendix(
        id="par-equation-14",
        where="equation 14 (preprint: equation 13; first preprint: equation 14)",
        statement="The loss at an output is the difference of the distances to the two exact answers, in units of Δ/ε0.",
        quantity="logarithm of the ratio of the two densities at an output",
        published="ε0·Σ(|f(y_i) − z_i| − |f(x_i) − z_i|)/Δ",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_ratio_of_densities,
        rests_on=("mechanisms.Laplace.log_density",),
        explanation="Independent noise in each number: the densities multiply, the exponents add up.",
    ),
    _claim_appendix(
        id="par-equation-15",
        where="equation 15 (preprint: equation 14; first preprint: equation 15)",
        statement="The differences between either exact answer and an output follow the distribution of the noise.",
        quantity="P(f(y) − z ≤ 0) for an output z that is drawn from x (recomputed: by the distribution of the noise)",
        published="(f(x) − z), (f(y) − z) ~ Lap(Δ/ε0)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_seen_from_the_neighbour,
        dials=(dials.level0(1.0), Dial("f(y) − f(x), in units of Δ", 1.0, 0.0, 1.0, holds_at=0.0)),
        rests_on=("risk.relaxations.thresholded_loss",),
        explanation="Here the false link of Theorem 4 begins: one noise is drawn. f(x) − z follows its law, and f(y) − z is the same"
        " number moved by f(y) − f(x).",
    ),
    _claim_appendix(
        id="par-equation-16",
        where="equation 16 (preprint: equation 15; first preprint: equation 16)",
        statement="The magnitudes of the noise in the k numbers add up to a Gamma(k) variable of scale Δ/ε0.",
        quantity="P(sum of the magnitudes ≤ s)",
        published="Σ|f(x_i) − z_i| ~ Gamma(k, Δ/ε0)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=_two_magnitudes,
        rests_on=("mechanisms.Laplace.exceeds", "scipy.special.gammainc"),
        explanation="Lemmas 7 and 8, for the data that the output was drawn from. Seen from y it is false, as equation 15.",
    ),
    _claim_appendix(
        id="par-equation-17",
        where="equation 17 (preprint: equation 16; first preprint: equation 17)",
        statement="The scaled difference of the noise magnitudes seen from two neighbours is distributed like T, truncated at ε0.",
        quantity="P(loss of exactly ±ε0)",
        published="a law with a density",
        holds_if=Compare("exact", "equal to", 0.0),
        recompute=_largest_loss,
        dials=(dials.level0(1.0),),
        rests_on=("mechanisms.Laplace.loss_exceeds",),
        more="worse",
        explanation="The false link behind Theorem 4, true of two noises; of one the difference is ±ε0 with probability (1 + e^−ε0)/2.",
    ),
    _claim_appendix(
        id="par-preprint-equation-16",
        paper=Paper.PREPRINT,
        where="equation 16",
        statement="The difference of the noise magnitudes, with its sign, is distributed like T, which is never negative.",
        quantity="P(loss < 0)",
        published="a law on the positive numbers",
        holds_if=Compare("exact", "equal to", 0.0),
        recompute=_negative_loss,
        dials=(dials.level0(1.0),),
        rests_on=("mechanisms.Laplace.loss_exceeds",),
        explanation="It is negative for every output that is likelier under the neighbour. The other versions take its magnitude.",
    ),
    _claim_appendix(
        id="par-lemma-11",
        where="Lemma 11 (preprint: Lemma 22; first preprint: Lemma 24)",
        statement="With bars around the ratio, not its logarithm: the loss with its sign is at most ε with probability P(T ≤ ε)/P(T ≤ ε0).",
        quantity="P(loss ≤ ε)",
        published="P(T ≤ ε)/P(T ≤ ε0)",
        holds_if=Compare("exact", "at least", "recomputed"),
        recompute=_lemma_11,
        dials=(dials.level0(1.0), dials.level(0.5, holds_at=0.1)),
        rests_on=("mechanisms.Laplace.loss_exceeds", "published.explicit.confidence"),
        more="better",
        explanation="Even the loss with its sign exceeds ε more often than the formula allows. With its magnitude it is Theorem 4.",
    ),
    _claim_appendix(
        id="par-lemma-11-distribution-function",
        where="proof of Lemma 11, after equation 18 (preprint: Lemma 22; first preprint: Lemma 24)",
        statement="P(T ≤ x) is, up to a constant, a difference of two generalised hypergeometric functions.",
        quantity="P(T ≤ x)/P(T ≤ 1), where the printed form is furthest from the mixture of Gamma distributions",
        published="P(T ≤ x) ∝ 1F2(½; 3/2−k, 3/2; x²/4)·√π·4^k·x − 2·1F2(k; ½+k, k+1; x²/4)·x^(2k)·Γ(k)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-10),
        recompute=_hypergeometric_cdf,
        rests_on=("published.explicit.t_cdf", "scipy.special.rgamma"),
        explanation="The distribution function of T is right, with the regularised functions; only, the loss is not distributed like T."
        " For large x or k the two terms cancel almost completely, so that this form loses its digits.",
    ),
    _claim_appendix(
        id="par-corollary-3",
        where="Corollary 3 (preprint: Corollary 23; first preprint: Corollary 25)",
        statement="Laplace noise is (ε, δ)-probabilistically differentially private with δ the risk of Theorem 4.",
        quantity="P(|loss| > ε) against one neighbour",
        published="δ = 1 − P(T ≤ ε)/P(T ≤ ε0)",
        recompute=_corollary_3,
        dials=(dials.level0(1.0), dials.level(0.5, holds_at=1.0)),
        rests_on=("risk.relaxations.probabilistic_delta",),
        more="worse",
        explanation="Theorem 4 by another name. Against all neighbours at once, above and below, every output exceeds ε for one of them.",
    ),
    _claim_6(
        id="par-case-1",
        where="section 6.2, case 1",
        statement="To have ε = 0.4 with confidence 0.6, calibrate the noise to ε0 = 0.8.",
        quantity="ε0 that solves 0.6·P(T ≤ ε0) = P(T ≤ 0.4) (exact: largest ε0 from 0.4 to 0.8 that truly gives it)",
        printed="0.8",
        recompute=partial(_case_1, k=1),
        rests_on=("published.explicit.epsilon0_for", "mechanisms.Laplace.loss_within"),
        convention="k = 1, a query with one number. The text names no k here; the query of this section has five coefficients.",
        as_printed=partial(_case_1, k=5),
        more="better",
        explanation="The arithmetic is right for one number; what it solves is Theorem 4's formula, which is false.",
    ),
    _claim_6(
        id="par-case-1-five-coefficients",
        where="section 6.2, case 1",
        statement="The answer ε0 = 0.8 serves the ridge regression of this section, whose answer has five coefficients.",
        quantity="ε0 that solves 0.6·P(T ≤ ε0) = P(T ≤ 0.4) (exact: largest ε0 from 0.4 to 0.8 that truly gives it)",
        printed="0.8",
        recompute=_case_1,
        dials=(Dial("Numbers in the answer", 5, 1, 50, whole=True, holds_at=1),),
        rests_on=("published.explicit.epsilon0_for", "mechanisms.Laplace.loss_within"),
        more="better",
        explanation="T depends on the dimension: the paper's own equation asks for more noise with five numbers than with one.",
    ),
    _claim_6(
        id="par-case-1-guarantee",
        where="section 6.2, case 1",
        statement="With noise calibrated to ε0 = 0.8 a release is as private as ε = 0.4 with confidence 0.6.",
        quantity="P(|loss| ≤ 0.4) of one release",
        published=0.6,
        holds_if=Compare("exact", "at least", "published"),
        recompute=_case_1_guarantee,
        dials=(dials.level0(0.8, holds_at=0.4), dials.level(0.4)),
        rests_on=("mechanisms.Laplace.loss_within", "published.explicit.confidence"),
        more="better",
        explanation="Theorem 4's fault. No ε0 above ε = 0.4 gives confidence 0.6.",
    ),
)
