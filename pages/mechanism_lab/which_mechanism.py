"""Which mechanism? The error of each noise for 1 to 1,000 counts at the same ε and δ."""

import streamlit as st

from pages.mechanism_lab.lab_settings import DELTA, EPSILON, choose_epsilon
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import say, told
from pages.shared.words import counted, level
from par_core.figures import lab_which_mechanism as figures
from par_core.lab import which_mechanism
from par_core.questions.blocks import Formula
from par_core.questions.glossary import explain
from par_core.rounding import small

MEASURE = settings.choice("lwerr", "Error", tuple(which_mechanism.MEASURES))
MOVES = settings.choice("lwmoves", "One person moves", which_mechanism.MOVES)

_DELTA_STEPS = (*(float(f"{lead}e{power}") for power in range(-12, -1) for lead in (1, 3)), 0.1)
_MEASURES = {"average": "On average", "range": "95 of 100", "all": "All at once"}
_MOVES = {"all": "all counts", "one": "one count"}
_SAID = {
    "average": "how far off a count is on average",
    "range": "what a count stays within 95 times of 100",
    "all": "what all counts together stay within 95 times of 100",
}
_FORMULAS = (
    Formula(
        "Laplace noise for k counts",
        r"b = \Delta_1/\varepsilon,\qquad \Delta_1 = k\ \text{or}\ 1",
        which_mechanism.Compared,
        "Dwork, McSherry, Nissim and Smith 2006",
        "Adds up what one person moves. Discrete Laplace noise has the same scale, on whole numbers.",
    ),
    Formula(
        "Gaussian noise for k counts",
        r"\Phi\!\left(\tfrac{\mu}{2} - \tfrac{\varepsilon}{\mu}\right) - e^{\varepsilon}\,\Phi\!\left(-\tfrac{\mu}{2} - "
        r"\tfrac{\varepsilon}{\mu}\right) = \delta,\qquad \sigma = \Delta_2/\mu,\quad \Delta_2 = \sqrt{k}\ \text{or}\ 1",
        which_mechanism.Compared,
        "Balle and Wang 2018, Theorem 8",
        "The exact calibration, for any ε.",
    ),
)


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        dial(DELTA, hint=explain("gaussian_delta"), steps=_DELTA_STEPS)
        controls.choice(MOVES, hint=explain("person_moves"), words=_MOVES.__getitem__)
        controls.choice(MEASURE, hint=explain("error_measure"), words=_MEASURES.__getitem__)
    with main:
        found = _compared()
        st.markdown(_headline())
        moved = "all counts by 1 each" if MOVES.value() == "all" else "one count alone, by 1"
        st.markdown(say(f"One person moves {moved}; the error is {_SAID[MEASURE.value()]}.", standing_of=found))
        chart(
            lambda: figures.compared(_compared()),
            "which_mechanism",
            dials=(EPSILON, DELTA),
            headline=_headline,
            alt=f"Error of each noise against the number of counts, 1 to {found.k[-1]:,}. {_crossing(found)}",
            notes={"source": found.source, "delta": repr(found.delta)},
        )
        st.markdown(
            "Laplace noise grows with the number of counts that one person moves, Gaussian noise with its root. But the ε of Laplace noise "
            "holds without a δ, and discrete Laplace noise, which scripts draw for counts, can stay smaller for a few counts more."
        )
        st.caption(
            "Who goes from one cell of a histogram to another moves two counts: twice the Laplace noise, √2 times the Gaussian. Randomised "
            "response answers for a person, not for a table: see Coins."
        )
        formula_expander("which_mechanism", _FORMULAS)


def _compared() -> which_mechanism.Compared:
    return which_mechanism.compare(EPSILON.value(), DELTA.value(), measure=MEASURE.value(), moves=MOVES.value())


def _headline() -> str:
    epsilon, delta = EPSILON.value(), DELTA.value()
    first = which_mechanism.crossing(epsilon, delta, measure=MEASURE.value(), moves=MOVES.value())
    levels = f"{level(epsilon)}, δ\u00a0=\u00a0{small(delta)}"
    if first is None:
        return f"## Up to a million counts Laplace noise beats Gaussian noise at {levels}"
    return f"## From {counted(first, 'count')} on, Gaussian noise beats Laplace noise at {levels}"


def _crossing(found: which_mechanism.Compared) -> str:
    if found.first is None:
        return "Laplace noise is smaller for all of them."
    error = told("{found.crossing}", found=found)
    return f"Gaussian noise is smaller from {counted(found.first, 'count')} on, where its error is {error}."
