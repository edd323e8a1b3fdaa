"""Where things stand: the chart left and its controls right; on a phone the headline, the controls, the chart."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def chart_and_controls() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the place of the words and the chart, and the place of the controls."""
    # The controls come first for the Tab key, before the tools of the chart; app_shell.css puts them to the right.
    side, main = st.container(key="section").columns([2, 5], gap="large")
    return main.container(key="picture"), side.container(key="controls")
