"""The section "How far off": the error that the plan promises, its cells, and what is taken along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.shared import badges, controls, navigation, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import say
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.words import amount, counted
from pages.your_table import formulas, plan_and_code, planned_release
from pages.your_table.planned_release import Ready
from pages.your_table.query_cells import draw_cells
from pages.your_table.query_settings import ONCE
from pages.your_table.query_words import comparison_words, replaced_words, scenario_words, within_words
from par_core import rounding
from par_core.export import plan_words
from par_core.figures import your_table as figures
from par_core.mechanisms import MECHANISMS
from par_core.queries import Count, CountBy, Mean, Part, PersonCounts, Sum
from par_core.queries.sensitivity import AS_MANY
from par_core.questions.glossary import explain
from par_core.release import PlannedRelease, compare_noise, noun_of, processed_error, scenario_of, within

_EPSILON0, _CAP = map(settings.scenario_setting, ("epsilon0", "rows_per_person"))

_SHARED = {
    "L1": "Each gets half of this statistic's ε.",
    "L2": "They keep ε₀ and δ together.",
}
_TOYS = {  # where a mechanism that adds no noise to numbers can be tried
    "randomised-response": ("Coins, in the Mechanism lab", "coins"),
    "exponential": ("Choose one of many, in the Mechanism lab", "choose"),
}


def draw(open_counts: Callable[[], None]) -> None:
    """Draw the section; `open_counts` opens the one for readers without a file."""
    main, side = chart_and_controls()
    ready = planned_release.start(main, side)
    with side:
        if ready is not None:
            controls.beside(_EPSILON0, "ε₀ of the release", hint=explain("epsilon0"))
        controls.button("No file at hand? Bring only counts", open_counts)
    if ready is None:
        return
    chosen, planned, scenario, curves = ready.choice, ready.planned, ready.scenario, ready.curves()
    with main:
        _instead(ready)
        _answer(ready)
        chart(
            lambda: figures.error_against_epsilon0(ready.now().curves(), unit=chosen.unit),
            "error_against_epsilon0",
            dials=(_EPSILON0,),
            headline=lambda: _headline(ready.now()),
            about=ready.about,
            alt=(
                f"Error of a published number against ε₀. At ε₀ = {scenario.epsilon0:g} it is within "
                f"{rounding.error(curves.own)} in 95 of 100 releases."
            ),
            notes={"source": curves.source, "standing": curves.standing.value},
        )
        _compare(ready)
        _more(ready)
        st.caption(scenario_words(planned, scenario, differs=_other_query(ready)), help=explain("sensitivity"))
        adopted = scenario_of(planned, scenario)
        if adopted is not None and adopted != scenario:
            controls.button(
                "Use this query in Decide and the report",
                settings.put_changes,
                scenario,
                adopted,
                hint=f"Puts sensitivity {amount(adopted.sensitivity, 6)}, k = {adopted.k:,}, {MECHANISMS[adopted.mechanism].name} noise "
                f"and at most {counted(adopted.rows_per_person, 'row')} per person into your scenario, which every page follows.",
            )
        _processing(planned)
        draw_cells(chosen, planned, scenario, size=ready.size)
        plan_and_code.draw(ready)
        formula_expander("your_table", formulas.of(planned))


def _headline(ready: Ready) -> str:
    """Return what a journalist would have to be told."""
    chosen, planned, noun, k = ready.choice, ready.planned, noun_of(ready.planned), ready.planned.query.k
    start = f"The published {noun}" if k == 1 else f"Each of {k:,} published {noun}s"
    error = planned.quotient_error(size=chosen.guess).range95 if planned.is_pair else within(planned).each
    return f"## {start} is {within_words(error, chosen, of=' of the truth')} in 95 of 100 releases"


def _answer(ready: Ready) -> None:
    """Say how far off the numbers will be, and what “the truth” is."""
    chosen, planned = ready.choice, ready.planned
    st.markdown(_headline(ready), help=explain("range95"))
    left_out = ready.left_out()
    noise = (
        f"Before any noise, {left_out}; the range covers the noise alone" if left_out else "That covers the noise alone"
    )
    assumed = [f"at least {chosen.guess:,} rows are averaged"] * planned.is_pair
    if not chosen.person:
        assumed.append(f"no person has more than {counted(planned.rows_per_person, 'row')}")
    assumed += [AS_MANY] * planned.assumes_as_many
    given = f", if {' and '.join(assumed)}" if assumed else ""
    st.markdown(f"{noise}{given}. {badges.of(planned)} {ready.missing()}")
    _offer_more(ready)


def _offer_more(ready: Ready) -> None:
    """Offer to leave fewer rows out, where the reader sees that some are."""
    if ready.kept is None or not ready.left_out() or not ready.kept.left_out or PRESENT.value():
        return
    persons, most = isinstance(ready.planned.query, PersonCounts), ready.scenario.rows_per_person + 1
    with st.container(horizontal=True):
        if controls.takes(_CAP, most):
            more = f"Allow {most:,} {'cells' if persons else 'rows'} per person"
            controls.button(more, _CAP.put, most, hint="Fewer are left out, and the noise grows in proportion.")
        if isinstance(ready.planned.query, Count | CountBy) and not persons:
            controls.button("Count each person once per cell", ONCE.put, True, hint=explain("once_per_cell"))


def _compare(ready: Ready) -> None:
    """Say what is planned with if not with the scenario's mechanism, and which noise is more accurate."""
    scenario = ready.scenario
    instead = replaced_words(ready.planned, scenario)
    if instead and scenario.mechanism not in _TOYS:
        st.markdown(instead)
    found = compare_noise(ready.planned, epsilon0=scenario.epsilon0, delta=scenario.delta, size=ready.size)
    words = comparison_words(found, ready.choice, scenario)
    if words:
        st.markdown(f"{words} {badges.of(found)}", help=explain("noise_compared"))


