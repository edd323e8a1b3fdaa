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
from scipy import integrate, special

from par_core import privacy_loss
from par_core.errors import ParameterError
from par_core.standing import ESTIMATE, PROVEN, declaration_of

thorough = settings(deadline=None, derandomize=True, max_examples=300)

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
    assert (
        either >= Laplace(epsilon0).loss_exceeds(epsilon, two_sided=False) >= Laplace(epsilon0).delta(epsilon)
    )


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
    found = strongest_belief(prior, epsilon)
    assert found == pytest.approx(float(expected), rel=1e-13)
    assert prior * (1.0 - 1e-15) <= found <= 1.0


def test_posterior_at_the_ends():
    priors = np.array([0.0, 1e-300, 0.5, 1.0])
    assert strongest_belief(priors, 800.0).tolist() == [0.0, 1.0, 1.0, 1.0]
    assert strongest_belief(priors, 0.0) == pytest.approx(priors)


@thorough
@given(levels)
def test_mean_loss_is_the_mean(epsilon0):
    with mp.workdps(60):
        exact = mp.mpf(epsilon0) - 1 + mp.exp(-mp.mpf(epsilon0))
    assert Laplace(epsilon0).mean_loss == pytest.approx(float(exact), rel=1e-14)


def test_mean_loss_is_the_integral_of_the_loss():
    expected = area(lambda z: next(densities(z, 1.7)) * loss(z, 1.7), 1.7)
    assert Laplace(1.7).mean_loss == pytest.approx(expected, abs=1e-10)


# --- simulation --------------------------------------------------------------------------------------------------


def test_simulated_shares_hold_the_exact_ones():
    epsilon = np.linspace(0.0, 1.1, 12)
    each = 1.0 - FALSE_ALARM / (2 * epsilon.size)
    found = privacy_loss.simulate_exceedance(epsilon, 1.0, k=7, size=400_000, rng=np.random.default_rng(11), level=each)
    exact = Laplace(1.0).loss_exceeds(epsilon)
    one_sided = Laplace(1.0).loss_exceeds(epsilon, two_sided=False)
    assert ((found.lower <= exact) & (exact <= found.upper)).all()
    assert ((found.lower_one_sided <= one_sided) & (one_sided <= found.upper_one_sided)).all()
    assert (found.upper - found.lower < 0.01).all()
    assert found.standing is ESTIMATE
    assert (found.size, found.k, found.epsilon0) == (400_000, 7, 1.0)


def test_simulation_of_a_spread_change():
    # Two halves: both coordinates at their upper atom with probability 1/4, and the mean loss is twice that of a half.
    size = 400_000
    losses = privacy_loss.simulate_loss(2.0, k=3, shift=[0.5, 0.0, 0.5], size=size, rng=np.random.default_rng(5))
    at_top = int((losses == 2.0).sum())
    tail = FALSE_ALARM / 2.0
    assert special.bdtr(at_top, size, 0.25) > tail
    assert special.bdtrc(at_top - 1, size, 0.25) > tail
    spread = losses.std() / math.sqrt(size)
    assert losses.mean() == pytest.approx(2.0 * Laplace(1.0).mean_loss, abs=5.0 * spread)
    assert np.abs(losses).max() <= 2.0


def test_change_in_one_coordinate_makes_the_dimension_irrelevant():
    alone = privacy_loss.simulate_loss(1.3, size=1000, rng=np.random.default_rng(2))
    shift = [0.0, 0.0, 1.0, 0.0]
    assert (privacy_loss.simulate_loss(1.3, k=4, shift=shift, size=1000, rng=np.random.default_rng(2)) == alone).all()
    assert (privacy_loss.simulate_loss(1.3, k=4, size=1000, rng=np.random.default_rng(2)) == alone).all()
    nothing = privacy_loss.simulate_loss(1.3, k=4, shift=np.zeros(4), size=10, rng=np.random.default_rng(2))
    assert nothing.tolist() == [0.0] * 10


def test_batches_are_small_and_make_up_the_whole():
    shift = np.full(20, 1.0 / 20)
    batches = list(privacy_loss.loss_batches(1.0, k=20, shift=shift, size=60_001, rng=np.random.default_rng(8)))
    assert len(batches) > 1
    assert max(batch.size for batch in batches) * 20 <= 500_000
    whole = privacy_loss.simulate_loss(1.0, k=20, shift=shift, size=60_001, rng=np.random.default_rng(8))
    assert (np.concatenate(batches) == whole).all()


def test_same_seed_same_result():
    first, second = (
        privacy_loss.simulate_exceedance([0.2, 0.1], 1.0, size=1_200_000, rng=np.random.default_rng(4))
        for _ in range(2)
    )
    assert first.share.tolist() == second.share.tolist()
    assert first.share[0] < first.share[1]  # in the order asked


def test_simulated_shares_at_the_ends_and_of_a_scalar():
    found = privacy_loss.simulate_exceedance(2.0, 1.0, size=100, rng=np.random.default_rng(1), level=0.95)
    assert (found.share, found.lower) == (0.0, 0.0)
    assert found.upper == pytest.approx(1.0 - 0.025 ** (1.0 / 100.0))  # no hit in 100: the closed form
    assert type(found.share) is float
    certain = privacy_loss.simulate_exceedance(0.0, 1.0, size=100, rng=np.random.default_rng(1), level=0.95)
    assert certain.upper == 1.0
    assert certain.lower == pytest.approx(0.025 ** (1.0 / 100.0))


