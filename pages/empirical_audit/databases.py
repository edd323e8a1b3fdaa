"""The section "The databases": the answer on each of them, and what speaks for or against their independence."""

from __future__ import annotations

import streamlit as st

from pages.empirical_audit import current_audit, formulas, query_fields
from pages.empirical_audit.checks import note_chance, table, warn
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.say import at_least, at_most
from par_core.figures import empirical_audit as figures
from par_core.questions.glossary import explain

SHOW_ANSWERS = settings.unlinked(settings.switch("eanswers", "Show the exact answers"))  # asked anew in each session


def draw() -> None:
    """Draw the section."""
    main, side, audited = current_audit.start()
    if audited is None:
        return
    shown = True
    if audited.choice.own:
        with side:
            shown = controls.switch(SHOW_ANSWERS, hint=explain("exact_answer"))
    with main:
        result = audited.result
        warn(result)
        if shown:
            asked = query_fields.words(audited.query)
            lowest = at_least(float(result.answers.min()))
            highest = at_most(float(result.answers.max()))
            st.markdown(f"## The {asked} of {len(result.answers):,} databases lies between {lowest} and {highest}")
        else:
            st.markdown(f"## {len(result.answers):,} databases, {len(result.individuals):,} individuals")
            st.markdown("The exact answers are private: they are shown only if you switch them on beside.")
        if shown:
            chart(
                figures.answers(result),
                "answers",
                alt=f"The exact answer on each of {len(result.answers)} databases, in their order, and the mean.",
                notes={"source": "figure 2 of Empirical Differential Privacy; exact answers, not for publication"},
            )
        if audited.choice.note:
            st.markdown(audited.choice.note)
        if shown:
            st.caption("These are exact answers: for your eyes, not for publication.")
        note_chance(result)
        table(result.independent)
        table(result.comparable)
        formula_expander("databases", formulas.DATABASES)
