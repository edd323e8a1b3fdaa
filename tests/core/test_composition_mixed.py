"""Releases at different levels together, and one release with a known change, against other ways to the same number."""

from __future__ import annotations

import importlib
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.composition import basic, change_risk, compose, exact, exact_delta, rdp
from par_core.errors import ParameterError
from par_core.evidence import PROVEN
from par_core.mechanisms import Laplace
from par_core.risk.simulation import loss_batches

mixed = importlib.import_module("par_core.composition.mixed")
lattice = importlib.import_module("par_core.composition.lattice")
law = importlib.import_module("par_core.composition.loss_distribution")

few = settings(deadline=None, derandomize=True, max_examples=6)


@pytest.fixture
def always_on_the_lattice(monkeypatch):
    """One level alone is otherwise left to `exact`."""
    monkeypatch.setattr(mixed, "STEP_BY_STEP", 0)


# --- one level ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("always_on_the_lattice")
@pytest.mark.parametrize(
    ("epsilon0", "n"), [(0.1, 1), (0.1, 300), (0.5, 40), (1.0, 300), (1 / 3, 7), (0.01, 900), (5.0, 30), (20.0, 30)]
)
def test_the_lattice_agrees_with_step_by_step(epsilon0, n):
    for delta in (1e-12, 1e-5):
        wanted, found = exact(epsilon0, n, delta=delta), exact(compose([epsilon0], n), delta=delta)
        assert found.value == pytest.approx(wanted.value, rel=2e-8, abs=1e-12)
        assert found.lower <= wanted.upper
        assert wanted.lower <= found.upper
        assert found.upper - found.lower <= 2e-4 * wanted.value + 1e-12
    for share in (0.05, 0.6):
        epsilon = share * n * epsilon0
        there, back = (exact_delta(epsilon0, n, epsilon=epsilon), exact_delta(compose([epsilon0], n), epsilon=epsilon))
        assert back.lower <= there.upper
        assert there.lower <= back.upper
        assert back.value == pytest.approx(there.value, rel=1e-5, abs=1e-14)


def test_one_level_is_left_to_step_by_step():
    assert exact(compose([0.5, 0.5], [100, 200]), delta=1e-5).value == exact(0.5, 300, delta=1e-5).value
    assert exact_delta(compose([0.5] * 3), epsilon=0.7).value == exact_delta(0.5, 3, epsilon=0.7).value


def test_very_many_releases():
    for n in (1001, 20_000):
        wanted, found = exact(0.01, n, delta=1e-5), exact(compose(0.01, n), delta=1e-5)
        assert found.lower <= wanted.value <= found.upper
        assert found.value == pytest.approx(wanted.value, rel=1e-7)
    # mean and variance of one release under the tail that counts are of order 1 % off a normal distribution at n = 20,000
    mean, spread = n * (0.01 + math.expm1(-0.01)), 0.01 * math.sqrt(n)
    assert mean + 3.0 * spread < wanted.value < mean + 4.3 * spread
    million = exact(compose(0.001, 10**6), delta=1e-5)
    assert million.lower <= million.value <= million.upper <= 1.001 * million.lower
    assert compose(0.001, 10**6).upper_epsilon(1e-5) == million.upper  # from the law above alone
    # a sum of a million small losses is close to a normal one, of mean half of its variance 1
    assert 3.9 < million.value < 4.9


# --- several levels ----------------------------------------------------------------------------------------------


def direct_delta(first, second, epsilon):
    """Delta of two releases at different levels, by one integral of the closed form of one release at the other."""

    def beyond(goal):  # E[(1 - exp(goal - loss))+] of one release at `second`, for any goal
        inside = -np.expm1(-(second - np.clip(goal, -second, second)) / 2)
        below = -np.expm1(np.minimum(goal, -second))
        return np.where(goal >= second, 0.0, np.where(goal <= -second, below, inside))

    nodes, weights = np.polynomial.legendre.leggauss(40)
    kinks = np.unique(np.clip([-first, epsilon - second, epsilon + second, first], -first, first))
    total = 0.5 * beyond(epsilon - first) + 0.5 * math.exp(-first) * beyond(epsilon + first)
    for low, high in pairwise(kinks):
        at = 0.5 * (high - low) * nodes + 0.5 * (high + low)
        density = np.exp(-(first - at) / 2) / 4
        total += 0.5 * (high - low) * (weights * density * beyond(epsilon - at)).sum()
    return float(total)


