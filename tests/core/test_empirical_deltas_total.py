"""What follows from individual deltas: total risk, the largest loss, the epsilon that protects everyone."""

import math

import numpy as np
import pytest
from scipy import special

from par_core.audit import individual_deltas, largest_loss, protecting_epsilon, total_risk
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import ESTIMATE, evidence_of


def panel(individuals=40, databases=41, *, seed=5, scale=0.1):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=databases)
    return a, a + rng.normal(scale=scale, size=(individuals, databases))


def log_ratio(x, a, b, bandwidth):
    first, second = (special.logsumexp(-np.abs(x[:, None] - each) / bandwidth, axis=1) for each in (a, b))
    return np.abs(first - second)


# --- total risk ---------------------------------------------------------------------------------------------------


def test_total_risk_is_one_minus_the_product():
    assert total_risk([0.5, 0.5]) == pytest.approx(0.75, rel=1e-15)
    assert total_risk(0.25) == pytest.approx(0.25, rel=1e-15)
    assert total_risk([1.0, 0.3]) == 1.0
    assert total_risk(np.full(10**6, 1e-18)) == pytest.approx(1e-12, rel=1e-9, abs=0.0)
    table = np.array([[0.1, 0.0], [0.2, 0.0], [0.3, 1e-17]])
    np.testing.assert_allclose(total_risk(table), [1 - 0.9 * 0.8 * 0.7, 1e-17], rtol=1e-14)


def test_total_risk_is_never_below_the_largest_delta():
    rng = np.random.default_rng(0)
    for size in (1, 2, 50):
        deltas = rng.random(size) ** rng.integers(1, 30)
        assert total_risk(deltas) >= deltas.max()


def test_total_risk_says_that_it_is_a_heuristic():
    assert evidence_of(total_risk).basis is ESTIMATE
    assert "not the probability that someone is compromised" in evidence_of(total_risk).limits
    with pytest.raises(ParameterError, match="deltas"):
        total_risk([0.1, 1.1])
    with pytest.raises(ParameterError, match="deltas"):
        total_risk([])


# --- largest loss -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-6, 0.1, 5.0])
def test_largest_loss_is_the_supremum_of_the_log_ratio(scale):
    a, table = panel(scale=scale)
    found = largest_loss(a, table, bandwidth=0.3)
    for loss, row in zip(found[:10], table, strict=False):
        grid = np.concatenate([a, row, np.linspace(-20, 20, 4001)])
        assert log_ratio(grid, a, row, 0.3).max() == pytest.approx(loss, rel=1e-8)
        assert loss <= np.abs(np.sort(a) - np.sort(row)).max() / 0.3 * (1 + 1e-12)


def test_delta_is_zero_from_the_largest_loss_on_and_above_zero_before():
    for scale in (1e-6, 0.01, 0.3):
        a, table = panel(scale=scale)
        losses = largest_loss(a, table, bandwidth=0.3)
        for loss, row in zip(losses, table, strict=True):
            found = individual_deltas(a, [row], epsilon=[loss * (1 - 1e-5), loss, loss * 1.5], bandwidth=0.3)[0]
            assert found[0] > 0
            assert (found[1:] == 0).all()


def test_largest_loss_far_beyond_the_floats():
    found = largest_loss([0.0, 1e6], [[0.0, 1e6 + 5], [3.0, 1e6], [1e6, 1e6], [1e6, 0.0]], bandwidth=1.0)
    np.testing.assert_allclose(found, [5.0, 3.0, 1e6 - math.log(2), 0.0], rtol=1e-12)
    assert largest_loss([0.0], [[2.0]], bandwidth=0.5)[0] == pytest.approx(4.0, rel=1e-13)
    assert largest_loss([0.0, 1.0], np.empty((0, 2)), bandwidth=0.5).shape == (0,)


# --- the epsilon that protects everyone -----------------------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.3, 0.01, 1e-4, 1e-8])
def test_the_protecting_epsilon_meets_the_wish_and_a_little_less_does_not(delta):
    a, table = panel()
    epsilon = protecting_epsilon(a, table, delta=delta, bandwidth=0.3)
    assert individual_deltas(a, table, epsilon=epsilon, bandwidth=0.3).max() <= delta
    if epsilon > 0:
        assert individual_deltas(a, table, epsilon=epsilon * (1 - 1e-9), bandwidth=0.3).max() > delta


def test_protecting_epsilon_at_the_ends():
    a, table = panel()
    assert protecting_epsilon(a, table, delta=0.0, bandwidth=0.3) == largest_loss(a, table, bandwidth=0.3).max()
    assert protecting_epsilon(a, table, delta=1.0, bandwidth=0.3) == 0.0
    assert protecting_epsilon(a, table[:0], delta=0.1, bandwidth=0.3) == 0.0
    assert protecting_epsilon(a, [a], delta=1e-9, bandwidth=0.3) == 0.0
    # Laplace mechanism: 1 - exp(-(shift - epsilon)/2) = delta
    expected = 2.0 + 2 * math.log1p(-0.1)
    assert protecting_epsilon([0.0], [[2.0]], delta=0.1, bandwidth=1.0) == pytest.approx(expected, rel=1e-10)


def test_a_wish_that_no_epsilon_meets():
    with pytest.raises(InfeasibleError, match="delta of 1 is left") as caught:
        protecting_epsilon([0.0], [[1e6]], delta=0.1, bandwidth=1.0)
    assert caught.value.best == pytest.approx(1.0)
    with pytest.raises(ParameterError, match="delta"):
        protecting_epsilon([0.0], [[1.0]], delta=-0.1, bandwidth=1.0)
