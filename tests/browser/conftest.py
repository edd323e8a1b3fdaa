"""A server of our own, a real browser, and readers who use the dashboard by roles and labels.

Every reader watches the console and the network: an error in the one or a request to another host in the other fails the test.
"""

from __future__ import annotations

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import TimeoutError as TimedOut
from playwright.sync_api import expect, sync_playwright

from pages.shared import app_shell
from pages.shared.navigation import PAGES
from tests.browser.find_browser import HELP, find

ROOT = Path(__file__).parents[2]
START_SECONDS = 90
WAIT_MS = 90_000  # a wait ends as soon as it is met; a busy machine needs some of this for a first page
_PRESSES = 3  # of one link, until its page comes
expect.set_options(timeout=WAIT_MS)
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nothing is sent to another host: no name and no other address can be resolved.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    # The pages of one seat share a process: the scripts of the dashboard are compiled for the first of them only.
    "--process-per-site",
)
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
SCREENS = {
    "desktop": {"viewport": DESKTOP},
    "beamer": {"viewport": {"width": 1024, "height": 768}},
    "phone": {"viewport": PHONE, "has_touch": True, "is_mobile": True},
}
POLL_MS = 100  # Playwright asks in every frame of its own accord, which keeps a page at making frames
KEPT_READERS = 2  # of each screen: as many as most tests have; one more comes when needed, and leaves afterwards
# Streamlit asks these two below the page that is opened before it finds them at the root.
PROBES = ("_stcore/health", "_stcore/host-config")

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
# What `expect` would wait for in the page as well: each look in vain would cost it a list of all that a screen reader hears.
IDLE = """() => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning" """
TITLED = "(title) => document.querySelector('h1')?.textContent.trim() === title"
SAYS = (
    r"""(words) => document.querySelector('[data-testid="stMain"]')?.textContent.replace(/\s/g, " ").includes(words)"""
)
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


def until(see, wanted=bool, where=""):
    """Look again until what is seen is as wanted, a value or a condition, and return it: a page may still be changing."""
    is_met = wanted if callable(wanted) else lambda seen: seen == wanted
    end = time.monotonic() + WAIT_MS / 1000
    while not is_met(seen := see()):
        assert time.monotonic() < end, (where, "seen last", seen, *(() if callable(wanted) else ("wanted", wanted)))
        time.sleep(POLL_MS / 1000)
    return seen


def alike(seen):
    """A condition for `until`: all that is seen is the same."""
    return all(each == seen[0] for each in seen)


def free_port():
    """Return a port that the system gives to nobody of its own accord: it is still free when the server asks for it."""
    while True:
        with suppress(OSError), socket.socket() as free:
            free.bind(("127.0.0.1", random.SystemRandom().randrange(20_000, 32_000)))
            return free.getsockname()[1]


