"""Permute and flip: its law by all orders of the candidates, its proven shortfall against the worst utilities, and what it loses.

Simulations have a fixed seed; with another one they fail once in 10^6 times.
"""

import itertools
import math

import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from par_core.composition import compose, exact, optimal_pure
from par_core.errors import ParameterError
from par_core.mechanisms import Exponential, PermuteAndFlip, RandomisedResponse
from tests.core.script_text import draws

dp.enable_features("contrib")
FALSE_ALARM = 1e-6
LEVELS = st.floats(1e-3, 20.0)


def by_all_orders(utilities, epsilon0, sensitivity):
    """As the mechanism is described: each order is as likely, and each candidate is accepted or not."""
    kept = np.exp((utilities - utilities.max()) * epsilon0 / (2 * sensitivity))
    found = np.zeros(len(kept))
    for order in itertools.permutations(range(len(kept))):
        left = 1.0
        for each in order:
            found[each] += left * kept[each]
            left *= 1 - kept[each]
    return found / math.factorial(len(kept))


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=6), LEVELS, st.floats(0.1, 10.0))
def test_the_law_is_that_of_all_orders(utilities, epsilon0, sensitivity):
    found = PermuteAndFlip(epsilon0, sensitivity).probabilities(utilities)
    np.testing.assert_allclose(
        found, by_all_orders(np.array(utilities), epsilon0, sensitivity), rtol=1e-11, atol=1e-300
    )


@pytest.mark.parametrize("candidates", [1, 2, 366, 10_000])
@pytest.mark.parametrize("step", [0.0, 0.01, 1.0, 1e6])
def test_the_law_of_many_candidates_adds_up_to_1(candidates, step):
    utilities = -step * np.abs(np.arange(candidates) - 0.3 * candidates)
    found = PermuteAndFlip(0.5).probabilities(utilities)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)
    if step == 0.0:
        np.testing.assert_allclose(found, 1 / candidates, rtol=1e-12)


def test_draws_follow_the_law_and_so_do_those_of_opendp():
    utilities, epsilon0, runs = np.array([5, 4, 2, 2, 0]), 0.9, 10_000
    choice = PermuteAndFlip(epsilon0, 2.0)
    expected = choice.probabilities(utilities) * runs
    drawn = choice.sample(utilities, runs, np.random.default_rng(3))
    assert stats.chisquare(np.bincount(drawn, minlength=5), expected).pvalue > FALSE_ALARM
    space = dp.vector_domain(dp.atom_domain(T="u64")), dp.linf_distance(T="u64")
    theirs = dp.m.make_noisy_max(*space, dp.max_divergence(), float(choice.scale))
    found = np.bincount(draws(theirs, utilities.tolist(), runs), minlength=5)
    assert stats.chisquare(found, expected).pvalue > FALSE_ALARM
    assert theirs.map(2) == pytest.approx(epsilon0, rel=1e-12)
    other = Exponential(epsilon0, 2.0).probabilities(utilities) * runs
    assert stats.chisquare(found, other).pvalue < FALSE_ALARM  # the test tells one law from the other


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=40), LEVELS, st.floats(0.01, 0.99))
def test_no_utilities_fall_further_short_than_proven(utilities, epsilon0, share):
    choice, gaps = PermuteAndFlip(epsilon0), np.max(utilities) - np.array(utilities)
    assert choice.probabilities(utilities)[gaps > choice.shortfall(share, len(gaps))].sum() <= 1 - share + 1e-12


@pytest.mark.parametrize("candidates", [2, 3, 366, 10_000])
@pytest.mark.parametrize("share", [0.6, 0.95, 0.9999])
def test_the_proven_shortfall_is_the_smallest_one(candidates, share):
    """All others just beyond it: as likely as may be. Just within it no one would be safe from a smaller bound."""
    choice = PermuteAndFlip(0.3, 1.5)
    off = choice.shortfall(share, candidates)
    beyond = -off * np.append(0.0, np.full(candidates - 1, 1 + 1e-9))
    assert 1 - choice.probabilities(beyond)[0] == pytest.approx(1 - share, rel=1e-6)
    usual = float(choice.scale) * -math.log(-math.expm1(math.log(share) / candidates))
    assert off < usual
    assert off < Exponential(0.3, 1.5).shortfall(share, 1 / candidates)


