"""The trap of post-processing: clamping the output invents people, clamping the noise gives them away."""

from typing import Any

import streamlit as st

from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.dial import EPSILON_STEPS, dial
from pages.shared.say import paragraph, told
from par_core.figures import lab_traps as figures
from par_core.lab import clamping as lab
from par_core.questions.glossary import explain

CELLS = settings.whole("tc", "Empty cells", 1000, at_least=1, at_most=lab.MOST_CELLS)
BOUND: settings.Setting[Any] = settings.whole("tk", "Noise cut off at ±", 5, at_least=1, at_most=100)


def choose() -> None:
    choose_epsilon()
    controls.whole(CELLS, hint="Cells of a table in which there is truly nobody.")
    dial(BOUND, hint=explain("noise_cut_off"), steps=tuple(range(1, 21)))


def show() -> None:
    own = _invented()
    st.markdown(_headline())
    st.markdown("Clamping costs no privacy, but what it cuts off always lies below the true 0.")
    chart(
        lambda: figures.invented_people(lab.invented_people(CELLS.value(), EPSILON_STEPS), own=_invented()),
        "invented_people",
        dials=(EPSILON,),
        headline=_headline,
        alt="People who appear in {own.cells:,} empty cells against ε: {own.invented} at ε = {own.epsilon:g}.",
        own=own,
        notes={"source": own.source},
    )
    paragraph(
        "That is for discrete Laplace noise, which the release scripts draw for counts; with Laplace noise it would be {own.by_laplace}. "
        "Left as they are, the noisy counts would add up to 0 on average, with a standard deviation of {own.deviation}.",
        own=own,
        help=explain("clamped"),
    )
    _cut_off()


def _cut_off() -> None:
    found = _clamped()
    paragraph(
        "**Never clamp the noise itself.** Cut off at ±{found.bound:,} it gives an answer that the other table cannot give, in "
        "{found.impossible} of releases: then the loss is infinite. ε is gone, and δ is at least that much.",
        found=found,
    )
    chart(
        lambda: figures.clamped_noise(_clamped()),
        "clamped_noise",
        dials=(BOUND, EPSILON),
        alt="What two tables publish with noise cut off at ±{found.bound:d}: {found.impossible} of releases tell them apart.",
        found=found,
        notes={"source": found.source},
    )
    st.caption("Rounding, clamping or thresholding the noisy *answer* keeps ε: it looks at nothing but the answer.")


def _invented() -> lab.InventedPeople:
    return lab.invented_people(CELLS.value(), EPSILON.value())


def _clamped() -> lab.ClampedNoise:
    return lab.clamped_noise(BOUND.value(), EPSILON.value())


def _headline() -> str:
    return told(
        "## Negative counts set to 0: {own.cells:,} empty cells hold {own.invented} people, at {own.epsilon:level}",
        own=_invented(),
    )
