"""A server's very first visitor: Streamlit then runs the file of the page that was asked for in place of app.py."""

from pathlib import Path

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest

from pages.shared.navigation import PAGES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("info", PAGES[1:], ids=[info.module for info in PAGES[1:]])
def test_the_first_visitor_sees_the_page_in_its_frame_and_can_move_a_control(info):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=600)
    app._bidi_component_manager = BidiComponentManager()  # else every installed package is searched for components
    app.switch_page(f"pages/1_{info.module}.py")
    app.query_params["e0"] = "1.7"
    app.run()
    assert not app.exception
    assert [title.value for title in app.title] == [info.title]
    assert '"value": 1.7' in app.sidebar.get("bidi_component")[0].proto.json
    app.sidebar.toggle[0].set_value(True).run()  # presenter view
    assert not app.exception
