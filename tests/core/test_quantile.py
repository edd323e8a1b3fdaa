"""Quantiles among public candidates: the exact answer, OpenDP's law and map, the error in ranks, and their place in a plan.

Simulations have a fixed seed or OpenDP's own randomness; they fail once in 10^6 times.
"""

import math
import random
import re
import statistics as plain

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from par_core.datasets import census2000
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.evidence import PROVEN
from par_core.mechanisms import PermuteAndFlip, RandomisedResponse
from par_core.plan import (
    NamedRelease,
    Plan,
    PlanScenario,
    Release,
    from_address,
    from_toml,
    in_address,
    in_full,
    in_words,
    share_by_wishes,
    to_toml,
    totals,
)
from par_core.queries import Condition, Count, Mean, Quantile
from par_core.queries.quantile_shape import QuantileShape, quantile_name
from par_core.queries.shapes import CountsShape, MeanShape
from par_core.release import (
    cells,
    compare_noise,
    epsilon0_for_release,
    error_curves,
    plan_release,
    rank_error,
    scenario_of,
    within,
)
from par_core.scenario import Neighbours, Scenario, from_file, plan_in
from tests.core.script_text import draws

dp.enable_features("contrib")
FALSE_ALARM = 1e-6
ADD, REPLACE = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE
MEDIAN = Quantile("age", 0, 110, 1)
ALPHAS = st.integers(1, 9999).map(lambda each: each / 10_000)


def frame(values):
    return pd.DataFrame({"age": values})


def opendp_quantile(query, scale):
    """OpenDP's private quantile; it cuts alpha off after the fourth decimal, which 0.29 as a float does not reach."""
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    return dp.m.make_private_quantile(*space, dp.max_divergence(), query.candidates.tolist(), query.alpha + 3e-5, scale)


# --- the exact answer ---


@given(st.lists(st.integers(-5, 120), min_size=1, max_size=30))
def test_no_row_lies_between_the_exact_answer_and_the_median_of_the_standard_library(values):
    """Of candidates beside each other the score may prefer the one that holds fewer rows itself."""
    found, held = MEDIAN.answer(frame(values)).exact[0], np.clip(values, 0, 110)
    for median in (plain.median_low(held), plain.median_high(held)):
        assert not ((min(found, median) < held) & (held < max(found, median))).any()


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), ALPHAS)
def test_the_exact_answer_has_the_best_score_of_opendp(values, alpha):
    query = Quantile("age", -10, 10, 2.5, alpha)
    moved = [min(query.candidates, key=lambda each: (abs(each - value), each)) for value in np.clip(values, -10, 10)]
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    scores = dp.t.make_quantile_score_candidates(*space, query.candidates.tolist(), alpha + 3e-5)(moved)
    answer = query.answer(frame(values))
    ratio = 2 if alpha == 0.5 and max(scores) == 2 * max(-answer.utilities) else 10_000
    np.testing.assert_allclose(-answer.utilities * ratio, scores, rtol=1e-12)
    assert answer.utilities[query.candidates == answer.exact[0]] == answer.utilities.max()


def test_batches_blanks_and_conditions(monkeypatch):
    values = [30, None, 41, 52, None, 97, 12]
    table = frame(values).assign(ward=list("ababbba"))
    assert MEDIAN.answer(table).exact.tolist() == [41.0]
    only = Quantile("age", 0, 110, 1, 0.5, Condition("ward", "==", "a")).answer(table)
    assert (only.exact.tolist(), only.size, only.missing) == ([30.0], 3, 2)
    monkeypatch.setattr("par_core.queries.columns.BATCH", 2)
    in_batches = MEDIAN.answer(table)
    assert in_batches.exact.tolist() == [41.0]
    assert in_batches.utilities.tolist() == MEDIAN.answer(table.iloc[::-1]).utilities.tolist()
    capped = table.assign(who=[1, 1, 2, 2, 3, 3, 3])
    assert MEDIAN.answer(capped, person="who", rows_per_person=1).exact.tolist() == [35.0]
    assert "hidden" in repr(in_batches)
    assert not in_batches.utilities.flags.writeable


def test_a_column_of_one_value_between_candidates_tells_the_one_next_to_it():
    """Unmoved, each candidate would be as good as any other one."""
    answer = Quantile("age", 0, 110, 5).answer(frame([41.2] * 50))
    assert answer.exact.tolist() == [40.0]
    assert np.sort(answer.utilities)[-2:].tolist() == [-25.0, 0.0]


