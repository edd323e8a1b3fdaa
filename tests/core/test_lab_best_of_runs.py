"""The best of several runs: no run of that level has a worse best, some come as close as one likes, and a simulation agrees."""

import itertools
import math

import numpy as np
import pytest
from scipy import special

from par_core.lab.best_of_runs import MOST_RUNS, best_of, best_of_fixed, best_of_random
from par_core.mechanisms import Laplace, RandomisedResponse

LEVELS = (0.01, 0.5, 2.0, 8.0)


def geometric(mean):
    """The chance that the best of a geometric number of runs lies where one run does with this chance."""
    return lambda chance: chance / (mean - (mean - 1.0) * chance)


def loss(one, other, generated):
    """The largest loss in both directions of the best result, of two laws over rising results."""
    best = [np.diff(generated(np.minimum(np.cumsum(np.append(0.0, each)), 1.0))) for each in (one, other)]
    return float(np.abs(np.log(best[0] / best[1])).max())


def worst_triple(level):
    """Two laws of that level over a bad, a rare and a good result; the rare one is all but at the worst place."""
    rare = 1e-4 * math.exp(-2 * level)
    truth = math.exp(level) / (1 + math.exp(level))
    bad = truth - 1.01 * rare * math.exp(level)
    one, other = np.array([bad, rare * math.exp(level), 0.0]), np.array([bad * math.exp(-level), rare, 0.0])
    one[2], other[2] = 1 - one[:2].sum(), 1 - other[:2].sum()
    assert np.abs(np.log(one / other)).max() <= level * (1 + 1e-9)
    return one, other


@pytest.mark.parametrize("runs", [1, 2, 4])
def test_every_sequence_of_runs_counted_gives_the_best_s_law(runs):
    one = np.array([0.5, 0.3, 0.2])
    best = np.zeros(3)
    for each in itertools.product(range(3), repeat=runs):
        best[max(each)] += one[list(each)].prod()
    np.testing.assert_allclose(np.diff(np.append(0.0, one.cumsum()) ** runs), best, atol=1e-15)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("runs", [1, 2, 3, 10, 100])
def test_randomised_response_reaches_the_level_of_a_fixed_number_and_laplace_noise_comes_to_it(level, runs):
    truth, other = RandomisedResponse(level).truth, RandomisedResponse(level).other
    assert runs * math.log(truth / other) == pytest.approx(best_of_fixed(level, runs), rel=1e-12)
    # Far below the answer the density of the largest is k·F^(k - 1)·density, with F and the density both a part of e^(off·ε).
    noise, off = Laplace(level), -60.0 / level
    ratio = [runs * float(noise.log_density(each)) - (runs - 1) * math.log(level) for each in (off, off - 1.0)]
    assert ratio[0] - ratio[1] == pytest.approx(best_of_fixed(level, runs), rel=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mean", [1.0, 1.5, 3.0, 10.0, 1000.0])
def test_no_laws_of_that_level_have_a_worse_best_and_some_come_close(level, mean):
    most = best_of_random(level, mean)
    rng = np.random.default_rng(5)
    for _ in range(300):
        other = rng.dirichlet(np.full(4, 0.4)) + 1e-12
        one = other * np.exp(rng.choice([-1.0, 1.0], 4) * level * rng.random(4))
        one, other = one / one.sum(), other / other.sum()
        used = float(np.abs(np.log(one / other)).max())
        assert (
            loss(one, other, geometric(mean)) <= best_of_random(used, mean) + 1e-4
        )  # the differences of small chances
        assert loss(one, other, lambda chance: chance**3) <= best_of_fixed(used, 3) + 1e-4
    assert most - 1e-3 < loss(*worst_triple(level), geometric(mean)) <= most + 1e-3


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mean", [1.5, 10.0])
def test_of_all_places_of_a_rare_result_none_is_worse(level, mean):
    below = special.expit(np.linspace(-30.0, 30.0, 100_001))
    most = np.minimum(math.exp(level) * below, 1 - math.exp(-level) * (1 - below))
    slope = [-2 * np.log(mean - (mean - 1) * each) for each in (most, below)]
    found = float((level + slope[0] - slope[1]).max())
    assert found == pytest.approx(best_of_random(level, mean), abs=1e-3)
    assert found <= best_of_random(level, mean) + 1e-9


def test_a_simulation_sees_the_best_of_ten_leak_more_than_one_run():
    """All of ten runs bad: 500,000 tables of each kind, false alarm once in 10^6 (5 standard deviations)."""
    found, tables, rng = best_of(0.5, 10), 500_000, np.random.default_rng(3)
    counts = []
    for chance, one_in in (
        (RandomisedResponse(0.5).truth, found.one_in),
        (RandomisedResponse(0.5).other, found.one_in_without),
    ):
        seen = int((rng.random((tables, 10)) < chance).all(axis=1).sum())
        expected = tables / one_in
        assert abs(seen - expected) < 5 * math.sqrt(expected)
        counts.append(seen)
    assert math.log(counts[0] / counts[1]) > 3.0  # where one run loses 0.5


def test_the_random_number_costs_one_run_at_least_and_three_at_most():
    found = best_of(0.5, 1)
    assert found.fixed == found.random == 0.5
    for level in (1e-6, 0.5, 50.0):
        found = best_of(level, MOST_RUNS)
        assert (np.diff(found.levels_random) > 0).all()
        assert (found.levels_random < found.most).all()
        assert (found.levels_random[1:] < found.levels_fixed[1:]).all()
    assert best_of_random(0.5, 1e12) == pytest.approx(1.5, rel=1e-9)
    assert best_of_random(700.0, 1.0) == 700.0
