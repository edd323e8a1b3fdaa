"""Counts of persons, each once in a cell: against a plain loop, and their sensitivity against all neighbours."""

import itertools
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from par_core.errors import DataError, ParameterError
from par_core.queries import (
    Condition,
    Count,
    CountBy,
    PersonCount,
    PersonCountBy,
    cap_rows,
    columns,
)
from par_core.release import plan_release
from par_core.scenario import Neighbours

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
LETTERS = "abcd"
MARKED = Condition("mark", "==", 1)
QUERIES = {
    "one": PersonCount(Condition("group", "in", ("a", "b")), person="who"),
    "one among": PersonCount(Condition("group", "==", "a"), MARKED, person="who"),
    "cells": PersonCountBy(("group",), (("a", "b", "c"),), person="who"),
    "cells among": PersonCountBy(("group",), (("b", "a"),), where=MARKED, person="who"),
    "others": PersonCountBy(("group",), (("a", "b"),), other=True, person="who"),
    "pairs": PersonCountBy(("group", "mark"), (("a", "c"), (0, 1)), person="who"),
}


def table_of(rows):
    who, group, mark = zip(*rows, strict=True) if rows else ((), (), ())
    return pd.DataFrame(
        {"who": pd.array(who, dtype="str"), "group": pd.array(group, dtype="str"), "mark": np.array(mark, dtype=int)}
    )


def answer(query, rows, most=10**6):
    return query.answer(table_of(rows), rows_per_person=most).exact


def cell_of(name, group, mark):
    """The cell of a row, by hand."""
    if group is None:
        return None
    found = {
        "one": {"a": 0, "b": 0},
        "one among": {"a": 0} if mark else {},
        "cells": {"a": 0, "b": 1, "c": 2},
        "cells among": {"b": 0, "a": 1} if mark else {},
        "others": {"a": 0, "b": 1, "c": 2, "d": 2},
        "pairs": {"a": mark, "c": 2 + mark},
    }
    return found[name].get(group)


def loop(name, rows, most):
    """Each person once in each of their first cells, row by row; and how many pairs of a person and a cell there are."""
    held, counts = {}, np.zeros(QUERIES[name].k)
    for who, group, mark in rows:
        cell = cell_of(name, group, mark)
        cells = held.setdefault(who, [])
        if cell is None or cell in cells:
            continue
        cells.append(cell)
        if len(cells) <= most:
            counts[cell] += 1
    return counts, sum(map(len, held.values()))


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("name", QUERIES)
def test_each_person_counts_once_in_each_of_their_first_cells(name, most):
    rng = np.random.default_rng(5)
    for _ in range(3):
        size = int(rng.integers(0, 60))
        people, marks = (rng.integers(0, most_of, size) for most_of in (9, 2))
        groups = rng.choice([*LETTERS, None], size)
        rows = [(f"p{who}", group, int(mark)) for who, group, mark in zip(people, groups, marks, strict=True)]
        counts, pairs = loop(name, rows, most)
        assert answer(QUERIES[name], rows, most).tolist() == counts.tolist()
        with mock.patch.object(columns, "BATCH", 7):
            assert answer(QUERIES[name], rows, most).tolist() == counts.tolist()
            kept = QUERIES[name].kept(table_of(rows), person="who", rows_per_person=most)
        assert (kept.number, kept.of, kept.left_out) == (counts.sum(), pairs, pairs - counts.sum())


# --- sensitivity ------------------------------------------------------------------------------------------------------

OTHERS = [("x", "a", 1), ("y", "b", 0), ("x", "c", 1)]


def of_k(k):
    return PersonCountBy(("group",), (tuple(LETTERS[:k]),), person="who")


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_sensitivity_is_the_farthest_of_all_neighbours(k, most):
    """One person with every sequence of up to 3 rows, in a cell or in none, before and after; their rows anywhere."""
    query = of_k(k)
    listed = [*LETTERS[:k], None]
    held = [each for size in range(4) for each in itertools.product(listed, repeat=size)]
    # A person's set is that of the first rows in different cells: each set once is enough.
    shapes = list({tuple(dict.fromkeys(cell for cell in each if cell)): each for each in held}.values())
    answers = np.array(
        [answer(query, [*OTHERS[:2], *(("me", cell, 1) for cell in each), OTHERS[2]], most) for each in shapes]
    )
    distances = np.abs(answers[:, None] - answers[None]).sum(axis=2)
    assert distances.max() == query.sensitivity(REPLACE, most) == min(2 * most, k)
    nobody = answer(query, OTHERS, most)
    assert np.abs(answers - nobody).sum(axis=1).max() == query.sensitivity(ADD, most) == min(most, k)


