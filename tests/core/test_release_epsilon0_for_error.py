"""The epsilon0 for a wanted error: put back in it meets the wish, and one step less in its last digit does not."""

import decimal
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from par_core.decision import ErrorWish, band
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, evidence_of
from par_core.mechanisms import MECHANISMS, Gaussian
from par_core.queries import Condition, Count, CountBy, Mean, PersonCount, PersonCountBy, Sum
from par_core.release import Measure, epsilon0_for_release, epsilon_for_query, plan_release, scenario_of, split_evenly
from par_core.rounding import error, rounded
from par_core.scenario import Neighbours, Scenario

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
COUNT = Count(Condition("x", "==", 1))
CELLS = CountBy(("x",), ((1, 2, 3),))
SUM, MEAN = Sum("x", -3, 70), Mean("x", -3, 70)
SIZE = 400.0

thorough = settings(deadline=None, derandomize=True, max_examples=150)
few = settings(deadline=None, derandomize=True, max_examples=10)
measures = st.sampled_from(list(Measure))
errors = st.floats(math.log(0.01), math.log(1e5)).map(math.exp)
whole_errors = st.integers(1, 1000).map(float)


def reached(planned, measure, epsilon0, statistics):
    """Return the error of a release with epsilon0 in all, by the formulas for one statistic."""
    again = plan_release(
        planned.query,
        split_evenly(epsilon0, statistics).parts[0],
        neighbours=planned.neighbours,
        rows_per_person=planned.rows_per_person,
        rows=100,
    )
    error = again.quotient_error(size=SIZE) if again.is_pair else again.error
    if planned.query.k == 1:
        return error.expected if "expected" in measure else error.range95
    return getattr(error, measure.name.lower())


def step_below(epsilon0, digits):
    """Return the next smaller number of so many digits."""
    return float(decimal.Context(prec=digits).next_minus(decimal.Decimal(repr(epsilon0))))


@thorough
@given(
    st.sampled_from([COUNT, CELLS, SUM, MEAN]),
    st.sampled_from(list(Neighbours)),
    measures,
    errors | whole_errors,
    st.sampled_from([1, 2, 3, 7, 50]),
    st.integers(1, 9),
    st.sampled_from([1, 4]),
)
def test_it_meets_the_wish_and_a_step_less_does_not(query, neighbours, measure, wanted, statistics, digits, most):
    neighbours = REPLACE if query is MEAN else neighbours  # the others below: each takes a search of its own
    planned = plan_release(query, 0.5, neighbours=neighbours, rows_per_person=most, rows=100)
    found = epsilon0_for_release(wanted, planned, statistics=statistics, measure=measure, rows=100, digits=digits)
    assert float(f"{found:.{digits}g}") == found, "it has no more digits than asked for"
    assert reached(planned, measure, found, statistics) <= wanted
    assert reached(planned, measure, step_below(found, digits), statistics) > wanted


@few
@given(measures, st.floats(0.5, 20.0), st.sampled_from([1, 3]), st.integers(2, 5))
def test_a_quotient_meets_the_wish_and_a_step_less_does_not(measure, wanted, statistics, digits):
    planned = plan_release(MEAN, 0.5, neighbours=ADD)
    found = epsilon0_for_release(wanted, planned, statistics=statistics, measure=measure, size=SIZE, digits=digits)
    assert reached(planned, measure, found, statistics) <= wanted
    assert reached(planned, measure, step_below(found, digits), statistics) > wanted


def test_an_exact_number_stays_and_a_share_that_is_rounded_down_is_made_up_for():
    planned = plan_release(SUM, 0.5, neighbours=ADD)
    assert epsilon0_for_release(140, planned, measure="expected") == 0.5
    assert epsilon0_for_release(140, planned, measure="expected", statistics=2) == 1.0
    for wanted, needed in ((700, 0.1), (1400, 0.05), (233 + 1 / 3, 0.3), (7, 10), (7e-3, 10_000)):
        assert epsilon0_for_release(wanted, planned, measure="expected") == needed
    for statistics in range(1, 200):
        found = epsilon0_for_release(140, planned, measure="expected", statistics=statistics)
        assert split_evenly(found, statistics).parts[0] >= 0.5
        assert found <= 0.5 * statistics * (1 + 1e-3)


def test_one_number_is_its_own_total():
    for query, neighbours in ((COUNT, REPLACE), (SUM, REPLACE), (MEAN, ADD)):
        planned = plan_release(query, 0.5, neighbours=neighbours)
        each, *others = (
            epsilon0_for_release(5, planned, measure=measure, size=SIZE) for measure in Measure if "95" in measure
        )
        assert others == [each, each]
    cells = plan_release(CELLS, 0.5, neighbours=REPLACE)
    found = [epsilon0_for_release(5, cells, measure=measure, digits=15) for measure in Measure]
    needed = [epsilon_for_query(5, CELLS, neighbours=REPLACE, measure=measure) for measure in Measure]
    assert found == pytest.approx(needed, rel=1e-13)
    assert len(set(found)) == len(Measure)
    with pytest.raises(ParameterError, match="measure must be expected, .* or total95, got 'most'"):
        epsilon0_for_release(5, cells, measure="most")


