"""Noise of the audit: the scale that is valid, the published one that is not, exact mixtures, and the stand-in for Gaussian kernels."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate, stats

from par_core.audit.classical import classical_sensitivity
from par_core.audit.distances import hausdorff, wasserstein_inf
from par_core.audit.gaussian_noise import band_limited_noise, measured_level
from par_core.audit.noise import (
    achieved_epsilon,
    compared_with_classical,
    counterexample,
    hausdorff_scale,
    mixture_noise,
    wasserstein_scale,
)
from par_core.audit.queries import PanelSum
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import ESTIMATE, PROVEN, PUBLISHED

# --- distances ---------------------------------------------------------------------------------------------------


def plain_hausdorff(a, b):
    gaps = np.abs(np.subtract.outer(a, b))
    return max(gaps.min(axis=0).max(), gaps.min(axis=1).max())


def plain_wasserstein(a, b):
    """Both quantile functions between all multiples of 1/(n·m)."""
    cells = len(a) * len(b)
    at = np.arange(cells)
    return np.abs(np.sort(a)[at * len(a) // cells] - np.sort(b)[at * len(b) // cells]).max()


@pytest.mark.parametrize(("size", "other"), [(1, 1), (1, 5), (7, 1), (6, 6), (6, 9), (12, 7)])
def test_distances_are_their_definitions(size, other):
    rng = np.random.default_rng([size, other])
    a, rows = rng.standard_normal(size), np.round(rng.standard_normal((60, other)), 1)
    rows[0, 0] = a[0]
    assert hausdorff(a, rows) == pytest.approx([plain_hausdorff(a, row) for row in rows], rel=1e-15)
    assert wasserstein_inf(a, rows) == pytest.approx([plain_wasserstein(a, row) for row in rows], rel=1e-15)
    assert hausdorff(a, rows[3]) == hausdorff(a, rows)[3]
    assert wasserstein_inf(a, rows[3]) == wasserstein_inf(a, rows)[3]
    assert isinstance(hausdorff(a, rows[3]), float)
    assert isinstance(wasserstein_inf(a, rows[3]), float)
    assert (hausdorff(a, rows) <= wasserstein_inf(a, rows) * (1 + 1e-15)).all()
    for distance in (hausdorff, wasserstein_inf):
        assert distance(a, a[::-1]) == 0
        assert distance(rows[3], a) == pytest.approx(distance(a, rows[3]), rel=1e-15)


def test_rows_are_cut_in_blocks_without_a_seam():
    rng = np.random.default_rng(2)
    a, rows = rng.standard_normal(41), rng.standard_normal((60_000, 41))
    chosen = [0, 24_389, 24_390, 48_780, 59_999]
    assert hausdorff(a, rows)[chosen] == pytest.approx([plain_hausdorff(a, rows[at]) for at in chosen])
    assert wasserstein_inf(a, rows)[chosen] == pytest.approx([plain_wasserstein(a, rows[at]) for at in chosen])


def test_weights_are_repetitions():
    rng = np.random.default_rng(3)
    for _ in range(50):
        a, b = rng.standard_normal(5), rng.standard_normal(7)
        times_a, times_b = rng.integers(0, 4, 5), rng.integers(0, 4, 7)
        times_a[0] += 1
        times_b[1] += 1
        expected = wasserstein_inf(np.repeat(a, times_a), np.repeat(b, times_b))
        assert wasserstein_inf(a, b, weights_a=times_a, weights_b=times_b) == expected
        assert wasserstein_inf(a, np.repeat(b, times_b), weights_a=times_a) == expected


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hausdorff([], [1.0]), "a must be a sample"),
        (lambda: wasserstein_inf([1.0], [math.nan]), "b must be finite"),
        (lambda: hausdorff([[1.0]], [1.0]), "shape"),
        (lambda: hausdorff(["x"], [1.0]), "a must be a sample of numbers"),
        (lambda: wasserstein_inf([1.0], [1.0], weights_a=[0]), "do not all vanish"),
        (lambda: wasserstein_inf([1.0], [1.0], weights_a=[0.5]), "weights_a"),
        (lambda: wasserstein_inf([1.0], [[1.0], [2.0]], weights_b=[1]), "only be given for one sample"),
    ],
)
def test_wrong_samples(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_huge_numbers_are_right_or_refused():
    assert wasserstein_inf([1e300, 1e300], [-1e300, 1e300]) == 2e300
    with pytest.raises(ParameterError, match="at most 1e\\+300"):
        hausdorff([1e308], [-1e308])
    for far in ([0.0, 1e308], [-1e308, 0.0], [0.0, math.inf]):
        with pytest.raises(ParameterError, match="at most 1e\\+300"):
            wasserstein_inf(far, [0.0, 1.0])


# --- the scale ---------------------------------------------------------------------------------------------------


def random_pairs(count):
    """Samples with and without an individual: small and large changes, clusters, heavy tails, unequal sizes."""
    rng = np.random.default_rng(11)
    for trial in range(count):
        size = int(rng.integers(2, 45))
        kind = trial % 4
        a = [
            rng.standard_normal,
            rng.standard_cauchy,
            lambda n: rng.integers(0, 2, n) * 1.0,
            lambda n: rng.exponential(size=n),
        ][kind](size)
        moved = rng.random(size) < rng.uniform(0.05, 1)
        b = np.where(moved, a + rng.choice([0.01, 0.3, 2.0]) * rng.standard_cauchy(size), a)
        yield a, b if trial % 5 else b[: max(1, size - 2)], float(rng.uniform(0.05, 2))


def test_wasserstein_gives_the_level_on_2000_pairs_and_hausdorff_does_not():
    valid, published = [], []
    for a, b, epsilon in random_pairs(2200):  # somewhat more than are wanted: in some, nothing changes
        needed, claimed = wasserstein_scale(a, b, epsilon=epsilon).scale, hausdorff_scale(a, b, epsilon=epsilon).scale
        if needed > 0:
            valid.append(achieved_epsilon(a, b, scale=needed) / epsilon)
        if claimed > 0:
            published.append(achieved_epsilon(a, b, scale=claimed) / epsilon)
    assert len(valid) >= 2000
    assert max(valid) <= 1
    assert (
        70 <= np.count_nonzero(np.array(published) > 1 + 1e-9) <= 86
    )  # 78 counterexamples with this generator, 3.7 in 100
    assert max(published) == pytest.approx(2.80, abs=0.01)  # times the level that was wanted


def test_the_counterexample():
    shown = counterexample()
    assert (len(shown.first), len(shown.second), shown.epsilon) == (41, 41, 0.5)
    assert shown.hausdorff_achieved == pytest.approx(math.log(40), abs=0.1)
    assert shown.hausdorff_achieved > 7 * shown.epsilon
    assert shown.wasserstein_achieved <= 0.5
    assert shown.hausdorff_scale == pytest.approx(0.001 / 0.5)
    assert counterexample(many=400).hausdorff_achieved > 5


def test_the_largest_log_ratio_is_at_a_sample_point():
    rng = np.random.default_rng(5)
    a, b, scale = rng.standard_normal(7), rng.standard_normal(9), 0.4
    at = np.linspace(-12, 12, 40_001)
    above, below = (np.exp(-np.abs(at[:, None] - sample) / scale).mean(axis=1) for sample in (a, b))
    seen = np.abs(np.log(above / below)).max()
    exact = achieved_epsilon(a, b, scale=scale)
    assert seen <= exact * (1 + 1e-12)
    assert seen == pytest.approx(exact, rel=1e-3)
    assert achieved_epsilon([0.0], [3.0], scale=1.5) == pytest.approx(2.0)
    assert achieved_epsilon([0.0, 1e6], [0.0, 1e6 + 1], scale=1.0) == pytest.approx(1.0)  # nothing underflows
    rows = rng.standard_normal((5, 9))
    assert achieved_epsilon(a, rows, scale=scale) == pytest.approx(
        [achieved_epsilon(a, row, scale=scale) for row in rows]
    )


def test_a_scale_says_whose_it_is():
    a = np.array([1.0, 2.0, 3.0])
    rows = np.array([[1.0, 2.0, 3.0], [1.0, 2.5, 3.0], [1.1, 2.1, 3.1]])
    valid, published = wasserstein_scale(a, rows, epsilon=0.25), hausdorff_scale(a, rows, epsilon=0.25)
    assert (valid.individual, valid.distance, valid.evidence.basis) == (1, 0.5, PROVEN)
    assert valid.scale == pytest.approx(2.0)
    assert valid.scale >= 2.0
    assert published.evidence.basis is PUBLISHED
    assert "false" in published.limits
    assert wasserstein_scale(a, rows[:1], epsilon=0.25).scale == 0
    for bad in (0.0, -1.0, math.nan, 5e-324):
        with pytest.raises(ParameterError, match="epsilon"):
            wasserstein_scale(a, rows, epsilon=bad)


# --- exact mixtures for Laplace kernels --------------------------------------------------------------------------


@pytest.mark.parametrize(("kernel", "scale"), [(1.0, 2.0), (0.3, 0.31), (0.001, 5.0)])
def test_kernel_and_noise_together_are_laplace(kernel, scale):
    noise = mixture_noise(kernel, scale)
    frequency = np.linspace(0, 50 / kernel, 2001)
    together = noise.characteristic(frequency) / (1 + (kernel * frequency) ** 2)
    assert together == pytest.approx(1 / (1 + (scale * frequency) ** 2), rel=1e-10)
    assert noise.exact_share == pytest.approx((kernel / scale) ** 2)


def test_the_law_of_the_noise_fits_together():
    noise = mixture_noise(1.0, 2.0)
    assert integrate.quad(noise.density, 0, 80)[0] * 2 == pytest.approx(0.75, rel=1e-9)
    assert 2 * integrate.quad(lambda x: x * noise.density(x), 0, 160)[0] == pytest.approx(noise.mean_absolute)
    assert noise.cdf(0.0) - noise.cdf(-1e-300) == pytest.approx(0.25)
    for x in (-3.0, -0.5):
        assert noise.cdf(x) == pytest.approx(integrate.quad(noise.density, -80, x)[0])
        assert noise.cdf(-x) == pytest.approx(1 - noise.cdf(x))
    assert noise.cdf([-1e9, 1e9]).tolist() == [0, 1]
    at = np.linspace(-40, 40, 400_001)
    assert noise.characteristic(0.7) == pytest.approx(
        0.25 + np.trapezoid(noise.density(at) * np.cos(0.7 * at), at), rel=1e-6
    )


def test_samples_follow_the_law():
    """False alarms: each of the three p-values is below 1e-4 once in 10,000 seeds; the seed is fixed."""
    noise = mixture_noise(0.6, 1.0)
    drawn = noise.sample(200_000, rng=np.random.default_rng(17))
    exact = drawn == 0
    assert stats.binomtest(int(exact.sum()), len(drawn), 0.36).pvalue > 1e-4
    assert stats.kstest(drawn[~exact], stats.laplace(scale=1.0).cdf).pvalue > 1e-4
    assert np.abs(drawn).mean() == pytest.approx(noise.mean_absolute, rel=0.02)
    assert (noise.sample(10, rng=np.random.default_rng(17)) == noise.sample(10, rng=np.random.default_rng(17))).all()
    assert "36 of 100 releases" in noise.words
    assert mixture_noise(0.5, 1.23456).words.endswith("of scale 1.235."), "four digits, never less than it is"


@pytest.mark.parametrize("scale", [0.0, 0.5, 1.0])
def test_no_noise_where_the_kernel_is_wide_enough(scale):
    noise = mixture_noise(1.0, scale)
    assert (noise.exact_share, noise.mean_absolute, noise.cdf(-1e-9), noise.cdf(0.0), noise.density(1.0)) == (
        1,
        0,
        0,
        1,
        0,
    )
    assert noise.characteristic(3.0) == 1
    assert (noise.sample(5, rng=np.random.default_rng(1)) == 0).all()
    assert "always released" in noise.words


def test_noisy_densities_reach_the_level():
    """Kernel 0.2 and the mixture for the Wasserstein scale: both densities by quadrature, against the wanted level."""
    rng = np.random.default_rng(23)
    a = rng.standard_normal(15)
    b = a + 0.3 * rng.random(15)
    valid = wasserstein_scale(a, b, epsilon=0.3)
    noise = mixture_noise(0.2, valid.scale)
    at = np.linspace(-6, 6, 801)
    grid = np.linspace(-40, 40, 160_001)
    kernel = np.exp(-np.abs(grid) / 0.2) / 0.4
    smooth = np.convolve(noise.density(grid), np.exp(-np.abs(grid[76_000:84_001]) / 0.2) / 0.4, mode="same") * (
        grid[1] - grid[0]
    )
    blurred = noise.exact_share * kernel + smooth
    above, below = (np.interp(at[:, None] - sample, grid, blurred).mean(axis=1) for sample in (a, b))
    assert np.abs(np.log(above / below)).max() <= 0.3 * (1 + 1e-3)


@pytest.mark.filterwarnings("error")
def test_what_leaves_the_floats_is_refused_or_right():
    for call in (
        lambda: achieved_epsilon([1e308], [-1e308], scale=1.0),
        lambda: achieved_epsilon([0.0], [1.0], scale=5e-324),
        lambda: counterexample(epsilon=1e308),
        lambda: counterexample(spread=5e-324),
        lambda: compared_with_classical(1.0, 0.1, sensitivity=np.array([1.0, 2.0])),
        lambda: mixture_noise(1.0, 2.0).sample(3, rng=7),
        lambda: wasserstein_inf([[1.0], [2.0, 3.0]], [1.0]),
        lambda: hausdorff(np.ma.array([1.0, -9999.0], mask=[0, 1]), [1.0]),
        lambda: measured_level(band_limited_noise(0.1, 1.0), [1e300, -1e300], without=[1e300, 0.0]),
        lambda: measured_level(None, [1.0], without=[1.0]),
    ):
        with pytest.raises(ParameterError):
            call()
    assert mixture_noise(1.0, 2.0).characteristic(1e308) == 0.25


# --- Gaussian kernels --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [0.2, 0.05, 0.00225])
def test_the_stand_in_is_a_density_near_the_wanted_one(ratio):
    noise = band_limited_noise(3 * ratio, 3.0)
    step = noise.grid[1] - noise.grid[0]
    assert noise.density.min() >= 0
    assert noise.density.sum() * step + noise.tail == pytest.approx(1, rel=1e-9)
    at = np.linspace(-40, 40, 4001)
    wanted = np.exp(-np.abs(at) / 3) / 6
    found = noise.blurred(at)
    assert np.abs(np.log(found / wanted)).max() < 1.3 * ratio  # at the kink, which no Gaussian blur has
    assert noise.mean_absolute == pytest.approx(3.0, rel=0.01)
    assert noise.evidence.basis is ESTIMATE
    assert "No density solves" in noise.limits


def test_the_tails_of_the_stand_in_are_those_of_a_laplace_law():
    noise = band_limited_noise(0.1, 1.0)
    end, step = noise.grid[-1], noise.grid[1] - noise.grid[0]
    assert noise.tail == pytest.approx(math.exp(-end), rel=2 * step)
    far = end + np.array([0.5, 1.5, 30.0])
    np.testing.assert_allclose(noise.blurred(far[1:]) / noise.blurred(far[:1]), np.exp(far[0] - far[1:]), rtol=1e-12)
    np.testing.assert_allclose(noise.blurred(far), np.exp(-far) / 2, rtol=0.05)


def test_the_tails_of_the_stand_in_are_drawn():
    """They are too rare to be met, so half of the probability is put into them here. False alarm: once in 10,000 seeds."""
    thin = band_limited_noise(0.1, 1.0)
    noise = replace(thin, density=thin.density * 0.5 / (1 - thin.tail), tail=0.5)
    end, step = noise.grid[-1], noise.grid[1] - noise.grid[0]
    drawn = noise.sample(40_000, rng=np.random.default_rng(31))
    far = drawn[np.abs(drawn) > end + step / 2]
    assert stats.binomtest(len(far), 40_000, 0.5 * math.exp(-step / 2)).pvalue > 1e-4
    assert stats.binomtest(int((far > 0).sum()), len(far)).pvalue > 1e-4
    assert stats.kstest(np.abs(far) - end - step / 2, "expon").pvalue > 1e-4
    inside = np.abs(noise.grid) @ noise.density * step
    assert noise.mean_absolute == pytest.approx(inside + 0.5 * (end + 1.0), rel=1e-12)
    assert noise.mean_absolute == pytest.approx(np.abs(drawn).mean(), rel=0.03)


def test_samples_of_the_stand_in_follow_its_density():
    """False alarm: below 1e-4 once in 10,000 seeds; the seed is fixed."""
    noise = band_limited_noise(0.1, 1.0)
    drawn = noise.sample(100_000, rng=np.random.default_rng(29))
    step = noise.grid[1] - noise.grid[0]
    ends = noise.grid + step / 2
    upto = noise.tail / 2 + np.cumsum(noise.density) * step
    assert stats.kstest(drawn, lambda x: np.interp(x, ends, upto)).pvalue > 1e-4


def test_its_level_is_measured_and_near_the_exact_one():
    rng = np.random.default_rng(31)
    a = rng.standard_normal(20)
    rows = a + rng.random((40, 20)) * np.linspace(0.001, 0.3, 40)[:, None]
    valid = wasserstein_scale(a, rows, epsilon=0.2)
    found = measured_level(band_limited_noise(0.05 * valid.scale, valid.scale), a, without=rows)
    assert found.aimed_at == pytest.approx(np.max(achieved_epsilon(a, rows, scale=valid.scale)))
    assert found.epsilon == pytest.approx(found.aimed_at, rel=0.05)
    assert (found.measured, found.evidence.basis) == (25, ESTIMATE)


def test_kernels_without_a_stand_in():
    with pytest.raises(InfeasibleError, match="needs a scale of at least 5") as caught:
        band_limited_noise(1.0, 4.9)
    assert caught.value.best == 5.0
    band_limited_noise(1.0, caught.value.best)
    with pytest.raises(ParameterError, match="at most 1,000 kernel widths"):
        band_limited_noise(1.0, 1001.0)


# --- beside the classical mechanism ------------------------------------------------------------------------------


def test_unbounded_queries_need_infinite_noise():
    unbounded = compared_with_classical(1.5, 0.1, sensitivity=math.inf)
    assert unbounded.mean_absolute == math.inf
    assert "infinite noise" in unbounded.words
    bounded = compared_with_classical(1.5, 0.1, sensitivity=2.0)
    assert bounded.mean_absolute == pytest.approx(20)
    assert "needs 20." in bounded.words
    with pytest.raises(ParameterError, match="sensitivity"):
        compared_with_classical(1.5, 0.1, sensitivity=0.0)
    with pytest.raises(ParameterError, match="bounds"):
        classical_sensitivity(PanelSum(), bounds=(1.0, 0.0))
