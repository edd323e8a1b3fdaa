"""Queries on a table: sensitivities against brute force over all neighbours, answers against a plain loop.

The one statistical test has a fixed seed. A right answer fails it with probability 1e-6 at most, were the seed drawn
anew.
"""

import dataclasses
import functools
import itertools
import logging
import math
import pickle
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from par_core.errors import DataError, ParameterError
from par_core.evidence import PROVEN, evidence_of
from par_core.queries import OTHER, Answer, Comparison, Condition, Count, CountBy, Histogram, Mean, Sum, cap_rows
from par_core.queries.columns import missing_in
from par_core.queries.sensitivity import round_up
from par_core.scenario import Neighbours

FALSE_ALARM = 1e-6
REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
brute = settings(deadline=None, derandomize=True, max_examples=8)
thorough = settings(deadline=None, derandomize=True, max_examples=60)


# --- brute force over all neighbours -----------------------------------------------------------------------------

# Every row that the small tables below may hold: a group (listed, listed, not listed, missing), a second one, a number
# (far below, inside, far above every bound used, missing) and a mark for conditions.
ROWS = (
    ("a", "x", -100.0, 1),
    ("b", "y", 100.0, 1),
    ("a", "y", 100.0, 0),
    ("c", "x", math.nan, 1),
    (None, "x", 3.0, 1),
)
MARKED = Condition("mark", "==", 1)
QUERIES = {
    "count": Count(Condition("number", ">", 2)),
    "count among": Count(Condition("group", "in", ("a", "b")), where=MARKED),
    "one cell": CountBy(("group",), (("a",),)),
    "cells": CountBy(("group",), (("a", "b"),)),
    "cells, others": CountBy(("group",), (("a",),), other=True),
    "cells among": CountBy(("group",), (("a", "b"),), where=MARKED),
    "pairs": CountBy(("group", "second"), (("a", "b"), ("x", "y"))),
    "pairs, others": CountBy(("group", "second"), (("b",), ("x",)), other=True),
    "bins": Histogram("number", (2, 100)),
    "bins among": Histogram("number", (-2, 3), where=MARKED),
    "sum across 0": Sum("number", -2, 5),
    "sum above 0": Sum("number", 2, 5),
    "sum below 0": Sum("number", -5, -2),
    "sum across 0 among": Sum("number", -2, 5, where=MARKED),
    "sum above 0 among": Sum("number", 2, 5, where=MARKED),
    "sum below 0 among": Sum("number", -5, -2, where=MARKED),
    "mean above 0": Mean("number", 2, 5),
    "mean across 0": Mean("number", -2, 5),
    "mean among": Mean("number", 2, 5, where=MARKED),
    "mean of what is there": Mean("number", 2, 5, skip_missing=True),
    "mean below 0 of what is there": Mean("number", -5, -2, skip_missing=True),
}


def table_of(rows):
    group, second, number, mark = zip(*rows, strict=True) if rows else ((), (), (), ())
    columns = {
        "group": pd.array(group, dtype="str"),
        "second": pd.array(second, dtype="str"),
        "number": np.array(number, dtype=float),
        "mark": np.array(mark, dtype=np.int64),
    }
    return pd.DataFrame(columns)


def subsets(rows, most):
    """Return every way to be one person: the places of up to `most` rows."""
    return [held for size in range(1, most + 1) for held in itertools.combinations(range(len(rows)), size)]


def neighbours_of(rows, kind, most, domain=ROWS):
    """Every table in which one person's rows are replaced by as many, or appear, or disappear."""
    for held in subsets(rows, most):
        kept = [row for place, row in enumerate(rows) if place not in held]
        if kind is REPLACE:
            for new in itertools.combinations_with_replacement(domain, len(held)):
                yield [*kept, *new]
        else:
            yield kept
    if kind is ADD:
        for size in range(1, most + 1):
            for new in itertools.combinations_with_replacement(domain, size):
                yield [*rows, *new]


@dataclasses.dataclass(frozen=True)
class Distances:
    """The sum of the distances from a number."""

    total: Sum
    count: Count
    middle: float

    def answer(self, table):
        exact = self.total.answer(table).exact - self.middle * self.count.answer(table).exact
        return SimpleNamespace(exact=exact)


def pieces(query, kind):
    """Split a mean over a private number of rows into the sum and the count that are released in its place."""
    if isinstance(query, Mean) and query.is_pair(kind):
        present = Condition("second", "in", ("x", "y"))  # holds for every row
        there = (
            Condition(query.column, ">=", -1e12) if query.skip_missing else query.where
        )  # a missing value meets none
        total, count = Sum(query.column, query.lower, query.upper, there), Count(present, there)
        return Distances(total, count, (query.lower + query.upper) / 2), count
    return (query,)


