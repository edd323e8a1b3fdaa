"""The accountants and the formulas of Privacy at Risk: brute force, Google's library, the published figure, known numbers."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.rdp import RdpAccountant
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core import composition
from par_core.composition import (
    ACCOUNTANTS,
    advanced,
    basic,
    compare,
    epsilon0_for,
    exact,
    most_releases,
    optimal_pure,
    rdp,
    zcdp,
)
from par_core.cost import CostModel
from par_core.errors import ParameterError
from par_core.evidence import PROVEN
from par_core.mechanisms import Laplace
from par_core.published.composition import at_risk, at_risk_as_drawn, at_risk_preprint, heterogeneous

quick = settings(deadline=None, derandomize=True, max_examples=60)
FIGURE_5 = json.loads((Path(__file__).parent / "data" / "figure_5.json").read_text(encoding="utf-8"))["panels"]
EACH = [basic, advanced, zcdp, rdp, optimal_pure, at_risk, at_risk_preprint, at_risk_as_drawn]
LEVELS = np.array([0.1, 0.5, 1.0])


# --- known numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "wanted", "within"),
    [
        (rdp, (8.7504, 66.9609, 172.6636), 5.1e-5),
        (zcdp, (9.0099, 77.2218, 230.6974), 5.1e-5),
        (optimal_pure, (8.3249, 70.868, 199.955), 5.1e-4),
        (advanced, (11.466, 138.86, 598.60), 5.1e-3),
        (basic, (30.0, 150.0, 300.0), 1e-12),
    ],
)
def test_300_releases(function, wanted, within):
    np.testing.assert_allclose(function(LEVELS, 300, delta=1e-5), wanted, rtol=0, atol=within)


def test_300_releases_at_risk():
    np.testing.assert_allclose(at_risk(LEVELS, 300, delta=1e-5), (9.36, 63.07, 166.02), atol=6e-3)
    np.testing.assert_allclose(
        at_risk(LEVELS, 300, delta=1e-5, truth="exact"), (9.79, 76.25, 217.24), rtol=0, atol=5.1e-3
    )
    assert at_risk_as_drawn(0.1, 300, delta=1e-4) == pytest.approx(2.19, abs=5e-3)
    assert at_risk_as_drawn(0.1, 1, delta=1e-4) == pytest.approx(0.0075, abs=5e-5)


@pytest.mark.parametrize("epsilon0", [0.1, 0.5, 1.0])
def test_figure_5(epsilon0):
    panel = FIGURE_5[f"epsilon0={epsilon0}"]
    numbers = np.array(panel["releases"])
    assert numbers[0] == 1
    assert numbers[-1] == 299
    for name, function in (("basic", basic), ("advanced", advanced), ("privacy at risk", at_risk_as_drawn)):
        np.testing.assert_allclose(function(epsilon0, numbers, delta=1e-4), panel[name], rtol=1e-9)
        if function is not basic:  # with the delta that the text names, the curves are others
            assert np.abs(function(epsilon0, numbers, delta=1e-5) / panel[name] - 1).max() > 1e-4


# --- against the exact composition ---------------------------------------------------------------------------------


def test_every_proven_accountant_is_above_the_truth():
    level = np.array([1e-3, 0.1, 0.5, 1.0, 3.0])[:, None, None]
    numbers = np.array([1, 2, 7, 40, 400])[:, None]
    delta = np.array([1e-10, 1e-5, 1e-2])
    lower = exact(level, numbers, delta=delta).lower
    for function in (basic, advanced, zcdp, rdp, optimal_pure):
        assert (function(level, numbers, delta=delta) >= lower).all(), function.__name__
    assert (at_risk(level, numbers, delta=delta, truth="exact") >= lower).all()
    # what holds for any mechanism cannot beat what is best for any mechanism
    best = optimal_pure(level, numbers, delta=delta)
    assert (zcdp(level, numbers, delta=delta) >= best * (1 - 1e-12)).all()


@pytest.mark.parametrize(("epsilon0", "first"), [(0.1, 3116), (0.5, 257), (1.0, 277)])
def test_theorem_3_with_theorem_4_falls_below_the_truth(epsilon0, first):
    numbers = np.unique(np.append(np.geomspace(1, first - 2, 60).astype(int), (first - 1, first, first + 1, 2 * first)))
    truth = exact(epsilon0, numbers, delta=1e-5)
    claimed = at_risk(epsilon0, numbers, delta=1e-5)
    np.testing.assert_array_equal(claimed < truth.lower, numbers >= first)
    np.testing.assert_array_equal(claimed < truth.upper, numbers >= first)  # no doubt left by the ends
    for sound in (
        at_risk(epsilon0, numbers, delta=1e-5, truth="exact"),
        at_risk_preprint(epsilon0, numbers, delta=1e-5),
    ):
        assert (sound > truth.upper).all()


def test_the_preprint_stays_above_up_to_twelve():
    numbers = np.unique(np.geomspace(1, 300, 40).astype(int))
    for epsilon0 in (2.0, 6.0, 12.0):
        truth = exact(epsilon0, numbers, delta=1e-5)
        assert (np.minimum(at_risk_preprint(epsilon0, numbers, delta=1e-5), numbers * epsilon0) >= truth.lower).all()


def test_no_confidence_is_advanced_composition_in_the_preprint_only():
    level, numbers = LEVELS[:, None], np.array([1, 10, 300])
    plain = advanced(level, numbers, delta=1e-5)
    np.testing.assert_allclose(at_risk_preprint(level, numbers, delta=1e-5, confidence=0.0), plain, rtol=1e-14)
    assert (at_risk(level, numbers, delta=1e-5, confidence=0.0) < plain).all()


# --- optimal composition of pure privacy ---------------------------------------------------------------------------


def brute_force(epsilon0, n, delta):
    """Smallest epsilon of n-fold randomised response: every sequence of answers, and a straight solution between losses."""
    with mp.workdps(40):
        keep = 1 / (1 + mp.exp(-mp.mpf(epsilon0)))
        outcomes = []
        for flips in itertools.product((False, True), repeat=n):
            chance, other = mp.mpf(1), mp.mpf(1)
            for flipped in flips:
                chance *= 1 - keep if flipped else keep
                other *= keep if flipped else 1 - keep
            outcomes.append((chance, other))

        def excess(epsilon):
            gained = sum(max(chance - mp.exp(epsilon) * other, 0) for chance, other in outcomes)
            return gained - mp.mpf(delta)

        low, high = mp.mpf(0), mp.mpf(n * epsilon0)
        if excess(low) <= 0:
            return 0.0
        for _ in range(70):
            middle = (low + high) / 2
            low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        return float(high)


@pytest.mark.parametrize(("epsilon0", "n"), [(0.3, 1), (0.1, 2), (1.0, 3), (0.7, 4), (2.5, 5), (0.2, 6)])
def test_optimal_pure_against_every_outcome(epsilon0, n):
    """Between the steps of the law too: at these deltas the answer is no whole multiple of epsilon0."""
    for delta in (1e-12, 1e-6, 1e-3, 0.05, 0.2, 0.6):
        wanted = brute_force(epsilon0, n, delta)
        assert optimal_pure(epsilon0, n, delta=delta) == pytest.approx(wanted, rel=1e-12, abs=1e-12)
        if wanted:
            assert abs(wanted / epsilon0 - round(wanted / epsilon0)) > 1e-13


@quick
@given(
    st.floats(1e-3, 20.0),
    st.integers(1, 3000),
    st.floats(math.log(1e-14), math.log(0.9)).map(math.exp),
)
def test_optimal_pure_stays_in_its_bounds(epsilon0, n, delta):
    found = optimal_pure(epsilon0, n, delta=delta)
    assert 0 <= found <= n * epsilon0 * (1 + 1e-15)
    assert optimal_pure(epsilon0, n + 1, delta=delta) >= found * (1 - 1e-12)
    assert optimal_pure(epsilon0, n, delta=min(1.1 * delta, 0.99)) <= found * (1 + 1e-12)


def test_optimal_pure_with_no_delta_adds_up():
    assert optimal_pure(0.25, 8, delta=0.0) == 2.0


# --- Rényi and zero-concentrated privacy, against Google's library --------------------------------------------------


def library_rdp(epsilon0, n, delta, *, orders):
    return RdpAccountant(orders).compose(dp_event.LaplaceDpEvent(1 / epsilon0), n).get_epsilon(delta)


@pytest.mark.parametrize("epsilon0", [1e-5, 1e-3, 0.1, 0.5, 1.0, 3.0, 20.0])
def test_renyi_divergence(epsilon0):
    orders = np.array([1 + 2.0**-30, 1.0001, 1.1, 1.5, 2.0, 3.0, 10.0, 64.0, 1000.0, 1e6])
    ours = composition.accountants._renyi(orders - 1, np.array(epsilon0))
    theirs = [RdpAccountant([order]).compose(dp_event.LaplaceDpEvent(1 / epsilon0))._rdp[0] for order in orders]
    np.testing.assert_allclose(ours[2:], theirs[2:], rtol=1e-12 + 1e-15 / epsilon0)
    assert (np.diff(ours) >= 0).all()
    with mp.workdps(40):
        for order, found in zip(orders.tolist(), ours.tolist(), strict=True):
            a, e = mp.mpf(order), mp.mpf(epsilon0)
            mixed = a / (2 * a - 1) * mp.exp((a - 1) * e) + (a - 1) / (2 * a - 1) * mp.exp(-a * e)
            # terms of the size of epsilon0 are added up to one of the size of its square
            assert found == pytest.approx(float(mp.log(mixed) / (a - 1)), rel=1e-13 + 1e-15 / epsilon0)


@pytest.mark.parametrize(("epsilon0", "n"), [(0.1, 300), (0.5, 20), (0.5, 300), (1.0, 300), (0.01, 5000), (3.0, 50)])
@pytest.mark.parametrize("delta", [1e-9, 1e-5, 1e-2])
def test_rdp_against_the_library(epsilon0, n, delta):
    """A grid of orders gives a little more than the best real order, and a finer grid round it closes in."""
    ours = rdp(epsilon0, n, delta=delta)
    coarse = library_rdp(epsilon0, n, delta, orders=1 + np.geomspace(1e-3, 1e4, 60))
    fine = library_rdp(epsilon0, n, delta, orders=1 + np.geomspace(1e-3, 1e4, 3000))
    assert ours <= fine * (1 + 1e-12)
    assert fine <= coarse
    if ours < n * epsilon0:
        assert fine <= ours * (1 + 1e-4)


def test_rdp_with_the_library_s_default_orders_at_one_release():
    """There it exceeds epsilon0 itself: ours takes the least of the two."""
    assert RdpAccountant().compose(dp_event.LaplaceDpEvent(2.0)).get_epsilon(1e-5) > 0.5
    assert 0.5 + 2 * math.log1p(-1e-5) <= rdp(0.5, 1, delta=1e-5) <= 0.5


@pytest.mark.parametrize(("epsilon0", "n"), [(0.1, 300), (0.5, 300), (1.0, 300), (0.01, 10**6)])
def test_zcdp_against_the_library(epsilon0, n):
    """A mechanism that is rho-zCDP with equality is a Gaussian one: rho = 1/(2·sigma²)."""
    rho = n * epsilon0**2 / 2
    orders = 1 + np.geomspace(1e-3, 1e4, 3000)
    gaussian = RdpAccountant(orders).compose(dp_event.GaussianDpEvent(math.sqrt(1 / (2 * rho))))
    for delta in (1e-9, 1e-5):
        ours, theirs = zcdp(epsilon0, n, delta=delta), gaussian.get_epsilon(delta)
        assert ours <= theirs * (1 + 1e-12)
        assert theirs <= ours * (1 + 1e-4)


# --- Corollary 1 -------------------------------------------------------------------------------------------------


def test_heterogeneous_by_hand():
    levels, counts, epsilon, confidence = [0.1, 0.4, 0.2], [3, 1, 2], 0.15, [0.5, 0.2, 0.7]
    spread = expected = 0.0
    for level, count, share in zip(levels, counts, confidence, strict=True):
        spread += count * level**2
        hoped = min(epsilon, level)
        expected += count * (share * hoped**2 + (1 - share) * level**2)
    wanted = math.sqrt(2 * spread * math.log(1e5)) + expected / 2
    found = heterogeneous(levels, counts, delta=1e-5, epsilon=epsilon, confidence=confidence)
    assert found == pytest.approx(wanted, rel=1e-14)
    assert type(found) is float


def test_heterogeneous_of_equal_levels_is_theorem_3():
    for truth in ("published", "exact"):
        mixed = heterogeneous([0.5] * 5, 60, delta=1e-5, truth=truth)
        assert mixed == pytest.approx(at_risk(0.5, 300, delta=1e-5, truth=truth), rel=1e-13)
    assert heterogeneous([0.3, 0.1], delta=1e-5) == pytest.approx(heterogeneous([0.1, 0.3], delta=1e-5), rel=1e-15)


# --- forms -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", EACH)
def test_broadcasting(function):
    assert type(function(0.5, 3, delta=1e-5)) is float
    found = function(np.array([0.1, 0.5])[:, None, None], np.array([1, 40])[:, None], delta=np.array([1e-6, 1e-3, 0.1]))
    assert found.shape == (2, 2, 3)
    assert np.isfinite(found).all()
    assert found[1, 1, 2] == pytest.approx(function(0.5, 40, delta=0.1), rel=1e-12)
    assert found[0, 0, 1] == pytest.approx(function(0.1, 1, delta=1e-3), rel=1e-12)


@pytest.mark.parametrize("function", EACH)
@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), "1", None, [], True, 1e300, 51])
def test_bad_input_is_named(function, bad):
    with pytest.raises(ParameterError, match="^epsilon0 must"):
        function(bad, 3, delta=1e-5)
    if bad != 51:
        with pytest.raises(ParameterError, match="^releases must"):
            function(0.5, bad if bad is not True else "3", delta=1e-5)
    if bad != 0 or function not in (basic, optimal_pure):
        with pytest.raises(ParameterError, match="^delta must"):
            function(0.5, 3, delta=bad)


@pytest.mark.parametrize("function", [at_risk, at_risk_preprint, at_risk_as_drawn])
def test_bad_levels_and_confidences_are_named(function):
    for name, bad in (("epsilon", 0.0), ("confidence", 1.1), ("confidence", -0.1), ("k", 0), ("truth", "maybe")):
        with pytest.raises(ParameterError, match=f"^{name} must"):
            function(0.5, 3, delta=1e-5, **{name: bad})


def test_large_numbers_stay_finite():
    for function in (zcdp, rdp, basic, at_risk):
        found = function([1e-6, 0.1, 50.0], 10**9, delta=1e-300)
        assert np.isfinite(found).all()
    assert (zcdp([1e-9, 50.0], 1, delta=[1e-300, 0.999]) <= [1e-9, 50.0]).all()
    assert 0.99e7 < optimal_pure(50.0, 200_000, delta=1e-12) <= 1e7


def optimal_in_many_digits(epsilon0, n, delta):
    """The largest epsilon at which some of the likeliest outcomes leave the delta."""
    with mp.workdps(400):
        level, small = mp.mpf(epsilon0), mp.mpf(delta)
        scale = 1 / (1 + mp.exp(-level)) ** n
        found, true, other = mp.mpf(0), mp.mpf(0), mp.mpf(0)
        for flips in range((n + 1) // 2):
            chance = math.comb(n, flips) * scale * mp.exp(-flips * level)
            true += chance
            other += chance * mp.exp(-(n - 2 * flips) * level)
            if true > small:
                found = max(found, mp.log((true - small) / other))
        return found


def test_optimal_composition_is_rounded_up():
    rng = np.random.default_rng(15)
    for _ in range(120):
        epsilon0 = float(np.exp(rng.uniform(math.log(1e-4), math.log(50))))
        n = round(float(np.exp(rng.uniform(0, math.log(150)))))
        small = float(10 ** rng.uniform(-15, -0.05))
        delta = [small, 1 - small, small**15][rng.integers(3)]
        found, truth = optimal_pure(epsilon0, n, delta=delta), optimal_in_many_digits(epsilon0, n, delta)
        assert mp.mpf(found) >= truth * (1 - mp.mpf(10) ** -50), (epsilon0, n, delta)
        assert found <= float(truth) * (1 + 1e-11) + 1e-11


def test_an_exact_confidence_cannot_be_exceeded():
    """With truth="exact" it is a guarantee, whatever confidence is passed in."""
    sure = ACCOUNTANTS["at_risk_exact"]
    assert sure.evidence.basis is PROVEN
    within = float(Laplace(0.5).loss_within(0.25))
    kept = sure.epsilon(0.5, 300, delta=1e-5, epsilon=0.25, confidence=within)
    assert kept == sure.epsilon(0.5, 300, delta=1e-5, epsilon=0.25)
    assert sure.epsilon(0.5, 300, delta=1e-5, epsilon=0.25, confidence=0.5 * within) > kept
    for confidence in (math.nextafter(within, 1), 0.9, [0.0, 1.0]):
        with pytest.raises(ParameterError, match="^confidence must be at most the exact one"):
            sure.epsilon(0.5, 300, delta=1e-5, epsilon=0.25, confidence=confidence)
        assert np.all(np.isfinite(at_risk(0.5, 300, delta=1e-5, epsilon=0.25, confidence=confidence)))


def test_the_level_that_is_taken_is_the_cheapest_one():
    """Equation 10 has the optimum of the cost model for its root."""
    levels = np.geomspace(1e-8, 50.0, 400)
    cheapest = CostModel(1.0).optimum(levels, truth="published").epsilon
    for function in (at_risk, at_risk_preprint):
        found, wanted = function(levels, 7, delta=1e-5), function(levels, 7, delta=1e-5, epsilon=cheapest)
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_the_level_of_releases_at_several_levels_is_that_of_the_smallest():
    levels, counts = [0.1, 0.5, 1.0], [10, 5, 2]
    alone = heterogeneous(
        levels, counts, delta=1e-5, epsilon=float(CostModel(1.0).optimum(0.1, truth="published").epsilon)
    )
    found = heterogeneous(levels, counts, delta=1e-5)
    assert found == pytest.approx(alone, rel=1e-13)
    assert heterogeneous(levels[::-1], counts[::-1], delta=1e-5) == pytest.approx(found, rel=1e-14)
    assert found > 1.01 * heterogeneous(
        levels, counts, delta=1e-5, epsilon=float(CostModel(1.0).optimum(1.0, truth="published").epsilon)
    )


@pytest.mark.parametrize("bad", [0, -1, 1.5, 100_001, math.nan, "1", None, []])
def test_k_is_checked_where_it_plays_no_part_too(bad):
    for function in (at_risk, at_risk_preprint, at_risk_as_drawn, heterogeneous):
        with pytest.raises(ParameterError, match="^k must"):
            function(0.5, 3, delta=1e-5, confidence=0.1, k=bad)
        with pytest.raises(ParameterError, match="^k must"):
            function(0.5, 3, delta=1e-5, truth="exact", k=bad)
    with pytest.raises(ParameterError, match="^k must"):
        compare(0.5, [1, 2], delta=1e-5, keys=["basic"], k=bad)
    for function in (most_releases, epsilon0_for):
        with pytest.raises(ParameterError, match="^k must"):
            function("basic", 1, epsilon=1.0, delta=1e-5, k=bad)


def test_a_target_beyond_every_sum():
    """The largest number of releases that is looked at fits."""
    for key in ("basic", "zcdp", "exact"):
        found = most_releases(key, 0.5 if key != "exact" else 50.0, epsilon=1e308, delta=1e-5)
        assert found.at_limit
