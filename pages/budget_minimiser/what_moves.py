"""Which input moves the least budget most: each is moved alone, in truth and by the published formula."""

from functools import partial

import streamlit as st

from pages.budget_minimiser import cost_controls, formulas
from pages.budget_minimiser.breach_money import CLAIM, cautions
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph
from pages.shared.settings import present_scenario
from pages.shared.words import amount
from par_core import cost
from par_core.figures import budget_minimiser as figures
from par_core.questions.glossary import explain

MOVED = settings.number("pct", "Move each input by, in %", 10.0, at_least=0.1, at_most=90)


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        controls.number(MOVED, hint=explain("moved"), step=5.0)
        cost_controls.draw()
    with main:
        model, scenario = cost_controls.chosen_model(), present_scenario()
        if model is None:
            return
        published, exact = (
            cost.sensitivity_of(model, scenario.epsilon0, k=scenario.k, percent=MOVED.value(), truth=truth)
            for truth in cost.TRUTHS
        )
        first = exact.effects[0]
        _strongest(first, scenario.currency)
        moving = ", ".join(figures.label_of(effect.name) for effect in exact.effects if effect.span > 0)
        chart(
            figures.tornado(published, exact, currency=scenario.currency),
            "what_moves_the_budget",
            alt=f"Change of the least budget for each input moved by {exact.percent:g} % (k halved and doubled), the strongest first: "
            f"{moving or 'nothing moves it'}.",
            table=partial(figures.effects_table, published, exact),
            notes={"source": f"{published.source}; exact: {exact.source}", "limits": published.limits},
        )
        if first.span > 0:
            paragraph(
                "The published formula takes the least average from {claimed.budget_low} to {claimed.budget_high}. Know this input well "
                "before you trust the rest.",
                currency=scenario.currency,
                claimed=next(effect for effect in published.effects if effect.name == first.name),
                help=badges.legend(CLAIM),
            )
        st.markdown(
            "One input moves at a time; k, which is whole, is halved and doubled. The cheapest ε is found anew. The ends of a bar show "
            "what the input was moved to."
        )
        cautions(model, scenario, *(effect.high for effect in exact.effects if effect.name == "epsilon0"))
        formula_expander("effects", formulas.EFFECTS)


def _strongest(first: cost.Effect, currency: str) -> None:
    if first.span == 0:
        st.markdown("## Nothing moves the least budget here")
        return
    st.markdown(f"## {figures.label_of(first.name)} moves the answer most")
    paragraph(
        f"Moved from {amount(first.low, 4)} to {amount(first.high, 4)}, it takes the least average from {{first.budget_low}} to "
        "{first.budget_high} in truth.",
        currency=currency,
        first=first,
        help=badges.legend(),
    )
