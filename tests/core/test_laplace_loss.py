"""Exact privacy loss of the Laplace mechanism, held against integrals of its densities, brute force and simulation.

Simulations have fixed seeds. A right answer fails each such test with probability 1e-6 at most, were the seed drawn anew.
"""

import itertools
import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from par_core.errors import ParameterError
from par_core.mechanisms import Laplace, max_posterior

thorough = settings(deadline=None, derandomize=True, max_examples=150)

levels = st.floats(math.log(1e-8), math.log(700.0)).map(math.exp)
moderate = st.floats(0.01, 12.0)
probabilities = st.floats(0.0, 1.0)
EXTREMES = np.array([5e-324, 1e-300, 1e-17, 1e-5, 1.0, 700.0, 1e5, 1e300, 1.7e308])
FALSE_ALARM = 1e-6


def densities(z, epsilon0):
    """Both densities of a release z: the true answer is 0, the neighbour's 1."""
    return (0.5 * epsilon0 * math.exp(-epsilon0 * abs(z - answer)) for answer in (0.0, 1.0))


def loss(z, epsilon0):
    return epsilon0 * (abs(z - 1.0) - abs(z))


def area(function, epsilon0, *cuts, where=lambda _z: True):
    """Integrate piece by piece, cut where a density has its kink; `where` is asked in the middle of each piece."""
    reach = 40.0 / epsilon0
    edges = sorted({-reach, 0.0, 1.0, 1.0 + reach, *(cut for cut in cuts if -reach < cut < 1.0 + reach)})
    return sum(
        integrate.quad(function, low, high, epsabs=1e-13, epsrel=1e-10)[0]
        for low, high in itertools.pairwise(edges)
        if where(0.5 * (low + high))
    )


# --- probabilities of a large loss -------------------------------------------------------------------------------


@thorough
@given(moderate, st.floats(0.0, 1.3))
def test_exceedance_and_delta_are_integrals_of_the_densities(epsilon0, part):
    epsilon = part * epsilon0
    cuts = (0.5 - 0.5 * part, 0.5 + 0.5 * part)  # where the loss is +epsilon and -epsilon

    def true(z):
        return next(densities(z, epsilon0))

    bar = epsilon * (1.0 + 1e-12)  # strictly larger: at the atoms rounding must not decide
    above = area(true, epsilon0, *cuts, where=lambda z: loss(z, epsilon0) > bar)
    either = area(true, epsilon0, *cuts, where=lambda z: abs(loss(z, epsilon0)) > bar)

    def excess(z):
        one, other = densities(z, epsilon0)
        return max(one - math.exp(epsilon) * other, 0.0)

    assert Laplace(epsilon0).loss_exceeds(epsilon, two_sided=False) == pytest.approx(above, abs=1e-9)
    assert Laplace(epsilon0).loss_exceeds(epsilon) == pytest.approx(either, abs=1e-9)
    assert Laplace(epsilon0).delta(epsilon) == pytest.approx(area(excess, epsilon0, *cuts), abs=1e-9)


def test_published_examples():
    assert Laplace(1.0).loss_exceeds(0.5) == pytest.approx(0.847, abs=5e-4)
    assert Laplace(1.0).loss_exceeds(0.5, two_sided=False) == pytest.approx(0.611, abs=5e-4)
    assert Laplace(1.0).loss_exceeds(0.8) == pytest.approx(0.751, abs=5e-4)
    assert Laplace(2.5).delta(2.0) == pytest.approx(0.221, abs=5e-4)
    assert Laplace(1.0).delta(0.5) == pytest.approx(0.221, abs=5e-4)
    np.testing.assert_allclose(Laplace([0.1, 0.5, 1.0]).mean_loss, [0.00484, 0.10653, 0.36788], atol=5e-6)


