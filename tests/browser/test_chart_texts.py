"""Every chart can be read: its texts meet neither each other nor an edge nor another curve, and none is for machines."""

from pathlib import Path

import pytest

from pages.shared.navigation import PAGES
from tests.browser.conftest import DESKTOP

FAULTS = Path(__file__).with_name("chart_texts.js").read_text(encoding="utf-8")
WIDE = {"width": 1440, "height": 900}
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


def sections_of(reader, info):
    """Open one section of a page after the other; gives their labels."""
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
def test_every_text_of_a_chart_can_be_read(new_reader, info, screen):
    reader = new_reader(screen=screen)
    if screen == "desktop":
        reader.page.set_viewport_size(WIDE)
    found = {label: wrong for label in sections_of(reader, info) if (wrong := serious(faults(reader), label))}
    if screen == "desktop":
        reader.page.set_viewport_size(DESKTOP)  # for who comes next
    assert not found


def test_what_cannot_be_read_is_found(reader):
    """The chart is spoilt: two texts in one place, one across the edge, one of a machine, one that another curve crosses."""
    reader.open(tab="truth").figure.evaluate(
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
    found = {(kind, text) for kind, text, _ in faults(reader)}
    assert {("overlap", "under"), ("outside its chart", "beyond"), ("not for people", "5e-05")} <= found
    assert {("crossed", "under"), ("crossed", "over")} <= found
