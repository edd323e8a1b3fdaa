"""The presenter's view: a talk of a few stops on every page, with one dial."""

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


@pytest.mark.parametrize("module", MODULES)
def test_a_page_has_at_most_three_stops(module):
    page = PAGES[MODULES.index(module)].load()
    assert set(page.stops) <= {section.slug for section in page.sections}
    assert 1 <= len(page.talk) <= (9 if module == "mechanism_lab" else 3), "the lab is made for a talk"


def test_one_stop_is_shown_and_the_buttons_walk_through_all(open_page):
    page = open_page("explicit_risk", present=1)
    seen = []
    for number in range(1, 4):
        assert not page.app.tabs
        assert f"{number} of 3" in page.texts
        seen.append(next(iter(page.charts)))
        if number < 3:
            page.press("Next")
    assert len(set(seen)) == 3
    for number in range(2, 0, -1):
        page.press("Previous")
        assert f"{number} of 3" in page.texts


def test_the_dial_is_that_of_the_scenario_or_the_sections_own(open_page):
    page = open_page("explicit_risk", present=1, tab="truth").turn("e0", 1.0)
    assert "ε₀ = 1" in page.chart.title
    assert not page.app.sidebar.number_input
    page.choose("dial", "own")
    assert list(page.dials) == ["e"]
    assert "ε = 0.2" in page.turn("e", 0.2).chart.alt
    assert "dial=own" in page.links["address"]


def test_a_section_with_an_epsilon0_of_its_own_has_no_dial_of_the_scenario(open_page):
    assert set(open_page("sample_planner", present=1, tab="both").dials) == {"be", "be0"}
    assert set(open_page("composition", present=1, tab="mixed").dials) == {"cte"}


def test_an_audit_knows_no_scenario_and_has_its_own_dial_alone(open_page):
    page = open_page("empirical_audit", present=1)
    assert list(page.dials) == ["ee"]
    assert not [each for each in page.app.button_group if each.key == "dial"]


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
    assert "2 of 3" in page.texts
    assert "ε₀ = 1" in page.chart.title


def test_a_section_that_is_no_stop_is_one_while_it_is_open(open_page):
    page = open_page("explicit_risk", present=1, tab="calibrate")
    assert "2 of 4" in page.texts
    assert "2 of 3" in page.press("Next").texts
    assert "1 of 3" in page.press("Previous").texts


def test_leaving_shows_the_tabs_again_at_the_same_section(open_page):
    page = open_page("explicit_risk", present=1, tab="truth").press("Leave presenter view")
    assert len(page.app.tabs) == 6
    assert page.open_section == "Claim and truth"
    assert "present" not in page.links["address"]
