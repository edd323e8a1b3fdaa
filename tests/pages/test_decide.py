"""Decide: from wishes to a range of levels, what collides, and odds in 100."""

import math
import re

import pytest

from par_core.datasets.deployments import deployments
from par_core.decision import BeliefWish, ErrorWish, decide, odds
from par_core.mechanisms import MECHANISMS
from par_core.scenario import Scenario

ALL_ON = dict.fromkeys(("we", "wg", "wb", "wr", "wa", "wd", "wm", "wt"), 1)
NONE_ON = dict.fromkeys(ALL_ON, 0)


def headline(view):
    (found,) = (text for text in view.texts if text.startswith("#### "))
    return found.removeprefix("#### ")


def buttons(view):
    return [each.label.replace("\u00a0", " ") for each in view.app.button if each.label.startswith("Use")]


@pytest.fixture(scope="module")
def at_defaults(open_page):
    return open_page("decide")


def test_the_first_view_is_a_decision_that_holds_on_both_sides(at_defaults):
    low, high = (
        float(each) for each in re.search(r"from (\S+) to (\S+): both wishes are met", headline(at_defaults)).groups()
    )
    found = decide([ErrorWish(10.0), BeliefWish(0.5, 0.7)], Scenario())
    assert found.low <= low < high <= found.high
    assert low == pytest.approx(found.low, rel=1e-3)
    assert high == pytest.approx(found.high, rel=1e-3)
    assert "Your scenario's ε₀ = 0.5 misses your belief. (Proven)" in at_defaults.words


def test_a_level_inside_will_do(open_page):
    assert "Your scenario's ε₀ = 0.35 will do." in open_page("decide", e0=0.35).words


@pytest.mark.parametrize(("button", "level"), [("Use ε₀ = 0.2996", 0.2996), ("Use ε₀ = 0.4236", 0.4236)])
def test_what_is_taken_is_in_the_scenario_and_meets_every_wish(open_page, button, level):
    view = open_page("decide").press(button)
    assert view.number("e0").value == level
    assert f"Your scenario's ε₀ = {level} will do." in view.words
    assert not [each for each in buttons(view) if each.startswith(button)]


def test_two_wishes_that_collide_are_named_with_what_either_would_give(open_page):
    view = open_page("decide", wbv=0.6)
    assert headline(view) == "No ε₀ meets both: your error and your belief collide"
    collision = decide([ErrorWish(10.0), BeliefWish(0.5, 0.6)], Scenario()).collision
    (words,) = (text for text in view.texts if text.startswith("One would have to give"))
    error, belief = (float(each) for each in re.search(r"error (\S+) instead of 10, or belief (\S+) %", words).groups())
    assert collision.first_would <= error < collision.first_would * 1.001
    assert 100 * collision.second_would <= belief < 100 * collision.second_would + 0.1
    assert buttons(view) == []
    assert view.charts["decision"].trace("misses two of your wishes")


@pytest.mark.parametrize("given", ["error", "belief"])
def test_what_one_of_them_gives_makes_them_meet(open_page, given):
    words = open_page("decide", wbv=0.6).words
    error, belief = re.search(r"error (\S+) instead of 10, or belief (\S+) %", words).groups()
    moved = {"wev": error} if given == "error" else {"wbv": float(belief) / 100}
    assert "both wishes are met" in headline(open_page("decide", **{"wbv": 0.6, **moved}))


def test_without_a_wish_there_is_nothing_to_take(open_page):
    view = open_page("decide", **NONE_ON)
    assert headline(view) == "Switch on a wish: each one says which ε₀ will do"
    assert buttons(view) == []
    assert view.charts["decision"].trace("reported by a deployment")


def test_a_wish_that_no_level_meets_is_named(open_page):
    assert headline(open_page("decide", s=1e12)) == "No ε₀ meets this wish: error"


@pytest.mark.parametrize(("on", "words"), [("we", "of at least 0.2996"), ("wb", "of at most 0.4236")])
def test_a_wish_alone_asks_for_one_end(open_page, on, words):
    view = open_page("decide", **{**NONE_ON, on: 1})
    assert headline(view) == f"Take ε₀ {words}: your wish is met"
    assert len(buttons(view)) == 1


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_all_wishes_have_their_band_with_every_mechanism(open_page, mechanism):
    view = open_page("decide", m=mechanism, **ALL_ON)
    rows = view.charts["decision"].figure["layout"]["yaxis"]["ticktext"]
    assert len(rows) == (9 if mechanism not in ("randomised-response", "exponential") else 7)
    assert ("Your mechanism adds no noise to a number" in view.words) is (len(rows) == 7)
    assert re.match(r"Take ε₀|No ε₀", headline(view))


def test_the_binding_prior_is_named(open_page):
    assert "A belief of 40 % rises most" in open_page("decide", wr=1, wrv=0.2).words


def test_money_is_by_the_model_of_the_reader(open_page):
    assert "(By your model)" in open_page("decide", wm=1).words


def test_deployments_stand_at_what_they_report(at_defaults, read_values):
    levels = read_values(at_defaults.charts["decision"].trace("reported by a deployment")["x"])
    assert sorted(levels) == sorted(each.level(Scenario.delta) for each in deployments())
    assert "35 deployments report" in at_defaults.words


def test_more_delta_lowers_what_rho_comes_to(open_page, read_values):
    sums = [
        sum(read_values(open_page("decide", d=delta).charts["decision"].trace("reported by a deployment")["x"]))
        for delta in (1e-10, 1e-5)
    ]
    assert sums[0] > sums[1]


def test_slow_wishes_are_not_looked_up_at_every_stop(open_page):
    assert set(open_page("decide").charts["decision"].dials) == {"e0", "wev", "wbv"}
    assert set(open_page("decide", wa=1).charts["decision"].dials) == {"e0"}


# --- odds in 100 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("address", "releases"), [({}, 1), ({"wo": "all"}, 2)])
def test_the_squares_are_the_odds(open_page, read_values, address, releases):
    view = open_page("decide", tab="odds", e0=1, **address)
    found = odds(Scenario(epsilon0=1.0), releases=releases)
    inside, outside = (round(100 * each) for each in (found.if_in, found.if_out))
    assert [int(each) for each in re.findall(r"(?<!of )(?<!in )\b\d+\b", headline(view))][-2:] == [inside, outside]
    x = read_values(view.charts["odds_in_100"].trace("points to you")["x"])
    corners = x[[not math.isnan(each) for each in x]].reshape(-1, 5)
    assert ((corners[:, 0] < 10).sum(), (corners[:, 0] > 10).sum()) == (inside, outside)


def test_one_release_of_laplace_noise_at_1_points_70_and_30_times(open_page):
    assert "70 point to you if you are in the data, 30 if not" in headline(open_page("decide", tab="odds", e0=1))


def test_no_level_is_shown_as_certain(open_page):
    assert "99 point to you if you are in the data, 1 if not" in headline(open_page("decide", tab="odds", e0=30))
