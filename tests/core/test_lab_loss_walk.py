"""Loss by loss: the mean and the level are those of the law, and the walks are what was drawn, one release after another."""

import math

import numpy as np
import pytest
from scipy import stats

from par_core.composition import compose
from par_core.lab.loss_walk import MOST_RELEASES, SHARE, WALKS, walk
from par_core.mechanisms import NOISES, DiscreteLaplace, Gaussian, Laplace

every_noise = pytest.mark.parametrize("kind", NOISES)


def noise_of(kind, level):
    return NOISES[kind].for_epsilon(level, sensitivity=1, delta=1e-5)


@every_noise
def test_walks_add_up_the_losses_of_their_releases_and_go_on_where_they_were(kind):
    noise = noise_of(kind, 0.5)
    off = noise.sample(np.zeros(WALKS), MOST_RELEASES, np.random.default_rng(1))
    losses = np.asarray(noise.loss_at(off))
    for releases in (1, 7, 100):
        found = walk(kind, 0.5, releases)
        np.testing.assert_allclose(found.walks[:, -1], losses[:releases].sum(axis=0), atol=1e-12)
        assert (found.at[0], found.at[-1], found.counted[-1]) == (0, releases, releases)
        assert (found.walks[:, 0] == 0.0).all()
    assert (walk(kind, 0.5, 7).walks != walk(kind, 0.5, 7, seed=2).walks).any()


@pytest.mark.parametrize("level", [1e-3, 0.5, 20.0])
def test_the_drift_is_the_kullback_leibler_divergence(level):
    gaussian = Gaussian.for_epsilon(level, sensitivity=1, delta=1e-5)
    for kind, mean in (
        ("laplace", Laplace(level).mean_loss),
        ("discrete-laplace", level * math.tanh(level / 2)),
        ("gaussian", gaussian.mu**2 / 2),
    ):
        found = walk(kind, level, 8)
        assert found.drift == pytest.approx(mean, rel=1e-9)
        assert found.mean == 8 * found.drift


def test_the_level_of_gaussian_noise_is_the_quantile_of_a_normal_number():
    mu = Gaussian.for_epsilon(0.5, sensitivity=1, delta=1e-5).mu
    for releases in (1, 30, 100):
        law = stats.norm(releases * mu**2 / 2, mu * math.sqrt(releases))
        assert walk("gaussian", 0.5, releases).level == pytest.approx(law.isf(SHARE), rel=1e-5)


def test_the_level_of_discrete_laplace_noise_is_that_of_a_binomial_number():
    """With sensitivity 1 a release loses +ε or -ε."""
    truth = 1 / (1 + math.exp(-0.5))
    assert set(np.round(np.asarray(DiscreteLaplace(0.5).loss_at(np.arange(-3, 4))), 12)) == {0.5, -0.5}
    for releases in (1, 2, 10, 30, 100):
        gains = stats.binom(releases, truth)
        level = 0.5 * (2 * min(k for k in range(releases + 1) if gains.sf(k) <= SHARE) - releases)
        assert walk("discrete-laplace", 0.5, releases).level == pytest.approx(max(level, 0.0), rel=1e-12)


@every_noise
@pytest.mark.parametrize("level", [0.1, 2.0])
@pytest.mark.parametrize("releases", [2, 30, 100])
def test_no_more_walks_than_said_end_above_and_not_many_fewer(kind, level, releases):
    """40,000 walks; a share beyond 5 standard deviations by chance once in 3 million."""
    found, noise, rng = walk(kind, level, releases), noise_of(kind, level), np.random.default_rng(11)
    ends = np.zeros(40_000)
    for _ in range(releases):
        ends += np.asarray(noise.loss_at(noise.sample(0.0, ends.size, rng)))
    off = 5 * math.sqrt(SHARE * (1 - SHARE) / ends.size)
    assert (ends > found.level * (1 + 1e-9)).mean() <= SHARE + off
    if kind != "discrete-laplace":  # whose levels have gaps
        assert (ends > 0.985 * found.level - 1e-3).mean() >= SHARE - off
    assert ends.max() <= found.largest * (1 + 1e-9)
    assert (ends > found.epsilon).mean() <= found.beyond + off


@every_noise
def test_delta_counts_less_than_the_share_that_is_beyond(kind):
    found = walk(kind, 0.5, 30)
    assert found.epsilon == compose([noise_of(kind, 0.5)], [30]).epsilon(SHARE)
    assert found.epsilon < found.level
    assert found.beyond > SHARE
    assert (np.diff(found.levels) >= 0).all()