@pytest.mark.parametrize(
    ("lower", "upper", "step", "last", "number"),
    [(0, 1, 0.1, 1.0, 11), (0.1, 0.7, 0.2, 0.7, 4), (0, 10, 3, 9.0, 4), (-1e12, 1e12, 1e9, 1e12, 2001), (1e-9, 3e-9, 1e-9, 3e-9, 3)],
)  # fmt: skip
def test_candidates_are_decimals(lower, upper, step, last, number):
    found = Quantile("x", lower, upper, step).candidates
    assert (found[0], found[-1], len(found)) == (lower, last, number)
    assert 0.30000000000000004 not in found


# --- bad input ---


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((110, 0, 1), "lower must be below upper, got lower 110 and upper 0"),
        ((0, 110, 200), "step must leave two candidates at least from lower to upper, got 200"),
        ((0, 1, 1e-6), "step must leave 10,000 candidates at most, got 1,000,001"),
        ((0, 110, 0), "step must be above 0"),
        ((0, 110, math.nan), "step must be"),
        ((0, 110, 1, 0.0), "alpha must be at least 0.0001"),
        ((0, 110, 1, 1 / 3), "alpha must have at most four decimals"),
        ((0, 110, 1, True), "alpha must be"),
        ((1e12 - 1e-4, 1e12, 2e-8), "step must be so large that candidates differ"),
        ((0, 2e12, 1), "upper must be"),
    ],
)
def test_what_cannot_be_asked(arguments, said):
    with pytest.raises(ParameterError, match=f"^{re.escape(said)}"):
        Quantile("age", *arguments)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([None, None], "no row that is looked at has a value, so there is no quantile"),
        ([], "no row that is looked at has a value"),
        (["old", "young"], "row 1 below the heading, column 'age': text where a number is expected"),
        (pd.to_datetime(["2020-01-31"]), "row 1 below the heading, column 'age': .* where a number is expected"),
        (["2020-01-31"], "row 1 below the heading, column 'age': text where a number is expected"),
        ([True, False], "row 1 below the heading, column 'age': true or false where a number is expected"),
    ],
)
def test_what_has_no_quantile(values, said):
    with pytest.raises(DataError, match=f"^{said}"):
        MEDIAN.answer(frame(values))


@pytest.mark.parametrize("given", [{"candidates": 1}, {"candidates": 10_001}, {"candidates": 2.5}, {"alpha": 1.0}])
def test_a_shape_checks_what_it_holds(given):
    with pytest.raises(ParameterError, match=f"^{next(iter(given))} must"):
        QuantileShape(**given)


@pytest.mark.parametrize(
    ("alpha", "said"),
    [(0.5, "median"), (0.01, "1st percentile"), (0.02, "2nd percentile"), (0.13, "13th percentile"), (0.23, "23rd percentile"),
     (0.9999, "99.99th percentile")],
)  # fmt: skip
def test_what_a_quantile_is_called(alpha, said):
    assert quantile_name(alpha) == said


# --- OpenDP's law and map ---


@pytest.mark.parametrize(("alpha", "epsilon"), [(0.5, 0.4), (0.95, 0.8), (0.29, 0.3)])
def test_opendp_draws_from_the_exact_law(alpha, epsilon):
    query, runs = Quantile("age", 0, 100, 5, alpha), 10_000
    values = np.random.default_rng(8).gamma(4.0, 12.0, 60).round()
    answer = query.answer(frame(values))
    choice = rank_error(epsilon, query.sensitivity(ADD), 21).choice
    law = choice.probabilities(answer.utilities)
    moved = [min(query.candidates, key=lambda each: (abs(each - value), each)) for value in np.clip(values, 0, 100)]
    theirs = opendp_quantile(query, float(choice.scale))
    drawn = np.array(draws(theirs, moved, runs))
    counts = (drawn[:, None] == query.candidates).sum(axis=0)
    assert counts.sum() == runs
    rare = law * runs < 5
    pooled = [np.append(each[~rare], each[rare].sum() + 1e-9) for each in (counts, law * runs)]
    assert stats.chisquare(*pooled, sum_check=False).pvalue > FALSE_ALARM


