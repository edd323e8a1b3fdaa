"""How far the truth can be below the law that dominates it: never less far than it is, and by the square of a step."""

import math

import numpy as np
import pytest
from scipy import special, stats

from par_core.composition import compose, dominating_pairs, lower_end
from par_core.composition.composed import Composed
from par_core.composition.tilted_masses import Releases
from par_core.mechanisms import DiscreteLaplace, Gaussian, Laplace, RandomisedResponse

CACHED = ("tilts", "_span", "law_of", "_alike", "some_narrow", "window_of")


@pytest.fixture
def off_the_lattice(monkeypatch):
    """No level lies on a lattice, so that every loss is moved."""

    def clear():
        for each in CACHED:
            getattr(dominating_pairs, each).cache_clear()

    monkeypatch.setattr(dominating_pairs, "common_step", lambda _: None)
    clear()
    yield
    clear()


def either(mechanism, level):
    """Delta of a mechanism that is alike in both directions, also below 0."""
    away = np.abs(level)
    found = mechanism.delta(away)
    return np.where(level < 0, np.exp(-away) * found - np.expm1(-away), found)


ONE = [RandomisedResponse(0.75), Laplace(0.8), Gaussian(1.0), DiscreteLaplace(0.9, 4), RandomisedResponse(1.25, 3)]


def beside_noise(mechanism, level, mu):
    """Delta of a release with Gaussian noise of μ beside it, by a fine rectangle rule."""
    at = np.linspace(-9.0, 9.0, 2001)
    chance = stats.norm.pdf(at) * (at[1] - at[0])
    return either(mechanism, level[:, None] - (mu * at + 0.5 * mu**2)) @ chance


def joined_by_lines(mechanism, level, step):
    """Delta where the values at whole numbers of steps are joined by straight lines in exp(epsilon)."""
    below = step * np.floor(level / step)
    part = np.expm1(level - below) / math.expm1(step)
    return (1 - part) * either(mechanism, below) + part * either(mechanism, below + step)


@pytest.mark.parametrize("mechanism", ONE, ids=str)
@pytest.mark.parametrize("step", [0.5, 0.1])
def test_joined_by_lines_one_release_loses_no_more_than_with_noise_of_a_bit_beside_it(mechanism, step):
    level = np.linspace(-2.0, 2.0, 321)
    joined = joined_by_lines(mechanism, level, step)
    assert (joined >= either(mechanism, level) - 1e-12).all()
    assert (joined <= beside_noise(mechanism, level, lower_end._BIT * step) + 1e-7).all()


def test_that_noise_is_no_larger_than_it_must_be():
    """The level of randomised response lies in the middle between two points."""
    level = np.linspace(-2.0, 2.0, 321)
    joined = joined_by_lines(ONE[0], level, 0.5)
    assert (joined > beside_noise(ONE[0], level, 0.97 * lower_end._BIT * 0.5) + 1e-4).any()


def test_a_bit_with_any_odds_is_as_private_as_said():
    for step in (1e-6, 0.01, 0.3, 5.0):
        odds = np.linspace(-40.0, 40.0, 4001)
        apart = special.ndtri_exp(special.log_expit(odds + 0.5 * step)) - special.ndtri_exp(
            special.log_expit(odds - 0.5 * step)
        )
        assert apart.max() <= lower_end._BIT * step * (1 + 1e-8)


@pytest.mark.usefixtures("off_the_lattice")
def test_of_one_loss_between_two_points_nothing_is_claimed_that_is_not_there():
    """No delta is left at the largest loss, where that of the law is: half a correction would leave some."""
    for level in (0.3, 1.0, 2.0):
        together = Composed(Releases([(RandomisedResponse(level), 1)]))
        held = dominating_pairs.law_of(together.releases, 0.0, points=64)
        assert 0.3 < level / held.law.width % 1.0 < 0.7
        (most,) = held.tails.delta_ends(np.array([level]))[1]
        (least,) = lower_end.least_delta(held, np.array([level]))
        assert most > 1e-3
        assert least <= 1e-12


