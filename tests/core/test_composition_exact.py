"""`exact` against values in many digits, and what must hold of it everywhere."""

from __future__ import annotations

import csv
import importlib
import math
import tracemalloc
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.composition import compose, exact, exact_delta
from par_core.composition.brackets import NARROW
from par_core.decision import total
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Quantity
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import Laplace
from par_core.scenario import Scenario

law = importlib.import_module("par_core.composition.loss_distribution")
tail = importlib.import_module("par_core.composition.delta_from_loss")

quick = settings(deadline=None, derandomize=True, max_examples=25)

# From tests/core/data/make_composition_exact.py, which says how.
with (Path(__file__).parent / "data" / "composition_exact.csv").open(encoding="utf-8", newline="") as _file:
    GOLDEN = [
        (float(row["epsilon0"]), int(row["releases"]), float(row["delta"]), Fraction(row["epsilon"]))
        for row in csv.DictReader(_file)
    ]
# The project's own table, at delta = 1e-5.
TABLE = {
    (0.1, 1): 0.0999799999,
    (0.1, 10): 0.9899623112,
    (0.1, 100): 4.2203473251,
    (0.1, 200): 6.3816482415,
    (0.1, 300): 8.1599892678,
    (0.5, 1): 0.4999799999,
    (0.5, 10): 4.9899623112,
    (0.5, 100): 28.5016461013,
    (0.5, 200): 47.1788287253,
    (0.5, 300): 63.9817970788,
    (1.0, 1): 0.9999799999,
    (1.0, 10): 9.9899623112,
    (1.0, 100): 68.2529510556,
    (1.0, 200): 119.4534905959,
    (1.0, 300): 167.2673062489,
}


def gaps_and_errors():
    """Of every golden value: the gap between the ends and the error of the centre, relative; the ends must hold it."""
    gaps, errors = [], []
    for epsilon0, n, delta, truth in GOLDEN:
        found = exact(epsilon0, n, delta=delta)
        assert Fraction(found.lower) <= truth <= Fraction(found.upper), (epsilon0, n, delta)
        assert found.lower <= found.value <= found.upper
        size = float(truth) or 1.0
        gaps.append((found.upper - found.lower) / size)
        errors.append(abs(float(Fraction(found.value) - truth)) / size)
    return np.array(gaps), np.array(errors)


@pytest.fixture(scope="module")
def unbroken():
    return gaps_and_errors()


# --- values ------------------------------------------------------------------------------------------------------


def test_the_table():
    for (epsilon0, n), wanted in TABLE.items():
        found = exact(epsilon0, n, delta=1e-5)
        assert found.value == pytest.approx(wanted, abs=6e-11)
        assert found.lower - 1e-10 <= wanted <= found.upper + 1e-10
    golden = {(epsilon0, n): truth for epsilon0, n, delta, truth in GOLDEN if delta == 1e-5}
    for case, wanted in TABLE.items():
        assert abs(float(golden[case]) - wanted) <= 1.0001e-10  # the two references agree too


def test_values_in_many_digits(unbroken):
    """Goals: the ends within 2e-4 of each other, the centre within 1e-9; both are far better."""
    assert len(GOLDEN) >= 40
    gaps, errors = unbroken
    assert gaps.max() < 1e-5
    assert errors.max() < 1e-10


def test_a_whole_curve_gives_what_single_calls_give():
    """One tilt then serves all numbers of releases, and the small ones lose digits; the ends must say so and still hold."""
    for epsilon0 in (0.01, 0.5, 20.0):
        for delta in (1e-12, 1e-5, 0.1):
            numbers = np.arange(1, 301)
            curve = exact(epsilon0, numbers, delta=delta)
            for n in (1, 2, 17, 90, 300):
                alone = exact(epsilon0, n, delta=delta)
                assert curve.value[n - 1] == pytest.approx(alone.value, rel=1e-9, abs=1e-15)
                assert curve.lower[n - 1] <= alone.upper
                assert alone.lower <= curve.upper[n - 1]
            assert ((curve.upper - curve.lower) <= 2e-4 * curve.value + 1e-15).all()
    for epsilon0, n, delta, truth in GOLDEN[::2]:
        curve = exact(epsilon0, [n, 2 * n, 5 * n + 40], delta=delta)
        assert Fraction(curve.lower[0]) <= truth <= Fraction(curve.upper[0])


