"""One answer, two worlds, and the lecture's ten students: densities, losses and beliefs against other computations of them."""

import itertools
import math

import numpy as np
import pytest
from scipy import integrate, stats

from par_core.errors import ParameterError
from par_core.lab.ten_students import EPSILON, QUERIES, StudentQuery, student_belief
from par_core.lab.two_worlds import WITH, WITHOUT, two_worlds
from par_core.mechanisms import NOISES

LEVELS = (1e-3, 0.01, 0.5, 1.0, 10.0, 20.0)
every_noise = pytest.mark.parametrize("kind", NOISES)


@every_noise
@pytest.mark.parametrize("epsilon", LEVELS)
def test_belief_and_ratio_are_those_of_the_two_likelihoods(kind, epsilon):
    noise = NOISES[kind].for_epsilon(epsilon, sensitivity=1, delta=1e-5)
    law = {
        "laplace": stats.laplace(scale=1 / epsilon).pdf,
        "discrete-laplace": stats.dlaplace(epsilon).pmf,
        "gaussian": stats.norm(scale=noise.scale).pdf,
    }[kind]
    for prior, answer in itertools.product((0.01, 0.5, 0.9), (38, 40, 40.25, 41, 42)):
        seen = two_worlds(kind, epsilon, answer=answer, prior=prior)
        assert seen.answer == (round(answer) if kind == "discrete-laplace" else answer)
        without, with_them = law(seen.answer - WITHOUT), law(seen.answer - WITH)
        if min(without, with_them) < 1e-280:
            continue
        assert seen.likelihoods == pytest.approx((without, with_them), rel=1e-9)
        assert seen.loss == pytest.approx(math.log(with_them / without), rel=1e-9, abs=1e-12)
        assert seen.ratio == pytest.approx(min(max(with_them / without, without / with_them), 1e9), rel=1e-9)
        both = prior * with_them + (1 - prior) * without
        assert seen.after == pytest.approx(prior * with_them / both, rel=1e-9)
        if not seen.exceeds:
            assert seen.lowest - 1e-15 <= seen.after <= seen.highest + 1e-15


@pytest.mark.parametrize("kind", ["laplace", "discrete-laplace"])
@pytest.mark.parametrize("epsilon", LEVELS)
def test_the_odds_change_by_at_most_e_to_the_epsilon_and_by_as_much(kind, epsilon):
    low, high = (two_worlds(kind, epsilon, answer=answer, prior=0.2) for answer in (30, 50))
    assert (low.lowest, high.highest) == pytest.approx((low.after, high.after), rel=1e-12)
    if epsilon <= 10:
        odds = [each / (1 - each) / 0.25 for each in (low.after, high.after)]
        assert odds == pytest.approx([math.exp(-epsilon), math.exp(epsilon)], rel=1e-9)
    assert low.exceeds == low.one_in == 0


@pytest.mark.parametrize("epsilon", LEVELS)
@pytest.mark.parametrize("delta", [1e-15, 1e-5, 0.5])
def test_gaussian_noise_leaves_the_band_within_the_picture_as_often_as_is_said(epsilon, delta):
    seen = two_worlds("gaussian", epsilon, delta=delta)
    assert np.abs(seen.losses).max() > epsilon
    sigma = NOISES["gaussian"].for_epsilon(epsilon, sensitivity=1, delta=delta).scale
    loss = stats.norm(1 / (2 * sigma**2), 1 / sigma)
    assert seen.exceeds == pytest.approx(loss.sf(epsilon) + loss.cdf(-epsilon), rel=1e-6)
    assert seen.one_in == pytest.approx(1 / seen.exceeds, rel=1e-12)


@every_noise
@pytest.mark.parametrize("epsilon", LEVELS)
def test_the_curves_hold_nearly_all_answers_and_the_published_one(kind, epsilon):
    for answer in (42, -500):
        seen = two_worlds(kind, epsilon, answer=answer)
        assert seen.seen[0] <= min(answer, seen.answers[0])
        assert seen.seen[-1] >= max(answer, seen.answers[-1])
        assert (np.diff(seen.answers) > 0).all()
        for curve in (seen.without, seen.with_them):
            step = seen.answers[1] - seen.answers[0]
            whole = curve.sum() * step if seen.is_whole else integrate.trapezoid(curve, seen.answers)
            assert whole == pytest.approx(0.998, abs=0.012)
        assert seen.answers.size < 400


