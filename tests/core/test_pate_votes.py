"""PATE's votes: the printed bounds by hand, the proven ones against quadrature and against mechanisms made by chance."""

import itertools
import math
from functools import cache

import mpmath
import numpy as np
import pandas as pd
import pytest
from scipy import integrate

from par_core import composition
from par_core.composition import any_votes, compose_votes
from par_core.datasets import digit_votes, synthetic_votes
from par_core.errors import DataError, ParameterError
from par_core.mechanisms import noisy_max
from par_core.mechanisms.noisy_max import NoisyMax
from par_core.published import pate

DELTA = 1e-5
SMALL = ([6, 3, 1], [4, 4, 2], [9, 1, 0], [20, 12, 11], [5, 0, 0, 5], [40, 2], [3, 3])


@cache
def _chances(counts, epsilon0):
    scale, counts = 2 / epsilon0, np.asarray(counts, dtype=float)
    far = scale * np.array([2, 5, 10, 20, 40, 60])
    ends = np.concatenate([counts.min() - far[::-1], np.unique(counts), counts.max() + far])
    node, weight = np.polynomial.legendre.leggauss(40)
    half = 0.5 * np.diff(ends)[:, None]
    x, weight = (ends[:-1, None] + half * (node + 1)).ravel(), (half * weight).ravel()
    away = (x - counts[:, None]) / scale
    law = np.where(away < 0, 0.5 * np.exp(-np.abs(away)), 1 - 0.5 * np.exp(-np.abs(away)))
    density = np.exp(-np.abs(away)) / (2 * scale)
    found = [weight @ (density[at] * np.delete(law, at, axis=0).prod(axis=0)) for at in range(len(counts))]
    assert abs(sum(found) - 1) < 1e-12
    return np.array(found)


def chances(counts, epsilon0):
    """The chance of each class to win, by quadrature of its density against the others' laws between their kinks."""
    return _chances(tuple(counts), epsilon0)


def neighbours(counts):
    """Every table that one teacher can make of it by another vote."""
    for giver, taker in itertools.permutations(range(len(counts)), 2):
        if counts[giver]:
            moved = list(counts)
            moved[giver] -= 1
            moved[taker] += 1
            yield moved


def moment(first, second, order):
    """The log moment of the loss under the first law."""
    return math.log(np.sum(first * (first / second) ** order))


# --- the chance that the class with most votes loses ---


@pytest.mark.parametrize("epsilon0", [0.1, 0.5, 2.0])
@pytest.mark.parametrize("counts", SMALL, ids=str)
def test_the_chance_of_losing_is_never_below_the_truth_and_is_the_truth_for_two_classes(counts, epsilon0):
    true = 1 - chances(counts, epsilon0)[int(np.argmax(counts))]
    bound = NoisyMax([counts], epsilon0).losing[0]
    assert bound >= true - 1e-9
    if len(counts) == 2:
        assert bound == pytest.approx(true, abs=1e-9)


def test_the_chance_of_losing_by_hand():
    by_hand = (2 + 1.5) / 4 * math.exp(-1.5)  # 30 votes ahead, noise of scale 20
    assert NoisyMax([[140, 110]], 0.1).losing[0] == pytest.approx(by_hand, rel=1e-15)
    assert NoisyMax([[110, 140]], 0.1).losing[0] == pytest.approx(by_hand, rel=1e-15)
    assert NoisyMax([[7, 7, 7, 7]], 1.0).losing[0] == 0.75
    assert NoisyMax([[10**9, 0]], 50.0).losing[0] > 0


# --- the moments ---


