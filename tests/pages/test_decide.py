"""Decide: from wishes to a range of levels, what collides, and odds in 100."""

import math
import re
from urllib.parse import parse_qsl

import pytest

from par_core.datasets.deployments import deployments
from par_core.decision import BeliefWish, ErrorWish, decide, odds
from par_core.mechanisms import MECHANISMS
from par_core.scenario import Scenario
from tests.pages.conftest import View

ALL_ON = dict.fromkeys(("we", "wg", "wb", "wr", "wa", "wi", "wd", "wm", "wt"), 1)
NONE_ON = dict.fromkeys(ALL_ON, 0)


def headline(view):
    (found,) = (text for text in view.texts if text.startswith("## "))
    return found.removeprefix("## ")


def buttons(view):
    return [each.label.replace("\u00a0", " ") for each in view.app.button if each.label.startswith("Use")]


@pytest.fixture(scope="module")
def at_defaults(open_page):
    return open_page("decide")


def with_own_wishes(**address):
    """Open the page as a reader whose wishes are their own, though they are those that it opens on."""
    return View().visit("decide", wbv=0.6).visit("decide", wbv=0.7, **address)


def test_wishes_that_nobody_made_are_called_examples_and_no_verdict_follows_from_them():
    view = View().visit("decide")
    assert headline(view) == "The example wishes ask for ε₀ from 0.3 to 0.42"
    assert "These wishes and the 2 releases are examples: set your own." in view.words
    verdict = re.compile("will do|will not do|misses|is met|are met")
    assert not verdict.search(view.words)
    overview = view.visit("overview")
    assert "The example wishes ask for" in overview.words
    assert not verdict.search(overview.words)
    view.visit("decide", rel=1)
    assert "These wishes are examples: set your own." in view.words
    view.visit("decide", wbv=0.6)
    assert verdict.search(view.words)
    assert "example" not in view.visit("decide", wbv=0.7).words
    assert "Your scenario's ε₀ = 0.5 will do." in view.words
    for settings, words in (({"s": 1e12}, "No ε₀ meets the example wishes"), ({"rel": 50}, "wishes: error and")):
        assert words in headline(View().visit("decide", **settings))


def test_what_an_address_names_is_chosen_and_what_a_page_writes_is_not():
    named = {"we": 1, "wev": 10, "wb": 1, "wbv": 0.7, "wbp": 0.5}
    view = View().visit("decide", **named, rel=2)
    assert "example" not in view.words
    assert "Take ε₀ from 0.3 to 0.42: both wishes are met" in headline(view)
    assert "The 2 releases are an example" in View().visit("decide", **named).words
    copied = dict(parse_qsl(View().visit("decide").links["full"]))
    assert copied["wev"] == "10"
    assert "These wishes and the 2 releases are examples" in View().visit("decide", **copied).words


def test_a_scenario_that_is_reset_is_the_example_again():
    view = with_own_wishes(rel=7).visit("decide", rel=2)
    assert "example" not in view.words
    assert "The 2 releases are an example: set your own." in view.press("Reset to the example").words
    assert "will do" in view.visit("decide", e0=0.35).words


def test_the_first_view_is_a_decision_that_holds_on_both_sides():
    view = with_own_wishes()
    low, high = (
        float(each) for each in re.search(r"from (\S+) to (\S+): both wishes are met", headline(view)).groups()
    )
    found = decide([ErrorWish(10.0), BeliefWish(0.5, 0.7)], Scenario())
    assert found.low <= low < high <= found.high
    assert (low, high) == (0.3, 0.42)
    texts = [text.strip() for each in view.charts["decision"].figure["data"] for text in each.get("text", ())]
    assert {"0.3", "0.42"} <= set(texts)
    assert "Your scenario's ε₀ = 0.5 misses your belief. (Proven)" in view.words


def test_a_level_inside_will_do():
    assert "Your scenario's ε₀ = 0.35 will do." in with_own_wishes(e0=0.35).words