PLANS = [
    [(RandomisedResponse(0.5, 3), 5), (DiscreteLaplace(0.3, 2), 4)],
    [(DiscreteLaplace(0.25, 3), 20), (RandomisedResponse(0.1), 40)],
    [(DiscreteLaplace(0.05, 5), 300), (RandomisedResponse(0.02, 4), 200)],
    [(RandomisedResponse(0.3), 1), (DiscreteLaplace(1.2, 7), 2)],
]


@pytest.mark.usefixtures("off_the_lattice")
@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.parametrize("points", [2**9, 2**12, 2**15])
def test_a_law_off_every_lattice_is_above_the_truth_by_less_than_is_said(plan, points, monkeypatch):
    level = np.concatenate([np.linspace(0.0, 1.0, 41), np.linspace(1.0, 2.5, 30)])
    together = Composed(Releases(plan))
    found = together._ends(level, points=points)
    monkeypatch.undo()
    for each in CACHED:
        getattr(dominating_pairs, each).cache_clear()
    exact = together._ends(level)
    assert (exact[0] >= exact[1] * (1 - 1e-7) - 1e-300).all()  # on its lattice nothing is moved
    assert (found[0] <= exact[1]).all()
    assert (found[1] >= exact[0]).all()


def test_gaussian_noise_is_close_to_its_closed_form_whatever_the_number_of_points():
    gaps = []
    for points in (2**13, 2**15, 2**17):
        together = Composed(Releases([(Gaussian(5.0), 12)]))
        exact = Gaussian(5.0 / math.sqrt(12))
        level = np.linspace(0.0, 4.0, 33)
        low, high = together._ends(level, points=points)
        assert (low <= exact.delta(level)).all()
        assert (high >= exact.delta(level) * (1 - 1e-11)).all()
        gaps.append(np.max(1.0 - low / high))
    assert gaps[0] / gaps[1] == pytest.approx(16, rel=0.5)  # of a quarter of the step
    assert gaps[1] / gaps[2] == pytest.approx(16, rel=0.5)


def test_laplace_noise_is_close_to_its_own_accountant(monkeypatch):
    levels, times = [0.2, 0.3, 0.07], [12, 3, 40]
    own = compose(levels, times)
    monkeypatch.setattr(Composed, "levels", None)
    for delta in (1e-12, 1e-6, 1e-2):
        _, least, most = own.closest_epsilon(delta)
        low, high = Composed(own.releases)._epsilon_ends(math.log(delta))
        assert least - 1e-12 <= high
        assert low <= most + 1e-12
        assert high - low < 2e-5


MIXED = [Laplace(0.2), Gaussian(5.0), DiscreteLaplace(0.1)]


@pytest.mark.parametrize(("times", "gap"), [(1, 1e-6), (12, 1e-5), (300, 2e-3)])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 1e-2])
def test_both_ends_of_three_kinds_are_close(times, gap, delta):
    lower, upper = compose(MIXED, times).epsilon_ends(delta)
    assert 0.0 <= upper - lower < gap
    epsilon = 0.5 * float(upper)
    low, high = compose(MIXED, times).delta_ends(epsilon)
    assert high * (1 - 50 * gap) < low <= high


def test_the_lower_end_is_that_of_the_worse_direction_where_they_are_not_alike():
    together = compose([Laplace(0.5).subsampled(0.2), Gaussian(4.0).subsampled(0.3)], [10, 5])
    lower, upper = together.epsilon_ends(1e-6)
    assert 0.0 <= upper - lower < 1e-4
    low, high = together.delta_ends([0.0, 0.1, 0.3])
    assert (low <= high).all()
    assert (low[1:] > 0.999 * high[1:]).all()


def test_many_levels_are_asked_for_in_parts(monkeypatch):
    together, level = compose(MIXED, 12), np.linspace(0.0, 1.0, 20)
    at_once = together.delta_ends(level)
    monkeypatch.setattr(lower_end, "_AT_ONCE", 7)
    np.testing.assert_array_equal(together.delta_ends(level), at_once)
