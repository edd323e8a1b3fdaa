"""The formulas behind the page on composition."""

from collections.abc import Sequence

from par_core.composition import ACCOUNTANTS, ExactComposition, any_votes
from par_core.questions.blocks import Formula

_PAR = "Privacy at Risk (PoPETs 2021)"

COROLLARY_1 = "par-corollary-1-with-theorem-4"

_EXACT = Formula(
    "Exact",
    r"\delta(\varepsilon') = E\left[\max\left(0,\, 1 - e^{\varepsilon' - L_1 - \dots - L_n}\right)\right]",
    ExactComposition,
    "the privacy loss distribution L of each release of the Laplace mechanism, convolved n times and solved for ε′",
    "Every release with the worst-case neighbours, its whole sensitivity in one number. Rounding and truncation are counted to the "
    "safe side.",
)
EXACT = (_EXACT,)
_FORMULAS = {
    "basic": r"\varepsilon' = n\,\varepsilon_0",
    "advanced": r"\varepsilon' = \varepsilon_0\sqrt{2n\ln(1/\delta)} + n\,\varepsilon_0\left(e^{\varepsilon_0} - 1\right)",
    "zcdp": r"\varepsilon' = \min\left(n\,\varepsilon_0,\; \min_{\alpha > 1}\; n\,\tfrac{\varepsilon_0^2}{2}\,\alpha"
    r" + \ln\tfrac{\alpha - 1}{\alpha} - \frac{\ln\delta + \ln\alpha}{\alpha - 1}\right)",
    "rdp": r"\varepsilon' = \min_{\alpha > 1}\; n\,D_\alpha + \ln\tfrac{\alpha - 1}{\alpha}"
    r" - \frac{\ln\delta + \ln\alpha}{\alpha - 1}",
    "optimal_pure": r"\delta = \sum_{i}\binom{n}{i}\frac{\max\left(0,\, e^{(n-i)\varepsilon_0} - e^{\varepsilon' + i\varepsilon_0}"
    r"\right)}{(1 + e^{\varepsilon_0})^n}",
    "at_risk": r"\varepsilon' = \varepsilon_0\sqrt{2n\ln(1/\delta)} + \tfrac n2\left[c\,\varepsilon^2 + (1 - c)\,\varepsilon_0^2\right]",
    "at_risk_exact": r"\varepsilon' = \varepsilon_0\sqrt{2n\ln(1/\delta)}"
    r" + \tfrac n2\left[c\,\varepsilon^2 + (1 - c)\,\varepsilon_0^2\right],\quad c = e^{-\varepsilon_0/2}\sinh(\varepsilon/2)",
    "at_risk_preprint": r"\varepsilon' = \varepsilon_0\sqrt{2n\ln(1/\delta)} + n\left[c\,\varepsilon(e^\varepsilon - 1)"
    r" + (1 - c)\,\varepsilon_0(e^{\varepsilon_0} - 1)\right]",
    "at_risk_as_drawn": r"\varepsilon' = \sqrt{\tfrac{\ln(1/(1 - \delta))}{2n}}\,(\varepsilon_0 - \varepsilon)"
    r" + n\left[c\,\varepsilon(e^\varepsilon - 1) + (1 - c)\,\varepsilon_0(e^{\varepsilon_0} - 1)\right]",
}
_AT_RISK = "Here c is the confidence of Theorem 4 and ε the level where the published cost is least. "


def of(keys: Sequence[str]) -> tuple[Formula, ...]:
    """Return the formulas of some accountants after the exact one."""
    return (_EXACT, *(_formula(key) for key in keys if key in _FORMULAS))


def _formula(key: str) -> Formula:
    accountant = ACCOUNTANTS[key]
    assumptions = _AT_RISK * (key == "at_risk") + accountant.limits
    return Formula(accountant.name, _FORMULAS[key], accountant, accountant.source, assumptions)


WITHIN_TARGET = (
    Formula(
        "From a target to releases",
        r"n^* = \max\{n : \varepsilon'(\varepsilon_0, n, \delta) \le \text{target}\}, \qquad"
        r" \varepsilon_0^* = \max\{\varepsilon_0 : \varepsilon'(\varepsilon_0, n, \delta) \le \text{target}\}",
        ExactComposition,
        "bracketed search on each accountant",
        "Rounded to the safe side: put back in, the answer meets the target by that accountant, and is as good as the accountant "
        "itself.",
    ),
    _EXACT,
)
MIXED = (
    Formula(
        "Corollary 1",
        r"\varepsilon' = \sqrt{2\ln(1/\delta)\sum_l \varepsilon_l^2}"
        r" + \tfrac12\left[\varepsilon^2\sum_l c_l + \sum_l (1 - c_l)\,\varepsilon_l^2\right]",
        COROLLARY_1,
        f"{_PAR}, Corollary 1",
        "With the confidences c of Theorem 4 it is no guarantee; ε is where the published cost is least at the smallest level.",
    ),
    _EXACT,
)
VOTES = (
    Formula(
        "PATE’s bound, with privacy at risk",
        r"\varepsilon' = \min_l \tfrac1l\Big(\sum \alpha_l + \ln\tfrac1\delta\Big), \qquad"
        r" \alpha_l = \ln\left[(1 - q)\left(\tfrac{1 - q}{1 - mq}\right)^l + q\,m^l\right]",
        "par-table-1-mixture",
        "Papernot et al. 2017, Theorem 3, where m is e^ε₀; Privacy at Risk (PoPETs 2021), table 1",
        "Privacy at risk puts m = c·e^ε + (1 − c)·e^ε₀, with the confidence c of Theorem 4. q bounds the chance that the class with most "
        "votes loses: the sum of (2 + g)/(4·e^g) over the other classes, g the gap in votes over the scale 2/ε₀ of the noise.",
    ),
    Formula(
        "Proven, these votes alone",
        r"\alpha_l = \ln\left[(1 - r)\left(\tfrac{1 - r}{1 - q}\right)^l + r\,e^{l\varepsilon_0}\right], \qquad r = e^{\varepsilon_0}q",
        any_votes,
        "the corner of what differential privacy and q leave open, where a convex function is largest; at most the moments of the noisy "
        "counts",
        "It holds for this table and its neighbours only. The number itself depends on the votes, and gives something of them away.",
    ),
    Formula(
        "Proven, any votes",
        r"\varepsilon'_{\text{votes}}(\varepsilon_0, n, \delta) \le \varepsilon'_{\text{Laplace}}(\varepsilon_0/2,\, 2n,\, \delta)",
        any_votes,
        "the noisy counts, each with noise for ε₀/2, hold more than their maximum",
        "A person changes one teacher and each teacher one vote: one count falls by one and another rises by one.",
    ),
)
