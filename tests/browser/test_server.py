"""The server: several readers at once, a path that is not the root, and what it sends."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from http.client import HTTPConnection
from pathlib import Path

import pytest
import streamlit as st
from playwright.sync_api import expect

from pages.shared.dial import EPSILON_STEPS
from pages.shared.server import HEADERS
from tests.browser.conftest import Server, until

ROOT = Path(__file__).parents[2]
STEPS = [f"{step:g}" for step in EPSILON_STEPS]


def test_a_fresh_server_below_a_path_answers_three_first_readers_at_once(start_server, new_reader):
    """Streamlit has not met the navigation yet when pages are asked for, and the imports happen side by side."""
    below = start_server("--server.baseUrlPath=some/path", base_path="some/path")
    starts = [0, 3, 6]
    readers, libraries = [new_reader(below) for _ in starts], []
    readers[0].page.on(
        "response",
        lambda response: response.url.endswith("plotly.min.js") and libraries.append((response.url, response.status)),
    )
    for reader, start in zip(readers, starts, strict=True):
        address = below.address("explicit_risk", tab="truth", e0=STEPS[start])
        reader.page.goto(address, wait_until="commit")
    for reader, start in zip(readers, starts, strict=True):
        reader.wait_until_drawn().expect_epsilon0(STEPS[start])
        expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
        expect(reader.page.get_by_role("dialog")).to_have_count(0)
        expect(reader.page.get_by_text("Page not found")).to_have_count(0)
    assert libraries == [(f"{below.url}app/static/plotly.min.js", 200)], "the library comes from below the path too"
    for _ in range(5):
        for reader in readers:
            reader.slider().press("ArrowRight")
    for reader, start in zip(readers, starts, strict=True):
        end = STEPS[start + 5]
        reader.expect_title(f"ε₀ = {end} ").expect_epsilon0(end).expect_query(e0=end, tab="truth")
        assert reader.address.startswith(f"{below.origin}/some/path/explicit_risk?")
    until(lambda: {reader.chart["title"] for reader in readers}, lambda titles: len(titles) == 3)

    first, second, _ = readers
    link = first.copied_link()
    assert link.startswith(f"{below.origin}/some/path/explicit_risk?")
    second.go(link).expect_epsilon0(STEPS[5]).expect_title(f"ε₀ = {STEPS[5]} ")
    first.visit("Overview").visit("Explicit risk")
    assert first.address.startswith(f"{below.origin}/some/path/")
    first.visit("Overview").main.get_by_role("link", name="Refuted", exact=True).first.click()
    expect(first.main.get_by_role("button", name="All claims")).to_be_visible()
    assert first.expect_query(claim="par-theorem-4").address.startswith(f"{below.origin}/some/path/paper_check?")


def test_the_chart_library_is_the_one_of_the_installed_plotly(server):
    import plotly

    shipped = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    with urllib.request.urlopen(f"{server.url}app/static/plotly.min.js") as response:
        assert response.read() == shipped.read_bytes()


def test_a_fresh_server_has_the_chart_library_without_a_copy_of_it(start_server):
    """Before anybody came, and below its path alone; from the folder of the project nothing is served any more."""
    assert not st.get_option("server.enableStaticServing")
    below = start_server("--server.baseUrlPath=other/path", base_path="other/path")
    with urllib.request.urlopen(f"{below.url}app/static/plotly.min.js") as response:
        assert response.headers.get_content_type() == "text/javascript"
        assert b"plotly.js v" in response.read(200)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{below.origin}/app/static/plotly.min.js")


def test_a_script_of_ours_is_sent_once_by_an_address_that_changes_with_it(server, newcomer):
    asked = []
    newcomer.page.on("request", lambda request: "/components/" in request.url and asked.append(request.url))
    newcomer.open("explicit_risk", tab="truth").open("explicit_risk", tab="pieces").open("budget_minimiser")
    names = [
        re.fullmatch(rf"{re.escape(server.url)}app/static/components/(\w+)\.\w{{12}}\.js", each)[1] for each in asked
    ]
    assert sorted(names) == ["address", "chart", "dial"]
    with urllib.request.urlopen(asked[0]) as response:
        assert "immutable" in response.headers["Cache-Control"]
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{server.url}app/static/components/chart.js")


def test_no_other_file_is_served(server):
    for path in ("app/static/../app.py", "app/static/%2e%2e/app.py", "app/static/..%2f.streamlit/config.toml"):
        try:
            with urllib.request.urlopen(f"{server.url}{path}") as response:
                body = response.read()
        except urllib.error.HTTPError:
            continue
        assert b"frame.start()" not in body
        assert b"gatherUsageStats" not in body


def test_a_file_that_a_session_has_no_room_for_is_refused_before_it_comes(server):
    asked = HTTPConnection(server.origin.removeprefix("http://"))
    asked.putrequest("PUT", "/_stcore/upload_file/session/file")
    asked.putheader("Content-Length", str(10**9))
    asked.endheaders()
    answer = asked.getresponse()
    assert (answer.status, answer.read()) == (413, b"This session holds too many files.")
    asked.close()


def test_a_wrong_variable_is_refused_at_the_start_in_one_sentence():
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port=0"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PAR_JOBS": "none"}, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "PAR_JOBS must be a whole number at least 1 and at most 64, got 'none'\n"


def test_every_answer_has_the_headers_that_shut_other_sites_out(server):
    """Under them every test here runs: what one forbids is an error in the console, and fails the reader."""
    for path in ("", "app/static/plotly.min.js", "_stcore/health"):
        with urllib.request.urlopen(f"{server.url}{path}") as response:
            assert {name: response.headers[name] for name in HEADERS} == HEADERS, path
    assert "default-src 'self'; script-src 'self' blob: 'sha256-" in HEADERS["Content-Security-Policy"]


def test_a_page_of_another_site_gets_no_connection_and_nobody_is_asked_who_this_machine_is(server):
    told = server.log.read_text(encoding="utf-8")
    asked = HTTPConnection(server.origin.removeprefix("http://"))
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "A" * 22 + "==",
    }
    asked.request("GET", "/_stcore/stream", headers={**upgrade, "Origin": "http://elsewhere.example"})
    assert asked.getresponse().status == 403
    asked.close()
    assert "external IP" not in server.log.read_text(encoding="utf-8").removeprefix(told)


def test_a_server_that_is_killed_and_started_again_leaves_the_page_as_its_address_says(start_server, new_reader):
    """The session is gone with all that it held; the browser comes back by itself and brings the address along."""
    short = start_server()
    reader = new_reader(short).open("explicit_risk", tab="truth", k="3")
    reader.slider().press("ArrowRight")
    reader.expect_query(e0="0.6", k="3", tab="truth").expect_epsilon0("0.6").expect_title("ε₀ = 0.6 ")
    reader.wait_until_idle()  # the browser repeats a run that was cut off, and what is pressed meanwhile is lost
    short.kill()
    expect(reader.page.get_by_test_id("stApp")).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    short.start()
    expect(reader.page.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
    reader.slider().press("ArrowRight")
    reader.expect_query(e0="0.7", k="3", tab="truth").expect_epsilon0("0.7").expect_title("ε₀ = 0.7 ")
    reader.errors.clear()  # the browser told that nobody answered


def test_a_file_that_is_not_made_is_told_of_beside_its_button_and_in_one_line_of_the_log(
    tmp_path, monkeypatch, new_reader
):
    (tmp_path / "jinja2.py").write_text("raise RuntimeError('zebra_4711')\n")  # which the report alone asks for
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    broken = Server(tmp_path / "log.txt")
    try:
        reader = new_reader(broken).open("decide")
        for _ in range(2):  # each time anew
            reader.main.get_by_role("button", name="Decision report", exact=True).click()
            told = reader.main.get_by_text(re.compile("Decision report: no file was made.* in the log under"))
            expect(told).to_be_visible()
            (number,) = re.findall(r"under (\w{8}),", told.inner_text())
            reader.main.get_by_role("button", name="Use ε₀").first.click()
            expect(told).to_have_count(0)
        reader.page.goto("about:blank")  # it would look for a server that is gone
    finally:
        log = broken.stop()
    noted = [line for line in log.splitlines() if "unexpected error" in line]
    assert len(noted) == 2
    assert f"unexpected error {number}: RuntimeError at " in noted[1]
    assert "Traceback" not in log
    assert "zebra_4711" not in log
