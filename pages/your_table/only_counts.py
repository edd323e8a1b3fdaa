"""The section "Only counts": without a file, from the number of rows and of cells, what noise does to made-up counts."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.shared import controls, navigation, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import as_told, paragraph, say, told
from pages.shared.settings import present_scenario
from pages.shared.words import HARDLY_PRIVATE, as_sentence, counted
from pages.your_table import formulas
from pages.your_table.how_far_off import toy_link
from pages.your_table.query_words import adds_none, scenario_words
from par_core.errors import InfeasibleError
from par_core.figures import made_up as figures
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.questions.glossary import explain
from par_core.release import MadeUp, epsilon0_for_smallest, made_up_counts, scenario_of
from par_core.release.made_up import MOST_CELLS, MOST_ROWS
from par_core.scenario import Scenario
from par_core.standing import quantity_of

ROWS = settings.whole("mrows", "Rows", 1_000, at_least=1, at_most=MOST_ROWS)
CELLS = settings.whole("mcells", "Cells", 12, at_least=1, at_most=MOST_CELLS)
DRAW = settings.whole("mdraw", "Seed of the draw", 1, at_least=0, at_most=10**9)

_EPSILON0 = settings.scenario_setting("epsilon0")


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    with side:
        controls.whole(ROWS, hint=explain("made_up_rows"))
        controls.whole(CELLS, hint=explain("made_up_cells"))
        controls.beside(_EPSILON0, "ε₀ of the release", hint=explain("epsilon0"))
        controls.button("New draw", DRAW.put, (DRAW.value() + 1) % 10**9, hint=explain("new_draw"))
    with main:
        mechanism = present_scenario().mechanism
        if mechanism not in NOISES:
            st.info(f"{adds_none(mechanism)}. Choose another mechanism in the sidebar.")
            toy_link(mechanism)
            return
        try:
            found = _found()
        except InfeasibleError as error:
            st.warning(as_sentence(str(error)))
            return
        st.markdown(_headline(), help=explain("range95"))
        paragraph("The counts are made up; the range holds whatever yours are.", standing_of=found)
        chart(
            lambda: figures.made_up(_found()),
            "made_up_counts",
            dials=(_EPSILON0,),
            headline=_headline,
            alt="Made-up counts with noise at ε₀ = {found.epsilon0:g}, each with its range of ±{found.each}.",
            found=found,
            table=partial(figures.made_up_table, found),
            notes={"source": found.source, "limits": found.limits},
        )
        if found.each:
            _ranges(found)
            _smallest(found)
        st.caption(
            "Made up: a few large cells and many small ones, as when a stick breaks at random. One person’s rows may fall into any "
            f"of them. {scenario_words(found.planned, present_scenario(), differs=None)}",
            help=explain("sensitivity"),
        )
        formula_expander("only_counts", formulas.of(found.planned))


def _found() -> MadeUp:
    return made_up_counts(ROWS.value(), CELLS.value(), present_scenario(), seed=DRAW.value())


def _headline() -> str:
    found = _found()
    return told(
        "## With {rows} in {cells} {each} count is {within} in 95 of 100 releases",
        rows=counted(found.rows, "row"),
        cells=counted(found.cells, "cell"),
        each="the" if found.cells == 1 else "each",
        within=told("within ±{found.each}", found=found) if found.each else "exact",
    )


def _ranges(found: MadeUp) -> None:
    """Say what holds of all counts at once, and how small a count is lost in the noise."""
    few = "**publish fewer cells**" if 2 * found.like_empty > found.cells else "lost in the noise"
    paragraph(
        "{every}In 95 of 100 releases an empty cell comes out as {found.each} at most. {lost}",
        found=found,
        every=say("All {found.cells:,} at once are within **±{found.every}** as often. ", found=found)
        * (found.cells > 1),
        lost=f"{found.like_empty:,} of {found.cells:,} cells here cannot be told from an empty one: {few}."
        if found.like_empty
        else "Every cell here is larger.",
    )


def _smallest(found: MadeUp) -> None:
    """Say how small a count is right within a tenth, and which level makes the smallest one so."""
    paragraph(
        "Counts from **{found.right_from}** up are right within 10 % in 95 of 100 releases. {smallest}",
        found=found,
        help=explain("wish_group"),
        smallest=say(
            "The range is {found.relative} of the smallest cell here, {rows}.",
            found=found,
            rows=counted(found.smallest, "row"),
        )
        if found.smallest
        else "The smallest cell here is empty: there is nothing to be within 10 % of.",
    )
    if not found.smallest:
        return
    try:
        needed = quantity_of(epsilon0_for_smallest, found)
    except InfeasibleError as error:
        st.markdown(as_sentence(str(error)))
        return
    level = as_told(needed)
    but = ", but then **hardly anyone is protected**: publish fewer cells" if level > HARDLY_PRIVATE else ""
    paragraph("It takes **ε₀ = {needed}** to get that within 10 %{but}.", needed=needed, but=but)
    adopted = scenario_of(found.planned, present_scenario())
    if adopted is None:
        return
    if not but:
        controls.offer_epsilon0(level, query=adopted)
    _decide(found, adopted)


def _decide(found: MadeUp, adopted: Scenario) -> None:
    """Link to the page that decides, with this wish on."""
    address = {"wg": "1", "wgv": str(found.smallest), "m": adopted.mechanism}
    st.page_link(
        navigation.entry("decide"),
        label=f":primary[Decide, with groups from {found.smallest:,} rows as a wish →]",
        query_params=address | {"s": f"{adopted.sensitivity:g}", "k": str(adopted.k)},
        help=f"It puts sensitivity {adopted.sensitivity:g}, k = {adopted.k:,} and {MECHANISMS[adopted.mechanism].name} noise, those of "
        "these counts, into your scenario.",
        width="content",
    )
