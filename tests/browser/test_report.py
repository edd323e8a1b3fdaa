"""The report as a reader gets it: a click, a file, and then no network, on a screen, on a phone and on paper."""

import re
from pathlib import Path

import pytest

from tests.browser.conftest import until

# What is not inside what holds it: texts of a picture, and everything in the page.
CUT = """
() => {
  const outside = (inner, outer) =>
    inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
  const found = [];
  for (const svg of document.querySelectorAll("svg")) {
    if (!svg.getClientRects().length) continue;
    for (const text of svg.querySelectorAll("text"))
      if (outside(text.getBoundingClientRect(), svg.getBoundingClientRect())) found.push(text.textContent);
  }
  const page = document.documentElement.clientWidth;
  for (const each of document.querySelectorAll("body *")) {
    const box = each.getBoundingClientRect();
    if (box.width && (box.left < -1 || box.right > page + 1) && !each.closest("defs, clipPath, g")) found.push(each.tagName);
  }
  return found;
}
"""
# Texts of one picture that stand on one another, and the smallest letters in pixels.
TEXTS = """
() => {
  const found = [];
  let smallest = Infinity;
  for (const svg of document.querySelectorAll("svg")) {
    if (!svg.getClientRects().length) continue;
    smallest = Math.min(smallest, (12 * svg.clientWidth) / svg.viewBox.baseVal.width);
    const boxes = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    boxes.forEach(([text, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
      if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3) found.push(`${text} | ${other}`);
    }));
  }
  return [found, smallest];
}
"""
CASES = {
    "default": {},
    "all wishes": {"wg": 1, "wr": 1, "wa": 1, "wd": 1, "wm": 1, "wt": 1, "rel": 12, "k": 12, "s": 2, "comp": 123456},
    "collision": {"wev": 0.001, "wbv": 0.51, "e0": 3},
    "no noise": {"m": "randomised-response", "rel": 1},
    "impossible": {"m": "discrete-laplace", "s": 1.5},
}


@pytest.fixture
def paper(chromium):
    """A browser without a network, and what it complains of."""
    context = chromium.new_context()
    context.set_offline(True)
    page = context.new_page()
    page.complaints = []
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or page.complaints.append(request.url))
    yield page
    context.close()


@pytest.mark.parametrize("query", CASES.values(), ids=CASES)
def test_the_report_is_whole_without_a_network(reader, paper, tmp_path, query):
    reader.open("overview" if "s" in query and "m" in query else "decide", **query)  # where a chart is drawn
    name, content = reader.download(reader.main.get_by_role("button", name="Decision report"))
    assert name == "report.html"
    file = Path(tmp_path / name)
    file.write_bytes(content)
    for width in (1440, 390):  # a file without a script: once it is loaded it is at rest
        paper.set_viewport_size({"width": width, "height": 900})
        paper.goto(file.as_uri())
        assert not paper.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"), width
        assert paper.evaluate(CUT) == [], width
        met, smallest = paper.evaluate(TEXTS)
        assert met == [], width
        assert smallest >= 10, width
        pictures = paper.locator("svg").locator("visible=true").count()
        assert pictures == (0 if "s" in query and "m" in query else 3 if "m" in query else 4)
    # The same text on paper: all of it is as wide as a sheet between its margins.
    paper.emulate_media(media="print")
    paper.set_viewport_size({"width": 657, "height": 1000})
    until(lambda: paper.evaluate(CUT), [])
    printed = paper.pdf(format="A4", prefer_css_page_size=True)
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) <= 4
    assert paper.complaints == []


def test_the_overview_offers_it_and_its_links_lead_back(reader, paper, tmp_path):
    reader.open("overview", e0=0.25)
    _, content = reader.download(reader.main.get_by_role("button", name="Decision report"))
    file = tmp_path / "report.html"
    file.write_bytes(content)
    paper.goto(file.as_uri())
    address = paper.get_by_role("link", name="Composition").get_attribute("href")
    assert address.startswith(reader.server.url)
    reader.go(address).expect_epsilon0("0.25")
    assert paper.complaints == []


def test_under_a_path_the_links_keep_it(start_server, new_reader):
    reader = new_reader(start_server("--server.baseUrlPath=some/path", base_path="some/path"))
    for page, name in (("decide", "Decision report"), ("composition", "Report")):
        reader.open(page)
        _, content = reader.download(reader.main.get_by_role("button", name=name, exact=True))
        links = re.findall(r'<a href="([^"?]+)', content.decode())
        assert f"{reader.server.url}{page}" in links
        assert all(link.startswith((reader.server.url, "https://")) for link in links)
