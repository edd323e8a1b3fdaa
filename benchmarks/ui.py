"""How long it takes from a reader's hand on a slider until the redrawn chart is in the picture.

Run: make bench-ui

Five sliders are measured in one browser, one after the other in turns, so that whatever else the machine does falls on all alike:

A  a trivial app: one slider and one st.plotly_chart; the yardstick
B  the chart path alone: the same slider and figure through pages.shared.chart, with its menu and its data row
C  the page on explicit risk, the ε₀ of the sidebar: the whole page runs
D  the page on explicit risk, its own ε: a fragment, so only the open section runs
E  four curves without a server: what browser and Plotly take alone, the yardstick of a drag

A press of a key is timed inside the page: from the time stamp of its event to the frame after the first one in which a chart
tells something else than before. So is the release of a slider that was dragged, on the pages until their words have changed
too; a chart that shows the figure already, drawn under the thumb, counts with its caption. Where the slider is a dial, each of
its steps is timed on the way: from the move of the pointer to the painted frame. What a release takes is broken down into its
parts, and what jumps in the page is summed up. Nothing here fails for being slow.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as NoAnswer

from benchmarks.server import ROOT, server
from tests.browser.find_browser import HELP, find

WARM_UPS = 5
PRESSES = int(os.environ.get("PAR_BENCH_PRESSES", "40"))
ONE_WAY = 6  # presses in one direction before the slider goes back
DRAG, MOVES = 42, 21  # pixels that a slider is dragged, and the moves of the pointer that this takes
GOALS = {"B": 0.9, "C": 1.3, "D": 1.3}  # times the yardstick, for a press
RELEASE_GOALS = {"C": 1.6, "D": 1.3}
FRAME_GOALS = (33, 66)  # milliseconds, median and 95th percentile
BARE = ROOT / "benchmarks" / "ui_apps" / "bare_dial.html"
LIBRARY = str(files("plotly") / "package_data" / "plotly.min.js")
PARTS = {"sent": "to the wire", "first": "wire", "chart": "script", "react": "React", "painted": "Plotly"}
WATCH = (ROOT / "benchmarks" / "ui_watch.js").read_text(encoding="utf-8")
# Where the thumb of a slider is: the range input of a dial is all of its track, Streamlit hides one within the thumb.
THUMB = """
(input) => {
  const dial = input.closest(".par-dial");
  const { x, y, width, height } = (dial ? input : input.parentElement.parentElement).getBoundingClientRect();
  const share = dial ? (input.value - input.min) / (input.max - input.min) : 0.5;
  const half = Math.min(8, width / 2); // pixels of a thumb, which stays within the track
  return [x + half + share * (width - 2 * half), y + height / 2];
}
"""
CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Times:
    """What one kind of movement of one slider gave; times in milliseconds."""

    taken: list[float] = field(default_factory=list)
    marks: list[dict[str, float]] = field(default_factory=list)
    same: int = 0
    lost: int = 0

    def note(self, result: dict[str, Any]) -> None:
        self.taken.append(result["milliseconds"])
        self.marks.append(result["marks"])
        self.same += result["same"]

    @property
    def median(self) -> float:
        return _median(self.taken)

    def parts(self) -> list[float]:
        """What each of `PARTS` took, as a median; NaN for what this app does not tell."""
        parts, names = [], ["", *PARTS]
        for before, name in zip(names, PARTS, strict=False):
            both = [each for each in self.marks if name in each and (not before or before in each)]
            parts.append(_median([each[name] - (each[before] if before else 0) for each in both]))
        return parts


@dataclass
class Measure:
    """One slider, and what moving it gave."""

    letter: str
    what: str
    app: str
    slider: str
    address: str = ""
    server: str = ""
    page: Page | None = None
    turns: int = 0
    presses: Times = field(default_factory=Times)
    releases: Times = field(default_factory=Times)
    frames: list[float] = field(default_factory=list)
    shifts: list[float] = field(default_factory=list)

    def open(self, browser: Browser, server: str) -> None:
        self.server = server
        self.page = browser.new_page(viewport={"width": 1280, "height": 900})
        self.page.add_init_script(WATCH)
        # The library is served by the dashboard, not by the small apps.
        self.page.route("**/app/static/plotly.min.js", lambda route: route.fulfill(path=LIBRARY))
        self.page.route(f"**/{BARE.name}", lambda route: route.fulfill(path=BARE))
        self.page.goto(f"{server}/{self.address}")
        self.page.wait_for_selector(".js-plotly-plot .gtitle", timeout=60_000)

    def press(self, *, counted: bool) -> None:
        page = self._ready()
        page.get_by_role("slider", name=self.slider).focus()
        page.wait_for_function("() => window.parBench.idle()")
        page.keyboard.press("ArrowLeft" if self.turns // ONE_WAY % 2 else "ArrowRight")
        self._hear(self.presses, counted=counted)

    def drag(self, *, counted: bool) -> None:
        """Drag the slider some way, there or back in turns, and let go."""
        page = self._ready()
        slider = page.get_by_role("slider", name=self.slider)
        slider.scroll_into_view_if_needed()
        x, y = slider.evaluate(THUMB)
        way = -DRAG if self.turns % 2 else DRAG
        page.mouse.move(x, y)  # a dial asks for its frames
        page.wait_for_function("() => window.parBench.idle()")
        page.mouse.down()
        shift = page.evaluate(
            "(too) => { window.parBench.wordsToo = too; return window.parBench.shift; }", self.app == "app.py"
        )
        for step in range(1, MOVES + 1):
            page.mouse.move(x + way * step / MOVES, y)
        page.mouse.move(
            x + way * 1.5, y
        )  # Streamlit may have sent what it came to on the way: the last step is a full one
        page.mouse.up()
        self._hear(self.releases, counted=counted)
        shifted, frames = page.evaluate(
            "() => { window.parBench.wordsToo = false; return [window.parBench.shift, window.parBench.frames]; }"
        )
        if counted:
            self.frames += frames
            self.shifts.append(shifted - shift)

    def _ready(self) -> Page:
        assert self.page is not None
        self.page.bring_to_front()  # frames are drawn only for what is in front
        self.page.wait_for_function("() => window.parBench.idle()")
        return self.page

    def _hear(self, times: Times, *, counted: bool) -> None:
        assert self.page is not None
        self.turns += 1
        try:
            result = self.page.wait_for_function("() => window.parBench.result", timeout=5_000).json_value()
        except NoAnswer:
            # A press that changes nothing is a fault of the app and is told in the report; a server that is gone ends the run.
            self.page.request.get(f"{self.server}/_stcore/health")
            times.lost += 1
            return
        if counted:
            times.note(result)


def measures() -> list[Measure]:
    return [
        Measure("A", "trivial app, st.plotly_chart", "benchmarks/ui_apps/streamlit_chart.py", "Rate"),
        Measure("B", "chart path alone", "benchmarks/ui_apps/own_chart.py", "Rate"),
        Measure("C", "explicit risk, ε₀ in the sidebar", "app.py", "Privacy level ε₀", "explicit_risk"),
        Measure("D", "explicit risk, its own ε", "app.py", "Level hoped for, ε", "explicit_risk"),
        Measure("E", "four curves, no server", "benchmarks/ui_apps/streamlit_chart.py", "Rate", BARE.name),
    ]


def run(every: list[Measure], browser: Browser, servers: dict[str, str]) -> None:
    for each in every:
        each.open(browser, servers[each.app])
    for move in (Measure.press, Measure.drag):
        for each in every:
            each.turns = 0
        for turn in range(WARM_UPS + PRESSES):
            for each in every:
                move(each, counted=turn >= WARM_UPS)


def report(every: list[Measure]) -> str:
    dialled = [each for each in every if each.frames]
    bare = _median(every[-1].frames)
    lines = [
        *_table("From key press to redrawn chart", [(each, each.presses) for each in every], GOALS),
        "",
        *_table("From release to redrawn chart and words", [(each, each.releases) for each in every], RELEASE_GOALS),
        "",
        "From pointer move to painted frame while a dial is dragged, median and 95th percentile"
        + ("" if dialled else ": no dial here"),
        *(
            f"{each.letter:3}{each.what:36}{_median(each.frames):6.0f} ms{_high(each.frames):7.0f} ms"
            f"{_median(each.frames) / bare:8.2f} of E   goals <= {FRAME_GOALS[0]} and {FRAME_GOALS[1]} ms   of {len(each.frames)} steps"
            for each in dialled
        ),
        "",
        "Parts of a release (medians in ms)" + "".join(f"{name:>13}" for name in PARTS.values()) + "   layout shift",
    ]
    for each in every:
        parts = "".join(f"{'':12}-" if math.isnan(part) else f"{part:13.0f}" for part in each.releases.parts())
        lines.append(f"{each.letter:3}{each.what[:31]:31}{parts}{max(each.shifts, default=0.0):15.4f} at most")
    return "\n".join(lines)


def _table(title: str, rows: list[tuple[Measure, Times]], goals: dict[str, float]) -> list[str]:
    lines = [
        f"{title}, {PRESSES} each, in turn",
        f"{'':39}{'median':>9}{'95th pct':>10}{'ratio':>8}{'goal':>8}   same node",
    ]
    for each, times in rows:
        goal = goals.get(each.letter)
        ratio = times.median / rows[0][1].median
        against = f"{ratio:8.2f}{f'<= {goal}':>8}" if goal else f"{'':16}"
        lost = f"   {times.lost} without effect" if times.lost else ""
        lines.append(
            f"{each.letter:3}{each.what:36}{times.median:6.0f} ms{_high(times.taken):7.0f} ms{against}   "
            f"{times.same} of {len(times.taken)}{lost}"
        )
    return lines


def _median(taken: Sequence[float]) -> float:
    return statistics.median(taken) if taken else math.nan


def _high(taken: Sequence[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(taken, n=20, method="inclusive")[-1] if len(taken) > 1 else math.nan


def main() -> None:
    path = find()
    if path is None:
        sys.exit(HELP)
    every = measures()
    with ExitStack() as stack:
        apps = dict.fromkeys(each.app for each in every)
        servers = {app: stack.enter_context(server(app)).address for app in apps}
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM))
        stack.callback(browser.close)
        run(every, browser, servers)
    print(report(every))


if __name__ == "__main__":
    main()
