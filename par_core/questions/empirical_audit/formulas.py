"""The formulas behind the page on the empirical audit."""

from __future__ import annotations

from par_core.audit import individual_deltas, wasserstein_inf
from par_core.audit.adversary import GivenAt, RandomGroups
from par_core.audit.attack import AuditAttack
from par_core.audit.checks import Checks
from par_core.audit.density import Density
from par_core.audit.joint import RANK_TOLERANCE, JointAt
from par_core.audit.noise import MixtureNoise
from par_core.audit.other_densities import DeltaCurve
from par_core.questions.blocks import Formula

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
ADVERSARY = (
    Formula(
        "Given what is known",
        r"\delta_i(\varepsilon \mid Z) = \max\left(\int (p_Z - e^\varepsilon p_{i,Z})_+,\; \int (p_{i,Z} - e^\varepsilon p_Z)_+\right)",
        GivenAt,
        f"{_EDP}, Definition 4; Z is a bucket of databases, its densities those of the answers on them, with a bandwidth of its own",
        "A bucket treats its databases alike: larger ones show less. Fewer databases show more than there is, so the comparison is random "
        "groups of as many.",
    ),
    Formula(
        "Is it what they know?",
        r"p = \frac{1 + \#\{\text{random groups that show at least as much}\}}{1 + \#\text{random groups}}",
        RandomGroups,
        "permutation of what is known over the databases",
        "Exact where what is known has nothing to do with the answers and the databases are independent.",
    ),
)
JOINT = (
    Formula(
        "Two answers together",
        r"\delta_i(\varepsilon) = \max\left(\iint (p - e^\varepsilon p_i)_+,\; \iint (p_i - e^\varepsilon p)_+\right)",
        JointAt,
        f"{_EDP}, section 3; exact along one axis, Gauss-Kronrod quadrature along the other",
        "p and p_i are densities of pairs of answers: products of Laplace kernels along the sum and the difference of the standardised "
        "answers, each in the smaller of both spreads, with the likeliest bandwidth for left-out pairs.",
    ),
    Formula(
        "Exact disclosure",
        r"\delta_i(\varepsilon) \ge \frac{\#\{\text{databases whose pair lies beside the line}\}}{n}",
        JointAt,
        f"answers that lie on one line to {RANK_TOLERANCE:g} of their reach, or to rounding, while others lie beside it",
        "No kernel is put over such a line: what lies beside it occurs in one of the two worlds only, at every ε.",
    ),
)
ATTACK = (
    Formula(
        "The attack",
        r"\text{say “with” if } \log \frac{p^{(-j)}(y)}{p_i^{(-j)}(y)} > t",
        AuditAttack,
        "Neyman and Pearson's likelihood ratio, densities of all databases but the one that is tried",
        "Of this attacker, who has these databases. Limits: Clopper and Pearson for the share of right guesses, the band of Dvoretzky, "
        "Kiefer, Wolfowitz and Massart for the curve. Both are proven for an attacker who was fixed beforehand; for this one, simulated.",
    ),
    _DELTA,
    Formula(
        "δ as a chance",
        r"\delta = P(\text{failure})",
        "edp-failure-probability",
        f"{_EDP}, sections 2 and 3",
        "Of each answer that fails, δ counts only the part beyond e^ε. What fails is far more often so.",
    ),
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
