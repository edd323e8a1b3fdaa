"""The scenario in the sidebar: the field and the slider in step, and every setting at hand on every page."""

from urllib.parse import parse_qsl

import pytest
import streamlit as st

from pages.shared.navigation import PAGES
from pages.shared.settings import drop_key, following, number, one_run, present_scenario, put_key, scenario_setting
from par_core.deployment import Settings
from par_core.scenario import FIELDS, Scenario, exact_text
from tests.pages.conftest import View

MODULES = [info.module for info in PAGES]


def copied(page):
    """The settings in the link that a reader copies."""
    return dict(parse_qsl(page.links["full"], keep_blank_values=True))


def assert_dial(page, key, value):
    dial = page.dials[key]
    assert dial.value == value
    assert value in dial.steps


@pytest.mark.parametrize("module", MODULES)
def test_the_sidebar_opens_on_the_health_centre_and_its_dial_sets_it(open_page, module):
    page = open_page(module)
    assert_dial(page, "e0", 0.5)
    plain = Scenario()
    for field in FIELDS:
        assert copied(page)[field.key] == exact_text(getattr(plain, field.name)), field.name
    assert_dial(page.turn("e0", 0.0371), "e0", 0.0371)
    assert copied(page)["e0"] == "0.0371"


def test_a_typed_value_stays_among_the_steps_until_another_is_typed(open_page):
    page = open_page("explicit_risk")
    plain = page.dials["e0"].steps
    assert plain == sorted(plain)
    for typed in (1.7, 0.0371, 1e-8, 700.0, 0.123456789):
        assert_dial(page.turn("e0", typed), "e0", typed)
        assert page.dials["e0"].steps == sorted([*plain, typed])
        assert_dial(page.turn("e0", 0.2), "e0", 0.2)
        assert page.dials["e0"].steps == sorted([*plain, typed])


def test_two_dials_and_a_button_in_quick_turn_all_count(open_page):
    page = open_page("explicit_risk", tab="truth")
    for epsilon0, epsilon in ((0.6, 0.5), (0.7, 0.6)):
        page.turn("e0", epsilon0).turn("e", epsilon)
        assert_dial(page, "e0", epsilon0)
        assert_dial(page, "e", epsilon)
    page.press("Reset to the example")
    assert_dial(page, "e0", 0.5)
    assert_dial(page.turn("e", 0.7), "e", 0.7)


def test_a_dial_says_which_event_it_has_heard_last(open_page):
    page = open_page("explicit_risk")
    assert page.dials["e0"].heard == 0
    assert page.turn("e0", 0.6, count=3).dials["e0"].heard == 3
    assert page.turn("e", 0.3).dials["e0"].heard == 3


@pytest.mark.parametrize("bad", [900, -1, 0, "NaN", None, "x", [1], True])
def test_what_no_browser_of_ours_would_send_changes_nothing(open_page, bad):
    page = open_page("explicit_risk").turn("e0", 0.6)
    assert_dial(page.turn("e0", bad), "e0", 0.6)
    if isinstance(bad, str | list):
        assert_dial(page.turn("e0", 0.7, count=bad), "e0", 0.6)
    assert_dial(page.tell("e0", bad), "e0", 0.6)


def test_a_refused_value_of_another_field_is_named_and_the_last_good_one_stays(open_page):
    page = open_page("explicit_risk").type("k", 4).type("k", 0)
    assert "0 cannot be used" in page.words
    assert page.number("k").value == 4
    assert "cannot be used" not in page.type("k", 6).words


@pytest.mark.parametrize("module", MODULES)
def test_every_setting_of_the_scenario_travels_in_the_link(open_page, module):
    asked = {
        "e0": "0.0371",
        "k": "7",
        "s": "2.5",
        "nb": "add-or-remove",
        "rows": "3",
        "stats": "4",
        "rel": "5",
        "sh": "1000",
        "comp": "12.5",
        "cur": "EUR",
        "d": "1e-06",
        "m": "gaussian",
    }
    assert set(asked) == {field.key for field in FIELDS}
    page = open_page(module, **asked)
    assert not [each for each in page.warnings if "link" in each]  # a cost model may warn of its own
    full = dict(part.split("=") for part in page.links["full"].split("&"))
    assert {key: full[key] for key in asked} == asked
    assert full["v"] == "1"


