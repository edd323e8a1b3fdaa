"""Queries on pairs of neighbours: the fast way gives what the two answers give, and no pair passes the worst case."""

import itertools
import math
import statistics

import numpy as np
import pandas as pd
import pytest

from par_core.errors import DataError, ParameterError
from par_core.queries import Condition
from par_core.regression import coefficient_sensitivity
from par_core.sampling import CountOf, HistogramOf, MeanOf, Pairs, QuantileOf, RidgeOf, SumOf, VarianceOf
from par_core.sampling.population import TableSource

BOUNDS = (-2.0, 5.0)
QUERIES = {
    "count": CountOf(Condition("group", "in", ("a", "c"))),
    "sum": SumOf("pay"),
    "clamped sum": SumOf("pay", BOUNDS),
    "mean": MeanOf("pay"),
    "clamped mean": MeanOf("pay", BOUNDS),
    "variance": VarianceOf("pay"),
    "clamped variance": VarianceOf("pay", BOUNDS),
    "median": QuantileOf("pay"),
    "clamped median": QuantileOf("pay", BOUNDS),
    "minimum": QuantileOf("pay", at=0.0),
    "maximum": QuantileOf("pay", at=1.0),
    "lower quantile": QuantileOf("pay", at=0.1),
    "upper quantile": QuantileOf("pay", at=0.83),
    "median of ties": QuantileOf("whole"),
    "quantile of ties": QuantileOf("whole", at=0.7),
    "histogram of text": HistogramOf("group", categories=("a", "b")),
    "histogram of numbers": HistogramOf("whole", categories=(0, 1, 2, 3)),
    "histogram of intervals": HistogramOf("pay", edges=(-1.0, 0.0, 0.5, 2.0)),
    "ridge": RidgeOf("pay", ("whole", "age"), (-3.0, 3.0)),
    "ridge with intercept": RidgeOf("pay", ("age",), (-3.0, 3.0), penalty=1e-3, intercept=True),
    "ridge on text": RidgeOf("pay", ("age", "group"), (-3.0, 3.0), categories=(("group", ("a", "b", "c")),)),
}


def table_of(size, *, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "pay": rng.normal(0.5, 2.0, size),
            "whole": rng.integers(0, 4, size),
            "age": rng.uniform(20, 60, size),
            "group": rng.choice(["a", "b", "c"], size),
        }
    )


def pairs_of(table, rows, *, count=25, seed=1):
    source = TableSource(table, rows=rows, pairs=count, rng=np.random.default_rng(seed))
    return source.take(count, common=True)[1]


def by_hand(query, table, pairs):
    found = []
    for common, one, other in zip(pairs.common, pairs.one, pairs.other, strict=True):
        first, second = (query(table.iloc[[*common, last]]) for last in (one, other))
        found.append(np.abs(np.subtract(first, second)).sum())
    return np.array(found)


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 7, 20, 59])
@pytest.mark.parametrize("name", QUERIES)
def test_the_differences_are_those_of_the_answers(name, rows):
    query, table = QUERIES[name], table_of(60)
    pairs = pairs_of(table, rows)
    found = query.differences(query.prepare(table), pairs)
    assert found.shape == (25,)
    assert found == pytest.approx(by_hand(query, table, pairs), abs=1e-12)


@pytest.mark.parametrize("name", QUERIES)
def test_some_pair_moves_every_query(name):
    """Without this the test above could compare nothing but zeros."""
    query, table = QUERIES[name], table_of(60)
    assert query.differences(query.prepare(table), pairs_of(table, 3, count=200)).max() > 0


@pytest.mark.parametrize("name", [name for name, query in QUERIES.items() if not query.uses_common])
def test_these_differences_need_no_common_rows(name):
    query, table = QUERIES[name], table_of(60)
    pairs = pairs_of(table, 7)
    without = query.differences(query.prepare(table), pairs._replace(common=None))
    assert without.tolist() == query.differences(query.prepare(table), pairs).tolist()


