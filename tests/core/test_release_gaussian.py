"""Plans with Gaussian noise: the sensitivity in L2 by brute force, the joint release of several statistics, errors and their inverses."""

import itertools
import math

import mpmath as mp
import numpy as np
import pandas as pd
import pytest
from scipy import stats

from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import Gaussian, drawn
from par_core.queries import Condition, Count, CountBy, Mean, PersonCount, PersonCountBy, Sum
from par_core.queries.sensitivity import root_up
from par_core.release import (
    Measure,
    cells,
    compare_noise,
    epsilon0_for_release,
    epsilon_for_error,
    epsilon_for_query,
    error_curves,
    error_of,
    plan_release,
    plan_release_of,
    processed_error,
    release_error,
    share_within,
)
from par_core.scenario import Neighbours, Scenario

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
MARGIN = 1 + 1e-7  # more noise than needed, for the steps of release scripts
HIGH = Condition("v", ">=", 2)
QUERIES = [
    Count(HIGH),
    CountBy(("v",), ((0, 1, 2),)),
    CountBy(("v",), ((1,),)),
    CountBy(("v",), ((0, 1),), other=True, where=Condition("v", "<", 3)),
    PersonCount(HIGH, person="who"),
    PersonCountBy(("v",), ((0, 1, 2, 3),), person="who"),
    PersonCountBy(("v",), ((0, 1),), person="who"),
    Sum("v", 1, 3),
    Sum("v", 0, 2, where=HIGH),
]


def gaussian(query, epsilon=0.5, neighbours=REPLACE, **options):
    return plan_release(query, epsilon, neighbours=neighbours, mechanism="gaussian", **({"delta": 1e-5} | options))


# --- the sensitivity -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_no_two_neighbours_are_further_apart_and_some_are_as_far(query, most, neighbours):
    """All rows that one person can have, and all that can take their place, beside the rows of somebody else."""
    rest = [("other", 0), ("other", 2)]
    full = [list(rows) for rows in itertools.product(range(4), repeat=most)]
    fewer = full + [list(rows) for size in range(most) for rows in itertools.product(range(4), repeat=size)]
    if isinstance(query, PersonCount | PersonCountBy):
        pairs = itertools.product(fewer, fewer if neighbours is REPLACE else [[]])
    else:
        pairs = itertools.product(full, full) if neighbours is REPLACE else itertools.product(fewer, [[]])
    answers = {}

    def answer(rows):
        if tuple(rows) not in answers:
            table = pd.DataFrame([*rest, *(("me", value) for value in rows)], columns=["who", "v"])
            found = query.answer(table, person="who", rows_per_person=max(most, 2))  # the others have 2
            if isinstance(query, PersonCount | PersonCountBy):
                found = query.answer(table, rows_per_person=most)
            answers[tuple(rows)] = found.exact
        return answers[tuple(rows)]

    apart = [answer(one) - answer(other) for one, other in pairs]
    for norm, order in (("L1", 1), ("L2", 2)):
        farthest = max(float(np.linalg.norm(each, order)) for each in apart)
        assert query.sensitivity(neighbours, most, norm=norm) == pytest.approx(farthest, rel=1e-15)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 8, 10**12, 2 * 10**12, 2**52 + 1, 10**18 + 7])
def test_a_root_is_the_smallest_float_that_is_large_enough(number):
    found = root_up(number)
    with mp.workdps(60):
        assert mp.mpf(found) ** 2 >= number
        assert not number or mp.mpf(math.nextafter(found, 0)) ** 2 < number


def test_an_unknown_norm_is_refused():
    with pytest.raises(ParameterError, match="^norm must be L1 or L2"):
        Count(HIGH).sensitivity(REPLACE, norm="L3")


# --- the plan ------------------------------------------------------------------------------------------------------


def test_a_plan_has_the_exact_noise_for_all_statistics_together():
    query = CountBy(("v",), ((0, 1, 2),))
    planned = gaussian(query, statistics=9, rows_per_person=2)
    least = Gaussian.for_epsilon(0.5, sensitivity=3 * 2 * math.sqrt(2), delta=1e-5)
    assert planned.error.scale == pytest.approx(least.scale * MARGIN, rel=1e-12)
    assert (planned.epsilon, planned.delta, planned.statistics, planned.norm) == (0.5, 1e-5, 9, "L2")
    shared = Gaussian.for_epsilon(0.5 / 9, sensitivity=2 * math.sqrt(2), delta=1e-5 / 9)
    assert planned.error.scale < shared.scale  # than with a share of epsilon and delta for each


