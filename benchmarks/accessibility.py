"""Every section as people meet it who have no mouse, little sight, a small screen, or colours of their own.

Run: make accessibility (OPTIONS=--strict fails for a fault, OPTIONS="--pictures FOLDER" keeps what is seen at 200 % and in forced colours)

Of each section: what axe finds, light and dark; whether headings go down a rank at a time; whether anything moves although the reader
wants no motion; at 390 px and at 200 % zoom, whether the page scrolls sideways, a chart leaves its room or a text of it cannot be
read; in forced colours, whether lines and texts of the charts stand out from the page; with the Tab key from the open tab to the end,
whether each stop is seen, has a name and stands below the one before it in its column, and whether there is an end. Then the tour.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

from pages.shared.navigation import PAGES, PageInfo
from pages.shared.tour import STOPS
from tests.browser.accessibility import violations
from tests.browser.chart_fit import misfits
from tests.browser.conftest import DESKTOP, FLAGS, PHONE, Reader, Server
from tests.browser.find_browser import HELP, find
from tests.browser.test_every_section import faults, headings
from tests.browser.test_every_section import serious as unreadable
from tests.browser.test_looks import SLOWEST, STREAMLITS_OWN, change_theme

ZOOMED = {"width": DESKTOP["width"] // 2, "height": DESKTOP["height"] // 2}  # 200 % of a desktop leaves half of it
MOST_STOPS = 250
TRIES = 4  # looks at a page that may still change
# Lines and texts of charts that stand out too little from the page: WCAG asks for 3 and 4.5.
FAINT = """
() => {
  const numbers = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((each) => each / 255)
    .map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4)
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  const page = light(numbers(getComputedStyle(document.querySelector('[data-testid="stApp"]')).backgroundColor));
  const ratio = (colour) => { const own = light(numbers(colour)); return (Math.max(own, page) + 0.05) / (Math.min(own, page) + 0.05); };
  const wrong = [];
  for (const plot of document.querySelectorAll("figure.par-chart .js-plotly-plot")) {
    if (!plot.clientWidth) continue;
    for (const line of plot.querySelectorAll(".js-line")) {
      const { stroke, strokeWidth } = getComputedStyle(line);
      if (stroke !== "none" && parseFloat(strokeWidth) > 1 && ratio(stroke) < 2.95) wrong.push(["line", stroke]);
    }
    for (const text of plot.querySelectorAll(".gtitle, .xtick text, .ytick text, .legendtext")) {
      const { fill } = getComputedStyle(text);
      if (ratio(fill) < 4.45) wrong.push(["text", fill, text.textContent]);
    }
  }
  return wrong;
}
"""
FOCUSED = """
() => {
  const at = document.activeElement, { outlineStyle, outlineWidth } = getComputedStyle(at);
  const { left, right, top, bottom, width, height } = at.getBoundingClientRect();
  const scrolled = document.querySelector('[data-testid="stMain"]').scrollTop;
  return {
    end: at === document.body,
    name: (at.getAttribute("aria-label") || at.labels?.[0]?.textContent || at.textContent.trim() || at.title || "").slice(0, 60),
    what: at.outerHTML.slice(0, 120),
    seen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && width > 0 && height > 0 && bottom > 0 && top < innerHeight,
    around: at.querySelector("a, button, input") !== null, // it scrolls, and what it holds comes next
    left, right, top: top + scrolled, bottom: bottom + scrolled,
  };
}
"""
Fault = tuple[Any, ...]


class Walk:
    """One reader who goes through the sections, and what is wrong with each, by what is looked for."""

    def __init__(self, reader: Reader, pictures: Path | None) -> None:
        self.reader, self.page, self.pictures = reader, reader.page, pictures
        self.faults: dict[str, list[Fault]] = {}
        self.looks = self.stops = 0

    def look(self, what: str, where: str, see: Callable[[], Iterable[Fault]]) -> None:
        """Note what is wrong; a page may still be changing, so look again before."""
        for _ in range(TRIES):
            if not (wrong := list(see())):
                break
            time.sleep(0.5)
        self.faults.setdefault(what, []).extend((where, *each) for each in wrong)

    def section(self, where: str, label: str) -> None:
        page, look = self.page, self.look
        for scheme in ("light", "dark"):
            change_theme(self.reader, scheme)
            look(f"axe, {scheme}", where, self._broken_rules)
        look("headings out of order", where, lambda: headings(self.reader))
        look("motion that nobody wants", where, lambda: [(took,)] if (took := page.evaluate(SLOWEST)) > 0.001 else [])
        change_theme(self.reader, "light")
        look("stops of the Tab key", where, self._stops)
        for what, size in (("390 px", PHONE), ("200 % zoom", ZOOMED)):
            page.set_viewport_size(size)
            look(what, where, lambda: [*misfits(self.reader), *unreadable(faults(self.reader), label)])
            self._take(f"{what[:3]} {where}")
        page.set_viewport_size(DESKTOP)
        for scheme in ("light", "dark"):
            page.emulate_media(forced_colors="active", color_scheme=scheme)
            look(f"forced colours, {scheme}", where, lambda: page.evaluate(FAINT))
            self._take(f"forced {scheme} {where}")
        page.emulate_media(forced_colors="none", color_scheme="light")

    def _broken_rules(self) -> Iterator[Fault]:
        """What axe finds, whatever its weight, but for what only Streamlit could mend."""
        for rule in violations(self.reader):
            for node in rule["nodes"]:
                if not any(rule["id"] == own and place in str(node["target"]) for own, place, _ in STREAMLITS_OWN):
                    yield rule["impact"], rule["id"], node["html"][:150]

    def _stops(self) -> Iterator[Fault]:
        """Tab from the open section to the end of the page; a stop above the one before, in its column, goes against the eye."""
        start = self.page.get_by_role("tab", selected=True)
        (start.first if start.count() else self.page.get_by_role("heading", level=1)).evaluate(
            "(node) => { if (node.localName === 'h1') node.tabIndex = -1; node.focus(); }"
        )
        before = None
        for _ in range(MOST_STOPS):
            self.page.keyboard.press("Tab")
            now = self.page.evaluate(FOCUSED)
            if now["end"]:
                return
            self.stops += 1
            if not now["seen"]:
                yield "not seen", now["name"], now["what"]
            if not now["name"]:
                yield "no name", now["what"]
            if (
                before
                and now["bottom"] < before["top"]
                and now["left"] < before["right"]
                and before["left"] < now["right"]
            ):
                yield "upwards", before["name"], now["name"]
            before = None if now["around"] else now
        yield "no end", now["name"]

    def _take(self, name: str) -> None:
        if self.pictures:
            self.page.screenshot(path=self.pictures / f"{name.replace(' ', '_').replace('/', '_')}.png")

    def tour(self) -> None:
        """Take the tour from the overview with Tab and Enter alone."""
        self.reader.open("overview")
        self.faults["the tour by keys"] = []
        self._press("Two-minute tour")
        for number, stop in enumerate(STOPS, 1):
            expect(self.page.get_by_role("heading", level=1)).to_have_text(PageInfo(stop.module).title)
            expect(self.reader.main.get_by_text(stop.words)).to_be_visible()
            self.reader.wait_until_drawn()
            self._press("Next" if number < len(STOPS) else "Leave the tour")
        expect(self.reader.main.locator(".st-key-tour_bar")).to_have_count(0)

    def _press(self, name: str) -> None:
        """Tab from where the focus is until it is on this button, and press Enter."""
        for _ in range(MOST_STOPS):
            if self.page.evaluate("document.activeElement.textContent.trim()") == name:
                self.page.keyboard.press("Enter")
                self.reader.wait_until_idle()
                return
            self.page.keyboard.press("Tab")
        self.faults["the tour by keys"].append((f"button {name}", "is not reached"))


def main() -> None:
    if (path := find()) is None:
        sys.exit(HELP)
    pictures = Path(sys.argv[sys.argv.index("--pictures") + 1]) if "--pictures" in sys.argv else None
    sections = [(info.module, each) for info in PAGES for each in info.load().sections]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder) / "log")
        try:
            browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
            walk = Walk(Reader(browser, server, "desktop"), pictures)
            for page, section in sections:
                where = f"{page}/{section.slug}"
                print(where, end=" ", file=sys.stderr, flush=True)
                walk.reader.open(page, **({"tab": section.slug} if page != "overview" else {}))
                walk.section(where, section.label)
            walk.tour()
            browser.close()
        finally:
            server.stop()
    print(f"\n| {len(sections)} sections, {walk.stops:,} stops of the Tab key | faults | in sections |\n|---|---|---|")
    for what, wrong in walk.faults.items():
        print(f"| {what} | {len(wrong)} | {len({each[0] for each in wrong})} |")
    for what, wrong in walk.faults.items():
        for each in wrong:
            print(what, *each, sep=" · ")
    if "--strict" in sys.argv and any(walk.faults.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
