"""Simulated releases, held against the exact law and the closed form of their intervals.

Simulations have fixed seeds. A right answer fails each such test with probability 1e-6 at most, were the seed drawn anew.
"""

import math

import numpy as np
import pytest
from scipy import special

from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE
from par_core.mechanisms import Laplace
from par_core.risk.simulation import loss_batches, simulate_exceedance

FALSE_ALARM = 1e-6


def losses_of(epsilon0, **more):
    return np.concatenate([*loss_batches(epsilon0, **more)])


def test_simulated_shares_hold_the_exact_ones():
    epsilon = np.linspace(0.0, 1.1, 12)
    each = 1.0 - FALSE_ALARM / (2 * epsilon.size)
    found = simulate_exceedance(epsilon, 1.0, k=7, size=400_000, rng=np.random.default_rng(11), level=each)
    exact = Laplace(1.0).loss_exceeds(epsilon)
    one_sided = Laplace(1.0).loss_exceeds(epsilon, two_sided=False)
    assert ((found.lower <= exact) & (exact <= found.upper)).all()
    assert ((found.lower_one_sided <= one_sided) & (one_sided <= found.upper_one_sided)).all()
    assert (found.upper - found.lower < 0.01).all()
    assert found.evidence.basis is ESTIMATE
    assert (found.size, found.k, found.epsilon0) == (400_000, 7, 1.0)


def test_simulation_of_a_spread_change():
    # Two halves: both coordinates at their upper atom with probability 1/4, and the mean loss is twice that of a half.
    size = 400_000
    losses = losses_of(2.0, k=3, shift=[0.5, 0.0, 0.5], size=size, rng=np.random.default_rng(5))
    at_top = int((losses == 2.0).sum())
    tail = FALSE_ALARM / 2.0
    assert special.bdtr(at_top, size, 0.25) > tail
    assert special.bdtrc(at_top - 1, size, 0.25) > tail
    spread = losses.std() / math.sqrt(size)
    assert losses.mean() == pytest.approx(2.0 * Laplace(1.0).mean_loss, abs=5.0 * spread)
    assert np.abs(losses).max() <= 2.0


def test_change_in_one_coordinate_makes_the_dimension_irrelevant():
    alone = losses_of(1.3, size=1000, rng=np.random.default_rng(2))
    shift = [0.0, 0.0, 1.0, 0.0]
    assert (losses_of(1.3, k=4, shift=shift, size=1000, rng=np.random.default_rng(2)) == alone).all()
    assert (losses_of(1.3, k=4, size=1000, rng=np.random.default_rng(2)) == alone).all()
    nothing = losses_of(1.3, k=4, shift=np.zeros(4), size=10, rng=np.random.default_rng(2))
    assert nothing.tolist() == [0.0] * 10


def test_batches_are_small_and_make_up_the_whole():
    shift = np.full(20, 1.0 / 20)
    batches = list(loss_batches(1.0, k=20, shift=shift, size=60_001, rng=np.random.default_rng(8)))
    assert len(batches) > 1
    assert max(batch.size for batch in batches) * 20 <= 500_000
    whole = losses_of(1.0, k=20, shift=shift, size=60_001, rng=np.random.default_rng(8))
    assert (np.concatenate(batches) == whole).all()


def test_same_seed_same_result():
    first, second = (
        simulate_exceedance([0.2, 0.1], 1.0, size=1_200_000, rng=np.random.default_rng(4)) for _ in range(2)
    )
    assert first.share.tolist() == second.share.tolist()
    assert first.share[0] < first.share[1]  # in the order asked


def test_simulated_shares_at_the_ends_and_of_a_scalar():
    found = simulate_exceedance(2.0, 1.0, size=100, rng=np.random.default_rng(1), level=0.95)
    assert (found.share, found.lower) == (0.0, 0.0)
    assert found.upper == pytest.approx(1.0 - 0.025 ** (1.0 / 100.0))  # no hit in 100: the closed form
    assert type(found.share) is float
    certain = simulate_exceedance(0.0, 1.0, size=100, rng=np.random.default_rng(1), level=0.95)
    assert certain.upper == 1.0
    assert certain.lower == pytest.approx(0.025 ** (1.0 / 100.0))


def test_theorem_4_fails_in_the_simulation_too():
    for k in (2, 3, 5):
        found = simulate_exceedance(0.5, 1.0, k=k, size=100_000, rng=np.random.default_rng(k))
        assert found.lower > 0.83 > 0.50  # the published risks are 0.460, 0.481 and 0.491


def test_losses_at_extreme_levels_stay_within_them():
    for epsilon0 in (1e-300, 1e300):
        losses = losses_of(epsilon0, size=100, rng=np.random.default_rng(0))
        assert np.abs(losses).max() <= epsilon0


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "1", None, [], True])
def test_bad_numbers_are_named(bad):
    rng = np.random.default_rng(0)
    for name, call in (
        ("epsilon0", lambda: losses_of(bad, size=10, rng=rng)),
        ("size", lambda: losses_of(1.0, size=bad, rng=rng)),
        ("k", lambda: losses_of(1.0, k=bad, size=10, rng=rng)),
        ("epsilon", lambda: simulate_exceedance(bad, 1.0, size=10, rng=rng)),
        ("level", lambda: simulate_exceedance(0.5, 1.0, size=10, rng=rng, level=bad)),
    ):
        with pytest.raises(ParameterError, match=rf"^{name} must be .*got "):
            call()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"epsilon0": 0.0}, "epsilon0 must be above 0 and finite, got 0"),
        ({"epsilon0": [1.0, 2.0]}, "epsilon0 must be a single number"),
        ({"k": 0}, "k must be a whole number at least 1, got 0"),
        ({"k": 1.5}, "k must be a whole number at least 1, got 1.5"),
        ({"size": 0}, "size must be a whole number at least 1"),
        ({"size": 10**12}, "size must be .*got 1e.12"),
        ({"k": 2, "shift": [1.0]}, r"shift must hold one number for each of the 2 coordinates, got shape \(1,\)"),
        ({"k": 2, "shift": [0.6, 0.6]}, "shift must add up to at most 1, got 1.2"),
        ({"k": 2, "shift": [-0.1, 0.6]}, "shift must be .*got -0.1"),
        ({"rng": 7}, "rng must be a numpy random Generator, got 7"),
    ],
)
def test_bad_simulations_are_refused_at_the_call(arguments, message):
    complete = {"epsilon0": 1.0, "size": 10, "rng": np.random.default_rng(0), **arguments}
    with pytest.raises(ParameterError, match=message):
        loss_batches(**complete)


def test_shares_that_miss_one_by_rounding_are_taken():
    for k in (1, 2, 3, 5):  # few enough that all coordinates reach their upper atom together
        shift = np.full(k, 1.0 / k) + (1e-13 if k > 1 else 0.0)
        losses = losses_of(1.0, k=k, shift=shift, size=1000, rng=np.random.default_rng(0))
        assert losses.max() == 1.0
