"""First contact: from the overview to a decision that is taken in few clicks, and the tour with clicks alone."""

import re

import pytest
from playwright.sync_api import expect

from pages.shared.navigation import PageInfo
from pages.shared.tour import STOPS
from tests.browser.chart_fit import expect_fit
from tests.browser.conftest import DESKTOP, PHONE, until

WIDE = {"width": 1440, "height": 900}
MOST_CLICKS = 12
# Whatever a reader clicks counts, also what a test does not mean to: nothing that a script sends does.
COUNT = "() => { window.parClicks = 0; addEventListener('click', (event) => { window.parClicks += event.isTrusted; }, true); }"


def clicks(reader):
    """How often the reader has clicked since the count began; the document is the same from page to page."""
    return reader.page.evaluate("window.parClicks")


def take_the_report(reader):
    """Click the report in the row at the end of a section, and return what comes."""
    name, content = reader.download(reader.main.get_by_role("button", name="Decision report", exact=True))
    assert name.endswith(".html")
    return content.decode("utf-8")


def test_a_first_time_steward_has_the_decision_in_the_scenario_in_few_clicks(newcomer):
    reader = newcomer.open("overview")
    reader.page.evaluate(COUNT)
    expect(reader.main.get_by_role("heading", name=re.compile("The example wishes ask for ε₀ from"))).to_be_visible()
    reader.main.get_by_role("link", name="Decide", exact=True).click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Decide")
    reader.wait_until_drawn()
    reader.main.locator("label").filter(has_text="Rise of belief").click()  # one wish more
    expect(reader.main.get_by_role("heading", name=re.compile("all 3 wishes are met"))).to_be_visible()
    reader.wait_until_drawn()
    offered = reader.main.get_by_role("button", name=re.compile("in my scenario")).last
    level = re.search(r"ε₀\s=\s(\S+)", offered.inner_text())[1]
    offered.click()
    reader.expect_query(e0=level).expect_epsilon0(level)
    expect(reader.main.get_by_text(re.compile("will do")).first).to_be_visible()
    assert level in take_the_report(reader)
    assert 3 <= clicks(reader) <= MOST_CLICKS
    expect(reader.visit("Overview").main.get_by_role("heading", name=re.compile(r"will do$"))).to_be_visible()


def expect_stop(reader, number):
    stop = STOPS[number - 1]
    expect(reader.main.get_by_text(f"{number} of {len(STOPS)}", exact=True)).to_be_visible()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(PageInfo(stop.module).title)
    expect(reader.main.get_by_text(stop.words)).to_be_visible()
    return reader.expect_query(tour=number).wait_until_drawn()


def click(reader, label):
    reader.main.get_by_role("button", name=label, exact=True).click()
    return reader


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_the_tour_is_walked_with_clicks_alone_and_leaves_nothing_behind(new_reader, screen):
    reader = new_reader(screen=screen, anew=True)
    width = PHONE["width"] if screen == "phone" else WIDE["width"]
    if screen == "desktop":
        reader.page.set_viewport_size(WIDE)
    click(reader.open("overview", e0="0.8"), "Two-minute tour")
    for number in range(1, len(STOPS) + 1):
        expect_stop(reader, number)
        expect_fit(reader, number)
        bar = reader.main.locator(".st-key-tour_bar")
        expect(bar.get_by_role("button", name="Leave the tour")).to_be_in_viewport()
        until(
            lambda bar=bar: [each.bounding_box() for each in (bar, *bar.get_by_role("button").all())],
            lambda boxes: (
                all(0 <= box["x"] < box["x"] + box["width"] <= width for box in boxes) and boxes[0]["height"] < 160
            ),
            number,
        )
        if number < len(STOPS):
            click(reader, "Next")
    expect_stop(click(reader, "Back"), len(STOPS) - 1)
    click(reader, "Leave the tour")
    expect(reader.main.locator(".st-key-tour_bar")).to_have_count(0)
    reader.expect_query(tour=None, e0="0.8")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text(PageInfo(STOPS[-2].module).title)
    if screen == "desktop":
        reader.page.set_viewport_size(DESKTOP)  # for who comes next


def test_a_link_opens_a_stop_and_the_keyboard_walks_on(newcomer):
    reader = newcomer.go(newcomer.server.address("composition", tour=3))
    expect_stop(reader, 3)
    reader.main.get_by_role("button", name="Next", exact=True).press("Enter")
    expect_stop(reader, 4)
