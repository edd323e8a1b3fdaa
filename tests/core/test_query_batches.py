"""Answers in batches: the same as in one step, whatever the size of a batch, and no step is long."""

import math
from fractions import Fraction
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.errors import DataError, ParameterError
from par_core.queries import Condition, Count, CountBy, Mean, Sum, cap_rows, columns

thorough = settings(deadline=None, derandomize=True, max_examples=75)
SEEN = Condition("seen", "==", True)
QUERIES = (
    Count(Condition("group", "in", ("a", "ö"))),
    Count(Condition("number", ">", 1.5), where=SEEN),
    CountBy(("group",), (("a", "ö"),)),
    CountBy(("group", "seen"), (("a", "b"), (True, False)), other=True, where=Condition("number", "<=", 2)),
    Sum("number", -1e9, 1e9),
    Sum("number", 0.1, 3, where=SEEN),
    Mean("number", -2.5, 4),
    Mean("number", 1, 4, where=SEEN),
)
rows = st.tuples(
    st.sampled_from(["a", "b", "ö", "", None]),
    st.sampled_from([None, -1e300, -3.7, 0.1, 1e-17, 2.5, 1e8 / 3, math.inf]),
    st.booleans(),
    st.sampled_from("pqrs"),
)


def table_of(found):
    group, number, seen, who = zip(*found, strict=True) if found else ((), (), (), ())
    return pd.DataFrame(
        {
            "group": pd.array(group, dtype="str"),
            "number": np.array(number, dtype=float),
            "seen": np.array(seen, dtype=bool),
            "who": pd.array(who, dtype="str"),
            "unused": np.zeros(len(found)),
        }
    )


def facts(answer):
    return answer.exact.tolist(), answer.labels, answer.size, answer.missing, answer.absent, answer.rows


def batches_of(rows):
    """Have so many rows looked at between two calls of `progress`."""
    return mock.patch.object(columns, "BATCH", rows)


@thorough
@given(st.lists(rows, min_size=1, max_size=20), st.sampled_from(QUERIES), st.integers(1, 25))
def test_the_answer_is_the_same_whatever_the_batch(found, query, batch):
    table, shares = table_of(found), []
    with batches_of(batch):
        answer = query.answer(table, progress=shares.append)
        capped = query.answer(table, person="who", rows_per_person=2)
    assert facts(answer) == facts(query.answer(table))
    assert len(shares) == math.ceil(len(found) / batch)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert facts(capped) == facts(query.answer(cap_rows(table, "who", rows_per_person=2)))


@pytest.mark.parametrize("batch", [1, 7, 1000, 10_000])
def test_a_sum_loses_no_digit_between_batches(batch):
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"x": rng.normal(size=3000) * 10.0 ** rng.integers(-16, 11, 3000)})
    expected = float(sum(map(Fraction, table["x"].clip(-1e9, 1e9).tolist())))
    with batches_of(batch):
        answer = Sum("x", -1e9, 1e9).answer(table)
    assert answer.exact.tolist() == [expected]


@thorough
@given(
    st.lists(st.tuples(st.sampled_from("pqrs"), st.integers(0, 9)), max_size=20),
    st.integers(1, 3),
    st.integers(1, 25),
    st.sampled_from([None, 3]),
)
def test_the_cap_is_the_same_whatever_the_batch(visits, most, batch, seed):
    table = pd.DataFrame(visits, columns=["who", "cost"], index=[0] * len(visits)).astype({"who": "str"})

    def rng():
        return None if seed is None else np.random.default_rng(seed)

    with batches_of(batch):
        found = cap_rows(table, "who", rows_per_person=most, rng=rng())
    pd.testing.assert_frame_equal(found, cap_rows(table, "who", rows_per_person=most, rng=rng()))
    if seed is None:  # against a plain loop
        seen, kept = dict.fromkeys("pqrs", 0), []
        for who, cost in visits:
            seen[who] += 1
            kept += [cost] if seen[who] <= most else []
        assert cap_rows(table, "who", rows_per_person=most)["cost"].tolist() == kept


@pytest.mark.parametrize("who", [[1, 2, 1, 1], [1.5, -0.0, 0.0, 1.5], ["x", 7, 7, "x"], [True, False, True, True]])
def test_persons_of_any_kind_are_told_apart_across_batches(who):
    table = pd.DataFrame({"who": who, "x": [0.0, 1.0, 2.0, 3.0]})
    whole = cap_rows(table, "who", rows_per_person=1)["x"].tolist()
    assert whole == [0.0, 1.0]
    with batches_of(1):
        assert cap_rows(table, "who", rows_per_person=1)["x"].tolist() == whole


def test_a_message_counts_from_the_first_row_of_the_table():
    table = pd.DataFrame({"x": pd.Series([1, None, 2, 3, "planted", 4], dtype=object)})
    for batch in (1, 2, 3, 4, 100):
        for query in (Sum("x", 0, 1), CountBy(("x",), ((1, 4),)), Count(Condition("x", ">", 0))):
            message = "^row 5 below the heading, column 'x': text where a number is expected$"
            with batches_of(batch), pytest.raises(DataError, match=message):
                query.answer(table)
    people = pd.DataFrame({"who": ["a", "b", "a", "b", None], "x": [1.0] * 5})
    message = "^row 5 below the heading, column 'who': it must say whose row it is$"
    with batches_of(2), pytest.raises(DataError, match=message):
        Sum("x", 0, 1).answer(people, person="who", rows_per_person=1)
    with batches_of(2), pytest.raises(DataError, match="some persons have more than 1 row;"):
        Sum("x", 0, 1).answer(people[:4], person="who", rows_per_person=1, over="refuse")


def test_missing_caps_and_columns_are_named():
    table = table_of([("a", 1.0, True, "p")])
    with pytest.raises(ParameterError, match="^rows_per_person must be a whole number"):
        Sum("number", 0, 1).answer(table, person="who")
    with pytest.raises(DataError, match="no column named 'nobody'"):
        Sum("number", 0, 1).answer(table, person="nobody", rows_per_person=1)
    with pytest.raises(DataError, match="no column named 'x'"):
        Sum("x", 0, 1).answer(table, person="who", rows_per_person=1)


def test_no_step_looks_at_more_rows_than_a_batch():
    """A cancel is looked at between steps."""
    size = 4 * columns.BATCH + 7
    table = pd.DataFrame({"group": np.arange(size) % 3, "who": np.arange(size)})
    query = CountBy(("group",), ((0, 1, 2),))
    for person, passes in ((None, 1), ("who", 2)):
        shares = []
        query.answer(table, person=person, rows_per_person=1, progress=shares.append)
        assert len(shares) == passes * 5
        assert max(np.diff([0.0, *shares])) <= columns.BATCH / size / passes + 1e-12
