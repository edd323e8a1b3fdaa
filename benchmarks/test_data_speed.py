"""How fast tables come, and how long the longest step of long work on them is. Nothing here fails for being slow.

Run: pytest benchmarks/test_data_speed.py -s
"""

import time
from functools import partial

import numpy as np
import pandas as pd
import pytest

from par_core.datasets import census2000, wooldridge
from par_core.queries import CountBy
from par_core.sampling import QuantileOf, sample_sensitivity

GOAL = 0.2  # seconds of a step, after which a cancel is looked at


def longest(work):
    """Return the longest time between two calls of `progress`, in time of this thread: the machine may be busy with others."""
    times = [time.thread_time()]
    work(progress=lambda share: times.append(time.thread_time()))  # noqa: ARG005  # the time alone counts
    return max(np.diff([*times, time.thread_time()]))


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
    query = CountBy(("group",), (tuple(groups[:40]),))
    spent = longest(partial(query.answer, table, person="who", rows_per_person=1))
    print(f"\nlongest step over {size:,} rows: {spent:.3f} s (goal: {GOAL:g})")


@pytest.mark.parametrize("query", [QuantileOf("pay"), lambda rows: rows["pay"].median()], ids=("ours", "a function"))
def test_longest_step_of_sampling(query):
    table = pd.DataFrame({"pay": np.random.default_rng(7).gamma(2.0, 20.0, 30_000)})
    rng = np.random.default_rng(1)
    spent = longest(partial(sample_sensitivity, query, table, rows=1000, pairs=1500, rng=rng))
    print(f"\nlongest step of sampling: {spent:.3f} s (goal: {GOAL:g})")