def test_wishes_that_cannot_be_met():
    planned = plan_release(MEAN, 0.5, neighbours=ADD)
    with pytest.raises(InfeasibleError, match="every one will do"):
        epsilon0_for_release(1e6, planned, size=SIZE)
    with pytest.raises(InfeasibleError, match="no epsilon makes the error as small"):
        epsilon_for_query(0, MEAN, neighbours=ADD, size=SIZE)
    with pytest.raises(InfeasibleError, match="no finite epsilon0"):
        epsilon0_for_release(1e-304, plan_release(SUM, 0.5, neighbours=ADD), statistics=10_000, measure="expected")
    for arguments, message in (
        ({"statistics": 0}, "statistics must be"),
        ({"statistics": 2_000_000}, "statistics must be"),
        ({"digits": 0}, "digits must be"),
        ({"digits": 16}, "digits must be"),
        ({"wanted": math.nan}, "wanted must be"),
        ({"wanted": -1}, "wanted must be"),
    ):
        given_ = {"wanted": 1.0, **arguments}
        with pytest.raises(ParameterError, match=message):
            epsilon0_for_release(given_.pop("wanted"), plan_release(SUM, 0.5, neighbours=ADD), **given_)


def test_it_says_what_it_is_worth():
    assert evidence_of(epsilon0_for_release).basis is PROVEN


# --- in Decide and on all pages that follow the scenario ----------------------------------------------------------

ADOPTED = [
    COUNT,
    CELLS,
    SUM,
    MEAN,
    PersonCount(COUNT.condition, person="who"),
    PersonCountBy(CELLS.columns, CELLS.categories, person="who"),
]


def plan_of(query, scenario):
    return plan_release(
        query,
        scenario.epsilon0,
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
        rows=100,
        mechanism=scenario.mechanism,
        delta=scenario.delta,
        statistics=scenario.statistics,
    )


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.sampled_from(ADOPTED),
    st.sampled_from(list(Neighbours)),
    st.sampled_from(list(MECHANISMS)),
    st.integers(1, 100),
    st.sampled_from([1, 3]),
    st.floats(0.01, 5.0),
)
@example(MEAN, REPLACE, "laplace", 37, 1, 1.0)  # whose sensitivity is no float times 37
def test_a_scenario_that_takes_a_plan_over_takes_all_of_it(query, neighbours, mechanism, most, statistics, epsilon0):
    scenario = Scenario(
        epsilon0=epsilon0, neighbours=neighbours, rows_per_person=most, statistics=statistics, mechanism=mechanism
    )
    planned = plan_of(query, scenario)
    taken = scenario_of(planned, scenario)
    if taken is None:
        less_in_l2 = planned.norm == "L2" and query.k > 1
        assert (
            planned.is_pair or planned.assumes_as_many or less_in_l2 or isinstance(query, PersonCount | PersonCountBy)
        )
        return
    assert not planned.assumes_as_many, "a scenario cannot say that"
    assert taken.release.error_quantile(0.95) == pytest.approx(planned.error.range95, rel=1e-14)
    assert taken.release.all_error(0.95, taken.k) == pytest.approx(planned.error.all95, rel=1e-14)
    assert plan_of(query, taken).error.range95 == planned.error.range95, "the plan stays what it was"
    assert scenario_of(plan_of(query, taken), taken) == taken, "nothing more is to be taken over"


@pytest.mark.parametrize("statistics", [1, 3])
def test_a_plan_and_the_scenario_that_takes_it_over_show_the_same_error(statistics):
    """At this level noise that is not made for steps is off by 2 at most, and that of a script by a little more."""
    level = float(Gaussian.epsilon_for_scale(2 / 1.959963984540054, sensitivity=0.1 * statistics**0.5, delta=1e-6))
    scenario = Scenario(epsilon0=level, mechanism="gaussian", delta=1e-6, statistics=statistics)
    planned = plan_release(
        Mean("x", 0, 100),
        level,
        neighbours=scenario.neighbours,
        rows=1000,
        mechanism="gaussian",
        delta=1e-6,
        statistics=statistics,
    )
    taken = scenario_of(planned, scenario)
    assert error(taken.release.error_quantile(0.95)) == error(planned.error.range95) == "2.01"


@pytest.mark.parametrize("mechanism", ["laplace", "discrete-laplace", "gaussian"])
@pytest.mark.parametrize(("query", "wanted"), [(COUNT, 7), (CELLS, 10), (SUM, 300), (MEAN, 3), (ADOPTED[4], 7)])
@pytest.mark.parametrize("most", [1, 3])
def test_decide_asks_for_the_level_that_was_found_for_the_query(query, wanted, mechanism, most):
    planned = plan_of(query, Scenario(mechanism=mechanism, rows_per_person=most))
    needed = epsilon0_for_release(wanted, planned, rows=100)
    taken = scenario_of(planned, Scenario(mechanism=mechanism, rows_per_person=most))
    if (query is CELLS and mechanism == "gaussian") or (query is MEAN and most > 1):
        assert taken is None
        return
    assert rounded(band(ErrorWish(wanted), taken).low, 4, toward="up") == needed
