"""How long it takes from a key press on a slider until the redrawn chart is in the picture.

Run: make bench-ui

Four sliders are measured in one browser, one press each in turn, so that whatever else the machine does falls on all alike:

A  a trivial app: one slider and one st.plotly_chart; the yardstick
B  the chart path alone: the same slider and figure through pages.shared.chart, with its menu and its data row
C  the page on explicit risk, the ε₀ of the sidebar: the whole page runs
D  the page on explicit risk, its own ε: a fragment, so only the open section runs

A press is timed inside the page: from the time stamp of its keydown event to the frame after the first one in which a chart
shows other words (title, legend, labels) than before. Nothing here fails for being slow.
"""

from __future__ import annotations

import math
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as NoAnswer

from tests.browser.find_browser import HELP, find

ROOT = Path(__file__).resolve().parents[1]
WARM_UPS = 5
PRESSES = int(os.environ.get("PAR_BENCH_PRESSES", "40"))
ONE_WAY = 6  # presses in one direction before the slider goes back
CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# st.plotly_chart replaces its node and may show the old and the new one together: every chart of the page is looked at in
# every frame, and one that shows words which none showed before is the redrawn one.
WATCH = """
() => {
  const words = (plot) => [...plot.querySelectorAll("svg text")].map((text) => text.textContent).join("|");
  const drawn = (plot) => plot.querySelector(".scatterlayer .trace path") && plot.querySelector(".gtitle");
  const plots = () => [...document.querySelectorAll(".js-plotly-plot")].filter(drawn);
  const watch = (window.parBench = { changed: performance.now(), result: null });
  new MutationObserver(() => (watch.changed = performance.now())).observe(document.body, {
    attributes: true, characterData: true, childList: true, subtree: true,
  });
  watch.idle = () =>
    performance.now() - watch.changed > 250
    && document.querySelector('[data-testid="stApp"]').dataset.testScriptState === "notRunning";
  document.addEventListener("keydown", (event) => {
    const before = new Map(plots().map((plot) => [plot, words(plot)]));
    const known = new Set(before.values());
    const pressed = event.timeStamp;
    const press = (watch.press = (watch.press ?? 0) + 1);
    const look = () => {
      if (watch.press !== press) return;
      const redrawn = plots().find((plot) => !known.has(words(plot)));
      if (!redrawn) return requestAnimationFrame(look);
      requestAnimationFrame(() => {
        watch.result = { milliseconds: performance.now() - pressed, same: before.has(redrawn) };
      });
    };
    watch.result = null;
    requestAnimationFrame(look);
  }, { capture: true });
}
"""


@dataclass
class Measure:
    """One slider, and what its presses gave."""

    letter: str
    what: str
    app: str
    slider: str
    address: str = ""
    server: str = ""
    page: Page | None = None
    presses: int = 0
    times: list[float] = field(default_factory=list)
    same: int = 0
    lost: int = 0

    def open(self, browser: Browser, server: str) -> None:
        self.server = server
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        # Streamlit serves static/ from beside the app, which the small apps do not have.
        self.page.route("**/app/static/plotly.min.js", lambda route: route.fulfill(path=ROOT / "static/plotly.min.js"))
        self.page.goto(f"{server}/{self.address}")
        self.page.wait_for_selector(".js-plotly-plot .gtitle", timeout=60_000)
        self.page.evaluate(WATCH)

    def press(self, *, counted: bool) -> None:
        page = self.page
        assert page is not None
        page.bring_to_front()  # frames are drawn only for what is in front
        page.get_by_role("slider", name=self.slider).focus()
        page.wait_for_function("() => window.parBench.idle()")
        key = "ArrowLeft" if self.presses // ONE_WAY % 2 else "ArrowRight"
        page.keyboard.press(key)
        self.presses += 1
        try:
            result = page.wait_for_function("() => window.parBench.result", timeout=5_000).json_value()
        except NoAnswer:
            # A press that changes nothing is a fault of the app and is told in the report; a server that is gone ends the run.
            page.request.get(f"{self.server}/_stcore/health")
            self.lost += 1
            return
        if counted:
            self.times.append(result["milliseconds"])
            self.same += result["same"]

    @property
    def median(self) -> float:
        return statistics.median(self.times) if self.times else math.nan

    @property
    def percentile_95(self) -> float:
        return statistics.quantiles(self.times, n=20, method="inclusive")[-1] if len(self.times) > 1 else math.nan


def measures() -> list[Measure]:
    return [
        Measure("A", "trivial app, st.plotly_chart", "benchmarks/ui_apps/streamlit_chart.py", "Rate"),
        Measure("B", "chart path alone", "benchmarks/ui_apps/own_chart.py", "Rate"),
        Measure("C", "explicit risk, ε₀ in the sidebar", "app.py", "Privacy level ε₀, in steps", "explicit_risk"),
        Measure("D", "explicit risk, its own ε", "app.py", "Level hoped for, ε, in steps", "explicit_risk"),
    ]


@contextmanager
def server(app: str) -> Iterator[str]:
    """Serve one app on a free port; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "streamlit", "run", app, "--server.port", str(port)]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            _wait_for(address, process)
            yield address
        finally:
            if process.poll() is not None:
                log.seek(0)
                print(f"The server of {app} ended by itself, status {process.returncode}:", log.read().decode()[-2000:])
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server at {address} did not start")


def run(every: list[Measure], browser: Browser, servers: dict[str, str]) -> None:
    for each in every:
        each.open(browser, servers[each.app])
    for turn in range(WARM_UPS + PRESSES):
        for each in every:
            each.press(counted=turn >= WARM_UPS)


def report(every: list[Measure]) -> str:
    yardstick = every[0].median
    goals = {"B": 0.9, "C": 1.3, "D": 1.3}
    lines = [
        f"From key press to redrawn chart, {PRESSES} presses each, in turn",
        f"{'':3}{'':36}{'median':>9}{'95th pct':>10}{'ratio':>8}{'goal':>8}   same node",
    ]
    for each in every:
        ratio = each.median / yardstick
        goal = goals.get(each.letter)
        against = f"{ratio:8.2f}{f'<= {goal}':>8}" if goal else f"{'':16}"
        node = f"{each.same} of {len(each.times)}"
        lost = f"   {each.lost} presses without effect" if each.lost else ""
        lines.append(
            f"{each.letter:3}{each.what:36}{each.median:6.0f} ms{each.percentile_95:7.0f} ms{against}   {node}{lost}"
        )
    return "\n".join(lines)


def main() -> None:
    path = find()
    if path is None:
        sys.exit(HELP)
    every = measures()
    with ExitStack() as stack:
        servers = {app: stack.enter_context(server(app)) for app in dict.fromkeys(each.app for each in every)}
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM))
        stack.callback(browser.close)
        run(every, browser, servers)
    print(report(every))


if __name__ == "__main__":
    main()
