"""Who is exposed: the level, what is drawn against it, the δ that will do; and the ranking, in which one individual is chosen."""

from __future__ import annotations

from typing import cast, get_args

import streamlit as st

from pages.empirical_audit.noise import ADDED, KERNEL, WANTED
from pages.empirical_audit.query_fields import EPSILON, INTERVALS, RANK, choose
from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.page import Section
from par_core.questions.empirical_audit.exposure import Which, WhoIsExposed, WhoIsExposedAnswer
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.tables.table import Table

WHICH = settings.choice("ewhich", "Show", get_args(Which))
ALLOWED = settings.number("ed", "Largest δ that will do", WhoIsExposed.allowed, at_least=1e-9, at_most=1.0)

_WHICH_WORDS = {"delta": "the most exposed", "total": "all together"}


def ask(_: Scenario, table: Table) -> WhoIsExposed:
    chosen = choose(table)
    into_certificate = ADDED.value() and KERNEL.value() == "laplace"  # of which the level is known exactly
    return WhoIsExposed(
        **chosen,
        epsilon=dial(EPSILON, hint=explain("audit_epsilon")),
        which=cast(Which, controls.choice(WHICH, hint=explain("total_risk"), words=_WHICH_WORDS.__getitem__)),
        allowed=controls.number(ALLOWED, hint=explain("allowed_delta")),
        intervals=controls.switch(INTERVALS, hint=explain("audit_intervals")),
        rank=RANK.value(),
        certified=WANTED.value() if into_certificate else None,
    )


def choose_in_ranking(_: Section, answer: WhoIsExposedAnswer) -> None:
    """Draw the ranking, in which one individual can be chosen."""
    if answer.question.rank > answer.listed:
        RANK.put(answer.rank)
    RANK.hold()
    # What identifies an option must not change with ε: the browser sends it back, and it stands in the address.
    st.radio(
        "Choose one to see the answers without it",
        range(1, answer.listed + 1),
        captions=answer.ranking(),
        key=RANK.held,
        help=explain("ranking"),
        persist_state="session",
    )
