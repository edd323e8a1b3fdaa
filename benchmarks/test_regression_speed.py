"""How fast neighbouring ridge fits are, against a loop over scikit-learn, and the errors for figure 6. Nothing here fails for being slow.

Run: pytest benchmarks/test_regression_speed.py -s
"""

import time

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from par_core.datasets import household_heads
from par_core.regression import HOUSEHOLD_HEADS, PENALTY, neighbouring_coefficients, utility

PAIRS, ROWS = 15_000, 1000
LOOPED = 100  # pairs that scikit-learn is given; its time grows in proportion
GOAL = 5.0  # seconds, for all pairs on two cores


@pytest.fixture(scope="module")
def heads():
    return HOUSEHOLD_HEADS.problem()


@pytest.fixture(scope="module")
def pairs(heads):
    """Row numbers drawn with replacement: the work is the same, and drawing is not what is timed."""
    drawn = np.random.default_rng(1).integers(len(heads.design), size=(PAIRS, ROWS + 1))
    return np.ascontiguousarray(drawn[:, 2:]), drawn[:, 0], drawn[:, 1]


def best_time(function, *, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def scikit_learn_loop(problem, common, *lasts):
    """Fit each data set of the first pairs by itself."""
    model = Ridge(alpha=ROWS * PENALTY, fit_intercept=False)
    found = [
        [model.fit(problem.design[rows], problem.target[rows]).coef_ for rows in np.column_stack((common, last))]
        for last in lasts
    ]
    return np.array(found)


@pytest.mark.benchmark(group="15,000 neighbouring ridge fits of 1,000 rows")
def test_all_pairs(benchmark, heads, pairs):
    benchmark.pedantic(neighbouring_coefficients, args=(heads, *pairs), kwargs={"penalty": PENALTY}, rounds=3)
    spent = best_time(lambda: neighbouring_coefficients(heads, *pairs, penalty=PENALTY), repeats=3)
    benchmark.extra_info["goal met"] = spent <= GOAL
    print(f"\n{PAIRS:,} pairs of {ROWS:,} rows x {heads.design.shape[1]} columns: {spent:.2f} s (goal: {GOAL:g})")


@pytest.mark.benchmark(group="a hundred neighbouring ridge fits of 1,000 rows")
def test_a_loop_over_scikit_learn(benchmark, heads, pairs):
    few = tuple(part[:LOOPED] for part in pairs)
    found = benchmark.pedantic(scikit_learn_loop, args=(heads, *few), rounds=3)
    np.testing.assert_allclose(neighbouring_coefficients(heads, *few, penalty=PENALTY), found, rtol=0, atol=1e-9)
    looped = best_time(lambda: scikit_learn_loop(heads, *few), repeats=3) / LOOPED
    batched = best_time(lambda: neighbouring_coefficients(heads, *pairs, penalty=PENALTY), repeats=3) / PAIRS
    print(
        f"\n{looped / batched:.0f} times as fast as a loop over scikit-learn,"
        f" which would take {looped * PAIRS:.0f} s for all pairs"
    )


@pytest.mark.benchmark(group="errors of 50 runs at 50 epsilons, 212,605 rows")
def test_utility(benchmark, heads):
    epsilons = np.linspace(0.1, 0.99, 50)
    benchmark.pedantic(
        lambda: utility(heads, epsilons, penalty=PENALTY, rng=np.random.default_rng(1)), rounds=3, warmup_rounds=1
    )


@pytest.mark.benchmark(group="synthetic household heads, 212,605 rows")
def test_household_heads(benchmark):
    seeds = iter(range(10**6))
    benchmark.pedantic(lambda: household_heads(seed=next(seeds)), rounds=3)
