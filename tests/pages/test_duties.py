"""The section "Duties": the list of a reviewer, boxes whose ticks are in the link, and what others report."""

from urllib.parse import parse_qsl

import pytest

from par_core.datasets.deployments import nearest, reporting_less
from par_core.decision import duties, total
from par_core.figures import decide as figures
from par_core.scenario import Scenario
from tests.pages.conftest import plain


def opened(open_page, **address):
    return open_page("decide", tab="duties", **address)


def boxes(view):
    return {plain(each.label): each for each in view.app.checkbox}


def in_state(state, **fields):
    return [each for each in duties(Scenario(**fields)) if each.state == state]


def test_the_first_view_counts_what_the_scenario_answers(open_page):
    view = opened(open_page)
    assert "Your scenario answers 6 of 14 questions that a reviewer asks" in view.words
    found = total(Scenario())
    less = len(reporting_less(found.epsilon, delta=found.delta))
    assert f"Your 2 releases together spend at most ε = 1; {less} of 35 deployments report less. (Proven)" in view.words


def test_one_release_is_no_several(open_page):
    assert "Your release spends at most ε =" in opened(open_page, rel=1).words


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ({}, {}),
        ({"e0": 6, "m": "gaussian", "d": 0.01}, {"epsilon0": 6.0, "mechanism": "gaussian", "delta": 0.01}),
        (
            {"m": "exponential", "sh": 1000, "rel": 40},
            {"mechanism": "exponential", "stakeholders": 1000, "releases": 40},
        ),
    ],
)
def test_each_duty_stands_where_it_belongs(open_page, address, fields):
    view = opened(open_page, **address)
    assert list(boxes(view)) == [each.question for each in in_state("open", **fields)]
    against, answered = in_state("against", **fields), in_state("answered", **fields)
    for mark, group in (("Fails:", against), ("✓", answered)):
        assert len([text for text in view.texts if text.startswith(mark)]) == len(group)
        for each in group:
            (text,) = (text for text in view.texts if text.startswith(f"{mark} {each.question}"))
            assert plain(each.says) in text
            assert ("(Proven)" in text) is (each.standing is not None)
    fails = f" and fails {len(against)}" if against else ""
    assert f"answers {len(answered)} of 14 questions that a reviewer asks{fails}" in view.words
    for each in in_state("open", **fields):
        assert plain(each.says) in view.words


def test_each_question_names_its_section_under_the_pointer(open_page):
    for label, box in boxes(opened(open_page)).items():
        (duty,) = (each for each in in_state("open") if each.question == label)
        assert box.help == f"NIST SP 800-226, {duty.section}."


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


@pytest.mark.parametrize("asked", ["nonsense", "unit.", "unit,code", "<b>"])
def test_a_tick_of_no_duty_is_refused(open_page, asked):
    view = opened(open_page, wdt=asked)
    assert any("Settled duties" in each for each in view.warnings)
    assert "0 of 8 ticked" in view.words


def test_the_nearest_are_named_with_year_and_unit(open_page):
    view = opened(open_page, e0=3, rel=12)
    found = total(Scenario(epsilon0=3.0, releases=12))
    for each in nearest(found.epsilon, delta=found.delta):
        told, unit = figures.reported(each, each.level(found.delta))
        assert plain(f"{each.curator} {each.year}, {each.name}: {told} ({unit})") in view.words


def test_what_cannot_be_drawn_is_said(open_page):
    view = opened(open_page, m="discrete-laplace", s=0.5)
    assert not view.charts
    assert "cannot be used here" in view.words
