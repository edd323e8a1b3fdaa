"""Coins: against sums of binomial numbers by convolution, the lecture's numbers, and draws."""

import math

import numpy as np
import pytest
from scipy import stats

from par_core.lab import coins

LEVELS = (0.1, 0.5, 1.0, coins.TWO_COINS, 3.0, 8.0)


def law(epsilon, have, people):
    """The chances of 0 to all saying yes, where so many truly are a yes: by convolution."""
    truth = math.exp(epsilon) / (1 + math.exp(epsilon))
    yes, no = (stats.binom.pmf(np.arange(n + 1), n, p) for n, p in ((have, truth), (people - have, 1 - truth)))
    return np.convolve(yes, no), truth


def test_the_lecture_s_survey():
    found = coins.survey(430, 1000, epsilon=math.log(3))
    assert found.share == pytest.approx(0.36)
    assert round(100 * found.deviation, 1) == 3.1
    assert found.truth == pytest.approx(0.75)


def test_the_lecture_s_million():
    found = coins.errors(0.3, 1_000_000, epsilon=1.0)
    rule = coins.survey(0, 1_000_000, epsilon=1.0)
    assert (round(rule.factor, 3), round(rule.offset, 5)) == (2.164, 0.58198)
    assert (round(found.own_bound, 3), round(found.own_curator, 5)) == (0.294, 0.0003)
    assert found.own_local < found.own_bound


@pytest.mark.parametrize("epsilon", [1e-4, 0.1, 1.0, 3.0, 20.0, 50.0])
@pytest.mark.parametrize("people", [1, 2, 7, 30, 1000, 4000])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 1.0])
def test_the_error_is_the_smallest_that_95_of_100_surveys_do_not_exceed(epsilon, people, share):
    found = coins.errors(share, people, epsilon=epsilon)
    have = math.floor(share * people + 0.5)
    chance, truth = law(epsilon, have, people)
    off = np.abs(np.arange(people + 1) - have * truth - (people - have) * (1 - truth)) / people / math.tanh(epsilon / 2)
    off, within = np.minimum(100 * off, 100.0), found.local[found.own]
    assert chance[off <= within + 1e-9].sum() >= 0.95
    assert chance[off < within - 1e-9].sum() < 0.95 + 2e-9


@pytest.mark.parametrize("epsilon", LEVELS)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_the_bound_holds(epsilon, share):
    found = coins.errors(share, 10, epsilon=epsilon)
    assert (found.local <= found.bound + 1e-9).all()
    np.testing.assert_allclose(found.curator, np.minimum(100 * math.log(20) / epsilon / found.people, 100.0))


@pytest.mark.parametrize("epsilon", LEVELS)
@pytest.mark.parametrize("people", [1, 2, 5, 20, 60])
def test_the_interval_holds_the_share_of_those_asked_in_95_of_100_surveys(epsilon, people):
    """Clopper and Pearson mean people drawn anew; of given people the answers scatter less."""
    found = [coins.survey(said, people, epsilon=epsilon) for said in range(people + 1)]
    low, high = (np.array([getattr(each, end) for each in found]) for end in ("low", "high"))
    for have in range(people + 1):
        holds = (low <= have / people + 1e-12) & (have / people - 1e-12 <= high)
        assert law(epsilon, have, people)[0][holds].sum() >= 0.95


def test_an_estimate_that_is_no_share_is_moved_onto_the_nearest():
    few, many = coins.survey(0, 4, epsilon=0.5), coins.survey(4, 4, epsilon=0.5)
    assert few.formula < few.share == 0.0
    assert many.formula > many.share == 1.0


def test_draws_have_the_law_of_the_coins_and_of_the_curator():
    # One seed of 500 does wrong with probability 1e-9: no other one is looked at.
    drawn = [coins.draw(0.3, 200, epsilon=1.0, seed=seed) for seed in range(500)]
    said = np.array([each.answers.said for each in drawn])
    chance, truth = law(1.0, 60, 200)
    mean, deviation = 60 * truth + 140 * (1 - truth), math.sqrt(200 * truth * (1 - truth))
    assert abs(said.mean() - mean) < 6.2 * deviation / math.sqrt(500)
    assert stats.chisquare(*binned(said, chance)).pvalue > 1e-9
    noise = [200 * (each.curator - 0.3) for each in drawn]
    assert stats.kstest(noise, stats.laplace(scale=1.0).cdf).pvalue > 1e-9
    assert all(each.have == 60 and each.true == 0.3 for each in drawn)


def binned(said, chance):
    """Observed and expected numbers in bins of about 50 expected each."""
    edges = np.searchsorted(np.cumsum(chance), np.linspace(0.1, 0.9, 9))
    sizes = np.diff(np.concatenate([[0.0], np.cumsum(chance)[edges], [1.0]])) * len(said)
    return np.bincount(np.searchsorted(edges, said), minlength=10), sizes


def test_the_same_people_are_asked_at_every_level():
    assert {coins.draw(0.3, 1234, epsilon=each, seed=5).have for each in LEVELS} == {370}
    assert coins.draw(0.3, 1234, epsilon=1.0, seed=5) == coins.draw(0.3, 1234, epsilon=1.0, seed=5)


def test_counted_in_people_the_error_of_coins_grows_with_root_n_and_that_of_a_curator_stays():
    one, four = (coins.errors(0.3, people, epsilon=1.0) for people in (10_000, 40_000))
    assert four.people_local / one.people_local == pytest.approx(2.0, rel=0.02)
    assert four.people_curator == pytest.approx(math.log(20), rel=1e-9)
    assert one.people_curator == pytest.approx(math.log(20), rel=1e-9)
