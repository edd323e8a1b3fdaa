"""A plan: its releases and a scenario, what they spend together, its address, and who gets how much of epsilon0."""

import itertools
import math
import random
from dataclasses import fields, replace

import numpy as np
import pytest

from par_core.composition import compose, composed, dominating_pairs
from par_core.decision.duties import total
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import MODEL, PROVEN
from par_core.mechanisms import MECHANISMS, DiscreteLaplace, Laplace
from par_core.plan import (
    LARGEST_PLAN,
    Plan,
    Release,
    from_address,
    in_address,
    share_by_weights,
    share_by_wishes,
    totals,
)
from par_core.queries.quantile_shape import QuantileShape
from par_core.queries.shapes import CountsShape, MeanShape, NumbersShape, SumShape
from par_core.scenario import FIELDS, Neighbours, Scenario

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
COUNTS = Release(CountsShape(12), rows_per_person=3, mechanism="discrete-laplace", times=12)
MEAN = Release(MeanShape(upper=110.0), rows_per_person=3, size=9277, times=12)
SUM = Release(SumShape(lower=-5.0, upper=50.0), times=4)
GAUSSIAN = tuple(
    replace(each, mechanism="gaussian", weight=float(weight)) for weight, each in enumerate([COUNTS, SUM], start=1)
)


def some_scenario(rng):
    given = {}
    for each in FIELDS:
        if each.name in ("neighbours", "mechanism", "currency"):
            continue
        low, high = max(each.at_least, 1e-6), min(each.at_most, 1e5)
        value = math.exp(rng.uniform(math.log(low), math.log(high)))
        given[each.name] = round(value) or 1 if type(getattr(Scenario, each.name)) is int else value
    return Scenario(**given, neighbours=rng.choice(list(Neighbours)), mechanism=rng.choice(list(MECHANISMS)))


def test_the_plan_of_a_scenario_gives_it_back_and_spends_as_much():
    rng, asked = random.Random(33), 0
    for _ in range(1_000):
        scenario = some_scenario(rng)
        plan = Plan.of(scenario)
        assert plan.scenario(base=scenario) == scenario
        if scenario.mechanism in ("laplace", "gaussian"):
            assert plan.error(0) == pytest.approx(scenario.release.error_quantile(0.95), rel=1e-9)
        if scenario.statistics * scenario.releases < 200 and scenario.epsilon0 < 20 and asked < 20:
            try:
                expected = total(scenario).epsilon
            except (ParameterError, InfeasibleError):
                continue
            assert plan.together.epsilon(plan.delta) == pytest.approx(expected, rel=1e-12)
            asked += 1
    assert asked == 20


# The ends of dp-accounting 0.7 for the same mechanisms, optimistic and pessimistic, at a discretisation of 1e-5.
TOTALS = {
    "counts of 12 cells": (Plan((replace(COUNTS, rows_per_person=1),), 0.5, REPLACE, 1e-6), 5.467457229, 5.467697229),
    "counts, a mean and a sum": (
        Plan((COUNTS, replace(MEAN, weight=2.0), SUM), 0.4, ADD, 1e-6),
        2.734552013,
        2.734559745,
    ),
    "with Gaussian noise": (
        Plan(
            (
                GAUSSIAN[0],
                replace(GAUSSIAN[1], shape=SumShape(upper=100.0)),
                replace(COUNTS, shape=CountsShape(4), rows_per_person=1),
            ),
            0.6,
            REPLACE,
            1e-6,
        ),
        2.040596760,
        2.040916761,
    ),
}


@pytest.mark.parametrize("name", TOTALS)
def test_a_plan_spends_what_dp_accounting_finds(name):
    plan, optimistic, pessimistic = TOTALS[name]
    assert optimistic <= plan.together.epsilon(plan.delta) <= pessimistic + 2e-5
    assert optimistic <= totals(replace(plan)).epsilon <= pessimistic + 2e-5


def test_totals_of_releases_with_gaussian_noise_come_from_a_part_of_the_points(monkeypatch):
    asked = []

    def law_of(*arguments, points, **options):
        asked.append(points)
        return dominating_pairs.law_of(*arguments, points=points, **options)

    monkeypatch.setattr(composed, "law_of", law_of)
    plan = Plan((COUNTS, MEAN, replace(GAUSSIAN[1], times=12)), 0.5, ADD, 1e-6)
    found = totals(plan).epsilon
    assert (smaller := max(asked)) <= dominating_pairs.POINTS / 4
    assert found == pytest.approx(plan.together.epsilon(1e-6), abs=2e-6)
    assert max(asked) == dominating_pairs.POINTS
    # So large a loss is rounded more.
    asked.clear()
    large = Plan(plan.releases, 20.0, ADD, 1e-6)
    assert totals(large).epsilon == pytest.approx(large.together.epsilon(1e-6), abs=2e-5)
    assert asked[0] > smaller


