"""The section "The databases": the answer on each of them, and what speaks for or against their independence."""

from __future__ import annotations

import streamlit as st

from pages.formulas import empirical_audit as formulas
from pages.parts.empirical_audit import query_fields, running
from pages.parts.empirical_audit.checks import say_failed, table
from pages.shared.chart import chart
from pages.shared.explain import how
from pages.shared.words import amount
from par_core.figures import empirical_audit as figures


def draw() -> None:
    """Draw the section."""
    main, _, audited = running.start()
    if audited is None:
        return
    with main:
        result = audited.result
        lowest, highest = amount(float(result.answers.min()), 4), amount(float(result.answers.max()), 4)
        st.markdown(f"#### The {query_fields.words(audited.query)} of {len(result.answers):,} databases lies between {lowest} and {highest}")
        say_failed(result)
        if audited.choice.note:
            st.markdown(audited.choice.note)
        chart(
            figures.answers(result),
            "answers",
            alt=f"The answer on each of {len(result.answers)} databases, between {lowest} and {highest}.",
            notes={"source": "figure 2 of Empirical Differential Privacy; exact answers, not for publication"},
        )
        st.caption("These are exact answers: for your eyes, not for publication.")
        table(result.independent)
        table(result.comparable)
        how("databases", formulas.DATABASES)