table_once = functools.cache(table_of)


@functools.cache
def exact_of(query, rows):
    return query.answer(table_once(rows)).exact


def sorted_rows(rows, domain=ROWS):
    """Tables of the same rows are asked once, for their order plays no part."""
    return tuple(sorted(rows, key=domain.index))


def largest_move(query, rows, kind, most, domain=ROWS):
    neighbours = {sorted_rows(other, domain) for other in neighbours_of(rows, kind, most, domain)}
    here = exact_of(query, sorted_rows(rows, domain))
    return max((np.abs(exact_of(query, other) - here).sum() for other in neighbours), default=0.0)


@functools.cache
def all_neighbours(kind, most, size):
    """Return all tables of so many rows and their neighbours, and the places of each two that are neighbours."""
    tables = itertools.combinations_with_replacement(ROWS, size)
    pairs = {(rows, sorted_rows(other)) for rows in tables for other in neighbours_of(rows, kind, most)}
    places = {rows: at for at, rows in enumerate(dict.fromkeys(itertools.chain(*pairs)))}
    return list(places), np.array([[places[rows] for rows in pair] for pair in pairs])


@pytest.mark.parametrize("name", QUERIES)
def test_tables_of_the_same_rows_have_the_same_answer(name):
    rng = np.random.default_rng(2)
    orders = [[ROWS[at] for at in rng.permutation(len(ROWS))] for _ in range(6)]
    answers = [QUERIES[name].answer(table_of(rows)).exact for rows in orders]
    assert np.ptp(answers, axis=0).max() == 0


@pytest.mark.parametrize("kind", list(Neighbours))
@pytest.mark.parametrize("name", QUERIES)
def test_no_neighbour_is_farther_than_the_sensitivity(name, kind):
    """All tables of up to 4 rows: 1 to 3, and up to 2 more of one person."""
    query = QUERIES[name]
    for size, most in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1)):
        parts = query.parts(kind, most, rows=size)
        for piece, part in zip(pieces(query, kind), parts, strict=True):
            tables, pairs = all_neighbours(kind, most, size)
            answers = np.array([exact_of(piece, rows) for rows in tables])[pairs]
            assert np.abs(np.diff(answers, axis=1)).sum(axis=2).max() <= part.sensitivity * (1 + 1e-12)


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("kind", list(Neighbours))
@pytest.mark.parametrize("name", QUERIES)
def test_some_neighbour_is_as_far_as_the_sensitivity(name, kind, most):
    query = QUERIES[name]
    parts = query.parts(kind, most, rows=most + 1)
    for piece, part in zip(pieces(query, kind), parts, strict=True):
        reached = max(largest_move(piece, [row] * most + [ROWS[0]], kind, most) for row in ROWS[:3])
        assert reached == pytest.approx(part.sensitivity, rel=1e-12)


@brute
@given(st.integers(-9, 9), st.integers(1, 9), st.booleans(), st.sampled_from(list(Neighbours)), st.data())
def test_sums_with_any_bounds_reach_their_sensitivity_and_no_more(lower, width, restricted, kind, data):
    values = data.draw(st.lists(st.integers(-20, 20), min_size=1, max_size=2))
    domain = [("a", "x", float(value), mark) for value in (-20, 20, *values) for mark in (0, 1)]
    query = Sum("number", lower, lower + width, MARKED if restricted else None)
    moves = [largest_move(query, [row], kind, 1, domain) for row in domain]
    assert max(moves) == query.sensitivity(kind, 1)
    assert largest_move(query, data.draw(st.lists(st.sampled_from(domain), max_size=3)), kind, 1, domain) <= max(moves)


def test_the_brute_force_sees_a_sensitivity_that_is_too_small():
    rows = [ROWS[0], ROWS[1]]
    assert largest_move(QUERIES["cells"], rows, REPLACE, 1) > QUERIES["cells"].sensitivity(ADD, 1)
    assert largest_move(QUERIES["sum above 0 among"], rows, REPLACE, 1) > QUERIES["sum above 0"].sensitivity(REPLACE, 1)
    assert largest_move(QUERIES["sum above 0"], rows, ADD, 1) > QUERIES["sum above 0"].sensitivity(REPLACE, 1)