@pytest.mark.parametrize(("button", "level"), [("Use ε₀ = 0.3", 0.3), ("Use ε₀ = 0.42", 0.42)])
def test_what_is_taken_is_in_the_scenario_and_meets_every_wish(button, level):
    view = with_own_wishes().press(button)
    assert view.number("e0").value == level
    assert f"Your scenario's ε₀ = {level} will do." in view.words
    assert not [each for each in buttons(view) if each.startswith(button)]


def test_two_wishes_that_collide_are_named_with_what_either_would_give(open_page):
    view = open_page("decide", wbv=0.6)
    assert headline(view) == "No ε₀ meets both: your error and your belief collide"
    collision = decide([ErrorWish(10.0), BeliefWish(0.5, 0.6)], Scenario()).collision
    (words,) = (text for text in view.texts if text.startswith("To meet both, allow"))
    error, belief = (float(each) for each in re.search(r"an error of (\S+), or a belief of (\S+) %", words).groups())
    assert collision.first_would <= error == 14.8
    assert 100 * collision.second_would <= belief < 100 * collision.second_would + 0.1
    assert buttons(view) == []
    assert view.charts["decision"].trace("misses two of your wishes")


def test_every_wish_that_collides_is_named():
    view = View().visit("decide", rel=24, wt=1, wtv=1)
    assert headline(view) == "No ε₀ meets all: your error collides with your belief and your total ε"
    without = headline(view.visit("decide", rel=24, wt=1, wtv=1, wb=0))
    assert without == "No ε₀ meets both: your error and your total ε collide"


@pytest.mark.parametrize("given", ["error", "belief"])
def test_what_one_of_them_gives_makes_them_meet(open_page, given):
    words = open_page("decide", wbv=0.6).words
    error, belief = re.search(r"an error of (\S+), or a belief of (\S+) %", words).groups()
    moved = {"wev": error} if given == "error" else {"wbv": float(belief) / 100}
    assert "both wishes are met" in headline(open_page("decide", **{"wbv": 0.6, **moved}))


def test_without_a_wish_there_is_nothing_to_take(open_page):
    view = open_page("decide", **NONE_ON)
    assert headline(view) == "Switch on a wish: each one says which ε₀ will do"
    assert buttons(view) == []
    assert view.charts["decision"].trace("reported by a deployment")


def test_a_wish_that_no_level_meets_is_named():
    assert headline(with_own_wishes(s=1e12)) == "No ε₀ meets this wish: error"


def test_even_the_last_level_misses_what_none_meets(open_page):
    assert "Even ε₀ = 50, the largest checked, misses it. (Proven)" in open_page("decide", s=1e12).words
    assert "Even ε₀ = 1e-8 misses it. (Proven)" in open_page("decide", wbp=0.8).words


def test_a_million_releases_have_their_levels(open_page):
    view = open_page("decide", rel=10**6, we=0)
    found = decide([BeliefWish(0.5, 0.7)], Scenario(releases=10**6))
    assert 0 < found.high < 1e-6
    assert headline(view) == "Take ε₀ of at most 8.4e-7: your wish is met"


def test_a_narrow_decision_is_told_with_the_digits_that_it_takes(open_page):
    view = open_page("decide", wbv=1 / (1 + math.exp(-2 * 0.299575)))
    found = decide([ErrorWish(10.0), BeliefWish(0.5, 1 / (1 + math.exp(-2 * 0.299575)))], Scenario())
    assert headline(view) == "Take ε₀ = 0.299574: both wishes are met there, and hardly elsewhere"
    assert found.low <= 0.299574 <= found.high
    (button,) = buttons(view)
    assert "will do" in view.press(button).words


def test_a_decision_of_one_level_is_told_as_one(open_page):
    assert headline(open_page("decide", wbv=0.645485)) == "Take ε₀ = 0.2996: both wishes are met"


