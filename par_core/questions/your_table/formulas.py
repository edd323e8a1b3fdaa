"""The formulas behind the page on the reader's own table."""

from __future__ import annotations

from par_core.questions.blocks import Formula
from par_core.release import PlannedRelease, ProcessedError, QuotientError, RankError, ReleaseError

_SCALE = Formula(
    "Noise and its average size",
    r"b = \frac{\Delta \cdot n}{\varepsilon_0}, \qquad E\,|\text{noise}| = b",
    ReleaseError,
    "the Laplace mechanism; basic composition over n statistics",
    "Δ: L1 sensitivity of the whole answer for your neighbours and rows per person. n: statistics that share ε₀ equally.",
)
_SENSITIVITY = Formula(
    "What one person moves, of persons counted once in each of k cells",
    r"\Delta = \min(m, k) \text{ added or removed}, \qquad \Delta = \min(2m, k) \text{ replaced}",
    PlannedRelease,
    "symmetric difference of two sets of at most m of k cells",
    "m: cells per person. Of rows, m rows per person move k > 1 counts by m or 2m, one count by m.",
)
_EACH = Formula(
    "Range of one number, 95 of 100",
    r"w = b \ln 20, \qquad \text{rounded: the smallest whole } w \ge b \ln 20 - \tfrac12",
    ReleaseError,
    "quantiles of the Laplace distribution",
    "Whatever the data: nothing here is read off your table.",
)
_ALL = Formula(
    "Range of all k numbers at once, and of their total",
    r"\left(1 - e^{-w/b}\right)^k = 0.95, \qquad P(T \le w/b) = 0.95,\quad T = |X_1 - X_2|,\ X_i \sim \mathrm{Gamma}(k, 1)",
    ReleaseError,
    "k independent Laplace variables",
    "The total is added up before rounding.",
)
_SCALE_L2 = Formula(
    "Noise and its average size",
    r"\Phi\!\left(\tfrac{\mu}{2} - \tfrac{\varepsilon_0}{\mu}\right) - e^{\varepsilon_0} \Phi\!\left(-\tfrac{\mu}{2} - "
    r"\tfrac{\varepsilon_0}{\mu}\right) = \delta, \qquad \sigma = \frac{\Delta_2 \sqrt{n}}{\mu}, \qquad "
    r"E\,|\text{noise}| = \sigma \sqrt{2/\pi}",
    ReleaseError,
    "Balle and Wang 2018, Theorem 8, solved for μ; n statistics as one release",
    "Δ₂: L2 sensitivity of the whole answer for your neighbours and rows per person. n: statistics in the release. Plans have a part in "
    "10⁷ more noise, for the steps in which release code draws it.",
)
_SENSITIVITY_L2 = Formula(
    "What one person moves, in L2",
    r"\Delta_2 = m \text{ added or removed}, \qquad \Delta_2 = \sqrt{2}\,m \text{ replaced, for } k > 1",
    PlannedRelease,
    "the largest root of a sum of squares, at all rows in one cell and all that replace them in another",
    "m: rows per person, k: cells. Of persons counted once in each cell it is the root of how many cells can change, at most min(m, k), or "
    "min(2m, k) replaced. Of one number the L1 and the L2 sensitivity are the same.",
)
_RANGES_L2 = Formula(
    "Range of one number, of all k at once, and of their total, 95 of 100",
    r"w = 1.96\,\sigma, \qquad \left(2\Phi(w/\sigma) - 1\right)^k = 0.95, \qquad w = 1.96\,\sigma \sqrt{k}",
    ReleaseError,
    "k independent normal variables",
    "Whatever the data: nothing here is read off your table.",
)
_QUOTIENT_L2 = Formula(
    "Mean over a private number of rows",
    r"P(|R - m| > w) \le \sum_{\pm} \Phi\!\left(\tfrac{-wN}{\sqrt{\sigma_S^2 + (m \pm w)^2 \sigma_N^2}}\right) + "
    r"P(\text{noisy count} < 1)",
    QuotientError,
    "a difference of two normal variables, and a union bound",
    "An upper bound; m is the distance of the mean from the middle of the bounds. "
    "A noisy sum is divided by a noisy count; both are one release at ε₀ and δ, so that each has √2 times "
    "the noise that it would have alone.",
)
_ROUNDING = Formula(
    "Rounding, and setting negative counts to 0",
    r"E\,|\text{rounded noise}| = \frac{1}{2 \sinh(1/(2b))}, \qquad \text{bias of a cell that is 0: half of it}",
    ProcessedError,
    "integrals of the Laplace distribution",
    "Both happen after the noise is added and cost no privacy.",
)
_QUOTIENT = Formula(
    "Mean over a private number of rows",
    r"P(|R - m| > w) \le P(\text{noise}_S - (m + w)\,\text{noise}_N > w N) + P(\text{noise}_S - (m - w)\,\text{noise}_N < -w N)"
    r" + P(\text{noisy count} < 1)",
    QuotientError,
    "tail of a difference of two Laplace variables, and a union bound",
    "An upper bound; m is the distance of the mean from the middle of the bounds. "
    "A noisy sum is divided by a noisy count; each gets half of the share of ε₀.",
)

_CHOICE = Formula(
    "Choice among m candidates by permute and flip",
    r"s = \frac{2\,\Delta\,n}{\varepsilon_0}, \qquad u(c) = -\left|(1 - \alpha)\,\#\{x < c\} - \alpha\,\#\{x > c\}\right|",
    RankError,
    "McKenna and Sheldon 2020; the same law as the largest u with exponential noise of scale s",
    "Δ: what one person moves u, the larger of α and 1 − α for each row that comes or goes; a replaced row does both. n: statistics that "
    "share ε₀ equally.",
)
_RANKS = Formula(
    "Rows between the published value and the true one, 95 of 100",
    r"\frac{1 - (1 - q)^m}{m\,q} = 0.95, \qquad r = \lfloor s \ln(1/q) \rfloor",
    RankError,
    "the worst scores: all other candidates just out of range",
    "x: values, each moved to its nearest candidate. No table does worse, and some do as badly. One candidate is left out.",
)


def of(planned: PlannedRelease) -> tuple[Formula, ...]:
    """Return the formulas behind a plan."""
    if planned.is_selection:
        return _CHOICE, _RANKS
    if planned.norm == "L2":
        return (_SCALE_L2, _QUOTIENT_L2) if planned.is_pair else (_SCALE_L2, _SENSITIVITY_L2, _RANGES_L2)
    return (_QUOTIENT,) if planned.is_pair else (_SCALE, _SENSITIVITY, _EACH, _ALL, _ROUNDING)