@pytest.mark.parametrize("weights", [(1, 1), (3, 1)])
def test_a_sum_and_a_count_are_one_release(weights):
    planned = gaussian(Mean("v", -1, 4), neighbours=ADD, weights=weights, rows_per_person=3)
    moved = [part.part.sensitivity / part.error.scale for part in planned.parts]
    assert [part.part.sensitivity for part in planned.parts] == [7.5, 3.0]
    assert math.hypot(*moved) * MARGIN == pytest.approx(1 / Gaussian.for_epsilon(0.5, sensitivity=1, delta=1e-5).scale)
    assert (moved[0] / moved[1]) ** 2 == pytest.approx(weights[0] / weights[1])
    # Monte Carlo, wrong once in 1e6 seeds: the bound holds, and is not far off.
    rng, size, rows, mean, middle = np.random.default_rng(3), 200_000, 500, 2.5, 1.5
    total, count = (rng.normal(0, part.error.scale, size) for part in planned.parts)
    off = np.abs(np.clip(middle + ((mean - middle) * rows + total) / np.maximum(rows + count, 1), -1, 4) - mean)
    found = planned.quotient_error(size=rows, mean=mean)
    outside = int((off > found.range95).sum())
    assert stats.binom(size, 0.05).ppf(1e-6) <= outside <= stats.binom(size, 0.05).isf(1e-6)
    assert off.mean() == pytest.approx(found.expected, rel=0.02)


def test_the_default_is_laplace_noise_and_other_mechanisms_are_planned_as_scripts_draw_them():
    query = Count(HIGH)
    usual = plan_release(query, 0.5, neighbours=REPLACE)
    assert (usual.mechanism, usual.delta, usual.norm) == ("laplace", 0.0, "L1")
    for mechanism in ("discrete-laplace", "randomised-response", "exponential"):
        other = plan_release_of(query, Scenario(mechanism=mechanism))
        assert (other.error.scale, other.error.range95, other.delta) == (2.0, 6.0, 0.0)
        assert other.mechanism == (mechanism if mechanism == "discrete-laplace" else "laplace")
    assert plan_release(query, 0.6, neighbours=REPLACE, statistics=3).epsilon <= 0.2
    assert plan_release_of(query, Scenario(mechanism="gaussian")).error.scale == gaussian(query).error.scale
    assert drawn(whole=True, mechanism="gaussian") is drawn(whole=False, mechanism="gaussian") is Gaussian


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"delta": 0.0}, "^delta must be"),
        ({"delta": 1.0}, "^delta must be"),
        ({"mechanism": "cauchy"}, "^mechanism must be laplace"),
        ({"statistics": 0}, "^statistics must be"),
    ],
)
def test_what_cannot_be_planned_is_refused(change, message):
    with pytest.raises(ParameterError, match=message):
        plan_release(Count(HIGH), 0.5, **({"neighbours": REPLACE, "mechanism": "gaussian", "delta": 1e-5} | change))


# --- errors and their inverses -------------------------------------------------------------------------------------


def test_errors_of_many_numbers_are_those_of_normal_variables():
    error = release_error(0.5, 2.0, k=7, mechanism="gaussian", delta=1e-5)
    sigma = error.scale
    assert error.range95 == pytest.approx(1.959963984540054 * sigma, rel=1e-12)
    assert error.total95 == pytest.approx(1.959963984540054 * sigma * math.sqrt(7), rel=1e-12)
    assert error.expected == pytest.approx(sigma * math.sqrt(2 / math.pi), rel=1e-12)
    assert error.total_expected == pytest.approx(error.expected * math.sqrt(7), rel=1e-12)
    assert (2 * stats.norm.cdf(error.all95 / sigma) - 1) ** 7 == pytest.approx(0.95, rel=1e-12)


@pytest.mark.parametrize("measure", Measure)
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.3])
def test_the_epsilon_for_an_error_is_the_smallest(measure, delta):
    options = {"measure": measure, "k": 3, "mechanism": "gaussian", "delta": delta}
    wanted = np.array([1e-3, 0.3, 1.0]) * error_of(0.1, 2.0, **options)
    found = epsilon_for_error(wanted, 2.0, **options)
    assert (error_of(found, 2.0, **options) <= wanted).all()
    assert (error_of(found * (1 - 1e-9), 2.0, **options) > wanted).all()
    with pytest.raises(InfeasibleError, match="every ε keeps the error"):
        epsilon_for_error(1e13, 2.0, **options)
    with pytest.raises(InfeasibleError, match="no finite epsilon"):
        epsilon_for_error(1e-300, 2.0, **options)


@pytest.mark.parametrize("statistics", [1, 4])
@pytest.mark.parametrize(
    ("query", "neighbours", "wanted", "size"),
    [(CountBy(("v",), ((0, 1, 2),)), REPLACE, 10.0, None), (Mean("v", 0, 4), ADD, 0.3, 500)],
)
def test_the_epsilon0_of_a_release_meets_the_wish_and_one_step_less_does_not(
    query, neighbours, wanted, size, statistics
):
    def error(epsilon0):
        found = gaussian(query, epsilon0, neighbours, statistics=statistics)
        return found.error.range95 if size is None else found.quotient_error(size=size).range95

    planned = gaussian(query, 1.0, neighbours, statistics=statistics)
    found = epsilon0_for_release(wanted, planned, statistics=statistics, size=size)
    assert error(found) <= wanted < error(found - 10.0 ** (math.floor(math.log10(found)) - 3))
    exact = epsilon_for_query(
        wanted,
        query,
        neighbours=neighbours,
        size=size,
        mechanism="gaussian",
        delta=1e-5,
        statistics=statistics,
    )
    assert error(exact) <= wanted < error(exact * (1 - 1e-8))


