"""The expander that says how a number is computed: formula, source, assumptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages.shared import badges


@dataclass(frozen=True)
class Formula:
    """One formula with what says its standing, where it comes from, and what must hold for it."""

    words: str
    latex: str
    of: object  # what `badges.of` takes: the function or result that computes it, or the id of the claim that it is
    source: str
    assumptions: str


def formula_expander(key: str, formulas: Sequence[Formula]) -> None:
    """Draw the expander; its content is made when it is opened."""
    with st.expander("How this is computed", key=f"how_{key}", on_change="rerun") as expander:
        if not expander.open:
            return
        for formula in formulas:
            st.markdown(f"**{formula.words}** {badges.of(formula.of)}")
            st.latex(formula.latex)
            st.caption(f"Source: {formula.source}. {formula.assumptions}")
