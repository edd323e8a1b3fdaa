"""Sampled sensitivity: the query on the table, where pairs come from, and what share of them is to be covered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.sample_planner import both_sources, law_fields, query_fields, tables
from pages.sample_planner.of_question import Fields
from pages.shared import controls, settings
from pages.shared.page import Section
from pages.shared.settings import Setting
from par_core.questions.glossary import explain
from par_core.questions.sample_planner.sampled import SampledSensitivity, SampledSensitivityAnswer
from par_core.scenario import Scenario
from par_core.tables.table import Table

FIELDS = Fields(SampledSensitivity)
ROWS = FIELDS.setting("rows", "sp", "Rows per data set")
PAIRS = FIELDS.setting("pairs", "spairs", "Pairs to draw")
SEED = FIELDS.setting("seed", "sseed", "Seed of the pairs")
SHARE = FIELDS.setting("share", "sshare", "Share of pairs to cover")
SURE = FIELDS.setting("sure", "ssure", "With probability")
RHO = FIELDS.setting("rho", "scrho", "ρ of Theorem 5")
AXIS = FIELDS.setting("axis", "sax", "Sensitivity axis")


def ask(scenario: Scenario, table: Table) -> SampledSensitivity:
    query = query_fields.choose(table)
    fields = tables.fields_of(table, query)
    laws = law_fields.choose(table, query.used_columns)
    controls.whole(ROWS, hint=explain("rows_per_set"))
    controls.whole(PAIRS, hint=explain("pairs"))
    controls.number(SHARE, hint=explain("share_to_cover"), step=0.05)
    controls.number(SURE, hint=explain("sure"), step=0.05)
    with st.expander("More", key="sample_more", on_change="rerun", type="compact") as more:
        if more.open:
            controls.number(RHO, hint=explain("rho"))
            controls.whole(SEED, hint="The same seed gives the same pairs.")
            controls.choice(AXIS, words={"plain": "Plain", "log": "Logarithmic"}.__getitem__, hint=explain("axes"))
    return SampledSensitivity(scenario, **fields, laws=laws, **FIELDS.now())


def carry_on(_: Section, answer: SampledSensitivityAnswer, *, open_both: Callable[[], None]) -> None:
    """Draw the button that takes the ratio to “Both sources”, which `open_both` opens."""
    assert answer.drawn
    carried: dict[Setting[Any], Any] = {
        both_sources.ETA_FROM: "bound",
        both_sources.BOUND: answer.drawn.sample.worst_case,
        both_sources.SAMPLED: answer.value,
        both_sources.SHARE: answer.place,
        both_sources.VARY: "rho",
        both_sources.PAIRS: answer.drawn.sample.pairs,
        both_sources.K: answer.question.query.k,
    }

    def carry() -> None:
        settings.put_all(carried)
        open_both()

    controls.button(
        "See what the sampled one would cost in privacy",
        carry,
        hint="Opens “Both sources” with this ratio, the quantile, the number of pairs and k.",
    )
