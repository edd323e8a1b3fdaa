"""Your table: from a private table to a plan that can be published, and the code that publishes by it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import badges, controls, downloads, jobs, links, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.page import Page, Section
from pages.shared.say import say
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.settings import present_scenario
from pages.shared.table_fields import Missing, error_words
from pages.shared.words import HARDLY_PRIVATE, amount, letters, level0
from pages.your_table import formulas
from pages.your_table.query_cells import draw_cells
from pages.your_table.query_controls import choose, open_table
from pages.your_table.query_words import (
    Choice,
    left_out_words,
    missing_words,
    plan_head,
    scenario_words,
    wish_words,
    within_words,
)
from par_core import rounding
from par_core.errors import InfeasibleError
from par_core.figures import your_table as figures
from par_core.queries import Kept, Kind, Mean, Part, PersonCounts, Sum
from par_core.release import (
    Measure,
    PlannedRelease,
    cells,
    epsilon0_for_release,
    error_curves,
    noun_of,
    plan,
    processed_error,
    split_evenly,
    within,
)
from par_core.scenario import Scenario

if TYPE_CHECKING:
    from par_core.export.release_code import ReleaseCode


WANTED = settings.number("want", "Largest error that will do", 10.0, at_least=1e-9, at_most=1e12)
_MEASURES = {
    "each": Measure.RANGE95,
    "all": Measure.ALL95,
    "total": Measure.TOTAL95,
    "average": Measure.EXPECTED,
}
MEASURE = settings.choice("meas", "Error of", tuple(_MEASURES))

_EPSILON0, _K, _SENSITIVITY = map(settings.scenario_setting, ("epsilon0", "k", "sensitivity"))
_MEASURE_WORDS = {"each": "Each number", "all": "All at once", "total": "Their total", "average": "On average"}


@dataclass(frozen=True)
class _Ready:
    """A choice with its plan at the present scenario, and the number of rows that it takes for public."""

    choice: Choice
    planned: PlannedRelease
    rows: int
    scenario: Scenario
    kept: Kept | None = None
    """What the cap leaves of the table: private."""


# --- the plan ---------------------------------------------------------------------------------------------------------


def _plan() -> None:
    main, side = chart_and_controls()
    with main:
        table = open_table()  # first: on a phone the controls stand far below
    with side:
        choice = choose(table)
    with main:
        ready = _planned(choice)
        if ready is None:
            return
        chosen, planned, scenario = ready.choice, ready.planned, ready.scenario
        _headline(ready)
        curves = error_curves(planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics, size=_guess(ready))
        chart(
            figures.error_against_epsilon0(curves, unit=chosen.unit),
            "error_against_epsilon0",
            alt=(
                f"Error of a published number against ε₀. At ε₀ = {scenario.epsilon0:g} it is within "
                f"{rounding.error(curves.own)} in 95 of 100 releases."
            ),
            notes={"source": curves.source, "standing": curves.standing.value},
        )
        _more(chosen, planned)
        words = scenario_words(planned, scenario, differs=_other_query(ready))
        st.caption(words, help=explain("sensitivity"))
        _offer_query(ready)
        _processing(planned)
        draw_cells(chosen, planned, scenario, size=_guess(ready))
        _take_along(ready)
        formula_expander("your_table", formulas.QUOTIENT if planned.is_pair else formulas.PLAN)


def _headline(ready: _Ready) -> None:
    """Say what a journalist would have to be told, and what “the truth” is."""
    chosen, planned, noun = ready.choice, ready.planned, noun_of(ready.planned)
    k = planned.query.k
    start = f"The published {noun}" if k == 1 else f"Each of the {k:,} published {noun}s"
    error = planned.quotient_error(size=chosen.guess).range95 if planned.is_pair else within(planned).each
    answer = f"{start} will be {within_words(error, chosen, of=' of the truth')} 95 times out of 100"
    if planned.is_pair:
        answer += f", if at least {chosen.guess:,} rows are averaged"
    st.markdown(f"#### {answer}", help=explain("range95"))
    st.markdown(f"That is the noise alone, whatever the data. {badges.of(planned)} {_truth_words(ready)}")


def _truth_words(ready: _Ready) -> str:
    """Say what the answer without noise leaves out or makes up, as far as the table shows it."""
    chosen, query, presented = ready.choice, ready.choice.query, PRESENT.value()
    words = []
    if ready.kept is not None and chosen.over == "truncate":
        most = ready.scenario.rows_per_person
        words.append(left_out_words(chosen, ready.kept, noun_of(ready.planned), most=most, presented=presented))
    if isinstance(query, Sum | Mean) and (missing := chosen.table.missing(query.column)):
        # A row without a value meets no condition on that column.
        meets = query.where is None or query.where.column != query.column
        if meets and not (isinstance(query, Mean) and query.skip_missing):
            words.append(missing_words(chosen, missing, presented=presented))
    return " ".join(words)


def _more(chosen: Choice, planned: PlannedRelease) -> None:
    """Say what else the plan promises."""
    query = planned.query
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


def _other_query(ready: _Ready) -> Part | None:
    """Return what one row of this query moves, if that is not what the scenario says."""
    planned, scenario = ready.planned, ready.scenario
    if planned.is_pair:
        return None
    one_row = planned.query.parts(planned.neighbours, 1, rows=ready.rows)[0]
    return None if (one_row.k, one_row.sensitivity) == (scenario.k, scenario.sensitivity) else one_row


def _offer_query(ready: _Ready) -> None:
    """Offer to make the scenario's sensitivity and k those of this query, so that other pages follow it."""
    one_row = _other_query(ready)
    smallest, largest = _SENSITIVITY.at_least or 0.0, _SENSITIVITY.at_most or 0.0
    if one_row is not None and smallest <= one_row.sensitivity <= largest:
        controls.button(
            f"Use sensitivity {amount(one_row.sensitivity, 6)} and k = {one_row.k:,} in my scenario",
            _use_query,
            one_row,
            hint="Then the other pages speak of this query.",
        )


