"""Coins."""

import streamlit as st


def draw() -> None:
    st.markdown("#### Coins")