def test_a_loss_of_epsilon0_is_not_larger_than_epsilon0():
    just_below = np.nextafter(1.0, 0.0)
    for two_sided, atoms in ((True, 0.5 + 0.5 * math.exp(-1.0)), (False, 0.5)):
        assert Laplace(1.0).loss_exceeds([1.0, 2.0], two_sided=two_sided).tolist() == [0.0, 0.0]
        assert Laplace(1.0).loss_exceeds(just_below, two_sided=two_sided) == pytest.approx(atoms, abs=1e-12)
    assert Laplace(1.0).loss_within([1.0, 2.0]).tolist() == [1.0, 1.0]


@thorough
@given(levels, levels)
def test_within_and_exceeds_add_up_and_bound_delta(one, two):
    epsilon, epsilon0 = min(one, two), max(one, two)
    either = Laplace(epsilon0).loss_exceeds(epsilon)
    assert Laplace(epsilon0).loss_within(epsilon) + either == pytest.approx(1.0, abs=1e-15)
    assert either >= Laplace(epsilon0).loss_exceeds(epsilon, two_sided=False) >= Laplace(epsilon0).delta(epsilon)


@pytest.mark.parametrize(("epsilon", "epsilon0"), [(1e-8, 700.0), (650.0, 700.0), (1e-3, 1.1e-3), (3.0, 3.0000001)])
def test_small_probabilities_keep_their_digits(epsilon, epsilon0):
    with mp.workdps(40):
        within = mp.exp(-mp.mpf(epsilon0) / 2) * mp.sinh(mp.mpf(epsilon) / 2)
        delta = -mp.expm1(-(mp.mpf(epsilon0) - mp.mpf(epsilon)) / 2)
    assert Laplace(epsilon0).loss_within(epsilon) == pytest.approx(float(within), rel=1e-13)
    assert Laplace(epsilon0).delta(epsilon) == pytest.approx(float(delta), rel=1e-13)


# --- attacks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon0", [0.1, 1.0, 4.0])
def test_tradeoff_is_the_best_of_all_threshold_tests(epsilon0):
    # The likelihood ratio falls in z, so the best tests are "below z" (Neyman-Pearson); at the atoms they are mixed.
    cuts = np.linspace(-30.0 / epsilon0, 1.0 + 30.0 / epsilon0, 200_001)

    def cdf(z):
        return np.where(z < 0.0, 0.5 * np.exp(-epsilon0 * np.abs(z)), 1.0 - 0.5 * np.exp(-epsilon0 * np.abs(z)))

    # the neighbour (answer 1) is the null hypothesis: a false positive names the true one although it is the neighbour
    false_positive, false_negative = cdf(cuts - 1.0), 1.0 - cdf(cuts)
    asked = np.linspace(0.001, 0.999, 400)
    expected = np.interp(asked, false_positive, false_negative)
    found = Laplace(epsilon0).tradeoff(asked)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert Laplace(epsilon0).advantage == pytest.approx(np.max(1.0 - false_positive - false_negative), abs=1e-7)


@thorough
@given(levels, probabilities)
def test_delta_is_the_highest_line_under_the_tradeoff(epsilon0, part):
    epsilon = part * epsilon0
    # 1 - e^epsilon a - f(a) is largest where the slope of f is -e^epsilon: a = e^(-(epsilon0+epsilon)/2)/2
    touching = 0.5 * math.exp(-0.5 * (epsilon0 + epsilon))
    others = np.array([touching / 2.0, touching, min(1.5 * touching, 1.0), 0.5 * math.exp(-epsilon0), 0.3])
    with np.errstate(over="ignore"):
        heights = 1.0 - np.exp(np.minimum(epsilon + np.log(others), 700.0)) - Laplace(epsilon0).tradeoff(others)
    assert heights.max() == pytest.approx(Laplace(epsilon0).delta(epsilon), abs=1e-12)


@thorough
@given(probabilities, levels)
def test_tradeoff_is_its_own_mirror_image(rate, epsilon0):
    missed = Laplace(epsilon0).tradeoff(rate)
    assert 0.0 <= missed <= 1.0 - rate
    if 0.0 < missed < 1.0 and rate > 1e-300:
        assert Laplace(epsilon0).tradeoff(missed) == pytest.approx(rate, rel=1e-9, abs=1e-12)