def test_the_sensitivity_of_the_score_is_opendps_own_for_300_settings():
    """For both kinds of neighbours: as many rows come or go, or twice as many. At the planned scale the map is the planned epsilon."""
    rng = random.Random(12)
    for _ in range(300):
        alpha, most = rng.randint(1, 9999) / 10_000, rng.choice([1, 2, 3, 17, 1000])
        query, kind = Quantile("age", 0, rng.randint(1, 50), 1, alpha), rng.choice([ADD, REPLACE])
        changed = most if kind is ADD else 2 * most
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
        score = dp.t.make_quantile_score_candidates(*space, query.candidates.tolist(), alpha + 3e-5)
        parts = 2 if score.map(1) in (1, 2) and alpha == 0.5 else 10_000
        moves = query.sensitivity(kind, most)
        assert score.map(changed) / parts == pytest.approx(moves, rel=1e-15)
        epsilon = 10 ** rng.uniform(-3, 1)
        planned = plan_release(query, epsilon, neighbours=kind, rows_per_person=most)
        assert opendp_quantile(query, float(planned.error.scale)).map(changed) == pytest.approx(epsilon, rel=1e-14)


@given(st.lists(st.integers(0, 12), min_size=0, max_size=8), st.integers(0, 12), st.integers(0, 12), ALPHAS)
def test_no_row_moves_a_score_further_than_said(values, one, other, alpha):
    query = Quantile("age", 0, 12, 1, alpha)

    def utilities(rows):
        return query.answer(frame(rows)).utilities

    here = utilities([*values, one])
    assert np.abs(here - utilities([*values, other])).max() <= query.sensitivity(REPLACE) + 1e-9
    assert np.abs(here - utilities([*values, one, other])).max() <= query.sensitivity(ADD) + 1e-9


# --- the error in ranks ---


def between(values, published, candidates, alpha):
    """How many rows lie strictly between a published value and the candidate beside the true quantile, on its side."""
    ordered, at = np.sort(values), alpha * len(values)
    found = 0
    for true in {ordered[max(math.ceil(at - 1e-9) - 1, 0)], ordered[min(math.floor(at + 1e-9), len(values) - 1)]}:
        below, above = candidates[candidates < true], candidates[candidates > true]
        if published < true:
            found = max(found, ((ordered > published) & (ordered < below[-1])).sum())
        elif published > true:
            found = max(found, ((ordered < published) & (ordered > above[0])).sum())
    return found


def failures(query, values, error):
    """The exact probability that more rows lie between than the error says."""
    answer = query.answer(frame(values))
    law = error.choice.probabilities(answer.utilities)
    off = np.array([between(values, each, query.candidates, query.alpha) for each in query.candidates])
    return law[off > error.range95].sum()


@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=60), ALPHAS, st.floats(0.05, 5.0), st.sampled_from([ADD, REPLACE])
)
def test_ranks_hold_in_95_of_100_releases_of_any_table(values, alpha, epsilon, kind):
    query = Quantile("age", 0, 20, 1, alpha)
    error = plan_release(query, epsilon, neighbours=kind).error
    assert failures(query, np.array(values), error) <= 0.05 + 1e-12


@pytest.mark.parametrize(("alpha", "kind"), [(0.5, ADD), (0.5, REPLACE), (0.75, ADD), (0.2, REPLACE)])
def test_ranks_hold_on_the_worst_tables_that_a_search_finds_and_hardly_so(alpha, kind):
    """As many rows as may be between the best candidate and the next, and none further on: all others are as good as wrong."""
    query = Quantile("age", 0, 60, 1, alpha)
    error, worst = plan_release(query, 0.4, neighbours=kind).error, 0.0
    for more in range(1, 5):
        gap = int(error.range95) + more
        low = round(alpha * gap / (1 - alpha))
        for extra in range(
            -2, 3
        ):  # all of them lie on 2, and the quantile on 0: 1 is the best candidate, and those from 3 on are wrong
            worst = max(worst, failures(query, np.array([0] * (low + extra) + [2] * gap), error))
    rng = np.random.default_rng(5)
    for _ in range(100):
        cells = rng.integers(0, 61, 4)
        values = np.repeat(cells, rng.integers(1, 2 * int(error.range95), 4))
        worst = max(worst, failures(query, values, error))
    assert 0.03 < worst <= 0.05


def test_ranks_hold_on_census_ages_also_in_10_000_draws():
    ages = census2000().table["age"].to_numpy()
    query = Quantile("age", 0, 110, 1)
    error = plan_release(query, 0.01, neighbours=ADD, rows_per_person=3).error
    assert failures(query, ages, error) <= 0.05
    answer = query.answer(frame(ages))
    drawn = error.choice.sample(answer.utilities, 10_000, np.random.default_rng(6))
    off = np.array([between(ages, each, query.candidates, 0.5) for each in query.candidates])
    assert stats.binom.sf((off[drawn] > error.range95).sum() - 1, 10_000, 0.05) > FALSE_ALARM


