"""What wishes ask of epsilon0: their ends meet them and a little further miss them, and where all hold is what a grid says."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats

from par_core.cost import CostModel
from par_core.decision import (
    LARGEST,
    SMALLEST,
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
)
from par_core.errors import ParameterError
from par_core.mechanisms import MECHANISMS, NOISES, strongest_belief
from par_core.risk.attacks import lost
from par_core.scenario import Scenario
from par_core.standing import MODEL, PROVEN

FURTHER = 1e-5


def at(scenario, level):
    return replace(scenario, epsilon0=level)


def meets(wish, scenario, level):
    return wish.reached(at(scenario, level)) <= wish.number


def wish_by(rng, mechanism):
    prior = rng.uniform(0.02, 0.9)
    more = prior + (0.98 - prior) * rng.uniform(0.02, 1.0)
    asked = [
        BeliefWish(prior, more),
        RiseWish(rng.uniform(0.005, 0.9)),
        AttackWish(prior, more),
        BaselineWish(prior, more),
        AdvantageWish(rng.uniform(0.005, 0.95)),
        MoneyWish(float(rng.uniform(1e3, 5.4e5)), [None, 0.3][rng.integers(2)]),
        ReleasesWish(float(np.exp(rng.uniform(-4, 3))), [None, 1e-9][rng.integers(2)]),
        ErrorWish(float(np.exp(rng.uniform(-1, 6))), rng.uniform(0.5, 0.99)),
        GroupWish(int(np.exp(rng.uniform(0, 8))) + 1, rng.uniform(0.02, 0.5)),
    ]
    return asked[rng.integers(len(asked) if mechanism in NOISES else len(asked) - 2)]


@pytest.mark.slow
def test_each_end_meets_its_wish_and_a_little_further_misses_it():
    rng, kinds, inside = np.random.default_rng(16), list(MECHANISMS), 0
    for case in range(2_000):
        mechanism = str(rng.choice(kinds, p=[0.25, 0.25, 0.05, 0.25, 0.2]))
        releases = int(rng.integers(2, 53)) if case % 40 == 0 else 1
        statistics, rows = int(rng.integers(1, 4)), int(rng.integers(1, 3))
        scenario = Scenario(mechanism=mechanism, releases=releases, statistics=statistics, rows_per_person=rows)
        wish = wish_by(rng, mechanism)
        found = band(wish, scenario)
        if not found.possible:
            assert not meets(wish, scenario, SMALLEST if wish.upper else LARGEST)
            continue
        end = found.high if wish.upper else found.low
        assert meets(wish, scenario, end), (wish, scenario)
        assert found.at_limit == (end == (LARGEST if wish.upper else SMALLEST))
        if not found.at_limit:
            further = end * (1 + FURTHER if wish.upper else 1 - FURTHER)
            assert not meets(wish, scenario, further), (wish, scenario, end)
            inside += 1
    assert inside > 1_700


def test_closed_forms():
    one, three = Scenario(releases=1), Scenario(releases=3)
    assert band(AdvantageWish(0.2), one).high == pytest.approx(-2 * math.log(0.8), rel=1e-5)
    assert band(BeliefWish(0.1, 0.3), three).high == pytest.approx(math.log(0.3 / 0.7 * 9) / 3, rel=1e-12)
    assert band(RiseWish(0.1), three).high == pytest.approx(4 * math.atanh(0.1) / 3, rel=1e-12)
    assert band(ErrorWish(6.0), one).low == pytest.approx(math.log(20) / 6, rel=1e-5)
    assert band(AttackWish(0.01, 0.02), one).high == pytest.approx(math.log(2), rel=1e-5)
    assert band(ReleasesWish(3.0), replace(one, mechanism="gaussian")).high == pytest.approx(3.0, rel=1e-5)


@pytest.mark.parametrize("mechanism", [each for each in MECHANISMS if each != "gaussian"])
def test_the_rise_is_the_wish_at_the_binding_prior_and_less_elsewhere(mechanism):
    scenario = Scenario(mechanism=mechanism, releases=4)
    found = band(RiseWish(0.15), scenario)
    loss = lost(at(scenario, found.high), 4).largest_loss
    prior = np.linspace(0.0, 1.0, 1001)
    assert found.note == {"prior": found.prior}
    assert strongest_belief(found.prior, loss) - found.prior == pytest.approx(0.15, abs=1e-14)
    assert (strongest_belief(prior, loss) - prior).max() <= 0.15 + 1e-14


def test_without_a_largest_loss_the_belief_is_the_one_that_goes_with_delta_and_the_band_says_how_rare_more_is():
    scenario = Scenario(mechanism="gaussian", releases=5, delta=1e-6)
    found = band(BeliefWish(0.2, 0.4), scenario)
    loss = lost(at(scenario, found.high), 5)
    level = math.log(0.4 / 0.6 * 4)
    assert loss.epsilon(1e-6) == pytest.approx(level, rel=1e-5)
    assert found.rare == pytest.approx(loss.loss_exceeds(level, two_sided=False), rel=1e-3)
    assert "1e-06" in found.limits
    assert "1e-06" not in band(AdvantageWish(0.4), scenario).limits


def test_a_breach_costs_what_equation_9_says_with_the_exact_confidence():
    for level in (0.05, 0.5, 2.0, 8.0):
        scenario = Scenario(epsilon0=level, releases=1)
        model = CostModel(scenario.compensation, stakeholders=scenario.stakeholders)
        paid = model.optimum(level, truth="exact").budget
        assert paid <= MoneyWish(1.0).reached(scenario) <= paid * (1 + 1e-4)
    found = band(MoneyWish(60_000), Scenario())
    assert found.standing is MODEL
    assert "not an expected cost" in found.limits
    assert band(MoneyWish(60_000), replace(Scenario(), compensation=0)).at_limit


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("releases", [1, 3])
def test_a_breach_costs_no_less_with_a_higher_level(mechanism, releases):
    levels = np.geomspace(1e-3, 40.0, 40)
    paid = [MoneyWish(1.0).reached(Scenario(float(each), mechanism=mechanism, releases=releases)) for each in levels]
    assert (np.diff(paid) >= -1e-9 * np.array(paid[1:])).all()


@pytest.mark.parametrize("mechanism", sorted(set(MECHANISMS) - set(NOISES)))
@pytest.mark.parametrize("wish", [ErrorWish(3.0), GroupWish(30)])
def test_what_adds_no_noise_to_a_number_has_no_wish_about_it(mechanism, wish):
    with pytest.raises(ParameterError, match="must be one that adds noise to a number"):
        band(wish, Scenario(mechanism=mechanism))


def test_counts_have_the_noise_that_is_drawn_for_them():
    scenario = Scenario(mechanism="laplace", epsilon0=0.5)
    assert GroupWish(30).reached(scenario) == pytest.approx(60.0)  # 95 of 100 are off by 6 at most
    assert GroupWish(30).reached(replace(scenario, sensitivity=1.5)) == pytest.approx(1.5 * math.log(20) / 0.5 / 0.1)


def test_the_number_of_a_wish_is_what_it_allows():
    wishes = (
        AttackWish(0.1, 0.3),
        BaselineWish(0.1, 0.3),
        GroupWish(30),
        MoneyWish(5.0),
        ReleasesWish(2.0),
        RiseWish(0.2),
    )
    assert [each.number for each in wishes] == [wishes[0].true_positive, 0.3, 30, 5.0, 2.0, 0.2]


def test_what_no_level_meets_is_not_possible():
    for wish in (BeliefWish(0.6, 0.51), AttackWish(0.3, 0.2), BaselineWish(0.2, 0.2), MoneyWish(1e-300, 100.0)):
        for mechanism in ("laplace", "gaussian"):
            found = band(wish, Scenario(mechanism=mechanism, releases=2))
            if found.possible:  # a breach costs next to nothing at tiny levels
                assert isinstance(wish, MoneyWish)
            else:
                assert (found.low, found.high) == (0.0, 0.0)
    assert band(ErrorWish(1e-9), Scenario()).low == math.inf


# --- where all hold ----------------------------------------------------------------------------------------------

KINDS = ("laplace", "gaussian", "randomised-response")


@cache
def pool(mechanism):
    """Wishes of many kinds, a grid of levels with every end on it, and which level meets which wish."""
    rng, scenario = np.random.default_rng(9), Scenario(mechanism=mechanism, releases=1, delta=1e-4)
    wishes = [wish_by(rng, mechanism) for _ in range(28)] + [BeliefWish(0.5, 0.4), RiseWish(1.0)]
    ends = [each for wish in wishes for each in (band(wish, scenario).low, band(wish, scenario).high)]
    grid = np.union1d(np.geomspace(SMALLEST, LARGEST, 60), [each for each in ends if SMALLEST <= each <= LARGEST])
    return scenario, wishes, grid, np.array([[meets(wish, scenario, float(each)) for each in grid] for wish in wishes])


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", KINDS)
def test_where_all_hold_is_where_a_grid_says(mechanism):
    scenario, wishes, grid, met = pool(mechanism)
    rng, collided, held = np.random.default_rng(3), 0, 0
    for _ in range(500):
        chosen = rng.choice(len(wishes), size=rng.integers(1, 5), replace=False)
        asked = [wishes[each] for each in chosen]
        found, all_met = decide(asked, scenario), met[chosen].all(axis=0)
        assert found.possible == all_met.any()
        assert ((found.low <= grid) & (grid <= found.high) & found.possible).tolist() == all_met.tolist()
        held += found.possible
        alone = [row.any() for row in met[chosen]]
        assert (found.collision is not None) == (not found.possible and all(alone))
        if found.collision is not None:
            collided += 1
            first = next(each for each in asked if band(each, scenario).low == found.low)
            second = next(each for each in asked if band(each, scenario).high == found.high)
            assert (first.key, second.key) == (found.collision.first_key, found.collision.second_key)
            assert found.collision.first_would == first.reached(at(scenario, found.high)) > first.number
            assert found.collision.second_would == second.reached(at(scenario, found.low)) > second.number
    assert held > 100
    assert (collided > 50) == (mechanism in NOISES)


def test_a_collision_says_each_number_in_the_kind_of_its_wish():
    found = decide([MoneyWish(5_000), ErrorWish(6.0), AdvantageWish(0.9)], Scenario())
    assert (found.collision.first_key, found.collision.second_key) == ("error", "money")
    first, second = (found.collision.quantity(each) for each in ("first_would", "second_would"))
    assert (first.kind, second.kind, first.toward, second.standing) == ("error", "money", "up", MODEL)
    assert found.standing is MODEL


def test_without_wishes_every_level_will_do():
    found = decide([], Scenario())
    assert (found.low, found.high, found.possible, found.collision) == (0.0, math.inf, True, None)
    assert found.standing is PROVEN
    with pytest.raises(ParameterError, match="wishes must be wishes"):
        decide([0.5], Scenario())


# --- odds --------------------------------------------------------------------------------------------------------


def test_odds_are_those_of_the_best_guess():
    found = odds(Scenario(epsilon0=1.0))
    assert (found.if_in, found.if_out) == (pytest.approx(1 - math.exp(-0.5) / 2), pytest.approx(math.exp(-0.5) / 2))
    noise = Scenario(epsilon0=1.0, mechanism="gaussian").release
    assert odds(Scenario(epsilon0=1.0, mechanism="gaussian"), releases=4).if_in == pytest.approx(
        stats.norm.cdf(math.sqrt(4) * noise.mu / 2)
    )
    truths = stats.binom(2, 1 / (1 + math.exp(-1.0)))  # of two answers: both true, or one and a coin
    assert odds(Scenario(epsilon0=1.0, mechanism="randomised-response"), releases=2).if_in == pytest.approx(
        truths.pmf(2) + truths.pmf(1) / 2
    )


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("releases", [1, 3])
def test_odds_add_up_and_differ_by_the_advantage(mechanism, releases):
    scenario = Scenario(epsilon0=0.7, mechanism=mechanism)
    found = odds(scenario, releases=releases)
    assert found.if_in + found.if_out == pytest.approx(1.0)
    assert found.if_in - found.if_out == pytest.approx(lost(scenario, releases).advantage)
