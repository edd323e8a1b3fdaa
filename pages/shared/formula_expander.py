"""The expander that says how a number is computed: formula, source, assumptions."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.shared import badges
from par_core.questions.blocks import Formula


def formula_expander(key: str, formulas: Sequence[Formula]) -> None:
    """Draw the expander; its content is made when it is opened."""
    with st.expander("How this is computed", key=f"how_{key}", on_change="rerun") as expander:
        if not expander.open:
            return
        for formula in formulas:
            st.markdown(f"**{formula.words}** {badges.of(formula.of)}")
            st.latex(formula.latex)
            st.caption(f"Source: {formula.source}. {formula.assumptions}")
