"""Which mechanism?."""

import streamlit as st


def draw() -> None:
    st.markdown("#### Which mechanism?")
