"""Only counts: the number of rows and of cells, and the draw of the noise; a link to the page that decides for such counts."""

import streamlit as st

from pages.shared import controls, navigation, settings
from pages.shared.page import Section
from pages.your_table import into_plan
from par_core.mechanisms import MECHANISMS
from par_core.questions.glossary import explain
from par_core.questions.your_table.synthetic_counts import SyntheticCounts, SyntheticCountsAnswer
from par_core.release.synthetic import MOST_CELLS, MOST_ROWS
from par_core.scenario import Scenario

ROWS = settings.whole("mrows", "Rows", SyntheticCounts.rows, at_least=1, at_most=MOST_ROWS)
CELLS = settings.whole("mcells", "Cells", SyntheticCounts.cells, at_least=1, at_most=MOST_CELLS)
DRAW = settings.whole("mdraw", "Seed of the draw", SyntheticCounts.seed, at_least=0, at_most=10**9)


def ask(scenario: Scenario) -> SyntheticCounts:
    into_plan.say_alone()
    rows = controls.whole(ROWS, hint=explain("synthetic_rows"))
    cells = controls.whole(CELLS, hint=explain("synthetic_cells"))
    controls.beside(settings.scenario_setting("epsilon0"), "ε₀ of the release", hint=explain("epsilon0"))
    seed = DRAW.value()
    controls.button("New draw", DRAW.put, (seed + 1) % 10**9, hint=explain("new_draw"))
    return SyntheticCounts(scenario, rows, cells, seed)


def link_to_decide(_: Section, answer: SyntheticCountsAnswer) -> None:
    """Link to the page that decides, with this wish on."""
    found, adopted = answer.synthetic, answer.adopted
    assert found
    assert adopted
    address = {"wg": "1", "wgv": str(found.smallest), "m": adopted.mechanism}
    st.page_link(
        navigation.entry("decide"),
        label=f":primary[Decide, with groups from {found.smallest:,} rows as a wish →]",
        query_params=address | {"s": f"{adopted.sensitivity:g}", "k": str(adopted.k)},
        help=f"It puts sensitivity {adopted.sensitivity:g}, k = {adopted.k:,} and {MECHANISMS[adopted.mechanism].name} noise, those of "
        "these counts, into your scenario.",
        width="content",
    )
