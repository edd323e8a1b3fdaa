"""Figure 1b: the published risk for noise of several levels, over the exact one."""

import streamlit as st

from pages.explicit_risk import any_mechanism, formulas
from pages.explicit_risk.published_risk import choose_axis, choose_epsilon, choose_paper, claim_and_truth, risk_chart
from pages.shared import controls, settings
from pages.shared.formula_expander import formula_expander
from par_core.questions.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.settings import present_scenario
from par_core.risk import explicit_curves
from par_core.scenario import written

EPSILON0S = settings.following(
    settings.numbers("e0s", "Levels ε₀", (), at_least=1e-8, at_most=700),
    lambda scenario: [written(times * scenario.epsilon0) for times in (0.5, 1.0, 2.0)],
)
FIGURE_K = settings.following(
    settings.whole("fk", "k of the curves", 1, at_least=1, at_most=10_000), lambda scenario: scenario.k
)


def draw() -> None:
    if not present_scenario().as_published:
        any_mechanism.draw_levels(_choose_levels, _levels, "loss_by_epsilon0")
        return
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        epsilon0s = _choose_levels()
        controls.whole(FIGURE_K, hint="The paper draws figure 1b for k = 1.")
        choose_axis()
        choose_paper("Figure 1b: ε₀ = 1, 1.5, 2, 2.5 and k = 1.", {EPSILON0S: ["1", "1.5", "2", "2.5"], FIGURE_K: 1})
    with main:
        claim_and_truth()
        if not epsilon0s:
            st.info("Add at least one level ε₀ to see its curve.")
            return
        risk_chart(_curves, "epsilon0", "risk_by_epsilon0", "Figure 1b")
        st.markdown("Below its ε₀ every published curve claims less risk than there is: none is a guarantee.")
        formula_expander("risk_by_epsilon0", formulas.RISK)


def _choose_levels() -> list[float]:
    return controls.number_list(EPSILON0S, hint=explain("epsilon0"), offers=("0.5", "1", "1.5", "2", "2.5"))


def _levels() -> list[float]:
    return settings.usable(EPSILON0S)[0] or [present_scenario().epsilon0]


def _curves() -> tuple[explicit_curves.RiskCurve, ...]:
    epsilon0s, _ = settings.usable(EPSILON0S)
    return explicit_curves.by_epsilon0(epsilon0s, FIGURE_K.value())
