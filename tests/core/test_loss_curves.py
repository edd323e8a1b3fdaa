"""What one release of any mechanism gives away: curves that are the mechanism's own answers, and beliefs that hold as often as said."""

import math

import numpy as np
import pytest

from par_core.composition import compose
from par_core.mechanisms import MECHANISMS, belief_after
from par_core.risk import explicit_curves
from par_core.risk.attacks import attacks_on, believed_after
from par_core.risk.loss_curves import loss_at, loss_curves
from par_core.scenario import Scenario

KINDS = list(MECHANISMS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_curves_are_the_answers_of_the_mechanism_with_both_sides_of_a_jump(kind):
    scenario = Scenario(epsilon0=1.2, mechanism=kind, sensitivity=3)
    (found,) = loss_curves(scenario)
    np.testing.assert_array_equal(found.two_sided, scenario.release.loss_exceeds(found.epsilon))
    np.testing.assert_array_equal(found.one_sided, scenario.release.loss_exceeds(found.epsilon, two_sided=False))
    np.testing.assert_array_equal(found.delta, scenario.release.delta(found.epsilon))
    if math.isfinite(scenario.release.largest_loss):
        assert 1.2 in found.epsilon
    steep = np.abs(np.diff(found.two_sided)) > 0.1
    assert (np.diff(found.epsilon)[steep] < 1e-12).all(), "no line slants across a jump"


def test_several_levels_share_an_axis():
    low, high = loss_curves(Scenario(mechanism="gaussian"), [0.5, 1.0])
    assert (low.epsilon0, high.epsilon0) == (0.5, 1.0)
    assert low.epsilon[-1] == high.epsilon[-1] == 2.0
    at = loss_at(Scenario(epsilon0=0.5, mechanism="gaussian"), float(low.epsilon[40]))
    assert (at.two_sided, at.delta) == pytest.approx((low.two_sided[40], low.delta[40]), rel=1e-12)


def test_for_laplace_noise_one_release_is_attacked_as_on_the_page_before():
    old, new = explicit_curves.attacks(0.5, 0.4), attacks_on(Scenario(epsilon0=0.5), 0.4)
    np.testing.assert_array_equal(old.false_negative0, new.false_negative0)
    assert (old.advantage0, new.rare0, new.releases) == (new.advantage0, 0.0, 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("releases", [1, 12])
def test_attacks_on_releases_together(kind, releases):
    scenario = Scenario(epsilon0=0.3, mechanism=kind)
    found = attacks_on(scenario, 0.2, releases=releases)
    together = compose(scenario.release, releases)
    np.testing.assert_allclose(found.false_negative0, together.tradeoff(found.false_positive), rtol=1e-12)
    assert found.advantage0 == pytest.approx(together.advantage, rel=1e-9)
    best = np.max(1.0 - found.false_positive - found.false_negative0)
    assert best <= found.advantage0 * (1 + 1e-9), "no test has more than the largest advantage"
    assert best == pytest.approx(found.advantage0, rel=0.02)
    assert (found.false_negative >= found.false_negative0 - 1e-12).all(), "less is given away at 0.2"
    assert (found.rare0 > 0) is (kind == "gaussian")


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_a_belief_is_exceeded_as_rarely_as_said(kind):
    """200,000 releases; wrong for one seed in 10^9 (six standard deviations)."""
    scenario = Scenario(epsilon0=1.0, mechanism=kind, delta=1e-2)
    found = believed_after(scenario, 0.2, largest=False)
    noise, rng = scenario.release, np.random.default_rng(3)
    drawn = noise.sample(1.0, 200_000, rng)
    power, by = (2, 2 * noise.scale**2) if kind == "gaussian" else (1, noise.scale)
    loss = (np.abs(drawn) ** power - np.abs(drawn - 1.0) ** power) / by
    believed = 0.2 / (0.2 + 0.8 * np.exp(-loss))
    share = float(np.mean(believed > found.believed * (1 + 1e-12)))
    assert abs(share - found.rare) < 6 * math.sqrt(found.rare * (1 - found.rare) / 200_000)


def test_without_a_largest_loss_the_usual_one_is_told_and_with_one_the_largest():
    sure = belief_after(Scenario(epsilon0=1.0).release, 0.1, delta=1e-5)
    assert (sure.level, sure.rare) == (1.0, 0.0)
    assert sure.believed == pytest.approx(0.1 * math.e / (0.1 * math.e + 0.9))
    usual = belief_after(Scenario(epsilon0=1.0, mechanism="gaussian").release, 0.1, delta=1e-5)
    assert usual.level == pytest.approx(1.0, rel=1e-9)
    assert 1e-5 < usual.rare < 1e-3