@pytest.mark.parametrize("name", QUERIES)
def test_it_is_known_what_rests_on_as_many_rows_replacing_a_persons(name):
    """Where it does not, two rows may be replaced by fewer; a mean that is one release is divided by a number that then changes."""
    query, fewer = QUERIES[name], [new for size in (0, 1) for new in itertools.combinations(ROWS, size)]
    assert not query.needs_as_many(REPLACE, 1)
    assert not query.needs_as_many(ADD, 2)
    if isinstance(query, Mean):
        assert query.needs_as_many(REPLACE, 2) is not query.is_pair(REPLACE)
        return
    moves = [
        np.abs(exact_of(query, sorted_rows((row, row, ROWS[0]))) - exact_of(query, sorted_rows((*new, ROWS[0])))).sum()
        for row in ROWS
        for new in fewer
    ]
    assert bool(max(moves) > query.sensitivity(REPLACE, 2)) == query.needs_as_many(REPLACE, 2)


@pytest.mark.parametrize(
    ("query", "replaced", "added"),
    [
        (QUERIES["count"], 3, 3),
        (QUERIES["one cell"], 3, 3),
        (QUERIES["cells"], 6, 3),
        (QUERIES["cells, others"], 6, 3),
        (QUERIES["pairs"], 6, 3),
        (Sum("number", 10, 30), 60, 90),
        (Sum("number", -40, 30), 210, 120),
        (Sum("number", 10, 30, MARKED), 90, 90),
        (Sum("number", -40, 30, MARKED), 210, 120),
        (Sum("number", -40, -30, MARKED), 120, 120),
    ],
)
def test_sensitivities_in_numbers(query, replaced, added):
    assert (query.sensitivity(REPLACE, 3), query.sensitivity(ADD, 3)) == (replaced, added)
    assert evidence_of(type(query).sensitivity).basis is PROVEN
    assert query.parts(REPLACE, 3)[0].evidence.basis is PROVEN


def test_the_sensitivity_of_a_mean():
    query = Mean("number", 10, 30)
    assert query.sensitivity(REPLACE, 2, rows=100) == 0.4
    assert query.sensitivity(REPLACE, 10, rows=4) == 20.0  # nobody has more rows than there are
    assert [(part.name, part.sensitivity) for part in query.parts(ADD, 2)] == [("sum", 20.0), ("count", 2.0)]
    among = Mean("number", 10, 30, MARKED)
    assert [part.sensitivity for part in among.parts(REPLACE, 2)] == [40.0, 2.0]
    assert (query.is_pair(REPLACE), query.is_pair(ADD), among.is_pair(REPLACE)) == (False, True, True)
    with pytest.raises(ParameterError, match="noisy sum over a noisy count"):
        query.sensitivity(ADD, rows=100)
    with pytest.raises(ParameterError, match="rows must be given"):
        query.sensitivity(REPLACE)


@thorough
@given(st.floats(-1e12, 1e12), st.floats(-1e12, 1e12), st.integers(1, 10**6))
def test_sensitivities_are_rounded_up(first, second, most):
    lower, upper = min(first, second), max(first, second)
    if lower < upper:
        exact = most * (Fraction(upper) - Fraction(lower))
        found = Sum("number", lower, upper).sensitivity(REPLACE, most)
        assert Fraction(math.nextafter(found, 0.0)) < exact <= Fraction(found)
    assert round_up(Fraction(1, 10)) == 0.1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("somebody", 1), "neighbours must be replace-one or add-or-remove, got 'somebody'"),
        ((REPLACE, 0), "rows_per_person must be a whole number at least 1"),
        ((REPLACE, 1.5), "rows_per_person must be .*got 1.5"),
        ((ADD, math.nan), "rows_per_person must be .*got nan"),
        ((ADD, 10**7), "rows_per_person must be .*at most 1e.06"),
        ((ADD, "2"), "rows_per_person must be .*got '2'"),
    ],
)
def test_bad_neighbours_are_named(arguments, message):
    for query in QUERIES.values():
        with pytest.raises(ParameterError, match=message):
            query.parts(*arguments, rows=5)
    for rows in (0, -1, 1.5, "3"):
        with pytest.raises(ParameterError, match="rows must be a whole number"):
            Mean("number", 0, 1).sensitivity(REPLACE, rows=rows)


# --- exact answers -----------------------------------------------------------------------------------------------

cell_values = st.tuples(
    st.sampled_from(["a", "b", "=cmd()", "ö", None]),
    st.sampled_from([1, 2, 3, None]),
    st.one_of(st.none(), st.floats(-10, 10), st.sampled_from([math.inf, -math.inf])),
    st.booleans(),
)


