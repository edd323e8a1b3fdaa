"""The chart path alone: the same slider and figure through the project's own element, with its menu and its data row."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from benchmarks.ui_apps.same_figure import decay
from pages.shared import chart, downloads, links, server
from par_core.figures import points

if get_script_run_ctx(suppress_warning=True) is None:
    app = st.App(__file__, routes=server.routes())
else:
    links.read((), "own_chart")
    links.publish((), "own_chart")  # what is saved names the link
    rate = st.slider("Rate", min_value=0.0, max_value=5.0, value=1.0, step=0.1)
    drawing = decay(rate)
    alt = f"A curve that falls with rate {rate:g}."
    chart.show("decay", drawing.to_json(), height=drawing.layout.get("height"), alt=alt, source="")
    downloads.row("decay", lambda: points.table(drawing), title="Decay", notes={}, texts=True)
