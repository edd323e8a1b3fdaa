"""Figure 1b: for noise of which levels the risk is drawn, and for which dimension."""

from typing import Any

from pages.explicit_risk.risk_settings import choose_axis, choose_epsilon, choose_paper
from pages.shared import controls, settings
from par_core.questions.explicit_risk.any_mechanism import LossByLevel
from par_core.questions.explicit_risk.risk_curves import RiskByLevel
from par_core.questions.glossary import explain
from par_core.questions.question import Question, levels_around
from par_core.scenario import Scenario, exact_text

EPSILON0S = settings.following(
    settings.numbers("e0s", "Levels ε₀", (), at_least=1e-8, at_most=700),
    lambda scenario: [exact_text(each) for each in levels_around(scenario.epsilon0)],
)
FIGURE_K = settings.following(
    settings.whole("fk", "k of the curves", 1, at_least=1, at_most=10_000), lambda scenario: scenario.k
)


def ask(scenario: Scenario) -> Question:
    epsilon = choose_epsilon()
    chosen = controls.number_list(EPSILON0S, hint=explain("epsilon0"), offers=("0.5", "1", "1.5", "2", "2.5"))
    epsilon0s = settings.own(EPSILON0S, tuple(chosen))
    if not scenario.as_published:
        return LossByLevel(scenario, epsilon, epsilon0s)
    k = controls.whole(FIGURE_K, hint="The paper draws figure 1b for k = 1.")
    axis = choose_axis()
    printed: dict[settings.Setting[Any], Any] = {EPSILON0S: ["1", "1.5", "2", "2.5"], FIGURE_K: 1}
    paper_only = choose_paper("Figure 1b: ε₀ = 1, 1.5, 2, 2.5 and k = 1.", printed)
    drawn_k = settings.own(FIGURE_K, k)
    return RiskByLevel(scenario, epsilon, axis=axis, paper_only=paper_only, epsilon0s=epsilon0s, drawn_k=drawn_k)