def test_counts_are_hidden_by_two_cells_at_half_the_level():
    plan = Plan((Release(CountsShape(12), times=12),), 0.5, REPLACE, 1e-6)
    together = plan.together.epsilon(1e-6)
    assert together == compose(DiscreteLaplace.for_epsilon(0.25, sensitivity=1), 24).epsilon(1e-6)
    # As one number that moves by 2: what was said of it before.
    assert together < 5.47 < 5.99 < compose(DiscreteLaplace.for_epsilon(0.5, sensitivity=2), 12).epsilon(1e-6)


@pytest.mark.parametrize("kind", [Laplace, DiscreteLaplace])
def test_of_two_moves_the_more_unequal_pair_loses_more(kind):
    """The lemma of `par_core.queries.shapes` at 30 levels, for all pairs of moves that add up to 8 steps."""
    levels = np.linspace(0.0, 3.9, 30)
    one = 0.5  # level for each step

    def delta(first, second):
        moved = [kind.for_epsilon(one * each, sensitivity=each) for each in (first, second) if each]
        together = compose(moved)
        return together.lower.delta(levels), together.delta(levels)

    found = [delta(8 - less, less) for less in range(5)]
    for (_, unequal), (equal, _) in itertools.pairwise(found):
        assert (equal <= unequal * (1 + 1e-9)).all()
        assert (equal < unequal * 0.999).any()


def test_noise_in_l2_is_one_release_together():
    plan = Plan(GAUSSIAN, 1.0, ADD, 1e-6)
    moved = [
        (each.parts(ADD)[0].moves("L2") / float(noise.scale)) ** 2
        for at, each in enumerate(GAUSSIAN)
        for noise in plan.noises(at)
    ]
    joint = Scenario(epsilon0=1.0, mechanism="gaussian", delta=1e-6).release
    assert sum(moved) == pytest.approx((joint.sensitivity / joint.scale) ** 2, rel=1e-6)
    assert moved[1] == pytest.approx(2 * moved[0])
    once = Plan(tuple(replace(each, times=1) for each in GAUSSIAN), 1.0, ADD, 1e-6)
    assert once.together.epsilon(1e-6) == pytest.approx(1.0, rel=1e-6)


def test_levels_add_up_to_no_more_than_epsilon0():
    for epsilon0 in (0.1, 0.3, 0.7):
        releases = tuple(replace(COUNTS, weight=weight) for weight in (1.0, 2.0, 0.7))
        assert sum(map(float, Plan(releases, epsilon0).levels)) <= epsilon0


def test_a_release_is_a_scenario_where_one_says_the_same():
    plan = Plan((COUNTS, MEAN, SUM), 0.6, ADD, 1e-6)
    one = plan.scenario(0)
    assert (one.epsilon0, one.k, one.sensitivity, one.rows_per_person, one.releases) == (plan.levels[0], 12, 1.0, 3, 12)
    assert one.release.error_quantile(0.95) == plan.error(0)
    assert plan.scenario(1) is None
    assert plan.scenario(2).sensitivity == 50.0


def test_what_rests_on_as_many_rows_in_place_of_others_is_not_proven():
    alike = {"rows": 100, "rows_per_person": 3}
    for release, neighbours, basis in (
        (Release(MeanShape(), **alike), REPLACE, MODEL),
        (Release(MeanShape(), **alike | {"rows_per_person": 1}), REPLACE, PROVEN),
        (Release(MeanShape(), size=100, **alike), ADD, PROVEN),
        (Release(SumShape(lower=1.0, upper=2.0), **alike), REPLACE, MODEL),
        (Release(SumShape(), **alike), REPLACE, PROVEN),
    ):
        found = totals(Plan((COUNTS, release), neighbours=neighbours))
        assert found.evidence.basis is basis
        assert ("as many rows replace" in found.source) is (basis is MODEL)


# --- its address ---


def some_release(rng):
    shape = rng.choice(
        [
            NumbersShape(rng.randint(1, 99), round(rng.uniform(0.1, 9), rng.randint(1, 15))),
            CountsShape(rng.randint(1, 500), persons=rng.random() < 0.5),
            SumShape(
                rng.choice([1, 12]), lower=-rng.random(), upper=10 ** rng.uniform(-3, 11), chooses=rng.random() < 0.5
            ),
            MeanShape(
                rng.choice([1, 12]), lower=rng.choice([0.0, -1.5]), upper=rng.uniform(1, 2), chooses=rng.random() < 0.5
            ),
            QuantileShape(rng.choice([0.5, round(rng.uniform(0.01, 0.99), 3)]), rng.randint(2, 5_000)),
        ]
    )
    return Release(
        shape,
        rows_per_person=rng.choice([1, 3, 10**6]),
        rows=rng.choice([None, 1, 9277]) or (5 if isinstance(shape, MeanShape) else None),
        size=rng.choice([None, 10**9]),
        statistics=rng.choice([1, 4]),
        mechanism=rng.choice(list(MECHANISMS) if isinstance(shape, NumbersShape) else ["laplace", "gaussian"]),
        weight=rng.choice([1.0, rng.random() + 1e-3]),
        times=rng.choice([1, 12, 365]),
    )


