"""The overview: a card for every page, each with a sentence that holds whatever the scenario."""

import re

import pytest

from pages.overview.cards import LEADS_TO
from pages.shared.navigation import PAGES, PageInfo
from pages.shared.printed_figures import FIGURES
from par_core.decision import BeliefWish, ErrorWish, decide
from par_core.mechanisms import MECHANISMS
from par_core.questions.overview.cards import QUESTIONS, Overview
from par_core.rounding import brief
from par_core.scenario import Scenario
from tests.pages.conftest import View
from tests.pages.test_decide import ALL_ON, NONE_ON, headline
from tests.shown import Story


@pytest.fixture
def overview(open_page):
    """Open the page with a scenario."""
    return lambda **scenario: open_page("overview", **scenario)


def test_every_page_has_a_card_that_leads_to_one_of_its_sections(overview):
    assert {module for module, _ in LEADS_TO.values()} == {info.module for info in PAGES} - {"overview", "decide"}
    shown, story = (
        overview(e0=0.8, m="gaussian"),
        Story(Overview(Scenario(epsilon0=0.8, mechanism="gaussian")).answer()),
    )
    assert [*shown.charts] == [*story.charts]
    for key, chart in story.charts.items():
        assert shown.charts[key].figure == chart.figure
    links = [each.label for each in shown.app.get("page_link")]
    assert "Decide" in links, "the decision above the cards leads to the page that makes it"
    for (key, (module, tab)), question in zip(LEADS_TO.items(), QUESTIONS.values(), strict=True):
        sections = next(info for info in PAGES if info.module == module).load().sections
        assert tab in [section.slug for section in sections], key
        assert f":primary[{PageInfo(module).title} →]" in links
        assert question in shown.words


# --- the present decision -------------------------------------------------------------------------------------------


def test_it_opens_on_what_the_wishes_ask_and_what_that_promises(overview):
    shown = overview()
    assert shown.headline == "The example wishes ask for ε₀ from 0.3 to 0.42"
    assert (
        "Then your numbers are within 10 of the truth in 95 of 100 releases and an attacker 50 % sure becomes at most 70 % sure "
        "after 2 releases. (Proven)" in shown.words
    )
    shown = View().visit("overview", wbv=0.6).visit("overview", wbv=0.7)
    assert shown.headline == "Take ε₀ from 0.3 to 0.42: your 0.5 will not do"
    shown.visit("overview", e0=0.35)
    assert shown.headline == "Take ε₀ from 0.3 to 0.42: your 0.35 will do"


def test_the_wishes_are_the_readers_own_from_page_to_page_and_in_the_link(open_page):
    shown = open_page("decide", wev=30, wbv=0.6, wbp=0.3)
    levels = headline(shown).partition(":")[0]
    shown.visit("overview")
    assert shown.headline.partition(":")[0] == levels
    found = decide([ErrorWish(30.0), BeliefWish(0.3, 0.6)], Scenario())
    assert levels == f"Take ε₀ from {brief(found.low, toward='up')} to {brief(found.high, toward='down')}"
    assert "within 30 of the truth" in shown.words
    assert "an attacker 30 % sure becomes at most 60 % sure" in shown.words
    assert shown.links["address"] == "v=1&wev=30&wbv=0.6&wbp=0.3"
    again = open_page("overview", wev=30, wbv=0.6, wbp=0.3)
    assert again.headline == shown.headline
    assert not again.warnings


def test_where_there_is_nothing_to_draw_the_way_to_the_page_that_decides_is_there(overview):
    for settings, words in (
        (NONE_ON, "Switch on a wish"),
        ({"m": "discrete-laplace", "s": 2.5}, "cannot be used here"),
    ):
        shown = overview(**settings)
        assert words in shown.words
        assert "small_decision" not in shown.charts
        assert "Decide" in [each.label for each in shown.app.get("page_link")]


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_the_decision_is_that_of_the_readers_mechanism_with_every_wish(open_page, mechanism):
    shown = open_page("overview", m=mechanism, **ALL_ON)
    found = shown.headline
    rows = shown.charts["small_decision"].figure["layout"]["yaxis"]["ticktext"]
    assert len(rows) == (9 if mechanism not in ("randomised-response", "exponential") else 7)
    if found.startswith("Take"):
        assert f"with {len(rows) - 2} more wishes met. (By your model)" in shown.words
    assert ("The pictures below are for Laplace noise" in shown.words) is (mechanism != "laplace")
    assert found.partition(":")[0] == headline(shown.visit("decide")).partition(":")[0]


# --- below the cards ---------------------------------------------------------------------------------------------


def test_the_words_of_all_badges_are_explained(overview):
    (sentence,) = (text for text in overview().texts if text.startswith("Every number says what it is worth"))
    assert re.findall(r"\(([^)]*)\)", sentence) == [
        "Proven",
        "Refuted",
        "Unproven",
        "Holds here",
        "By your model",
        "Estimate",
    ]


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