def _use_query(one_row: Part) -> None:
    _K.put(one_row.k)
    _SENSITIVITY.put(one_row.sensitivity)


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
    clamped = processed_error(0, scale, whole=True, clamped=True)
    st.markdown(
        say(
            "Setting negative counts to 0 is free, it happens after the noise. It takes the average error of a cell that is truly empty "
            "from {clamped.worst_expected} to {clamped.expected}, but makes it {clamped.bias} too large on average: do not add up many "
            "such cells.",
            clamped=clamped,
        ),
        help=explain("post_processing"),
    )


# --- what is taken along ----------------------------------------------------------------------------------------------


def _take_along(ready: _Ready) -> None:
    planned = ready.planned
    st.markdown("##### Publish it")
    st.markdown(
        "**This page plans; it does not release.** Textbook floating-point noise is not private. The release code below is: it "
        "draws secure noise with OpenDP, on your own machine and your own file."
    )
    with st.container(horizontal=True):
        head = plan_head(ready.choice, planned, ready.scenario)
        head["link"] = f"?{links.full()}"  # bound now: the download runs later and without a session
        size = _guess(ready)
        st.download_button(
            "Plan (CSV)",
            data=lambda: downloads.as_csv(cells(planned, size=size), head),
            file_name="plan.csv",
            mime="text/csv",
            key="plan_csv",
            on_click="ignore",
            help="The query with its columns and categories, its ranges, ε and what is assumed. No exact answer and no file name.",
        )
        st.download_button(
            "Release code (Python)",
            data=lambda: _code(ready).text,
            file_name="release.py",
            mime="text/x-python",
            key="release_code",
            on_click="ignore",
            help="A script with your columns, categories, bounds and ε. It asks for the file when you run it.",
        )
    with st.expander("Before you run the code", key="about_code", on_change="rerun", type="compact") as about:
        if about.open:
            code = _code(ready)
            st.markdown("\n".join(f"- {letters(note)}" for note in code.notes))
            st.markdown("It needs these packages:")
            st.code("pip install " + " ".join(f"'{each}'" for each in code.requirements), language="bash")


def _code(ready: _Ready) -> ReleaseCode:
    """Return the release code; imported here, because only a reader who wants it needs it."""
    from par_core.export.release_code import planned_code

    chosen = ready.choice
    single_mean = isinstance(chosen.query, Mean) and not ready.planned.is_pair
    return planned_code(
        ready.planned,
        rows=ready.rows if single_mean else None,
        person=chosen.person or None,
        over=chosen.over,
        csv=chosen.table.written,
        person_kind=Kind.NUMBER if chosen.person and chosen.table.kind(chosen.person) == "number" else Kind.TEXT,
        dates=[column.name for column in chosen.table.columns if column.kind == "date"],
        header=[column.name for column in chosen.table.columns],
    )


# --- from the error to epsilon0 ---------------------------------------------------------------------------------------


