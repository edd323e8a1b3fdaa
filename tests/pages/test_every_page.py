"""Every page, on its own: it runs, says what it is, what the present setting means, and draws."""

import math
import re
from functools import cache

import pytest

from pages.paper_check.used_on import USED
from pages.shared import scenario_strip
from pages.shared.navigation import PAGES
from par_core.scenario import Scenario
from tests.golden import charts
from tests.golden.charts import EXTREMES, OF_SCENARIO, SECTIONS
from tests.golden.flat import differences
from tests.golden.record import CHARTS_FILE, read
from tests.pages.conftest import BADGE, plain

MODULES = [info.module for info in PAGES]
TITLES = {info.module: info.title for info in PAGES}
RECORDED = read(CHARTS_FILE)
# What the values on an axis are; levels, numbers and names have no unit.
UNITS = (
    r"probability|rat(e|io)|unit|share|privacy level|privacy spent|level ε₀ of|part of ε₀|number of|releases|accountant|scenario|database"
    r"|candidate|wish|cell|paper|statement|guess"
)


@pytest.fixture(scope="module")
def at_defaults(open_page):
    """Open a section without further settings, once for all tests that only look; of a page, its first section."""
    opened = cache(lambda module, section: open_page(module, **({"tab": section} if section else {})))
    return lambda module, section=None: opened(module, section or dict(reversed(SECTIONS))[module])


def assert_finite(page, read_values, settings):
    for key, chart in page.charts.items():
        for trace in chart.figure["data"]:
            if trace.get("hoverinfo") == "skip":
                continue  # shades or stands in the legend for others
            for axis in ("x", "y"):
                points = read_values(trace[axis])
                assert not [each for each in points if not math.isfinite(each)], (settings, key, trace["name"])


def assert_on_record(page, module, section, name):
    changed = list(differences(charts.drawn(page), RECORDED[charts.key_of(module, section, name)]))
    assert not changed, "\n".join(changed)


@pytest.mark.parametrize("module", MODULES)
def test_a_page_shows_its_title_and_the_question_it_answers(at_defaults, module):
    page = at_defaults(module)
    question = next(info for info in PAGES if info.module == module).load().question
    assert page.title == TITLES[module]
    assert question in page.words


@pytest.mark.parametrize("module", OF_SCENARIO)
def test_a_page_says_what_the_present_setting_means(open_page, module):
    says_itself = next(info for info in PAGES if info.module == module).load().says_accuracy
    strip = [*scenario_strip.numbers(Scenario(epsilon0=0.8, sensitivity=3), accuracy=not says_itself)]
    assert len(strip) == 2 + 2 * (not says_itself)
    assert {plain(text) for text, _ in strip} <= set(open_page(module, e0=0.8, s=3).texts)


def test_only_the_audit_the_lab_and_the_check_of_papers_speak_of_no_scenario(open_page):
    """What an audit looks at carries no noise: a sentence on ε₀ above it would read as a guarantee. The others have their own settings."""
    assert set(MODULES) - set(OF_SCENARIO) == {"empirical_audit", "mechanism_lab", "paper_check"}
    assert not [text for text in open_page("empirical_audit", e0=0.8).texts if "ε₀ = 0.8" in text]


@pytest.mark.parametrize("module", OF_SCENARIO)
def test_a_page_warns_where_hardly_anything_is_protected(open_page, at_defaults, module):
    assert "hardly anyone is protected" in open_page(module, e0=8).words
    assert "hardly anyone is protected" not in at_defaults(module).words