@thorough
@given(st.floats(1e-6, 1.0 - 1e-6), levels)
def test_posterior_is_bayes_rule(prior, epsilon):
    with mp.workdps(30):
        expected = prior * mp.exp(epsilon) / (prior * mp.exp(epsilon) + 1 - mp.mpf(prior))
    found = max_posterior(prior, epsilon)
    assert found == pytest.approx(float(expected), rel=1e-13)
    assert prior * (1.0 - 1e-15) <= found <= 1.0


def test_posterior_at_the_ends():
    priors = np.array([0.0, 1e-300, 0.5, 1.0])
    assert max_posterior(priors, 800.0).tolist() == [0.0, 1.0, 1.0, 1.0]
    assert max_posterior(priors, 0.0) == pytest.approx(priors)


@thorough
@given(levels)
def test_mean_loss_is_the_mean(epsilon0):
    with mp.workdps(60):
        exact = mp.mpf(epsilon0) - 1 + mp.exp(-mp.mpf(epsilon0))
    assert Laplace(epsilon0).mean_loss == pytest.approx(float(exact), rel=1e-14)


def test_mean_loss_is_the_integral_of_the_loss():
    expected = area(lambda z: next(densities(z, 1.7)) * loss(z, 1.7), 1.7)
    assert Laplace(1.7).mean_loss == pytest.approx(expected, abs=1e-10)


# --- extremes, shapes, bad input ---------------------------------------------------------------------------------


def test_extremes_never_give_nan():
    noise = Laplace(EXTREMES)
    for question in (noise.loss_exceeds, noise.loss_within, noise.delta):
        found = question(EXTREMES[:, None])
        assert ((found >= 0.0) & (found <= 1.0)).all()
    rates = np.array([0.0, 5e-324, 1e-300, 1e-17, 0.5, 1.0 - 2.0**-53, 1.0])
    for question in (noise.tradeoff, noise.posterior):
        found = question(rates[:, None])
        assert ((found >= 0.0) & (found <= 1.0)).all()
    assert Laplace(1e300).tradeoff([0.0, 1.0]).tolist() == [1.0, 0.0]
    assert np.isfinite(Laplace(EXTREMES).mean_loss).all()
    assert Laplace(EXTREMES).advantage.max() == 1.0


def test_scalars_give_floats_and_arrays_broadcast():
    assert type(Laplace(2).loss_exceeds(1)) is float
    assert type(Laplace(2).tradeoff(np.float64(0.2))) is float
    noise = Laplace([1.0, 2.0, 3.0])
    for question in (noise.loss_exceeds, noise.delta, noise.tradeoff, noise.posterior):
        assert question([[0.1], [0.2]]).shape == (2, 3)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "1", None, [], True])
def test_bad_numbers_are_named(bad):
    for name, call in (
        ("epsilon", lambda: Laplace(1.0).loss_exceeds(bad)),
        ("epsilon0", lambda: Laplace(bad).loss_exceeds(0.5)),
        ("epsilon", lambda: Laplace(1.0).loss_within(bad)),
        ("epsilon", lambda: Laplace(1.0).delta(bad)),
        ("epsilon0", lambda: Laplace(bad).delta(0.5)),
        ("false_positive", lambda: Laplace(1.0).tradeoff(bad)),
        ("epsilon0", lambda: Laplace(bad).tradeoff(0.5)),
        ("epsilon0", lambda: Laplace(bad).advantage),
        ("prior", lambda: max_posterior(bad, 1.0)),
        ("epsilon", lambda: max_posterior(0.5, bad)),
        ("epsilon0", lambda: Laplace(bad).mean_loss),
    ):
        with pytest.raises(ParameterError, match=rf"^{name} must be .*got "):
            call()
