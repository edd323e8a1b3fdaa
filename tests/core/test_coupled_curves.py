"""The curves of figures 2, 3a and 3b: as published where the figures have them, and the exact answers beside them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from par_core.errors import ParameterError
from par_core.evidence import PUBLISHED
from par_core.mechanisms import Laplace
from par_core.sampling import coupled_curves as curves
from par_core.sampling import coverage, risks_down_to, samples_at, samples_curves, samples_in_the_mean, tolerance

GOLDEN = json.loads((Path(__file__).parent / "data" / "figures_2_3.json").read_text(encoding="utf-8"))


# --- figure 2 ---------------------------------------------------------------------------------------------------------


def test_figure_2_is_drawn_as_published():
    found = samples_curves()
    assert [curve.rho for curve in found] == [0.0001, 0.001, 0.01, 0.1]
    for curve in found:
        golden = GOLDEN["2"]["curves"][f"rho={curve.rho:.4f}"]
        np.testing.assert_allclose(curve.risk, golden["x"], rtol=0, atol=1e-15)
        np.testing.assert_allclose(curve.published, golden["y"], rtol=1e-9, atol=0)
        assert curve.evidence.basis is PUBLISHED


@pytest.mark.parametrize("rho", [1e-4, 0.01, 0.1, 0.6, 0.99])
def test_the_exact_counts_meet_their_statement_and_one_less_does_not(rho):
    (curve,) = samples_curves([rho], risk=[0.001, 0.02, 0.1, 0.5, 0.9, 1.0])
    for risk, mean, largest in zip(curve.risk, curve.in_the_mean, curve.largest, strict=True):
        alpha = 1 - risk
        assert mean / (mean + 1) >= alpha
        assert mean == 1 or (mean - 1) / mean < alpha
        assert coverage(int(largest), int(largest), share=1 - rho) >= alpha
        assert largest == 1 or coverage(int(largest) - 1, int(largest) - 1, share=1 - rho) < alpha


@pytest.mark.parametrize("rho", [1e-4, 0.01, 0.1, 0.5])
def test_the_valid_reading_never_takes_more_than_the_inequality_asks_for(rho):
    (curve,) = samples_curves([rho])
    assert (curve.largest <= np.ceil(curve.published)).all()


def test_theorem_5_is_safe_in_the_papers_figure_and_fails_at_a_large_rho():
    assert all((curve.published > curve.in_the_mean).all() for curve in samples_curves())
    (large,) = samples_curves([0.9])
    assert (large.published[:10] < large.in_the_mean[:10]).all()


@given(st.floats(0, 1 - 1e-9))
def test_the_fewest_samples_in_the_mean(wanted):
    found, spacing = samples_in_the_mean(wanted), 2.0**-53  # of floats just below 1
    assert found / (found + 1) >= wanted
    assert found == 1 or (found - 1) / found < wanted + spacing


def test_the_mean_coverage_is_that_of_the_beta_law():
    grid = (np.arange(100_000) + 0.5) / 100_000
    for samples in (1, 9, 48):
        found = samples_at(samples=samples, rho=0.5)
        assert found.mean_coverage == pytest.approx(coverage(samples, samples, share=grid).mean(), abs=1e-6)


def test_the_third_follows_from_any_two():
    """The paper's numbers: 15,000 pairs, 0.01, 0.9."""
    assert samples_at(samples=15_000, rho=0.01).tolerance == pytest.approx(0.9004258632642721, abs=1e-12)
    assert samples_at(rho=0.01, wanted=0.9).samples == 14_979
    assert samples_at(samples=15_000, wanted=0.9).rho == pytest.approx(0.0099929, abs=1e-7)
    for found in (samples_at(rho=0.01, wanted=0.9), samples_at(samples=15_000, wanted=0.9)):
        assert (found.tolerance, found.risk) == (0.9, pytest.approx(0.1))
        assert tolerance(found.samples, found.rho) >= 0.9


