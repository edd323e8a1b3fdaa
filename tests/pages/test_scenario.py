"""The scenario in the sidebar: the field and the slider in step, and every setting at hand on every page."""

import pytest

from pages.shared import controls
from pages.shared.navigation import PAGES
from par_core.scenario import FIELDS, Scenario

MODULES = [info.module for info in PAGES]


def assert_slider_in_step(page, key, value):
    slider = page.slider(key)
    assert page.number(key).value == value
    assert slider.value == value
    assert f"{value:.6g}" in slider.options


@pytest.mark.parametrize("module", MODULES)
def test_the_sidebar_opens_on_the_health_centre_and_its_field_and_slider_go_together(open_page, module):
    page = open_page(module)
    assert_slider_in_step(page, "e0", 0.5)
    plain = Scenario()
    for field in FIELDS:
        assert page.app.session_state[field.key] == getattr(plain, field.name), field.name
    assert_slider_in_step(page.type("e0", 0.0371), "e0", 0.0371)
    assert page.app.session_state["e0"] == 0.0371
    assert_slider_in_step(page.slide("e0", 0.6), "e0", 0.6)


def test_the_slider_follows_every_typed_value(open_page):
    page = open_page("overview")
    for typed in (2.0, 1.7, 0.0371, 1e-8, 700.0, 0.123456789):
        assert_slider_in_step(page.type("e0", typed), "e0", typed)
        assert page.app.session_state["e0"] == typed


def test_the_typed_value_follows_the_slider_to_its_ends(open_page):
    page = open_page("overview")
    for moved in (0.6, 0.05, 10.0):
        assert_slider_in_step(page.slide("e0", moved), "e0", moved)


def test_a_typed_value_stays_among_the_steps_while_the_slider_moves(open_page):
    page = open_page("explicit_risk").type("e0", 0.0371)
    options = page.slider("e0").options
    assert options == sorted(options, key=float)
    page.slide("e0", 0.2)
    assert page.slider("e0").options == options
    page.slide("e0", 0.0371)
    assert_slider_in_step(page, "e0", 0.0371)


def test_field_and_slider_stay_in_step_when_used_in_turn(open_page):
    page = open_page("explicit_risk")
    for how, value in (("type", 0.0371), ("slide", 0.5), ("type", 1.7), ("slide", 2.0), ("slide", 1.7), ("type", 0.5)):
        getattr(page, how)("e0", value)
        assert_slider_in_step(page, "e0", value)


@pytest.fixture
def hasty(open_page):
    """Open the explicit risk with a browser that gets no answer: each of its requests brings what it held at the start."""
    page = open_page("explicit_risk", tab="truth")
    held = page.app._tree
    for each in (*page.app.number_input, *page.app.select_slider):
        each.set_value(each.value)  # otherwise AppTest sends what the server holds by then

    def do(what, *arguments):
        page.app._tree = held  # the fields keep in it what is typed and slid, and nothing of the answers
        getattr(page, what)(*arguments)
        return page

    return do


def test_sliders_moved_faster_than_the_answers_take_nothing_of_each_other_back(hasty):
    for epsilon0, epsilon in ((0.6, 0.5), (0.7, 0.6), (0.8, 0.7)):
        assert_slider_in_step(hasty("slide", "e0", epsilon0), "e0", epsilon0)
        page = hasty("slide", "e", epsilon)
        assert_slider_in_step(page, "e0", epsilon0)
        assert_slider_in_step(page, "e", epsilon)


def test_a_value_typed_before_the_answer_to_the_slider_is_kept(hasty):
    hasty("slide", "e0", 0.6)
    assert_slider_in_step(hasty("type", "e0", 0.0371), "e0", 0.0371)
    assert_slider_in_step(hasty("type", "k", 4), "e0", 0.0371)
    assert_slider_in_step(hasty("slide", "e0", 0.7), "e0", 0.7)
    assert_slider_in_step(hasty("type", "k", 5), "e0", 0.7)
    assert_slider_in_step(hasty("type", "e0", 0.5), "e0", 0.5)


def test_a_value_typed_and_one_slid_in_one_request_end_in_the_typed_one(open_page):
    page = open_page("explicit_risk")
    page.slider("e0").set_value(0.6)
    assert_slider_in_step(page.type("e0", 0.0371), "e0", 0.0371)