@pytest.mark.parametrize("epsilon0", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("counts", SMALL, ids=str)
def test_proven_moments_are_never_below_those_of_any_neighbour_in_either_direction(counts, epsilon0):
    here = chances(counts, epsilon0)
    bound = NoisyMax([counts], epsilon0).log_moments()[:, 0]
    for other in neighbours(counts):
        there = chances(other, epsilon0)
        for order in (1, 2, 5, 8):
            assert bound[order - 1] >= max(moment(here, there, order), moment(there, here, order)) - 1e-9


@pytest.mark.parametrize("epsilon0", [0.1, 1.0])
@pytest.mark.parametrize("counts", SMALL, ids=str)
def test_the_theorem_of_pate_bounds_the_direction_that_it_speaks_of(counts, epsilon0):
    here, bound = chances(counts, epsilon0), pate.log_moments([counts], epsilon0)[:, 0]
    for other in neighbours(counts):
        there = chances(other, epsilon0)
        assert all(bound[order - 1] >= moment(here, there, order) - 1e-9 for order in (1, 2, 5, 8))


def bound_for(chance, level, moments=8):
    """The proven bound for a chance of losing, without votes."""

    class Given(NoisyMax):
        losing = np.array([chance])

    return Given([[3, 1]], level).log_moments(moments)[:, 0]


@pytest.mark.parametrize("epsilon0", [0.01, 0.3, 2.0, 20.0])
def test_proven_moments_are_never_above_those_of_the_noisy_counts(epsilon0):
    votes = [[50 + ahead, 50] for ahead in range(50)] + [[1, 0], [0, 1]]
    bound = NoisyMax(votes, epsilon0).log_moments(32)
    assert (bound <= bound_for(1.0, epsilon0, 32)[:, None]).all()


def test_rounding_never_takes_a_moment_below_its_closed_form():
    """By 50 digits, for chances from one half of a clear vote to 1e-300."""
    for level, chance in itertools.product((1e-6, 0.1, 2.0, 30.0), (1e-300, 1e-17, 1e-12, 1e-7, 1e-3, 0.3)):
        if chance > 0.5 * math.exp(-level):
            continue
        with mpmath.workdps(50):
            here, there = mpmath.mpf(chance), mpmath.mpf(chance) * mpmath.exp(mpmath.mpf(level))
            for order, found in enumerate(bound_for(chance, level, 32), start=1):
                true = (1 - there) * ((1 - there) / (1 - here)) ** order + there * (there / here) ** order
                counts = 2 * mpmath.log(
                    (1 - mpmath.mpf(order) / (2 * order + 1)) * mpmath.exp(mpmath.mpf(level) * order / 2)
                    + mpmath.mpf(order) / (2 * order + 1) * mpmath.exp(-mpmath.mpf(level) * (order + 1) / 2)
                )
                assert min(mpmath.log(true), counts) <= found <= mpmath.log(true) + 1e-11 * order


def test_proven_moments_hold_for_mechanisms_made_by_chance_and_the_worst_one_reaches_them():
    rng, tried = np.random.default_rng(17), 0
    for _ in range(2000):
        level = rng.choice([0.1, 0.7, 2.0])
        # Outcomes of other classes move by any factor within e^level; the first class takes what is left.
        losing = min(1 / (1 + math.exp(level)), 0.9 * math.exp(-level)) * rng.random() ** 3
        others = losing * rng.dirichlet(np.ones(3)) * rng.random()
        moved = others * np.exp(level * rng.uniform(-1, 1, 3).round(int(rng.integers(0, 2))))
        one, two = np.append(1 - others.sum(), others), np.append(1 - moved.sum(), moved)
        assert abs(math.log(one[0] / two[0])) <= level + 1e-12
        bound, of_counts = bound_for(losing, level), bound_for(1.0, level)
        for order in np.flatnonzero(bound < of_counts) + 1:  # else it is that of noisy counts
            tried += 1
            assert bound[order - 1] >= max(moment(one, two, order), moment(two, one, order))
    assert tried > 5000
    losing, level = 0.01, 0.5
    for order in (1, 3, 8):
        worst = max(
            moment(np.array(each), np.array(other), order)
            for apart in (math.exp(level), math.exp(-level))
            for each, other in itertools.permutations([(1 - losing, losing), (1 - apart * losing, apart * losing)])
        )
        assert bound_for(losing, level)[order - 1] == pytest.approx(worst, rel=1e-8)


@pytest.mark.parametrize("level", [0.1, 1.0, 6.0, 50.0])
def test_where_votes_say_nothing_the_moments_are_those_of_two_noisy_counts(level):
    half = level / 2
    for order in (1, 4, 8):
        smooth = integrate.quad(
            lambda loss, power: math.exp(power * (loss - half)) / 4, -half, half, args=(order + 0.5,)
        )[0]
        scaled = 0.5 + 0.5 * math.exp(-half * (1 + 2 * order)) + smooth  # over e^(l·half)
        assert bound_for(1.0, level)[order - 1] == pytest.approx(2 * (math.log(scaled) + order * half), rel=1e-9)


def test_published_moments_by_hand():
    q = (2 + 1.5) / 4 * math.exp(-1.5)
    for order in (1, 2, 8):
        exact = math.log((1 - q) * ((1 - q) / (1 - math.exp(0.1) * q)) ** order + q * math.exp(0.1 * order))
        cap = min(0.1 * order, 0.5 * 0.01 * order * (order + 1))
        found = pate.log_moments([[140, 110]], 0.1)[order - 1, 0]
        assert found == pytest.approx(min(exact, cap), rel=1e-12)
        mixed = 0.8 * math.exp(0.08) + 0.2 * math.exp(0.1)
        q2 = (2 + 5) / 4 * math.exp(-5)
        at_risk = math.log((1 - q2) * ((1 - q2) / (1 - mixed * q2)) ** order + q2 * mixed**order)
        found = pate.log_moments([[175, 75]], 0.1, epsilon=0.08, confidence=0.8)[order - 1, 0]
        assert found == pytest.approx(at_risk, rel=1e-9)


def test_even_votes_leave_what_holds_for_any():
    for function in (pate.log_moments, lambda *given: pate.log_moments(*given, epsilon=0.05)):
        found = function([[5, 5]], 0.1)[:, 0]
        assert found == pytest.approx([min(0.1 * order, 0.005 * order * (order + 1)) for order in range(1, 9)])


def test_privacy_at_risk_never_takes_more_than_without_and_less_where_it_can():
    rng = np.random.default_rng(3)
    votes = rng.multinomial(60, [0.6, 0.2, 0.1, 0.1], size=200)
    for level in (0.01, 0.1, 0.5, 1.0, 3.0, 20.0):
        without = pate.log_moments(votes, level)
        for part in (0.01, 0.5, 0.999):
            at_risk = pate.log_moments(votes, level, epsilon=part * level)
            assert (at_risk <= without).all()
            assert pate.spent(votes, level, delta=DELTA, epsilon=part * level) <= pate.spent(votes, level, delta=DELTA)
        assert np.array_equal(pate.log_moments(votes, level, epsilon=level), without)
        assert np.array_equal(pate.log_moments(votes, level, epsilon=2 * level), without)
        assert np.array_equal(pate.log_moments(votes, level, epsilon=1e9, confidence=0.0), without)
    assert (pate.log_moments(votes, 0.5, epsilon=0.25) < pate.log_moments(votes, 0.5)).any()


def test_with_privacy_at_risk_the_bound_falls_below_the_truth_of_two_classes():
    here, there = chances([30, 10], 1.0), chances([31, 9], 1.0)
    claimed = pate.log_moments([[30, 10]], 1.0, epsilon=0.42, confidence=0.54)[7, 0]
    assert claimed < 0.5 * moment(here, there, 8)
    assert pate.log_moments([[30, 10]], 1.0)[7, 0] >= moment(here, there, 8)


def test_the_theorem_of_pate_is_silent_about_the_other_direction():
    here, there = chances([29, 11], 1.0), chances([30, 10], 1.0)
    assert pate.log_moments([[30, 10]], 1.0)[7, 0] < moment(here, there, 8)
    assert NoisyMax([[30, 10]], 1.0).log_moments()[7, 0] >= moment(here, there, 8)


# --- what many queries spend ---


def test_the_first_column_of_table_1_comes_out_of_the_made_votes():
    spent = pate.spent(synthetic_votes().table, 0.1, delta=DELTA, numbers=[100, 1000])
    assert np.round(spent, 2).tolist() == [2.04, 8.03]


def test_the_least_over_the_moments_by_hand():
    votes = [[140, 110], [175, 75], [90, 160]]
    total = pate.log_moments(votes, 0.1, moments=3).sum(axis=1)
    by_hand = min((total[order - 1] + math.log(1e5)) / order for order in (1, 2, 3))
    assert pate.spent(votes, 0.1, delta=DELTA, moments=3) == pytest.approx(by_hand, rel=1e-14)
    each = pate.spent(votes, 0.1, delta=DELTA, numbers=[1, 2, 3])
    assert each.shape == (3,)
    assert each[0] == pate.spent(votes[:1], 0.1, delta=DELTA)
    more = [pate.spent(votes * 50, 0.1, delta=DELTA, moments=each) for each in (1, 4, 8, 32)]
    assert more == sorted(more, reverse=True)


def test_the_slip_counts_the_last_query_for_all_and_never_more_than_the_honest_count():
    votes = synthetic_votes().table.to_numpy()[:40]
    at_risk = {"delta": DELTA, "epsilon": 0.08, "confidence": 0.8}
    by_hand = np.mean([pate.spent([row] * 40, 0.1, **at_risk) for row in votes])
    assert pate.spent_by_script(votes, 0.1, **at_risk) == pytest.approx(by_hand, rel=1e-12)
    for votes in (synthetic_votes().table, digit_votes().table):
        numbers = [1, 7, 100, len(votes)]
        honest = pate.spent(votes, 0.1, numbers=numbers, **at_risk)
        slip = pate.spent_by_script(votes, 0.1, numbers=numbers, **at_risk)
        assert (slip <= honest + 1e-12).all()
    assert pate.spent_by_script([[9, 1]] * 5, 0.3, delta=DELTA) == pytest.approx(
        pate.spent([[9, 1]] * 5, 0.3, delta=DELTA)
    )


def test_what_holds_for_any_votes_is_no_less_than_what_two_counts_spend():
    """The exact law of one noisy comparison, convolved by brute force, stays below."""
    number, level = 12, 1.0
    here, there = chances([3, 1], level), chances([2, 2], level)
    losses = np.log(here / there)
    wins = np.arange(number + 1)
    law = np.array([math.comb(number, each) for each in wins]) * here[0] ** wins * here[1] ** (number - wins)
    total = wins * losses[0] + (number - wins) * losses[1]
    bound = any_votes(level, number, delta=1e-3)
    assert np.sum(law * np.maximum(0, -np.expm1(bound - total))) <= 1e-3
    assert any_votes(0.1, 1000, delta=DELTA) == composition.exact(0.05, 2000, delta=DELTA).upper
    assert any_votes(0.1, 1, delta=1e-15) <= 0.1 * (1 + 1e-12)
    assert any_votes(0.1, 1001, delta=DELTA) > any_votes(0.1, 1000, delta=DELTA)  # by another count, no less
    assert any_votes(0.1, 1000, delta=DELTA) < composition.optimal_pure(0.1, 1000, delta=DELTA)


def test_all_counts_together():
    votes = synthetic_votes().table
    found = compose_votes(votes, 0.1, delta=DELTA, epsilon=0.08, confidence=0.8, numbers=[1, 100, 1000])
    assert found.plain.tolist() == pate.spent(votes, 0.1, delta=DELTA, numbers=[1, 100, 1000]).tolist()
    assert (found.script <= found.at_risk).all()
    assert (found.at_risk <= found.plain).all()
    assert (found.these_votes <= found.any_votes).all()
    assert found.these_votes[2] < found.at_risk[2] < found.any_votes[2]  # here the claim is luck, and no proof
    assert found.confidence == 0.8
    assert compose_votes(votes, 0.1, delta=DELTA, epsilon=0.08).numbers == 1000
    assert found.quantity("these_votes", 2).toward == "up"


def test_where_the_claim_is_below_what_is_proven_for_real_votes():
    found = compose_votes(digit_votes().table, 1.0, delta=DELTA, epsilon=0.42, numbers=[100])
    assert found.at_risk[0] < found.these_votes[0]


def test_rounding_and_many_queries_stay_on_the_safe_side():
    votes = np.tile([[170, 60, 20]], (100_000, 1))
    one = NoisyMax(votes[:1], 0.1).log_moments()[:, 0]
    orders = np.arange(1, 9)
    by_hand = ((1e5 * one + math.log(1e5) - np.log1p(orders)) / orders - np.log1p(1 / orders)).min()
    found = compose_votes(votes, 0.1, delta=DELTA, epsilon=0.08)
    assert found.these_votes == pytest.approx(min(by_hand, float(found.any_votes)), rel=1e-9)


# --- what is refused ---


@pytest.mark.parametrize(
    ("votes", "says"),
    [
        ([[3, 4], [1, 2, 3]], "row 2: 3 in place of 2 columns"),
        ([[3, 4], []], "row 2: 0 in place of 2 columns"),
        ([[3, 4], [2, None]], "row 2, column 2"),
        ([[3, 4], [2, "x"]], "row 2, column 2"),
        ([[3, 4], [True, 2]], "row 2, column 1"),
        ([[3, 10**400]], "row 1, column 2"),
        ([[3, 4], [1, -2]], "row 2, column 2"),
        ([[3, 4.5]], "row 1, column 2"),
        ([[3, math.nan]], "row 1, column 2"),
        ([[3, math.inf]], "row 1, column 2"),
        ([[3, 4], [0, 0]], "row 2 has no votes"),
        ([], "at least two"),
        ([[]], "at least two"),
        ([[3], [4]], "at least two"),
        ([3, 4], "at least two"),
        ([["3", "4"]], "row 1, column 1"),
        ([[True, False]], "row 1, column 1"),
        (np.ma.masked_equal([[3, 4]], 4), "without gaps"),
        (None, "a table of numbers"),
        (pd.DataFrame({"a": [3, None], "b": [4, 1]}), "row 2, column 1"),
        (pd.DataFrame({"a": pd.array([3, None], dtype="Int64"), "b": [4, 1]}), "row 2, column 1"),
        (np.ones((noisy_max.MOST_QUERIES + 1, 2)), "at most 200,000"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_votes_that_are_none_are_refused_and_not_repeated(votes, says):
    for function in (
        noisy_max.vote_table,
        lambda votes: NoisyMax(votes, 0.1).losing,
        lambda votes: pate.log_moments(votes, 0.1),
        lambda votes: pate.spent(votes, 0.1, delta=DELTA),
        lambda votes: pate.spent_by_script(votes, 0.1, delta=DELTA),
        lambda votes: compose_votes(votes, 0.1, delta=DELTA, epsilon=0.08),
    ):
        with pytest.raises(DataError, match=says) as raised:
            function(votes)
        assert "4.5" not in str(raised.value)
        assert "-2" not in str(raised.value)


@pytest.mark.parametrize(
    "wrong",
    [{"delta": 0.0}, {"delta": 1.0}, {"moments": 0}, {"moments": 33}, {"numbers": 3}, {"numbers": 0}, {"epsilon": 0.0}],
)
def test_parameters_out_of_range_are_named(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        compose_votes([[3, 4], [5, 1]], 0.1, **{"delta": DELTA, "epsilon": 0.08, **wrong})
    for confidence in (-0.1, 1.1):
        with pytest.raises(ParameterError, match="confidence"):
            pate.log_moments([[3, 4]], 0.1, epsilon=0.05, confidence=confidence)


# --- the data ---


def test_the_made_votes_are_those_of_250_teachers_and_say_that_they_are_made():
    made = synthetic_votes()
    assert (made.table.sum(axis=1) == 250).all()
    assert made.table.shape == (1000, 10)
    assert "synthetic" in made.source
    made.table.iloc[0, 0] = 0
    assert synthetic_votes().table.iloc[0, 0] == 182


def test_the_votes_on_digits_name_their_licence():
    real = digit_votes()
    assert real.table.shape == (500, 10)
    assert (real.table.sum(axis=1) == 100).all()
    assert "CC BY 4.0" in real.licence
    real.table.iloc[0, 0] = -1
    assert digit_votes().table.iloc[0, 0] == 0


def test_the_votes_on_digits_come_out_of_the_script_again():
    from tools.digit_votes import votes

    again, kept = votes(queries=60), digit_votes().table.to_numpy()[:60]
    # Teachers are fitted to a tolerance: other machines may turn a vote here or there.
    assert np.abs(again - kept).sum() <= 0.01 * kept.sum()
