"""The section "ε₀ for a wanted error": from the error that will do to the ε₀ that it takes."""

from __future__ import annotations

import streamlit as st

from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import as_told
from pages.shared.words import HARDLY_PRIVATE, as_sentence, level0
from pages.your_table import formulas, planned_release
from pages.your_table.planned_release import Ready
from pages.your_table.query_words import wish_words
from par_core.errors import InfeasibleError
from par_core.figures import your_table as figures
from par_core.queries.sensitivity import AS_MANY
from par_core.questions.glossary import explain
from par_core.release import Measure, epsilon0_for_release, scenario_of
from par_core.rounding import small
from par_core.standing import quantity_of

WANTED = settings.number("want", "Largest error that will do", 10.0, at_least=1e-9, at_most=1e12)
MEASURES = {"each": Measure.RANGE95, "all": Measure.ALL95, "total": Measure.TOTAL95, "average": Measure.EXPECTED}
MEASURE = settings.choice("meas", "Error of", tuple(MEASURES))

_EPSILON0 = settings.scenario_setting("epsilon0")
_MEASURE_WORDS = {"each": "Each number", "all": "All at once", "total": "Their total", "average": "On average"}


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    with side:
        wanted = controls.number(WANTED, hint="In the unit of the published number.")
        measure = controls.choice(MEASURE, hint=explain("measure"), words=_MEASURE_WORDS.__getitem__)
    ready = planned_release.start(main, side)
    if ready is None:
        return
    with main:
        needed = _needed(ready, wanted, measure)
        if needed is not None:
            _say_needed(ready, wanted, measure, needed)
        curves = ready.curves()
        chart(
            lambda: figures.error_against_epsilon0(
                ready.now().curves(), unit=ready.choice.unit, wanted=wanted, found=needed
            ),
            "epsilon0_for_error",
            dials=(_EPSILON0,),
            about=f"{ready.about} {needed}",
            alt=f"Error of a published number against ε₀, with the wanted error {wanted:g}"
            + (f", which takes ε₀ = {needed:g}." if needed is not None else "."),
            notes={"source": curves.source, "standing": curves.standing.value},
        )
        if needed is not None:
            _beyond(ready, needed)
        formula_expander("your_table_inverse", formulas.of(ready.planned))


def _needed(ready: Ready, wanted: float, measure: str) -> float | None:
    """Return the epsilon0 that keeps the error as small as wanted; say why if there is none."""
    try:
        needed = quantity_of(
            epsilon0_for_release,
            wanted,
            ready.planned,
            statistics=ready.scenario.statistics,
            measure=MEASURES[measure],
            rows=ready.rows,
            size=ready.size,
            digits=15,
        )
    except InfeasibleError as error:
        st.warning(as_sentence(str(error)))
        return None
    return as_told(needed)


def _say_needed(ready: Ready, wanted: float, measure: str, needed: float) -> None:
    """Say which ε₀ keeps the wish, and what it costs."""
    st.markdown(f"## {level0(needed)} keeps {wish_words(wanted, measure, ready.choice, ready.planned)}")
    enough = "That is enough"
    if ready.planned.is_pair:
        enough += f" if at least {ready.choice.guess:,} rows are averaged"
    if ready.planned.assumes_as_many:
        enough += f" if {AS_MANY}"
    cost = "a larger one costs more privacy"
    if needed > HARDLY_PRIVATE:
        cost = "but with so large an ε₀ **hardly anyone is protected**"
    if ready.planned.norm == "L2":
        enough += f", at δ\u00a0=\u00a0{small(ready.planned.delta)}"
    left_out = ready.left_out()
    before = f" Before any noise, {left_out}." if left_out else ""
    st.markdown(f"{enough}; {cost}. {badges.of(ready.planned)}{before} {ready.missing()}")


def _beyond(ready: Ready, needed: float) -> None:
    """Say what the ε₀ is for and where it is too large, and offer it."""
    if ready.scenario.statistics > 1:
        share = "share it equally" if ready.planned.norm == "L1" else "keep it together"
        st.markdown(f"That is for the whole release: {ready.scenario.statistics:,} statistics {share}.")
    if needed > HARDLY_PRIVATE:
        st.markdown("To protect people, ask for less accuracy or publish fewer numbers.")
    if not controls.takes(_EPSILON0, needed):
        st.markdown(f"A scenario takes ε₀ from {_EPSILON0.at_least:g} to {_EPSILON0.at_most:g} only.")
    if (query := scenario_of(ready.planned, ready.scenario)) is not None:  # else Decide could not speak of it
        controls.offer_epsilon0(needed, query=query)
