"""The smallest μ of Gaussian differential privacy and its regret, against every corner of trade-offs in many digits."""

import math

import mpmath as mp
import numpy as np
import pytest
from scipy import special

from par_core.composition import compose, exact_delta
from par_core.composition.dominating_pairs import tilts
from par_core.composition.gaussian_bound import _lighter
from par_core.evidence import PROVEN
from par_core.mechanisms import MECHANISMS, DiscreteLaplace, Exponential, Gaussian, Laplace, RandomisedResponse


def quantile(rate):
    """Φ⁻¹ in many digits: Newton's steps from a float."""
    found = mp.mpf(float(special.ndtri_exp(float(mp.log(rate)))))
    for _ in range(2):
        found -= (mp.ncdf(found) - rate) / mp.npdf(found)
    return found


def largest(corners):
    """Largest μ of corners (false positives, false negatives)."""
    return max(-quantile(false) - quantile(missed) for false, missed in corners)


def corners_of(noise):
    level = mp.mpf(noise.epsilon0)
    if isinstance(noise, RandomisedResponse):
        other = 1 / (mp.exp(level) + noise.categories - 1)
        return [(other, (noise.categories - 1) * other)]
    if isinstance(noise, DiscreteLaplace):
        q = mp.exp(-level / noise.sensitivity)
        return [(q ** (noise.sensitivity - m) / (1 + q), q ** (m + 1) / (1 + q)) for m in range(noise.sensitivity)]
    if isinstance(noise, Laplace):
        rates = [mp.exp(-level * mp.mpf(part) / 60) / 2 for part in range(61)]
        return [(each, mp.exp(-level) / (4 * each)) for each in rates]
    odds = [mp.exp(-level * mp.mpf(part) / 60) for part in range(-5, 66)]
    return [(each / (1 + each), 1 / (1 + mp.exp(level) * each)) for each in odds]


@pytest.mark.parametrize("kind", [Laplace, DiscreteLaplace, RandomisedResponse, Exponential])
def test_mu_of_one_release_is_that_of_its_highest_corner(kind):
    rng = np.random.default_rng(3)
    for _ in range(15):
        epsilon0, moves = float(np.exp(rng.uniform(-9, 5))), int(rng.integers(1, 9))
        whole = {DiscreteLaplace: moves, RandomisedResponse: moves + 1}
        noise = kind(epsilon0, *([whole[kind]] if kind in whole else []))
        with mp.workdps(40):
            exact = largest(corners_of(noise))
        assert exact <= noise.gaussian.mu <= exact * (1 + 1e-11), noise


def test_next_to_nothing_and_very_much_have_a_mu_too():
    assert Laplace(1e-12).gaussian.mu == pytest.approx(math.sqrt(2 * math.pi) * 0.5e-12, rel=1e-11)
    assert RandomisedResponse(1e-12, 10**8).gaussian.mu > RandomisedResponse(1e-12, 10**9).gaussian.mu > 0
    for kind in (Laplace, DiscreteLaplace, RandomisedResponse, Exponential):
        for level in (5e-324, 1e-300, 1e6, 1e308):
            found = kind(level).gaussian
            assert 0 < found.mu < math.inf
            assert 0 <= found.regret < 1e-10
    several = Laplace([0.1, 0.5, 3.0]).gaussian
    assert several.regret == pytest.approx([Laplace(each).gaussian.regret for each in (0.1, 0.5, 3.0)], rel=1e-12)


@pytest.mark.parametrize(
    ("noises", "times"),
    [
        *(([Laplace(level)], 2) for level in (85.0, 140.0, 200.0, 1000.0)),
        ([Laplace(200.0)], 30),
        ([Exponential(200.0)], 2),
        ([DiscreteLaplace(200.0, 3)], 2),
        ([Laplace(200.0), Gaussian(1.0)], 1),
        ([Laplace(200.0), Exponential(3.0)], 2),
    ],
)
def test_losses_so_large_that_delta_is_1_to_the_last_digit_have_a_mu_too(noises, times):
    together = compose(noises, times)
    found = together.gaussian
    assert 0 <= found.regret <= 1
    assert found.mu <= math.sqrt(times * sum(each.gaussian.mu**2 for each in noises)) * (1 + 1e-9)
    asked = np.linspace(0.0, min(together.largest_loss, 8000.0), 12)
    assert (Gaussian(1.0, found.mu).delta(asked) >= together.lower.delta(asked)).all()


@pytest.mark.parametrize("kind", MECHANISMS.values(), ids=MECHANISMS)
def test_the_gaussian_trade_off_is_nowhere_above_and_once_shifted_nowhere_below(kind):
    noise = Gaussian(0.8) if kind is Gaussian else kind(1.2)
    found, rates = noise.gaussian, np.linspace(0.0, 1.0, 4001)
    gauss = Gaussian(1.0, found.mu).tradeoff(rates)
    assert found.evidence.basis is PROVEN
    assert (gauss <= noise.tradeoff(rates) + 1e-15).all()
    for part, holds in ((1.0, True), (0.999, kind is Gaussian)):
        moved = np.minimum(rates + part * found.regret, 1.0)
        assert (noise.tradeoff(moved) - part * found.regret <= gauss + 1e-12).all() is np.bool_(holds)


# --- many releases -----------------------------------------------------------------------------------------------


