"""Calibration with a sample: which quantile (case 2), which noise (case 3), what is refused, and what stands beside the model of eta."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, PUBLISHED
from par_core.mechanisms import Laplace
from par_core.published import coupled
from par_core.published.explicit import epsilon0_for
from par_core.randomness import seeded
from par_core.sampling import SensitivitySample, sample_table, tolerance
from par_core.sampling.coupled_calibration import calibrate, share_to_take

# --- case 2 -----------------------------------------------------------------------------------------------------------


def test_the_quantile_to_take_is_the_wish_over_alpha_and_what_is_proven_of_it_is_rho_less():
    found = share_to_take(0.8, samples=15_000, rho=0.01)
    alpha = 1 - 2 * math.exp(-2 * 0.01**2 * 15_000)
    assert found.alpha == pytest.approx(alpha, rel=1e-14)
    assert found.share == pytest.approx(0.8 / alpha, rel=1e-14)
    assert found.valid == pytest.approx(0.8 / alpha - 0.01, rel=1e-14)
    assert (found.wanted, found.samples, found.rho) == (0.8, 15_000, 0.01)
    assert found.evidence.basis is PUBLISHED


def test_the_most_that_a_sample_can_give_is_its_alpha():
    alpha = float(tolerance(15_000, 0.01))
    assert share_to_take(alpha, samples=15_000, rho=0.01).share == 1.0
    with pytest.raises(InfeasibleError, match="no empirical confidence above 0.90") as refused:
        share_to_take(math.nextafter(alpha, 1), samples=15_000, rho=0.01)
    assert refused.value.best == alpha


def test_a_sample_that_says_nothing_can_only_be_asked_for_nothing():
    nothing = share_to_take(0.0, samples=3, rho=0.1)
    assert (nothing.alpha, nothing.share, nothing.valid) == (0.0, 0.0, 0.0)
    with pytest.raises(InfeasibleError) as refused:
        share_to_take(1e-12, samples=3, rho=0.1)
    assert refused.value.best == 0.0


def test_what_is_proven_is_never_below_nothing():
    assert share_to_take(0.01, samples=10, rho=0.5).valid == 0.0


@given(st.floats(0, 1), st.integers(1, 10**9), st.floats(1e-6, 1))
def test_a_quantile_is_a_share_and_gives_the_wish_back(wanted, samples, rho):
    alpha = float(tolerance(samples, rho))
    if wanted > alpha:
        with pytest.raises(InfeasibleError) as refused:
            share_to_take(wanted, samples=samples, rho=rho)
        assert refused.value.best == alpha
        return
    found = share_to_take(wanted, samples=samples, rho=rho)
    assert 0 <= found.valid <= found.share <= 1
    assert found.share * found.alpha == pytest.approx(wanted, rel=1e-12, abs=1e-15)


# --- case 3 -----------------------------------------------------------------------------------------------------------


def test_the_example_of_the_paper_is_refused_and_its_answer_is_that_of_case_1():
    """Epsilon 0.4, both confidences 0.9: 0.81 is the best of all. The 0.8 of the paper meets confidence 0.6 with nothing sampled."""
    with pytest.raises(InfeasibleError, match="0.81") as refused:
        calibrate(0.4, 0.9, eta=coupled.PAPER_ETA, confidence2=0.9, alpha=0.9)
    assert refused.value.best == pytest.approx(0.81, rel=1e-15)
    alone = calibrate(0.4, 0.6, eta=1.0)
    assert alone.epsilon0 == pytest.approx(0.7973, abs=5e-5)
    assert alone.epsilon0 == epsilon0_for(0.4, 0.6)


@pytest.mark.parametrize("k", [1, 5])
def test_the_noise_meets_the_wish_by_the_formula_and_its_truth_is_told(k):
    trust = {"eta": 1.1333, "confidence2": 0.95, "alpha": 0.9, "k": k}
    found = calibrate(0.4, 0.5, **trust)
    assert coupled.confidence(0.4, found.epsilon0, **trust) >= 0.5
    assert coupled.confidence(0.4, found.epsilon0 * 1.001, **trust) < 0.5
    assert found.reached == 1.1333 * found.epsilon0
    assert found.best == pytest.approx(0.855, rel=1e-15)
    # Laplace noise, worst-case neighbours, eta times too far apart: e^(-eta·epsilon0/2)·sinh(epsilon/2) below eta·epsilon0.
    truth = math.exp(-found.reached / 2) * math.sinh(0.2)
    assert found.exact_confidence == pytest.approx(truth, rel=1e-12)
    assert found.exact_confidence < 0.25 < 0.5
    assert found.evidence.basis is PUBLISHED


def test_a_wish_that_hardly_any_noise_meets_has_no_largest_epsilon0():
    lowest = 1 - math.exp(-0.4)  # the confidence in 0.4 without noise, by the formula for k = 1
    found = calibrate(0.4, lowest * 0.8 * (1 - 1e-9), eta=1.2, confidence2=0.8)
    assert (found.epsilon0, found.reached, found.exact_confidence) == (None, None, 0.0)
    assert calibrate(0.4, lowest * 0.8 * (1 + 1e-6), eta=1.2, confidence2=0.8).epsilon0 is not None


def test_the_largest_wish_is_met_where_the_noise_alone_protects():
    found = calibrate(0.4, 0.81, eta=1.25, confidence2=0.9, alpha=0.9)
    assert found.reached == pytest.approx(0.4, rel=1e-12)
    assert found.exact_confidence == float(Laplace(found.reached).loss_within(0.4))


def test_nothing_can_be_had_from_a_sample_that_says_nothing():
    with pytest.raises(InfeasibleError) as refused:
        calibrate(0.4, 0.1, eta=1.1, alpha=0.0)
    assert refused.value.best == 0.0
    assert calibrate(0.4, 0.0, eta=1.1, alpha=0.0).epsilon0 is None


@given(
    epsilon=st.floats(1e-3, 5),
    wanted=st.floats(0, 1),
    eta=st.floats(0.1, 20),
    confidence2=st.floats(0, 1),
    alpha=st.floats(0, 1),
    k=st.integers(1, 20),
)
def test_a_calibration_is_refused_or_meets_the_wish(epsilon, wanted, eta, confidence2, alpha, k):
    trust = {"eta": eta, "confidence2": confidence2, "alpha": alpha, "k": k}
    if wanted > confidence2 * alpha:
        with pytest.raises(InfeasibleError) as refused:
            calibrate(epsilon, wanted, **trust)
        assert refused.value.best == confidence2 * alpha
        return
    found = calibrate(epsilon, wanted, **trust)
    assert 0 <= found.exact_confidence <= 1
    level0 = 1e3 / eta if found.epsilon0 is None else found.epsilon0
    assert coupled.confidence(epsilon, level0, **trust) >= wanted * (1 - 1e-12)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"epsilon": 0.0}, "epsilon"),
        ({"epsilon": math.nan}, "epsilon"),
        ({"wanted": 1.1}, "wanted"),
        ({"wanted": "much"}, "wanted"),
        ({"eta": 0.0}, "eta"),
        ({"eta": math.inf}, "eta"),
        ({"confidence2": 1.1}, "confidence2"),
        ({"alpha": -0.1}, "alpha"),
        ({"k": 0}, "k"),
        ({"k": 1.5}, "k"),
    ],
)
def test_bad_input_of_case_3_is_named(change, name):
    asked = {"epsilon": 0.4, "wanted": 0.5, "eta": 1.1, **change}
    with pytest.raises(ParameterError, match=rf"^{name} must be"):
        calibrate(asked.pop("epsilon"), asked.pop("wanted"), **asked)


@pytest.mark.parametrize(
    ("change", "name"),
    [({"wanted": -0.1}, "wanted"), ({"samples": 0}, "samples"), ({"samples": 2.5}, "samples"), ({"rho": 0.0}, "rho")],
)
def test_bad_input_of_case_2_is_named(change, name):
    asked = {"wanted": 0.5, "samples": 100, "rho": 0.1, **change}
    with pytest.raises(ParameterError, match=rf"^{name} must be"):
        share_to_take(asked.pop("wanted"), **asked)


# --- eta --------------------------------------------------------------------------------------------------------------


@given(st.floats(1e-6, 1), st.floats(1e-6, 1e6), st.floats(1e-3, 1e6), st.floats(0, 10))
def test_the_unit_moves_the_model_as_dividing_the_sensitivity_does(rho, sampled, unit, order):
    found = coupled.eta(rho, sampled, order=order, unit=unit)
    assert found == pytest.approx(coupled.eta(rho, sampled / unit, order=order), rel=1e-12)
    assert found - 1 == pytest.approx(unit * (coupled.eta(rho, sampled, order=order) - 1), rel=1e-9, abs=1e-9)


def test_a_bound_gives_the_ratio_whatever_the_unit():
    assert coupled.eta_of_bound(0.17, 0.15) == pytest.approx(coupled.PAPER_ETA, rel=1e-14)
    assert coupled.eta_of_bound(170.0, 150.0) == pytest.approx(coupled.eta_of_bound(0.17, 0.15), rel=1e-14)
    ratios = coupled.eta_of_bound([1.0, 2.0], [[4.0], [8.0]])
    np.testing.assert_array_equal(ratios, [[0.25, 0.5], [0.125, 0.25]])
    assert isinstance(coupled.eta_of_bound(5, 4), float)
    assert coupled.eta_of_bound.evidence.basis is PROVEN
    assert coupled.eta.evidence.basis is PUBLISHED


@pytest.mark.parametrize(
    ("bound", "sampled", "name"),
    [(0, 1, "bound"), (1, 0, "sampled_sensitivity"), (math.inf, 1, "bound"), (1, math.nan, "sampled_sensitivity")],
)
def test_bad_bounds_are_named(bound, sampled, name):
    with pytest.raises(ParameterError, match=rf"^{name} must be"):
        coupled.eta_of_bound(bound, sampled)


def test_a_bad_unit_is_named():
    with pytest.raises(ParameterError, match=r"^unit must be"):
        coupled.eta(0.01, 0.15, unit=0.0)


# --- random numbers and the table of a sample -------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_numbers_and_another_one_others():
    first, again, other = (seeded(seed).random(5) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first, again)
    assert not np.any(first == other)


@pytest.mark.parametrize("seed", [-1, 1.5, math.nan, "one", None])
def test_a_seed_that_is_none_is_named(seed):
    with pytest.raises(ParameterError, match=r"^seed must be"):
        seeded(seed)


def test_a_sample_becomes_a_table_of_its_values_from_small_to_large():
    sample = SensitivitySample(np.array([3.0, 1.0, 2.0, 2.0]), rows=10)
    table = sample_table(sample, 0.5)
    rho = math.sqrt(math.log(2 / 0.5) / (2 * 4))
    expected = pd.DataFrame(
        {
            "sensitivity": [1.0, 2.0, 2.0, 3.0],
            "share of pairs up to it": [0.25, 0.75, 0.75, 1.0],
            "band, lower end": np.maximum(np.array([0.25, 0.75, 0.75, 1.0]) - rho, 0),
            "band, upper end": np.minimum(np.array([0.25, 0.75, 0.75, 1.0]) + rho, 1),
        }
    )
    pd.testing.assert_frame_equal(table, expected, rtol=1e-12)
    with pytest.raises(ParameterError, match=r"^confidence must be"):
        sample_table(sample, 1.0)
