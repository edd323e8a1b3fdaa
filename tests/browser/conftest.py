"""A server of our own, a real browser, and readers who use the dashboard by roles and labels.

Every reader watches the console and the network: an error in the one or a request to another host in the other fails the test.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.find_browser import HELP, find

ROOT = Path(__file__).parents[2]
START_SECONDS = 60
WAIT_MS = 30_000  # a wait ends as soon as it is met; a busy machine needs some of this for a first page
expect.set_options(timeout=WAIT_MS)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Streamlit asks these two below the page that is opened before it finds them at the root.
PROBES = ("_stcore/health", "_stcore/host-config")

# There is a chart that can be seen, and each of those is drawn; a closed tab keeps charts that cannot be seen.
ALL_DRAWN = """
() => {
  const seen = [...document.querySelectorAll("figure.par-chart")].filter((figure) => figure.clientWidth);
  return seen.length > 0 && seen.every((figure) => figure.dataset.drawn);
}
"""
# What the chart on a node shows: title, axes, and the points of each trace as Plotly has decoded them.
READ_CHART = """
(figure) => {
  const plot = figure.querySelector(".js-plotly-plot");
  const plain = (text) => (text ?? "").replaceAll("<br>", " ").replaceAll("\u00a0", " ");
  return {
    title: plain(plot.layout.title.text),
    x: plain(plot.layout.xaxis.title.text),
    y: plain(plot.layout.yaxis.title.text),
    width: plot.layout.width,
    traces: plot._fullData.map((trace) => ({
      name: trace.name,
      // Areas only shade, and a trace without a point only stands in the legend.
      skipped: trace.hoverinfo === "skip" || !Array.from(trace.x).some(Number.isFinite),
      x: Array.from(trace.x),
      y: Array.from(trace.y),
    })),
  };
}
"""


class Server:
    """The dashboard, started as `make run` starts it, on a free port."""

    def __init__(self, log: Path, *arguments: str, base_path: str = "") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.log, self.base_path = log, base_path
        self.origin = f"http://127.0.0.1:{port}"
        self.url = f"{self.origin}/{base_path}/" if base_path else f"{self.origin}/"
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), *arguments]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=log.open("w"),
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._wait_until_healthy()

    def address(self, module: str = "", **query: object) -> str:
        """Return the address of a page with parameters."""
        asked = urlencode({key: str(value) for key, value in query.items()})
        return self.url + ("" if module == "overview" else module) + (f"?{asked}" if asked else "")

    def assert_alive(self) -> None:
        code = self._process.poll()
        assert code is None, f"the server ended with {code}:\n{self.log.read_text(encoding='utf-8')[-2000:]}"

    def stop(self) -> str:
        """End the server and return its log."""
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        return self.log.read_text(encoding="utf-8")

    def _wait_until_healthy(self) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}_stcore/health", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        self._process.kill()
        pytest.fail(f"The dashboard did not start:\n{self.log.read_text(encoding='utf-8')}")


@pytest.fixture(scope="session")
def start_server(tmp_path_factory):
    """Start one more server; at the end of the session each is stopped and its log searched for errors."""
    servers = []

    def start(*arguments, base_path=""):
        log = tmp_path_factory.mktemp("server") / "log.txt"
        servers.append(Server(log, *arguments, base_path=base_path))
        return servers[-1]

    yield start
    logs = [server.stop() for server in servers]
    for log in logs:
        assert "Traceback" not in log, log
        assert not re.search(r"\bERROR\b|Exception|unexpected error", log), log


@pytest.fixture(scope="session")
def server(start_server):
    """The server that most tests use."""
    return start_server()


@pytest.fixture(scope="session")
def chromium():
    """A browser for the whole session; without one the tests fail and say what would help."""
    path = find()
    if path is None:
        pytest.fail(HELP)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def new_reader(chromium, server):
    """Seat a reader at a browser of their own (cookies, storage); options are those of a Playwright context."""
    readers = []

    def seat(at=server, **options):
        readers.append(Reader(chromium, at, **options))
        return readers[-1]

    yield seat
    for each in readers:
        each.leave()
    for each in readers:
        each.assert_nothing_went_wrong()


@pytest.fixture
def reader(new_reader):
    """One reader at a desktop."""
    return new_reader()


class Reader:
    """Someone in front of the dashboard."""

    def __init__(self, chromium, server, **options) -> None:
        options = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        self.server = server
        self.context = chromium.new_context(**options)
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self.dialogs: list[str] = []
        # What does not go to our server is noted and never sent.
        self.context.route(
            re.compile(rf"^(?!{re.escape(server.origin)}/)(https?|wss?)://"),
            lambda route: (self.elsewhere.append(route.request.url), route.abort()),
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT_MS)
        self.page.on("console", self._note_console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("websocket", self._note_socket)
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))

    # --- what went wrong ---

    def _note_console(self, message) -> None:
        if message.type != "error":
            return
        where = message.location.get("url", "")
        beneath = where.removeprefix(self.server.url)
        page, _, probe = beneath.partition("/")
        if "404" in message.text and page and probe in PROBES:
            return
        self.errors.append(f"{message.text} ({where})")

    def _note_socket(self, socket) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.server.origin).netloc:
            self.elsewhere.append(socket.url)

    def leave(self) -> None:
        self.context.close()

    def assert_nothing_went_wrong(self) -> None:
        assert not self.errors, "the console of the browser shows errors"
        assert not self.elsewhere, "something was asked of another host"
        assert not self.dialogs, "a dialog was opened"

    # --- going somewhere ---

    def open(self, module="explicit_risk", **query):
        """Open a page by its address and wait until its charts are drawn."""
        return self.go(self.server.address(module, **query))

    def go(self, address):
        self.server.assert_alive()
        self.page.goto(address)
        return self.wait_until_drawn()

    def wait_until_drawn(self):
        """Wait until the run is over and every chart on the page is drawn, at least one."""
        self.page.wait_for_function(ALL_DRAWN)
        self.wait_until_idle()
        self.page.wait_for_function(ALL_DRAWN)
        return self

    def wait_until_idle(self):
        expect(self.page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
        return self

    def visit(self, title):
        """Click a page in the navigation."""
        self.page.get_by_role("navigation").get_by_role("link", name=title).click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(title)
        return self.wait_until_drawn()

    def section(self, label):
        """Click the tab of a section."""
        self.page.get_by_role("tab", name=label).click()
        expect(self.page.get_by_role("tabpanel", name=label)).to_be_visible()
        return self.wait_until_drawn()

    # --- what is seen ---

    @property
    def main(self):
        return self.page.get_by_role("main")

    @property
    def figure(self):
        """The first chart of the page (or of the open section)."""
        return self.main.get_by_role("figure").locator("visible=true").first

    @property
    def chart(self):
        """What the first chart holds."""
        return self.figure.evaluate(READ_CHART)

    @property
    def address(self):
        return self.page.url

    @property
    def query(self):
        return dict(parse_qsl(urlsplit(self.page.url).query, keep_blank_values=True))

    @property
    def sidebar(self):
        return self.page.get_by_test_id("stSidebar")

    def slider(self, name="Privacy level ε₀"):
        # Streamlit doubles the name of a slider: match without `exact`.
        return self.page.get_by_role("slider", name=name)

    def field(self, name="Privacy level ε₀"):
        return self.page.get_by_role("spinbutton", name=name, exact=True)

    def expect_epsilon0(self, value):
        """Wait until field, slider and the sentence on the setting all show this ε₀."""
        expect(self.field()).to_have_value(f"{value}")
        expect(self.slider()).to_have_attribute("aria-valuetext", f"{value}")
        expect(self.main.get_by_text(re.compile(rf"At ε₀\s=\s{re.escape(str(value))},")).first).to_be_visible()
        return self

    def expect_title(self, text):
        """Wait until the first chart has a title that holds this text."""
        self.page.wait_for_function(
            """(text) => {
              const figures = [...document.querySelectorAll('[data-testid="stMain"] figure.par-chart[data-drawn]')];
              const plot = figures.find((figure) => figure.clientWidth)?.querySelector(".js-plotly-plot");
              return plot?.layout.title.text.replaceAll(/<br>|\u00a0/g, " ").includes(text);
            }""",
            arg=text,
        )
        return self

    def expect_query(self, **wanted):
        """Wait until the address holds these parameters with these values."""
        self.page.wait_for_function(
            """(wanted) => {
              const query = new URLSearchParams(window.location.search);
              return Object.entries(wanted).every(([key, value]) => query.get(key) === value);
            }""",
            arg={key: None if value is None else str(value) for key, value in wanted.items()},
        )
        return self

    @property
    def scrolls_sideways(self):
        return self.page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")

    def download(self, button):
        """Click a button and return the name and the bytes of the file that comes."""
        with self.page.expect_download() as waiting:
            button.click()
        return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()
