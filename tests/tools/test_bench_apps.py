"""The small apps that the dashboard is measured against still run, though only a measurement opens them."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

APPS = Path(__file__).parents[2] / "benchmarks" / "ui_apps"


@pytest.mark.parametrize("name", ["constant_elements", "own_chart", "streamlit_chart"])
def test_it_runs(name):
    app = AppTest.from_file(str(APPS / f"{name}.py"), default_timeout=60).run()
    assert not app.exception
    assert app.main.children
