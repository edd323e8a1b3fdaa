"""The curves that the explicit-risk page draws: published points where the figures have them, exact ones beside them."""

import numpy as np
import pytest

from par_core.errors import ParameterError
from par_core.mechanisms import Laplace
from par_core.published import explicit
from par_core.risk import explicit_curves


def test_figure_1a_and_1b_are_drawn_on_the_papers_grid():
    for curves in (explicit_curves.by_dimension((1, 2, 3), 1.0), explicit_curves.by_epsilon0((1.0, 1.5, 2.0, 2.5))):
        for curve in curves:
            np.testing.assert_array_equal(curve.epsilon, np.linspace(0.0, 1.0, 50))


def test_a_curve_far_from_the_figures_is_drawn_up_to_its_own_epsilon0():
    (small,) = explicit_curves.by_dimension([1], 0.01)
    (large,) = explicit_curves.by_epsilon0([40.0])
    assert (small.epsilon[-1], large.epsilon[-1]) == (0.01, 40.0)


@pytest.mark.parametrize("k", [1, 2, 5, 50])
@pytest.mark.parametrize("epsilon0", [0.01, 0.5, 1.0, 4.0])
def test_the_exact_risk_lies_above_the_published_one_and_jumps_to_zero(k, epsilon0):
    curve = explicit_curves.by_epsilon0([epsilon0], k)[0]
    exact = np.interp(curve.epsilon, curve.exact_epsilon, curve.exact_risk)
    inside = (curve.epsilon > 0) & (curve.epsilon < epsilon0)
    assert (exact[inside] > curve.risk[inside]).all()
    at = np.searchsorted(curve.exact_epsilon, epsilon0)
    assert curve.exact_risk[at] == 0
    assert curve.exact_risk[at - 1] == pytest.approx((1 + np.exp(-epsilon0)) / 2, rel=1e-9)


def test_the_truth_curves_agree_with_the_functions_that_they_come_from():
    curves = explicit_curves.truth(2.0, 3)
    np.testing.assert_array_equal(curves.risk, explicit.risk(curves.epsilon, 2.0, k=3))
    np.testing.assert_array_equal(curves.delta, Laplace(2.0).delta(curves.epsilon))
    assert (curves.one_sided <= curves.two_sided).all()
    assert (curves.delta <= curves.one_sided).all()
    assert 2.0 in curves.epsilon  # the jump is a point, not a slant


def test_confidence_falls_to_what_unlimited_epsilon0_leaves():
    curves = explicit_curves.confidence_against_epsilon0(0.4, 1, upto=100.0)
    assert curves.confidence[0] == 1
    assert (np.diff(curves.confidence) <= 0).all()
    assert curves.confidence[-1] == pytest.approx(explicit.t_cdf(0.4, k=1), rel=1e-12)
    assert curves.exact_confidence[-1] < 1e-20


def test_the_shared_area_is_the_area_under_the_lower_density():
    curves = explicit_curves.noise_overlap(1.0, 0.6, points=20_001)
    lower = np.minimum(curves.density0, curves.density)
    # The tails beyond the drawn range hold 1.3e-3 of the wider noise and less of the narrower one.
    assert np.trapezoid(lower, curves.noise) == pytest.approx(0.8141, abs=2e-3)
    assert curves.overlap == pytest.approx(0.8141, abs=5e-5)


def test_the_attack_curves_meet_their_ends():
    curves = explicit_curves.attacks(1.0, 0.5)
    assert curves.false_negative0[0] == 1
    assert curves.false_negative0[-1] == 0
    gap = (1 - curves.false_positive - curves.false_negative0).max()
    assert gap == pytest.approx(curves.advantage0, rel=1e-12)
    assert curves.advantage < curves.advantage0


def test_post_processing_shows_the_jumps():
    curves = explicit_curves.post_processing(1.0, 0.5)
    before, after = curves.exceeds_before, curves.exceeds_after
    at = np.searchsorted(curves.epsilon, 0.8)
    assert before[at] == pytest.approx(0.751, abs=2e-3)
    assert after[at] == 1
    assert after[np.searchsorted(curves.epsilon, 0.84)] == 0


def test_the_simulation_is_repeatable_and_holds_the_exact_values():
    # 12 two-sided and 12 one-sided intervals of 99 %: with this seed all hold; by chance about one in five seeds misses once.
    first = explicit_curves.simulate(1.0, 1, even=False, size=50_000, seed=3)
    again = explicit_curves.simulate(1.0, 1, even=False, size=50_000, seed=3)
    np.testing.assert_array_equal(first.share, again.share)
    exact = Laplace(1.0).loss_exceeds(first.epsilon)
    assert ((first.lower <= exact) & (exact <= first.upper)).all()


def test_a_change_spread_over_many_numbers_draws_fewer_releases_and_says_so():
    result = explicit_curves.simulate(1.0, 10_000, even=True, size=1_000_000, seed=1)
    assert result.size == 5_000
    assert result.k == 10_000


def test_nothing_to_draw_is_an_error():
    with pytest.raises(ParameterError, match="^ks must be"):
        explicit_curves.by_dimension([], 1.0)
    with pytest.raises(ParameterError, match=r"^ks must be a whole number"):
        explicit_curves.by_dimension([1.5], 1.0)
    with pytest.raises(ParameterError, match="^epsilon0s must be at least"):
        explicit_curves.by_epsilon0([1.0, -1.0])