@pytest.mark.parametrize("tab", ["dimension", "level", "calibrate", "truth", "attacker", "pieces"])
def test_only_the_level_of_the_noise_is_said_to_move_the_accuracy(open_page, tab):
    page = open_page("explicit_risk", tab=tab)
    (caption,) = (text for text in page.texts if "more accurate" in text)
    assert caption in [each.value for each in page.app.sidebar.caption]


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_every_section_draws_at_least_one_chart_that_can_be_read(at_defaults, module, section):
    page = at_defaults(module, section)
    assert page.charts
    for key, chart in page.charts.items():
        assert chart.title, key
        assert chart.x_title, key
        assert chart.y_title, key
        assert len(chart.alt) > 20, key
        assert re.search(r"\d", chart.alt), f"the words for {key} name no number"
        if chart.full:
            for title in (chart.x_title, chart.y_title):
                assert re.search(UNITS, title.lower()), f"{key}: {title} has no unit"


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_no_badge_stands_in_front_of_punctuation_or_a_closing_mark(at_defaults, module, section):
    page = at_defaults(module, section).app
    texts = [each.value for kind in (page.markdown, page.caption, page.info, page.warning, page.error) for each in kind]
    assert [text for text in texts if re.search(rf"{BADGE}\**[,.;:!?)\]”’\"']", text)] == []


@pytest.mark.parametrize("module", [each for each in MODULES if each not in ("overview", "paper_check")])
def test_an_opened_claim_leads_to_the_first_section_that_shows_it(at_defaults, module):
    first = {}
    for section in [slug for name, slug in SECTIONS if name == module]:
        page = at_defaults(module, section)
        tables = [str(cell) for table in page.app.table for cell in table.value.to_numpy().ravel()]
        marked = [each.value for kind in (page.app.markdown, page.app.caption, page.app.info) for each in kind]
        for claim in re.findall(r"\(paper_check\?tab=claims&claim=([a-z0-9-]+)\)", "\n".join([*marked, *tables])):
            first.setdefault(claim, section)
    assert first == {claim: pages[module] for claim, pages in USED.items() if module in pages}


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_every_full_chart_has_its_data_and_a_download_beside_it(at_defaults, module, section):
    page = at_defaults(module, section)
    full = [key for key, chart in page.charts.items() if chart.full]
    tables = [each for each in page.app.expander if each.label == "Data"]
    downloads = [each.key for each in page.app.get("download_button")]
    assert len(tables) == len(full)
    assert [key for key in full if not any(key in (each or "") for each in downloads)] == []


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_every_section_ends_with_what_can_be_taken_along(at_defaults, module, section):
    files = [each.label for each in at_defaults(module, section).app.get("download_button")]
    assert files[-2:] == ["Report", "Notebook"]


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_charts_at_the_defaults_are_finite_and_those_on_record(at_defaults, read_values, module, section):
    page = at_defaults(module, section)
    assert_finite(page, read_values, "defaults")
    assert_on_record(page, module, section, "defaults")


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_charts_at_another_setting_are_those_on_record(open_page, module, section):
    page = open_page(module, **charts.settings_of(module, "another"), **({"tab": section} if section else {}))
    assert_on_record(page, module, section, "another")


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_a_chart_never_holds_what_is_not_a_number(open_page, read_values, module, section):
    """At the extremes of the settings that a page has; those of the level hoped for are one page's own."""
    first = charts.settings_of(module, "extreme")
    others = [each for each in EXTREMES[1:] if module == "explicit_risk" or each != {"e": 700}]
    for settings in (first, *(others if module in OF_SCENARIO else ())):
        known = {key: settings[key] for key in settings if key != "e" or module == "explicit_risk"}
        page = open_page(module, **known, **({"tab": section} if section else {}))
        assert_finite(page, read_values, settings)
        if settings is first:
            assert_on_record(page, module, section, "extreme")


def test_every_section_is_on_record_at_three_settings():
    names = ("defaults", "another", "extreme")
    assert set(RECORDED) == {charts.key_of(*each, name) for each in SECTIONS for name in names}


@pytest.mark.parametrize("module", MODULES)
def test_a_page_holds_its_version_and_says_that_nothing_is_sent_on(at_defaults, module):
    (foot,) = (text for text in at_defaults(module).texts if text.startswith("Privacy at Risk explorer"))
    assert re.search(r"\d+\.\d+", foot)
    assert "nothing is sent on" in foot