def test_a_button_and_a_slider_in_quick_turn_both_count(hasty):
    hasty("slide", "e0", 3.0)
    hasty("slide", "e", 0.6)
    hasty("press", "Reset to the example")
    page = hasty("slide", "e", 0.7)
    assert_slider_in_step(page, "e0", 0.5)
    assert_slider_in_step(page, "e", 0.7)


def test_a_refused_value_is_named_once_and_the_last_good_one_stays(hasty):
    page = hasty("slide", "e0", 0.6)
    for what, value in (("e0", 900.0), ("k", 4), ("k", 5)):
        page = hasty("type", what, value)
        assert_slider_in_step(page, "e0", 0.6)
        assert "900 cannot be used" in page.words
        assert "0.6 stays" in page.words
    page = hasty("slide", "e0", 0.7)
    assert "cannot be used" not in page.words
    page = hasty("type", "k", 6)  # brings the 900 again
    assert_slider_in_step(page, "e0", 0.7)
    assert "cannot be used" not in page.words


def test_an_emptied_field_and_a_refused_value_put_the_last_good_one_back_under_the_cursor(open_page):
    page = open_page("explicit_risk").type("e0", 0.0371)
    key = page.number("e0").key
    for value in (None, 900.0, 900.0, None, -1.0):
        assert_slider_in_step(page.type("e0", value), "e0", 0.0371)
        assert page.number("e0").key == key  # another key is another field, without the reader's cursor
    assert_slider_in_step(page.type("e0", 0.02), "e0", 0.02)
    assert page.number("e0").key == key
    key = page.slider("e0").key
    assert page.slide("e0", 0.05).slider("e0").key == key


def test_the_keys_of_a_field_do_not_grow_without_end(open_page, monkeypatch):
    monkeypatch.setattr(controls, "_KEYS", 3)
    monkeypatch.setattr(controls, "_REMEMBERED", 2)
    page = open_page("overview")
    keys = set()
    for value in (0.6, 0.7, 0.8, 1.0, 0.6, 0.7, 0.8, 1.0):
        assert_slider_in_step(page.slide("e0", value), "e0", value)
        keys.add(page.number("e0").key)
    assert len(keys) == 3


def test_the_second_epsilon_has_a_slider_in_step_too(open_page):
    page = open_page("explicit_risk").type("e", 0.0371)
    assert_slider_in_step(page, "e", 0.0371)
    page.slide("e", 0.3)
    assert_slider_in_step(page, "e", 0.3)


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
    assert page.run().app.session_state["cur"] == "EUR"
    (field,) = (each for each in page.app.text_input if each.label == "Currency")
    field.set_value("5$")
    page.run()
    assert page.app.session_state["cur"] == "EUR"
    assert any("EUR" in each.value for each in page.app.error)


def test_the_way_back_to_the_health_centre(open_page):
    page = open_page("explicit_risk", e0=3, k=9, cur="EUR", nb="add-or-remove", comp=1)
    page.press("Reset to the example")
    assert_slider_in_step(page, "e0", 0.5)
    for field in FIELDS:
        assert page.app.session_state[field.key] == getattr(Scenario(), field.name), field.name


@pytest.mark.parametrize(("home", "away"), list(zip(MODULES, MODULES[1:] + MODULES[:1], strict=True)))
def test_the_scenario_goes_along_to_another_page_and_back(open_page, home, away):
    page = open_page(home, k=4, comp=99).type("e0", 0.0371)
    for module in (away, home):
        page.visit(module)
        assert_slider_in_step(page, "e0", 0.0371)
        assert ("ε₀ = 0.0371" in page.words) is (module != "empirical_audit"), "the audit is not about the scenario"
        for key, value in (("e0", 0.0371), ("k", 4), ("comp", 99.0), ("s", 1.0), ("cur", "USD")):
            assert page.app.session_state[key] == value, (module, key)
        assert not page.app.error
        assert page.links["address"] == "v=1&e0=0.0371&k=4&comp=99"


def test_the_settings_of_a_page_are_there_when_the_reader_comes_back(open_page):
    page = open_page("explicit_risk", tab="calibrate").type("e", 0.07).type("conf", 0.85)
    page.visit("overview").visit("explicit_risk")
    assert page.number("e").value == 0.07
    assert page.number("conf").value == 0.85
    assert page.open_section == "Calibrate"