@pytest.mark.parametrize(
    ("first", "second", "shares"),
    [
        (0.1, 0.2, (0.1, 0.7)),
        (0.5, 1.5, (0.1, 0.7)),
        (3.0, 0.01, (0.1, 0.7)),
        (math.pi / 10, math.e / 7, (0.7,)),
        (1.0, math.sqrt(2.0), (0.1,)),
    ],
)
def test_two_levels_against_an_integral(first, second, shares):
    for share in shares:
        epsilon = share * (first + second)
        wanted = direct_delta(first, second, epsilon)
        found = exact_delta(compose([first, second]), epsilon=epsilon)
        assert found.lower <= wanted * (1 + 1e-12)
        assert wanted * (1 - 1e-12) <= found.upper
        assert found.value == pytest.approx(wanted, rel=1e-4)
        there = exact(compose([first, second]), delta=wanted)
        assert there.lower <= epsilon * (1 + 1e-12) + 1e-12
        assert epsilon <= there.upper * (1 + 1e-12) + 1e-12


def test_the_integral_itself():
    assert direct_delta(0.5, 0.5, 0.3) == pytest.approx(exact_delta(0.5, 2, epsilon=0.3).value, rel=1e-12)


def test_order_and_grouping_do_not_matter():
    levels, counts = [0.35, 0.1, 1.0, 0.05], [4, 7, 2, 12]
    found = exact(compose(levels, counts), delta=1e-5)
    assert exact(compose(levels[::-1], counts[::-1]), delta=1e-5) == found
    single = [level for level, count in zip(levels, counts, strict=True) for _ in range(count)]
    np.random.default_rng(0).shuffle(single)
    assert exact(compose(single), delta=1e-5) == found
    assert found.evidence.basis is PROVEN
    assert all(type(value) is float for value in (found.value, found.lower, found.upper))


def test_sums_do_not_fall_over_decimal_fractions():
    """0.1 + 0.2 is not 0.3 in floating point; three times 0.1 in a budget of 0.3 has to fit all the same."""
    assert 0.1 + 0.2 != 0.3
    assert exact_delta(compose([0.1, 0.2]), epsilon=0.1 + 0.2).value == 0
    assert exact_delta(compose([0.1] * 3), epsilon=0.3).upper < 1e-10  # 3·0.1 is a little above 0.3
    assert exact(compose([0.1, 0.2]), delta=1e-15).upper <= 0.1 + 0.2
    assert exact(compose([0.1] * 10), delta=1e-15).upper <= 1.0
    assert lattice.Levels(np.array([0.1]), np.array([10])).total == 1.0
    levels = [0.1] * 7 + [0.3]
    assert exact(compose(levels), delta=1e-12).value == pytest.approx(
        exact(compose([0.1, 0.3], [7, 1]), delta=1e-12).value
    )


@pytest.mark.parametrize("seed", [0, 2])
def test_levels_without_a_common_divisor(seed):
    rng = np.random.default_rng(seed)
    levels = np.exp(rng.uniform(math.log(0.01), math.log(3.0), size=2 + seed))
    delta = (1e-5, 0.5, 0.05)[seed]
    found = exact(compose(levels), delta=delta)
    assert 0 <= found.lower <= found.value <= found.upper <= math.fsum(levels)
    assert found.upper - found.lower <= 1e-3 * found.upper
    assert exact_delta(compose(levels), epsilon=found.lower).upper >= delta  # and back
    assert exact_delta(compose(levels), epsilon=found.upper).lower <= delta
    # the nearest decimals have a divisor; rounded up or down they are worse or better
    better, worse = (exact(compose(round_(levels * 1000) / 1000), delta=delta) for round_ in (np.floor, np.ceil))
    assert better.lower <= found.upper
    assert found.lower <= worse.upper
    assert better.value < found.value < worse.value


@few
@given(st.lists(st.integers(1, 60), min_size=2, max_size=5, unique=True), st.floats(0.05, 0.9))
def test_there_and_back(hundredths, share):
    levels = [each / 20 for each in hundredths]
    epsilon = share * math.fsum(levels)
    delta = exact_delta(compose(levels, 3), epsilon=3 * epsilon)
    if delta.lower > 1e-12:
        back = exact(compose(levels, 3), delta=delta.value)
        assert back.value == pytest.approx(3 * epsilon, rel=1e-5)
        assert back.lower <= 3 * epsilon * (1 + 1e-4)
        assert 3 * epsilon * (1 - 1e-4) <= back.upper