def mixed_table(rows):
    text, whole, number, truth = zip(*rows, strict=True) if rows else ((), (), (), ())
    table = pd.DataFrame(
        {
            "text": pd.array(text, dtype="str"),
            "whole": pd.array(whole, dtype="Int64"),
            "number": np.array(number, dtype=float),
            "truth": np.array(truth, dtype=bool),
        }
    )
    table.index = [7] * len(rows)  # the labels of rows play no part, and need not differ
    return table


def among(rows, where):
    return [row for row in rows if row[3]] if where else rows


@thorough
@given(st.lists(cell_values, max_size=12), st.booleans(), st.booleans())
def test_counts_by_category_are_those_of_a_loop(rows, other, restricted):
    where = Condition("truth", "==", True) if restricted else None
    query = CountBy(("text", "whole"), (("=cmd()", "a", "ö"), (3, 1)), other=other, where=where)
    found = query.answer(mixed_table(rows))
    expected = dict.fromkeys(query.cells, 0)
    absent = 0
    for text, whole, *_ in among(rows, restricted):
        if text is None or whole is None:
            continue
        cell = (text if text in ("=cmd()", "a", "ö") else OTHER, whole if whole in (1, 3) else OTHER)
        if cell in expected:
            expected[cell] += 1
        else:
            absent += 1
    assert found.exact.tolist() == list(expected.values())
    assert found.exact.shape == (query.k,) == (len(query.labels),)
    missing = sum(row[0] is None or row[1] is None for row in rows)
    assert (found.absent, found.missing, found.rows) == (absent, missing, len(rows))
    assert found.size == len(among(rows, restricted))


COMPARE = {
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "in": lambda x, y: x in y,
}


@thorough
@given(st.lists(cell_values, max_size=12), st.sampled_from(sorted(COMPARE)), st.sampled_from([1, 2, 2.5]))
def test_conditions_are_those_of_a_loop(rows, comparison, value):
    value = (value, 3) if comparison == "in" else value
    found = Count(Condition("whole", comparison, value)).answer(mixed_table(rows))
    expected = sum(row[1] is not None and COMPARE[comparison](row[1], value) for row in rows)
    assert found.exact.tolist() == [expected]
    assert found.missing == sum(row[1] is None for row in rows)
    for text in ("a", "=cmd()"):
        if comparison in ("==", "!="):
            found = Count(Condition("text", comparison, text), Condition("truth", "==", True)).answer(mixed_table(rows))
            expected = sum(row[0] is not None and COMPARE[comparison](row[0], text) and row[3] for row in rows)
            assert found.exact.tolist() == [expected]


@thorough
@given(st.lists(cell_values, max_size=12), st.booleans(), st.sampled_from([(-2.5, 4), (1, 4), (-4, -1)]))
def test_sums_and_means_are_those_of_a_loop(rows, restricted, bounds):
    lower, upper = bounds
    where = Condition("truth", "==", True) if restricted else None
    added = [min(max(row[2] if row[2] is not None else 0.0, lower), upper) for row in among(rows, restricted)]
    found = Sum("number", lower, upper, where).answer(mixed_table(rows))
    assert found.exact.tolist() == [math.fsum(added)]
    assert (found.size, found.rows) == (len(added), len(rows))
    assert found.missing == sum(row[2] is None for row in rows)
    query = Mean("number", lower, upper, where)
    if rows:
        expected = math.fsum(added) / len(added) if added else min(max(0, lower), upper)
        assert query.answer(mixed_table(rows)).exact == pytest.approx([expected], abs=1e-12)
    else:
        with pytest.raises(DataError, match="the table has no rows"):
            query.answer(mixed_table(rows))


@pytest.mark.parametrize("where", [None, MARKED])
def test_a_mean_can_leave_missing_values_out(where):
    rows = [ROWS[at] for at in (0, 1, 3, 3, 4, 2)]
    table, query = table_of(rows), Mean("number", -2, 5, where, skip_missing=True)
    chosen = table[table["mark"] == 1] if where else table
    found = query.answer(table)
    assert found.exact.tolist() == [chosen["number"].dropna().clip(-2, 5).mean()]
    assert (found.size, found.rows, found.missing) == (chosen["number"].count(), 6, 2)
    for kind in Neighbours:
        assert query.is_pair(kind)
        assert query.parts(kind, 3) == Mean("number", -2, 5, MARKED).parts(kind, 3)
    with pytest.raises(ParameterError, match="^skip_missing must be true or false"):
        Mean("number", 0, 1, skip_missing=1)


