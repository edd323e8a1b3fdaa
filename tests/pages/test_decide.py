"""Decide: its controls ask the questions, what nobody has chosen is an example, and what is taken is in the scenario."""

import re
from urllib.parse import parse_qsl

import pytest

from par_core.decision import BeliefWish, ErrorWish
from par_core.questions import OddsIn100, WhichEpsilon0
from par_core.scenario import Scenario
from tests.core.test_questions_decide import VERDICT
from tests.pages.conftest import View

ALL_ON = dict.fromkeys(("we", "wg", "wb", "wr", "wa", "wi", "wd", "wm", "wt"), 1)
NONE_ON = dict.fromkeys(ALL_ON, 0)


def headline(view):
    (found,) = (text for text in view.texts if text.startswith("## "))
    return found.removeprefix("## ")


def test_each_control_asks_its_own():
    view = View().visit("decide")
    view.assert_told(WhichEpsilon0(Scenario(), planned=False))
    view.type("wev", 30).type("wbp", 0.3).type("wbv", 0.6)
    view.assert_told(WhichEpsilon0(Scenario(), (ErrorWish(30.0), BeliefWish(0.3, 0.6)), planned=False))
    view.visit("decide", tab="odds", e0=1)
    view.assert_told(OddsIn100(Scenario(epsilon0=1.0)))
    view.choose("wo", "all").assert_told(OddsIn100(Scenario(epsilon0=1.0), all_releases=True))


def test_wishes_that_nobody_made_are_called_examples_wherever_they_are_told():
    view = View().visit("decide")
    assert "These wishes and the 2 releases are examples: set your own." in view.words
    overview = view.visit("overview")
    assert "The example wishes ask for" in overview.words
    assert not VERDICT.search(overview.words)
    view.visit("decide", rel=1)
    assert "These wishes are examples: set your own." in view.words
    view.visit("decide", wbv=0.6)
    assert VERDICT.search(view.words)
    assert "example" not in view.visit("decide", wbv=0.7).words
    assert "Your scenario's ε₀ = 0.5 will do." in view.words


def test_what_an_address_names_is_chosen_and_what_a_page_writes_is_not():
    named = {"we": 1, "wev": 10, "wb": 1, "wbv": 0.7, "wbp": 0.5}
    view = View().visit("decide", **named, rel=2)
    assert "example" not in view.words
    assert "Take ε₀ from 0.3 to 0.42: both wishes are met" in headline(view)
    copied = dict(parse_qsl(View().visit("decide").links["full"]))
    assert copied["wev"] == "10"
    assert "These wishes and the 2 releases are examples" in View().visit("decide", **copied).words


def test_a_scenario_that_is_reset_is_the_example_again():
    view = View().visit("decide", wbv=0.6).visit("decide", wbv=0.7, rel=7).visit("decide", rel=2)
    assert "example" not in view.words
    assert "The 2 releases are an example: set your own." in view.press("Reset to the example").words
    assert "will do" in view.visit("decide", e0=0.35).words


@pytest.mark.parametrize("level", [0.3, 0.42])
def test_what_is_taken_is_in_the_scenario(level):
    view = View().visit("decide", wev=10).press(f"Use ε₀ = {level}")
    assert view.number("e0").value == level
    assert f"Your scenario's ε₀ = {level} will do." in view.words


@pytest.mark.parametrize(("mechanism", "left_out"), [("laplace", 0), ("exponential", 2)])
def test_every_wish_has_its_fields_unless_the_mechanism_cannot_meet_it(open_page, mechanism, left_out):
    view = open_page("decide", m=mechanism, **ALL_ON)
    assert len(view.charts["decision"].figure["layout"]["yaxis"]["ticktext"]) == 10 - left_out
    assert ("Your mechanism adds no noise to a number" in view.words) is bool(left_out)


def test_the_dials_are_those_of_the_wishes_that_are_on_and_quick(open_page):
    assert set(open_page("decide").charts["decision"].dials) == {"e0", "wev", "wbv"}
    assert set(open_page("decide", we=0, wa=1, wm=1).charts["decision"].dials) == {"e0", "wbv", "wav"}


def test_what_cannot_be_drawn_is_said_in_every_section(open_page):
    for tab in ("decide", "odds", "duties"):
        view = open_page("decide", tab=tab, m="discrete-laplace", s=0.5)
        assert not view.charts
        assert re.match("Discrete Laplace cannot be used here", view.warnings[0])
        labels = [each.label for each in view.app.get("download_button")]
        assert labels[-1:] == ["Decision report"]


def test_a_reader_who_wishes_for_just_what_stands_there_says_so(open_page):
    view = open_page("decide")
    assert "are examples: set your own" in view.words
    view.press("These wishes and the 2 releases are mine")
    assert "Take ε₀ from 0.3 to 0.42" in view.words
    assert "example" not in view.words
    assert view.links["address"] == "v=1&wmine=wishes%2Creleases"
    assert "example" not in open_page("decide", v=1, wmine="wishes,releases").words
    assert "The 2 releases are mine" in [each.label for each in open_page("decide", wmine="wishes").app.button]
    assert "These wishes are examples" in view.visit("decide", v=1, rel=3).words, "a link of somebody else's"
    assert not [each for each in view.press("These wishes are mine").app.button if each.label.endswith("mine")]
    assert "example" in view.press("Reset to the example").words
