"""The presenter's view: large, one section at a time, moved by the two keys that clickers send."""

import re

import pytest
from playwright.sync_api import expect

from pages.shared.navigation import PAGES


def expect_section(presenter, number):
    expect(presenter.page.get_by_text(re.compile(rf"\b{number} of 6\b"))).to_be_visible()
    return presenter.wait_until_drawn()


def press(presenter, key, number):
    presenter.page.keyboard.press(key)
    return expect_section(presenter, number)


def assert_it_can_be_read_on_a_beamer(presenter, number):
    assert not presenter.scrolls_sideways, number
    title, chart = presenter.page.get_by_role("heading", level=1), presenter.figure
    expect(title, number).to_be_in_viewport()
    expect(chart, number).to_be_in_viewport(ratio=0.6)
    drawing = chart.locator(".main-svg").first.bounding_box()
    assert drawing["width"] == pytest.approx(chart.bounding_box()["width"], abs=2), number
    sizes = chart.locator("text").evaluate_all(
        "(texts) => texts.map((text) => parseFloat(getComputedStyle(text).fontSize))"
    )
    assert min(sizes) >= 14, number
    expect(presenter.page.get_by_role("button", name="Next"), number).to_be_in_viewport()


def test_a_talk_is_shown_large_and_moved_by_the_keys_of_a_clicker_and_by_the_buttons(new_reader):
    presenter = new_reader(screen="beamer", anew=True).open(present="1", e0="2")
    expect_section(presenter, 1)
    expect(presenter.page.get_by_role("tab")).to_have_count(0)
    expect(presenter.field()).not_to_be_in_viewport()
    box = presenter.main.bounding_box()
    assert (box["x"], box["width"]) == (0, presenter.page.viewport_size["width"])
    assert presenter.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 18
    for number in range(1, 6):
        assert_it_can_be_read_on_a_beamer(presenter, number)
        press(presenter, "PageDown", number + 1)
    assert_it_can_be_read_on_a_beamer(presenter, 6)
    presenter.expect_query(tab="pieces", present="1", e0="2")

    # Back, though a slider was used last, and by the buttons.
    press(presenter, "PageUp", 5)
    press(presenter, "PageUp", 4)
    presenter.slider("Level hoped for, ε,").press("ArrowRight")
    presenter.expect_query(e="0.5")
    press(presenter, "PageUp", 3)
    presenter.expect_query(e="0.5", tab="calibrate")
    presenter.page.get_by_role("button", name="Previous").click()
    expect_section(presenter, 2)
    press(presenter, "PageUp", 1).expect_query(tab=None, present="1")

    # Before the first section comes the page before.
    presenter.page.keyboard.press("PageUp")
    before = PAGES[[info.module for info in PAGES].index("explicit_risk") - 1]
    expect(presenter.page.get_by_role("heading", level=1)).to_have_text(before.title)
    presenter.expect_query(present="1", e0="2").wait_until_drawn()
    presenter.page.keyboard.press("PageDown")
    expect(presenter.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    expect_section(presenter, 1)
    presenter.page.get_by_role("button", name="Next").click()
    expect_section(presenter, 2)

    # Leaving a talk that was opened by its link brings the sidebar back, and its switch begins another one.
    presenter.page.get_by_role("button", name="Leave presenter view").click()
    expect(presenter.page.get_by_role("tab")).to_have_count(6)
    expect(presenter.field()).to_be_in_viewport()
    presenter.section("Claim and truth").page.get_by_role("switch", name="Presenter view").press("Space")
    expect_section(presenter, 4)
    presenter.expect_query(present="1", tab="truth", e0="2").expect_title("ε₀ = 2 ")
    presenter.page.get_by_role("button", name="Leave presenter view").click()
    expect(presenter.page.get_by_role("tab")).to_have_count(6)
    presenter.expect_query(present=None, tab="truth", e0="2").expect_epsilon0("2").expect_title("ε₀ = 2 ")
    expect(presenter.page.get_by_role("tab", name="Claim and truth")).to_have_attribute("aria-selected", "true")
    address = presenter.address
    presenter.page.keyboard.press("PageDown")
    presenter.wait_until_idle()
    assert presenter.address == address, "outside the presenter's view the keys scroll"

    presenter.open("overview", present="1")
    assert not presenter.scrolls_sideways
    expect(presenter.page.get_by_role("button", name="Next")).to_be_in_viewport()