def test_many_small_releases_on_top_of_a_large_one():
    """Against one integral over the loss of the large one, of what `exact_delta` says of the small ones; the tail is all theirs."""
    large, small, n = 5.0, 0.003, 100
    epsilon = large + 66 * small
    nodes, weights = np.polynomial.legendre.leggauss(6)
    half = small  # of a panel: its ends are kinks of the law of the small ones, at even multiples of their level
    at = (large - 2 * half * np.arange(17)[:, None] - half * (nodes + 1)).ravel()
    density = np.exp(-(large - at) / 2) / 4
    wanted = 0.5 * exact_delta(small, n, epsilon=epsilon - large).value
    inside = density * exact_delta(small, n, epsilon=epsilon - at).value
    wanted += half * float((np.tile(weights, 17) * inside).sum())
    assert wanted < 1e-10
    found = exact_delta(compose([small, large], [n, 1]), epsilon=epsilon)
    assert found.value == pytest.approx(wanted, rel=1e-6)
    assert found.lower <= wanted * (1 + 1e-8)
    assert wanted * (1 - 1e-8) <= found.upper
    back = exact(compose([small, large], [n, 1]), delta=wanted)
    assert back.value == pytest.approx(epsilon, rel=1e-6)
    assert back.upper - back.lower < 1e-5


@pytest.mark.parametrize(
    ("levels", "counts"),
    [([50.0, 0.01], [5, 5]), ([0.001, 5.0], [1000, 1]), ([40.0, 50.0], [100, 100]), ([20.0, 0.5], 30)],
)
def test_levels_far_apart(levels, counts):
    for delta in (1e-12, 1e-5, 0.1):
        found = exact(compose(levels, counts), delta=delta)
        assert found.lower <= found.value <= found.upper
        assert found.upper - found.lower <= 1e-3 * found.value
        if levels[0] > levels[1] and levels[1] < 1:  # the small ones add at most their sum
            alone = exact(levels[0], np.broadcast_to(counts, 2)[0], delta=delta)
            assert alone.lower <= found.upper
            assert found.lower <= alone.upper + levels[1] * np.broadcast_to(counts, 2)[1]


def test_many_different_levels():
    levels = np.linspace(0.011, 0.998, 300)
    found = exact(compose(levels), delta=1e-5)
    assert found.lower <= found.value <= found.upper
    assert found.upper - found.lower < 5e-3 * found.upper
    assert exact(levels.min(), 300, delta=1e-5).lower < found.upper
    assert found.lower < exact(levels.max(), 300, delta=1e-5).upper


@pytest.mark.usefixtures("always_on_the_lattice")
@pytest.mark.parametrize(("constant", "value"), [("_POINTS", 2**11), ("_DEVIATIONS", 5.0), ("_NOTHING", 1e-9)])
def test_the_ends_widen_with_the_error_and_still_hold_the_truth(monkeypatch, constant, value):
    """A coarse lattice, a window that cuts into the law, a product cut short."""
    sharp = exact(compose([0.5], 300), delta=1e-5)
    monkeypatch.setattr(lattice, constant, value)
    blunt = exact(compose([0.5], 300), delta=1e-5)
    truth = exact(0.5, 300, delta=1e-5)
    assert blunt.lower <= truth.lower
    assert truth.upper <= blunt.upper
    assert blunt.upper - blunt.lower > 3 * (sharp.upper - sharp.lower)


# --- one release with a known change -----------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon0", [0.01, 0.5, 1.0, 2.5, 10.0])
def test_a_change_in_one_coordinate(epsilon0):
    for share in (0.0, 0.1, 0.5, 0.9, 0.999):
        wanted = float(Laplace(epsilon0).loss_exceeds(share * epsilon0))
        found = change_risk(share * epsilon0, epsilon0, shares=[1.0])
        assert found.exceeds == pytest.approx(wanted, abs=2e-4)
        assert found.lower - 1e-12 <= wanted <= found.upper + 1e-12
        assert found.largest == epsilon0
    assert change_risk(share * epsilon0, epsilon0, shares=[0.0, 1.0, 0.0]) == found
    half = change_risk(0.2, 1.0, shares=[0.5])  # a neighbour that moves it by half of the sensitivity
    assert half.exceeds == pytest.approx(float(Laplace(0.5).loss_exceeds(0.2)), abs=2e-4)


@pytest.mark.parametrize(
    ("epsilon", "epsilon0", "shares"),
    [
        (0.5, 1.0, [0.5, 0.5]),
        (0.25, 1.0, [0.2] * 5),
        (0.4, 2.0, [0.7, 0.2, 0.1]),
        (1.5, 2.0, [0.7, 0.2, 0.1]),
        (0.3, 1.0, [1 / math.pi, 1 / math.e]),
        (2.0, 8.0, [0.125] * 8),
    ],
)
def test_a_known_change_against_a_million_releases(epsilon, epsilon0, shares):
    """Each is off by more than 5 standard errors with probability 6e-7."""
    rng = np.random.default_rng(77)
    noise = rng.laplace(size=(1_000_000, len(shares)), scale=1 / epsilon0)
    moved = np.array(shares)
    loss = epsilon0 * (np.abs(noise - moved) - np.abs(noise)).sum(axis=1)
    simulated = (np.abs(loss) > epsilon).mean()
    found = change_risk(epsilon, epsilon0, shares=shares)
    error = 5 * math.sqrt(found.exceeds * (1 - found.exceeds) / len(loss))
    # On an atom of the loss, as in the last case, the ends are apart and the upper one is taken.
    assert abs(simulated - found.exceeds) < error or found.exceeds == found.upper > 1.001 * found.lower
    assert found.lower - error < simulated < found.upper + error
    assert 0 <= found.lower <= found.exceeds <= found.upper <= 1
    assert found.upper - found.lower < 0.02
    assert found.evidence.basis is PROVEN


