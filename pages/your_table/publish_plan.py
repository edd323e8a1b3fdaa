"""What is taken along from a plan of several releases: one script for all of them, and the plan with its names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import downloads, plan
from pages.shared.page import Section
from pages.shared.words import letters
from par_core.plan import NamedRelease, Plan
from par_core.questions.your_table.table_question import TableQuestion
from par_core.questions.your_table.your_plan import YourPlanAnswer

if TYPE_CHECKING:
    from par_core.export.plan_code import PlanCode

_NAMELESS = (
    "The code needs the table and its columns, which no link holds. Close this plan, open the table on “How far off”, and put "
    "each statistic into a plan again; or open a saved plan."
)
_OTHER_TABLE = (
    "The releases are of different tables: the code reads one. Make a plan for each table, and add up what they spend."
)


def draw(_: Section, answer: YourPlanAnswer) -> None:
    """Draw the downloads, or say what they need."""
    if not plan.releases():
        return
    st.markdown("### Publish it")
    asked = [each for each in plan.asked() if each is not None]
    if len(asked) < len(answer.question.plan):
        st.markdown(_NAMELESS)
        return
    if len({each.table.digest for each in asked}) > 1:
        st.markdown(_OTHER_TABLE)
        return
    whole, named = answer.question.whole, _named(asked, answer.question.whole)
    st.markdown(
        "One script publishes all of it with OpenDP, on your own machine and file. One ledger counts every release."
    )
    with st.container(horizontal=True):
        downloads.button(
            "Release code (Python)",
            lambda: _code(whole, named, asked[0]).text,
            "release.py",
            key="plan_code",
            hint="A script with your columns, categories, bounds and ε. It asks for the file when you run it.",
        )
        downloads.button(
            "Plan (TOML)",
            lambda: _toml(whole, named),
            "plan.toml",
            key="plan_toml",
            hint="The plan with the names of columns and categories, for those who may know them. The command par plan reads it.",
        )
    with st.expander("Before you run the code", key="about_plan_code", on_change="rerun", type="compact") as about:
        if about.open:
            code = _code(whole, named, asked[0])
            st.markdown("\n".join(f"- {letters(note)}" for note in code.notes))
            st.markdown("It needs these packages:")
            st.code("pip install " + " ".join(f"'{each}'" for each in code.requirements), language="bash")


def _named(asked: list[TableQuestion], whole: Plan) -> list[NamedRelease]:
    pairs = zip(asked, whole.releases, strict=True)
    return [NamedRelease(release, each.query, each.person, each.over, each.copied) for each, release in pairs]


def _code(whole: Plan, named: list[NamedRelease], asked: TableQuestion) -> PlanCode:
    from par_core.questions.your_table import plan_files  # late: what writes release code is not needed before

    return plan_files.plan_code(whole, named, asked.table)


def _toml(whole: Plan, named: list[NamedRelease]) -> str:
    from par_core.plan import to_toml

    return to_toml(whole, named)
