"""Whether charts fit their room: for every section, and for windows that change."""

from tests.browser.conftest import until

# Measured at one moment: between two questions the page can move.
MISFITS = """
() => {
  const page = document.documentElement, wrong = [];
  if (page.scrollWidth > page.clientWidth) wrong.push(["the page scrolls sideways"]);
  const figures = [...document.querySelectorAll('[data-testid="stMain"] figure.par-chart')].filter((figure) => figure.clientWidth);
  if (!figures.length) wrong.push(["there is no chart"]);
  const buttons = [...document.querySelectorAll("button")].filter((button) => button.innerText.trim() === "CSV" && button.clientWidth);
  for (const figure of figures) {
    const box = figure.getBoundingClientRect();
    if (box.left < 0 || box.right > innerWidth) wrong.push(["the chart leaves the page", box.left, box.right]);
    const width = figure.querySelector(".main-svg").getBoundingClientRect().width;
    if (Math.abs(width - box.width) > 2) wrong.push(["the drawing has another width than its room", width, box.width]); // a border
    const csv = buttons.find((button) => figure.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING);
    const away = csv ? csv.getBoundingClientRect().top - box.bottom : 0;
    if (away < 0 || away >= 120) wrong.push(["its files are elsewhere", away]);
  }
  return wrong;
}
"""


def misfits(reader):
    """What is wider than its room, or not beside its chart."""
    return [tuple(each) for each in reader.page.evaluate(MISFITS)]


def expect_fit(reader, where=""):
    """Wait until every chart fits."""
    until(lambda: misfits(reader), [], where)
