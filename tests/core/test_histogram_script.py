"""The script of a histogram: the same rows in the same bins as in the exact answer, OpenDP's proof, and the law of its draws.

OpenDP takes no seed: a right script fails the comparison of its draws with the exact law once in 1e6 runs of a test.
"""

import itertools
import math

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest
from scipy import stats

from par_core.export.plan_code import plan_code
from par_core.export.release_code import planned_code, release_code
from par_core.plan import NamedRelease, Plan, Release
from par_core.queries import Condition, Count, Histogram
from par_core.release import plan_release
from par_core.scenario import Neighbours, Scenario
from par_core.tables.table import read_table
from tests.core.script_text import draws, namespace, pooled

FALSE_ALARM = 1e-6
DRAWS = 10_000
REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE


def counted(names, table, k):
    """Return how many rows a script puts into each cell."""
    cell = names["cells"](table)
    return np.bincount(cell[cell >= 0], minlength=k).tolist()


# --- the same bins as in the exact answer ---

WORST = [
    *("0", "-0", "-0.0", "0.1", "0.30000000000000004", "0.3", "5e-324", "-5e-324", "1e-400", "1e300", "-1e300"),
    *(
        "1.7976931348623157e308",
        "-1.7976931348623157e308",
        "inf",
        "-inf",
        "",
        "NA",
        "20",
        "30.0",
        "3e1",
        "29.999999999999996",
    ),
    *("9007199254740991", "9007199254740992", "9007199254740993", "9007199254740995", "18446744073709551615"),
    *("0.1000000000000000055511151231257827", "2.2250738585072014e-308", "123456789012345678901234567890"),
]
EDGES = (-1e300, -1.0, 0.0, 0.1, 0.3, 0.30000000000000004, 20.0, 30.0, 2.0**53, 2.0**53 + 2, 1e300)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_a_value_falls_into_the_same_bin_in_the_exact_answer_and_in_the_script(tmp_path, mechanism):
    rng = np.random.default_rng(3)
    near = [np.nextafter(edge, way) for edge in EDGES for way in (-math.inf, math.inf)]
    values = [
        *WORST,
        *map(repr, EDGES),
        *(repr(float(each)) for each in near),
        *map(repr, rng.normal(0, 50, 500).tolist()),
    ]
    for chosen in (
        values,
        [each for each in values if each.isdigit()],
        ["-0", "", "20"],
        ["20", "30"],
        ["0.3"],
        ["NA", "5"],
    ):
        data = ("v,w\n" + "".join(f"{each},{at % 2}\n" for at, each in enumerate(chosen))).encode()
        (tmp_path / "f.csv").write_bytes(data)
        table = read_table("f", data)
        assert table.kind("v") == "number"
        for where in (None, Condition("w", "==", 1)):
            query = Histogram("v", EDGES, where=where)
            code = planned_code(
                plan_release(query, 0.5, neighbours=ADD, mechanism=mechanism, delta=1e-5), csv=table.written
            )
            names = namespace(code.text)
            found = names["read"](str(tmp_path / "f.csv"))
            assert counted(names, found, query.k) == query.answer(table.frame).exact.tolist()
            assert names["LABELS"] == list(query.labels)
            (vector,) = names["prepare"](found)
            assert len(vector) == (query.k if mechanism == "gaussian" else len(found))


@pytest.mark.parametrize("seed", range(10))
def test_random_values_on_and_beside_random_edges_fall_into_the_same_bins(seed):
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.normal(0, 10 ** rng.uniform(-9, 9), rng.integers(2, 60)))
    query = Histogram("v", tuple(edges.tolist()))
    names = namespace(release_code(query, Scenario()).text)
    assert tuple(names["EDGES"]) == query.edges
    beside = [np.nextafter(edges, -np.inf), edges, np.nextafter(edges, np.inf), rng.normal(0, edges.std(), 300)]
    table = pd.DataFrame({"v": np.concatenate([*beside, [np.nan, np.inf, -np.inf, -0.0]])})
    assert counted(names, table, query.k) == query.answer(table).exact.tolist()
    for dtype in ("int64", "Int64", "uint64"):
        whole = pd.DataFrame({"v": pd.Series(rng.integers(0, 2**62, 50), dtype=dtype)})
        assert counted(names, whole, query.k) == query.answer(whole).exact.tolist()


