"""The formulas behind the page on the budget for a breach."""

from par_core.cost.optimum import priced
from par_core.mechanisms import default_noise
from par_core.questions.blocks import Formula
from par_core.release import ReleaseError

_PAR = "Privacy at Risk (PoPETs 2021)"
_ASSUMED = "A model of cost is an assumption: it is as good as what is known about fines and claims."

_EQUATION_9 = Formula(
    "Budget for a breach",
    r"\text{budget}(\varepsilon) = \text{confidence}\cdot E(\varepsilon) + (1 - \text{confidence})\cdot E(\varepsilon_0)",
    priced,
    f"{_PAR}, equation 9",
    "An average over releases of what a breach would cost, not over whether one happens: no expected cost. Where ε does not hold, "
    "up to E(ε₀) is due, so that only E(ε₀) is enough after any one release.",
)
_ALL_RELEASES = Formula(
    "After all planned releases",
    r"E(\text{releases}\cdot\varepsilon_0)",
    priced,
    "basic composition: the levels of releases about the same people add up",
    f"Enough however the noise falls. {_ASSUMED}",
)
_THEOREM_4 = Formula(
    "Confidence as published",
    r"\text{confidence} = \frac{P(T \le \varepsilon)}{P(T \le \varepsilon_0)}, \qquad T = |X_1 - X_2|,\quad"
    r" X_1, X_2 \sim \mathrm{Gamma}(k, 1)",
    "par-theorem-4",
    f"{_PAR}, Theorem 4",
    "It takes the noise seen from the two tables for independent. It is the same noise, so the number is too high.",
)
_EXACT = Formula(
    "Confidence in truth",
    r"P(|\text{loss}| \le \varepsilon) = e^{-\varepsilon_0/2}\,\sinh(\varepsilon/2) \qquad (0 \le \varepsilon < \varepsilon_0)",
    default_noise(1.0),
    "the privacy loss of the Laplace mechanism, integrated in closed form",
    "Holds for two tables that differ as much as the sensitivity allows, in one coordinate of the answer.",
)
_EQUATION_8 = Formula(
    "Cost per person",
    r"E(\varepsilon) = \text{people}\cdot\left(\text{minimum} + \text{compensation}\cdot e^{-\text{rate}/\varepsilon}\right)",
    priced,
    f"{_PAR}, equation 8",
    "With a minimum above 0 it passes the compensation for large ε, against the paper's own constraints 1 and 4. "
    + _ASSUMED,
)
_CAPPED = Formula(
    "Cost per person that never passes the compensation",
    r"E(\varepsilon) = \text{people}\cdot\left(\text{minimum} + (\text{compensation} - \text{minimum})"
    r"\cdot e^{-\text{rate}/\varepsilon}\right)",
    priced,
    "equation 8, changed so that it keeps the paper's constraints",
    _ASSUMED,
)
_FINE = Formula(
    "Fine and cost per person",
    r"E(\varepsilon) = \text{fine}\cdot e^{-\text{rate of the fine}/\varepsilon} + \text{people}\cdot\text{compensation}"
    r"\cdot e^{-\text{rate}/\varepsilon}",
    priced,
    "equation 8 with a part that does not grow with the number of people",
    "With a rate of 0 the fine is due in full in any breach. " + _ASSUMED,
)
_TABLE = Formula(
    "Own table",
    r"E(\varepsilon) = \text{straight lines between your points}",
    priced,
    f"{_PAR}, section 5.1, lets any convex cost stand in for equation 8",
    "Flat below the first point and beyond the last one. The cheapest ε is found whether or not the cost is convex. "
    + _ASSUMED,
)
_EQUATION_12 = Formula(
    "Average error",
    r"E\,|\text{noise}| = \Delta / \varepsilon_0",
    ReleaseError,
    f"{_PAR}, equation 12",
    "Δ is the sensitivity. The noise is made for ε₀, so the error does not depend on ε.",
)
_EQUATION_11 = Formula(
    "Permissible range as printed",
    r"\frac{1}{T} \le \varepsilon \le \left[\ln \frac{\text{confidence}\cdot E}{B - (1 - \text{confidence})\cdot"
    r" E(\varepsilon_0)}\right]^{-1}",
    "par-equation-11-range",
    f"{_PAR}, equation 11",
    "T is the largest error, B the budget. The lower end should bind ε₀, and the upper one depends on ε itself through the confidence.",
)

BUDGET = (_EQUATION_9, _ALL_RELEASES, _EQUATION_8, _CAPPED, _FINE, _TABLE, _THEOREM_4, _EXACT)
TRUTH = (_EQUATION_9, _THEOREM_4, _EXACT, _ALL_RELEASES)
AFFORD = (_EQUATION_9, _ALL_RELEASES, _EQUATION_12, _EQUATION_11, _EXACT)
EFFECTS = (_EQUATION_9, _THEOREM_4, _EXACT)
