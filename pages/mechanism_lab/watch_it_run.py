"""Watch it run: releases rain into a histogram, and few are off by more than the bound."""

from typing import Any

import streamlit as st

from pages.mechanism_lab.lab_settings import DELTA, EPSILON, NOISE, choose_epsilon
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, told
from par_core.figures import lab_watch_it_run as figures
from par_core.lab.watch_it_run import MOST_NUMBERS, MOST_RELEASES, Run, run
from par_core.mechanisms import NOISES, default_noise
from par_core.questions.blocks import Formula
from par_core.questions.glossary import explain

RELEASES: settings.Setting[Any] = settings.whole("lrn", "Releases so far", 100, at_least=1, at_most=MOST_RELEASES)
BETA = settings.number("lrb", "Share β that may be off by more", 0.05, at_least=1e-4, at_most=0.5)
NUMBERS = settings.whole("lrk", "Numbers in a release, k", 1, at_least=1, at_most=MOST_NUMBERS)
SEED = settings.whole("lrs", "Seed", 1, at_least=0, at_most=10**9)

_STEPS = (*(lead * 10**power for power in range(4) for lead in (1, 2, 3, 4, 5, 7)), MOST_RELEASES)
_FORMULAS = (
    Formula(
        "(α, β)-accuracy of Laplace noise: α, which a release keeps with probability 1 − β",
        r"\|\text{error}\|_\infty \le \frac{\Delta}{\varepsilon} \ln\frac{1}{1 - (1 - \beta)^{1/k}}"
        r" \le \frac{\Delta}{\varepsilon} \ln\frac{k}{\beta}",
        default_noise(1.0),
        "law of k independent errors; the right side is the lecture's, page 25: the union bound",
        "For k = 1 both are the same.",
    ),
)


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    with side:
        dial(RELEASES, hint=explain("lab_releases"), steps=_STEPS)
        choose_epsilon()
        if controls.choice(NOISE, hint=explain("lab_noise"), words=lambda kind: NOISES[kind].name) == "gaussian":
            controls.number(DELTA, hint=explain("delta"))
        controls.number(BETA, hint=explain("lab_beta"), step=0.01)
        controls.whole(NUMBERS, hint=explain("lab_numbers"))
        controls.whole(SEED, hint=explain("lab_seed"))
    with main:
        seen = _seen()
        st.markdown(_headline())
        paragraph(
            "So far {seen.share}, with a {seen.level:percent} interval from {seen.lower} to {seen.upper}.",
            seen=seen,
            help=explain("lab_interval"),
        )
        chart(
            lambda: figures.histogram(_seen()),
            "watch_it_run",
            dials=(RELEASES, EPSILON),
            headline=_headline,
            alt="Errors of {seen.releases:,} releases; {seen.beyond:,} were off by more than {seen.off}.",
            seen=seen,
            notes={"source": seen.source, "limits": seen.limits},
        )
        _bounds(seen)
        formula_expander("watch_it_run", _FORMULAS)


def _seen() -> Run:
    return run(
        NOISE.value(),
        EPSILON.value(),
        RELEASES.value(),
        delta=DELTA.value(),
        k=NUMBERS.value(),
        beta=BETA.value(),
        seed=SEED.value(),
    )


def _headline() -> str:
    return told(
        "## {seen.beyond:,} of {seen.releases:,} releases were off by more than {seen.off}; at most {seen.beta:percent} are expected",
        seen=_seen(),
    )


def _bounds(seen: Run) -> None:
    """Say where the bound comes from."""
    if seen.union and seen.k > 1:
        paragraph(
            "The lecture’s bound, ln(k/β)·Δ/ε, is {seen.union}. It adds up the chances of {seen.k:,} numbers; as their errors are "
            "independent, {seen.off} is enough.",
            seen=seen,
        )
    elif seen.union:
        paragraph("For one number the lecture’s bound, ln(1/β)·Δ/ε, is exact: {seen.off}.", seen=seen)
    elif seen.is_whole:
        paragraph(
            "Errors are whole numbers, and {seen.off} is the smallest that no more than a share β exceeds: in the long run fewer do.",
            seen=seen,
        )
    else:
        paragraph("The bound, {seen.off}, is exact. The lecture’s ln(k/β)·Δ/ε is for Laplace noise.", seen=seen)
    st.caption("Each number has noise of its own. The more releases, the closer the bars come to the line.")
