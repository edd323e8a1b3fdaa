"""The presenter's view: large, one section at a time, moved by the two keys that clickers send."""

import re

import pytest
from playwright.sync_api import expect

from pages.shared.navigation import PAGES


@pytest.fixture
def presenter(new_reader):
    return new_reader(screen="beamer")


def expect_section(presenter, number):
    expect(presenter.page.get_by_text(re.compile(rf"\b{number} of 6\b"))).to_be_visible()
    return presenter.wait_until_drawn()


def test_one_section_is_shown_large_with_the_sidebar_folded(presenter):
    presenter.open(present="1")
    expect_section(presenter, 1)
    expect(presenter.page.get_by_role("tab")).to_have_count(0)
    expect(presenter.field()).not_to_be_in_viewport()
    box = presenter.main.bounding_box()
    assert (box["x"], box["width"]) == (0, presenter.page.viewport_size["width"])
    assert presenter.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 18


def test_the_keys_of_a_clicker_move_on_and_back(presenter):
    presenter.open(present="1")
    for number in range(2, 7):
        presenter.page.keyboard.press("PageDown")
        expect_section(presenter, number)
    presenter.expect_query(tab="pieces", present="1")
    for number in range(5, 0, -1):
        presenter.page.keyboard.press("PageUp")
        expect_section(presenter, number)
    presenter.expect_query(tab=None, present="1")


def test_before_the_first_section_comes_the_page_before(presenter):
    presenter.open(present="1", e0="2")
    expect_section(presenter, 1)
    presenter.page.keyboard.press("PageUp")
    before = PAGES[[info.module for info in PAGES].index("explicit_risk") - 1]
    expect(presenter.page.get_by_role("heading", level=1)).to_have_text(before.title)
    presenter.expect_query(present="1", e0="2")
    presenter.wait_until_drawn()
    presenter.page.keyboard.press("PageDown")
    expect(presenter.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    expect_section(presenter, 1)


def test_the_buttons_move_too(presenter):
    presenter.open(present="1")
    presenter.page.get_by_role("button", name="Next").click()
    expect_section(presenter, 2)
    presenter.page.get_by_role("button", name="Previous").click()
    expect_section(presenter, 1)


def test_the_clicker_moves_on_though_a_slider_was_used_last(presenter):
    presenter.open(present="1", tab="truth")
    presenter.slider("Level hoped for, ε").press("ArrowRight")
    presenter.expect_query(e="0.5")
    presenter.page.keyboard.press("PageDown")
    expect_section(presenter, 5)
    presenter.expect_query(e="0.5", tab="attacker")


def test_every_section_can_be_read_on_a_beamer(presenter):
    presenter.open(present="1", tab="dimension")
    for number in range(1, 7):
        expect_section(presenter, number)
        assert not presenter.scrolls_sideways
        title, chart = presenter.page.get_by_role("heading", level=1), presenter.figure
        expect(title).to_be_in_viewport()
        expect(chart).to_be_in_viewport(ratio=0.6)
        drawing = chart.locator(".main-svg").first.bounding_box()
        assert drawing["width"] == pytest.approx(chart.bounding_box()["width"], abs=2)
        sizes = chart.locator("text").evaluate_all(
            "(texts) => texts.map((text) => parseFloat(getComputedStyle(text).fontSize))"
        )
        assert min(sizes) >= 14
        expect(presenter.page.get_by_role("button", name="Next")).to_be_in_viewport()
        presenter.page.keyboard.press("PageDown")


def test_the_overview_fits_a_beamer(presenter):
    presenter.open("overview", present="1")
    assert not presenter.scrolls_sideways
    expect(presenter.page.get_by_role("button", name="Next")).to_be_in_viewport()


def test_the_switch_in_the_sidebar_begins_and_the_button_ends(reader):
    reader.open(tab="truth", e0="2")
    reader.page.get_by_role("switch", name="Presenter view").press("Space")
    expect(reader.page.get_by_text(re.compile(r"\b4 of 6\b"))).to_be_visible()
    reader.expect_query(present="1", tab="truth", e0="2").expect_title("ε₀ = 2 ")
    reader.page.get_by_role("button", name="Leave presenter view").click()
    expect(reader.page.get_by_role("tab")).to_have_count(6)
    reader.expect_query(present=None, tab="truth", e0="2").expect_epsilon0("2").expect_title("ε₀ = 2 ")
    expect(reader.page.get_by_role("tab", name="Claim and truth")).to_have_attribute("aria-selected", "true")
    before = reader.address
    reader.page.keyboard.press("PageDown")
    reader.wait_until_idle()
    assert reader.address == before, "outside the presenter's view the keys scroll"


def test_leaving_a_talk_that_was_opened_by_its_link_brings_the_sidebar_back(newcomer):
    reader = newcomer.open(present="1")
    reader.page.get_by_role("button", name="Leave presenter view").click()
    expect(reader.page.get_by_role("tab")).to_have_count(6)
    expect(reader.field()).to_be_in_viewport()
