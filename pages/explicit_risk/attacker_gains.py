"""What the best attack gains from one release: its errors, its advantage, and what it comes to believe."""

import streamlit as st

from pages.explicit_risk import formulas
from pages.explicit_risk.published_risk import DIALS, EPSILON, choose_epsilon
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.release import is_possible
from pages.shared.say import paragraph, told
from pages.shared.settings import present_scenario
from par_core.figures import explicit_risk as figures
from par_core.mechanisms import StrongestBelief
from par_core.risk.attacks import attacks_on, believed_after, lost
from par_core.risk.explicit_curves import AttackCurves
from par_core.rounding import small
from par_core.scenario import Neighbours

ABOUT = settings.choice("att", "Releases", ("one", "all"))
PRIOR = settings.number("prior", "Belief before", 0.5, at_least=0.0, at_most=1.0)

_SMALLEST = 1e-6  # level that is composed
_RARELY = 0.01  # what happens no more often is left out of what is usual
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
        if scenario.releases > 1:
            words = {"one": "One", "all": f"All {scenario.releases:,}"}.__getitem__
            controls.choice(
                ABOUT, words=words, hint="One release, or all that your scenario plans, by exact composition."
            )
    with main:
        if not is_possible() or not _can_be_composed():
            return
        curves, believed = _attacks(), _believed()
        st.markdown(_headline())
        paragraph(
            "They know everyone else's data and ask whether {suspicion}.",
            suspicion=_SUSPICION[scenario.neighbours],
            standing_of=believed,
            help=explain("posterior"),
        )
        chart(
            lambda: figures.posterior(_attacks(), prior=prior, believed=_believed().believed),
            "attack_belief",
            dials=_dials(),
            headline=_headline,
            alt="Belief after against belief before: {prior:percent} becomes at most {believed.believed}.",
            prior=prior,
            believed=believed,
            notes={"source": curves.source},
        )
        _more_than_that(believed)
        paragraph(
            "The membership advantage (TPR − FPR) of their best attack is **{curves.advantage0}**; with noise for {curves.epsilon:level} "
            "it would be {curves.advantage}. 0 is blind guessing.",
            curves=curves,
            help=explain("advantage"),
        )
        chart(
            lambda: figures.tradeoff(_attacks()),
            "attack_errors",
            dials=_dials(),
            alt="Smallest false-negative rate against false-positive rate; advantage {curves.advantage0} at ε₀ = {curves.epsilon0:g} and "
            "{curves.advantage} at ε = {curves.epsilon:g}.",
            curves=curves,
            notes={"source": curves.source},
        )
        _in_one_number()
        st.caption(f"The trade-off function: {explain('false_positive')} {explain('false_negative')}")
        formula_expander("attacker", formulas.ATTACK)


def _more_than_that(believed: StrongestBelief) -> None:
    """Say how often more is learnt, or how much less is usual, where these are not one."""
    if believed.rare:
        paragraph(
            "In {believed.rare} of releases they learn more: the loss of this mechanism has no largest value.",
            believed=believed,
        )
    elif _releases() > 1:
        usual = _believed(largest=False)
        if usual.rare < _RARELY and usual.believed < believed.believed:
            paragraph("In all but {usual.rare} of cases they are at most {usual.believed} sure.", usual=usual)


def _in_one_number() -> None:
    """Say which Gaussian noise gives away as much as all that, and how far that is from the truth."""
    paragraph(
        "In one number: Gaussian differential privacy with **μ = {found.mu}** and a regret of {found.regret}.",
        found=lost(present_scenario(), _releases()).gaussian,
        help=explain("gaussian_dp"),
    )


def _dials() -> tuple[settings.Setting[float], ...]:
    """The dials that the charts follow: releases together take too long to be composed at every stop."""
    return DIALS if _releases() == 1 else ()


def _releases() -> int:
    return present_scenario().releases if ABOUT.value() == "all" else 1


def _can_be_composed() -> bool:
    lowest = min(present_scenario().epsilon0, EPSILON.value())
    if _releases() > 1 and lowest < _SMALLEST:
        st.warning(f"Releases are composed from a level of {small(_SMALLEST)} on; change ε or ε₀.")
        return False
    return True


def _attacks() -> AttackCurves:
    return attacks_on(present_scenario(), EPSILON.value(), releases=_releases())


def _believed(*, largest: bool = True) -> StrongestBelief:
    return believed_after(present_scenario(), PRIOR.value(), releases=_releases(), largest=largest)


def _headline() -> str:
    number = _releases()
    return told(
        "## An attacker {prior:percent} sure becomes at most {believed.believed} sure from {what} with {epsilon0:level0}",
        prior=PRIOR.value(),
        believed=_believed(),
        what="one release" if number == 1 else f"{number:,} releases",
        epsilon0=present_scenario().epsilon0,
    )
