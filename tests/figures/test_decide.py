"""The pictures that decide: bands end where wishes do, the decision lies where all overlap, squares are counted."""

import itertools
import math
import re

import numpy as np
import pytest

from par_core.datasets.deployments import deployments
from par_core.decision import (
    AdvantageWish,
    AttackWish,
    BaselineWish,
    BeliefWish,
    ErrorWish,
    GroupWish,
    MoneyWish,
    ReleasesWish,
    RiseWish,
    band,
    decide,
    odds,
    total,
)
from par_core.figures import decide as figures
from par_core.figures import decision_words as words
from par_core.figures import theme
from par_core.scenario import Scenario
from tests.figures.checked import Checked

drawn = Checked(figures)
MET = (ErrorWish(10.0), BeliefWish(0.5, 0.7))
COLLIDING = (ErrorWish(10.0), BeliefWish(0.5, 0.6), AdvantageWish(0.9))


def picture(wishes, epsilon0=0.5):
    found = decide(wishes, Scenario())
    figure = drawn.decision(found, epsilon0=epsilon0, deployments=deployments(), delta=1e-5, currency="EUR")
    return found, figure


def test_each_band_ends_where_its_wish_does(trace, coordinates):
    found, figure = picture(MET)
    low, high = (10.0**each for each in figure.layout.xaxis.range)
    error, belief = (coordinates(trace(figure, name))[0] for name in ("Error within 10", "Belief up to 70"))
    assert [error.min(), error.max()] == pytest.approx([found.low, high])
    assert [belief.min(), belief.max()] == pytest.approx([low, found.high])


def test_the_decision_is_where_all_overlap(trace, coordinates):
    found, figure = picture(MET)
    x, _ = coordinates(trace(figure, "all your wishes are met"))
    assert (x.min(), x.max()) == (found.low, found.high)


def test_what_is_missed_has_an_edge_that_stands_out_and_what_is_met_is_dark(trace):
    _, figure = picture(COLLIDING)
    met, missed = (trace(figure, f"your ε₀ {word} it") for word in ("meets", "misses"))
    assert (missed.line.width, missed.line.color, met.fillcolor) == (1, theme.LIGHT["muted"], theme.LIGHT["exact"])
    looks = {
        (each.fillcolor, each.line.width) for each in figure.data if each.name.startswith(("Error", "Belief", "Adv"))
    }
    assert looks == {(each.fillcolor, each.line.width) for each in (met, missed)}


def test_hatched_is_what_lies_between_the_two_that_collide(trace, coordinates):
    found, figure = picture(COLLIDING)
    x, _ = coordinates(trace(figure, "misses two of your wishes"))
    assert (x.min(), x.max()) == (found.high, found.low)
    assert not [each for each in figure.data if each.name == "all your wishes are met"]


@pytest.mark.parametrize(("epsilon0", "missed"), [(0.1, ["error"]), (0.35, []), (0.5, ["belief"])])
def test_a_band_that_the_present_level_misses_is_pale(trace, epsilon0, missed):
    found, figure = picture(MET, epsilon0)
    assert [each.key for each in found.missed(epsilon0)] == missed
    colours = {each: trace(figure, name).fillcolor for each, name in (("error", "Error"), ("belief", "Belief"))}
    assert [each for each, colour in colours.items() if colour == figures.theme.LIGHT["grid"]] == missed


def test_the_small_picture_is_the_same_without_what_others_report(trace, coordinates):
    for wishes in (MET, COLLIDING):
        found, figure = picture(wishes)
        small = drawn.small_decision(found, epsilon0=0.5, currency="EUR")
        beside = {each.name for each in figure.data} - {each.name for each in small.data}
        assert beside == {"reported by a deployment"}
        for name in ("Error within 10", "Belief up to", "all your wishes are met" if found.possible else "misses two"):
            ends = [coordinates(trace(each, name))[0] for each in (small, figure)]
            assert {*ends[0]} & {*ends[1]}, name
        assert (small.layout.showlegend, small.layout.height) == (False, 140 + 40 * len(wishes))


@pytest.mark.parametrize(
    ("wish", "promised"),
    [
        (ErrorWish(2.5), "your numbers are within 2.5 of the truth in 95 of 100 releases"),
        (
            GroupWish(1_000),
            "counts from 1,000 up, which one person moves by 1 in all, are right within 10 % in 95 of 100 releases",
        ),
        (BeliefWish(0.5, 0.7), "an attacker 50 % sure becomes at most 70 % sure after 3 releases"),
        (RiseWish(0.2), "no attacker's belief rises by more than 20 points after 3 releases"),
        (AttackWish(0.05, 0.2), "an attack with 5 % false alarms hits at most 20 % after 3 releases"),
        (BaselineWish(0.1, 0.3), "whoever succeeds with 10 % unaided succeeds with at most 30 % after 3 releases"),
        (AdvantageWish(0.3), "an attack's advantage over guessing is at most 30 % after 3 releases"),
        (MoneyWish(100_000.0), "a breach costs at most 100,000 EUR on average after 3 releases"),
        (ReleasesWish(1.0), "all releases together spend at most ε = 1 at δ = 10⁻⁵"),
    ],
)
def test_every_wish_says_what_it_promises(wish, promised):
    scenario = Scenario(releases=3, currency="EUR")
    assert words.promise_of(wish, band(wish, scenario), scenario).replace("\u00a0", " ") == promised
    assert "after" not in words.promise_of(wish, band(wish, Scenario(releases=1)), Scenario(releases=1))


