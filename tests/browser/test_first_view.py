"""What a reader meets on a laptop: the chart begins above the fold, and few words stand around it."""

import re

from tests.browser.conftest import DESKTOP
from tests.golden.charts import SECTIONS

LAPTOP = {"width": 1440, "height": 900}
MOST_WORDS = 110
# The words that can be seen beside the sidebar, without what is drawn and what belongs to a control: its label, its values.
SEEN = r"""
() => {
  const control = 'button, input, textarea, label, summary, [role="tablist"], [role="slider"], [role="radiogroup"], [role="listbox"], '
    + '[data-testid="stWidgetLabel"], [data-testid="stSliderTickBar"], [data-testid="stMultiSelect"], [data-testid="stIconMaterial"], '
    + '.par-chart-alt, style, script';
  const main = document.querySelector('[data-testid="stMain"]'), walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const seen = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement, range = document.createRange();
    if (!node.data.trim() || parent.closest(control) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width || box.bottom <= 0 || box.top >= innerHeight) continue;
    if (!parent.closest("svg")) seen.push(node.data);
  }
  const first = [...document.querySelectorAll("figure.par-chart")].find((figure) => figure.clientWidth);
  return { seen: seen.join(" "), top: first.getBoundingClientRect().top };
}
"""


def words(text):
    return re.findall(r"[^\W\d_][\w.,'’/-]*|\d[\d.,]*", text)


def test_every_section_shows_its_chart_and_few_words_at_first_sight(reader):
    reader.page.set_viewport_size(LAPTOP)
    wordy, low = {}, {}
    for module, section in SECTIONS:
        view = reader.open(module, **({"tab": section} if section else {})).page.evaluate(SEEN)
        if len(words(view["seen"])) > MOST_WORDS:
            wordy[module, section] = len(words(view["seen"]))
        if view["top"] > LAPTOP["height"] / 2:
            low[module, section] = view["top"]
    reader.page.set_viewport_size(DESKTOP)  # for who comes next
    assert not low, "the chart begins in the lower half"
    assert not wordy
