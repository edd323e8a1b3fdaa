"""`exact` and `exact_delta` against Google's accountant and against convolutions done directly."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution

from par_core.composition import compose, exact, exact_delta
from par_core.composition.brackets import NARROW
from par_core.composition.step_by_step import deltas
from par_core.mechanisms import Laplace
from par_core.progress import portion

GRID = [
    (1e-4, 5),
    (0.01, 3),
    (0.01, 300),
    (0.1, 1),
    (0.1, 50),
    (0.1, 300),
    (0.5, 2),
    (0.5, 40),
    (0.5, 300),
    (1.0, 7),
    (1.0, 300),
    (2.0, 30),
    (5.0, 10),
    (5.0, 100),
]
DELTAS = (1e-10, 1e-5, 1e-3, 0.1)


def laplace(epsilon0, *, pessimistic, interval):
    return privacy_loss_distribution.from_laplace_mechanism(
        1 / epsilon0,
        pessimistic_estimate=pessimistic,
        value_discretization_interval=interval,
        use_connect_dots=pessimistic,  # closer, and only there for this side
    )


def bracket(epsilon0, n):
    """Return Google's optimistic and pessimistic accounts of n releases."""
    return [
        laplace(epsilon0, pessimistic=each, interval=max(epsilon0 / 500, 1e-6)).self_compose(n)
        for each in (False, True)
    ]


@pytest.mark.parametrize(("epsilon0", "n"), GRID)
def test_google_brackets_epsilon(epsilon0, n):
    optimistic, pessimistic = bracket(epsilon0, n)
    for delta in DELTAS:
        found = exact(epsilon0, n, delta=delta)
        low, high = (each.get_epsilon_for_delta(delta) for each in (optimistic, pessimistic))
        rounding = 1e-11 * found.value + 1e-13  # of the other side's floating-point sums
        assert low - rounding <= found.value <= high + rounding
        assert high - low < 2e-2 * max(found.value, epsilon0)  # so that the bracket says something
        assert low - rounding <= found.upper
        assert found.lower <= high + rounding


@pytest.mark.parametrize(("epsilon0", "n"), GRID)
def test_google_brackets_delta(epsilon0, n):
    optimistic, pessimistic = bracket(epsilon0, n)
    for share in (0.0, 0.1, 0.4, 0.8):
        epsilon = share * n * epsilon0
        found = exact_delta(epsilon0, n, epsilon=epsilon)
        low, high = (each.get_delta_for_epsilon(epsilon) for each in (optimistic, pessimistic))
        # the other side counts on 1e-15 of cut tails, and rounds sums of terms near 1
        assert low * (1 - 1e-9) - 2e-14 <= found.value <= high * (1 + 1e-9) + 2e-14
        assert found.lower <= found.value <= found.upper


def test_google_brackets_mixed_levels():
    counts = {0.05: 12, 0.1: 7, 0.35: 4, 1.0: 2}
    accounts = []
    for pessimistic in (False, True):
        total = None
        for epsilon0, n in counts.items():
            one = laplace(epsilon0, pessimistic=pessimistic, interval=2e-4).self_compose(n)
            total = one if total is None else total.compose(one)
        accounts.append(total)
    for delta in DELTAS:
        found = exact(compose(list(counts), list(counts.values())), delta=delta)
        low, high = (each.get_epsilon_for_delta(delta) for each in accounts)
        assert low - 1e-10 <= found.value <= high + 1e-10
        assert high - low < 5e-3 * found.value
        assert low - 1e-10 <= found.upper
        assert found.lower <= high + 1e-10


# --- direct convolution ------------------------------------------------------------------------------------------


NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)


