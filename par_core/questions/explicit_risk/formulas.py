"""The formulas behind the page on explicit risk."""

from par_core.mechanisms import default_noise, max_posterior
from par_core.published import explicit
from par_core.questions.blocks import Formula
from par_core.release import ReleaseError
from par_core.risk.relaxations import ThresholdedLoss

_NOISE = default_noise(1.0)  # for its evidence
_PAR = "Privacy at Risk (PoPETs 2021)"
_WORST = "Holds for two tables that differ as much as the sensitivity allows, in one coordinate of the answer."

_THEOREM_4 = Formula(
    "Published risk",
    r"\text{risk} = 1 - \frac{P(T \le \varepsilon)}{P(T \le \varepsilon_0)}, \qquad T = |X_1 - X_2|,\quad"
    r" X_1, X_2 \sim \mathrm{Gamma}(k, 1)",
    "par-theorem-4",
    f"{_PAR}, Theorem 4",
    "It takes the noise seen from the two tables for independent. It is the same noise, so the number is no guarantee.",
)
_TWO_SIDED = Formula(
    "Exact risk, both directions",
    r"P(|\text{loss}| > \varepsilon) = 1 - e^{-\varepsilon_0/2}\,\sinh(\varepsilon/2)"
    r"\qquad (0 \le \varepsilon < \varepsilon_0)",
    _NOISE,
    "the privacy loss of the Laplace mechanism, integrated in closed form",
    _WORST,
)
_ONE_SIDED = Formula(
    "Exact risk, one direction",
    r"P(\text{loss} > \varepsilon) = 1 - \tfrac12 e^{-(\varepsilon_0 - \varepsilon)/2}"
    r"\qquad (0 \le \varepsilon < \varepsilon_0)",
    _NOISE,
    "the privacy loss of the Laplace mechanism",
    "Counts only answers that speak for the true table. " + _WORST,
)
_DELTA = Formula(
    "Privacy profile δ(ε): the tight δ of (ε, δ)-DP",
    r"\delta(\varepsilon) = 1 - e^{-(\varepsilon_0 - \varepsilon)/2}\qquad (0 \le \varepsilon \le \varepsilon_0)",
    _NOISE,
    "largest value of P(M(x) ∈ Z) − e^ε P(M(y) ∈ Z) over all sets Z",
    _WORST,
)

RISK = (_THEOREM_4, _TWO_SIDED)
CALIBRATION = (
    _THEOREM_4,
    Formula(
        "Solved for ε₀",
        r"P(T \le \varepsilon_0) = \frac{P(T \le \varepsilon)}{\text{confidence}}",
        "par-theorem-4",
        f"{_PAR}, section 6, case 1",
        "Has a solution only if P(T ≤ ε) lies below the wanted confidence. Inherits the fault of Theorem 4.",
    ),
    Formula(
        "Expected absolute error of the Laplace mechanism",
        r"E\,|\text{noise}| = \Delta / \varepsilon_0",
        ReleaseError,
        f"{_PAR}, equation 12",
        "Per number of the answer, Δ is the sensitivity.",
    ),
    _TWO_SIDED,
)
TRUTH = (_THEOREM_4, _TWO_SIDED, _ONE_SIDED, _DELTA)
ATTACK = (
    Formula(
        "Trade-off function: smallest false-negative rate at false-positive rate α",
        r"\beta(\alpha) = \begin{cases} 1 - e^{\varepsilon_0}\alpha & \alpha \le \tfrac12 e^{-\varepsilon_0}\\"
        r" e^{-\varepsilon_0}/(4\alpha) & \tfrac12 e^{-\varepsilon_0} \le \alpha \le \tfrac12\\"
        r" e^{-\varepsilon_0}(1-\alpha) & \alpha \ge \tfrac12 \end{cases}",
        _NOISE,
        "the Neyman-Pearson test between two Laplace distributions",
        _WORST,
    ),
    Formula(
        "Membership advantage (TPR − FPR)",
        r"\max_\alpha\,(1 - \alpha - \beta(\alpha)) = 1 - e^{-\varepsilon_0/2}",
        _NOISE,
        "total variation distance of the two output laws",
        _WORST,
    ),
    Formula(
        "Worst belief afterwards",
        r"\frac{e^{\varepsilon_0}\,\text{prior}}{1 + (e^{\varepsilon_0} - 1)\,\text{prior}}",
        max_posterior,
        "Bayes' rule at the largest privacy loss, which the Laplace mechanism reaches",
        "For one release, and an attacker who knows everyone else's data and asks whether one person's true record was used. Others' "
        "data can teach more about a person than their own record does.",
    ),
)
PIECES = (
    Formula(
        "Overlap of two noise distributions",
        r"O = 1 - \left(e^{-\mu\varepsilon} - e^{-\mu\varepsilon_0}\right),\qquad"
        r" \mu = \frac{\ln(\varepsilon_0/\varepsilon)}{\varepsilon_0 - \varepsilon}",
        explicit.overlap,
        f"{_PAR}, Lemma 5 (for ε below ε₀, noise in units of the sensitivity)",
        "Says how alike the noises are, and nothing about the privacy loss: the paper's conclusion from it does not follow.",
    ),
    Formula(
        "Loss of the two answers “above t” and “not above t”",
        r"\text{above: } \ln\frac{P(\text{noise} > t)}{P(\text{noise} > t - 1)} \qquad"
        r" \text{not above: } \ln\frac{P(\text{noise} \le t)}{P(\text{noise} \le t - 1)}",
        ThresholdedLoss,
        f"the Laplace distribution; {_PAR}, Corollary 2, is right that privacy at risk is not kept by post-processing",
        "For two tables with the answers 0 and 1 in units of the sensitivity, the first being the true one; else the signs "
        "turn. Differential privacy itself is kept.",
    ),
)
