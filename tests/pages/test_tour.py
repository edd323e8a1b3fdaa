"""The tour: every stop exists, the walk goes through and comes back, and whoever leaves has lost nothing."""

import re
from pathlib import Path

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest

from pages.shared.navigation import PAGES, PageInfo
from pages.shared.tour import STOPS

ROOT = Path(__file__).parents[2]
MOST_WORDS = 25
NUMBERS = range(1, len(STOPS) + 1)


def assert_at(page, number):
    stop = STOPS[number - 1]
    info = PageInfo(stop.module)
    sections = info.load().sections
    assert page.title == info.title
    assert f"{number} of {len(STOPS)}" in page.texts
    assert stop.words in page.texts
    if len(sections) > 1:
        assert page.open_section == next(each.label for each in sections if each.slug == stop.section)
    assert f"tour={number}" in page.links["address"].split("&")


def is_on_tour(page):
    return "Leave the tour" in [each.label for each in page.app.button]


def test_every_stop_is_a_section_of_a_page_and_is_told_in_one_short_sentence():
    for stop in STOPS:
        assert stop.module in [info.module for info in PAGES]
        assert stop.section in [each.slug for each in PageInfo(stop.module).load().sections]
        assert len(re.findall(r"[^\W_][\w'’-]*", stop.words)) <= MOST_WORDS, stop.words
        assert re.fullmatch(r"[^.!?]+\.", stop.words), "one sentence"


def test_the_walk_goes_through_and_comes_back(open_page):
    page = open_page("overview").press("Two-minute tour")
    for number in NUMBERS:
        assert_at(page, number)
        if number < len(STOPS):
            page.press("Next")
    disabled = {each.label: each.disabled for each in page.app.button}
    assert (disabled["Back"], disabled["Next"]) == (False, True)
    for number in reversed(NUMBERS[:-1]):
        assert_at(page.press("Back"), number)
    disabled = {each.label: each.disabled for each in page.app.button}
    assert (disabled["Back"], disabled["Next"]) == (True, False)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("module", ["overview", "sample_planner"])
def test_a_link_opens_its_stop_from_any_page(open_page, module, number):
    assert_at(open_page(module, tour=number), number)


@pytest.mark.parametrize("number", NUMBERS)
def test_leaving_clears_the_address_and_leaves_every_setting_as_it_was(open_page, number):
    asked = {"e0": 0.8, "rel": 7, "m": "gaussian", "wev": 30}
    page = open_page("overview", **asked, tour=number)
    page.press("Leave the tour")
    assert page.title == PageInfo(STOPS[number - 1].module).title, "the reader stays where they are"
    assert not is_on_tour(page)
    assert "tour" not in page.links["address"]
    assert not is_on_tour(page.run())
    overview = page.visit("overview")
    assert overview.links["address"] == "v=1&e0=0.8&rel=7&m=gaussian&wev=30"


def test_who_walks_off_is_not_pulled_back_and_may_return(open_page):
    page = open_page("overview", tour=2).visit("sample_planner")
    assert page.title == "Sample planner"
    assert "You have left the tour." in page.texts
    assert STOPS[1].words not in page.texts
    assert_at(page.press("Return to the tour"), 2)
    page.visit("budget_minimiser").press("Leave the tour")
    assert (page.title, is_on_tour(page)) == ("Budget minimiser", False)


def test_the_tour_can_be_taken_again(open_page):
    page = open_page("overview", tour=3).press("Leave the tour").visit("overview").press("Two-minute tour")
    assert_at(page, 1)
    assert_at(page.press("Next"), 2)


@pytest.mark.parametrize("asked", ["-1", str(len(STOPS) + 1), "1.5", "yes"])
def test_a_stop_that_there_is_not_is_named(open_page, asked):
    page = open_page("composition", tour=asked)
    (sentence,) = page.warnings
    assert f"“{asked}”" in sentence
    assert (page.title, is_on_tour(page)) == ("Composition", False)


def test_what_a_link_to_a_stop_asks_in_vain_is_said_at_the_stop(open_page):
    page = open_page("composition", tour=2, e0="nan")
    assert_at(page, 2)
    (sentence,) = page.warnings
    assert "“nan”" in sentence


def test_nobody_sees_the_bar_who_is_not_on_the_tour_nor_in_a_talk(open_page):
    assert not is_on_tour(open_page("overview"))
    talk = open_page("composition", tour=2, present=1)
    assert not is_on_tour(talk)
    assert talk.title == "Composition"


def test_a_servers_very_first_visitor_may_come_by_a_link_to_a_stop():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=600)
    app._bidi_component_manager = BidiComponentManager()
    app.switch_page("pages/1_composition.py")
    app.query_params["tour"] = "6"
    app.run()
    assert not app.exception
    assert "Leave the tour" in [each.label for each in app.button]
