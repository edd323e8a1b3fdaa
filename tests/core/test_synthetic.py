"""Counts without a file: made-up counts add up, noise and ranges are those of a planned count, and inverses hold."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import MECHANISMS, NOISES, drawn
from par_core.queries import CountBy
from par_core.release import epsilon0_for_smallest, plan_release_of, synthetic_counts, within
from par_core.scenario import Neighbours, Scenario

KINDS = [Scenario(mechanism=name, neighbours=each) for name, each in itertools.product(NOISES, Neighbours)]
SCENARIOS = [*KINDS, *(replace(each, rows_per_person=3) for each in KINDS)]


def noise_of(found):
    return found.planned.error.noise


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 10**9), st.integers(1, 10_000))
def test_the_made_up_counts_fall_and_add_up_to_the_rows(rows, cells):
    counts = synthetic_counts(rows, cells, Scenario()).counts
    assert counts.shape == (cells,)
    assert counts.sum() == rows
    assert counts.min() >= 0
    assert (np.diff(counts) <= 0).all()


@pytest.mark.parametrize("cells", [2, 12, 300])
def test_they_are_as_large_as_the_pieces_of_a_broken_stick(cells):
    """No piece is off by more than 6 standard errors of 20,000 sticks: wrong for one seed in 10^6."""
    sticks = np.random.default_rng(5).dirichlet(np.ones(cells), size=20_000)
    pieces = np.sort(sticks)[:, ::-1] * 10**9
    errors = 6 * pieces.std(axis=0) / math.sqrt(len(pieces)) + 1
    assert (np.abs(synthetic_counts(10**9, cells, Scenario()).counts - pieces.mean(axis=0)) < errors).all()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_the_ranges_are_those_of_a_planned_count_by_category(scenario):
    planned = plan_release_of(CountBy(("education",), (tuple(range(12)),)), scenario)
    found = synthetic_counts(1000, 12, scenario)
    ranges = within(planned)
    assert (found.each, found.every) == (ranges.each, ranges.every)
    assert found.planned.parts[0].error == planned.parts[0].error


@pytest.mark.parametrize("cells", [1, 2])
@pytest.mark.parametrize("scenario", KINDS, ids=str)
def test_a_person_moves_two_cells_only_where_there_are_two_and_records_are_replaced(scenario, cells):
    """In L1 by 2 and in L2 by the root of it; a single count moves by 1."""
    replaced = scenario.neighbours is Neighbours.REPLACE_ONE and cells > 1
    moves = {"L1": 2.0, "L2": math.sqrt(2)}[NOISES[scenario.mechanism].norm] if replaced else 1.0
    alone = drawn(whole=True, mechanism=scenario.mechanism)
    alone = alone.for_epsilon(scenario.epsilon0, sensitivity=moves, delta=scenario.delta)
    assert noise_of(synthetic_counts(50, cells, scenario)).scale == pytest.approx(alone.scale, rel=2e-7)


@pytest.mark.parametrize("name", NOISES)
def test_statistics_share_the_release_as_in_a_plan(name):
    one, four = (synthetic_counts(50, 3, Scenario(mechanism=name, statistics=each)) for each in (1, 4))
    times = 4 if NOISES[name].norm == "L1" else 2
    assert noise_of(four).scale == pytest.approx(times * noise_of(one).scale)


@pytest.mark.parametrize("scenario", KINDS, ids=str)
def test_the_ranges_hold_in_95_of_100_releases(scenario):
    """1,000 seeds: 4.2 standard errors, wrong for one choice of seeds in 10^4. Whole ranges hold a little more often."""
    drawings = [synthetic_counts(900, 10, scenario, seed=seed) for seed in range(1_000)]
    off = np.abs([each.noisy - each.counts for each in drawings])
    noise, first = noise_of(drawings[0]), drawings[0]
    shares = {1 - noise.exceeds(first.each): (off[:, 3] <= first.each).mean()}
    shares[(1 - noise.exceeds(first.every)) ** 10] = (off.max(axis=1) <= first.every).mean()
    for expected, seen in shares.items():
        assert expected >= 0.95 - 1e-12
        assert seen == pytest.approx(expected, abs=0.029)


@pytest.mark.parametrize("scenario", KINDS, ids=str)
def test_the_same_seed_draws_the_same_noise_on_the_same_counts(scenario):
    first, again, other = (synthetic_counts(1000, 12, scenario, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.noisy, again.noisy)
    np.testing.assert_array_equal(first.counts, other.counts)
    assert (first.noisy != other.noisy).any()


@settings(deadline=None, derandomize=True)
@given(st.sampled_from(SCENARIOS), st.floats(0.01, 20), st.integers(1, 3000), st.integers(1, 40))
def test_what_is_said_of_small_counts_is_true(scenario, epsilon0, rows, cells):
    found = synthetic_counts(rows, cells, replace(scenario, epsilon0=epsilon0))
    assert found.right_from >= max(10 * found.each, 1)
    assert found.right_from == 1 or (found.right_from - 1) < 10 * found.each
    assert found.like_empty == sum(each <= found.each for each in found.counts)
    assert found.smallest == min(found.counts)
    assert found.relative == (found.each / found.smallest if found.smallest else math.inf)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.sampled_from(SCENARIOS), st.integers(1, 10**6), st.integers(1, 5), st.sampled_from([1, 3]))
def test_the_level_for_the_smallest_cell_is_enough_and_the_next_one_down_is_not(scenario, rows, cells, statistics):
    scenario = replace(scenario, statistics=statistics)
    found = synthetic_counts(rows, cells, scenario)
    try:
        needed = epsilon0_for_smallest(found)
    except InfeasibleError:
        assert found.smallest == 0 or scenario.mechanism == "gaussian"
        return
    step = 10.0 ** (math.floor(math.log10(needed)) - 3)

    def off(epsilon0):
        return 10 * within(found.planned.planned_anew(epsilon0)).each

    assert off(needed) <= found.smallest < off(needed - step)


@pytest.mark.parametrize("name", sorted(MECHANISMS.keys() - NOISES.keys()))
def test_a_mechanism_that_adds_nothing_to_counts_is_refused(name):
    with pytest.raises(ParameterError, match=f"adds noise to a number.*got '{name}'"):
        synthetic_counts(1000, 12, Scenario(mechanism=name))


def test_noise_too_large_to_be_drawn_is_refused():
    with pytest.raises(InfeasibleError, match="too large to be drawn"):
        synthetic_counts(1000, 12, Scenario(epsilon0=1e-8, rows_per_person=10**6, statistics=100))


def test_an_empty_smallest_cell_is_never_right_within_a_tenth():
    with pytest.raises(InfeasibleError, match="is empty"):
        epsilon0_for_smallest(synthetic_counts(5, 12, Scenario()))
