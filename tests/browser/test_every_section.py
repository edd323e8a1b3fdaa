"""Every section at first sight: few words, the chart above the fold and as wide as its room, and each text of it to be read.

No text of a chart meets another one, an edge or another curve, and none is for machines. Headings go down a rank at a time.
"""

import re
from pathlib import Path

import pytest

from pages.shared.navigation import PAGES
from tests.browser.accessibility import violations
from tests.browser.chart_fit import misfits
from tests.browser.conftest import DESKTOP, until

FAULTS = Path(__file__).with_name("chart_texts.js").read_text(encoding="utf-8")
WIDE = {"width": 1440, "height": 900}
MOST_WORDS = 110
# The words that can be seen beside the sidebar, without what is drawn and what belongs to a control: its label, its values.
SEEN = r"""
() => {
  const control = 'button, input, textarea, label, summary, [role="tablist"], [role="slider"], [role="radiogroup"], [role="listbox"], '
    + '[data-testid="stWidgetLabel"], [data-testid="stSliderTickBar"], [data-testid="stMultiSelect"], [data-testid="stIconMaterial"], '
    + '.par-chart-alt, svg, style, script';
  const main = document.querySelector('[data-testid="stMain"]'), walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const seen = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement, range = document.createRange();
    if (!node.data.trim() || parent.closest(control) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width && box.bottom > 0 && box.top < innerHeight) seen.push(node.data);
  }
  const first = [...document.querySelectorAll("figure.par-chart")].find((figure) => figure.clientWidth);
  return { seen: seen.join(" "), top: first.getBoundingClientRect().top };
}
"""
# A chart follows its window a moment later, and that while the sidebar comes or goes.
SETTLED = """
() => {
  const figures = [...document.querySelectorAll("figure.par-chart")].filter((figure) => figure.clientWidth);
  const widths = figures.map((figure) => figure.clientWidth).join();
  const before = window.parWidths;
  window.parWidths = widths;
  return widths === before
    && figures.every((figure) => figure.querySelector(".js-plotly-plot").layout.width === Math.round(figure.clientWidth));
}
"""


def faults(reader):
    """What is wrong with the texts of the charts in view, as (kind, text, other)."""
    reader.wait_for(SETTLED)
    figures = reader.main.get_by_role("figure").locator("visible=true").all()
    return [tuple(fault) for figure in figures for fault in figure.evaluate(FAULTS)]


def first_view(reader):
    """What is wrong with what is seen before the page is scrolled."""
    view = reader.page.evaluate(SEEN)
    words = re.findall(r"[^\W\d_][\w.,'’/-]*|\d[\d.,]*", view["seen"])
    if len(words) > MOST_WORDS:
        yield "wordy", len(words)
    if view["top"] > WIDE["height"] / 2:
        yield "the chart begins in the lower half", view["top"]


def headings(reader):
    """Headings that skip a rank: who hears a page goes from one to the next by them."""
    for each in violations(reader, runOnly=["heading-order", "page-has-heading-one", "empty-heading"]):
        yield from ((each["id"], node["html"]) for node in each["nodes"])


def sections_of(reader, info):
    """Open one section of a page after the other, from its top; gives their labels."""
    reader.open(info.module)
    sections = info.load().sections
    for section in sections:
        if len(sections) > 1:
            reader.section(section.label)
        yield section.label


# Where so many curves lie that on a narrow screen no place beside a marker is free: the value of the marker crosses one.
CROWDED = {"By ε₀ · fig. 1b", "Budget · fig. 4", "Both sources · fig. 3", "What it does to accuracy · fig. 6"}


def serious(found, label):
    """What is wrong, but for a value beside its marker that its own curve, or in a crowded chart another one, runs through."""
    passed = {"crossed by its own curve", *(["crossed"] if label in CROWDED else [])}
    return [fault for fault in found if fault[0] not in passed]


@pytest.mark.parametrize("screen", ["desktop", "phone"])
@pytest.mark.parametrize("info", PAGES, ids=lambda info: info.module)
def test_every_section_is_grasped_at_first_sight_and_its_chart_can_be_read(new_reader, info, screen):
    reader, wide = new_reader(screen=screen), screen == "desktop"
    if wide:
        reader.page.set_viewport_size(WIDE)
    for label in sections_of(reader, info):
        wrong = lambda at=label: [  # noqa: E731
            *serious(faults(reader), at),
            *misfits(reader),
            *(first_view(reader) if wide else ()),
        ]
        until(wrong, [], label)
        until(lambda: [*headings(reader)], [], label)  # once the rest is at rest: it takes longer
    if wide:
        reader.page.set_viewport_size(DESKTOP)  # for who comes next


def test_what_cannot_be_read_is_found(reader):
    """The chart is spoilt: two texts in one place, one across the edge, one of a machine, one that another curve crosses; a heading too."""
    reader.open(tab="truth").main.get_by_role("heading", level=2).first.evaluate(
        "(node) => node.setAttribute('aria-level', 4)"
    )
    assert "heading-order" in dict(headings(reader))
    reader.figure.evaluate(
        """(figure) => {
          const plot = figure.querySelector(".js-plotly-plot");
          const { xaxis, yaxis } = plot._fullLayout;
          const middle = (axis) => (axis.range[0] + axis.range[1]) / 2;
          const [x, y] = [middle(xaxis), middle(yaxis)];
          const text = (text, more) => ({ text, x, y, showarrow: false, font: { color: "#123456" }, ...more });
          Plotly.addTraces(plot, { x: xaxis.range, y: [y, y], mode: "lines", name: "another" });
          return Plotly.relayout(plot, { annotations: [
            text("under"), text("over"), text("beyond", { xref: "paper", x: 1.2 }), text("5e-05", { y: yaxis.range[1] }),
          ] });
        }"""
    )
    spoilt = {("overlap", "under"), ("outside its chart", "beyond"), ("not for people", "5e-05")}
    spoilt |= {("crossed", "under"), ("crossed", "over")}
    until(lambda: {(kind, text) for kind, text, _ in faults(reader)}, spoilt.issubset)
