"""The yardstick for a server: a slider above 75 elements that never change."""

import streamlit as st

st.select_slider("Rate", [f"{tenths / 10}" for tenths in range(51)])
for number in range(75):
    st.markdown(f"Element {number} says the same at every change.")
