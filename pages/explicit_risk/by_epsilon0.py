"""Figure 1b: the published risk for noise of several levels, over the exact one."""

import streamlit as st

from pages.explicit_risk import formulas
from pages.explicit_risk.published_risk import choose_axis, choose_epsilon, claim_and_truth, risk_chart
from pages.shared import controls, settings
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from par_core.risk import explicit_curves

EPSILON0S = settings.numbers("e0s", "Levels ε₀", (1.0, 1.5, 2.0, 2.5), at_least=1e-8, at_most=700)
FIGURE_K = settings.whole("fk", "k of the dashed curves", 1, at_least=1, at_most=10_000)


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        epsilon0s = controls.number_list(EPSILON0S, hint=explain("epsilon0"), offers=("0.5", "1", "1.5", "2", "2.5"))
        k = controls.whole(FIGURE_K, hint="The paper draws figure 1b for k = 1.")
        choose_axis()
        controls.button("As in the paper", settings.put_all, {EPSILON0S: list(EPSILON0S.default), FIGURE_K: 1})
    with main:
        claim_and_truth()
        if not epsilon0s:
            st.info("Add at least one level ε₀ to see its curve.")
            return
        risk_chart(explicit_curves.by_epsilon0(epsilon0s, k), "epsilon0", "risk_by_epsilon0", "Figure 1b")
        st.markdown(
            "Below its own ε₀ every dashed curve claims less risk than the solid one of the same ε₀: none of them is a guarantee."
        )
        formula_expander("risk_by_epsilon0", formulas.RISK)
