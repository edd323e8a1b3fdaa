"""What becomes of the claimed saving in truth, and why."""

import streamlit as st

from pages.budget_minimiser import cost_controls, formulas
from pages.budget_minimiser.breach_money import CLAIM, cautions, given, no_saving, of_full, saved
from pages.budget_minimiser.budget import cost_chart
from pages.budget_minimiser.optimum_words import two_optima
from pages.shared import badges
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph
from pages.shared.settings import present_scenario
from par_core import cost
from par_core.figures import budget_minimiser as figures
from par_core.mechanisms import default_noise
from par_core.standing import quantity_of


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        cost_controls.draw()
    with main:
        model, scenario = cost_controls.chosen_model(), present_scenario()
        if model is None:
            return

        def curve() -> cost.CostCurve:
            return cost.curve(model, [present_scenario().epsilon0], k=scenario.k).curves[0]

        own = curve()
        _claim_in_words(own, scenario.currency)
        cost_chart(
            lambda: figures.claim_and_truth(curve(), currency=scenario.currency),
            own,
            scenario,
            name="claimed_and_real",
            headline=lambda: _headline(curve(), scenario.currency),
        )
        if not own.published_optimum.at_epsilon0:
            always = of_full(own.baseline, model, scenario.currency)
            st.markdown(f"A breach can cost up to {always}: only that is always enough. {given()}")
            with st.popover("Why is this not what the paper says?"):
                st.markdown("Its proof treats the noise seen from two tables as independent, but it is the same noise.")
        two_optima(own.published_optimum, own.exact_optimum, scenario.currency)
        cautions(model, scenario)
        formula_expander("claimed_and_real", formulas.TRUTH)


def _headline(own: cost.CostCurve, currency: str) -> str:
    claimed, true = own.published_optimum, own.exact_optimum
    if claimed.at_epsilon0:
        return "## There is no saving here, neither claimed nor real"
    real = f"{given()} {saved(true, currency)} on average"
    return f"## The claimed saving of {saved(claimed, currency)} {badges.of(CLAIM)} is in truth {real}"


def _claim_in_words(own: cost.CostCurve, currency: str) -> None:
    claimed = own.published_optimum
    st.markdown(_headline(own, currency))
    if claimed.at_epsilon0:
        st.markdown(no_saving(claimed, currency))
        return
    paragraph(
        "The privacy loss stays within {claimed.epsilon:level} in {held} of releases, not in {claimed.confidence}.",
        claimed=claimed,
        held=quantity_of(default_noise(own.epsilon0).loss_within, claimed.epsilon),
        help=badges.legend(CLAIM),
    )
