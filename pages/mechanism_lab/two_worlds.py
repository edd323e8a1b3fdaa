"""One answer, two worlds."""

import streamlit as st


def draw() -> None:
    st.markdown("#### One answer, two worlds")
