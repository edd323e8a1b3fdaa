"""How fast Theorem 4 is here, and against the papers' own hypergeometric form. Nothing here fails for being slow.

Run: pytest benchmarks/test_explicit_speed.py -s
"""

import time

import mpmath as mp
import numpy as np
import pytest

from par_core.published import explicit

DIMENSIONS = np.array([1, 2, 3])
EPSILONS = np.linspace(0.02, 1.0, 50)


def curves():
    """Return figure 1a: fifty points for each of three dimensions."""
    return explicit.confidence(EPSILONS, 1.0, k=DIMENSIONS[:, None])


def hypergeometric_cdf(x, k):
    """P(T <= x) as the papers write it: the Bessel density integrated term by term, a difference of two 1F2.

    The two halves cancel more and more as x grows, so the working precision has to grow too.
    """
    with mp.workdps(30 + int(x)):
        x, order = mp.mpf(x), k - mp.mpf(1) / 2
        scale = 2 ** (2 - k) / (mp.sqrt(2 * mp.pi) * mp.gamma(k)) * mp.pi / (2 * mp.sin(mp.pi * order))
        even = 2**order * x * mp.hyp1f2(mp.mpf(1) / 2, 1 - order, mp.mpf(3) / 2, x**2 / 4) / mp.gamma(1 - order)
        odd = mp.hyp1f2(k, k + 1, 1 + order, x**2 / 4) * x ** (2 * k)
        return float(scale * (even - odd / (2**order * 2 * k * mp.gamma(1 + order))))


def published_curves():
    rows = []
    for k in DIMENSIONS.tolist():
        whole = hypergeometric_cdf(1.0, k)
        rows.append([hypergeometric_cdf(epsilon, k) / whole for epsilon in EPSILONS.tolist()])
    return np.array(rows)


def best_time(function, *, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.benchmark(group="figure 1a")
def test_curves(benchmark):
    found = benchmark(curves)
    np.testing.assert_allclose(found, published_curves(), rtol=1e-12)


@pytest.mark.benchmark(group="figure 1a")
def test_curves_as_published(benchmark):
    benchmark.pedantic(published_curves, rounds=3)
    ratio = best_time(published_curves, repeats=2) / best_time(curves, repeats=20)
    benchmark.extra_info["times faster"] = round(ratio)
    print(f"\n50 points x 3 dimensions: {ratio:.0f} times as fast as the hypergeometric form (goal: 100)")


@pytest.mark.benchmark(group="10,000 inversions")
@pytest.mark.parametrize("k", [1, 3, 20, "1 to 20", 10_000])
def test_inversions(benchmark, k):
    rng = np.random.default_rng(1)
    wanted, epsilon0 = rng.uniform(size=10_000), np.exp(rng.uniform(np.log(0.01), np.log(10.0), size=10_000))
    dimension = rng.integers(1, 21, size=10_000) if isinstance(k, str) else k
    found = benchmark(explicit.epsilon_at, wanted, epsilon0, k=dimension)
    assert (explicit.confidence(found, epsilon0, k=dimension) >= wanted).all()