def test_a_wish_that_asks_for_nothing_offers_no_level(open_page):
    for wish in (
        {"wm": 1, "wmv": 1e9},
        {"we": 1, "wev": 1e12},
        {"wt": 1, "wtv": 1e4},
    ):
        view = open_page("decide", **{**NONE_ON, **wish})
        assert buttons(view) == []
    view = open_page("decide", wm=1, wmv=1e9, we=0, wb=0)
    assert headline(view) == "Take ε₀ of any size up to 50: your wish is met"
    assert (
        "Levels above 50, such as your 700, are not checked."
        in open_page("decide", wm=1, wmv=1e9, we=0, wb=0, e0=700).words
    )


def test_a_number_is_told_as_it_was_set(open_page):
    figure = open_page("decide", wbv=0.6221).charts["decision"].figure
    assert "62.21\u00a0%" in str(figure["layout"]["yaxis"]["ticktext"]).replace("\\xa0", "\u00a0")


def test_what_attackers_of_several_beliefs_may_believe_stands_in_a_table(open_page):
    table = open_page("decide", wbp=0.2, wbv=0.5).app.table[0].value
    assert table["Belief before"].tolist() == ["1\u00a0%", "10\u00a0%", "20\u00a0%", "50\u00a0%", "90\u00a0%"]
    own, decided = table.columns[1:]
    assert (own, decided) == ("At ε₀\u00a0=\u00a00.5", "At ε₀\u00a0=\u00a00.69")
    assert table[decided][2] == "49.9\u00a0%"
    assert table[own][3] == "73.2\u00a0%"  # two releases at 0.5 are one at 1
    assert not open_page("decide", wb=0).app.table


def test_noise_without_a_largest_loss_says_how_rare_more_is(open_page):
    assert (
        "but for less than 0.1 % of outcomes: this noise has no largest loss" in open_page("decide", m="gaussian").words
    )


@pytest.mark.parametrize(("on", "words"), [("we", "of at least 0.3"), ("wb", "of at most 0.42")])
def test_a_wish_alone_asks_for_one_end(open_page, on, words):
    view = open_page("decide", **{**NONE_ON, on: 1})
    assert headline(view) == f"Take ε₀ {words}: your wish is met"
    assert len(buttons(view)) == 1


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_all_wishes_have_their_band_with_every_mechanism(open_page, mechanism):
    view = open_page("decide", m=mechanism, **ALL_ON)
    rows = view.charts["decision"].figure["layout"]["yaxis"]["ticktext"]
    assert len(rows) == (10 if mechanism not in ("randomised-response", "exponential") else 8)
    assert ("Your mechanism adds no noise to a number" in view.words) is (len(rows) == 8)
    assert re.match(r"Take ε₀|No ε₀", headline(view))


def test_the_binding_prior_is_named(open_page):
    assert "strictest for an attacker who is 40 % sure" in open_page("decide", wr=1, wrv=0.2).words


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
    assert set(open_page("decide", wa=1, wm=1).charts["decision"].dials) == {"e0", "wev", "wbv", "wav"}
    assert set(open_page("decide", rel=1, wm=1).charts["decision"].dials) == {"e0", "wev", "wbv", "wmv"}
    assert set(open_page("decide", rel=400, wa=1, wd=1).charts["decision"].dials) == {"e0", "wev", "wbv"}


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


@pytest.mark.parametrize(
    ("asked", "levels"),
    [
        ({"e0": 0.305, "wev": 9.97}, "from 0.301 to 0.42"),
        ({"e0": 0.423, "wev": 10.01}, "from 0.3 to 0.423"),
        ({"e0": 0.345, "we": 0, "wb": 0, "wt": 1, "wtv": 0.345, "rel": 1}, "of at most 0.345"),
    ],
)
def test_a_level_that_will_do_lies_in_the_range_that_is_told(open_page, asked, levels):
    shown = open_page("decide", **asked)
    assert headline(shown).startswith(f"Take ε₀ {levels}: ")
    assert f"ε₀ = {asked['e0']} will do" in shown.words
    assert f"Take ε₀ {levels}: your {asked['e0']} will do" in open_page("overview", **asked).words