@every_noise
@pytest.mark.parametrize("epsilon", LEVELS)
def test_the_stops_are_round_and_few(kind, epsilon):
    stops = two_worlds(kind, epsilon).stops
    assert {WITHOUT, WITH} <= set(stops)
    assert list(stops) == sorted(set(stops))
    assert 6 <= len(stops) <= 65
    assert all(each == round(each, 6) for each in stops)
    assert kind != "discrete-laplace" or all(each == round(each) for each in stops)


def test_certainty_and_answers_that_say_nothing():
    assert two_worlds("laplace", 1.0, answer=40.5).loss == 0.0
    assert [two_worlds("gaussian", 20.0, answer=1e9, prior=each).after for each in (0.0, 0.5, 1.0)] == [0.0, 1.0, 1.0]
    assert two_worlds("gaussian", 20.0, answer=1e9).is_certain
    assert not two_worlds("laplace", 20.0).is_certain
    for bad, name in (
        ({"kind": "exponential"}, "kind"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"prior": 1.1}, "prior"),
        ({"delta": 0.0}, "delta"),
        ({"answer": 1e10}, "answer"),
    ):
        with pytest.raises(ParameterError, match=f"^{name} must be"):
            two_worlds(**({"kind": "laplace", "epsilon": 1.0} | bad))


# --- the lecture's ten students --------------------------------------------------------------------------------------


def test_the_lectures_numbers():
    third = student_belief(QUERIES[2])
    assert third.chance == pytest.approx(0.198, abs=1e-15)
    assert third.after == pytest.approx(0.084 / 0.198, rel=1e-14)
    assert round(third.after, 4) == 0.4242  # printed 0.43
    assert third.exact == 1.0
    q = math.exp(-EPSILON)
    assert [(1 - q) / (1 + q) * q**off for off in (0, 1)] == pytest.approx([0.25, 0.15], rel=1e-14)


@pytest.mark.parametrize("fails", [0.1, 0.4, 0.75])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
@pytest.mark.parametrize("query", [*QUERIES, StudentQuery("", "", 4, 2, -1)])
def test_a_belief_by_counting_all_ways_in_which_students_can_fail(query, epsilon, fails):
    law = stats.dlaplace(epsilon)
    found = {"noisy": [0.0, 0.0], "exact": [0.0, 0.0]}  # the one has passed, has failed
    for ways in itertools.product((0, 1), repeat=query.students):  # 1 has failed; the one is the first
        chance = math.prod(fails if each else 1 - fails for each in ways)
        passed = query.students - sum(ways)
        found["noisy"][ways[0]] += chance * law.pmf(query.answer - passed)
        found["exact"][ways[0]] += chance * (passed == query.exact)
    belief = student_belief(query, epsilon, fails=fails)
    assert belief.chance == pytest.approx(sum(found["noisy"]), rel=1e-12)
    assert belief.after == pytest.approx(found["noisy"][1] / sum(found["noisy"]), rel=1e-12)
    assert belief.exact == pytest.approx(found["exact"][1] / sum(found["exact"]), rel=1e-12)


def test_an_exact_count_of_all_tells_nothing_that_was_not_expected():
    """Six of ten passed, as was believed; noise for more privacy tells less of any student."""
    assert student_belief(QUERIES[1]).exact == pytest.approx(0.4, rel=1e-14)
    moved = [abs(student_belief(QUERIES[0], epsilon).after - 0.4) for epsilon in (3.0, 1.0, 0.1)]
    assert moved == sorted(moved, reverse=True)
    for bad in (0.0, 1.0, math.nan, None):
        with pytest.raises(ParameterError, match="^fails must be"):
            student_belief(QUERIES[0], fails=bad)
