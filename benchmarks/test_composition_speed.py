"""How fast `exact` is, and against Google's accountant composing one release at a time. Nothing here fails for being slow.

Accuracies stand beside the times: of `exact` the gap between its guaranteed ends and the error of its central value against
values in many digits, of the other side the error of its pessimistic end.

Run: pytest benchmarks/test_composition_speed.py -s   (about two minutes)
"""

import csv
import time
from pathlib import Path

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution

from par_core.composition import compose, exact

DELTA = 1e-5
CURVE = np.arange(1, 301)
LEVELS = (0.1, 0.5, 1.0)
DATA = Path(__file__).parents[1] / "tests" / "core" / "data" / "composition_exact.csv"


def golden():
    with DATA.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield float(row["epsilon0"]), int(row["releases"]), float(row["delta"]), float(row["epsilon"])


def error_of_centre(epsilon0, found, numbers):
    """Largest relative error of a curve where the value is known in many digits."""
    places = {number: at for at, number in enumerate(numbers.tolist())}
    return max(
        abs(found.value[places[n]] / truth - 1)
        for level, n, delta, truth in golden()
        if level == epsilon0 and delta == DELTA and n in places
    )


def best_time(function, *, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def one_by_one(epsilon0, numbers, *, interval):
    """Google's accountant: the curve by adding one release at a time."""
    one = privacy_loss_distribution.from_laplace_mechanism(1 / epsilon0, value_discretization_interval=interval)
    total, curve = one, [one.get_epsilon_for_delta(DELTA)]
    for _ in numbers[1:]:
        total = total.compose(one)
        curve.append(total.get_epsilon_for_delta(DELTA))
    return np.array(curve)


@pytest.mark.benchmark(group="curve of 300 releases, both ends and the centre")
@pytest.mark.parametrize("epsilon0", LEVELS)
def test_curve(benchmark, epsilon0):
    found = benchmark(exact, epsilon0, CURVE, delta=DELTA)
    gap = float(((found.upper - found.lower) / found.value).max())
    error = error_of_centre(epsilon0, found, CURVE)
    benchmark.extra_info.update({"gap": gap, "error": error})
    milliseconds = 1e3 * best_time(lambda: exact(epsilon0, CURVE, delta=DELTA), repeats=10)
    print(
        f"\nε0 = {epsilon0}: {milliseconds:.0f} ms (goal: 100), ends {gap:.1g} apart (2e-4), centre off by {error:.1g} (1e-9)"
    )
    assert gap < 2e-4
    assert error < 1e-9


@pytest.mark.benchmark(group="single calls")
@pytest.mark.parametrize(("epsilon0", "n"), [(0.5, 1), (0.5, 30), (0.5, 300), (1e-4, 300), (20.0, 100)])
def test_single_call(benchmark, epsilon0, n):
    found = benchmark(exact, epsilon0, n, delta=DELTA)
    assert found.lower <= found.value <= found.upper


@pytest.mark.benchmark(group="up to 10,000 releases, log-spaced")
@pytest.mark.parametrize("epsilon0", LEVELS)
def test_many_releases(benchmark, epsilon0):
    numbers = np.unique(np.geomspace(1, 10_000, 60).astype(int))
    found = benchmark.pedantic(exact, args=(epsilon0, numbers), kwargs={"delta": DELTA}, rounds=3)
    gap = float(((found.upper - found.lower) / found.value).max())
    seconds = best_time(lambda: exact(epsilon0, numbers, delta=DELTA), repeats=2)
    print(f"\nε0 = {epsilon0}, n to 10,000: {seconds:.2f} s (goal: 1), ends {gap:.1g} apart")


@pytest.mark.benchmark(group="mixed levels")
@pytest.mark.parametrize("levels", [[0.1, 0.2, 0.5], [0.1, 0.25, 0.3, 1.0] * 5, [0.31415926, 0.2718281828]])
def test_mixed(benchmark, levels):
    found = benchmark.pedantic(exact, args=(compose(levels, 10),), kwargs={"delta": DELTA}, rounds=5)
    assert found.lower <= found.value <= found.upper


@pytest.mark.benchmark(group="against one by one, step 1e-2")
@pytest.mark.parametrize("epsilon0", LEVELS)
def test_coarse_step(benchmark, epsilon0):
    curve = benchmark.pedantic(one_by_one, args=(epsilon0, CURVE), kwargs={"interval": 1e-2}, rounds=1)
    ours = exact(epsilon0, CURVE, delta=DELTA)
    theirs = best_time(lambda: one_by_one(epsilon0, CURVE, interval=1e-2), repeats=2)
    ratio = theirs / best_time(lambda: exact(epsilon0, CURVE, delta=DELTA), repeats=10)
    error = float(np.abs(curve / ours.value - 1).max())
    benchmark.extra_info["times faster"] = round(ratio, 1)
    print(f"\nε0 = {epsilon0}, n to 300: {ratio:.1f} times as fast as step 1e-2 (goal: 1), which is off by {error:.1g}")


@pytest.mark.benchmark(group="against one by one, step 1e-4")
@pytest.mark.parametrize("epsilon0", LEVELS)
def test_fine_step(benchmark, epsilon0):
    """Run once: it takes up to a minute."""
    seconds = []

    def once():
        start = time.perf_counter()
        found = one_by_one(epsilon0, CURVE, interval=1e-4)
        seconds.append(time.perf_counter() - start)
        return found

    curve = benchmark.pedantic(once, rounds=1)
    ours = exact(epsilon0, CURVE, delta=DELTA)
    ratio = seconds[0] / best_time(lambda: exact(epsilon0, CURVE, delta=DELTA), repeats=10)
    error = float(np.abs(curve / ours.value - 1).max())
    centre = error_of_centre(epsilon0, ours, CURVE)
    benchmark.extra_info["times faster"] = round(ratio)
    print(
        f"\nε0 = {epsilon0}, n to 300: {ratio:.0f} times as fast as step 1e-4 (goal: 100), which is off by {error:.1g};"
        f" ours by {centre:.1g}"
    )
