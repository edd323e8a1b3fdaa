"""What Streamlit would do of its own accord on a server, and does not do here."""

import socket

import pytest
from streamlit import net_util
from streamlit.web.server.server_util import is_url_from_allowed_origins

from pages.shared import server


def test_a_page_of_another_site_makes_the_server_ask_nobody_for_the_address_of_this_machine(monkeypatch):
    assert server.HEADERS
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda *_, **__: pytest.fail("another host is asked"))
    monkeypatch.setattr(socket, "socket", lambda *_, **__: pytest.fail("a socket is made"))
    assert not is_url_from_allowed_origins("http://elsewhere.example")
    assert is_url_from_allowed_origins("http://localhost:8501")
