"""A histogram of a numeric column: exact answers against numpy, what is refused, and the range that 95 of 100 releases stay within.

The simulation has a fixed seed. A right answer fails it with probability 1e-6 at most, were the seed drawn anew.
"""

import datetime
import math
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from par_core.datasets import census2000
from par_core.errors import DataError, ParameterError
from par_core.queries import Condition, Histogram, columns, edges_between
from par_core.queries.typed import edges_of, value_of
from par_core.release import plan_release, within
from par_core.scenario import Neighbours

FALSE_ALARM = 1e-6
RELEASES = 10_000
AGES = Histogram("age", edges_between(0, 100, 10))
REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE


def table_of(values, **more):
    return pd.DataFrame({"v": values, **more})


def exact(edges, values, **more):
    return Histogram("v", edges, **more).answer(table_of(values)).exact.tolist()


# --- the exact answer ---


@pytest.mark.parametrize("seed", range(20))
def test_the_exact_answer_is_that_of_numpy_with_two_outer_cells(seed):
    rng = np.random.default_rng(seed)
    edges = np.unique(rng.normal(0, 10 ** rng.uniform(-3, 6), rng.integers(2, 40)))
    values = np.concatenate([rng.normal(0, edges.std(), 2_000), rng.choice(edges, 500), [np.inf, -np.inf]])
    wanted = np.histogram(values, [-np.inf, *edges, np.inf])[0]
    missing = np.full(rng.integers(0, 9), np.nan)
    found = Histogram("v", tuple(edges.tolist())).answer(table_of(rng.permutation([*values, *missing])))
    assert found.exact.tolist() == wanted.tolist()
    assert (found.rows, found.missing, found.absent) == (values.size + missing.size, missing.size, 0)


def test_a_bin_holds_its_lower_edge_and_not_its_upper_one():
    below = np.nextafter(20.0, 0.0)
    assert exact((20, 30), [below, 20.0, np.nextafter(30.0, 0.0), 30.0]) == [1, 2, 1]
    assert exact((0, 1), [-0.0, 0.0, -5e-324, 5e-324]) == [1, 3, 0]
    assert exact((-0.0, 1), [-0.0, 0.0]) == [0, 2, 0]
    assert exact((0.1, 0.3), [0.1, 0.1 + 0.2, 0.3]) == [0, 1, 2]
    largest = sys.float_info.max
    assert exact((-1e300, 1e300), [-np.inf, -largest, -1e300, 1e300, largest, np.inf]) == [2, 1, 3]


def test_whole_numbers_are_compared_as_floats_whatever_their_type():
    edges = (2.0**53, 2.0**53 + 2)
    values = [2**53 - 1, 2**53, 2**53 + 1, 2**53 + 3]  # as floats the last two are 2^53 and 2^53 + 4
    for kind in ("int64", "uint64", "Int64", "object", "float64", "int64[pyarrow]"):
        assert exact(edges, pd.Series(values, dtype=kind)) == [1, 2, 1], kind
    assert exact((0, 1), pd.Series([-(2**63), 2**63 - 1])) == [1, 0, 1]
    assert exact((0, 1), pd.Series([2**64 - 1], dtype="uint64")) == [0, 0, 1]


def test_the_answer_is_put_together_in_batches_and_looks_only_at_rows_that_meet_the_condition(monkeypatch):
    table = table_of(np.arange(100.0), mark=np.arange(100) % 3)
    query = Histogram("v", (10, 50, 90), where=Condition("mark", "==", 1))
    whole = query.answer(table)
    assert whole.exact.tolist() == np.histogram(np.arange(1, 100, 3), [-np.inf, 10, 50, 90, np.inf])[0].tolist()
    monkeypatch.setattr(columns, "BATCH", 7)
    assert query.answer(table).exact.tolist() == whole.exact.tolist()
    told = []
    query.answer(table, progress=told.append)
    assert len(told) == math.ceil(100 / 7)
    assert told[-1] == 1.0


def test_no_more_rows_of_a_person_count_than_promised():
    table = table_of([1, 2, 11, 12, 13], who=["a", "a", "a", "b", "b"])
    query = Histogram("v", (0, 10))
    assert query.answer(table, person="who", rows_per_person=2).exact.tolist() == [0, 2, 2]
    assert query.answer(table, person="who", rows_per_person=1).exact.tolist() == [0, 1, 1]


def test_its_shape_is_that_of_counts_and_its_sensitivity_too():
    assert (AGES.k, AGES.shape.k, AGES.shape.persons, AGES.used_columns) == (12, 12, False, ("age",))
    for rows in (1, 3):
        assert AGES.sensitivity(ADD, rows) == rows
        assert AGES.sensitivity(REPLACE, rows) == 2 * rows
        assert AGES.sensitivity(REPLACE, rows, norm="L2") == pytest.approx(rows * math.sqrt(2))
    assert not AGES.needs_as_many(REPLACE, 3)


def test_labels_have_one_form_and_no_two_are_alike():
    assert Histogram("v", (20, 30.0, 30.5)).labels == ("below 20", "20 to <30", "30 to <30.5", "30.5 and above")
    assert Histogram("v", (-5, -0.0)).labels == ("below −5", "−5 to <0", "0 and above")
    close = tuple(np.nextafter(1.0, 2.0) ** at for at in range(4))
    assert len({*Histogram("v", close).labels}) == 5


def test_edges_of_one_width_are_the_decimals_that_were_meant():
    assert edges_between(0, 1, 0.1) == tuple(at / 10 for at in range(11))
    assert edges_between(-0.3, 0.3, 0.1) == (-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3)
    assert edges_between(5, 6, 1) == (5.0, 6.0)
    assert edges_between(1e15, 1e15 + 4, 2)[1] == 1e15 + 2
    assert len(edges_between(0, 9_998, 1)) == 9_999
    assert Histogram("v", edges_between(0, 9_998, 1)).k == 10_000
    assert edges_of(["1", " ", " 2.5 ", "-1e3"]) == (1.0, 2.5, -1000.0)


