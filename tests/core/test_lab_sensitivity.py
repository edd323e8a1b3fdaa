"""Sensitivity as an exercise: each largest change is that over all small tables, and each answer is judged by it."""

import itertools
from fractions import Fraction

import pytest

from par_core.errors import ParameterError
from par_core.lab.sensitivity import QUERIES, VARIANTS, Numbers, exercise, read
from par_core.scenario import Neighbours

ADDS, REPLACES = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE
NUMBERS = [Numbers(-10, 20, 5, 3), Numbers(0, 20, 8, 3), Numbers(-20, 10, -3, 5)]


def neighbours_of(table, values, neighbours):
    for at in range(len(table)):
        rest = (*table[:at], *table[at + 1 :])
        if neighbours is ADDS:
            if rest:
                yield rest
        else:
            yield from ((*rest, value) for value in values)


def largest_change(query, numbers, neighbours):
    """Over all tables of up to four people, or of the public number, whose values are the bounds or among a few between them."""
    values = sorted({numbers.low, numbers.high, 0, numbers.cut, numbers.cut - 1})
    sizes = [numbers.people] if query.fixed else range(1, 5)
    tables = [table for size in sizes for table in itertools.combinations_with_replacement(values, size)]
    return max(
        sum(
            abs(one - other)
            for one, other in zip(query.answer(table, numbers), query.answer(near, numbers), strict=True)
        )
        for table in tables
        for near in neighbours_of(table, values, query.fixed or neighbours)
    )


@pytest.mark.parametrize("query", QUERIES, ids=lambda each: each.key)
@pytest.mark.parametrize("neighbours", [REPLACES, ADDS])
@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_the_largest_change_is_that_over_all_small_tables(query, neighbours, numbers):
    used = query.fixed or neighbours
    assert query.most(numbers, used) == largest_change(query, numbers, neighbours)
    one, other = query.pair(numbers, used)
    assert {len(one) - len(other), 0} == {0, -1 if used is ADDS else 0}
    change = zip(query.answer(one, numbers), query.answer(other, numbers), strict=True)
    assert sum(abs(a - b) for a, b in change) == query.most(numbers, used)


@pytest.mark.parametrize("neighbours", [REPLACES, ADDS])
@pytest.mark.parametrize("number", range(1, 9))
def test_every_variant_shows_neighbours_that_do_not_tell_and_others_that_reach_the_most(number, neighbours):
    shown = set()
    for variant in range(1, VARIANTS + 1):
        found = exercise(number, neighbours=neighbours, variant=variant)
        assert found.furthest.change == found.most
        assert found.shown.change <= found.drawn.change <= found.most
        # There hardly anybody moves it by less.
        if found.key not in ("histogram", "distinct") or neighbours is REPLACES:
            assert found.shown.change < found.most
        for pair in (found.shown, found.drawn, found.furthest):
            differ = [at for at, both in enumerate(zip(pair.first, pair.second, strict=True)) if both[0] != both[1]]
            assert differ == [pair.changed]
            assert (None in (*pair.first, *pair.second)) == (found.neighbours is ADDS)
        shown.add((found.shown.first, found.shown.second))
    assert len(shown) == VARIANTS


def test_an_answer_is_judged_by_the_largest_change_and_one_too_small_is_refuted():
    found = exercise(2, variant=1)
    assert (found.key, found.sensitivity) == ("sum", 40.0)
    assert [found.judge(each) for each in (39.0, 39.99, 40.0, 40.3, 41.0)] == [
        "too small",
        "too small",
        "right",
        "right",
        "too large",
    ]
    for said in (0.5, float(found.shown.change), float(found.drawn.change), 39.0):
        assert found.further(said).change > said
    third = exercise(3, variant=1)
    assert third.most == Fraction(40, 7)
    assert third.judge(5.71) == "right"


def test_a_public_number_of_people_leaves_only_one_kind_of_neighbours():
    assert exercise(3, neighbours=ADDS).neighbours is REPLACES
    assert exercise(4, neighbours=ADDS).most == exercise(4, neighbours=REPLACES).most / 2


def test_an_answer_is_read_as_it_is_written():
    assert [read(each) for each in (" 5 / 2", "2,5", "2.50", "40")] == [2.5, 2.5, 2.5, 40.0]
    for wrong in ("", "x", "0", "-1", "1/0", "nan", "inf", "1e9", "1" * 41, "2 5"):
        with pytest.raises(ParameterError, match="such as 2.5 or 5/2"):
            read(wrong)
