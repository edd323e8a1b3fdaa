"""The chart path alone: the same slider and figure through the project's own element, with its menu and its data row."""

import streamlit as st

from benchmarks.ui_apps.same_figure import decay
from pages.shared import links
from pages.shared.chart import chart

links.read((), "own_chart")
links.publish((), "own_chart")  # what is saved names the link
rate = st.slider("Rate", min_value=0.0, max_value=5.0, value=1.0, step=0.1)
chart(decay(rate), "decay", alt=f"A curve that falls with rate {rate:g}.")
