"""Entry of the dashboard: `streamlit run app.py` imports it once, for the server, and runs it for every reader."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

if get_script_run_ctx(suppress_warning=True) is None:
    from pages.shared import server

    app = st.App(__file__, lifespan=server.lifespan, routes=server.routes(), middleware=server.middleware())
else:
    from pages.shared import app_shell

    app_shell.start()