def test_what_the_readers_samples_are_worth():
    own = samples_at(samples=15_000, rho=0.01)
    assert (own.claim_holds, own.samples_for_mean, own.samples_for_largest) == (True, 10, 230)
    assert own.share_covered == pytest.approx(1.0, abs=1e-12)
    few = samples_at(samples=10, rho=0.9)  # the example that refutes Theorem 5
    assert few.tolerance == pytest.approx(0.9999998156, abs=1e-9)
    assert few.mean_coverage == pytest.approx(10 / 11)
    assert not few.claim_holds
    assert few.share_covered == pytest.approx(1 - 0.1**10, rel=1e-12)
    assert few.samples_for_mean == pytest.approx(1 / few.risk, abs=2)  # of five million: a whole number
    nothing = samples_at(samples=10, rho=0.01)
    assert (nothing.tolerance, nothing.risk, nothing.says_something) == (0.0, 1.0, False)
    certain = samples_at(samples=10**9, rho=1.5)
    assert (certain.tolerance, certain.samples_for_mean, certain.samples_for_largest) == (1.0, None, None)


def test_risks_reach_down_to_the_readers_own():
    np.testing.assert_array_equal(risks_down_to(0.05), samples_curves()[0].risk)
    risks = risks_down_to(1e-6)
    assert risks[0] == pytest.approx(1e-6)
    assert (np.diff(risks) > 0).all()
    assert set(samples_curves()[0].risk) <= set(risks)


# --- figures 3a and 3b ------------------------------------------------------------------------------------------------


def figure_3():
    """Each curve of both figures with its published one."""
    for curve in curves.by_rho():
        yield curve, GOLDEN["3a"]["curves"][f"rho={curve.rho:.3f}"]
    for curve in curves.by_samples():
        yield curve, GOLDEN["3b"]["curves"][f"samples={curve.samples}"]


def test_figure_3_is_drawn_as_published():
    found = list(figure_3())
    assert len(found) == 8
    for curve, golden in found:
        np.testing.assert_allclose(curve.epsilon, golden["y"], rtol=0, atol=1e-15)
        np.testing.assert_allclose(curve.risk, golden["x"], rtol=0, atol=1e-9)
        assert curve.evidence.basis is PUBLISHED


def test_the_exact_noise_stands_beside_it():
    reached = 1 + 2 * 0.01 / 0.15
    for curve, _ in figure_3():
        held = math.exp(-reached / 2) * np.sinh(curve.exact_epsilon / 2)
        np.testing.assert_allclose(curve.exact_risk, 1 - held, rtol=1e-12)
        inside = curve.epsilon > 0
        assert (np.interp(curve.epsilon, curve.exact_epsilon, curve.exact_risk)[inside] > curve.risk[inside]).all()


@pytest.mark.parametrize("confidence2", [1.0, 0.6])
@pytest.mark.parametrize(("epsilon0", "eta"), [(0.3, 1.2), (1.0, 0.5), (2.0, 1.4), (50.0, 1.0)])
def test_both_sides_of_the_jump_are_drawn(epsilon0, eta, confidence2):
    setting = curves.Setting(epsilon0, k=2, eta=eta, confidence2=confidence2)
    (curve,) = curves.by_samples([12_345], 0.012, setting=setting, upto=1.5 * eta * epsilon0)
    at = int(np.searchsorted(curve.exact_epsilon, setting.reached))
    rest = 1 - curve.alpha * confidence2
    assert curve.exact_epsilon[at] == setting.reached
    assert curve.exact_risk[at] == 0.0, "the quantile and alpha do not multiply a truth"
    before = math.exp(-setting.reached / 2) * math.sinh(setting.reached / 2)
    assert curve.exact_risk[at - 1] == pytest.approx(1 - before)
    assert curve.risk[-1] == pytest.approx(rest)


def test_a_curve_far_from_the_figures_is_drawn_to_its_own_level():
    for epsilon0 in (1e-3, 80.0):
        (curve,) = curves.by_rho([0.01], setting=curves.Setting(epsilon0, eta=1.1))
        assert curve.epsilon[-1] == pytest.approx(1.05 * 1.1 * epsilon0)
        assert np.isfinite(curve.risk).all()


def test_the_readers_own_point_lies_on_the_curves():
    setting = curves.Setting(1.2, k=3, eta=1.3, confidence2=0.95)
    (curve,) = curves.by_rho([0.011], 14_000, setting=setting)
    own = curves.coupled_at(float(curve.epsilon[20]), 14_000, rho=0.011, setting=setting)
    assert own.risk == pytest.approx(curve.risk[20], rel=1e-14)
    assert own.exact_risk == pytest.approx(np.interp(own.epsilon, curve.exact_epsilon, curve.exact_risk), rel=1e-12)
    assert own.exact_confidence == Laplace(1.2 * 1.3).loss_within(own.epsilon)
    assert own.exact_confidence == pytest.approx(1 - own.exact_risk)


