"""Why the proof fails."""

import streamlit as st


def draw() -> None:
    st.markdown("#### Why the proof fails")
