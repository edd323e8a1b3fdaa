"""Choose one of many."""

import streamlit as st


def draw() -> None:
    st.markdown("#### Choose one of many")