def test_what_is_typed_is_a_value_of_the_kind_of_its_column():
    assert value_of("TRUE", "true-false", "it") is True
    assert value_of("false", "true-false", "it") is False
    for text, kind, must in (("yes", "true-false", "true or false"), ("x", "number", "a number")):
        with pytest.raises(ParameterError, match=f"^it must be {must}, got '{text}'$"):
            value_of(text, kind, "it")


# --- what cannot be used ---


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: edges_between(100, 0, 10), "^lowest must be below highest, got lowest 100 and highest 0$"),
        (lambda: edges_between(1, 1, 1), "^lowest must be below highest"),
        (
            lambda: edges_between(0, 100, 30),
            "^width must divide 0 to 100 into whole bins, got 30: the last whole one ends at 90$",
        ),
        (
            lambda: edges_between(0, 1, 2),
            "^width must divide 0 to 1 into whole bins, got 2: the last whole one ends at 0$",
        ),
        (lambda: edges_between(0, 10**6, 1), "^edges must make at most 10,000 cells, got 1000002$"),
        (lambda: edges_between(0, 1e300, 1e-300), "^edges must make at most 10,000 cells, got 10000"),
        (lambda: edges_between(0, 1, 0), "^width must be above 0"),
        (lambda: edges_between(0, math.inf, 1), "^highest must be"),
        (lambda: edges_between(0, 1, "1"), "^width must be"),
        (lambda: Histogram("v", tuple(range(10**6))), "^edges must make at most 10,000 cells, got 1000001$"),
        (lambda: Histogram("v", (3, 1)), r"^edges must rise, got \(3.0, 1.0\)$"),
        (lambda: Histogram("v", (3, 3)), "^edges must rise"),
        (lambda: Histogram("v", (-0.0, 0.0)), "^edges must rise"),
        (lambda: Histogram("v", (1,)), "^edges must be a list of at least 2"),
        (lambda: Histogram("v", "12"), "^edges must be a list of at least 2"),
        (lambda: Histogram("v", (1, math.nan)), "^edges must be finite"),
        (lambda: Histogram("v", (1, 1.01e300)), "^edges must be at least"),
        (lambda: Histogram("v", (True, 3)), "^edges must be"),
        (lambda: Histogram(5, (1, 2)), "^column must be the name of a column"),
        (lambda: Histogram("v", (1, 2), where="v > 1"), "^where must be a Condition"),
        (lambda: edges_of(["1", "", "x"]), "^edge 2 must be a number, got 'x'$"),
    ],
)
def test_bins_that_cannot_be_used_are_refused_in_one_sentence(ask, message):
    with pytest.raises(ParameterError, match=message):
        ask()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (["20", "x"], "^row 2 below the heading, column 'v': text where a number is expected$"),
        ([1.0, datetime.date(2020, 1, 31)], "^row 2 below the heading, column 'v': a value that cannot be used"),
        (
            pd.to_datetime(["2020-01-31"]),
            "^row 1 below the heading, column 'v': a value that cannot be used where a number",
        ),
        ([True, False], "^row 1 below the heading, column 'v': true or false where a number is expected$"),
        ([1, 10**400], "^row 2 below the heading, column 'v': a value that cannot be used where a number"),
    ],
)
def test_a_column_without_numbers_is_refused_by_row_and_column(values, message):
    with pytest.raises(DataError, match=message) as error:
        exact((0, 1), values)
    assert "2020" not in str(error.value)


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(DataError, match="^the table has no column named 'w'$"):
        Histogram("w", (0, 1)).answer(table_of([1]))


def test_one_value_and_no_value_at_all_are_answered():
    assert exact((0, 1), [0.5] * 9) == [0, 9, 0]
    for blank in ([None] * 4, [math.nan] * 4, pd.Series([pd.NA] * 4, dtype="Int64")):
        found = Histogram("v", (0, 1)).answer(table_of(blank))
        assert (found.exact.tolist(), found.missing, found.size) == ([0, 0, 0], 4, 4)
    assert exact((0, 1), []) == [0, 0, 0]


# --- how far off ---


@pytest.mark.parametrize(("neighbours", "epsilon"), [(REPLACE, 0.5), (ADD, 0.5), (REPLACE, 3.0)])
def test_releases_of_the_census_stay_within_the_range_that_is_said(neighbours, epsilon):
    """Each of three ranges, in 9,500 of 10,000 releases and fewer no more than chance explains: false alarm 1e-6 each."""
    rng = np.random.default_rng([17, int(10 * epsilon), neighbours is ADD])
    planned = plan_release(AGES, epsilon, neighbours=neighbours)
    truth = AGES.answer(census2000().table).exact
    assert truth.sum() == len(census2000().table)
    scale = (2 if neighbours is REPLACE else 1) / epsilon
    steps = np.arange(-int(45 * scale) - 3, int(45 * scale) + 4)
    law = stats.dlaplace(1 / scale).cdf(steps)  # the law of the noise without the code that is tested
    released = truth + steps[np.searchsorted(law, rng.random((RELEASES, AGES.k)))]
    off, said = released - truth, within(planned)
    for far, width in (
        (np.abs(off[:, 3]), said.each),
        (np.abs(off).max(axis=1), said.every),
        (np.abs(off.sum(axis=1)), said.total),
    ):
        hits = int((far <= width).sum())
        assert stats.binomtest(hits, RELEASES, 0.95, alternative="less").pvalue > FALSE_ALARM