def test_equal_shares_between_the_atoms():
    """For two equal shares in closed form: both at the top with chance 1/4, and so on; here by simulation of the law itself."""
    for k in (2, 3, 5):
        found = change_risk(0.35, 1.0, shares=[1 / k] * k)
        rng = np.random.default_rng(k)
        simulated = np.concatenate([*loss_batches(1.0, k=k, shift=np.full(k, 1 / k), size=200_000, rng=rng)])
        share = (np.abs(simulated) > 0.35).mean()
        assert abs(share - found.exceeds) < 5 * 0.5 / math.sqrt(200_000)


def test_right_on_and_beside_an_atom():
    """Two halves: loss 0 has an atom, where one coordinate is at its top and the other at its bottom."""
    at_nothing = change_risk(0.0, 1.0, shares=[0.5, 0.5])
    atom = 2 * 0.5 * math.exp(-0.5) / 2
    assert at_nothing.lower <= 1 - atom <= at_nothing.upper == at_nothing.exceeds
    top = 0.25 + math.exp(-1.0) / 4  # both at the top, or both at the bottom
    below = change_risk(1.0 - 1e-9, 1.0, shares=[0.5, 0.5])
    assert below.lower <= top <= below.upper
    assert change_risk(1.0, 1.0, shares=[0.5, 0.5]).upper == 0


def test_no_loss_beyond_the_largest():
    for shares in ([0.3, 0.2], [0.1] * 5):
        found = change_risk(0.5, 1.0, shares=shares)
        assert (found.exceeds, found.lower, found.upper) == (0.0, 0.0, 0.0)
        assert found.largest == pytest.approx(0.5)


# --- bad input ---------------------------------------------------------------------------------------------------

BAD = [0, -1, float("nan"), float("inf"), "1", None, [], True, 1e300]


@pytest.mark.parametrize("bad", BAD)
def test_bad_values_are_named(bad):
    for levels in (bad,) if bad is True else (bad, [0.1, bad]):
        with pytest.raises(ParameterError, match="^mechanisms must|^times must be one number or as many"):
            exact(compose(levels), delta=1e-5)
    with pytest.raises(ParameterError, match="^times must"):
        exact(compose([0.1, 0.2], bad if bad is not True else "3"), delta=1e-5)
    with pytest.raises(ParameterError, match="^delta must"):
        exact(compose([0.1, 0.2]), delta=bad)
    with pytest.raises(ParameterError, match="^epsilon0 must"):
        change_risk(0.1, bad, shares=[1.0])
    with pytest.raises(ParameterError, match="^shares must"):
        change_risk(0.1, 1.0, shares=bad if bad is not True else "1")
    if bad not in (0, 1e300, True):
        with pytest.raises(ParameterError, match="^epsilon must"):
            exact_delta(compose([0.1, 0.2]), epsilon=bad)


def test_bad_shapes_are_named():
    with pytest.raises(ParameterError, match="^mechanisms must be .*, got .0.1, 0.2.$"):
        exact(compose([[0.1, 0.2]]), delta=1e-5)
    with pytest.raises(ParameterError, match="^times must be one number or as many"):
        exact(compose([0.1, 0.2], [1, 2, 3]), delta=1e-5)
    with pytest.raises(ParameterError, match="^shares must hold at most 1,000 different"):
        change_risk(0.1, 1.0, shares=np.linspace(5e-4, 6e-4, 1001))
    with pytest.raises(ParameterError, match="^times must be at most"):
        exact(compose([0.1, 0.2], 600_000), delta=1e-5)
    with pytest.raises(ParameterError, match="^shares must"):
        change_risk(0.1, 1.0, shares=[0.6, 0.6])
    with pytest.raises(ParameterError, match="^mechanisms must be .*, got .0.2, 0.3.$"):
        compose([[0.1], [0.2, 0.3]][1:])
    for ragged in ([[0.1], [0.2, 0.3]], [0.1, Laplace(0.2)]):
        for ask in (exact, basic, rdp):
            with pytest.raises(ParameterError, match="^epsilon0 must"):
                ask(ragged, 3, delta=1e-5)
