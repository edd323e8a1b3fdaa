"""How fast tables come, and how long the longest step of long work on them is. Nothing here fails for being slow.

Run: pytest benchmarks/test_data_speed.py -s
"""

import time

import numpy as np
import pandas as pd
import pytest

from par_core.datasets import census2000, wooldridge
from par_core.implicit import QuantileOf, sensitivity_in_batches
from par_core.queries import CountBy, answer_in_batches

GOAL = 0.2  # seconds of a step, after which a cancel is looked at


def longest(steps):
    """Return the time of the longest step, in time of this thread: the machine may be busy with others."""
    times = [time.thread_time()]
    for _ in steps:
        times.append(time.thread_time())  # noqa: PERF401  # the time after each step
    return max(np.diff(times))


@pytest.mark.benchmark(group="census 2000, 29,501 rows")
def test_census(benchmark):
    benchmark.pedantic(census2000, setup=wooldridge._census2000.cache_clear, rounds=3)


def test_longest_step_of_counting_two_million_rows():
    rng, size = np.random.default_rng(6), 2_000_000
    groups = np.array([f"group {at}" for at in range(50)], dtype=object)
    table = pd.DataFrame(
        {
            "group": pd.array(groups[rng.integers(50, size=size)], dtype="str"),
            "who": pd.array(rng.integers(10**6, size=size).astype(str), dtype="str"),
        }
    )
    spent = longest(answer_in_batches(CountBy(("group",), (tuple(groups[:40]),)), table, person="who"))
    print(f"\nlongest step over {size:,} rows: {spent:.3f} s (goal: {GOAL:g})")


@pytest.mark.parametrize("query", [QuantileOf("pay"), lambda rows: rows["pay"].median()], ids=("ours", "a function"))
def test_longest_step_of_sampling(query):
    table = pd.DataFrame({"pay": np.random.default_rng(7).gamma(2.0, 20.0, 30_000)})
    spent = longest(sensitivity_in_batches(query, table, rows=1000, pairs=1500, rng=np.random.default_rng(1)))
    print(f"\nlongest step of sampling: {spent:.3f} s (goal: {GOAL:g})")
