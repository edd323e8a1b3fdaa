"""On paper: the chart is on the first page, nothing is cut, and what only a screen can use is gone."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import until

PAPER = {"width": 690, "height": 1020}  # A4 between its margins, at 96 dots per inch
CUT = """
(width) => [...document.querySelectorAll(
  '[data-testid="stMain"] p, [data-testid="stMain"] h1, [data-testid="stMain"] h2, figure.par-chart .main-svg, .stTable table'
)].filter((each) => each.getClientRects().length && each.closest('figcaption') === null)
  .filter((each) => { const box = each.getBoundingClientRect(); return box.width > 1 && (box.left < -1 || box.right > width + 1); })
  .map((each) => each.textContent.slice(0, 60))
"""


@pytest.mark.parametrize(
    ("module", "tab"), [("explicit_risk", "truth"), ("composition", "plan"), ("your_table", "plan")]
)
def test_a_page_is_printed_whole(reader, module, tab):
    reader.open(module, tab=tab)
    reader.page.emulate_media(media="print")
    size = reader.page.viewport_size
    try:
        reader.page.set_viewport_size(PAPER)
        expect(reader.sidebar).to_be_hidden()
        expect(reader.main.get_by_role("button").locator("visible=true")).to_have_count(0)
        until(
            lambda: reader.figure.bounding_box()["y"],
            lambda top: 0 < top < PAPER["height"] / 2,
            "the chart begins on the first page",
        )
        until(lambda: reader.page.evaluate(CUT, PAPER["width"]), [])
    finally:
        reader.page.set_viewport_size(size)
        reader.page.emulate_media(media="screen")
