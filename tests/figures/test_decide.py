"""The pictures that decide: bands end where wishes do, the decision lies where all overlap, squares are counted."""

import math

import numpy as np
import pytest

from par_core.datasets.deployments import deployments
from par_core.decision import AdvantageWish, BeliefWish, ErrorWish, MoneyWish, decide, odds
from par_core.figures import decide as figures
from par_core.scenario import Scenario
from tests.figures.checked import Checked

drawn = Checked(figures)
MET = (ErrorWish(10.0), BeliefWish(0.5, 0.7))
COLLIDING = (ErrorWish(10.0), BeliefWish(0.5, 0.6), AdvantageWish(0.9))


def picture(wishes, epsilon0=0.5):
    found = decide(wishes, Scenario())
    figure = drawn.decision(found, wishes, epsilon0=epsilon0, deployments=deployments(), delta=1e-5, currency="EUR")
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


def test_hatched_is_what_lies_between_the_two_that_collide(trace, coordinates):
    found, figure = picture(COLLIDING)
    x, _ = coordinates(trace(figure, "misses two of your wishes"))
    assert (x.min(), x.max()) == (found.high, found.low)
    assert not [each for each in figure.data if each.name == "all your wishes are met"]


@pytest.mark.parametrize(("epsilon0", "missed"), [(0.1, ["error"]), (0.35, []), (0.5, ["belief"])])
def test_a_band_that_the_present_level_misses_is_pale(trace, epsilon0, missed):
    found, figure = picture(MET, epsilon0)
    assert figures.missed(found, epsilon0) == missed
    colours = {each: trace(figure, name).fillcolor for each, name in (("error", "Error"), ("belief", "Belief"))}
    assert [each for each, colour in colours.items() if colour == figures.style.LIGHT["grid"]] == missed


def test_a_number_too_near_the_edge_stands_beside_its_band():
    _, figure = picture((BeliefWish(0.5, 0.505),))
    (text,) = (each for each in figure.data if each.mode == "text")
    assert (text.textposition, text.textfont.color) == ("middle right", figures.style.LIGHT["text"])


def test_the_axis_holds_a_level_far_from_all_others():
    for epsilon0 in (1e-8, 700.0):
        _, figure = picture(MET, epsilon0)
        low, high = figure.layout.xaxis.range
        assert low < math.log10(epsilon0) < high


def test_the_table_has_every_wish_and_every_deployment():
    wishes = (*MET, MoneyWish(100_000.0))
    table = figures.decision_table(
        decide(wishes, Scenario()), wishes, deployments=deployments(), delta=1e-5, currency="EUR"
    )
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
