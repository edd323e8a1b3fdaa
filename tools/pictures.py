"""Take a picture of the first view of every page, at its defaults, for the README (`make pictures`)."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from benchmarks.server import ROOT, server
from benchmarks.ui import CHROMIUM
from pages.shared.navigation import PAGES
from tests.browser.find_browser import HELP, find

FOLDER = ROOT / "docs" / "pictures"
SIZE = {"width": 1200, "height": 900}
COLOURS = 64
WAIT = 90_000  # milliseconds, for the first page of a fresh server
DRAWN = """
() => {
  const seen = [...document.querySelectorAll("figure.par-chart")].filter((figure) => figure.clientWidth);
  return seen.length > 0 && seen.every((figure) => figure.dataset.drawn);
}
"""


def take(page: Page) -> bytes:
    """Return what is on the screen once every chart is drawn, in few colours."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=WAIT)
    page.wait_for_function(DRAWN, timeout=WAIT)
    expect(page.get_by_test_id("stSkeleton").locator("visible=true")).to_have_count(
        0
    )  # controls whose script is on its way
    expect(page.get_by_test_id("stProgress")).to_have_count(0, timeout=WAIT)  # work that goes on below what is drawn
    expect(page.get_by_role("dialog")).to_have_count(0)
    shown = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    packed = io.BytesIO()
    shown.quantize(COLOURS, dither=Image.Dither.NONE).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def take_all(folder: Path = FOLDER) -> None:
    """Write one picture a page, and take away those of pages that are no more."""
    path = find()
    if path is None:
        sys.exit(HELP)
    folder.mkdir(parents=True, exist_ok=True)
    with server("app.py") as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM))
        page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
        for info in PAGES:
            page.goto(f"{running.address}/{'' if info is PAGES[0] else info.module}")
            expect(page.get_by_role("heading", level=1)).to_have_text(info.title, timeout=WAIT)
            picture = take(page)
            (folder / f"{info.module}.png").write_bytes(picture)
            print(f"{info.module}: {len(picture) / 1000:.0f} kB", flush=True)
        browser.close()
    for each in folder.glob("*.png"):
        if each.stem not in {info.module for info in PAGES}:
            each.unlink()


if __name__ == "__main__":
    take_all()