def test_a_currency_that_is_none_is_named_and_the_last_good_one_stays(open_page):
    page = open_page("overview")
    (field,) = (each for each in page.app.text_input if each.label == "Currency")
    field.set_value("eur")
    assert copied(page.run())["cur"] == "EUR"
    (field,) = (each for each in page.app.text_input if each.label == "Currency")
    field.set_value("5$")
    assert copied(page.run())["cur"] == "EUR"
    assert any("EUR" in each.value for each in page.app.error)


def test_a_refusal_is_told_as_long_as_the_value_stays_that_stood_then(open_page):
    page = open_page("overview").type("s", 1e15)
    assert any("1 stays." in each.value for each in page.app.error)
    assert not page.visit("overview", s=7).app.error


def test_a_field_that_is_put_back_to_what_the_scenario_says_follows_it_again(open_page):
    page = open_page("explicit_risk", tab="dimension").type("fe0", 2).type("fe0", 0.5)
    assert page.type("e0", 0.7).number("fe0").value == 0.7


def test_the_way_back_to_the_health_centre(open_page):
    page = open_page("explicit_risk", e0=3, k=9, cur="EUR", nb="add-or-remove", comp=1)
    page.press("Reset to the example")
    assert_dial(page, "e0", 0.5)
    for field in FIELDS:
        assert copied(page)[field.key] == exact_text(getattr(Scenario(), field.name)), field.name


@pytest.mark.parametrize(("home", "away"), list(zip(MODULES, MODULES[1:] + MODULES[:1], strict=True)))
def test_the_scenario_goes_along_to_another_page_and_back(open_page, home, away):
    page = open_page(home, k=4, comp=99).type("e0", 0.0371)
    for module in (away, home):
        page.visit(module)
        assert_dial(page, "e0", 0.0371)
        assert ("ε₀ = 0.0371" in page.words) is (module not in ("empirical_audit", "mechanism_lab", "paper_check")), (
            "those are not about it"
        )
        for key, value in (("e0", "0.0371"), ("k", "4"), ("comp", "99"), ("s", "1"), ("cur", "USD")):
            assert copied(page)[key] == value, (module, key)
        assert not page.app.error
        assert page.links["address"] == "v=1&e0=0.0371&k=4&comp=99"


def test_the_settings_of_a_page_are_there_when_the_reader_comes_back(open_page):
    page = open_page("explicit_risk", tab="calibrate").type("e", 0.07).type("conf", 0.85)
    page.visit("overview").visit("explicit_risk")
    assert page.number("e").value == 0.07
    assert page.number("conf").value == 0.85
    assert page.open_section == "Calibrate"


def open_file(page, text):
    page.app.session_state["group_file"] = True
    page.run().app.file_uploader(key="scenario_file").set_value(("scenario.json", text.encode(), "application/json"))
    return page.run()


def test_a_scenario_file_is_saved_and_opened_again_on_another_page(open_page):
    saved = Scenario(0.25, 3, 2.0, releases=12, stakeholders=900, currency="EUR", mechanism="gaussian").to_file()
    page = open_page("composition", e0=2)
    open_file(page, saved)
    assert "The scenario of the file is open." in page.words
    assert_dial(page, "e0", 0.25)
    assert page.links["address"] == "v=1&e0=0.25&k=3&s=2&rel=12&sh=900&cur=EUR&m=gaussian"
    older = open_file(page.visit("decide"), '{"epsilon0": 0.75, "releases": 3}')
    assert "Not in the file, so as in the example: " in older.words
    assert "Mechanism." in older.words
    assert older.links["address"] == "v=1&e0=0.75&rel=3"


def test_where_uploads_are_off_a_scenario_is_saved_and_none_is_opened(open_page, monkeypatch):
    monkeypatch.setattr("pages.shared.scenario_file.deployment", lambda: Settings(uploads=False))
    page = open_page("decide")
    page.app.session_state["group_file"] = True
    assert not page.run().app.file_uploader
    assert page.app.get("download_button")


