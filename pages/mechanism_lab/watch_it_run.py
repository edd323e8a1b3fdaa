"""Watch it run."""

import streamlit as st


def draw() -> None:
    st.markdown("#### Watch it run")
