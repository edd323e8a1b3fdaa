"""What the best attack gains from one release: its errors, its advantage, and what it comes to believe."""

import streamlit as st

from pages.explicit_risk import formulas
from pages.explicit_risk.published_risk import DIALS, EPSILON, choose_epsilon
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, told
from pages.shared.settings import present_scenario
from par_core.figures import explicit_risk as figures
from par_core.mechanisms import default_noise
from par_core.risk import explicit_curves
from par_core.scenario import Neighbours
from par_core.standing import Quantity, quantity_of

PRIOR = settings.number("prior", "Belief before", 0.5, at_least=0.0, at_most=1.0)

_SUSPICION = {
    Neighbours.REPLACE_ONE: "one person's true record was used and no other in its place",
    Neighbours.ADD_OR_REMOVE: "one person's record was used",
}


def draw() -> None:
    scenario = present_scenario()
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        prior = controls.number(PRIOR, hint=explain("prior"), step=0.05)
    with main:
        curves, believed = _attacks(), _believed()
        st.markdown(_headline())
        paragraph(
            "They know everyone else's data and ask whether {suspicion}.",
            suspicion=_SUSPICION[scenario.neighbours],
            standing_of=believed,
            help=explain("posterior"),
        )
        chart(
            lambda: figures.posterior(_attacks(), prior=prior, believed=_believed().value),
            "attack_belief",
            dials=DIALS,
            headline=_headline,
            alt="Belief after the release against belief before: {prior:percent} becomes at most {believed}.",
            prior=prior,
            believed=believed,
            notes={"source": curves.source},
        )
        paragraph(
            "The membership advantage (TPR − FPR) of their best attack is **{curves.advantage0}**; with noise for {curves.epsilon:level} "
            "it would be {curves.advantage}. 0 is blind guessing.",
            curves=curves,
            help=explain("advantage"),
        )
        chart(
            lambda: figures.tradeoff(_attacks()),
            "attack_errors",
            dials=DIALS,
            alt="Smallest false-negative rate against false-positive rate; advantage {curves.advantage0} at ε₀ = {curves.epsilon0:g} and "
            "{curves.advantage} at ε = {curves.epsilon:g}.",
            curves=curves,
            notes={"source": curves.source},
        )
        st.caption(f"The trade-off function: {explain('false_positive')} {explain('false_negative')}")
        formula_expander("attacker", formulas.ATTACK)


def _attacks() -> explicit_curves.AttackCurves:
    return explicit_curves.attacks(present_scenario().epsilon0, EPSILON.value())


def _believed() -> Quantity:
    return quantity_of(default_noise(present_scenario().epsilon0).posterior, PRIOR.value())


def _headline() -> str:
    return told(
        "#### An attacker {prior:percent} sure becomes at most {believed} sure from one release with {epsilon0:level0}",
        prior=PRIOR.value(),
        believed=_believed(),
        epsilon0=present_scenario().epsilon0,
    )
