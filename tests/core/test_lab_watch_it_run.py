"""Watch it run: the bound, the bars and what is expected of them, and that the first releases stay the first."""

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, PROVEN
from par_core.lab.watch_it_run import run
from par_core.mechanisms import NOISES

LEVELS = (1e-3, 0.3, 1.0, 20.0)
every_noise = pytest.mark.parametrize("kind", NOISES)


def sampled(kind, epsilon, k, seed):
    noise = NOISES[kind].for_epsilon(epsilon, sensitivity=1, delta=1e-5)
    return noise.sample(np.zeros(k), 10_000, np.random.default_rng(seed))


@every_noise
def test_the_first_releases_are_the_first_of_one_sample(kind):
    for k in (1, 7):
        drawn = np.abs(sampled(kind, 0.7, k, 5)).max(axis=1)
        for releases in (1, 2, 40, 10_000):
            seen = run(kind, 0.7, releases, k=k, seed=5)
            assert seen.beyond == (drawn[:releases] > seen.off).sum()
            assert seen.share == seen.beyond / releases
            assert seen.heights.sum() == pytest.approx(1.0, rel=1e-12)


@every_noise
@pytest.mark.parametrize("epsilon", LEVELS)
def test_bars_hold_what_was_drawn_and_the_line_what_is_expected(kind, epsilon):
    seen = run(kind, epsilon, 10_000, k=2)
    drawn = sampled(kind, epsilon, 2, 1).ravel()
    for middle, height in list(zip(seen.middles, seen.heights, strict=True))[1:-1:5]:
        within = (drawn >= middle - seen.width / 2) & (drawn < middle + seen.width / 2)
        assert height == pytest.approx(within.mean(), abs=1e-12)
    beyond = drawn >= seen.middles[-1] - seen.width / 2
    assert seen.heights[-1] == pytest.approx(beyond.mean(), abs=1e-12)
    whole = seen.curve.sum() if seen.is_whole else integrate.trapezoid(seen.curve, seen.errors) / seen.width
    assert whole == pytest.approx(1.0, abs=0.004)
    # Each of about 60 bars is as likely as the line says: beyond 6 standard deviations by chance for one seed in 10^7.
    expected = np.interp(seen.middles, seen.errors, seen.curve)
    off = np.abs(seen.heights - expected)[1:-1] - 0.01 * expected[1:-1]
    assert (off <= 6 * np.sqrt(expected[1:-1] / drawn.size) + 20 / drawn.size).all()


@every_noise
def test_bars_do_not_move_with_the_number_of_releases(kind):
    first, last = run(kind, 0.5, 1), run(kind, 0.5, 10_000)
    for name in ("middles", "width", "curve", "off"):
        np.testing.assert_array_equal(getattr(first, name), getattr(last, name))


@every_noise
@pytest.mark.parametrize("k", [1, 10, 100])
@pytest.mark.parametrize("beta", [0.001, 0.05, 0.5])
def test_no_more_than_a_share_beta_is_beyond_the_bound(kind, k, beta):
    seen = run(kind, 0.5, 10_000, k=k, beta=beta, seed=3)
    # Too many for one seed in 10^6 at most, too few for as many, of 27 such tests.
    assert special.bdtrc(seen.beyond - 1, 10_000, beta) > 1e-6 / 27
    if kind != "discrete-laplace":
        assert special.bdtr(seen.beyond, 10_000, beta) > 1e-6 / 27


def test_the_lectures_bound_is_the_union_bound_for_laplace_noise_alone():
    one, many = run("laplace", 0.5, 10, beta=0.05), run("laplace", 0.5, 10, k=20, beta=0.05)
    assert one.union == pytest.approx(math.log(20) / 0.5, rel=1e-14)
    assert one.off == pytest.approx(one.union, rel=1e-12)
    assert many.union == pytest.approx(math.log(400) / 0.5, rel=1e-14)
    assert many.off < many.union
    assert many.off == pytest.approx(-2 * math.log(1 - 0.95 ** (1 / 20)), rel=1e-12)
    assert run("gaussian", 0.5, 10).union == run("discrete-laplace", 0.5, 10).union == 0.0
    assert many.quantity("union").evidence.basis is many.quantity("off").evidence.basis is PROVEN
    assert many.quantity("share").evidence.basis is ESTIMATE


@pytest.mark.parametrize(("releases", "beta"), [(1, 0.5), (10, 0.5), (500, 0.05), (1000, 1e-4)])
def test_the_interval_is_that_of_clopper_and_pearson(releases, beta):
    seen = run("laplace", 1.0, releases, beta=beta, seed=2)
    ends = stats.binomtest(seen.beyond, releases).proportion_ci(0.95, method="exact")
    assert (seen.lower, seen.upper) == pytest.approx((ends.low, ends.high), abs=1e-9)


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"kind": "coins"}, "kind"),
        ({"epsilon": 1e-4}, "epsilon"),
        ({"releases": 0}, "releases"),
        ({"releases": 10_001}, "releases"),
        ({"k": 101}, "k"),
        ({"beta": 0.0}, "beta"),
        ({"seed": -1}, "seed"),
        ({"delta": 0.9}, "delta"),
    ],
)
def test_what_cannot_be_run_is_named(bad, name):
    with pytest.raises(ParameterError, match=f"^{name} must be"):
        run(**({"kind": "laplace", "epsilon": 1.0, "releases": 5} | bad))