def test_a_table_without_values_and_one_without_rows_are_counted_nowhere():
    names = namespace(release_code(Histogram("v", (0, 1)), Scenario()).text)
    assert names["cells"](pd.DataFrame({"v": [np.nan] * 3})).tolist() == [-1] * 3
    assert names["cells"](pd.DataFrame({"v": np.zeros(0)})).tolist() == []
    with pytest.raises(SystemExit, match="row 2 below the heading, column 'v': a number is expected"):
        names["cells"](pd.DataFrame({"v": ["1", "x"]}))


# --- what OpenDP proves ---


def test_opendp_proves_the_level_of_the_plan_and_never_more_in_150_settings():
    rng = np.random.default_rng(34)
    ratios = []
    for _ in range(150):
        edges = np.unique(rng.normal(0, 10 ** rng.uniform(-5, 5), rng.integers(2, 200)))
        query = Histogram("v", tuple(edges.tolist()))
        neighbours = (REPLACE, ADD)[rng.integers(2)]
        rows = int(10 ** rng.uniform(0, 4))
        level = float(10 ** rng.uniform(-4, 1))
        scenario = Scenario(epsilon0=level, neighbours=neighbours, rows_per_person=rows)
        names = namespace(release_code(query, scenario).text)
        size = int(rng.integers(1, 10**6))
        (measurement,) = names["measurements"](size)
        proven = measurement.map(names["ONE_PERSON"])
        assert proven <= level
        ratios.append(proven / level)
        # The bins are found row by row: with them in the chain, OpenDP proves that one person moves the counts no further.
        space = names["tables"](dp.atom_domain(T=float, nan=False), size)
        bins = space >> dp.t.then_find_bin(names["EDGES"])
        by_cell = dp.t.then_count_by_categories(
            list(range(query.k)), null_category=False, MO="L1Distance<i64>", TOA="i64"
        )
        assert (bins >> by_cell).map(rows) == query.sensitivity(neighbours, rows)
    assert min(ratios) > 1 - 1e-12


def test_opendp_proves_the_level_that_a_plan_gives_a_histogram():
    query, other = Histogram("v", (0, 1, 5)), Count(Condition("v", ">", 1))
    for neighbours, weight, rows in itertools.product(Neighbours, (0.3, 1.0, 7.0), (1, 3)):
        releases = (
            Release(query.shape, rows_per_person=rows, weight=weight),
            Release(other.shape, rows_per_person=rows),
        )
        plan = Plan(releases, 0.7, neighbours)
        named = [NamedRelease(each, asked) for each, asked in zip(releases, (query, other), strict=True)]
        names = namespace(plan_code(plan, named).text)
        (measurement,) = names["measurements_r1"](50)
        assert plan.levels[0] * (1 - 1e-12) < measurement.map(rows) <= plan.levels[0]


# --- what OpenDP draws ---


@pytest.mark.parametrize(("mechanism", "neighbours"), [("laplace", REPLACE), ("laplace", ADD), ("gaussian", ADD)])
def test_the_draws_of_the_script_have_the_law_of_the_plan(mechanism, neighbours):
    """Chi-squared over 10,000 draws of each of four cells; false alarm 1e-6 for all of them together."""
    query = Histogram("v", (0, 10, 20))
    table = pd.DataFrame({"v": [*[-1.0] * 5, *[0.0] * 40, *[15.0] * 7, np.nan]})
    truth = query.answer(table).exact
    planned = plan_release(query, 0.5, neighbours=neighbours, mechanism=mechanism, delta=1e-5)
    names = namespace(planned_code(planned).text)
    (vector,), (measurement,) = names["prepare"](table), names["measurements"](len(table))
    drawn = np.array(draws(measurement, vector, DRAWS), dtype=float) - truth
    scale = float(planned.error.scale)
    law = stats.dlaplace(1 / scale) if mechanism == "laplace" else stats.norm(scale=scale)
    reach = int(25 * scale)
    edges = np.array([-np.inf, *(np.arange(-reach, reach + 1) + 0.5), np.inf])
    chances = np.diff(law.cdf(edges))
    for each in drawn.T:
        seen, expected = pooled(np.histogram(each, edges)[0], DRAWS * chances)
        assert stats.chisquare(seen, expected).pvalue > FALSE_ALARM / query.k