def test_the_truth_is_one_for_every_sample_distance_and_quantile():
    """If eta is right, the noise alone decides; how far eta can be trusted is another matter."""
    setting = curves.Setting(1.0, eta=1.3, confidence2=0.4)
    found = [
        *curves.by_rho(setting=setting),
        *curves.by_samples(setting=setting),
        *curves.by_rho(setting=curves.Setting(eta=1.3)),
    ]
    for curve in found[1:]:
        np.testing.assert_array_equal(curve.exact_risk, found[0].exact_risk)
    own = curves.coupled_at(0.4, 10, rho=0.01, setting=setting)  # alpha is 0
    assert own.alpha == 0.0
    assert own.exact_confidence == pytest.approx(math.exp(-1.3 / 2) * math.sinh(0.2), rel=1e-12)


def test_a_tiny_confidence_does_not_vanish():
    own = curves.coupled_at(0.4, 10_000, rho=0.01, setting=curves.Setting(eta=134.33))
    assert 0 < own.exact_confidence == pytest.approx(math.exp(-134.33 / 2) * math.sinh(0.2), rel=1e-9)
    assert own.exact_risk == 1.0


@pytest.mark.parametrize(("confidence2", "some"), [(1.0, True), (0.3, True), (0.05, False), (0.0, False)])
def test_a_claim_is_too_bold_where_it_is_below_the_truth_and_only_there(confidence2, some):
    """A small quantile makes the published confidence smaller than the true one: that flatters nobody."""
    setting = curves.Setting(1.0, eta=2.0, confidence2=confidence2)
    (curve,) = curves.by_rho([0.05], setting=setting)
    assert bool(curve.too_bold) is some
    seen = np.zeros_like(curve.epsilon, dtype=bool)
    for (epsilon, claim), (same, true) in curve.too_bold:
        np.testing.assert_array_equal(epsilon, same)
        assert (claim <= true).all()
        np.testing.assert_allclose(true, Laplace(2.0).loss_exceeds(epsilon))
        seen |= np.isin(curve.epsilon, epsilon)
    inside = (curve.epsilon > 0) & (curve.epsilon < setting.reached)
    np.testing.assert_array_equal(seen[inside], (curve.risk < Laplace(2.0).loss_exceeds(curve.epsilon))[inside])


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: samples_curves([]), "rhos"),
        (lambda: samples_curves([1.0]), "rhos"),
        (lambda: samples_curves([0.1], risk=[0.0]), "risk"),
        (lambda: samples_in_the_mean(1.0), "wanted"),
        (lambda: risks_down_to(0.0), "lowest"),
        (lambda: samples_at(samples=10, rho=0.0), "rho"),
        (lambda: samples_at(samples=0, wanted=0.5), "samples"),
        (lambda: samples_at(rho=0.1, wanted=1.0), "wanted"),
        (lambda: curves.by_rho([]), "rhos"),
        (lambda: curves.by_samples([]), "samples"),
        (lambda: curves.by_rho([0.0]), "rho"),
        (lambda: curves.by_samples([2.5]), "samples"),
        (lambda: curves.Setting(eta=0.0), "eta"),
        (lambda: curves.Setting(0.0), "epsilon0"),
        (lambda: curves.Setting(k=0), "k"),
        (lambda: curves.Setting(confidence2=1.1), "confidence2"),
        (lambda: curves.coupled_at(-1.0, 10, rho=0.1), "epsilon"),
        (lambda: curves.coupled_at(float("nan"), 10, rho=0.1), "epsilon"),
        (lambda: curves.by_rho([0.1], upto=0.0), "upto"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ParameterError, match=rf"^{name} must "):
        call()


@pytest.mark.parametrize("given", [{}, {"rho": 0.1}, {"samples": 10, "rho": 0.1, "wanted": 0.5}])
def test_exactly_two_are_asked_for(given):
    with pytest.raises(ParameterError, match="exactly two of samples, rho and wanted"):
        samples_at(**given)
