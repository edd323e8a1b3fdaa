"""The section "How far off": the error that the plan promises, its cells, and what is taken along."""

from __future__ import annotations

import streamlit as st

from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.say import say
from pages.shared.words import amount
from pages.your_table import formulas, plan_and_code, planned_release
from pages.your_table.planned_release import Ready
from pages.your_table.query_cells import draw_cells
from pages.your_table.query_words import scenario_words, within_words
from par_core import rounding
from par_core.figures import your_table as figures
from par_core.queries import Mean, Part, Sum
from par_core.release import PlannedRelease, noun_of, processed_error, within

_K, _SENSITIVITY = map(settings.scenario_setting, ("k", "sensitivity"))


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    ready = planned_release.start(main, side)
    if ready is None:
        return
    chosen, planned, scenario, curves = ready.choice, ready.planned, ready.scenario, ready.curves()
    with main:
        _headline(ready)
        chart(
            figures.error_against_epsilon0(curves, unit=chosen.unit),
            "error_against_epsilon0",
            alt=(
                f"Error of a published number against ε₀. At ε₀ = {scenario.epsilon0:g} it is within "
                f"{rounding.error(curves.own)} in 95 of 100 releases."
            ),
            notes={"source": curves.source, "standing": curves.standing.value},
        )
        _more(ready)
        other = _other_query(ready)
        st.caption(scenario_words(planned, scenario, differs=other), help=explain("sensitivity"))
        if other is not None and controls.takes(_SENSITIVITY, other.sensitivity):
            controls.button(
                f"Use sensitivity {amount(other.sensitivity, 6)} and k = {other.k:,} in my scenario",
                settings.put_all,
                {_K: other.k, _SENSITIVITY: other.sensitivity},
                hint="Then the other pages speak of this query.",
            )
        _processing(planned)
        draw_cells(chosen, planned, scenario, size=ready.size)
        plan_and_code.draw(ready)
        formula_expander("your_table", formulas.of(planned))


def _headline(ready: Ready) -> None:
    """Say what a journalist would have to be told, and what “the truth” is."""
    chosen, planned, noun = ready.choice, ready.planned, noun_of(ready.planned)
    k = planned.query.k
    start = f"The published {noun}" if k == 1 else f"Each of {k:,} published {noun}s"
    error = planned.quotient_error(size=chosen.guess).range95 if planned.is_pair else within(planned).each
    answer = f"{start} is {within_words(error, chosen, of=' of the truth')} in 95 of 100 releases"
    st.markdown(f"#### {answer}", help=explain("range95"))
    assumed = f", if at least {chosen.guess:,} rows are averaged" if planned.is_pair else ""
    st.markdown(f"That is the noise alone, whatever the data{assumed}. {badges.of(planned)} {ready.truth_words()}")


def _more(ready: Ready) -> None:
    """Say what else the plan promises."""
    chosen, planned, query = ready.choice, ready.planned, ready.planned.query
    if planned.is_pair:
        st.markdown(
            "How many rows are averaged is private: a noisy sum is divided by a noisy count, each with half of this statistic's ε. "
            "Your guess stands in for their number."
        )
    elif query.k > 1:
        ranges = within(planned)
        st.markdown(
            f"All {query.k:,} at once will be **{within_words(ranges.every, chosen)}**, and their total "
            f"**{within_words(ranges.total, chosen)}**, as often. {badges.of(planned)}"
        )
    if isinstance(query, Sum | Mean):
        st.markdown(
            f"“The truth” is the {noun_of(planned)} after values outside {query.lower:,.15g} to {query.upper:,.15g} were moved to the "
            "nearest bound. What that changes comes on top."
        )


def _other_query(ready: Ready) -> Part | None:
    """Return what one row of this query moves, if that is not what the scenario says."""
    planned, scenario = ready.planned, ready.scenario
    if planned.is_pair:
        return None
    one_row = planned.query.parts(planned.neighbours, 1, rows=ready.rows)[0]
    return None if (one_row.k, one_row.sensitivity) == (scenario.k, scenario.sensitivity) else one_row


def _processing(planned: PlannedRelease) -> None:
    """Say what may be done with the noisy numbers for free."""
    if planned.is_pair or not planned.parts[0].part.whole:
        st.markdown(
            "Rounding the published number or moving it back inside what is possible costs no privacy: it happens after the noise.",
            help=explain("post_processing"),
        )
        return
    scale = planned.parts[0].error.scale
    if scale > 1e12:  # what is cut off is no matter then
        return
    st.markdown(
        say(
            "Setting negative counts to 0 is free, it happens after the noise. It takes the average error of a cell that is truly empty "
            "from {clamped.worst_expected} to {clamped.expected}, but makes it {clamped.bias} too large on average: do not add up many "
            "such cells.",
            clamped=processed_error(0, scale, whole=True, clamped=True),
        ),
        help=explain("post_processing"),
    )
