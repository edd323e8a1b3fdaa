"""Figure 1a: the published risk for answers of several dimensions, over the exact one."""

import streamlit as st

from pages.explicit_risk import any_mechanism, formulas
from pages.explicit_risk.published_risk import choose_axis, choose_epsilon, choose_paper, claim_and_truth, risk_chart
from pages.shared import controls, settings
from pages.shared.formula_expander import formula_expander
from par_core.questions.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.settings import present_scenario
from par_core.risk import explicit_curves

KS = settings.following(
    settings.numbers("ks", "Dimensions k", (), at_least=1, at_most=10_000, only_whole=True),
    lambda scenario: [str(k) for k in sorted({1, 2, 3, scenario.k})],
)
FIGURE_EPSILON0 = settings.following(
    settings.number("fe0", "ε₀ of the curves", 1.0, at_least=1e-8, at_most=700), lambda scenario: scenario.epsilon0
)


def draw() -> None:
    if not present_scenario().as_published:
        any_mechanism.draw_levels(lambda: None, lambda: [present_scenario().epsilon0], "loss_of_a_release")
        return
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        ks = controls.number_list(KS, hint=explain("k"), offers=("1", "2", "3", "5", "10"))
        controls.number(FIGURE_EPSILON0, hint="The paper draws figure 1a for ε₀ = 1.", step=0.1)
        choose_axis()
        choose_paper("Figure 1a: ε₀ = 1 and k = 1, 2, 3.", {KS: ["1", "2", "3"], FIGURE_EPSILON0: 1.0})
    with main:
        claim_and_truth()
        if not ks:
            st.info("Add at least one dimension to see its curve.")
            return
        risk_chart(_curves, "k", "risk_by_dimension", "Figure 1a")
        st.markdown(
            "The published risk rises with k. The exact one does not: in the worst case one number takes the whole change."
        )
        formula_expander("risk_by_dimension", formulas.RISK)


def _curves() -> tuple[explicit_curves.RiskCurve, ...]:
    ks, _ = settings.usable(KS)
    return explicit_curves.by_dimension(ks, FIGURE_EPSILON0.value())
