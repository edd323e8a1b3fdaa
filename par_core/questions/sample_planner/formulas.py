"""The formulas behind the page that plans samples."""

from __future__ import annotations

from par_core.mechanisms import default_noise
from par_core.questions.blocks import Formula
from par_core.regression import RidgeUtility, coefficient_sensitivity
from par_core.sampling import SensitivitySample, coverage, tolerance

_PAR = "Privacy at Risk (PoPETs 2021)"
_INDEPENDENT = (
    "For pairs that are drawn independently. Drawn from one table, they speak of all pairs that can be drawn from it; the fewer rows "
    "it has, the less they say of other people."
)

_DKW = Formula(
    "Distance of the sampled curve from the true one",
    r"P\left(\sup_x |F_n(x) - F(x)| \le \rho\right) \ge \alpha = 1 - 2e^{-2\rho^2 n}",
    tolerance,
    f"Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant; {_PAR}, equation 13 and figure 2",
    _INDEPENDENT,
)
_ORDER = Formula(
    "What a sorted value covers",
    r"F(\Delta_{(j)}) \sim \mathrm{Beta}(j,\, n + 1 - j), \qquad P(F(\Delta_{(n)}) \ge s) = 1 - s^n",
    coverage,
    "order statistics of independent draws",
    "Exact for a continuous law, no less than that for any other. " + _INDEPENDENT,
)
_THEOREM_5 = Formula(
    "Theorem 5",
    r"\text{empirical confidence} \ge \text{confidence}_2 \cdot \alpha",
    "par-theorem-5",
    f"{_PAR}, Theorem 5",
    "Its proof loses a −ρ: a share of at least confidence₂ − ρ is valid with probability α. Ten samples and ρ = 0.9 would claim 0.9999998, "
    "where 0.909 is true on average.",
)
SAMPLES = (_DKW, _ORDER, _THEOREM_5)

_DEFINITION_7 = Formula(
    "Sampled sensitivity",
    r"\Delta = \lVert f(x) - f(y) \rVert_1, \qquad x, y \text{ with } p - 1 \text{ rows in common and one more each}",
    SensitivitySample,
    f"{_PAR}, Definition 7 and figure 7",
    "An estimate, never a bound: rare pairs that move the query further may not have been drawn.",
)
SAMPLED = (_DEFINITION_7, _ORDER, _DKW, _THEOREM_5)

BOTH = (
    Formula(
        "Published confidence with both sources",
        r"\text{confidence}_3 = \frac{P(T \le \varepsilon)}{P(T \le \eta\,\varepsilon_0)} \cdot \text{confidence}_2 \cdot \alpha",
        "par-theorem-6",
        f"{_PAR}, Theorem 6, equations 7 and 25; figures 3a and 3b",
        "Rests on Theorem 4, which is false below η·ε₀, and on Theorem 5, which loses a −ρ.",
    ),
    Formula(
        "Exact confidence of the noise",
        r"P(|\text{loss}| \le \varepsilon) = e^{-\eta\varepsilon_0/2}\,\sinh(\varepsilon/2) \qquad (\varepsilon < \eta\,\varepsilon_0)",
        default_noise(1.0),
        "the privacy loss of the Laplace mechanism whose noise is for a sensitivity η times too small",
        "For two tables that differ as much as they can, if η is the true ratio of the sensitivities. The quantile and α say how far η can "
        "be trusted; they do not multiply it.",
    ),
    Formula(
        "The paper's model of η",
        r"\eta = 1 + c\,\rho/\Delta_S",
        "par-lemma-12-unit",
        f"{_PAR}, Lemma 12 and Corollary 4",
        "False: ρ is a probability and Δ has the unit of the query, so η changes when dollars become thousands of dollars.",
    ),
    _THEOREM_5,
)
ACCURACY = (
    Formula(
        "Regression with noise",
        r"\hat w = (X^\top X + n\lambda I)^{-1} X^\top y + \mathrm{Laplace}(\Delta/\varepsilon)",
        RidgeUtility,
        f"{_PAR}, section 6.2 and figure 6; runs of fit, noise and prediction",
        "Rows of length 1, target from 0 to 1. The error is told for this table; the runs draw no new people, and it is no release itself.",
    ),
    Formula(
        "Sensitivity of the coefficients",
        r"\Delta \le \sqrt{k}\,\frac{W + \sqrt2 + \min\left(\tfrac{1}{4W},\, 2 - \sqrt2\right)}{n\lambda}, \qquad"
        r" W = \frac{1}{2\sqrt\lambda}",
        coefficient_sensitivity,
        "strong convexity of the penalised mean squared error; checked against searched neighbours",
        "One row replaced, λ below 1; two further bounds take over where there are few rows.",
    ),
    Formula(
        "Sensitivity in the published script",
        r"\Delta = \left(\tfrac{1}{\sqrt\lambda} + 1\right)\frac{5}{n\lambda}",
        "par-ridge-sensitivity",
        "script of Privacy at Risk, after Ligett et al. 2017",
        "Goes with a penalty that grows with the rows; the script fits one that does not, and gives the intercept no noise.",
    ),
)
