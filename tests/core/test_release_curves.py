"""A plan as curves and as a table: the values of the plan itself, ranges that hold, and no formula for a spreadsheet."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.evidence import MODEL, PROVEN
from par_core.queries import Comparison, Condition, Count, CountBy, Mean, Sum
from par_core.release import cells, compare_noise, error_curves, noun_of, plan_release, release_error, within
from par_core.scenario import Neighbours

COUNTS = CountBy(("x",), (("a", "b", "=cmd()"),))
COUNT = Count(Condition("x", Comparison.EQUAL, "b"))
SUM = Sum("x", -5.0, 20.0)
PAIR = Mean("x", 0.0, 100.0, where=Condition("x", ">=", 3))


def planned(query, epsilon=0.5, neighbours=Neighbours.REPLACE_ONE, rows_per_person=1):
    return plan_release(query, epsilon, neighbours=neighbours, rows_per_person=rows_per_person, rows=1000)


def curves_of(query, epsilon0=0.5, statistics=1):
    own = planned(query, epsilon0 / statistics)
    return error_curves(own, epsilon0=epsilon0, statistics=statistics, size=500.0 if own.is_pair else None)


@pytest.mark.parametrize("cells", [("a", "b"), ("a", "b", "=cmd()")])
def test_the_curves_are_the_errors_of_each_level_and_its_share(cells):
    curves = curves_of(CountBy(("x",), (cells,)), statistics=2)
    error = release_error(curves.epsilon0 / 2, 2, k=len(cells), whole=True)
    np.testing.assert_array_equal(curves.range95, error.range95)
    np.testing.assert_array_equal(curves.all95, error.all95)
    np.testing.assert_array_equal(curves.expected, error.expected)
    assert (curves.k, curves.sensitivity, curves.statistics) == (len(cells), 2.0, 2)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(st.floats(math.log(1e-6), math.log(600.0)).map(math.exp), st.sampled_from([COUNTS, COUNT, SUM]))
def test_the_own_setting_lies_on_its_curve(epsilon0, query):
    curves = curves_of(query, epsilon0)
    assert curves.epsilon0[0] <= epsilon0 * (1 + 1e-9)
    assert epsilon0 <= curves.epsilon0[-1] * (1 + 1e-9)
    after = int(np.searchsorted(curves.epsilon0, epsilon0 * (1 - 1e-9)))
    beside = curves.range95[[max(after - 1, 0), min(after, len(curves.range95) - 1)]]
    assert beside[1] * (1 - 1e-6) <= curves.own <= beside[0] * (1 + 1e-6)


@pytest.mark.parametrize(("most", "basis"), [(1, PROVEN), (2, MODEL)])
def test_what_is_told_of_a_plan_is_worth_no_more_than_the_plan(most, basis):
    own = planned(Mean("x", 0.0, 100.0), rows_per_person=most)
    told = [own.parts[0], error_curves(own, epsilon0=0.5), within(own), compare_noise(own, epsilon0=0.5, delta=1e-6)]
    assert {each.evidence.basis for each in (own, *told)} == {basis}


def test_the_curve_of_a_mean_over_a_private_number_of_rows_is_its_bound():
    curves = curves_of(PAIR)
    for at in (0, 20, 40):
        assert curves.range95[at] == planned(PAIR, curves.epsilon0[at]).quotient_error(size=500).range95
    assert curves.all95 is None
    assert curves.expected is None


@pytest.mark.parametrize(("query", "noun"), [(COUNTS, "count"), (COUNT, "count"), (SUM, "sum"), (PAIR, "mean")])
def test_a_plan_says_what_its_numbers_are_and_what_they_are_worth(query, noun):
    assert curves_of(query).noun == noun_of(planned(query)) == noun
    assert curves_of(query).evidence.basis is PROVEN
    assert (
        curves_of(query).source
        == (planned(query).quotient_error(size=500) if query is PAIR else planned(query).error).source
    )


def test_ranges_of_counts_are_whole():
    for epsilon in (0.03, 0.5, 2.0, 50.0):
        own = planned(COUNTS, epsilon)
        found = within(own)
        each, every, total = found.each, found.every, found.total
        assert each == own.error.range95
        assert every >= each
        assert every == own.error.all95
        assert total == own.error.total95
        assert all(float(value).is_integer() for value in (each, every, total))


def test_ranges_of_a_sum_are_not_rounded():
    error, found = planned(SUM).error, within(planned(SUM))
    assert (found.each, found.every, found.total) == (error.range95, error.all95, error.total95)


def test_the_table_has_a_row_for_each_cell_and_their_total():
    own = planned(COUNTS)
    table = cells(own)
    assert table["cell"].tolist() == ["a", "b", "'=cmd()", "(total)"]
    assert table["within, 95 of 100"].tolist() == [12.0, 12.0, 12.0, own.error.total95]
    assert table["off by on average"].tolist()[:3] == [own.error.expected] * 3


def test_numbers_below_zero_are_no_formulas():
    table = cells(planned(CountBy(("x",), ((-1, 2),))))
    assert table["cell"].tolist()[:2] == ["-1", "2"]


@pytest.mark.parametrize(("query", "noun"), [(COUNT, "count"), (SUM, "sum"), (PAIR, "mean")])
def test_the_table_of_one_number(query, noun):
    table = cells(planned(query), size=500.0)
    assert table["cell"].tolist() == [noun]
    assert table["within, 95 of 100"][0] > 0
