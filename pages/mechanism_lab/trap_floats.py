"""The trap of floating point: the last bits of a noisy number tell the tables apart."""

from typing import Any

import streamlit as st

from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon
from pages.shared import settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.say import paragraph, told
from par_core.figures import lab_traps as figures
from par_core.lab import float_noise as lab
from par_core.questions.glossary import explain

BITS: settings.Setting[Any] = settings.whole(
    "tb", "Bits of a number", 11, at_least=lab.FEWEST_BITS, at_most=lab.MOST_BITS
)


def choose() -> None:
    dial(BITS, hint=explain("float_bits"), steps=tuple(range(lab.FEWEST_BITS, lab.MOST_BITS + 1)))
    choose_epsilon()


def show() -> None:
    own = _own()
    st.markdown(_headline())
    st.markdown("Each column is one number that the computer can hold, just above the next.")
    chart(
        lambda: figures.float_noise(_own()),
        "float_noise",
        dials=(BITS, EPSILON),
        headline=_headline,
        alt="Neighbouring numbers of {own.bits:d} bits and the tables they come from; {own.exposed} of releases tell them apart.",
        own=own,
        notes={"source": own.source},
    )
    paragraph(
        "More bits do not help: with {most.bits:d} it is {most.exposed}. A double has 53, too many to count here, and fails alike "
        "(Mironov, 2012).",
        most=lab.float_noise(lab.MOST_BITS, EPSILON.value()),
    )
    st.markdown(
        "The noise is b times the logarithm of a random number, and only some numbers are such a product; 1 plus such a product is mostly "
        "another number. Discrete Laplace noise on whole steps can come out anywhere from either table: that is what the release scripts "
        "draw."
    )
    st.caption(
        "Every outcome is counted: each random number of so many bits, each sign, each step rounded as the processor does."
    )


def _own() -> lab.FloatNoise:
    return lab.float_noise(BITS.value(), EPSILON.value())


def _headline() -> str:
    return told("## {own.exposed} of noisy numbers of {own.bits:d} bits can come out of one table only", own=_own())
