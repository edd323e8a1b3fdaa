"""Light and dark, wide and narrow, and what a check for accessibility finds."""

import re

from playwright.sync_api import expect

from pages.shared.navigation import PAGES
from par_core.figures.theme import DARK, LIGHT
from tests.browser.accessibility import violations
from tests.browser.chart_fit import expect_fit
from tests.browser.conftest import DESKTOP, PHONE, until
from tests.browser.saved_picture import assert_saved_picture_is_on_white, assert_saved_picture_is_whole
from tests.browser.test_every_section import faults

THEMES = {"light": LIGHT, "dark": DARK}
ALL_PAINTED = """
(wanted) => {
  const titles = [...document.querySelectorAll("figure.par-chart")].filter((figure) => figure.clientWidth)
    .map((figure) => figure.querySelector(".gtitle"));
  return titles.length > 0 && titles.every((title) => title && getComputedStyle(title).fill === wanted)
    && getComputedStyle(document.querySelector("h1")).color === wanted
    && !document.querySelector("[data-stale='true']") // what is drawn anew is pale until then
    && document.getAnimations().every((each) => !(each instanceof CSSTransition) || each.playState === "finished");
}
"""
# Seconds that the longest animation or transition of anything on the page takes.
SLOWEST = """
() => Math.max(...[...document.querySelectorAll("*")].flatMap((node) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(node);
  return [animationName === "none" ? "0s" : animationDuration, transitionDuration].join().split(",").map(parseFloat);
}))
"""

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


def style(locator, name):
    return locator.evaluate("(node, name) => getComputedStyle(node)[name]", name)


def change_theme(reader, scheme):
    """Change between light and dark, and wait until the page and every chart that is seen are painted in it."""
    reader.page.emulate_media(color_scheme=scheme)
    reader.wait_for(ALL_PAINTED, rgb(THEMES[scheme]["text"]))


def test_a_chart_follows_the_theme_and_the_width_of_the_window_on_the_same_node(newcomer):
    reader = newcomer.open(tab="truth")
    plot = reader.figure.locator(".js-plotly-plot").element_handle()
    is_same = "(plot) => plot === document.querySelector('.js-plotly-plot')"
    for scheme in ("dark", "light"):
        change_theme(reader, scheme)
        assert reader.page.evaluate(is_same, plot), scheme
        lines = reader.figure.locator(".scatterlayer .js-line")
        until(
            lambda lines=lines: lines.evaluate_all("(lines) => lines.map((line) => getComputedStyle(line).stroke)"),
            {rgb(THEMES[scheme][role]) for role in ("published", "exact")}.issubset,
            scheme,
        )

    wide = reader.chart["width"]
    reader.page.set_viewport_size(PHONE)
    reader.wait_for("(wide) => document.querySelector('.js-plotly-plot').layout.width < wide - 100", wide)
    expect_fit(reader)
    reader.page.set_viewport_size(DESKTOP)
    reader.wait_for("(wide) => document.querySelector('.js-plotly-plot').layout.width === wide", wide)
    assert reader.page.evaluate(is_same, plot)

    # A chart that is drawn anew behind another tab, as the whole page is run, has its full width when it is shown.
    reader.section("By ε₀")
    reader.slider().press("ArrowRight")
    reader.expect_query(e0="0.6")
    reader.page.set_viewport_size({**DESKTOP, "width": 1100})
    reader.section("Claim and truth").expect_title("ε₀ = 0.6 ")
    expect_fit(reader)
    reader.page.set_viewport_size(DESKTOP)  # for who comes next


def test_a_chart_that_grows_wider_is_laid_out_anew_and_its_legend_stands_apart(reader):
    """As where a phone is turned: it has as many columns then as there is room for, and another height."""
    reader.open("budget_minimiser", tab="budget")
    for size in (PHONE, {"width": 640, "height": 450}):
        reader.page.set_viewport_size(size)
        until(lambda: [fault for fault in faults(reader) if fault[0] == "overlap"], [], size)
    reader.page.set_viewport_size(DESKTOP)  # for who comes next