@pytest.mark.parametrize("statistics", [1, 4])
@pytest.mark.parametrize(("query", "neighbours"), [(CountBy(("v",), ((0, 1),)), REPLACE), (Mean("v", 0, 4), ADD)])
def test_curves_pass_through_the_plan(query, neighbours, statistics):
    planned = gaussian(query, 0.5, neighbours, statistics=statistics)
    curves = error_curves(planned, epsilon0=0.5, statistics=statistics, size=300)
    assert (curves.noise, curves.norm) == ("Gaussian", "L2")
    assert np.exp(np.interp(math.log(0.5), np.log(curves.epsilon0), np.log(curves.range95))) == pytest.approx(
        curves.own, rel=0.02
    )
    assert (np.diff(curves.range95) <= 0).all()
    written = cells(planned, size=300)
    assert written["within, 95 of 100"][0] == pytest.approx(curves.own, rel=1e-3)


def test_what_clamping_does_is_what_is_sampled():
    """Wrong for one seed in 1e6: means of a million draws, at six standard errors."""
    noise, size = np.random.default_rng(5).normal(0, 3.0, 10**6), 10**6
    for truth in (0, 2, 9):
        found = processed_error(truth, 3.0, whole=True, clamped=True, mechanism="gaussian")
        published = np.maximum(truth + noise, 0)
        off = np.abs(published - truth)
        assert off.mean() == pytest.approx(found.expected, abs=6 * off.std() / math.sqrt(size))
        assert published.mean() - truth == pytest.approx(found.bias, abs=6 * published.std() / math.sqrt(size))
        near = float((off <= 0.1 * truth).mean())
        told = share_within(truth, 3.0, whole=True, clamped=True, mechanism="gaussian")
        assert near == pytest.approx(told.share, abs=6 * math.sqrt(0.25 / size))


# --- which noise is more accurate ----------------------------------------------------------------------------------


def test_gaussian_noise_wins_from_some_number_of_statistics_on():
    query = Count(HIGH)
    found = compare_noise(plan_release(query, 1.0, neighbours=ADD), epsilon0=1.0, delta=1e-6)
    laplace = [plan_release(query, 1.0, neighbours=ADD, statistics=n).error.range95 for n in range(1, 40)]
    other = [gaussian(query, 1.0, ADD, delta=1e-6, statistics=n).error.range95 for n in range(1, 40)]
    assert (found.laplace, found.gaussian, found.better) == (laplace[0], other[0], "laplace")
    loses = [n for n, (one, two) in enumerate(zip(laplace, other, strict=True), start=1) if one <= two]
    assert found.statistics == loses[-1] + 1 == 8
    assert found.cells is None
    beyond = compare_noise(
        gaussian(query, 1.0, ADD, delta=1e-6, statistics=30), epsilon0=1.0, delta=1e-6
    )  # whichever it is planned with
    assert beyond.better == "gaussian"
    assert (beyond.laplace, beyond.gaussian, beyond.statistics) == (laplace[29], other[29], 8)


def test_of_many_cells_gaussian_noise_keeps_all_closer_at_once():
    found = compare_noise(plan_release(CountBy(("v",), ((0, 1),)), 0.5, neighbours=REPLACE), epsilon0=0.5, delta=1e-5)
    sensitivity = math.sqrt(2) * MARGIN

    def closer(k):
        of_all = error_of(0.5, sensitivity, measure="all95", k=k, mechanism="gaussian", delta=1e-5)
        return of_all < error_of(0.5, 2.0, measure="all95", k=k)

    assert closer(found.cells)
    assert not closer(found.cells - 1)
    assert 1500 < found.cells < 1600
    persons = PersonCountBy(("v",), ((0, 1, 2),), person="who")
    assert (
        compare_noise(plan_release(persons, 0.5, neighbours=ADD, rows_per_person=3), epsilon0=0.5, delta=1e-5).cells
        is None
    )


def test_of_a_mean_over_a_private_number_of_rows_both_are_bounds():
    planned = plan_release(Mean("v", 0, 4), 0.5, neighbours=ADD)
    found = compare_noise(planned, epsilon0=0.5, delta=1e-5, size=2000)
    assert found.laplace == planned.quotient_error(size=2000).range95
    assert found.gaussian == gaussian(Mean("v", 0, 4), neighbours=ADD).quotient_error(size=2000).range95
    for n in (found.statistics - 1, found.statistics):
        one = plan_release(Mean("v", 0, 4), 0.5, neighbours=ADD, statistics=n).quotient_error(size=2000).range95
        other = gaussian(Mean("v", 0, 4), neighbours=ADD, statistics=n).quotient_error(size=2000).range95
        assert (other < one) == (n == found.statistics)