def test_the_error_of_the_issue_and_on_average():
    """366 candidates, 3 rows of a person, epsilon 0.125: at most 213 rows by the usual bound, and 196 by the smallest one."""
    planned = plan_release(Quantile("age", 0, 365, 1), 0.125, neighbours=ADD, rows_per_person=3)
    usual = 3 / 0.125 * -math.log(1 - 0.95 ** (1 / 366))
    assert (math.ceil(usual), planned.error.range95) == (213, 196.0)
    # The average is that of the bound on the tail, which falls from 1 at 0.
    off = np.linspace(0, 3000, 300_001)
    q = np.exp(-off / float(planned.error.scale))
    tail = 1 + np.expm1(366 * np.log1p(-np.minimum(q, 1 - 1e-15))) / (366 * q)
    assert planned.error.expected == pytest.approx(np.trapezoid(tail, off), rel=1e-4)
    answer = PermuteAndFlip(0.125, 1.5).probabilities(-np.arange(366.0))
    assert answer @ np.arange(366) <= planned.error.expected


# --- a plan of its own ---


def test_what_a_planned_quantile_says():
    planned = plan_release(MEDIAN, 0.5, neighbours=REPLACE, mechanism="gaussian", delta=1e-6, statistics=2)
    assert (planned.norm, planned.epsilon, planned.delta, planned.is_pair) == ("L1", 0.25, 0.0, False)
    assert planned.evidence.basis is PROVEN
    assert "permute and flip" in planned.evidence.source
    assert planned.parts[0].evidence == planned.evidence
    ranges = within(planned)
    assert ranges.each == ranges.every == ranges.total == planned.error.range95 == planned.error.range(0.95)
    assert "scores" in ranges.evidence.source
    assert cells(planned)["cell"].tolist() == ["median"]
    curves = error_curves(planned, epsilon0=0.5, statistics=2)
    assert curves.noun == "median"
    assert curves.noise == "permute and flip"
    assert (np.diff(curves.range95) <= 0).all()
    assert curves.own == planned.error.range95
    assert np.interp(0.5, curves.epsilon0, curves.range95) == pytest.approx(curves.own, rel=0.05)
    assert scenario_of(planned, Scenario()) is None
    with pytest.raises(ParameterError, match="released with noise"):
        compare_noise(planned, epsilon0=0.5, delta=1e-6)


@pytest.mark.parametrize("statistics", [1, 3])
@pytest.mark.parametrize("wanted", [0.5, 3.0, 196.0])
def test_the_epsilon_for_a_wish_in_ranks(wanted, statistics):
    planned = plan_release(MEDIAN, 1.0, neighbours=ADD)
    level = epsilon0_for_release(wanted, planned, statistics=statistics)
    for tried, meets in ((level, True), (level * (1 - 2e-3), False)):
        found = plan_release(MEDIAN, tried, neighbours=ADD, statistics=statistics).error.range95
        assert (found <= wanted) is meets


# --- a plan of several releases ---

QUANTILE = Release(QuantileShape(0.25, 111), rows_per_person=2, times=4, weight=2.0)
COUNTS = Release(CountsShape(12), times=2)
AVERAGE = Release(MeanShape(upper=110.0), size=9000, mechanism="gaussian")
WHOLE = Plan((QUANTILE, COUNTS, AVERAGE), 1.0, ADD, 1e-6)


def test_a_quantile_beside_counts_and_a_mean():
    assert WHOLE.levels == (0.5, 0.25, 0.25)
    ((made, times),) = WHOLE.lost(0)
    assert (made, times) == (PermuteAndFlip(0.5, 1.5), 1)
    alone = plan_release(Quantile("age", 0, 110, 1, 0.25), 0.5, neighbours=ADD, rows_per_person=2)
    assert WHOLE.error(0) == alone.error.range95
    found = totals(WHOLE)
    assert found.errors[0] == WHOLE.error(0)
    # No less than with the worst pure mechanism in its place, and less than what is added up.
    assert WHOLE.once(0).epsilon(1e-6) == pytest.approx(RandomisedResponse(0.5).epsilon(1e-6), rel=1e-9)
    assert found.epsilon < 4 * 0.5 + 2 * 0.25 + 0.25
    assert WHOLE.scenario(0) is None
    with pytest.raises(ParameterError, match="it gets no noise"):
        WHOLE.noises(0)
    assert Release(QuantileShape(), mechanism="gaussian") == Release(QuantileShape())
    several = Plan((Release(QuantileShape(), statistics=3),), 0.6, REPLACE)
    assert several.lost(0) == ((PermuteAndFlip(several.lost(0)[0][0].epsilon0, 1.0), 3),)
    assert several.lost(0)[0][0].epsilon0 == pytest.approx(0.2)


