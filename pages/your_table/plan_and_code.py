"""What is taken along from a plan: its numbers as CSV, and the code that publishes by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import downloads
from pages.shared.words import letters
from pages.your_table.planned_release import Ready
from pages.your_table.query_words import plan_head
from par_core.queries import Kind, Mean
from par_core.release import cells

if TYPE_CHECKING:
    from par_core.export.release_code import ReleaseCode


def draw(ready: Ready) -> None:
    """Draw the downloads, and what has to be known before the code is run."""
    planned = ready.planned
    st.markdown("### Publish it")
    st.markdown(
        "**This page plans; it does not release.** The release code does: it draws secure noise with OpenDP, on your own machine "
        "and file, and writes the results as CSV."
    )
    head = downloads.linked(plan_head(ready.choice, planned, ready.scenario))
    with st.container(horizontal=True):
        downloads.button(
            "Plan (CSV)",
            lambda: downloads.as_csv(cells(planned, size=ready.size), head),
            "plan.csv",
            key="plan_csv",
            hint="The query with its columns and categories, its ranges, ε and what is assumed. No exact answer and no file name.",
        )
        downloads.button(
            "Release code (Python)",
            lambda: _code(ready).text,
            "release.py",
            key="release_code",
            hint="A script with your columns, categories, bounds and ε. It asks for the file when you run it.",
        )
    with st.expander("Before you run the code", key="about_code", on_change="rerun", type="compact") as about:
        if about.open:
            code = _code(ready)
            st.markdown("\n".join(f"- {letters(note)}" for note in code.notes))
            st.markdown("It needs these packages:")
            st.code("pip install " + " ".join(f"'{each}'" for each in code.requirements), language="bash")


def _code(ready: Ready) -> ReleaseCode:
    """Return the release code; imported here, because only a reader who wants it needs it."""
    from par_core.export.release_code import planned_code

    chosen, table = ready.choice, ready.choice.table
    single_mean = isinstance(chosen.query, Mean) and not ready.planned.is_pair
    return planned_code(
        ready.planned,
        rows=ready.rows if single_mean else None,
        person=chosen.person or None,
        over=chosen.over,
        csv=table.written,
        person_kind=Kind.NUMBER if chosen.person and table.kind(chosen.person) == "number" else Kind.TEXT,
        dates=[column.name for column in table.columns if column.kind == "date"],
        header=[column.name for column in table.columns],
        releases=ready.scenario.releases,
        total_delta=ready.scenario.delta,
    )