@pytest.mark.parametrize("rows", [1, 2, 3, 6, 21])
def test_the_answers_are_those_of_python(rows):
    table = table_of(rows, seed=3)
    pay = table["pay"].tolist()
    clamped = [min(max(each, BOUNDS[0]), BOUNDS[1]) for each in pay]
    assert SumOf("pay", BOUNDS)(table) == pytest.approx(math.fsum(clamped), abs=1e-12)
    assert MeanOf("pay")(table) == pytest.approx(statistics.fmean(pay), abs=1e-12)
    assert VarianceOf("pay", BOUNDS)(table) == pytest.approx(statistics.pvariance(clamped), abs=1e-12)
    assert QuantileOf("pay")(table) == pytest.approx(statistics.median(pay), abs=1e-12)
    if rows > 1:
        deciles = statistics.quantiles(pay, n=10, method="inclusive")
        assert [QuantileOf("pay", at=tenth / 10)(table) for tenth in range(1, 10)] == pytest.approx(deciles, abs=1e-12)
    assert CountOf(Condition("group", "==", "a"))(table) == table["group"].tolist().count("a")
    assert HistogramOf("group", categories=("c", "a"))(table).tolist() == [
        table["group"].tolist().count(each) for each in "ca"
    ]
    edges = (-1.0, 0.5, 2.0)
    assert HistogramOf("pay", edges=edges)(table).tolist() == np.histogram(pay, edges)[0].tolist()


def test_a_histogram_of_intervals_holds_its_edges_as_numpy_does():
    values = [-1.0, -0.5, 0.0, 1.0, 2.0, 2.5, -1.5]
    found = HistogramOf("x", edges=(-1, 0, 1, 2))(pd.DataFrame({"x": values}))
    assert found.tolist() == [2.0, 1.0, 2.0] == np.histogram(values, (-1, 0, 1, 2))[0].tolist()


def test_a_large_offset_costs_the_variance_few_digits():
    table = table_of(60)
    shifted = table.assign(pay=table["pay"] + 1e6)
    pairs = pairs_of(table, 20)
    query = VarianceOf("pay")
    near, far = (query.differences(query.prepare(each), pairs) for each in (table, shifted))
    assert far == pytest.approx(near, abs=1e-8)


# --- the worst case ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(
    "query",
    [
        SumOf("x", BOUNDS),
        MeanOf("x", BOUNDS),
        VarianceOf("x", BOUNDS),
        *(QuantileOf("x", BOUNDS, at=at) for at in (0.0, 0.1, 0.5, 0.9, 1.0)),
    ],
    ids=lambda query: query.label + (f" {query.at}" if isinstance(query, QuantileOf) else ""),
)
def test_no_neighbours_pass_the_worst_case_and_some_reach_it(query, rows):
    """All tables of a few values at, between and beyond the bounds, and every exchange of one row."""
    values = np.array([-9.0, BOUNDS[0], 0.7, 2.0, BOUNDS[1], 9.0])
    worst = query.worst_case(rows)
    numbers = query.prepare(pd.DataFrame({"x": values}))
    chosen = list(itertools.combinations_with_replacement(range(6), rows - 1))
    common = np.array(chosen, dtype=np.int64).reshape(len(chosen), rows - 1)
    largest = max(
        query.differences(numbers, Pairs(np.full(len(common), one), np.full(len(common), other), common, rows)).max()
        for one, other in itertools.product(range(6), repeat=2)
    )
    assert largest <= worst * (1 + 1e-14)
    assert largest == pytest.approx(worst, rel=1e-12)


@pytest.mark.parametrize("rows", [2, 5, 10])
def test_random_neighbours_stay_below_the_worst_case(rows):
    table = table_of(200, seed=5)
    for name, query in QUERIES.items():
        worst = query.worst_case(rows)
        if worst is not None:
            found = query.differences(query.prepare(table), pairs_of(table, rows, count=2000, seed=2))
            assert found.max() <= worst * (1 + 1e-12), name


