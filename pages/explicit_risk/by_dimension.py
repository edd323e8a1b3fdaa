"""Figure 1a: which dimensions are drawn, for noise of which level."""

from pages.explicit_risk.risk_settings import choose_axis, choose_epsilon, choose_paper
from pages.shared import controls, settings
from par_core.questions.explicit_risk.any_mechanism import LossByLevel
from par_core.questions.explicit_risk.risk_curves import RiskByDimension, usual_ks
from par_core.questions.glossary import explain
from par_core.questions.question import Question
from par_core.scenario import Scenario

KS = settings.following(
    settings.numbers("ks", "Dimensions k", (), at_least=1, at_most=10_000, only_whole=True),
    lambda scenario: [str(k) for k in usual_ks(scenario)],
)
FIGURE_EPSILON0 = settings.following(
    settings.number("fe0", "ε₀ of the curves", 1.0, at_least=1e-8, at_most=700), lambda scenario: scenario.epsilon0
)


def ask(scenario: Scenario) -> Question:
    epsilon = choose_epsilon()
    if not scenario.as_published:
        return LossByLevel(scenario, epsilon, ())
    ks = controls.number_list(KS, hint=explain("k"), offers=("1", "2", "3", "5", "10"))
    epsilon0 = controls.number(FIGURE_EPSILON0, hint="The paper draws figure 1a for ε₀ = 1.", step=0.1)
    axis = choose_axis()
    paper_only = choose_paper("Figure 1a: ε₀ = 1 and k = 1, 2, 3.", {KS: ["1", "2", "3"], FIGURE_EPSILON0: 1.0})
    return RiskByDimension(
        scenario,
        epsilon,
        axis=axis,
        paper_only=paper_only,
        ks=settings.own(KS, tuple(map(int, ks))),
        drawn_epsilon0=settings.own(FIGURE_EPSILON0, epsilon0),
    )
