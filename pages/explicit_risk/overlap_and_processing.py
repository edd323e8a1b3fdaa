"""How alike two noises are, and what happens to the paper's promise when an answer is processed."""

import streamlit as st

from pages.explicit_risk import formulas
from pages.explicit_risk.published_risk import DIALS, EPSILON, choose_epsilon
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.release import only_laplace
from pages.shared.say import paragraph, told
from pages.shared.settings import present_scenario
from pages.shared.words import amount
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.risk import explicit_curves, relaxations

THRESHOLD = settings.number("th", "Threshold", 0.5, at_least=-1e6, at_most=1e6)


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        controls.number(THRESHOLD, hint=explain("threshold"), step=0.1)
        example = {EPSILON: 0.8, THRESHOLD: 0.5, settings.scenario_setting("epsilon0"): 1.0}
        hint = "Sets ε₀ = 1, ε = 0.8 and the threshold 0.5."
        controls.button("The example with ε₀ = 1", settings.put_all, example, hint=hint)
    with main:
        _overlap()
        _post_processing()
        only_laplace("This section is")
        formula_expander("pieces", formulas.PIECES)


def _curves() -> explicit_curves.NoiseOverlap:
    return explicit_curves.noise_overlap(present_scenario().epsilon0, EPSILON.value())


def _headline() -> str:
    return told("## An overlap of {curves.overlap} says nothing about the privacy loss", curves=_curves())


def _overlap() -> None:
    curves = _curves()
    st.markdown(_headline())
    paragraph(
        "That is the area shared by the noise for {epsilon0:level0} and the noise for {epsilon:level}.",
        epsilon0=present_scenario().epsilon0,
        epsilon=EPSILON.value(),
        standing_of=curves.quantity("overlap"),
        help=explain("overlap"),
    )
    chart(
        lambda: figures.overlap(_curves()),
        "noise_overlap",
        dials=DIALS,
        headline=_headline,
        alt="Two noise densities; they share an area of {curves.overlap}.",
        curves=curves,
        notes={"source": curves.source},
    )
    st.markdown(
        "The paper concludes that the one gives the privacy of the other that often. It does not: the privacy loss depends on how far "
        "two neighbouring *tables* move the answer."
    )


def _thresholded() -> relaxations.ThresholdedLoss:
    return relaxations.thresholded_loss(EPSILON.value(), present_scenario().epsilon0, threshold=THRESHOLD.value())


def _post_processing() -> None:
    own = _thresholded()

    def figure() -> Drawing:
        curves = explicit_curves.post_processing(present_scenario().epsilon0, THRESHOLD.value())
        return figures.thresholded(curves, own=_thresholded())

    moral = (
        "So privacy at risk is not kept by post-processing (Corollary 2 of the paper says so, rightly)."
        if own.exceeds_after > own.exceeds_before
        else "Here it did not rise; with the threshold 0.5 and ε a little below ε₀ it can."
    )
    paragraph(
        "Publish only whether the noisy answer is above {threshold}. Before, in the worst case, the loss is above {own.epsilon:level} in "
        "{own.exceeds_before} of releases; afterwards in **{own.exceeds_after}**. The loss is now {own.loss_above:+.3f} for “above” "
        f"and {{own.loss_below:+.3f}} for “not above”. {moral} The guarantee of ε₀ always stays.",
        own=own,
        threshold=amount(THRESHOLD.value()),
        help=explain("post_processing"),
    )
    chart(
        figure,
        "post_processing",
        dials=DIALS,
        alt="Probability that the absolute loss is above ε, before and after a threshold: {own.exceeds_before} and {own.exceeds_after} "
        "at ε = {own.epsilon:g}.",
        own=own,
        notes={"source": own.source},
    )