def test_wishes_in_ranks_are_shared_out():
    shared = share_by_wishes(WHOLE, [30.0, 40.0, 0.5])
    for at, wish in enumerate((30.0, 40.0, 0.5)):
        assert shared.plan.error(at) <= wish * shared.factor * (1 + 1e-6)
    assert max(shared.plan.error(at) / wish for at, wish in enumerate((30.0, 40.0, 0.5))) == pytest.approx(
        shared.factor
    )
    met = share_by_wishes(Plan(WHOLE.releases, shared.epsilon0 * 1.001, ADD, 1e-6), [30.0, 40.0, 0.5])
    assert met.plan.error(0) <= 30.0
    with pytest.raises(InfeasibleError):
        share_by_wishes(Plan((QUANTILE, COUNTS), 1e-3, ADD), [1e-9, 1e9])


def test_addresses_files_and_scenarios_hold_it():
    line = in_address(WHOLE.releases)
    assert line == "2~quantile_q0.25_d111_r2_w2_t4~counts_12_t2~mean_u110_g9000_mG"
    assert from_address(line) == WHOLE.releases
    assert in_address((COUNTS,)).startswith("1~")
    assert from_address(in_address((Release(QuantileShape(0.95, 2)),))) == (Release(QuantileShape(0.95, 2)),)
    for wrong in ("2~quantile_5", "2~quantile_d1", "2~quantile_q2", "2~counts_d3", "3~quantile"):
        with pytest.raises(ParameterError):
            from_address(wrong)
    scenario = PlanScenario(epsilon0=1.0, neighbours=ADD, plan=WHOLE.releases, at=0)
    assert scenario.release == PermuteAndFlip(0.5, 1.5)
    assert (scenario.k, scenario.alone()) == (1, None)
    assert scenario.lost(1).epsilon(1e-6) <= 0.5
    text = scenario.to_file()
    assert PlanScenario.of(from_file(text)[0], from_address(plan_in(text)), 0) == scenario


def test_a_plan_file_holds_its_candidates():
    where = Condition("ward", "in", ("A", "B"))
    query = Quantile("cost", 0, 99.5, 0.5, 0.95, where)
    release = Release(query.shape, rows_per_person=2, times=4)
    named = (
        NamedRelease(release, query, person="who"),
        NamedRelease(Release(CountsShape()), Count(Condition("age", ">", 5))),
    )
    plan = Plan(tuple(each.release for each in named), 0.8, ADD)
    text = to_toml(plan, named)
    assert from_toml(text) == (plan, named)
    (first, _) = text.split("[[release]]")[1:]
    assert 'quantile = "cost"\nbounds = [0.0, 99.5]\nstep = 0.5\nalpha = 0.95\n' in first
    assert "mechanism" not in first
    for old, new, said in (
        ("step = 0.5\n", "", "release 1: step must be given"),
        ("step = 0.5", "step = 0.00001", "release 1: step must leave 10,000 candidates at most"),
        ("bounds = [0.0, 99.5]", "bounds = [9.0, 1.0]", "release 1: bounds must have the lower below the upper"),
        ("alpha = 0.95", "alpha = 1.5", "release 1: alpha must be"),
        ("alpha = 0.95", "other = true", "release 1: 'other' does not go with quantile"),
    ):
        with pytest.raises(DataError, match=f"^{said}"):
            from_toml(text.replace(old, new))
    with pytest.raises(ParameterError, match="its shape is another one"):
        NamedRelease(release, Quantile("cost", 0, 99.5, 0.5))


def test_words_name_no_column():
    assert in_words(QUANTILE) == "a 25th percentile among 111 candidates"
    assert in_words(Release(QuantileShape(0.8, 5), statistics=2)) == "2 80th percentiles among 5 candidates"
    assert in_words(Release(QuantileShape(0.8, 5))).startswith("an 80th")
    assert in_full(WHOLE, 0) == "a 25th percentile among 111 candidates, permute and flip, ε₀ = 0.5, 4 times"


def test_the_mean_of_the_same_plan_is_as_before():
    assert WHOLE.error(2) == Plan((AVERAGE,), 0.25, ADD, 1e-6).error(0)
    assert isinstance(Mean("age", 0, 110).shape, MeanShape)