def test_theorem_4_fails_in_the_simulation_too():
    for k in (2, 3, 5):
        found = privacy_loss.simulate_exceedance(0.5, 1.0, k=k, size=100_000, rng=np.random.default_rng(k))
        assert found.lower > 0.83 > 0.50  # the published risks are 0.460, 0.481 and 0.491


# --- extremes, shapes, bad input ---------------------------------------------------------------------------------


def test_extremes_never_give_nan():
    for function in (privacy_loss.loss_exceeds, privacy_loss.loss_within, privacy_loss.delta):
        found = function(EXTREMES[:, None], EXTREMES)
        assert ((found >= 0.0) & (found <= 1.0)).all()
    rates = np.array([0.0, 5e-324, 1e-300, 1e-17, 0.5, 1.0 - 2.0**-53, 1.0])
    for function in (privacy_loss.tradeoff, privacy_loss.posterior):
        found = function(rates[:, None], EXTREMES)
        assert ((found >= 0.0) & (found <= 1.0)).all()
    assert Laplace(1e300).tradeoff([0.0, 1.0]).tolist() == [1.0, 0.0]
    assert np.isfinite(Laplace(EXTREMES).mean_loss).all()
    assert Laplace(EXTREMES).advantage.max() == 1.0
    for epsilon0 in (1e-300, 1e300):
        losses = privacy_loss.simulate_loss(epsilon0, size=100, rng=np.random.default_rng(0))
        assert np.abs(losses).max() <= epsilon0


def test_scalars_give_floats_and_arrays_broadcast():
    assert type(Laplace(2).loss_exceeds(1)) is float
    assert type(Laplace(2).tradeoff(np.float64(0.2))) is float
    for function in (privacy_loss.loss_exceeds, privacy_loss.delta, privacy_loss.tradeoff, privacy_loss.posterior):
        assert function([[0.1], [0.2]], [1.0, 2.0, 3.0]).shape == (2, 3)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "1", None, [], True])
def test_bad_numbers_are_named(bad):
    rng = np.random.default_rng(0)
    for name, call in (
        ("epsilon", lambda: Laplace(1.0).loss_exceeds(bad)),
        ("epsilon0", lambda: Laplace(bad).loss_exceeds(0.5)),
        ("epsilon", lambda: Laplace(1.0).loss_within(bad)),
        ("epsilon", lambda: Laplace(1.0).delta(bad)),
        ("epsilon0", lambda: Laplace(bad).delta(0.5)),
        ("false_positive", lambda: Laplace(1.0).tradeoff(bad)),
        ("epsilon0", lambda: Laplace(bad).tradeoff(0.5)),
        ("epsilon0", lambda: Laplace(bad).advantage),
        ("prior", lambda: strongest_belief(bad, 1.0)),
        ("epsilon", lambda: strongest_belief(0.5, bad)),
        ("epsilon0", lambda: Laplace(bad).mean_loss),
        ("epsilon0", lambda: privacy_loss.simulate_loss(bad, size=10, rng=rng)),
        ("size", lambda: privacy_loss.simulate_loss(1.0, size=bad, rng=rng)),
        ("k", lambda: privacy_loss.simulate_loss(1.0, k=bad, size=10, rng=rng)),
        ("epsilon", lambda: privacy_loss.simulate_exceedance(bad, 1.0, size=10, rng=rng)),
        ("level", lambda: privacy_loss.simulate_exceedance(0.5, 1.0, size=10, rng=rng, level=bad)),
    ):
        with pytest.raises(ParameterError, match=rf"^{name} must be .*got "):
            call()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon0": 0.0}, "epsilon0 must be above 0 and finite, got 0"),
        ({"epsilon0": [1.0, 2.0]}, "epsilon0 must be a single number"),
        ({"k": 0}, "k must be a whole number at least 1, got 0"),
        ({"k": 1.5}, "k must be a whole number at least 1, got 1.5"),
        ({"size": 0}, "size must be a whole number at least 1"),
        ({"size": 10**12}, "size must be .*got 1e.12"),
        ({"k": 2, "shift": [1.0]}, r"shift must hold one number for each of the 2 coordinates, got shape \(1,\)"),
        ({"k": 2, "shift": [0.6, 0.6]}, "shift must add up to at most 1, got 1.2"),
        ({"k": 2, "shift": [-0.1, 0.6]}, "shift must be .*got -0.1"),
        ({"rng": 7}, "rng must be a numpy random Generator, got 7"),
    ],
)
def test_bad_simulations_are_refused_at_the_call(arguments, message):
    complete = {"epsilon0": 1.0, "size": 10, "rng": np.random.default_rng(0), **arguments}
    with pytest.raises(ParameterError, match=message):
        privacy_loss.loss_batches(**complete)


def test_shares_that_miss_one_by_rounding_are_taken():
    for k in (1, 2, 3, 5):  # few enough that all coordinates reach their upper atom together
        shift = np.full(k, 1.0 / k) + (1e-13 if k > 1 else 0.0)
        losses = privacy_loss.simulate_loss(1.0, k=k, shift=shift, size=1000, rng=np.random.default_rng(0))
        assert losses.max() == 1.0


def test_standings():
    for name in ("loss_exceeds", "loss_within", "delta", "tradeoff", "advantage", "posterior", "mean_loss"):
        assert declaration_of(getattr(privacy_loss, name)).standing is PROVEN
    assert declaration_of(privacy_loss.simulate_loss).standing is ESTIMATE