def test_five_thousand_plans_come_back_from_their_addresses():
    rng = random.Random(33)
    for _ in range(5_000):
        releases = tuple(some_release(rng) for _ in range(rng.randint(1, 3)))
        assert from_address(in_address(releases)) == releases


def test_an_address_is_short_and_needs_no_escape():
    line = in_address((COUNTS, MEAN, SUM))
    assert len(line) <= 89
    assert not set(line) - set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "begin with its version"),
        ("3~counts", "begin with its version"),
        ("1", "1 to 60 releases, got 0"),
        ("1" + "~counts" * (LARGEST_PLAN + 1), "got 61"),
        ("1~counts~median", "release 2 of the plan must be one of"),
        ("1~counts_r3_r4", "release 1 of the plan holds 'r4'"),
        ("1~counts_l5", "'l5', which is unknown"),
        ("1~counts_12_x", "'x', which is unknown"),
        ("1~counts_", "'', which is unknown"),
        ("1~counts_r1e999", "'r1e999'"),
        ("1~counts_r1.5", "rows_per_person must be"),
        ("1~counts_mR", "mechanism must be noise"),
        ("1~counts_mX", "'mX'"),
        ("1~mean_l5_u4", "lower must be below upper"),
        ("1~counts_t0", "times must be"),
        ("1~counts_w-1", "weight must be"),
    ],
)
def test_what_is_no_plan_is_named(text, said):
    with pytest.raises(ParameterError, match=said):
        from_address(text)


def test_a_plan_refuses_what_no_release_can_be_made_of():
    for given, said in (
        ({"releases": ()}, "releases"),
        ({"releases": (Release(MeanShape()),)}, "rows must be given"),
        ({"releases": (COUNTS,), "epsilon0": 0.0}, "epsilon0"),
        ({"releases": (COUNTS,), "budget": 0.0}, "budget"),
        ({"releases": (COUNTS,), "delta": 1.0}, "delta"),
    ):
        with pytest.raises(ParameterError, match=said):
            Plan(**given)
    assert {each.name for each in fields(Plan)} == {"releases", "epsilon0", "neighbours", "delta", "budget"}


# --- who gets how much ---


def test_every_wish_is_missed_by_the_same_factor():
    plan, wishes = Plan((MEAN, SUM, replace(SUM, statistics=2)), 1.0, ADD, 1e-6), (0.5, 300.0, 900.0)
    found = share_by_wishes(plan, wishes)
    factors = [found.plan.error(at) / wish for at, wish in enumerate(wishes)]
    assert factors == pytest.approx([found.factor] * 3, rel=1e-5)
    met = replace(found.plan, epsilon0=found.epsilon0)
    again = share_by_wishes(met, wishes)
    assert again.factor == pytest.approx(1.0, rel=1e-5)


def test_what_exceeds_an_error_is_what_a_search_for_the_error_finds():
    rng = random.Random(33)
    for release in (COUNTS, MEAN, SUM, *GAUSSIAN, replace(MEAN, mechanism="gaussian")):
        for _ in range(20):
            noises = release.noises(10 ** rng.uniform(-2, 1), neighbours=ADD, delta=1e-6)
            share = rng.choice([0.5, 0.95, 0.999])
            error = release.error(noises, share)
            assert release.excess(noises, error * (1 + 1e-9), share) <= 0.0
            assert error == 0.0 or release.excess(noises, error * (1 - 1e-6), share) > 0.0


def test_noise_in_l2_shares_as_well():
    plan, wishes = Plan((*GAUSSIAN, SUM), 1.0, ADD, 1e-6), (30.0, 100.0, 300.0)
    found = share_by_wishes(plan, wishes)
    factors = [found.plan.error(at) / wish for at, wish in enumerate(wishes)]
    assert factors == pytest.approx([found.factor] * 3, rel=1e-5)


def test_no_other_share_has_a_smaller_weighted_error():
    plan, weights = Plan((SUM, replace(SUM, shape=SumShape(upper=900.0)), GAUSSIAN[0]), 1.0, ADD, 1e-6), (1.0, 0.1, 4.0)

    def weighted(asked):
        return sum(each * asked.error(at) for at, each in enumerate(weights))

    found = share_by_weights(plan, weights)
    least = weighted(found)
    rng = np.random.default_rng(33)
    for moved in np.exp(rng.normal(0.0, 0.1, (50, 3))):
        near = zip(found.releases, moved, strict=True)
        assert (
            weighted(replace(found, releases=tuple(replace(r, weight=r.weight * m) for r, m in near)))
            >= least * 0.99999
        )
    assert least < 0.95 * weighted(plan)


def test_wishes_that_fit_no_plan_are_refused():
    with pytest.raises(ParameterError, match="one for each of 2 releases"):
        share_by_wishes(Plan((COUNTS, SUM)), (1.0,))
    with pytest.raises(ParameterError, match="size must be given"):
        share_by_wishes(Plan((replace(MEAN, size=None), SUM), neighbours=ADD), (1.0, 1.0))
