"""The presenter's view: one section at a time, on every page."""

import pytest

from pages.shared.navigation import PAGES

MODULES = [info.module for info in PAGES]


@pytest.mark.parametrize("module", MODULES)
def test_the_presenters_bar_is_there_on_every_page(open_page, module):
    presented = open_page(module, present=1)
    assert "Leave presenter view" in [each.label for each in presented.app.button]
    assert presented.charts
    assert presented.links["address"] == "v=1&present=1"


def test_nobody_sees_the_presenters_bar_who_has_not_asked_for_it(open_page):
    assert "Leave presenter view" not in [each.label for each in open_page("explicit_risk").app.button]


def test_one_section_is_shown_and_the_buttons_walk_through_all(open_page):
    page = open_page("explicit_risk", present=1)
    seen = []
    for number in range(1, 7):
        assert not page.app.tabs
        (place,) = (text for text in page.texts if f"{number} of 6" in text)
        seen.append(place.split(":", 1)[1].strip())
        assert page.charts
        if number < 6:
            page.press("Next")
    assert len(set(seen)) == 6
    for number in range(5, 0, -1):
        page.press("Previous")
        assert any(f"{number} of 6" in text for text in page.texts)


def test_past_the_first_section_comes_the_page_before(open_page):
    page = open_page("explicit_risk", present=1, e0=3).press("Previous")
    assert page.title == PAGES[MODULES.index("explicit_risk") - 1].title
    assert page.number("e0").value == 3.0


def test_the_ends_of_the_walk_cannot_be_passed(open_page):
    first = open_page("overview", present=1)
    last = open_page(MODULES[-1], present=1, tab=PAGES[-1].load().sections[-1].slug)
    disabled = {each.label: each.disabled for each in first.app.button}
    assert (disabled["Previous"], disabled["Next"]) == (True, False)
    disabled = {each.label: each.disabled for each in last.app.button}
    assert (disabled["Previous"], disabled["Next"]) == (False, True)


def test_a_link_into_the_middle_of_a_talk(open_page):
    page = open_page("explicit_risk", present=1, tab="truth", e0=1)
    assert any("4 of 6" in text for text in page.texts)
    assert "ε₀ = 1" in page.chart.title


def test_leaving_shows_the_tabs_again_at_the_same_section(open_page):
    page = open_page("explicit_risk", present=1, tab="truth").press("Leave presenter view")
    assert len(page.app.tabs) == 6
    assert page.open_section == "Claim and truth"
    assert "present" not in page.links["address"]