def test_one_person_moves_a_single_count_by_1():
    query = PersonCount(Condition("group", "==", "a"), person="who")
    held = [each for size in range(4) for each in itertools.product("ab", repeat=size)]
    answers = [answer(query, [*OTHERS, *(("me", cell, 1) for cell in each)], 3)[0] for each in held]
    assert max(answers) - min(answers) == query.sensitivity(REPLACE, 3) == query.sensitivity(ADD, 3) == 1


def test_the_same_rows_with_a_cap_of_rows_need_as_much_noise_and_keep_less():
    """What the cap is for: 3 rows of one person in one cell count once, and their row in another cell stays."""
    rows = [("me", "a", 1), ("me", "a", 1), ("me", "a", 1), ("me", "b", 1)]
    rowwise, persons = CountBy(("group",), (("a", "b", "c", "d"),)), of_k(4)
    assert rowwise.answer(cap_rows(table_of(rows), "who", rows_per_person=2)).exact.tolist() == [2, 0, 0, 0]
    assert answer(persons, rows, 2).tolist() == [1, 1, 0, 0]
    for kind in Neighbours:
        assert persons.sensitivity(kind, 2) == rowwise.sensitivity(kind, 2)
        assert persons.sensitivity(kind, 9) == 4 < rowwise.sensitivity(kind, 9)


def test_the_noise_follows():
    planned = plan_release(of_k(4), 0.5, neighbours=REPLACE, rows_per_person=9)
    assert planned.error.scale == 8.0
    assert planned.query.whole


# --- what goes with it ------------------------------------------------------------------------------------------------


def test_rows_are_told_apart_by_kind_as_without_persons():
    rows = [("p", "a", 1), ("p", None, 1), ("q", "z", 0), ("q", "a", 1), ("p", "a", 0)]
    plain = CountBy(("group",), (("a", "b"),)).answer(table_of(rows))
    found = PersonCountBy(("group",), (("a", "b"),), person="who").answer(table_of(rows))
    assert found.exact.tolist() == [2.0, 0.0]
    assert (found.rows, found.missing, found.absent, found.size) == (5, 1, 1, 5)
    assert (plain.rows, plain.missing, plain.absent, plain.size) == (5, 1, 1, 5)


def test_a_row_of_nobody_is_named_by_its_place():
    rows = [("p", "a", 1), (None, "secret", 1)]
    for ask in (of_k(2).answer, of_k(2).kept, Count(MARKED).kept):
        with pytest.raises(DataError, match="row 2 below the heading, column 'who': it must say whose row it is"):
            ask(table_of(rows), person="who", rows_per_person=1)


def test_the_limit_can_refuse():
    rows = [("p", "a", 1), ("p", "b", 1), ("q", "a", 1), ("q", "a", 1)]
    with pytest.raises(DataError, match="^column 'who': some persons fall into more than 1 cell; allow more cells per"):
        of_k(2).answer(table_of(rows), rows_per_person=1, over="refuse")
    found = of_k(2).answer(table_of(rows), rows_per_person=2, over="refuse")
    assert found.exact.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows_per_person": 0}, "^rows_per_person must be"),
        ({"over": "drop"}, "^over must be truncate or refuse"),
        ({"person": "group"}, "^person must be 'who', as in the query, got 'group'"),
    ],
)
def test_bad_limits_are_named(change, message):
    with pytest.raises(ParameterError, match=message):
        of_k(2).answer(table_of(OTHERS), **change)


def test_a_person_is_named_by_a_column():
    with pytest.raises(ParameterError, match="^person must be the name of a column"):
        PersonCount(MARKED, person=3)
    with pytest.raises(ParameterError, match="^person must be the name of a column"):
        PersonCountBy(("group",), (("a",),), person=None)


def test_what_is_kept_is_hidden():
    kept = of_k(2).kept(table_of(OTHERS), person="who", rows_per_person=1)
    assert repr(kept) == "Kept(<hidden>)"


def test_an_empty_table():
    assert answer(of_k(2), []).tolist() == [0, 0]