def test_every_page_can_be_reached_be_read_out_suits_everyone_and_its_chart_can_be_saved(newcomer):
    reader, scheme = newcomer.open("overview"), "dark"
    for info in (*PAGES[1:], PAGES[0]):
        reader.visit(info.title)
        expect(reader.page.get_by_role("dialog"), info.module).to_have_count(0)
        expect(reader.page).to_have_title(re.compile(info.title))
        for figure in reader.main.get_by_role("figure").all():
            expect(figure.locator("svg.main-svg").first, info.module).to_be_visible()
            title = "(node) => node.querySelector('.js-plotly-plot').layout.title.text"
            until(lambda figure=figure, title=title: figure.evaluate(title), where=info.module)
            caption = figure.locator("figcaption")
            expect(caption, info.module).to_have_attribute("aria-live", "polite")
            expect(caption, info.module).to_have_text(re.compile(r"\d"))
            expect(figure, info.module).to_have_accessible_name(caption.inner_text())
        folded = reader.sidebar.locator("details:not([open]) > summary")
        folded.evaluate_all("(all) => all.forEach((each) => each.click())")
        reader.wait_until_drawn()
        # Each page is checked in one theme and painted in both; the next one begins in the other.
        change_theme(reader, scheme)
        until(lambda: serious(reader), [], (info.module, scheme))
        if info.module == "explicit_risk":
            change_theme(reader, "dark")
            assert_saved_picture_is_on_white(reader)
        scheme = "light" if scheme == "dark" else "dark"
        change_theme(reader, scheme)
        if info.module != "overview":  # its charts have no menu
            assert_saved_picture_is_whole(reader, info.module)


def test_who_wants_no_motion_sees_none(reader):
    reader.open(tab="truth")
    assert reader.page.evaluate(SLOWEST) <= 0.001
    reader.page.emulate_media(reduced_motion="no-preference")
    assert reader.page.evaluate(SLOWEST) > 0.05  # Streamlit's own
    reader.page.emulate_media(reduced_motion="reduce")  # for who comes next


def test_what_is_chosen_is_seen_where_forced_colours_take_backgrounds_away(reader):
    reader.open("explicit_risk", tab="dimension")
    reader.page.emulate_media(forced_colors="active")
    page = style(reader.page.locator("body"), "backgroundColor")
    chosen, other = (reader.main.get_by_role("radio", name=name) for name in ("Risk", "Confidence"))
    until(lambda: [style(each, "backgroundColor") == page for each in (chosen, other)], [False, True])
    tabs = (reader.main.get_by_role("tab", selected=is_open).first for is_open in (True, False))
    assert [style(tab, "borderBottomWidth") for tab in tabs] == ["3px", "0px"]
    track = reader.main.get_by_role("switch").first.locator("xpath=../following-sibling::div[1]")
    assert style(track, "borderTopWidth") == "1px"
    assert style(track.locator("div"), "backgroundColor") != page
    reader.page.emulate_media(forced_colors="none")  # for who comes next


def test_the_data_and_the_formulas_of_a_chart_open_suit_everyone_and_stay_open(reader):
    reader.open(tab="truth", e0="9999")  # with a notice above
    data = reader.page.get_by_test_id("stDataFrame")
    expect(data).to_have_count(0)
    expect(reader.main.locator(".katex")).to_have_count(0)
    for summary in reader.main.locator("summary").all():
        summary.press("Enter")  # what is above grows, and a click could meet the next one on its way
        reader.wait_until_idle()
    expect(data).to_be_visible()
    # The table is painted; what a screen reader gets stands behind the painting.
    grid = data.get_by_role("grid", include_hidden=True)
    expect(grid.get_by_role("columnheader", include_hidden=True).first).to_have_text("curve")
    rows = sum(len(trace["x"]) for trace in reader.chart["traces"] if not trace["skipped"])
    expect(grid).to_have_attribute("aria-rowcount", str(rows + 1))
    explanation = reader.main.get_by_role("group").filter(has_text="How this is computed")
    expect(explanation.locator(".katex-display").first).to_be_visible()
    expect(explanation.get_by_text("Theorem 4").first).to_be_visible()
    expect(explanation.locator(".katex-error")).to_have_count(0)
    reader.wait_until_drawn()
    expect(reader.page.locator("[data-stale='true']")).to_have_count(0)  # what is drawn anew is pale until then
    expect(reader.main.get_by_role("alert").first).to_be_visible()
    until(lambda: serious(reader), [])

    reader.slider("Level hoped for, ε").press("ArrowRight")
    reader.expect_query(e="0.45").wait_until_idle()
    expect(data).to_be_visible()


def serious(reader):
    """Return the serious violations as (rule, selector, markup), without those that are Streamlit's own."""
    own = {(rule, selector) for rule, selector, _ in STREAMLITS_OWN}
    return [
        (each["id"], node["target"], node["html"][:200])
        for each in violations(reader)
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
        if not any(each["id"] == rule and selector in str(node["target"]) for rule, selector in own)
    ]
