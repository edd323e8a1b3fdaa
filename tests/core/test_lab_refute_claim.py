"""Refute a claim: the releases have the noise that is said, the truth beside the claim is the truth, and the seed says all."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from par_core.audit.outputs import try_on
from par_core.errors import ParameterError
from par_core.lab.refute_claim import releases, try_claim
from par_core.mechanisms import NOISES
from par_core.randomness import seeded

every_noise = pytest.mark.parametrize("kind", NOISES)


@every_noise
def test_releases_have_a_share_of_the_noise_that_the_claim_takes(kind):  # wrong for one seed in 10^6
    seen = releases(kind, 0.4, 20_000, share=0.5, delta=1e-3, rng=seeded(1))
    claimed = NOISES[kind].for_epsilon(0.4, sensitivity=1, delta=1e-3)
    half = NOISES[kind].with_scale(0.5 * claimed.scale)
    off = np.abs(seen - [1, 0])
    assert off.mean(axis=0) == pytest.approx(half.mean_error, rel=0.04)
    assert np.corrcoef(seen.T)[0, 1] == pytest.approx(0.0, abs=0.035)


def twice(delta):
    """Epsilon of Gaussian noise with half the deviation that 0.7 takes, by Brent's method on its profile."""

    def profile(epsilon, mu):
        return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)

    mu = optimize.brentq(lambda each: profile(0.7, each) - delta, 1e-3, 2.0, xtol=1e-14)
    return optimize.brentq(lambda each: profile(each, 2 * mu) - delta, 0.7, 3.0, xtol=1e-14)


@every_noise
def test_the_truth_is_the_claim_with_all_of_its_noise_and_twice_it_with_half(kind):
    claim = {"delta": 1e-4, "seed": 2}
    true, half = try_claim(kind, 0.7, 50, **claim), try_claim(kind, 0.7, 50, share=0.5, **claim)
    assert true.truth == pytest.approx(0.7, rel=1e-9)
    assert half.truth == pytest.approx(twice(1e-4) if kind == "gaussian" else 1.4, rel=1e-6)
    assert true.delta == (1e-4 if kind == "gaussian" else 0.0)


def test_a_level_and_a_curve_are_tried_on_the_same_releases():
    first, second = releases("gaussian", 1.0, 400, share=0.4, delta=1e-3, rng=seeded(5)).T
    level = try_claim("gaussian", 1.0, 400, share=0.4, delta=1e-3, seed=5)
    curve = try_claim("gaussian", 1.0, 400, share=0.4, delta=1e-3, against="curve", seed=5)
    assert level.tried.check is None
    assert curve.tried.check is not None
    assert level.tried.bound == curve.tried.bound
    expected = try_on(first, second, 1.0, delta=1e-3)
    np.testing.assert_array_equal(level.tried.refutation.wealth, expected.refutation.wealth)
    assert curve.tried.refutation.refuted_after is not None


def test_more_pairs_only_go_on():
    few, many = (try_claim("laplace", 0.3, pairs).tried.refutation for pairs in (100, 1_000))
    np.testing.assert_array_equal(many.wealth[:100], few.wealth)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "exponential"}, "^kind must be laplace"),
        ({"against": "risk"}, "^against must be level or curve"),
        ({"share": 0.0}, "^share must be"),
        ({"pairs": 3}, "^pairs must be"),
        ({"pairs": 20_001}, "^pairs must be"),
    ],
)
def test_what_cannot_be_tried_is_refused(changed, message):
    with pytest.raises(ParameterError, match=message):
        try_claim(**{"kind": "laplace", "epsilon": 1.0, "pairs": 20} | changed)