def coins(epsilon0, times):
    """Corners of the trade-off of so many randomised responses: chances of more than so many true ones, in many digits."""
    true = 1 / (1 + mp.exp(-mp.mpf(epsilon0)))
    own, other = (
        [math.comb(times, k) * p**k * (1 - p) ** (times - k) for k in range(times + 1)] for p in (true, 1 - true)
    )
    false, missed, above, below = [], [], mp.mpf(0), mp.mpf(0)
    for p, q in zip(own, reversed(other), strict=True):
        below, above = below + p, above + q
        missed.append(below)
        false.append(above)
    return list(zip(reversed(false[:-1]), missed[:-1], strict=True)), own, other


@pytest.mark.parametrize(
    ("epsilon0", "times"), [(0.5, 1), (0.1, 10), (2.0, 10), (0.01, 1000), (0.1, 1000), (1.0, 1000)]
)
def test_many_coins_in_many_digits(epsilon0, times):
    found = compose(RandomisedResponse(epsilon0), times).gaussian
    with mp.workdps(60):
        corners, own, other = coins(epsilon0, times)
        near = [corner for corner in corners if corner[0] > mp.mpf(10) ** -300 and corner[1] > mp.mpf(10) ** -300]
        exact = largest(near[len(near) // 2 - 60 : len(near) // 2 + 60])
        assert exact <= found.mu <= exact * (1 + 1e-8)
        losses = [mp.mpf(epsilon0) * (2 * k - times) for k in range(times + 1)]
        worst, mu = mp.mpf(0), mp.mpf(found.mu)
        for level in [each for each in losses if 0 <= each < 2 * mu + mu**2 / 2][:50]:
            over = [k for k in range(times + 1) if losses[k] > level]
            delta = mp.fsum(own[k] - mp.exp(level) * other[k] for k in over)
            gauss = mp.ncdf(mu / 2 - level / mu) - mp.exp(level) * mp.ncdf(-mu / 2 - level / mu)
            worst = max(worst, (gauss - delta) / (1 + mp.exp(level)))
    assert worst <= found.regret <= worst * (1 + 1e-5) + 1e-8


@pytest.mark.parametrize(("epsilon0", "times"), [(0.3, 2), (0.1, 10), (1.0, 10), (2.0, 3)])
def test_many_laplace_releases_against_their_own_accountant(epsilon0, times):
    """It shares no lattice with the composition: it sweeps over the releases with polynomials."""
    found = compose(Laplace(epsilon0), times).gaussian
    level = np.linspace(0.0, min(6 * found.mu, 0.98 * epsilon0 * times), 300)
    truth = exact_delta(epsilon0, times, epsilon=level)
    assert (Gaussian(1.0, found.mu).delta(level) >= truth.lower * (1 - 1e-12)).all()
    assert (Gaussian(1.0, found.mu * (1 - 1e-5)).delta(level) < truth.upper).any()
    gap = (Gaussian(1.0, found.mu).delta(level) - truth.upper) / (1 + np.exp(level))
    assert gap.max() <= found.regret <= 1.3 * gap.max() + 2e-6


@pytest.mark.parametrize(
    ("releases", "times"),
    [
        ([Gaussian(5.0), Laplace(0.25), DiscreteLaplace(0.3, 2)], [4, 1, 3]),
        ([Gaussian(10.0), Exponential(0.4)], [1, 20]),
        ([Laplace(0.1), RandomisedResponse(0.3, 4)], [50, 5]),
        ([Gaussian(0.2), Laplace(2.0)], [1, 3]),
    ],
)
def test_different_releases_together(releases, times):
    together = compose(releases, times)
    found = together.gaussian
    apart = math.sqrt(sum(count * each.gaussian.mu**2 for each, count in zip(releases, times, strict=True)))
    assert max(each.gaussian.mu for each in releases) < found.mu <= apart * (1 + 1e-11)
    level = np.linspace(0.0, 5 * found.mu + 0.4 * found.mu**2, 60)
    assert (Gaussian(1.0, found.mu).delta(level) >= together.lower.delta(level) * (1 - 1e-12)).all()
    gap = (Gaussian(1.0, found.mu).delta(level) - together.delta(level)) / (1 + np.exp(level))
    assert gap.max() <= found.regret + 1e-12
    rates = np.linspace(0.0, 1.0, 101)
    assert (
        compose(releases, times).tradeoff(rates) <= Gaussian(1.0, found.mu).tradeoff(rates) + found.regret + 0.01
    ).all()


@pytest.mark.parametrize("kind", [Laplace, DiscreteLaplace, RandomisedResponse, Exponential])
def test_more_releases_have_the_larger_mu_and_never_more_than_the_squares_add_up_to(kind):
    one = kind(0.2)
    found = [compose(one, times).gaussian.mu for times in (1, 2, 3, 10, 30, 100, 1000)]
    assert (np.diff(found) > 0).all()
    parts = np.array(found) / (one.gaussian.mu * np.sqrt([1, 2, 3, 10, 30, 100, 1000]))
    assert (parts <= 1 + 1e-11).all()
    assert (np.diff(parts) <= 1e-7).all()


def test_the_far_tail_is_not_taken_on_trust():
    """Where the μ is too small the check of what no law was made for says so."""
    releases = ((Laplace(0.1), 100),)
    mu = compose(Laplace(0.1), 100).gaussian.mu
    assert _lighter(releases, tilts(releases), mu, 8.0)
    assert not _lighter(releases, tilts(releases), 0.8 * mu, 8.0)
    with_gaussian = ((Gaussian(2.0), 1), (Laplace(0.1), 100))
    assert not _lighter(with_gaussian, tilts(with_gaussian), 0.5, 5.0)  # no more than that of the Gaussian noise alone
