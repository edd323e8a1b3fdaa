"""Light and dark, wide and narrow, and what a check for accessibility finds."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from pages.shared.navigation import PAGES
from par_core.figures.style import DARK, LIGHT
from tests.browser.conftest import PHONE

TITLES = {info.module: info.title for info in PAGES}
THEMES = {"light": LIGHT, "dark": DARK}
ALL_PAINTED = """
(wanted) => {
  const titles = [...document.querySelectorAll("figure.par-chart")].filter((figure) => figure.clientWidth)
    .map((figure) => figure.querySelector(".gtitle"));
  return titles.length > 0 && titles.every((title) => title && getComputedStyle(title).fill === wanted)
    && getComputedStyle(document.querySelector("h1")).color === wanted;
}
"""
TITLE_COLOUR = "(figure) => getComputedStyle(figure.querySelector('.gtitle')).fill"

# What only Streamlit could mend: rule, selector of the element, and why we cannot.
STREAMLITS_OWN = (
    (
        "scrollable-region-focusable",
        ".katex-display",
        "st.latex puts a wide formula into a span that scrolls, and takes no tabindex; Chromium lets the keyboard in by itself",
    ),
)


def rgb(colour):
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


@pytest.mark.parametrize(("scheme", "theme"), THEMES.items())
def test_a_chart_is_painted_in_the_colours_of_the_theme(new_reader, scheme, theme):
    reader = new_reader(color_scheme=scheme).open(tab="truth")
    assert reader.figure.evaluate(TITLE_COLOUR) == rgb(theme["text"])
    paragraph = reader.main.get_by_role("heading", level=1)
    assert paragraph.evaluate("(node) => getComputedStyle(node).color") == rgb(theme["text"])
    lines = reader.figure.locator(".scatterlayer .js-line").evaluate_all(
        "(lines) => lines.map((line) => getComputedStyle(line).stroke)"
    )
    assert rgb(theme["published"]) in lines
    assert rgb(theme["exact"]) in lines


def change_theme(reader, scheme):
    """Change between light and dark, and wait until the words of the page and every chart that is seen are painted in it."""
    reader.page.emulate_media(color_scheme=scheme)
    reader.page.wait_for_function(ALL_PAINTED, arg=rgb(THEMES[scheme]["text"]))


def test_a_chart_follows_a_change_of_theme_on_the_same_node(new_reader):
    reader = new_reader(color_scheme="light").open(tab="truth")
    plot = reader.figure.locator(".js-plotly-plot").element_handle()
    for scheme in ("dark", "light"):
        change_theme(reader, scheme)
        assert reader.page.evaluate("(plot) => plot === document.querySelector('.js-plotly-plot')", plot)


def assert_charts_fit(reader, where=""):
    assert not reader.scrolls_sideways, where
    figures = reader.main.get_by_role("figure").locator("visible=true").all()
    assert figures, where
    for figure in figures:
        box, drawing = figure.bounding_box(), figure.locator(".main-svg").first.bounding_box()
        assert box["x"] >= 0, where
        assert box["x"] + box["width"] <= reader.page.viewport_size["width"], where
        assert drawing["width"] == pytest.approx(box["width"], abs=2), where


def test_every_section_fits_a_phone(new_reader):
    reader = new_reader(viewport=PHONE).open()
    labels = [tab.inner_text() for tab in reader.page.get_by_role("tab").all()]
    assert len(labels) == 6
    for label in labels[1:] + labels[:1]:
        assert_charts_fit(reader.section(label), label)


def test_a_chart_follows_the_width_of_the_window_on_the_same_node(reader):
    reader.open(tab="truth")
    plot = reader.figure.locator(".js-plotly-plot").element_handle()
    wide = reader.chart["width"]
    reader.page.set_viewport_size(PHONE)
    reader.page.wait_for_function(
        "(wide) => document.querySelector('.js-plotly-plot').layout.width < wide - 100", arg=wide
    )
    assert_charts_fit(reader)
    reader.page.set_viewport_size({"width": 1280, "height": 900})
    reader.page.wait_for_function("(wide) => document.querySelector('.js-plotly-plot').layout.width === wide", arg=wide)
    assert reader.page.evaluate("(plot) => plot === document.querySelector('.js-plotly-plot')", plot)


def test_a_chart_that_is_drawn_behind_another_tab_has_its_full_width_when_it_is_shown(reader):
    reader.open(tab="truth")
    reader.section("By ε₀")
    # This runs the whole page: the chart of the first section is drawn anew while it cannot be seen.
    reader.slider().press("ArrowRight")
    reader.expect_query(e0="0.6")
    reader.page.set_viewport_size({"width": 1100, "height": 900})
    reader.section("Claim and truth").expect_title("ε₀ = 0.6 ")
    assert_charts_fit(reader)


def test_a_chart_has_words_that_do_not_run_into_each_other_on_a_phone(new_reader):
    reader = new_reader(viewport=PHONE).open(tab="truth")
    title, plot = reader.figure.locator(".gtitle"), reader.figure.locator(".nsewdrag").first
    box, area = title.bounding_box(), plot.bounding_box()
    assert box["x"] + box["width"] <= PHONE["width"]
    assert box["y"] + box["height"] <= area["y"] + 2, "the title runs into the plot"
    legend = reader.figure.locator(".legend").bounding_box()
    assert legend["y"] >= area["y"] + area["height"], "the legend covers the plot"


def swipe(reader, x, y):
    """Touch the screen and move the finger up by 200 px."""
    session = reader.context.new_cdp_session(reader.page)
    for kind, moved in (("touchStart", 0), *(("touchMove", step) for step in range(20, 201, 20))):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - moved}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_a_tap_on_a_chart_shows_the_value_and_a_swipe_scrolls_the_page(new_reader):
    reader = new_reader(phone=True).open(tab="truth")
    reader.figure.evaluate("(node) => node.scrollIntoView({ block: 'center' })")
    box = reader.figure.locator(".points path").first.bounding_box()
    reader.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(reader.figure.locator(".hovertext").first).to_be_visible()

    plot = reader.figure.locator(".nsewdrag").first
    ranges = "(figure) => ['xaxis', 'yaxis'].map((axis) => figure.querySelector('.js-plotly-plot').layout[axis].range)"
    shown, box = reader.figure.evaluate(ranges), plot.bounding_box()
    swipe(reader, box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    reader.page.wait_for_function(
        "([node, top]) => node.getBoundingClientRect().top < top - 100", arg=[plot.element_handle(), box["y"]]
    )
    assert reader.figure.evaluate(ranges) == shown


@pytest.mark.parametrize("module", TITLES)
def test_a_page_can_be_read_out_suits_everyone_and_fits_a_phone(reader, module):
    reader.open(module)
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(TITLES[module])
    expect(reader.page).to_have_title(re.compile(TITLES[module]))
    for figure in reader.main.get_by_role("figure").all():
        assert figure.locator("svg.main-svg").first.is_visible()
        assert figure.evaluate("(node) => node.querySelector('.js-plotly-plot').layout.title.text")
        caption = figure.locator("figcaption")
        expect(caption).to_have_attribute("aria-live", "polite")
        expect(figure).to_have_accessible_name(caption.inner_text())
        assert re.search(r"\d", caption.inner_text())
    for group in reader.sidebar.locator("summary").all():
        group.click()
    reader.wait_until_drawn()
    expect(reader.page.locator("[data-stale='true']")).to_have_count(0)  # what is drawn anew is pale until then
    found = {}
    for scheme in THEMES:
        change_theme(reader, scheme)
        found[scheme] = serious(Axe().run(reader.page).response["violations"])
    assert found == {"light": [], "dark": []}
    reader.page.set_viewport_size(PHONE)
    reader.page.wait_for_function(
        "() => [...document.querySelectorAll('.js-plotly-plot')].every((plot) => plot.layout.width <= innerWidth)"
    )
    assert_charts_fit(reader)


def test_nothing_serious_stands_in_the_way_with_everything_open(reader):
    reader.open(tab="truth", e0="9999")
    for summary in reader.main.locator("summary").all():
        summary.click()
    expect(reader.page.get_by_test_id("stDataFrame")).to_be_visible()
    expect(reader.main.locator(".katex-display").first).to_be_visible()
    reader.wait_until_drawn()
    expect(reader.page.locator("[data-stale='true']")).to_have_count(0)  # what is drawn anew is pale until then
    found = Axe().run(reader.page).response["violations"]
    assert not serious(found)


def serious(violations):
    """Return the serious violations as (rule, selector, markup), without those that are Streamlit's own."""
    own = {(rule, selector) for rule, selector, _ in STREAMLITS_OWN}
    return [
        (each["id"], node["target"], node["html"][:200])
        for each in violations
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
        if not any(each["id"] == rule and selector in str(node["target"]) for rule, selector in own)
    ]