def test_the_shortfall_of_the_issue():
    """366 candidates, 3 rows of a person, epsilon 0.125: the usual bound says 213."""
    choice = PermuteAndFlip(0.125, 1.5)
    usual = float(choice.scale) * -math.log(1 - 0.95 ** (1 / 366))
    assert usual == pytest.approx(212.9, abs=0.1)
    assert choice.shortfall(0.95, 366) == pytest.approx(196.04, abs=0.01)


@given(st.lists(st.tuples(st.floats(-20, 20), st.floats(-1, 1)), min_size=1, max_size=12), LEVELS)
def test_it_is_as_private_as_it_says(moved, epsilon0):
    one, other = np.array([each for each, _ in moved]), np.array([each + by for each, by in moved])
    choice = PermuteAndFlip(epsilon0)
    here, there = choice.probabilities(one), choice.probabilities(other)
    assert (here <= np.exp(epsilon0) * there * (1 + 1e-9) + 1e-300).all()
    for level in (0.0, 0.3 * epsilon0, 0.8 * epsilon0):
        assert np.maximum(here - np.exp(level) * there, 0).sum() <= choice.delta(level) + 1e-9


@pytest.mark.parametrize("epsilon0", [1e-3, 0.5, 8.0])
def test_it_loses_no_more_than_a_pure_mechanism_and_no_less_than_some_neighbours_do(epsilon0):
    choice, worst, least = (
        PermuteAndFlip(epsilon0),
        RandomisedResponse(epsilon0),
        PermuteAndFlip(epsilon0).loses_at_least(),
    )
    here, there = choice.probabilities([1.0, 0.0]), choice.probabilities([0.0, 1.0])
    for level in np.array([0.0, 0.2, 0.5]) * epsilon0:
        attained = np.maximum(here - np.exp(level) * there, 0).sum()
        assert least.delta(level) == pytest.approx(attained, rel=1e-9, abs=1e-12)
        assert attained <= choice.delta(level) == worst.delta(level)
    # Together: between what those neighbours lose and what the worst pure mechanism does, in each accountant alike.
    together, pure = compose(choice, 30), compose(worst, 30)
    assert together.epsilon(1e-6) == pytest.approx(pure.epsilon(1e-6), rel=1e-9)
    assert together.lower.epsilon(1e-6) <= together.epsilon(1e-6)
    assert optimal_pure(choice, 30, delta=1e-6) == optimal_pure(worst, 30, delta=1e-6)
    assert exact(choice, 30, delta=1e-6).upper >= exact(Exponential(epsilon0), 30, delta=1e-6).upper


def test_what_it_answers_is_that_of_the_worst_pure_mechanism():
    choice, worst = PermuteAndFlip(0.7, 3.0), RandomisedResponse(0.7)
    assert (choice.guarantee.epsilon, choice.guarantee.delta, choice.largest_loss) == (0.7, 0.0, 0.7)
    assert choice.gaussian == worst.gaussian
    assert choice.posterior(0.2) == worst.posterior(0.2)
    for ask in ("delta", "loss_exceeds", "loss_within", "tradeoff"):
        assert getattr(choice, ask)([0.1, 0.4]).tolist() == getattr(worst, ask)([0.1, 0.4]).tolist()
    assert choice.epsilon(0.1) == worst.epsilon(0.1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: PermuteAndFlip(0.0), "epsilon0 must be"),
        (lambda: PermuteAndFlip(1.0, -1.0), "sensitivity must be"),
        (lambda: PermuteAndFlip(1.0).probabilities(3.0), "utilities must be a list"),
        (lambda: PermuteAndFlip(1.0).probabilities([[1.0, 2.0]]), "utilities must be a list"),
        (lambda: PermuteAndFlip(1.0).probabilities([np.nan]), "utilities must be"),
        (lambda: PermuteAndFlip([1.0, 2.0]).probabilities([1.0]), "utilities must be a list"),
        (lambda: PermuteAndFlip(1.0).shortfall(1.0, 3), "share must be"),
        (lambda: PermuteAndFlip(1.0).shortfall(0.5, 0), "candidates must be"),
        (lambda: PermuteAndFlip(1.0).sample([1.0], 0, np.random.default_rng()), "size must be"),
    ],
)
def test_wrong_arguments(call, message):
    with pytest.raises(ParameterError, match=message):
        call()
