"""On a phone: a dial stays beside its chart, a tap shows a value, a swipe scrolls, and the sidebar leaves after a choice."""

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, until


def swipe(reader, x, y):
    """Touch the screen and move the finger up by 200 px."""
    session = reader.context.new_cdp_session(reader.page)
    for kind, moved in (("touchStart", 0), *(("touchMove", step) for step in range(20, 201, 20))):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y - moved}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_on_a_phone_a_tap_shows_the_value_and_a_swipe_scrolls_the_page(new_reader):
    reader = new_reader(screen="phone").open().section("Claim and truth")  # the pointer is left on its tab
    title, plot = reader.figure.locator(".gtitle"), reader.figure.locator(".nsewdrag").first
    legend = reader.figure.locator(".legend")
    until(lambda: (box := title.bounding_box())["x"] + box["width"], lambda right: right <= PHONE["width"])
    until(
        lambda: [edge for part in (title, plot, legend) for edge in top_and_bottom(part)],
        lambda edges: edges[1] <= edges[2] + 2 and edges[3] <= edges[4],
        "title, plot and legend, one below the other",
    )

    reader.figure.evaluate("(node) => node.scrollIntoView({ block: 'center' })")
    box = reader.figure.locator(".points path").first.bounding_box()
    reader.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(reader.figure.locator(".hovertext").first).to_be_visible()

    ranges = "(figure) => ['xaxis', 'yaxis'].map((axis) => figure.querySelector('.js-plotly-plot').layout[axis].range)"
    shown, box = reader.figure.evaluate(ranges), plot.bounding_box()
    swipe(reader, box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    reader.wait_for("([node, top]) => node.getBoundingClientRect().top < top - 100", [plot.element_handle(), box["y"]])
    assert reader.figure.evaluate(ranges) == shown


def top_and_bottom(locator):
    box = locator.bounding_box()
    return box["y"], box["y"] + box["height"]


def test_the_dial_stands_above_its_chart_and_stays_in_view_with_it(new_reader):
    reader = new_reader(screen="phone").open(tab="truth")
    dial = reader.slider("Level hoped for, ε")

    def away():  # from the top of the page: the finger of the test before may still move it
        reader.main.evaluate("(main) => main.scrollTo(0, 0)")
        return top_and_bottom(reader.figure)[0] - top_and_bottom(dial)[1]

    until(away, lambda away: -2 <= away < 200, "the dial stands directly above the chart")
    expect(reader.figure.locator(".modebar-container")).to_be_hidden()  # it would lie over the title

    reader.figure.evaluate("(figure) => figure.scrollIntoView({ block: 'start' })")
    bar = reader.page.get_by_test_id("stHeader").bounding_box()["height"]
    inside = lambda ends: bar <= ends[0] < ends[1] < PHONE["height"] / 3  # noqa: E731
    _, below = until(lambda: top_and_bottom(dial), inside, "the dial does not scroll away")
    dial.press("ArrowRight")
    until(lambda: top_and_bottom(reader.figure)[1] - below, lambda seen: seen > 200, "the chart is seen below it")


def test_the_sidebar_leaves_after_a_choice(new_reader):
    reader = new_reader(screen="phone").open(tab="truth")
    reader.page.get_by_test_id("stExpandSidebarButton").click()
    expect(reader.sidebar).not_to_have_attribute("data-collapsed", "true")
    reader.visit("Composition")
    expect(reader.sidebar).to_have_attribute("data-collapsed", "true")


def test_a_link_shows_the_tab_of_the_section_that_it_opens(new_reader):
    reader = new_reader(screen="phone").open("mechanism_lab", tab="quiz")
    tab = reader.page.get_by_role("tab", selected=True)
    seen = until(lambda: tab.bounding_box()["x"], lambda left: 0 < left < PHONE["width"] - 40, "the tab is in view")
    row = reader.page.get_by_role("tablist")
    row.evaluate("(row) => row.scrollTo(0, 0)")
    reader.slider("Question").press("ArrowRight")
    expect(reader.main.get_by_text("Both averages were published without noise.")).to_have_count(0)
    assert row.evaluate("(row) => row.scrollLeft") == 0, (
        f"a row that the reader scrolled stays; the tab stood at {seen}"
    )
