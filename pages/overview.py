"""Overview: the questions a steward comes with, each leading to the page that answers it."""

from __future__ import annotations

import streamlit as st

from pages.shared import frame

QUESTION = "You are about to publish a number about people. How much noise should it carry?"
SETTINGS = ()


def show() -> None:
    """Draw the page."""
    st.markdown("cards")


if (
    __name__ == "__main__"
):  # a server's very first visitor opened this page: Streamlit then runs this file instead of app.py
    frame.start()