def test_what_the_worst_case_is():
    assert QUERIES["count"].worst_case(7) == 1
    assert QUERIES["histogram of text"].worst_case(7) == 2
    assert HistogramOf("group", categories=("a",)).worst_case(7) == 1
    assert SumOf("x", (0, 5)).worst_case(7) == 5
    assert MeanOf("x", (0, 5)).worst_case(10) == 0.5
    assert VarianceOf("x", (0, 10)).worst_case(10) == 9
    assert QuantileOf("x", (0, 10)).worst_case(10) == 5  # two values in the middle share it
    assert QUERIES["ridge on text"].worst_case(100) == coefficient_sensitivity(100, k=4, penalty=0.01)
    assert QUERIES["ridge with intercept"].worst_case(100) == coefficient_sensitivity(100, k=2, penalty=1e-3)
    assert all(query("x").worst_case(3) is None for query in (SumOf, MeanOf, VarianceOf, QuantileOf))


def test_the_worst_case_is_rounded_up():
    assert MeanOf("x", (0, 1)).worst_case(3) > 1 / 3


# --- what cannot be asked ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CountOf("age > 3"), "^condition must be a Condition"),
        (lambda: SumOf(3), "^column must be the name of a column"),
        (lambda: SumOf("x", (5, 5)), "^bounds must have the lower below the upper"),
        (lambda: SumOf("x", (0, math.inf)), "^bounds must be at least -1e\\+12"),
        (lambda: SumOf("x", 5), "^bounds must be a lower and an upper one"),
        (lambda: SumOf("x", (0, 5)).worst_case(0), "^rows must be a whole number at least 1"),
        (lambda: QuantileOf("x", at=1.01), "^at must be at least 0 and at most 1"),
        (lambda: QuantileOf("x", at=math.nan), "^at must be"),
        (lambda: HistogramOf("x"), "^a histogram needs either categories or edges"),
        (lambda: HistogramOf("x", categories=("a",), edges=(0, 1)), "^a histogram needs either"),
        (lambda: HistogramOf("x", categories=("a", "a")), "^categories must not repeat"),
        (lambda: HistogramOf("x", categories=()), "^categories must be a list of at least 1"),
        (lambda: HistogramOf("x", categories=("a", 1)), "^categories must be all of one kind"),
        (lambda: HistogramOf("x", edges=(0,)), "^edges must be a list of at least 2"),
        (lambda: HistogramOf("x", edges=(0, 1, 1)), "^edges must rise"),
        (lambda: RidgeOf("y", (), (0, 1)), "^predictors must be a tuple of column names"),
        (lambda: RidgeOf("y", "x", (0, 1)), "^predictors must be a tuple of column names"),
        (lambda: RidgeOf("y", ("x",), (0, 1), penalty=0), "^penalty must be above 0"),
        (lambda: RidgeOf("y", ("x",), 3), "^target_bounds must be a lower and an upper one"),
    ],
)
def test_parts_that_cannot_be_used_are_named(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["a", "b"], "row 1 below the heading, column 'x': text where a number is expected"),
        ([1.0, math.inf], "row 2 below the heading, column 'x': a number beyond 1e\\+100"),
        ([1.0, 1e200], "row 2 below the heading, column 'x': a number beyond 1e\\+100"),
        ([1.0, None], "missing values: 1 in column 'x'"),
    ],
)
def test_columns_that_cannot_be_used_are_named(values, message):
    with pytest.raises(DataError, match=message):
        MeanOf("x")(pd.DataFrame({"x": values}))
    with pytest.raises(DataError, match="no column"):
        MeanOf("y")(pd.DataFrame({"x": [1.0]}))


def test_labels_say_what_is_asked():
    assert [QUERIES[name].label for name in ("mean", "median", "upper quantile", "ridge", "count")] == [
        "mean of pay",
        "median of pay",
        "0.83 quantile of pay",
        "regression of pay",
        "count of rows by a condition on group",
    ]
