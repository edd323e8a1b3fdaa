"""The epsilon0 for a wanted error: put back in it meets the wish, and one step less in its last digit does not."""

import decimal
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.errors import InfeasibleError, ParameterError
from par_core.queries import Condition, Count, CountBy, Mean, Sum
from par_core.release import Measure, Wish, epsilon0_for_release, error_of, measure_for, plan, split_evenly
from par_core.scenario import Neighbours
from par_core.standing import PROVEN, declaration_of

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
COUNT = Count(Condition("x", "==", 1))
CELLS = CountBy(("x",), ((1, 2, 3),))
SUM, MEAN = Sum("x", -3, 70), Mean("x", -3, 70)
SIZE = 400.0

thorough = settings(deadline=None, derandomize=True, max_examples=300)
few = settings(deadline=None, derandomize=True, max_examples=10)
wishes = st.sampled_from(list(Wish))
errors = st.floats(math.log(0.01), math.log(1e5)).map(math.exp)
whole_errors = st.integers(1, 1000).map(float)


def reached(planned, wish, epsilon0, statistics):
    """Return the error of a release with epsilon0 in all, by the formulas for one statistic."""
    again = plan(
        planned.query,
        split_evenly(epsilon0, statistics).parts[0],
        neighbours=planned.neighbours,
        rows_per_person=planned.rows_per_person,
        rows=100,
    )
    if again.is_pair:
        found = again.quotient_error(size=SIZE)
        return found.expected if wish is Wish.AVERAGE else found.range95
    error = again.error
    return {
        Wish.EACH: error.range95,
        Wish.ALL: error.all95,
        Wish.TOTAL: error.total95 if error.k > 1 else error.range95,
        Wish.AVERAGE: error.expected,
    }[wish]


def step_below(epsilon0, digits):
    """Return the next smaller number of so many digits."""
    return float(decimal.Context(prec=digits).next_minus(decimal.Decimal(repr(epsilon0))))


@pytest.mark.slow
@thorough
@given(
    st.sampled_from([COUNT, CELLS, SUM, MEAN]),
    st.sampled_from(list(Neighbours)),
    wishes,
    errors | whole_errors,
    st.sampled_from([1, 2, 3, 7, 50]),
    st.integers(1, 9),
    st.sampled_from([1, 4]),
)
def test_it_meets_the_wish_and_a_step_less_does_not(query, neighbours, wish, wanted, statistics, digits, most):
    neighbours = REPLACE if query is MEAN else neighbours  # the others below: each takes a search of its own
    planned = plan(query, 0.5, neighbours=neighbours, rows_per_person=most, rows=100)
    found = epsilon0_for_release(wanted, planned, statistics=statistics, wish=wish, rows=100, digits=digits)
    assert float(f"{found:.{digits}g}") == found, "it has no more digits than asked for"
    assert reached(planned, wish, found, statistics) <= wanted
    assert reached(planned, wish, step_below(found, digits), statistics) > wanted


@pytest.mark.slow
@few
@given(wishes, st.floats(0.5, 20.0), st.sampled_from([1, 3]), st.integers(2, 5))
def test_a_quotient_meets_the_wish_and_a_step_less_does_not(wish, wanted, statistics, digits):
    planned = plan(MEAN, 0.5, neighbours=ADD)
    found = epsilon0_for_release(wanted, planned, statistics=statistics, wish=wish, size=SIZE, digits=digits)
    assert reached(planned, wish, found, statistics) <= wanted
    assert reached(planned, wish, step_below(found, digits), statistics) > wanted


@pytest.mark.slow
def test_an_exact_number_stays_and_a_share_that_is_rounded_down_is_made_up_for():
    planned = plan(SUM, 0.5, neighbours=ADD)
    assert epsilon0_for_release(140, planned, wish="average") == 0.5
    assert epsilon0_for_release(140, planned, wish="average", statistics=2) == 1.0
    for wanted, needed in ((700, 0.1), (1400, 0.05), (233 + 1 / 3, 0.3), (7, 10), (7e-3, 10_000)):
        assert epsilon0_for_release(wanted, planned, wish="average") == needed
    for statistics in range(1, 200):
        found = epsilon0_for_release(140, planned, wish="average", statistics=statistics)
        assert split_evenly(found, statistics).parts[0] >= 0.5
        assert found <= 0.5 * statistics * (1 + 1e-3)


def test_what_a_wish_means():
    cells, total = plan(CELLS, 0.5, neighbours=REPLACE), plan(SUM, 0.5, neighbours=REPLACE)
    assert [measure_for(wish, cells) for wish in Wish] == [
        Measure.RANGE95,
        Measure.ALL95,
        Measure.TOTAL95,
        Measure.EXPECTED,
    ]
    assert [measure_for(wish, total) for wish in Wish] == [*[Measure.RANGE95] * 3, Measure.EXPECTED]
    pair = plan(MEAN, 0.5, neighbours=ADD)
    assert [measure_for(wish, pair) for wish in Wish] == [*[Measure.RANGE95] * 3, Measure.EXPECTED]
    assert error_of(0.5, 2, measure=measure_for("all", cells), k=3, whole=True) == cells.error.all95
    with pytest.raises(ParameterError, match="wish must be one of each, all, total, average, got 'most'"):
        measure_for("most", cells)


def test_wishes_that_cannot_be_met():
    planned = plan(MEAN, 0.5, neighbours=ADD)
    with pytest.raises(InfeasibleError, match="every one will do"):
        epsilon0_for_release(1e6, planned, size=SIZE)
    with pytest.raises(InfeasibleError, match="no finite epsilon0"):
        epsilon0_for_release(1e-304, plan(SUM, 0.5, neighbours=ADD), statistics=10_000, wish="average")
    for arguments, message in (
        ({"statistics": 0}, "statistics must be"),
        ({"statistics": 20_000}, "statistics must be"),
        ({"digits": 0}, "digits must be"),
        ({"digits": 16}, "digits must be"),
        ({"wanted": math.nan}, "wanted must be"),
        ({"wanted": -1}, "wanted must be"),
    ):
        given_ = {"wanted": 1.0, **arguments}
        with pytest.raises(ParameterError, match=message):
            epsilon0_for_release(given_.pop("wanted"), plan(SUM, 0.5, neighbours=ADD), **given_)


def test_it_says_what_it_is_worth():
    assert declaration_of(epsilon0_for_release).standing is PROVEN
