"""Entry of the dashboard: navigation, the scenario sidebar, and what stands around every page."""

from pages.shared import frame

frame.start()
