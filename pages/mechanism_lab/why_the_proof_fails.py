"""Why the proof of Theorem 4 fails: one noise draw seen from two tables, which it takes for two draws, in four steps."""

from typing import Any

import streamlit as st

from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, told
from par_core.figures import lab_proof as figures
from par_core.figures.drawing import Drawing
from par_core.lab import why_the_proof_fails as lab
from par_core.questions.glossary import explain
from par_core.risk import explicit_curves

STEP: settings.Setting[Any] = settings.whole("ps", "Step", 1, at_least=1, at_most=4)
DRAW = settings.number("pn", "Noise drawn", 1.25, at_least=1 - lab.VIEW, at_most=lab.VIEW)
HOPED = settings.number("ph", "Level hoped for, ε as a part of ε₀", 0.5, at_least=0.01, at_most=0.99)

_DRAWS = tuple(step / 4 for step in range(-16, 21))
_PARTS = tuple(step / 20 for step in range(1, 20))
_SENTENCES = {
    1: "All is in units of the sensitivity: how far one person moves the answer at most.",
    2: "Table y answers 1: the two noises are always 1 apart, because there is one draw.",
    3: "The proof draws X₁ and X₂ independently and gets the cloud; one draw gives the dark line.",
    4: "Dashed: the law of two independent draws, Theorem 4; solid: that of the one draw there is.",
}


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        dial(STEP, hint=explain("proof_step"), steps=(1, 2, 3, 4))
        choose_epsilon(label="Privacy level ε₀")
        if STEP.value() < 4:
            dial(DRAW, hint=explain("noise_drawn"), steps=_DRAWS)
        else:
            dial(HOPED, hint=explain("epsilon"), steps=_PARTS)
        st.caption("ε₀ is what the noise is made for, ε what the paper hopes to reach with it.")
        controls.button(
            "The example with ε₀ = 1", settings.put_all, {EPSILON: 1.0, HOPED: 0.5}, hint="Sets ε₀ = 1 and ε = 0.5."
        )
    with main:
        st.markdown(_headline())
        st.markdown(_SENTENCES[STEP.value()])
        drawn, own = _drawn(), _own()
        chart(
            _figure,
            "one_noise_two_tables",
            dials=(STEP, EPSILON, DRAW if STEP.value() < 4 else HOPED),
            headline=_headline,
            alt="Step {step} of 4: {said}.",
            step=STEP.value(),
            said=_headline().removeprefix("## "),
            notes={"source": f"{drawn.source}; {own.source}"},
        )
        _losses(drawn, own)
        with st.popover("Which line of the proof is false?"):
            _which_line()


def _drawn() -> lab.OneDraw:
    return lab.one_draw(DRAW.value(), EPSILON.value())


def _own() -> explicit_curves.RiskAt:
    epsilon0 = EPSILON.value()
    return explicit_curves.risk_at(HOPED.value() * epsilon0, epsilon0)


def _headline() -> str:
    words = {
        1: "## Table x answers 0, the noise drawn is {drawn.noise}: {drawn.noise} is published",
        2: "## From table y the same release is a noise of {drawn.noise_from_y}, not {drawn.noise}",
        3: "## {pairs.on_edge} of releases lie on the outer lines (loss ±ε₀), but none of the proof's pairs",
        4: "## The loss exceeds {own.epsilon:level} in {own.exact_risk} of releases; the proof says {own.risk}",
    }
    pairs = lab.noise_pairs(EPSILON.value())
    return told(words[STEP.value()], drawn=_drawn(), pairs=pairs, own=_own())


def _figure() -> Drawing:
    step, drawn, own = STEP.value(), _drawn(), _own()
    if step < 3:
        return figures.one_draw(drawn, both=step == 2)
    if step == 3:
        return figures.pairs(lab.noise_pairs(own.epsilon0), draw=drawn, epsilon=own.epsilon)
    return figures.law(explicit_curves.truth(own.epsilon0), own=own)


def _losses(drawn: lab.OneDraw, own: explicit_curves.RiskAt) -> None:
    """Say below the chart what this draw loses, and how large the gap is."""
    paragraph(
        "The privacy loss of this release is {drawn.loss}: ε₀ · (X₂ − X₁), where the noise has the size X₁ = {drawn.first} seen from "
        "x and X₂ = {drawn.second} seen from y.",
        drawn=drawn,
    )
    paragraph(
        "In {own.exact_risk} of releases its size exceeds {own.epsilon:level}; with two independent draws that would be {own.risk}.",
        own=own,
        help=badges.legend("par-theorem-4", "par-equation-17"),
    )


def _which_line() -> None:
    st.markdown(
        "*Privacy at Risk*, appendix B, for an answer z of the table x and its neighbour y.  \n"
        "**Lemma 6** is right: |X₁ − X₂| ≤ Δf, where X₁ = Σ|f(xᵢ) − zᵢ| and X₂ = Σ|f(yᵢ) − zᵢ|.  \n"
        "**Equation 15** takes both f(x) − z and f(y) − z for Lap(Δf/ε₀). There is one z: if the first is, the second has its centre at "
        "f(y) − f(x).  \n"
        "**Equation 17** then puts X₁ and X₂ into Lemmas 9 and 10, which are about *independent* Gamma(k, Δf/ε₀) variables. Here X₁ and "
        "the sign of the noise fix X₂. **This is the false link**; equation 18 and Theorem 4 inherit it."
    )
