"""What is taken along from a plan: its numbers as CSV, and the code that publishes by it."""

from __future__ import annotations

import streamlit as st

from pages.shared import downloads, plan
from pages.shared.page import Section
from pages.shared.words import letters
from par_core.questions.your_table.table_question import TableAnswer


def draw(_: Section, answer: TableAnswer) -> None:
    """Draw the downloads, and what has to be known before the code is run; of a plan they stand with all of it."""
    if plan.releases():
        st.markdown(
            "The code that publishes your plan stands on “Your plan”: one script and one ledger for all of its releases."
        )
        return
    from par_core.questions.your_table import plan_files  # late: what writes release code is not needed before

    st.markdown("### Publish it")
    st.markdown(
        "**This page plans; it does not release.** The release code does: it draws secure noise with OpenDP, on your own machine "
        "and file, and writes the results as CSV."
    )
    head = downloads.linked(plan_files.head(answer), texts=not answer.question.private)
    with st.container(horizontal=True):
        downloads.button(
            "Plan (CSV)",
            lambda: downloads.as_csv(answer.cells, head),
            "plan.csv",
            key="plan_csv",
            hint="The query with its columns and categories, its ranges, ε and what is assumed. No exact answer and no file name.",
        )
        downloads.button(
            "Release code (Python)",
            lambda: plan_files.release_code(answer).text,
            "release.py",
            key="release_code",
            hint="A script with your columns, categories, bounds and ε. It asks for the file when you run it.",
        )
    with st.expander("Before you run the code", key="about_code", on_change="rerun", type="compact") as about:
        if about.open:
            code = plan_files.release_code(answer)
            st.markdown("\n".join(f"- {letters(note)}" for note in code.notes))
            st.markdown("It needs these packages:")
            st.code("pip install " + " ".join(f"'{each}'" for each in code.requirements), language="bash")
