"""The yardstick: what anybody would write first, one slider and one st.plotly_chart."""

import streamlit as st

from benchmarks.ui_apps.same_figure import decay

rate = st.slider("Rate", min_value=0.0, max_value=5.0, value=1.0, step=0.1)
st.plotly_chart(decay(rate).figure(), key="decay")