def test_the_order_of_the_rows_plays_no_part():
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"number": rng.normal(size=1000) * 10.0 ** rng.integers(-8, 8, 1000)})
    shuffled = table.sample(frac=1, random_state=2)
    for query in (Sum("number", -1e9, 1e9), Mean("number", -1e9, 1e9)):
        assert query.answer(table).exact == query.answer(shuffled).exact


def test_labels_and_cells():
    query = CountBy(("text", "whole"), (("a", OTHER[1:]), (9.0, 10)), other=True)
    assert query.k == 9
    assert query.labels[:3] == ("a × 9", "a × 10", f"a × {OTHER}")
    assert query.cells[-1] == (OTHER, OTHER)
    assert query.used_columns == ("text", "whole")
    assert Sum("x", 0, 1, Condition("x", ">", 0)).used_columns == ("x",)
    assert (Sum("x", 0, 1).labels, Mean("x", 0, 1).labels, QUERIES["count"].labels) == (("sum",), ("mean",), ("count",))


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, 2, 3, 2]),
        pd.Series([1.0, 2.0, 3.0, 2.0]),
        pd.Series([1, 2, 3, 2], dtype="Int8"),
        pd.Series([1, 2, 3, 2], dtype="uint64"),
        pd.Series([1, 2.0, 3, np.int16(2)], dtype=object),
        pd.Series([1, 2, 3, 2], dtype="category"),
        pd.Series([1, 2, 3, 2], dtype="int64[pyarrow]"),
        pd.Series([1, 2, 3, 2], dtype="double[pyarrow]"),
    ],
    ids=lambda column: str(column.dtype),
)
def test_numbers_of_every_type_are_numbers(column):
    table = pd.DataFrame({"x": column})
    with_missing = pd.concat([table.astype(object), pd.DataFrame({"x": [None, math.nan, pd.NA]}, dtype=object)])
    nullable = pd.DataFrame({"x": with_missing["x"].astype("Float64")})
    for each in (table, with_missing, nullable, with_missing.astype("category")):
        assert CountBy(("x",), ((2, 3.0),)).answer(each).exact.tolist() == [2, 1]
        assert Sum("x", 0, 2).answer(each).exact.tolist() == [7]
        assert Count(Condition("x", ">=", 2)).answer(each).exact.tolist() == [3]
        assert Sum("x", 0, 2).answer(each).missing == len(each) - 4


@pytest.mark.parametrize(
    "column",
    [
        pd.arrays.FloatingArray(np.array([1.0, math.nan, 2.0]), np.array([False, False, True])),
        pd.arrays.ArrowExtensionArray(pa.array([1.0, math.nan, None])),
    ],
    ids=["Float64", "pyarrow"],
)
def test_what_is_not_a_number_is_missing_where_pandas_tells_the_two_apart(column):
    assert missing_in(pd.DataFrame({"x": column}), "x").tolist() == [False, True, True]


@pytest.mark.parametrize("dtype", ["str", object, "category", "string", "string[pyarrow]"])
def test_text_of_every_type_is_text(dtype):
    values = ["=cmd()", "ö", "o\u0308", "", "a", None]
    table = pd.DataFrame({"x": pd.Series(values, dtype=dtype)})
    found = CountBy(("x",), (("=cmd()", "ö", "o\u0308", ""),)).answer(table)
    assert (found.exact.tolist(), found.absent, found.missing) == ([1, 1, 1, 1], 1, 1)
    assert Count(Condition("x", "!=", "=cmd()")).answer(table).exact.tolist() == [4]


@pytest.mark.parametrize("dtype", [bool, object, "boolean"])
def test_truth_values_are_no_numbers(dtype):
    table = pd.DataFrame({"x": pd.Series([True, False, True], dtype=dtype)})
    assert CountBy(("x",), ((True, False),)).answer(table).exact.tolist() == [2, 1]
    assert Count(Condition("x", "==", True)).answer(table).exact.tolist() == [2]
    with pytest.raises(
        DataError, match="row 1 below the heading, column 'x': true or false where a number is expected"
    ):
        Sum("x", 0, 1).answer(table)
    with pytest.raises(ParameterError, match="must be all of one kind, got 1 and True"):
        CountBy(("x",), ((1, True),))


