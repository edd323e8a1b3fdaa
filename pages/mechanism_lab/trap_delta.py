"""The trap of a δ near 1/n: it allows to publish whole records."""

import streamlit as st

from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.say import paragraph, told
from par_core.figures import lab_traps as figures
from par_core.lab import published_records as lab
from par_core.questions.glossary import explain
from par_core.rounding import rounded, small

EXPECTED = settings.number("td", "Records published, δ·n", 1.0, at_least=1e-3, at_most=lab.MOST_EXPECTED)
PEOPLE = settings.whole("tn", "People in the table, n", 1000, at_least=lab.FEWEST, at_most=10**9)

_STEPS = (*(round(lead * 10.0**power, 2) for power in (-2, -1, 0) for lead in (1, 2, 3, 5, 7)), 10.0)


def choose() -> None:
    dial(EXPECTED, hint=explain("records_published"), steps=_STEPS)
    controls.whole(PEOPLE, hint="Each person has one record.")


def show() -> None:
    own = _own()
    st.markdown(_headline())
    st.markdown("Each record is published with probability δ; that is (0, δ)-differential privacy, at ε = 0.")
    chart(
        lambda: figures.published_records(lab.published_records(lab.GRID, PEOPLE.value()), own=_own()),
        "whole_records",
        dials=(EXPECTED,),
        headline=_headline,
        alt="Chance that a whole record is published against δ·n: {own.each_alone} at δ·n = {own.expected:g} with {own.people:,} people.",
        own=own,
        notes={"source": own.source},
    )
    paragraph(
        "A mechanism that picks one record at random and publishes it with probability δ·n keeps the same promise: somebody is exposed in "
        "{own.one_at_most} of releases.",
        own=own,
    )
    paragraph(
        "So choose δ far below 1/n: at δ = 1/n² such a mechanism exposes somebody in {safe.one_at_most} of releases.",
        safe=lab.published_records(1 / PEOPLE.value(), PEOPLE.value()),
        help=explain("delta"),
    )


def _own() -> lab.PublishedRecords:
    return lab.published_records(EXPECTED.value(), PEOPLE.value())


def _headline() -> str:
    own = _own()
    return told(
        "## With δ = {delta} somebody's whole record may come out, in {own.each_alone} of releases",
        delta=small(rounded(own.delta)),
        own=own,
    )
