"""Every page, on its own: it runs, says what it is, what the present setting means, and draws; its notebook finds the same."""

import math
import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from pages.paper_check.used_on import USED
from pages.shared import scenario_strip
from pages.shared.navigation import PAGES
from par_core.scenario import Scenario
from tests.golden import charts, controls
from tests.golden.charts import EXTREMES, OF_SCENARIO, SECTIONS
from tests.golden.flat import differences
from tests.golden.record import CHARTS_FILE, CONTROLS_FILE, read
from tests.pages.conftest import BADGE, TIMEOUT, plain
from tests.pages.first_view import assert_shows_before_it_tells
from tests.pages.notebook import SHOWN, answered, assert_on_page, code_of, notebook_of, opened, run, stands_in, told

ROOT = Path(__file__).parents[2]
MODULES = [info.module for info in PAGES]
TITLES = {info.module: info.title for info in PAGES}
RECORDED, CONTROLS = read(CHARTS_FILE), read(CONTROLS_FILE)
# What the values on an axis are; levels, numbers and names have no unit.
UNITS = (
    r"probability|rat(e|io)|unit|share|privacy level|privacy spent|level ε₀ of|part of ε₀|number of|releases|accountant|scenario|database"
    r"|candidate|wish|cell|paper|statement|guess"
)
FIRST = dict(reversed(SECTIONS))  # the first section of each page
# There is no headline, or its number is one that is asked about or that counts questions, or it has none.
NO_NUMBER = {
    ("decide", "duties"),
    ("overview", None),
    ("mechanism_lab", "sensitivity"),
    ("mechanism_lab", "quiz"),
    ("budget_minimiser", "moves"),
    ("budget_minimiser", "compare"),
}
pytestmark = pytest.mark.usefixtures("audited_once")


@pytest.fixture(scope="module")
def at_defaults():
    """Open a section without further settings, once for all tests that only look; of a page, its first section."""
    kept = cache(opened)
    return lambda module, section=None: kept(module, section or FIRST[module])


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
    if name in controls.NAMES:
        assert controls.drawn(page) == CONTROLS[charts.key_of(module, section, name)]


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
def test_a_section_shows_before_it_tells(at_defaults, module, section):
    assert_shows_before_it_tells(at_defaults(module, section))


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


@pytest.fixture(scope="module")
def executed(at_defaults):
    """Every notebook at the defaults: the pages and what was printed; the first of each page in one kernel that forgets each."""
    pages, printed, cells, belongs = {}, {}, [], []
    for at in SECTIONS:
        view = answered(at_defaults(*at), at)
        text = notebook_of(view.files)
        pages[at] = told(view), view.words
        nbformat.validate(nbformat.reads(text, as_version=4))
        if at not in FIRST.items():
            printed[at] = run(text)
            continue
        printed[at] = ""
        own = ["%reset -f", *("".join(cell["source"]) for cell in code_of(text))]
        cells += map(nbformat.v4.new_code_cell, own)
        belongs += [at] * len(own)
    every = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(every, timeout=TIMEOUT, kernel_name="python3", resources={"metadata": {"path": ROOT}}).execute()
    for at, cell in zip(belongs, every.cells, strict=True):
        printed[at] += "".join(each.get("text", "") for each in cell.outputs)
    return {at: (*pages[at], printed[at]) for at in SECTIONS}


@pytest.mark.parametrize("at", SECTIONS, ids=lambda at: f"{at[0]} {at[1]}")
def test_a_notebook_recomputes_what_its_page_shows(executed, at):
    page, words, printed = executed[at]
    numbers = assert_on_page(printed, page)
    if at not in NO_NUMBER:
        (headline,) = (line for line in words.splitlines() if line.startswith("## "))
        assert any(stands_in(number, headline) for number in numbers), headline


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_at_another_setting_the_charts_are_those_on_record_and_the_notebook_recomputes_that_one(module, section):
    settings = charts.settings_of(module, "another")
    view = opened(module, section, **settings)
    assert_on_record(view, module, section, "another")
    view = answered(view, (module, section), **settings)
    text = notebook_of(view.files)
    nbformat.validate(nbformat.reads(text, as_version=4))
    if (module, section) == ("mechanism_lab", "which"):  # there Laplace noise is smaller for every number of counts
        assert SHOWN.findall(run(text)) == []
        assert "Up to a million counts" in view.words
    else:
        assert_on_page(run(text), told(view))


@pytest.mark.parametrize(("module", "section"), SECTIONS)
def test_a_chart_never_holds_what_is_not_a_number_and_the_notebook_runs_at_the_extremes(
    open_page, read_values, module, section
):
    """At the extremes of the settings that a page has; those of the level hoped for are one page's own."""
    first = charts.settings_of(module, "extreme")
    others = [each for each in EXTREMES[1:] if module == "explicit_risk" or each != {"e": 700}]
    for settings in (first, *(others if module in OF_SCENARIO else ())):
        known = {key: settings[key] for key in settings if key != "e" or module == "explicit_risk"}
        if settings is first:
            view = opened(module, section, **known)
            assert_on_record(view, module, section, "extreme")
            assert_notebook_runs(view, module, section, known)
        else:
            view = open_page(module, **known, **({"tab": section} if section else {}))
        assert_finite(view, read_values, settings)


def assert_notebook_runs(view, module, section, settings):
    """It is the same each time that it is made, in another session too; what cannot be asked is answered with a sentence alone."""
    view = answered(view, (module, section), **settings)
    text = notebook_of(view.files)
    assert text or view.warnings
    again = view
    if FIRST[module] == section:
        again = answered(opened(module, section, **settings), (module, section), **settings)
    assert text == notebook_of(again.files)
    if text:
        run(text)


def test_every_section_is_on_record_at_three_settings():
    names = ("defaults", "another", "extreme")
    assert set(RECORDED) == {charts.key_of(*each, name) for each in SECTIONS for name in names}
    assert set(CONTROLS) == {charts.key_of(*each, name) for each in SECTIONS for name in controls.NAMES}


@pytest.mark.parametrize("module", MODULES)
def test_a_page_holds_its_version_and_says_that_nothing_is_sent_on(at_defaults, module):
    (foot,) = (text for text in at_defaults(module).texts if text.startswith("Privacy at Risk explorer"))
    assert re.search(r"\d+\.\d+", foot)
    assert "nothing is sent on" in foot
