"""A server's very first visitor opened this page by its address: Streamlit runs this file then, in place of app.py."""

from pages.shared import app_shell

app_shell.start()