def _instead(ready: Ready) -> None:
    """Say before all else that the scenario's mechanism adds no noise to numbers, and where it can be tried."""
    scenario = ready.scenario
    if scenario.mechanism in _TOYS:
        st.info(replaced_words(ready.planned, scenario))
        toy_link(scenario.mechanism)


def toy_link(mechanism: str) -> None:
    """Draw a link to where a mechanism that adds no noise to numbers can be tried."""
    label, tab = _TOYS[mechanism]
    st.page_link(
        navigation.entry("mechanism_lab"), label=f":primary[{label} →]", query_params={"tab": tab}, width="content"
    )


def _more(ready: Ready) -> None:
    """Say what else the plan promises."""
    chosen, planned, query = ready.choice, ready.planned, ready.planned.query
    if planned.is_pair:
        st.markdown(
            f"{plan_words.divisor(planned, None)} {_SHARED[planned.norm]} Your guess stands in for that number."
        )
    elif query.k > 1:
        ranges = within(planned)
        st.markdown(
            f"All {query.k:,} at once will be **{within_words(ranges.every, chosen)}**, and their total "
            f"**{within_words(ranges.total, chosen)}**, as often. {badges.of(planned)}"
        )
    if isinstance(query, Sum | Mean):
        divided = (
            f" {plan_words.divisor(planned, ready.rows)}" if isinstance(query, Mean) and not planned.is_pair else ""
        )
        st.markdown(f"“The truth” is {plan_words.truth(planned, capped=chosen.capped)}.{divided}")


def _other_query(ready: Ready) -> Part | None:
    """Return what one row of this query moves, if that is not what the scenario says."""
    planned, scenario = ready.planned, ready.scenario
    if planned.is_pair:
        return None
    adopted = scenario_of(planned, scenario)
    one_row = planned.query.parts(planned.neighbours, 1, rows=ready.rows)[0]
    moves = one_row.sensitivity if adopted is None else adopted.sensitivity
    return None if (one_row.k, moves) == (scenario.k, scenario.sensitivity) else replace(one_row, sensitivity=moves)


def _processing(planned: PlannedRelease) -> None:
    """Say what may be done with the noisy numbers for free."""
    if planned.is_pair or not planned.parts[0].part.whole:
        st.markdown(
            "Rounding the published number, or moving it inside what is possible, is post-processing: it costs no privacy.",
            help=explain("post_processing"),
        )
        return
    scale = planned.parts[0].error.scale
    if scale > 1e12:  # what is cut off is no matter then
        return
    free = "Setting negative counts to 0 costs no privacy. It changes"
    if planned.norm == "L2":
        free = "Rounding published counts costs no privacy, nor does setting negative ones to 0. That changes"
    st.markdown(
        say(
            "{free} the average error of an empty cell from {clamped.worst_expected} to {clamped.expected} and adds a bias of "
            "{clamped.bias}: do not add up many such cells.",
            free=free,
            clamped=processed_error(0, scale, whole=True, clamped=True, mechanism=planned.mechanism),
        ),
        help=explain("post_processing"),
    )
