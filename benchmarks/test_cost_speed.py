"""How fast the optima and curves of the budget are, and against a plain bounded search. Nothing here fails for being slow.

Run: pytest benchmarks/test_cost_speed.py -s
"""

import time

import numpy as np
import pytest
from scipy import optimize

from par_core.cost import TRUTHS, CostModel, PiecewiseLinear, curve, epsilon_range, optimum, sensitivity_analysis

EPSILON0S = (0.1, 0.5, 0.7, 1.0)
HEALTH_CENTRE = CostModel(5500, stakeholders=100)
_LEVELS = np.geomspace(0.01, 1.0, 200)
TABLE = PiecewiseLinear(list(zip(_LEVELS, HEALTH_CENTRE.dp(_LEVELS), strict=True)))
GOAL = 5e-3  # seconds, for the optima and curves of four epsilon0


def best_time(function, *, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def scipy_optima():
    """Return the published optima by one bounded Brent search each, which finds one local minimum to about eight digits."""
    found = [
        optimize.minimize_scalar(
            lambda epsilon, epsilon0=epsilon0: HEALTH_CENTRE.at_risk(epsilon, epsilon0, truth="published"),
            bounds=(1e-6 * epsilon0, epsilon0),
            method="bounded",
            options={"xatol": 1e-12},
        )
        for epsilon0 in EPSILON0S
    ]
    return np.array([each.x for each in found])


@pytest.mark.benchmark(group="four curves and eight optima")
@pytest.mark.parametrize(
    ("model", "k"), [(HEALTH_CENTRE, 1), (HEALTH_CENTRE, 3), (TABLE, 1)], ids=["k=1", "k=3", "table"]
)
def test_curves_and_optima(benchmark, model, k):
    found = benchmark(curve, model, EPSILON0S, k=k)
    spent = best_time(lambda: curve(model, EPSILON0S, k=k), repeats=20)
    benchmark.extra_info["goal met"] = spent <= GOAL
    print(f"\n{model.name}, k = {k}: {1e3 * spent:.2f} ms (goal: {1e3 * GOAL:g})")
    assert len(found.curves) == len(EPSILON0S)


@pytest.mark.benchmark(group="four optima")
@pytest.mark.parametrize("truth", TRUTHS)
def test_optima(benchmark, truth):
    benchmark(optimum, HEALTH_CENTRE, EPSILON0S, truth=truth)


@pytest.mark.benchmark(group="four optima")
def test_optima_by_a_plain_search(benchmark):
    found = benchmark.pedantic(scipy_optima, rounds=3)
    np.testing.assert_allclose(found, optimum(HEALTH_CENTRE, EPSILON0S, truth="published").epsilon, atol=1e-6)
    ratio = best_time(scipy_optima, repeats=3) / best_time(
        lambda: optimum(HEALTH_CENTRE, EPSILON0S, truth="published"), repeats=10
    )
    print(f"\nfour published optima: {ratio:.0f} times as fast as scipy's bounded search, which is local")


@pytest.mark.benchmark(group="range")
@pytest.mark.parametrize("truth", TRUTHS)
def test_range(benchmark, truth):
    benchmark(epsilon_range, 70_000, 2, 0.5, model=HEALTH_CENTRE, truth=truth)


@pytest.mark.benchmark(group="sensitivity")
def test_sensitivity(benchmark):
    benchmark(sensitivity_analysis, HEALTH_CENTRE, 0.5)