def test_large_whole_numbers_keep_their_digits():
    table = pd.DataFrame({"x": [2**60, 2**60 + 1]})
    assert Count(Condition("x", "==", 2**60 + 1)).answer(table).exact.tolist() == [1]
    assert CountBy(("x",), ((2**60 + 1,),)).answer(table).exact.tolist() == [1]
    nullable = pd.DataFrame({"x": pd.array([2**60, 2**60 + 1, None], dtype="Int64")})
    assert Count(Condition("x", ">", 2**60)).answer(nullable).exact.tolist() == [1]


def test_empty_tables_and_empty_columns():
    empty = table_of([])
    for query in QUERIES.values():
        if not isinstance(query, Mean):
            assert query.answer(empty).exact.tolist() == [0.0] * query.k
    nothing = pd.DataFrame({"x": [None, None]})
    assert CountBy(("x",), (("a",),), other=True).answer(nothing).exact.tolist() == [0, 0]
    assert Sum("x", 2, 5).answer(nothing).exact.tolist() == [4]


# --- the exact answer stays hidden -------------------------------------------------------------------------------


def test_repr_hides_the_exact_answer(caplog):
    table = pd.DataFrame({"x": ["planted", "planted", "other thing"]})
    found = CountBy(("x",), (("planted", "absent-cell"),)).answer(table)
    assert found.exact.tolist() == [2, 0]
    assert repr(found) == str(found) == f"{found}" == "Answer(k=2, exact=<hidden>)"
    with caplog.at_level(logging.INFO):
        logging.getLogger("test").info("%s %r", found, [found])
    assert "planted" not in caplog.text
    assert "2." not in caplog.text
    assert (found.evidence.basis, bool(found.source)) == (PROVEN, True)


def test_the_exact_answer_cannot_be_changed():
    found = QUERIES["count"].answer(table_of([ROWS[1]]))
    with pytest.raises(ValueError, match="read-only"):
        found.exact[0] = 5
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.exact = np.zeros(1)
    assert isinstance(pickle.loads(pickle.dumps(found)), Answer)


def test_messages_name_the_place_and_not_the_value():
    table = pd.DataFrame({"x": [1, None, "planted", 4]})
    for query in (Sum("x", 0, 1), Mean("x", 0, 1), CountBy(("x",), ((1, 4),)), Count(Condition("x", ">", 0))):
        with pytest.raises(DataError, match="^row 3 below the heading, column 'x': text where a number is expected$"):
            query.answer(table)
    with pytest.raises(DataError, match="^row 1 below the heading, column 'x': a number where text is expected$"):
        CountBy(("x",), (("planted",),)).answer(table)


# --- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ((2, 1), "lower must be below upper, got lower 2 and upper 1"),
        ((1, 1), "lower must be below upper"),
        ((math.nan, 1), "lower must be .*got nan"),
        ((0, math.nan), "upper must be .*got nan"),
        ((-math.inf, 1), "lower must be .*got -inf"),
        ((0, math.inf), "upper must be .*got inf"),
        ((0, 1e300), "upper must be .*got 1e.300"),
        (("0", 1), "lower must be .*got '0'"),
        ((0, None), "upper must be .*got None"),
        ((0, True), "upper must be .*got True"),
        (([0, 1], 2), "lower must be a single number"),
    ],
)
def test_bad_bounds_are_named(bounds, message):
    for kind in (Sum, Mean):
        with pytest.raises(ParameterError, match=message):
            kind("x", *bounds)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x", "=>", 1), r"comparison must be one of ==, !=, <, <=, >, >=, in, got '=>'"),
        (("x", "<", "a"), "value must be a number for the comparison <, got 'a'"),
        (("x", ">=", True), "value must be a number for the comparison >=, got True"),
        (("x", "==", math.nan), "value must be text, a finite number, or true or false, got nan"),
        (("x", "<", -math.inf), "value must be .*got -inf"),
        (("x", "==", None), "value must be .*got None"),
        (("x", "==", [1]), r"value must be .*got \[1\]"),
        (("x", "in", ()), "value must be a list of at least one value"),
        (("x", "in", "abc"), "value must be a list of at least one value"),
        (("x", "in", (1, "a")), "value must be all of one kind, got 1 and 'a'"),
        (("x", "in", (1, math.nan)), "value must be .*got nan"),
        ((3, "==", 1), "column must be the name of a column, got 3"),
    ],
)
def test_bad_conditions_are_named(arguments, message):
    with pytest.raises(ParameterError, match=message):
        Condition(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((), ()), r"columns must be one or two names in a tuple, got \(\)"),
        (("x", (("a",),)), "columns must be one or two names in a tuple, got 'x'"),
        ((("x", "y", "z"), (("a",),) * 3), "columns must be one or two"),
        ((("x", "x"), (("a",),) * 2), "columns must be two different ones, got 'x' twice"),
        (((1,), (("a",),)), "columns must be the name of a column, got 1"),
        ((("x",), ("a", "b")), "categories must be a list for each column"),
        ((("x",), "ab"), "categories must be a list for each column"),
        ((("x", "y"), (("a",),)), "categories must be 2 lists, one for each column, got 1"),
        ((("x",), ((),)), "categories of 'x' must hold at least one, got an empty list"),
        ((("x",), (("a", "a"),)), "categories of 'x' must not repeat, got 'a' twice"),
        ((("x",), ((1, 2, 1.0),)), "categories of 'x' must not repeat, got 1.0 twice"),
        ((("x",), (("a", OTHER),), True), "categories of 'x' must not repeat"),
        ((("x",), (("a", 1),)), "categories must be all of one kind, got 'a' and 1"),
        ((("x",), ((math.nan,),)), "categories must be text, a finite number, or true or false, got nan"),
        ((("x",), ((None,),)), "categories must be .*got None"),
        ((("x",), (("a",),), 1), "other must be true or false, got 1"),
        ((("x", "y"), (tuple(range(101)), tuple(range(100)))), "categories must make at most 10000 cells, got 10100"),
        ((("x",), (("a",),), False, "x > 1"), "where must be a Condition, got 'x > 1'"),
    ],
)
def test_bad_lists_are_named(arguments, message):
    with pytest.raises(ParameterError, match=message):
        CountBy(*arguments)