def _inverse() -> None:
    main, side = chart_and_controls()
    with main:
        table = open_table()
    with side:
        wanted = controls.number(WANTED, hint="In the unit of the published number.")
        measure = controls.choice(MEASURE, hint=explain("measure"), words=_MEASURE_WORDS.__getitem__)
        choice = choose(table)
    with main:
        ready = _planned(choice)
        if ready is None:
            return
        chosen, planned, scenario = ready.choice, ready.planned, ready.scenario
        needed = _needed(ready, wanted, measure)
        if needed is not None:
            _say_needed(ready, wanted, measure, needed)
        curves = error_curves(planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics, size=_guess(ready))
        chart(
            figures.error_against_epsilon0(curves, unit=chosen.unit, wanted=wanted, found=needed),
            "epsilon0_for_error",
            alt=f"Error of a published number against ε₀, with the wanted error {wanted:g}"
            + (f", which takes ε₀ = {needed:g}." if needed is not None else "."),
            notes={"source": curves.source, "standing": curves.standing.value},
        )
        formula_expander("your_table_inverse", formulas.QUOTIENT if planned.is_pair else formulas.PLAN)


def _needed(ready: _Ready, wanted: float, measure: str) -> float | None:
    """Return the epsilon0 that keeps the error as small as wanted; say why if there is none."""
    try:
        return epsilon0_for_release(
            wanted,
            ready.planned,
            statistics=ready.scenario.statistics,
            measure=_MEASURES[measure],
            rows=ready.rows,
            size=_guess(ready),
        )
    except InfeasibleError as error:
        st.warning(error_words(error))
        return None


def _say_needed(ready: _Ready, wanted: float, measure: str, needed: float) -> None:
    scenario = ready.scenario
    st.markdown(f"#### For {wish_words(wanted, measure, ready.choice, ready.planned)}, {level0(needed)} is needed")
    st.markdown(f"A larger ε₀ would do too, at more cost to privacy. {badges.of(ready.planned)} {_truth_words(ready)}")
    if scenario.statistics > 1:
        st.markdown(f"That is for the whole release: {scenario.statistics:,} statistics share it equally.")
    if needed > HARDLY_PRIVATE:
        st.markdown("**With so large an ε₀ hardly anyone is protected.** Ask for less, or publish fewer numbers.")
    smallest, largest = _EPSILON0.at_least or 0.0, _EPSILON0.at_most or 0.0
    if not smallest <= needed <= largest:
        st.markdown(f"A scenario takes ε₀ from {smallest:g} to {largest:g} only.")
    controls.offer_epsilon0(needed)


# --- what both sections need ------------------------------------------------------------------------------------------


def _planned(choice: Choice | Missing) -> _Ready | None:
    """Return the plan for a choice; say what is missing or wrong if there is none."""
    if isinstance(choice, Missing):
        (st.error if choice.wrong else st.info)(choice.sentence)
        return None
    scenario = present_scenario()
    share = split_evenly(scenario.epsilon0, scenario.statistics).parts[0]
    rows, kept = choice.table.rows, None
    public = isinstance(choice.query, Mean) and not choice.query.is_pair(scenario.neighbours)
    if choice.person and (public or choice.over == "truncate"):
        kept = _kept(choice, scenario)
        if kept is None and public:
            return None
        rows = kept.number if public and kept is not None else rows
    planned = plan(
        choice.query, share, neighbours=scenario.neighbours, rows_per_person=scenario.rows_per_person, rows=rows
    )
    return _Ready(choice, planned, rows, scenario, kept)


def _kept(choice: Choice, scenario: Scenario) -> Kept | None:
    """Return what the cap leaves of the table, as soon as that is counted."""
    query, most = choice.query, scenario.rows_per_person
    work = partial(query.kept, choice.table.frame, person=choice.person, rows_per_person=most, over=choice.over)
    of_cells = query if isinstance(query, PersonCounts) else None  # the rows that are kept depend on no query
    inputs = (choice.table.digest, choice.person, choice.over, most, of_cells)
    result: jobs.Result[Kept] | None = jobs.run("kept", work, inputs=inputs, label="Counting what is left out")
    return result.value if result is not None and result.complete else None


def _guess(ready: _Ready) -> float | None:
    return ready.choice.guess if ready.planned.is_pair else None


PAGE = Page(
    "your_table",
    "You hold a table of persons and have to publish numbers from it. How far off will they be?",
    (
        Section("plan", "How far off", _plan),
        Section("wanted", "ε₀ for a wanted error", _inverse),
    ),
    says_accuracy=True,  # the sentence under the question would speak of the scenario's own query
)
