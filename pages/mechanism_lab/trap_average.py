"""The trap of an average over a private count."""

from typing import Any

import streamlit as st

from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon
from pages.shared import settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.say import paragraph, told
from par_core.figures import lab_traps as figures
from par_core.lab import private_average as lab
from par_core.questions.glossary import explain
from par_core.standing import quantity_of

PEOPLE: settings.Setting[Any] = settings.whole("tm", "People in the average, n", 5, at_least=1, at_most=1000)

_STUDENTS, _MEAN, _WITHOUT = 40, 90.0, 91.0


def choose() -> None:
    dial(PEOPLE, hint=explain("private_count"), steps=(*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 70, 100))
    choose_epsilon()


def show() -> None:
    own = _own()
    st.markdown(_headline())
    st.markdown("One person joins: the noise, made for 1/n, changes its width, and the loss has no bound.")
    chart(
        lambda: figures.private_scale(_own()),
        "private_average",
        dials=(PEOPLE, EPSILON),
        headline=_headline,
        alt="Privacy loss against the published average of {own.people:,} people: larger than ε = {own.epsilon:g} in "
        "size in {own.exceeds} of releases.",
        own=own,
        notes={"source": own.source},
    )
    paragraph(
        "All {own.people:,} have the value 0, the one who joins has 1. One release in 1,000 loses {own.rare_loss} or more: with many "
        "people that is little above ε, with few it is not.",
        own=own,
        help=explain("loss"),
    )
    st.markdown(
        "A noisy sum divided by the exact count is the same mistake: its noise is divided by n too. Add noise to the sum *and* to the "
        "count, each with a part of ε, and divide: that costs nothing more."
    )
    paragraph(
        "Without noise two averages give everything away: {students} students have a mean of {mean:g}; one leaves, and it is {without:g}. "
        "That one has **{grade}**.",
        students=_STUDENTS,
        mean=_MEAN,
        without=_WITHOUT,
        grade=quantity_of(lab.value_of_leaver, _STUDENTS, _MEAN, mean_without=_WITHOUT),
    )


def _own() -> lab.PrivateScale:
    return lab.private_scale(PEOPLE.value(), EPSILON.value())


def _headline() -> str:
    return told(
        "## Noise scaled by a private count breaks {own.epsilon:level} in {own.exceeds} of releases", own=_own()
    )
