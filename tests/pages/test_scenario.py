"""The scenario in the sidebar: the field and the slider in step, and every setting at hand on every page."""

import pytest

from pages.shared.navigation import PAGES
from par_core.scenario import FIELDS, Scenario

MODULES = [info.module for info in PAGES]


def assert_slider_in_step(page, key, value):
    slider = page.slider(key)
    assert page.number(key).value == value
    assert slider.value == value
    assert f"{value:.6g}" in slider.options


@pytest.mark.parametrize("module", MODULES)
def test_the_sidebar_opens_on_the_health_centre(open_page, module):
    page = open_page(module)
    assert_slider_in_step(page, "e0", 0.5)
    plain = Scenario()
    for field in FIELDS:
        assert page.app.session_state[field.key] == getattr(plain, field.name), field.name


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("typed", [2.0, 1.7, 0.0371, 1e-8, 700.0, 0.123456789])
def test_the_slider_follows_the_typed_value(open_page, module, typed):
    page = open_page(module).type("e0", typed)
    assert_slider_in_step(page, "e0", typed)
    assert page.app.session_state["e0"] == typed


@pytest.mark.parametrize("module", MODULES)
def test_the_typed_value_follows_the_slider(open_page, module):
    page = open_page(module)
    for moved in (0.6, 0.05, 10.0):
        page.slide("e0", moved)
        assert_slider_in_step(page, "e0", moved)


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
    assert not page.warnings
    full = dict(part.split("=") for part in page.links["full"].split("&"))
    assert {key: full[key] for key in asked} == asked
    assert full["v"] == "1"


@pytest.mark.parametrize("module", MODULES)
def test_a_currency_that_is_none_is_named_and_the_last_good_one_stays(open_page, module):
    page = open_page(module)
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


@pytest.mark.parametrize("away", MODULES)
@pytest.mark.parametrize("home", MODULES)
def test_the_scenario_goes_along_to_another_page_and_back(open_page, home, away):
    page = open_page(home).type("e0", 0.0371).type("k", 4).type("comp", 99.0)
    for module in (away, home):
        page.visit(module)
        assert_slider_in_step(page, "e0", 0.0371)
        assert "ε₀ = 0.0371" in page.words
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