class Server:
    """The dashboard, started as `make run` starts it, on a free port."""

    def __init__(self, log: Path, *arguments: str, base_path: str = "") -> None:
        port = free_port()
        self.log, self.base_path = log, base_path
        self.origin = f"http://127.0.0.1:{port}"
        self.url = f"{self.origin}/{base_path}/" if base_path else f"{self.origin}/"
        self._command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), *arguments]
        self.start()

    def start(self) -> None:
        """Start it; again, after `kill`."""
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            stdout=self.log.open("a"),
            stderr=subprocess.STDOUT,
            env={"PAR_JOB_SECONDS": "300", **os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._wait_until_healthy()

    def address(self, module: str = "", **query: object) -> str:
        """Return the address of a page with parameters."""
        asked = urlencode({key: str(value) for key, value in query.items()})
        return self.url + ("" if module == "overview" else module) + (f"?{asked}" if asked else "")

    def assert_alive(self) -> None:
        code = self._process.poll()
        assert code is None, f"the server ended with {code}:\n{self.log.read_text(encoding='utf-8')[-2000:]}"

    def kill(self) -> None:
        """End it as a crash does, with every session in it."""
        self._process.kill()
        self._process.wait()

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


@pytest.fixture(scope="session")
def kept_readers():
    """Readers who stay in front of the open dashboard between two tests, by the screen they sit at."""
    return {screen: [] for screen in SCREENS}


@pytest.fixture
def new_reader(request, chromium, server, kept_readers):
    """Seat a reader at a browser of their own (cookies, storage), at one of the screens.

    They may be of the test before: what an address sets is set anew by `Reader.open`. Who comes `anew` has a session without a
    past, and may leave in it what no address holds: a file, a result.
    """
    readers, newcomers, failed = [], [], request.session.testsfailed

    def seat(at=server, *, screen="desktop", color_scheme="light", anew=False):
        kept = kept_readers[screen]
        reader = kept.pop() if kept and at is server else Reader(chromium, at, screen)
        reader.page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
        readers.append(reader)
        if anew:
            newcomers.append(reader.forget())
        return reader

    yield seat
    for each in newcomers:
        each.forget()
    for each in readers:
        kept = kept_readers[each.screen]
        spoilt = each.errors or each.elsewhere or each.dialogs or request.session.testsfailed > failed
        if spoilt or each.server is not server or len(kept) == KEPT_READERS:
            each.context.close()
        else:
            kept.append(each)
    for each in readers:
        each.assert_nothing_went_wrong()


@pytest.fixture
def reader(new_reader):
    """One reader at a desktop."""
    return new_reader()


@pytest.fixture
def newcomer(new_reader):
    """One reader at a desktop, in a session without a past."""
    return new_reader(anew=True)


class Reader:
    """Someone in front of the dashboard."""

    def __init__(self, chromium, server, screen) -> None:
        self.server, self.screen = server, screen
        self.context = chromium.new_context(reduced_motion="reduce", **SCREENS[screen])
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self.dialogs: list[str] = []
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT_MS)
        self.context.on("request", self._note_request)
        self.page.on("crash", lambda _: self.errors.append("the page crashed"))
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

    def _note_request(self, request) -> None:
        if request.url.startswith(("http:", "https:")) and not request.url.startswith(f"{self.server.origin}/"):
            self.elsewhere.append(request.url)

    def _note_socket(self, socket) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.server.origin).netloc:
            self.elsewhere.append(socket.url)

    def assert_nothing_went_wrong(self) -> None:
        assert not self.errors, "the console of the browser shows errors"
        assert not self.elsewhere, "something was asked of another host"
        assert not self.dialogs, "a dialog was opened"

    # --- going somewhere ---

    def open(self, module="explicit_risk", **query):
        """Open a page with these settings, and every other one at its default, and wait until its charts are drawn.

        Who has the dashboard open goes there within it, as by a link of their browser's history: nothing is loaded anew.
        """
        if not self.page.url.startswith(self.server.url) or self.page.url == self._doorstep:
            return self.go(self.server.address(module, **query))
        if urlsplit(self.page.url).path == urlsplit(self.server.address(module)).path:
            # Leave the page first: what is folded out there goes, and an address that it knows is read once more.
            self._turn_to("mechanism_lab" if module == "explicit_risk" else "explicit_risk")
        return self._turn_to(module, **query).wait_until_drawn()

    def _turn_to(self, module, **query):
        info = next(info for info in PAGES if info.module == module)
        defaults = {each.key: each.write(each.default) for each in app_shell.settings_of(info.load())}
        address = self.server.address(module, **{"v": 1, **defaults, **query})
        self.wait_until_idle()  # what a run still writes would take this address for its own
        for _ in range(_PRESSES):
            self.page.evaluate(
                "(address) => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')); }",
                address,
            )
            # The run writes the address anew, and leaves out of it what is at its default.
            self.wait_for("(address) => location.href !== address", address)
            # On a busy machine a chart's own run, asked for at the same moment, can take the page's place: then one presses again.
            with suppress(TimedOut):
                self.wait_for(TITLED, info.title, timeout=WAIT_MS / _PRESSES)
                break
        expect(self.page.get_by_role("heading", level=1)).to_have_text(info.title)
        return self.wait_until_idle()

    def go(self, address):
        """Load a page by its address, in a session and a document of its own, and wait until its charts are drawn."""
        self.server.assert_alive()
        self.page.goto(address)
        return self.wait_until_drawn()

    def forget(self):
        """Leave the dashboard, and with it the session, the cookies and all that the browser has stored."""
        session = self.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": self.server.origin, "storageTypes": "all"})
        session.detach()
        self.context.clear_permissions()
        self.page.goto(self._doorstep)
        return self

    @property
    def _doorstep(self):
        """A line of text from the same server: the process stays, and with it the compiled scripts of the dashboard."""
        return f"{self.server.url}_stcore/health"

    def wait_until_drawn(self):
        """Wait until the run is over and every chart on the page is drawn, at least one."""
        self.wait_for(ALL_DRAWN).wait_until_idle()
        self.page.evaluate(NEXT_FRAME)  # in it a chart hears of the figure that the run has sent
        return self.wait_for(ALL_DRAWN)

    def wait_for(self, condition, arg=None, timeout=WAIT_MS):
        """Wait until a condition holds in the page."""
        self.page.wait_for_function(condition, arg=arg, polling=POLL_MS, timeout=timeout)
        return self

    def wait_until_idle(self):
        return self.wait_for(IDLE)

    def visit(self, title):
        """Click a page in the navigation; again where a chart's own run has taken the page's place, as `_turn_to` does."""
        for _ in range(_PRESSES):
            self.page.get_by_role("navigation").get_by_role("link", name=title).click()
            with suppress(TimedOut):
                self.wait_for(TITLED, title, timeout=WAIT_MS / _PRESSES)
                break
        expect(self.page.get_by_role("heading", level=1)).to_have_text(title)
        return self.wait_until_drawn()

    def reload(self):
        self.page.reload()
        return self.wait_until_drawn()

    def section(self, label):
        """Click the tab of a section."""
        self.page.get_by_role("tab", name=label).click()
        expect(self.page.get_by_role("tabpanel", name=label)).to_be_visible()
        return self.wait_until_drawn()

    def choose(self, option):
        """Choose one of several options by its key: a click would miss one that still moves, as where a run unfolds something."""
        radio = self.main.get_by_role("radio", name=option)
        # While what it stands in is still folded up, it takes no focus, and the key would go to whatever has it.
        until(lambda: radio.evaluate("(radio) => { radio.focus(); return document.activeElement === radio; }"))
        radio.press("Space")
        expect(radio).to_be_checked()
        return self

    def pick(self, name, option):
        """Choose from a list; it closes when the page still moves under it, and is opened again then, as a reader would."""
        box, offered = self.main.get_by_role("combobox", name=name).first, self.page.get_by_role("option", name=option)
        for _ in range(10):
            box.click()
            with suppress(TimedOut):
                offered.click(timeout=3000)
                break
        expect(box).to_have_value(option)
        return self.wait_until_idle()

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
        return self.page.get_by_role("slider", name=name, exact=True)

    def field(self, name="Privacy level ε₀"):
        return self.page.get_by_role("spinbutton", name=name, exact=True)

    def expect_epsilon0(self, value):
        """Wait until field, slider and the sentence on the setting all show this ε₀."""
        self.wait_for(SAYS, f"At ε₀ = {value},")
        expect(self.slider()).to_have_attribute("aria-valuetext", value)
        expect(self.field()).to_have_value(f"{value}")
        expect(self.main.get_by_text(re.compile(rf"At ε₀\s=\s{re.escape(str(value))},")).first).to_be_visible()
        return self

    def expect_title(self, text):
        """Wait until the first chart has a title that holds this text."""
        return self.wait_for(
            """(text) => {
              const figures = [...document.querySelectorAll('[data-testid="stMain"] figure.par-chart[data-drawn]')];
              const plot = figures.find((figure) => figure.clientWidth)?.querySelector(".js-plotly-plot");
              return plot?.layout.title.text.replaceAll(/<br>|\u00a0/g, " ").includes(text);
            }""",
            text,
        )

    def expect_query(self, **wanted):
        """Wait until the address holds these parameters with these values."""
        return self.wait_for(
            """(wanted) => {
              const query = new URLSearchParams(window.location.search);
              return Object.entries(wanted).every(([key, value]) => query.get(key) === value);
            }""",
            {key: None if value is None else str(value) for key, value in wanted.items()},
        )

    def copied_link(self):
        """Click the button that copies the link, and return what is in the clipboard then."""
        self.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=self.server.origin)
        self.page.get_by_role("button", name="Copy link").click()
        expect(self.page.get_by_role("button", name=re.compile("copied", re.I))).to_be_visible()
        return self.page.evaluate("navigator.clipboard.readText()")

    def expect_no_scrolling_sideways(self):
        return self.wait_for("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    def download(self, button):
        """Click a button and return the name and the bytes of the file that comes.

        At rest: a button of the run before asks for what the server has let go of, or of the settings before.
        """
        button.wait_for()
        self.wait_until_idle()
        with self.page.expect_download() as waiting:
            button.click()
        return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()
