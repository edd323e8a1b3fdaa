"""The formulas behind the page on the empirical audit."""

from __future__ import annotations

from pages.shared.formula_expander import Formula
from par_core.audit import individual_deltas, wasserstein_inf
from par_core.audit.checks import Checks
from par_core.audit.density import Density
from par_core.audit.noise import MixtureNoise
from par_core.audit.other_densities import DeltaCurve

_EDP = "Empirical Differential Privacy (2020)"

_DELTA = Formula(
    "How far one individual shows",
    r"\delta_i(\varepsilon) = \max\left(\int (p - e^\varepsilon p_i)_+,\; \int (p_i - e^\varepsilon p)_+\right)",
    individual_deltas,
    f"{_EDP}, Definition 1 and Theorem 1; the integral is exact for Laplace kernels of one bandwidth",
    "p is the density of the answers with everyone, p_i without individual i, both estimated from the databases, which have to be "
    "independent. An excess of probability, not the chance of a breach.",
)
_TOTAL = Formula(
    "Total risk",
    r"\delta^* = 1 - \prod_i (1 - \delta_i)",
    "edp-total-risk",
    f"{_EDP}, Definition 3",
    "A heuristic: δ_i is not a probability that somebody is compromised, and individuals are not independent. It can be too large and too "
    "small.",
)
_KERNEL = Formula(
    "Density of the answers",
    r"p(x) = \frac1n \sum_j \frac{1}{2\lambda} e^{-|x - f(X_j)|/\lambda}",
    Density,
    f"{_EDP}, section 5; bandwidth λ by the likelihood of left-out answers",
    "Few databases say little about tails: there the kernel decides. δ = 0 from some ε on is a property of one common bandwidth.",
)
EXPOSURE = (_DELTA, _KERNEL, _TOTAL)
DATABASES = (
    Formula(
        "Are the databases independent?",
        r"p = \frac{1 + \#\{\text{shuffles at least as extreme}\}}{1 + \#\text{shuffles}}",
        Checks,
        f"{_EDP}, section 5; runs about the median and lag-1 correlation by permutation, Kendall's tau for a trend; Holm's correction",
        "A check can speak against independence, never for it: accepting a null hypothesis shows nothing.",
    ),
    _KERNEL,
)
DENSITIES = (
    _DELTA,
    Formula(
        "Bandwidths that vary",
        r"p(x) = \frac1n \sum_j \frac{1}{2\lambda_j} e^{-|x - f(X_j)|/\lambda_j}",
        DeltaCurve,
        f"{_EDP}, section 5; Breiman, Meisel and Purcell 1977; Abramson 1982; δ by quadrature, its error beside it",
        "Refitted without the individual by the same method. In the tails the widest kernel decides, so that δ stays above 0.",
    ),
)
NOISE = (
    Formula(
        "Scale that is enough",
        r"\lambda = \frac{1}{\varepsilon}\max_i \sup_u |F^{-1}(u) - F_i^{-1}(u)|",
        wasserstein_inf,
        "∞-Wasserstein distance of the answers with and without each individual",
        "For Laplace kernel densities of the two samples. It protects the estimated density, not one answer.",
    ),
    Formula(
        "Scale as published",
        r"\lambda = \frac{1}{\varepsilon}\max_i d_H(f(X), f(X_{-i}))",
        "edp-proposition-1",
        f"{_EDP}, Proposition 1",
        "False with the Hausdorff distance: the average in the denominator was bounded by its largest term.",
    ),
    Formula(
        "The noise",
        r"h = \frac{b^2}{\lambda^2}\,\delta_0 + \left(1 - \frac{b^2}{\lambda^2}\right)\mathrm{Laplace}(\lambda)",
        MixtureNoise,
        f"{_EDP}, section 6, equation 2, solved for Laplace kernels of bandwidth b",
        "δ₀ means that nothing is added: the exact answer is released with probability b²/λ². For Gaussian kernels no such law exists.",
    ),
)