def test_one_release():
    level = np.array([1e-8, 1e-4, 0.01, 0.1, 0.5, 1.0, 3.0, 7.0, 20.0, 50.0])[:, None]
    delta = np.array([1e-15, 1e-12, 1e-8, 1e-5, 1e-3, 0.1, 0.3, 0.9])
    truth = np.maximum(level + 2 * np.log1p(-delta), 0.0)
    found = exact(level, 1, delta=delta)
    narrow = found.upper - found.lower <= NARROW * found.upper
    np.testing.assert_allclose(found.value[narrow], truth[narrow], rtol=1e-9, atol=2e-13)
    assert (found.lower <= truth * (1 + 4e-16)).all()
    assert (found.upper >= truth * (1 - 4e-16)).all()


# --- the ends are honest -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("constant", "value"),
    [("_DEGREES", 4), ("_DEGREES", 6), ("_DROPPED", 1e-6), ("_DROPPED", 1e-9), ("_UNSEEN", 1e8)],
)
def test_the_ends_widen_with_the_error_and_still_hold_the_truth(monkeypatch, unbroken, constant, value):
    """Too few degrees, or cells dropped too early: the centre must suffer, and the ends must own up to it."""
    gaps, errors = unbroken
    monkeypatch.setattr(law, constant, value)
    broken_gaps, broken_errors = gaps_and_errors()  # asserts that the ends hold the truth
    assert (broken_errors / (errors + 1e-14)).max() > 1000
    assert (broken_gaps / gaps).max() > 1000
    # Where the ends are far apart the value is the upper one.
    worse = (broken_errors > errors + 1e-12) & (broken_gaps < NARROW)
    assert (broken_gaps[worse] > 10 * broken_errors[worse]).all()


def test_a_fault_that_nothing_counts_is_seen(monkeypatch):
    """The tests themselves can fail: with two nodes, which is no quadrature at all, the ends miss the truth."""
    monkeypatch.setattr(tail, "_NODES", 2)
    with pytest.raises(AssertionError):
        gaps_and_errors()


# --- what must hold everywhere -----------------------------------------------------------------------------------

levels = st.floats(math.log(1e-4), math.log(20.0)).map(math.exp)
deltas = st.floats(math.log(1e-12), math.log(0.1)).map(math.exp)
counts = st.floats(0.0, math.log(2000.0)).map(lambda x: round(math.exp(x)))


@quick
@given(levels, counts, deltas)
def test_rises_with_releases_and_level_and_falls_with_delta(epsilon0, n, delta):
    here = exact(epsilon0, n, delta=delta)
    assert 0 <= here.lower <= here.value <= here.upper <= math.nextafter(epsilon0 * n, math.inf)
    if here.upper - here.lower > NARROW * here.upper:
        assert here.value == here.upper
    room = 1e-9 * here.value
    assert exact(epsilon0, n + 1, delta=delta).value >= here.value - room
    assert exact(epsilon0, n, delta=1.1 * delta).value <= here.value + room
    assert exact(min(1.01 * epsilon0, 20.0), n, delta=delta).value >= here.value - room


@quick
@given(levels, st.floats(0.0, math.log(300.0)).map(lambda x: round(math.exp(x))), deltas)
def test_there_and_back(epsilon0, n, delta):
    there = exact(epsilon0, n, delta=delta)
    if there.value > 1e-3 * epsilon0:
        back = exact_delta(epsilon0, n, epsilon=there.value)
        # near the top of the law delta falls so steeply that the rounding of epsilon alone moves it
        slack = 4e-16 * there.value / delta + 1e-12 / delta * epsilon0
        if back.upper - back.lower <= NARROW * back.upper:
            assert back.value == pytest.approx(delta, rel=1e-8 + slack)
        assert exact_delta(epsilon0, n, epsilon=there.upper).lower <= delta * (1 + 1e-12)
        assert exact_delta(epsilon0, n, epsilon=there.lower).upper >= delta * (1 - 1e-12)


def test_curves_rise():
    for epsilon0 in (1e-4, 0.03, 1.0, 5.0):
        for delta in (1e-12, 1e-5, 0.1):
            assert (np.diff(exact(epsilon0, np.arange(1, 200), delta=delta).value) >= 0).all()


@pytest.mark.parametrize("epsilon0", [1e-4, 0.01, 1.0, 20.0])
def test_finite_at_the_ends_of_the_ranges(epsilon0):
    """Also where n·epsilon0 passes 700, beyond which a bare exponential overflows."""
    numbers = np.array([1, 2, 35, 36, 700, 701, 1500])
    found = exact(epsilon0, numbers[:, None], delta=np.array([1e-12, 1e-5, 0.1]))
    for values in (found.value, found.lower, found.upper):
        assert np.isfinite(values).all()
        assert (values <= epsilon0 * numbers[:, None]).all()
    assert ((found.upper - found.lower) <= 2e-4 * found.value + 1e-15).all()


