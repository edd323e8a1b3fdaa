"""The section "Duties": the list of a reviewer, with boxes whose ticks are in the link."""

from urllib.parse import parse_qsl

import pytest

from par_core.decision import duties
from par_core.questions import Duties
from par_core.scenario import Scenario
from tests.pages.conftest import plain


def opened(open_page, **address):
    return open_page("decide", tab="duties", **address)


def boxes(view):
    return {plain(each.label): each for each in view.app.checkbox}


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ({}, {}),
        ({"e0": 6, "m": "gaussian", "d": 0.01}, {"epsilon0": 6.0, "mechanism": "gaussian", "delta": 0.01}),
    ],
)
def test_each_duty_stands_where_it_belongs_and_names_its_section_under_the_pointer(open_page, address, fields):
    view = opened(open_page, **address)
    view.assert_told(Duties(Scenario(**fields)))
    asked = duties(Scenario(**fields))
    of = {state: [each for each in asked if each.state == state] for state in ("open", "against", "answered")}
    assert {label: box.help for label, box in boxes(view).items()} == {
        each.question: f"NIST SP 800-226, {each.section}." for each in of["open"]
    }
    for mark, group in (("Fails:", of["against"]), ("✓", of["answered"])):
        assert len([text for text in view.texts if text.startswith(mark)]) == len(group)
        for each in group:
            (text,) = (text for text in view.texts if text.startswith(f"{mark} {each.question}"))
            assert plain(each.says) in text
            assert ("(Proven)" in text) is (each.computed)
    assert all(plain(each.says) in view.words for each in of["open"])


def test_a_tick_is_in_the_link_and_a_link_ticks(open_page):
    view = opened(open_page)
    for label in ("Are small groups still served?", "Are the same data published nowhere else, now or later?"):
        boxes(view)[label].check()
        view.run()
    assert "2 of 8 ticked" in view.words
    link = dict(parse_qsl(view.links["full"], keep_blank_values=True))
    assert link["wdt"] == "elsewhere.groups"
    again = open_page("decide", **link)
    assert [label for label, box in boxes(again).items() if box.value] == [
        "Are the same data published nowhere else, now or later?",
        "Are small groups still served?",
    ]
    boxes(again)["Are small groups still served?"].uncheck()
    assert again.run().links["address"].endswith("wdt=elsewhere")


def test_a_tick_counts_only_while_its_duty_is_open(open_page):
    view = opened(open_page, sh=1000, wdt="delta.unit")
    assert "2 of 9 ticked" in view.words
    assert "1 of 8 ticked" in view.type("sh", 100).words
    assert "2 of 9 ticked" in view.type("sh", 1000).words


def test_ticks_outlive_a_look_at_another_page(open_page):
    view = opened(open_page, wdt="unit")
    assert "wdt" not in view.visit("composition").links["address"]
    assert dict(parse_qsl(view.visit("decide").links["address"]))["wdt"] == "unit"


def test_ticks_are_about_one_scenario(open_page):
    view = opened(open_page, wdt="unit", e0=2).press("Reset to the example")
    assert "0 of 8 ticked" in view.words


@pytest.mark.parametrize("asked", ["nonsense", "unit.", "unit,code", "<b>"])
def test_a_tick_of_no_duty_is_refused(open_page, asked):
    view = opened(open_page, wdt=asked)
    assert any("Settled duties" in each for each in view.warnings)
    assert "0 of 8 ticked" in view.words
