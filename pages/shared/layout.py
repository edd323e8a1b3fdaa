"""Where things stand: the chart left and its controls right on a wide screen, one below the other on a phone."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def chart_and_controls() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the place of the words and the chart, and the place of the controls."""
    main, side = st.columns([5, 2], gap="large")
    return main, side