def test_other_parameters_are_named():
    with pytest.raises(ParameterError, match="condition must be a Condition, got 'x'"):
        Count("x")
    with pytest.raises(ParameterError, match="where must be a Condition"):
        Count(MARKED, 1)
    with pytest.raises(ParameterError, match="where must be a Condition"):
        Sum("x", 0, 1, where="x")
    with pytest.raises(ParameterError, match="column must be the name of a column, got None"):
        Mean(None, 0, 1)
    long = "x" * 1000
    with pytest.raises(ParameterError) as caught:
        Condition("x", long, 1)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("query", [QUERIES["count"], QUERIES["cells"], QUERIES["sum above 0"], QUERIES["mean among"]])
def test_tables_that_cannot_be_used(query):
    column = query.used_columns[0]
    table = table_of(ROWS)
    with pytest.raises(DataError, match=f"the table has no column named '{column}'"):
        query.answer(table.drop(columns=column))
    twice = pd.concat([table, table[[column]]], axis=1)
    with pytest.raises(DataError, match=f"the table has 2 columns named '{column}'"):
        query.answer(twice)
    for wrong in (None, "table", [1, 2], table.to_dict()):
        with pytest.raises(ParameterError, match="table must be a pandas DataFrame, got "):
            query.answer(wrong)


@pytest.mark.parametrize(
    ("values", "row"),
    [
        ([1, "2", 3], 2),
        ([None, math.nan, "n/a"], 3),
        ([1, 2, [3]], 3),
        ([1 + 2j, 1], 1),
        ([1, b"2"], 2),
        ([True, 1.5], 1),
        ([1, 10**400], 2),
        (pd.to_datetime(["2020-01-01", "2020-01-02"]), 1),
        (["=cmd()", "2"], 1),
    ],
)
def test_what_is_no_number_is_found(values, row):
    for dtype in ({}, {"dtype": object}):
        table = pd.DataFrame({"pay": pd.Series(values, **dtype)})
        with pytest.raises(
            DataError, match=f"^row {row} below the heading, column 'pay': .* where a number is expected$"
        ):
            Sum("pay", 0, 1).answer(table)


@pytest.mark.parametrize("values", [["a", 5], ["a", None, True], ["a", b"a"], ["a", ["a"]], [3.5, 1.0]])
def test_what_is_no_text_is_found(values):
    row = next(n for n, value in enumerate(values, 1) if value is not None and not isinstance(value, str))
    with pytest.raises(DataError, match=f"^row {row} below the heading, column 'x': .* where text is expected$"):
        CountBy(("x",), (("a",),)).answer(pd.DataFrame({"x": values}))
    with pytest.raises(DataError, match=f"^row {row} below the heading, column 'x'"):
        Count(Condition("x", "in", ("a",))).answer(pd.DataFrame({"x": values}))