@pytest.mark.parametrize(("epsilon0", "most"), [(1e-4, 3000), (1.0, 10_000)])
def test_many_releases_in_little_memory(epsilon0, most):
    numbers = np.unique(np.geomspace(1, most, 40).astype(int))
    tracemalloc.start()
    found = exact(epsilon0, numbers, delta=1e-5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200e6
    assert ((found.upper - found.lower) <= 2e-4 * found.value).all()
    assert (np.diff(found.value) > 0).all()


def test_little_memory_at_large_levels():
    tracemalloc.start()
    exact(20.0, np.arange(1, 301), delta=1e-12)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200e6


def test_where_nothing_is_left_to_guarantee():
    found = exact(0.1, [1, 2, 3], delta=0.3)
    assert (found.value == 0).all()
    assert (found.lower == 0).all()
    assert (found.upper == 0).all()


def test_the_ends_stay_close_where_the_truth_is_0_to_the_last_digit():
    """At the delta that belongs to epsilon = 0 the upper end was once the sum of all levels."""
    for epsilon0 in (0.01, 0.1, 0.5):
        for n in (1, 2, 30):
            at_nothing = exact_delta(epsilon0, n, epsilon=0.0)
            for delta in (at_nothing.lower, at_nothing.value, at_nothing.upper):
                found = exact(epsilon0, n, delta=min(delta, 1 - 2**-53))
                assert found.lower <= found.upper < 1e-5 * epsilon0 * n, (epsilon0, n)


# --- forms -------------------------------------------------------------------------------------------------------


def test_shapes_and_evidence():
    single = exact(0.5, 3, delta=1e-5)
    assert all(type(value) is float for value in (single.value, single.lower, single.upper))
    assert single.evidence.basis is PROVEN
    assert single.source
    assert single.limits
    assert exact([0.5], 3, delta=1e-5).value.shape == (1,)
    table = exact(np.array([0.1, 0.5])[:, None, None], np.array([5, 1, 5])[:, None], delta=np.array([1e-6, 1e-3]))
    assert table.value.shape == table.lower.shape == table.upper.shape == (2, 3, 2)
    np.testing.assert_array_equal(table.value[:, 0], table.value[:, 2])  # an unsorted list with a double
    assert table.value[1, 1, 0] == pytest.approx(exact(0.5, 1, delta=1e-6).value, rel=1e-9)
    assert table.value[0, 2, 1] == pytest.approx(exact(0.1, 5, delta=1e-3).value, rel=1e-9)


BAD = [0, -1, float("nan"), float("inf"), "1", None, [], True, 1j, 1e300, 1e-300]


@pytest.mark.parametrize("bad", BAD)
def test_bad_levels_and_deltas_are_named(bad):
    with pytest.raises(ParameterError, match="^epsilon0 must"):
        exact(bad, 3, delta=1e-5)
    with pytest.raises(ParameterError, match="^epsilon0 must"):
        exact_delta(bad, 3, epsilon=1.0)
    with pytest.raises(ParameterError, match="^delta must"):
        exact(0.5, 3, delta=bad)


@pytest.mark.parametrize("bad", [*BAD, 1.5, 1_000_001])
def test_bad_numbers_of_releases_are_named(bad):
    with pytest.raises(ParameterError, match="^releases must"):
        exact(0.5, bad, delta=1e-5)
    with pytest.raises(ParameterError, match="^releases must"):
        exact_delta(0.5, bad, epsilon=1.0)


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "1", None, []])
def test_bad_targets_are_named(bad):
    with pytest.raises(ParameterError, match="^epsilon must"):
        exact_delta(0.5, 3, epsilon=bad)


@pytest.mark.parametrize("bad", [1.0, 2.0])
def test_delta_below_one(bad):
    with pytest.raises(ParameterError, match="^delta must"):
        exact(0.5, 3, delta=bad)


def test_a_few_releases_lie_between_two_looks_at_the_progress():
    """The steps are counted, not timed: a step at the largest level takes some thousandths of a second."""
    told: list[float] = []
    exact(50.0, 640, delta=1e-5, progress=told.append)
    assert len(told) >= 640 / 16


@quick
@given(lead=st.integers(1, 9999), number=st.integers(1, 4))
def test_it_is_never_told_as_more_than_basic_composition(lead, number):
    level = lead / 10_000
    basic = format_quantity(Quantity(level * number, "level", toward="up"))
    for found in (
        exact(level, [number], delta=1e-5).quantity("upper", 0),
        exact(compose([level], [number]), delta=1e-5).quantity("upper"),
        exact(Laplace(level), number, delta=1e-5).quantity("upper"),
        total(Scenario(epsilon0=level, releases=number)).quantity("epsilon"),
    ):
        assert float(format_quantity(found)) <= float(basic)