def test_a_scenario_file_keeps_the_wishes(files):
    page = View().visit("decide", e0=2, wev=3, wbv=0.8, wt=1, wtv=2)
    page.app.session_state["group_file"] = True
    saved = page.run() and files["save_scenario"]()
    other = open_file(View().visit("composition"), saved)
    assert "The scenario of the file is open, with its wishes." in other.words
    assert other.visit("decide").links["full"] == page.links["full"]
    kept = open_file(other, Scenario(epsilon0=0.3).to_file())
    assert kept.links["address"] == "v=1&e0=0.3&wev=3&wbv=0.8&wt=1&wtv=2"


def test_the_wishes_of_a_file_are_no_examples(files):
    page = View().visit("decide", wbv=0.6).visit("decide", wbv=0.7)
    page.app.session_state["group_file"] = True
    saved = page.run() and files["save_scenario"]()
    other = open_file(View().visit("decide"), saved)
    assert "The scenario of the file is open, with its wishes." in other.words
    assert "The 2 releases are an example" in other.words
    assert (
        "These wishes and the 2 releases are examples" in open_file(View().visit("decide"), Scenario().to_file()).words
    )


@pytest.mark.parametrize("wishes", [{"we": "2"}, {"wev": "nan"}, {"<b>": "1"}, {"e0": "1"}])
def test_a_file_with_wishes_that_are_none_changes_nothing(wishes):
    page = open_file(View().visit("decide", e0=2, wev=3), Scenario().to_file(wishes))
    assert any(each.value.startswith("Nothing was changed: ` ") for each in page.app.error)
    assert page.links["address"] == "v=1&e0=2&wev=3"


@pytest.mark.parametrize("text", ["what?", '{"epsilon0": -1}', '{"epsilon0": 1, "<b>": 2}', '{"format": 99, "k": 2}'])
def test_a_file_that_is_no_scenario_changes_nothing_and_says_why(open_page, text):
    page = open_file(open_page("decide", e0=2), text)
    assert any(each.value.startswith("Nothing was changed: ` ") for each in page.app.error)
    assert page.links["address"] == "v=1&e0=2"


class Session(dict):
    """As Streamlit's, without Streamlit."""

    to_dict = dict.copy


def test_a_run_reads_the_session_once_and_sees_what_is_put(monkeypatch):
    monkeypatch.setattr(st, "session_state", session := Session())
    epsilon0, releases = scenario_setting("epsilon0"), scenario_setting("releases")
    level = following(number("level", "Level", 1.0, at_least=0.0, at_most=9.0), lambda scenario: scenario.epsilon0)
    with one_run():
        assert present_scenario().epsilon0 == 0.5
        session[epsilon0.held] = 0.6
        assert present_scenario().epsilon0 == 0.5
        epsilon0.put(0.7)
        assert (present_scenario().epsilon0, level.opens_on, level.text) == (0.7, 0.7, "0.7")
        with one_run():  # a section's own
            releases.put(9)
        assert present_scenario().releases == 9
        epsilon0.hold()
        assert present_scenario().epsilon0 == 0.7
        drop_key(epsilon0.held)
        assert (present_scenario().epsilon0, level.text) == (0.5, "0.5")
        put_key(epsilon0.held, 0.9)
    assert present_scenario().epsilon0 == 0.9
    session[epsilon0.held] = 0.8
    assert present_scenario().epsilon0 == 0.8


def test_what_follows_goes_on_after_a_run_that_was_stopped_before_its_end(monkeypatch):
    monkeypatch.setattr(st, "session_state", Session())
    epsilon0 = scenario_setting("epsilon0")
    level = following(number("level", "Level", 1.0, at_least=0.0, at_most=9.0), lambda scenario: scenario.epsilon0)
    for present in (0.5, 0.6, 0.7):
        epsilon0.put(present)
        with one_run():
            level.follow()
            assert (level.value(), level.is_following) == (present, True)
