"""The figure of a plan: titles and units that tell the truth, values of the core, no private word."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.figures import points, your_table
from par_core.queries import Comparison, Condition, Count, CountBy, Mean, Sum
from par_core.release import error_curves, plan_release, release_error
from par_core.rounding import amount
from par_core.scenario import Neighbours
from tests.figures.checked import Checked

figures = Checked(your_table)

MARKER = "zebra4711"
COUNTS = CountBy((MARKER,), (("a", f"{MARKER}b", "=cmd()"),))
COUNT = Count(Condition(MARKER, Comparison.EQUAL, f"{MARKER}b"))
SUM = Sum(MARKER, -5.0, 20.0)
PAIR = Mean(MARKER, 0.0, 100.0, where=Condition(MARKER, ">=", 3))
ALL = [COUNTS, COUNT, SUM, PAIR]


def planned(query, epsilon=0.5, neighbours=Neighbours.REPLACE_ONE, rows_per_person=1):
    return plan_release(query, epsilon, neighbours=neighbours, rows_per_person=rows_per_person, rows=1000)


def drawn(query, epsilon0=0.5, statistics=1, **options):
    own = planned(query, epsilon0 / statistics)
    size = 500.0 if own.is_pair else None
    curves = error_curves(own, epsilon0=epsilon0, statistics=statistics, size=size)
    return curves, figures.error_against_epsilon0(curves, unit="rows", **options)


def without_nothing(epsilon0, errors):
    """The points of a curve of counts that are drawn: on a log scale there is no place for what is 0 or next to it."""
    return [epsilon0[errors >= 1e-3], errors[errors >= 1e-3]]


def lowest(figure):
    return min(np.min(np.asarray(each.y, float)) for each in figure.data if each.mode == "lines")


def test_the_curves_are_those_of_the_core(trace, coordinates):
    curves, figure = drawn(COUNTS, statistics=2)
    error = release_error(curves.epsilon0 / 2, 2, k=3, whole=True)
    drawn_as = {"each number, in 95": error.range95, "all 3 at once": error.all95, "on average": error.expected}
    for name, errors in drawn_as.items():
        np.testing.assert_array_equal(coordinates(trace(figure, name)), without_nothing(curves.epsilon0, errors))


@settings(deadline=None, derandomize=True, max_examples=25)
@given(st.floats(math.log(1e-6), math.log(600.0)).map(math.exp), st.sampled_from([COUNTS, COUNT, SUM]))
def test_the_own_setting_is_marked_with_its_value(epsilon0, query):
    curves, figure = drawn(query, epsilon0)
    (mark,) = (each for each in figure.data if each.name == "your setting")
    assert (mark.x[0], mark.y[0]) == (epsilon0, curves.own or lowest(figure)), "an error of 0 is marked at the foot"
    written, level = mark.text[0].replace("<br>", "").strip().split(" at ε₀ = ")
    assert curves.own <= float(written.replace(",", "")) <= 1.034 * curves.own  # two digits
    assert level == amount(epsilon0, 4)


@pytest.mark.parametrize("query", ALL)
def test_titles_and_axes_say_what_is_drawn_and_in_which_unit(query):
    curves, figure = drawn(query, statistics=3)
    title = figure.layout.title.text
    assert curves.noun in title
    assert "3 statistics" in title
    if curves.sensitivity is not None:
        assert f"sensitivity {curves.sensitivity:g}" in title
    assert figure.layout.xaxis.title.text == "Privacy level ε₀ (smaller is more private)"
    assert "unit: rows" in figure.layout.yaxis.title.text
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


@pytest.mark.parametrize("query", ALL)
def test_no_figure_names_a_column_or_a_category(query):
    curves, _ = drawn(query)
    drawing = your_table.error_against_epsilon0(curves, unit="rows", wanted=7.0, found=0.8)
    assert MARKER not in drawing.to_json()
    assert MARKER not in points.table(drawing).to_csv()


def test_a_mean_over_a_private_number_of_rows_is_drawn_as_a_bound(trace, coordinates):
    curves, figure = drawn(PAIR)
    epsilon0, bound = coordinates(trace(figure, "at most"))
    for at in (0, 20, 40):
        assert bound[at] == planned(PAIR, epsilon0[at]).quotient_error(size=500).range95
    assert curves.all95 is None
    assert curves.expected is None


def test_the_wanted_error_and_its_level_are_marked(trace, coordinates):
    _, figure = drawn(COUNT, wanted=10.0, found=0.3)
    assert set(coordinates(trace(figure, "wanted: at most 10"))[1]) == {10.0}
    assert coordinates(trace(figure, "ε₀ for the wanted error")) == ([0.3], [10.0])


@pytest.mark.parametrize("query", ALL)
def test_the_small_picture_marks_the_present_setting(query, trace, coordinates):
    curves, _ = drawn(query)
    small = figures.small_error_against_epsilon0(curves)
    assert coordinates(trace(small, "your setting")) == ([curves.own_epsilon0], [curves.own])
    whole = curves.noun == "count"
    expected = without_nothing(curves.epsilon0, curves.range95) if whole else [curves.epsilon0, curves.range95]
    np.testing.assert_array_equal(coordinates(trace(small, "95 of 100 releases")), expected)
    assert curves.noun in small.layout.title.text
    assert MARKER not in small.to_json()