def test_ten_thousand_columns_are_no_trouble():
    table = pd.DataFrame(np.zeros((2, 10_000)), columns=[f"c{n}" for n in range(10_000)])
    assert Sum("c9999", 0, 1).answer(table).exact.tolist() == [0]


def test_comparisons_are_known_by_their_signs():
    assert [str(comparison) for comparison in Comparison] == ["==", "!=", "<", "<=", ">", ">=", "in"]
    assert Condition("x", "in", [1, 2]) == Condition("x", Comparison.AMONG, (1, 2))
    assert hash(CountBy(["x"], [["a"]])) == hash(CountBy(("x",), (("a",),)))
    assert Condition("x", "==", np.int64(3)).value == 3


# --- rows of one person ------------------------------------------------------------------------------------------

visits = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 99)), max_size=12)


def visits_table(rows):
    return pd.DataFrame(rows, columns=["who", "cost"], index=[0] * len(rows)).astype({"who": "str", "cost": float})


@thorough
@given(visits, st.integers(1, 3), st.one_of(st.none(), st.integers(0, 99)))
def test_the_cap_keeps_its_promise(rows, most, seed):
    table = visits_table(rows)
    kept = cap_rows(table, "who", rows_per_person=most, rng=None if seed is None else np.random.default_rng(seed))
    for who in "abcd":
        own = [cost for person, cost in rows if person == who]
        left = kept.loc[kept["who"] == who, "cost"].tolist()
        assert len(left) == min(len(own), most)
        positions = iter(own)
        assert all(cost in positions for cost in left)  # in their old order
        if seed is None:
            assert left == own[:most]


@thorough
@given(visits, st.integers(1, 3), st.integers(0, 12))
def test_no_person_changes_what_is_kept_of_others(rows, most, place):
    """Put in 3 rows of a new person anywhere: the first rows of the others stay the same."""
    with_more = rows[:place] + [("new", 1)] * 3 + rows[place:]
    before = cap_rows(visits_table(rows), "who", rows_per_person=most)
    after = cap_rows(visits_table(with_more), "who", rows_per_person=most)
    assert after[after["who"] != "new"].to_numpy().tolist() == before.to_numpy().tolist()
    assert len(after) - len(before) == min(3, most)


def test_random_rows_are_drawn_evenly_and_without_looking_at_the_values():
    people, draws = 50, 30
    visits = [[(f"a{each}", 1), (f"b{each}", 7), (f"a{each}", 2), (f"a{each}", 1000)] for each in range(people)]
    table = visits_table([visit for several in visits for visit in several])
    rng = np.random.default_rng(20)
    kept = [cap_rows(table, "who", rows_per_person=1, rng=rng)["cost"] for _ in range(draws)]
    counts = [sum((costs == cost).sum() for costs in kept) for cost in (1, 2, 1000)]
    assert sum(counts) == people * draws
    assert stats.chisquare(counts).pvalue > FALSE_ALARM


def test_the_cap_can_refuse():
    table = visits_table([("planted", 1), ("planted", 2), ("b", 3), ("b", 4), ("c", 5)])
    with pytest.raises(DataError, match="column 'who': some persons have more than 1 row;") as caught:
        cap_rows(table, "who", rows_per_person=1, over="refuse")
    assert "planted" not in str(caught.value)
    pd.testing.assert_frame_equal(cap_rows(table, "who", rows_per_person=2, over="refuse"), table)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"rows_per_person": 0}, ParameterError, "rows_per_person must be a whole number at least 1"),
        ({"over": "drop"}, ParameterError, "over must be truncate or refuse, got 'drop'"),
        ({"rng": 7}, ParameterError, "rng must be a numpy random Generator, got 7"),
        ({"person": "nobody"}, DataError, "the table has no column named 'nobody'"),
        ({"person": 3}, ParameterError, "person must be the name of a column, got 3"),
        ({"table": None}, ParameterError, "table must be a pandas DataFrame"),
        (
            {"table": pd.DataFrame({"who": ["a", None]})},
            DataError,
            "row 2 below the heading, column 'who': it must say whose row it is",
        ),
    ],
)
def test_bad_caps_are_named(arguments, error, message):
    complete = {"table": visits_table([("a", 1)]), "person": "who", "rows_per_person": 1, **arguments}
    with pytest.raises(error, match=message):
        cap_rows(complete.pop("table"), complete.pop("person"), **complete)


def test_an_empty_table_can_be_capped():
    assert len(cap_rows(visits_table([]), "who", rows_per_person=1)) == 0
