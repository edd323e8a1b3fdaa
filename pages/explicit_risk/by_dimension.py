"""Figure 1a: the published risk for answers of several dimensions, over the exact one."""

import streamlit as st

from pages.explicit_risk import formulas
from pages.explicit_risk.published_risk import choose_axis, choose_epsilon, claim_and_truth, risk_chart
from pages.shared import controls, settings
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.settings import present_scenario
from pages.shared.words import level0
from par_core.risk import explicit_curves

KS = settings.numbers("ks", "Dimensions k", (1, 2, 3), at_least=1, at_most=10_000, only_whole=True)
FIGURE_EPSILON0 = settings.number("fe0", "ε₀ of the dashed curves", 1.0, at_least=1e-8, at_most=700)


def draw() -> None:
    main, side = chart_and_controls()
    own = present_scenario().epsilon0
    with side:
        choose_epsilon()
        ks = controls.number_list(KS, hint=explain("k"), offers=("1", "2", "3", "5", "10"))
        drawn = controls.number(FIGURE_EPSILON0, hint="The paper draws figure 1a for ε₀ = 1.", step=0.1)
        choose_axis()
        controls.button("As in the paper", settings.put_all, {KS: list(KS.default), FIGURE_EPSILON0: 1.0})
        controls.button("With my ε₀", settings.put_all, {FIGURE_EPSILON0: own})
    with main:
        claim_and_truth()
        if not ks:
            st.info("Add at least one dimension to see its curve.")
            return
        risk_chart(explicit_curves.by_dimension(ks, drawn), "k", "risk_by_dimension", "Figure 1a")
        diamonds = "" if drawn == own else f", the diamonds for your {level0(own)}"
        st.markdown(
            f"The curves are for {level0(drawn)}{diamonds}. The dashed ones bend to higher risk for more dimensions. The solid one does "
            "not: in the worst case all of the change is in one number, whatever k is."
        )
        formula_expander("risk_by_dimension", formulas.RISK)