def direct_delta(epsilon0, n, epsilon):
    """Delta of n releases from that of n - 1, by conditioning on the loss of one of them, for an array of epsilon.

    With g_n(e) = E[(1 - exp(e - sum))+], also for negative e, g_n(e) = E[g_(n-1)(e - loss)]; between the kinks of g_(n-1), at whole
    multiples of epsilon0, everything is smooth.
    """
    epsilon = np.asarray(epsilon)
    if n == 0:
        return np.maximum(-np.expm1(np.minimum(epsilon, 0.0)), 0.0)
    result = 0.5 * direct_delta(epsilon0, n - 1, epsilon - epsilon0)
    result += 0.5 * np.exp(-epsilon0) * direct_delta(epsilon0, n - 1, epsilon + epsilon0)
    # e - loss runs from e - epsilon0 to e + epsilon0; the kinks between them cut it into three parts
    first = np.ceil(epsilon / epsilon0 - 1) * epsilon0
    ends = np.stack([epsilon - epsilon0, first, first + epsilon0, epsilon + epsilon0])
    ends = np.clip(ends, epsilon - epsilon0, epsilon + epsilon0)
    for low, high in pairwise(ends):
        half = 0.5 * (high - low)[..., None]
        at = half * NODES + 0.5 * (high + low)[..., None]
        density = 0.25 * np.exp(-0.5 * (epsilon0 - (epsilon[..., None] - at)))
        result = result + (half * WEIGHTS * density * direct_delta(epsilon0, n - 1, at)).sum(axis=-1)
    return result


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("epsilon0", [0.01, 0.1, 1.0, 5.0])
def test_direct_convolution(n, epsilon0):
    epsilon = n * epsilon0 * np.array([0.0, 0.1, 0.3, 0.49, 0.51, 0.7, 0.95])
    direct = direct_delta(epsilon0, n, epsilon)
    found = exact_delta(epsilon0, n, epsilon=epsilon)
    np.testing.assert_allclose(found.value, direct, rtol=1e-9)
    assert ((found.lower <= direct * (1 + 1e-11)) & (direct * (1 - 1e-11) <= found.upper)).all()
    back = exact(epsilon0, n, delta=direct)
    np.testing.assert_allclose(back.value, epsilon, rtol=1e-8, atol=1e-8 * epsilon0)


def test_one_release_in_closed_form():
    level = np.array([1e-4, 0.1, 1.0, 5.0, 20.0])[:, None]
    epsilon = level * np.array([0.0, 0.1, 0.5, 0.9, 0.9999])
    found = exact_delta(level, 1, epsilon=epsilon)
    truth = -np.expm1(-(level - epsilon) / 2)
    assert (found.upper - found.lower <= NARROW * found.upper).all()
    np.testing.assert_allclose(found.value, truth, rtol=1e-9)
    assert ((found.lower <= truth * (1 + 1e-15)) & (truth * (1 - 1e-15) <= found.upper)).all()
    np.testing.assert_allclose(found.value, Laplace(level).delta(epsilon), rtol=1e-9)
    places = list(np.ndindex(epsilon.shape))
    value, lower, upper = np.hstack(
        [deltas(float(level[at[0], 0]), np.array([1]), float(epsilon[at]), portion(None)) for at in places]
    )
    narrow = upper - lower <= NARROW * upper
    assert narrow.sum() == narrow.size - 1
    np.testing.assert_allclose(value[narrow], truth.ravel()[narrow], rtol=1e-9)
    assert ((lower <= truth.ravel() * (1 + 1e-15)) & (truth.ravel() * (1 - 1e-15) <= upper)).all()


def test_nothing_beyond_the_largest_loss():
    found = exact_delta(0.1, 3, epsilon=[0.3 + 1e-12, 1.0, 1e300])
    assert (found.value == 0).all()
    assert (found.upper == 0).all()


def test_tiny_deltas_keep_their_digits():
    """All of n releases at the top of the law: delta there is 2^-n times what is left."""
    for n in (50, 300):
        gap = 1e-3
        found = exact_delta(1.0, n, epsilon=n - gap)
        # no atom lies in between, and the density adds n·gap/2 times the same to first order
        least = 2.0**-n * -math.expm1(-gap)
        assert least < found.value < least * (1 + n * gap)
        assert found.lower <= found.value <= found.upper


def test_simulated_releases():
    """Mean of (1 - exp(epsilon - loss))+ over 200,000 runs of 30 releases; false alarm at 5 standard errors: 6e-7."""
    rng = np.random.default_rng(4)
    epsilon0, n, epsilon = 0.5, 30, 4.0
    noise = rng.laplace(scale=1 / epsilon0, size=(200_000, n))
    loss = epsilon0 * (np.abs(noise - 1) - np.abs(noise)).sum(axis=1)
    gains = np.maximum(-np.expm1(epsilon - loss), 0.0)
    error = 5 * gains.std() / math.sqrt(len(gains))
    assert abs(gains.mean() - exact_delta(epsilon0, n, epsilon=epsilon).value) < error
