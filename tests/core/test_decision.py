"""What wishes ask of epsilon0: their ends meet them and a little further miss them, and where all hold is what a grid says."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from par_core.cost import CostModel
from par_core.decision import (
    LARGEST,
    SMALLEST,
    AdvantageWish,
    AttackWish,
    BaselineWish,
    BeliefWish,
    Decision,
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
from par_core.evidence import MODEL, PROVEN
from par_core.figures.decision_words import colliding, levels_of, name_of
from par_core.mechanisms import MECHANISMS, NOISES, max_posterior
from par_core.risk.attacks import lost
from par_core.scenario import Scenario

FURTHER = 1e-5


def at(scenario, level):
    return replace(scenario, epsilon0=level)


def meets(wish, scenario, level):
    return wish.reached(at(scenario, level)) <= wish.number


def logs(low, high):
    """Numbers of every size between two."""
    return st.floats(math.log(low), math.log(high)).map(math.exp)


SHARES = st.floats(0.001, 0.999)
RISING = st.tuples(SHARES, SHARES).map(sorted)
WISHES = (
    RISING.map(lambda pair: BeliefWish(*pair)),
    st.builds(RiseWish, SHARES),
    RISING.map(lambda pair: AttackWish(*pair)),
    RISING.map(lambda pair: BaselineWish(*pair)),
    st.builds(AdvantageWish, SHARES),
    st.builds(MoneyWish, logs(1e3, 1e6), st.none() | st.floats(0.1, 3.0)),
    st.builds(ReleasesWish, logs(1e-4, 40.0), st.none() | logs(1e-12, 0.1)),
)
OF_NOISE = (
    st.builds(ErrorWish, logs(0.01, 1e5), SHARES),
    st.builds(GroupWish, logs(1, 1e7).map(round), st.floats(0.01, 1.0), SHARES),
)
# How often every wish is put back in a nightly run, after one release and after several; otherwise a sixteenth of it, but thrice at
# least. Gaussian noise takes ten times as long to make as any other.
TIMES = {"laplace": (355, 5), "discrete-laplace": (335, 7), "gaussian": (28, 5)}
TIMES |= {"randomised-response": (245, 8), "exponential": (238, 5)}


def wishes_about(mechanism):
    return (*WISHES, *OF_NOISE) if mechanism in NOISES else WISHES


def scenarios(mechanism, releases):
    few = st.integers(1, 4)
    return st.builds(
        Scenario,
        mechanism=st.just(mechanism),
        releases=releases,
        sensitivity=st.integers(1, 100) if mechanism == "discrete-laplace" else st.just(1.0) | logs(0.01, 100.0),
        statistics=few,
        rows_per_person=few,
        compensation=logs(100.0, 1e5),
        delta=st.just(1e-5) | logs(1e-12, 0.1),
    )


@pytest.mark.parametrize("part", [pytest.param(1, marks=pytest.mark.nightly), 16])
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_each_end_meets_its_wish_and_a_little_further_misses_it(mechanism, several, part):
    inside, times = [], max(TIMES[mechanism][several] // part, 3)

    @settings(max_examples=times, derandomize=True, deadline=None, database=None)
    @given(scenarios(mechanism, st.integers(2, 52) if several else st.just(1)), st.tuples(*wishes_about(mechanism)))
    def put_back(scenario, wishes):
        for wish in wishes:
            found = band(wish, scenario)
            inside.append(found.possible and not found.at_limit)
            if not found.possible:
                assert not meets(wish, scenario, SMALLEST if wish.upper else LARGEST), wish
                continue
            end = found.high if wish.upper else found.low
            assert meets(wish, scenario, end), wish
            assert found.at_limit == (end == (LARGEST if wish.upper else SMALLEST))
            if not found.at_limit:
                assert not meets(wish, scenario, end * (1 + FURTHER if wish.upper else 1 - FURTHER)), wish

    put_back()
    assert len(inside) >= times * len(wishes_about(mechanism))
    assert sum(inside) > 0.7 * len(inside)


def test_ten_thousand_wishes_are_put_back_each_night():
    assert sum(sum(times) * len(wishes_about(mechanism)) for mechanism, times in TIMES.items()) >= 10_000


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
    assert max_posterior(found.prior, loss) - found.prior == pytest.approx(0.15, abs=1e-14)
    assert (max_posterior(prior, loss) - prior).max() <= 0.15 + 1e-14


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
    assert found.evidence.basis is MODEL
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

# Of each kind of release: how many releases, and how many sets of wishes.
SETS = {
    "laplace": (2, 150),
    "discrete-laplace": (5, 150),
    "gaussian": (3, 100),
    "randomised-response": (8, 50),
    "exponential": (2, 50),
}


def pool(mechanism, releases):
    """Wishes of every kind, a grid of levels with every end on it, and which level meets which wish."""
    rng, scenario = np.random.default_rng(9), Scenario(mechanism=mechanism, releases=releases, delta=1e-4)
    wishes = [RiseWish(1.0)]
    for _ in range(2):
        prior, limit, above = rng.uniform(0.02, [0.9, 0.9, 0.1])
        more = prior + (0.98 - prior) * rng.uniform(0.02, 1.0)
        wishes += [
            BeliefWish(prior, more),
            RiseWish(limit),
            AttackWish(prior, more),
            BaselineWish(more, more + 0.01 * limit),
        ]
        wishes += [AdvantageWish(above), MoneyWish(5.5e5 * limit), ReleasesWish(10 * limit), BeliefWish(more, prior)]
        wishes += (
            [ErrorWish(6 * limit, more), GroupWish(round(1000 * limit), 0.2, prior)] if mechanism in NOISES else []
        )
    ends = [each for wish in wishes for each in (band(wish, scenario).low, band(wish, scenario).high)]
    grid = np.union1d(np.geomspace(SMALLEST, LARGEST, 20), [each for each in ends if SMALLEST <= each <= LARGEST])
    return (
        scenario,
        wishes,
        grid,
        np.array([[meets(wish, scenario, float(each)) for wish in wishes] for each in grid]).T,
    )


@pytest.mark.parametrize("mechanism", SETS)
def test_where_all_hold_is_where_a_grid_says(mechanism):
    releases, sets = SETS[mechanism]
    scenario, wishes, grid, met = pool(mechanism, releases)
    rng, collided, held = np.random.default_rng(3), 0, 0
    for _ in range(sets):
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
            assert (first, second) == (found.collision.first, found.collision.second)
            assert found.collision.first_would == first.reached(at(scenario, found.high)) > first.number
            assert found.collision.second_would == second.reached(at(scenario, found.low)) > second.number
    assert held > sets / 5
    assert (collided > sets / 20) == (mechanism in NOISES)


@pytest.mark.parametrize("releases", [2, 24])
@pytest.mark.parametrize(
    "wishes",
    [
        [ErrorWish(10.0), BeliefWish(0.5, 0.6), ReleasesWish(0.4)],
        [GroupWish(50), ReleasesWish(0.5), ErrorWish(9.0), BeliefWish(0.5, 0.6), AdvantageWish(0.8)],
        [MoneyWish(1_000), GroupWish(900), ErrorWish(2.0), BeliefWish(0.5, 0.55), ReleasesWish(0.3)],
    ],
    ids=len,
)
def test_every_two_that_collide_are_named_and_what_either_side_would_give_makes_all_meet(wishes, releases):
    scenario = Scenario(releases=releases)
    found = decide(wishes, scenario)
    ends = [(wish, band(wish, scenario)) for wish in wishes]
    apart = {(one, other) for one, its in ends for other, their in ends if its.low > their.high}
    assert {(each.first, each.second) for each in found.collisions} == apart
    assert len(found.collisions) == len(apart) > 1
    worst = found.collision
    for given_ in (
        {each.first: each.first_would for each in found.collisions if each.second == worst.second},
        {each.second: each.second_would for each in found.collisions if each.first == worst.first},
    ):
        level = found.high if worst.first in given_ else found.low
        for wish in wishes:
            assert wish.reached(at(scenario, level)) <= given_.get(wish, wish.number) * (1 + 1e-12)
    said = colliding(found)
    assert all(name_of(wish) in said for pair in apart for wish in pair)
    assert said.count("collide") == len(
        {frozenset(other for one, other in apart if one == first) for first, _ in apart}
    )


def test_every_mechanism_has_its_sets_of_wishes():
    assert set(SETS) == set(MECHANISMS)
    assert sum(sets for _, sets in SETS.values()) == 500


def test_a_collision_says_each_number_in_the_kind_of_its_wish():
    found = decide([MoneyWish(5_000), ErrorWish(6.0), AdvantageWish(0.9)], Scenario())
    assert (found.collision.first.key, found.collision.second.key) == ("error", "money")
    first, second = (found.collision.quantity(each) for each in ("first_would", "second_would"))
    assert (first.kind, second.kind, first.toward, second.evidence.basis) == ("error", "money", "up", MODEL)
    assert found.evidence.basis is MODEL


@pytest.mark.parametrize(
    ("low", "high", "only"),
    [(0.299571, 0.299578, 0.299574), (1 / 3, 1 / 3, 1 / 3), (0.2995, 0.2999, None), (0.0, math.inf, None)],
)
def test_a_narrow_decision_has_a_level_of_its_own(low, high, only):
    found = Decision((), (), low, high, True, ())
    assert found.only == only


def test_without_wishes_every_level_will_do():
    found = decide([], Scenario())
    assert (found.low, found.high, found.possible, found.collision) == (0.0, math.inf, True, None)
    assert found.evidence.basis is PROVEN
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


@given(error=st.floats(0.66, 100.0), beyond=st.floats(-0.05, 0.05), end=st.sampled_from(["low", "high"]))
def test_the_levels_that_are_told_hold_another_one_just_where_it_will_do(error, beyond, end):
    found = decide([ErrorWish(error), BeliefWish(0.5, 0.99)], Scenario(releases=1))
    own = float(f"{getattr(found, end) * (1 + beyond):.4g}")
    told = [float(each) for each in re.findall(r"[\d.]+", levels_of(found, beside=own))]
    assert found.only or (told[0] <= own <= told[-1]) == (not found.missed(own))
