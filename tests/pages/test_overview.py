"""The overview: a card for every page, each with a sentence that holds whatever the scenario."""

import re

import pytest

from pages.overview.cards import CARDS
from pages.overview.printed_figures import FIGURES
from pages.shared.navigation import PAGES


@pytest.fixture
def overview(open_page):
    """Open the page with a scenario."""
    return lambda **scenario: open_page("overview", **scenario)


def test_every_page_has_a_card_that_leads_to_one_of_its_sections(overview):
    assert {card.module for card in CARDS} == {info.module for info in PAGES} - {"overview"}
    for card in CARDS:
        sections = next(info for info in PAGES if info.module == card.module).load().sections
        assert card.tab in [section.slug for section in sections], card.question
    shown = overview()
    assert len(shown.charts) == len(CARDS)
    for card in CARDS:
        assert card.question in shown.words


def test_a_card_says_what_an_audit_is_for(overview):
    shown = overview(e0=0.8)
    assert "With noise for ε₀ = 0.8 no audit finds anybody beyond ε₀. (Proven)" in shown.words
    assert "ε₀ = 0.8" in shown.charts["card_audited"].title


def test_what_many_releases_spend_is_told_with_its_delta(overview):
    assert "100 releases spend 28.51 together (δ = 10⁻⁵), not the 50 of basic composition." in overview().words
    assert "together (δ = 10⁻⁶)" in overview(d=1e-6).words


def test_a_count_is_told_with_its_own_sensitivity_beside_the_scenarios(overview):
    words = overview(s=1e6, e0=10).words
    assert "At ε₀ = 10 and sensitivity 1,000,000, off by 100,000 on average" in words
    assert "A count of rows will be exact 95 times out of 100. (Proven)" in words
    assert "within 0" not in words
    assert "A count of rows will be within 18 of the truth" in overview(rows=3).words


def test_the_saving_is_by_the_model_and_says_where_that_says_nothing(overview):
    words = overview().words
    assert "under your cost model it truly saves 8.67 % (By your model) on average over releases." in words
    assert "next to nothing" not in words
    assert "At this ε₀ the model says next to nothing." in overview(e0=0.01).words


def test_the_words_of_all_badges_are_explained(overview):
    (sentence,) = (text for text in overview().texts if text.startswith("Every number says what it is worth"))
    assert re.findall(r"\(([^)]*)\)", sentence) == ["Proven", "Refuted", "Unproven", "By your model", "Estimate"]


LINKS = [link for figures in FIGURES.values() for link in figures.values()]


@pytest.mark.parametrize(("module", "address"), LINKS)
def test_the_link_to_a_printed_figure_names_a_section_and_values_that_it_takes(module, address):
    page = next(info for info in PAGES if info.module == module).load()
    assert address["tab"] in [each.slug for each in page.sections]
    settings = {each.key: each for each in page.settings}
    for key, text in address.items():
        assert settings[key].write(settings[key].read(text)) == text


@pytest.mark.parametrize(
    ("number", "button"),
    [("1a", "As in the paper"), ("1b", "As in the paper"), ("5a", "Figure 5a"), ("5c", "Figure 5c")],
)
def test_the_link_to_a_printed_figure_opens_what_its_button_brings(open_page, number, button):
    module, address = FIGURES["Privacy at Risk"][number]
    shown = open_page(module, e0=0.3, k=4, rel=7, **address)
    title, names = shown.chart.title, shown.chart.names
    again = shown.press(button)
    assert (again.chart.title, again.chart.names) == (title, names)


def test_every_figure_of_the_papers_has_its_link(overview):
    labels = [each.label for each in overview().app.get("page_link")]
    assert [each for each in labels if "Figure" in each] == [
        f":small[Figure {number}]" for figures in FIGURES.values() for number in figures
    ]