def test_a_promise_says_how_often_it_cannot_be_kept():
    wish, scenario = BeliefWish(0.5, 0.7), Scenario(releases=1, mechanism="gaussian", delta=0.05)
    found = band(wish, scenario)
    told = words.promise_of(wish, found, scenario).replace("\u00a0", " ")
    (rare,) = re.findall(r"sure \(more in ([\d.]+) % of releases\)$", told)
    assert found.rare <= float(rare) / 100 < 1.01 * found.rare


def test_a_number_too_near_the_edge_stands_beside_its_band():
    _, figure = picture((BeliefWish(0.5, 0.505),))
    (text,) = (each for each in figure.data if each.mode == "text")
    assert (text.textposition, text.textfont.color) == ("middle right", figures.theme.LIGHT["text"])


def test_the_axis_holds_a_level_far_from_all_others():
    for epsilon0 in (1e-8, 700.0):
        _, figure = picture(MET, epsilon0)
        low, high = figure.layout.xaxis.range
        assert low < math.log10(epsilon0) < high


@pytest.mark.parametrize("place", [0.012, 0.29, 0.34, 0.5, 2.0])
def test_the_line_of_the_present_level_runs_through_no_number(place):
    _, figure = picture((ErrorWish(10.0), BeliefWish(0.5, 0.505), BeliefWish(0.6, 0.5)), place)
    line = next(np.array(each.y) for each in figure.data if each.name == "")
    low, high = figure.layout.xaxis.range
    for text in (each for each in figure.data if each.mode == "text"):
        way = (math.log10(text.x[0]) - low) / (high - low)
        start, end = {"right": (0, 0.24), "left": (-0.24, 0), "center": (-0.24, 0.24)}[text.textposition.split()[1]]
        if way + start <= (math.log10(place) - low) / (high - low) <= way + end:
            row = text.y[0]
            assert not [a for a, b in itertools.pairwise(line) if min(a, b) < row < max(a, b)]


def test_the_table_has_every_wish_and_every_deployment():
    wishes = (*MET, MoneyWish(100_000.0))
    table = figures.decision_table(decide(wishes, Scenario()), deployments=deployments(), delta=1e-5, currency="EUR")
    assert table["standing"].tolist() == ["proven", "proven", "by your model"] + ["reported"] * 35
    assert table["what"][2] == "budget: 100,000\u00a0EUR"


@pytest.mark.parametrize(("share", "told"), [(0.0, 0), (1e-9, 1), (0.303, 30), (0.999, 99), (1.0, 100)])
def test_none_and_all_of_100_are_told_only_where_it_is_certain(share, told):
    assert figures.of_100(share) == told


def test_the_squares_of_both_blocks_are_200(trace, coordinates):
    figure = drawn.odds(odds(Scenario(epsilon0=2.0)), epsilon0=2.0)
    squares = [np.isnan(coordinates(trace(figure, name))[0]).sum() for name in ("points to you", "does not")]
    assert squares[0] + squares[1] == 200
    assert squares[0] == 100  # what is likelier in one world is as much less likely in the other


# --- precedents ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fields", [{}, {"epsilon0": 3.0, "releases": 12}, {"delta": 0.5}])
def test_deployments_rise_and_the_total_stands_among_them(trace, coordinates, fields):
    found = total(Scenario(**fields))
    figure = drawn.precedents(found, deployments=deployments())
    low, _ = (10.0**each for each in figure.layout.xaxis.range)
    x, y = coordinates(trace(figure, "reported by a deployment"))
    levels = sorted(each.level(found.delta) for each in deployments())
    assert x.tolist() == pytest.approx([max(each, low) for each in levels])
    assert y.tolist() == list(range(1, 36))
    mark = trace(figure, "your releases together")
    assert mark.x[0] == pytest.approx(max(found.epsilon, low))
    assert (mark.textposition == "middle right") is (found.epsilon < 0.7)
    assert float(mark.text[0].removeprefix("your total ε ≤ ")) >= found.epsilon


@pytest.mark.parametrize("fields", [{"epsilon0": 1e-8}, {"epsilon0": 700.0, "releases": 1_000_000}])
def test_the_axis_holds_a_total_far_from_all_deployments(trace, fields):
    found = total(Scenario(**fields))
    figure = drawn.precedents(found, deployments=deployments())
    low, high = (10.0**each for each in figure.layout.xaxis.range)
    assert trace(figure, "your releases together").x[0] == pytest.approx(max(found.epsilon, low))
    assert low <= 0.01 < 50.0 <= high
    assert found.epsilon < high


def test_a_rho_that_comes_to_nothing_has_a_place_on_the_axis_of_the_decision(trace, coordinates):
    figure = drawn.decision(decide(MET, Scenario()), epsilon0=0.5, deployments=deployments(), delta=0.5, currency="EUR")
    assert min(each.level(0.5) for each in deployments()) == 0.0
    assert coordinates(trace(figure, "reported by a deployment"))[0].min() == pytest.approx(
        10.0 ** figure.layout.xaxis.range[0]
    )


def test_the_table_of_precedents_holds_the_total_and_every_deployment():
    found = total(Scenario(delta=1e-9))
    table = figures.precedents_table(found, deployments=deployments())
    assert table["epsilon at your delta"].tolist() == [found.epsilon, *(each.level(1e-9) for each in deployments())]
    assert table["standing"].tolist() == ["proven", *["reported"] * 35]
