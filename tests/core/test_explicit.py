"""Theorem 4, its inverses and its law: golden values, properties over the whole parameter space, bad input."""

import csv
import math
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, PUBLISHED, evidence_of
from par_core.mechanisms import Laplace
from par_core.published import explicit

thorough = settings(deadline=None, derandomize=True, max_examples=150)

DATA = Path(__file__).parent / "data"
ROUNDING = 1e-13  # far above the largest rounding error seen (4e-15), far below anything that matters

dimensions = st.one_of(st.integers(1, 20), st.integers(1, 10_000))
levels = st.floats(math.log(1e-8), math.log(700.0)).map(math.exp)
shares = st.floats(1e-6, 1.0 - 1e-6)
EXTREMES = [5e-324, 1e-300, 1e-100, 1e-17, 1.0, 699.0, 701.0, 5_000.0, 1e17, 1e300, 1.7e308]


def golden(name):
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


def column(rows, name, *, empty=math.inf):
    return np.array([float(row[name]) if row[name] else empty for row in rows])


# --- golden values -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["explicit_public.csv", "explicit_wide.csv"])
def table(request):
    """Rows from multi-precision arithmetic; the wide table (see data/make_explicit_wide.py) spans k = 1 to 10,000 and
    epsilon = 1e-8 to 700."""
    return golden(request.param)


def test_confidence_agrees_with_multi_precision(table):
    found = explicit.confidence(column(table, "epsilon"), column(table, "epsilon0"), k=column(table, "k"))
    np.testing.assert_allclose(found, column(table, "confidence"), rtol=1e-12)


def test_epsilon_at_agrees_with_multi_precision(table):
    found = explicit.epsilon_at(column(table, "wanted"), column(table, "epsilon0"), k=column(table, "k"))
    np.testing.assert_allclose(found, column(table, "epsilon_at"), rtol=1e-12)


def test_epsilon0_for_agrees_with_multi_precision(table):
    wanted = column(table, "stronger" if "stronger" in table[0] else "wanted")
    expected = column(table, "epsilon0_for")
    assert np.isinf(expected).any()
    assert np.isfinite(expected).any()
    keep = wanted < 1.0  # in the wide table a wish that rounds to 1 has no entry
    found = explicit.epsilon0_for(column(table, "epsilon")[keep], wanted[keep], k=column(table, "k")[keep])
    np.testing.assert_allclose(found, expected[keep], rtol=1e-12)


def test_density_and_risk_agree_with_multi_precision():
    table = golden("explicit_wide.csv")
    epsilon, epsilon0, k = (column(table, name) for name in ("epsilon", "epsilon0", "k"))
    np.testing.assert_allclose(explicit.risk(epsilon, epsilon0, k=k), column(table, "risk"), rtol=1e-12)
    np.testing.assert_allclose(explicit.t_pdf(epsilon, k=k), column(table, "density"), rtol=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 8])
def test_density_is_the_bessel_density_of_the_papers(k):
    order = k - mp.mpf(1) / 2
    for x in (0.01, 0.7, 5.0, 60.0):
        published = 2 ** (2 - k) * mp.mpf(x) ** order * mp.besselk(order, x) / (mp.sqrt(2 * mp.pi) * mp.gamma(k))
        assert explicit.t_pdf(x, k=k) == pytest.approx(float(published), rel=1e-13)


def test_published_examples():
    assert explicit.epsilon0_for(0.4, 0.6) == pytest.approx(0.7973, abs=5e-5)
    assert explicit.overlap(1.0, 0.6) == pytest.approx(0.8141, abs=5e-5)
    assert explicit.overlap(1.0, 0.8) == pytest.approx(0.918, abs=5e-4)
    assert explicit.risk(0.5, 1.0) == pytest.approx(0.378, abs=5e-4)
    np.testing.assert_allclose(explicit.risk(0.5, 1.0, k=[2, 3, 5]), [0.460, 0.481, 0.491], atol=5e-4)
    # the paper's example with the five coefficients that its query really has
    assert explicit.epsilon0_for(0.4, 0.6, k=5) == pytest.approx(0.671, abs=5e-4)


def test_optimum_of_the_health_centre():
    assert explicit.confidence(0.2741153, 0.5) == pytest.approx(0.609337, abs=1e-6)


# --- the law of T ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 5, 50, 3000])
def test_density_integrates_to_one(k):
    end = 40.0 + 12.0 * math.sqrt(2.0 * k)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    assert (weights @ explicit.t_pdf(end * (nodes + 1.0) / 2.0, k=k)) * end / 2.0 == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_cdf_is_the_integral_of_the_density(k):
    for x in (1e-4, 0.3, 2.0, 9.0):
        area, _ = integrate.quad(lambda t: explicit.t_pdf(t, k=k), 0.0, x, epsabs=0.0, epsrel=1e-12)
        assert explicit.t_cdf(x, k=k) == pytest.approx(area, rel=1e-11)


@thorough
@given(levels, dimensions)
def test_density_is_the_derivative_of_the_cdf(x, k):
    step = 1e-4 * x
    slope = (explicit.t_cdf(x + step, k=k) - explicit.t_cdf(x - step, k=k)) / (2.0 * step)
    noise = 1e-12 * explicit.t_cdf(x, k=k) / step
    curvature = (1.0 + x) ** 2 * 1e-8  # the third derivative is below the density, on the scale of 1
    assert explicit.t_pdf(x, k=k) == pytest.approx(slope, rel=1e-6 + curvature, abs=noise)


def test_simulated_differences_of_gammas():
    size, rng = 200_000, np.random.default_rng(7)
    for k in (1, 4, 30):
        sample = np.sort(np.abs(rng.gamma(k, size=size) - rng.gamma(k, size=size)))
        gap = np.abs(explicit.t_cdf(sample, k=k) - (np.arange(size) + 0.5) / size).max()
        # DKW: a right law goes past this with probability 1e-7
        assert gap < math.sqrt(math.log(2.0 / 1e-7) / (2.0 * size)) + 0.5 / size


@thorough
@given(dimensions)
def test_weights_are_a_law(k):
    explicit_weights = explicit._tables(k).density
    assert explicit_weights.sum() == pytest.approx(1.0, rel=1e-12)
    assert (np.diff(explicit_weights) <= 0.0).all()


# --- confidence and risk -----------------------------------------------------------------------------------------


@thorough
@given(levels, levels, levels, dimensions)
def test_confidence_is_a_probability_that_rises_in_epsilon_and_falls_in_epsilon0(one, two, three, k):
    small, middle, large = sorted((one, two, three))
    narrow, wide = explicit.confidence(small, large, k=k), explicit.confidence(middle, large, k=k)
    assert 0.0 <= narrow <= wide * (1.0 + ROUNDING) <= 1.0 + ROUNDING
    assert narrow <= explicit.confidence(small, middle, k=k) * (1.0 + ROUNDING)
    assert narrow >= explicit.t_cdf(small, k=k) * (1.0 - ROUNDING)


@thorough
@given(levels, levels, dimensions)
def test_risk_and_confidence_add_up_to_one(epsilon, epsilon0, k):
    total = explicit.risk(epsilon, epsilon0, k=k) + explicit.confidence(epsilon, epsilon0, k=k)
    assert total == pytest.approx(1.0, abs=ROUNDING)


@thorough
@given(levels, st.floats(1e-6, 1.0 - 1e-6), dimensions)
def test_exact_confidence_is_below_half_of_the_published_one(epsilon0, part, k):
    # P(T <= x) is concave and sinh convex, so published >= part and exact <= part·(1 - exp(-epsilon0))/2
    exact = Laplace(epsilon0).loss_within(part * epsilon0)
    assert exact <= 0.5 * explicit.confidence(part * epsilon0, epsilon0, k=k) * (1.0 + ROUNDING)


def test_risk_keeps_its_digits_near_zero():
    # k = 1: (e^-a - e^-b)/(1 - e^-b), first close together, then far out in the tail
    gap = 2.0**-40
    expected = math.exp(-1.0) * math.expm1(gap) / -math.expm1(-1.0)
    assert explicit.risk(1.0 - gap, 1.0) == pytest.approx(expected, rel=1e-13)
    assert explicit.risk(600.0, 690.0) == pytest.approx(math.exp(-600.0), rel=1e-12)


def test_ends():
    assert explicit.confidence(0.0, 1.0, k=3) == 0.0
    assert explicit.risk(0.0, 1.0, k=3) == 1.0
    assert explicit.confidence([1.0, 2.0], 1.0, k=3).tolist() == [1.0, 1.0]
    assert explicit.risk([1.0, 2.0], 1.0, k=3).tolist() == [0.0, 0.0]
    assert explicit.epsilon_at(0.0, 0.7, k=3) == 0.0
    assert explicit.epsilon_at(1.0, 0.7, k=3) == 0.7
    assert explicit.epsilon0_for(0.7, 1.0, k=3) == 0.7
    assert explicit.epsilon0_for(80.0, 1.0) == 80.0  # although P(T <= 80) rounds to 1


# --- inverses ----------------------------------------------------------------------------------------------------


@thorough
@given(shares, levels, dimensions)
def test_epsilon_at_meets_the_wish_and_no_more(wanted, epsilon0, k):
    epsilon = explicit.epsilon_at(wanted, epsilon0, k=k)
    found = explicit.confidence(epsilon, epsilon0, k=k)
    assert 0.0 < epsilon <= epsilon0
    assert wanted <= found <= wanted * (1.0 + 1e-9)


@thorough
@given(levels, shares, dimensions)
def test_epsilon0_for_meets_the_wish_and_no_more(epsilon, wanted, k):
    lowest = explicit.t_cdf(epsilon, k=k)
    if lowest >= wanted:
        with pytest.raises(InfeasibleError) as caught:
            explicit.epsilon0_for(epsilon, wanted, k=k)
        assert caught.value.best == lowest
        assert explicit.epsilon0_for([epsilon], wanted, k=k).tolist() == [math.inf]
        return
    epsilon0 = explicit.epsilon0_for(epsilon, wanted, k=k)
    found = explicit.confidence(epsilon, epsilon0, k=k)
    assert epsilon0 >= epsilon
    assert wanted <= found <= wanted * (1.0 + 1e-9)


@thorough
@given(levels, levels, dimensions)
def test_round_trips_in_epsilon_and_in_epsilon0(one, two, k):
    epsilon, epsilon0 = min(one, two), max(one, two)
    wanted = explicit.confidence(epsilon, epsilon0, k=k)
    if (
        epsilon < epsilon0 and explicit.risk(epsilon, epsilon0, k=k) > 1e-5
    ):  # else a float of the confidence says too little
        assert explicit.epsilon_at(wanted, epsilon0, k=k) == pytest.approx(epsilon, rel=1e-9)
        if wanted - explicit.t_cdf(epsilon, k=k) > 1e-5 * wanted:
            assert explicit.epsilon0_for(epsilon, wanted, k=k) == pytest.approx(epsilon0, rel=1e-9)


@thorough
@given(shares, levels)
def test_closed_form_inverse_in_one_dimension(wanted, epsilon0):
    with mp.workdps(40):
        expected = -mp.log(1 - mp.mpf(wanted) * -mp.expm1(-mp.mpf(epsilon0)))
    assert explicit.epsilon_at(wanted, epsilon0) == pytest.approx(float(expected), rel=1e-12)


def test_wish_is_met_to_the_last_bit_by_scalars_and_arrays_alike():
    rng = np.random.default_rng(3)
    for k in (1, 2, 20, 10_000):
        wanted, level = rng.uniform(size=300), np.exp(rng.uniform(math.log(1e-8), math.log(700.0), size=300))
        epsilon = explicit.epsilon_at(wanted, level, k=k)
        assert (explicit.confidence(epsilon, level, k=k) >= wanted).all()
        alone = [explicit.confidence(e, e0, k=k) for e, e0 in zip(epsilon, level, strict=True)]
        assert (np.array(alone) == explicit.confidence(epsilon, level, k=k)).all()
        epsilon0 = explicit.epsilon0_for(level, wanted, k=k)
        met = np.isfinite(epsilon0)
        assert (explicit.confidence(level[met], epsilon0[met], k=k) >= wanted[met]).all()
        assert (explicit.t_cdf(level[~met], k=k) >= wanted[~met]).all()


def test_infeasible_wish_says_what_can_be_had():
    with pytest.raises(
        InfeasibleError, match=r"hardly any noise.*at 0\.329\d*, which is not below the wanted 0\.2"
    ) as caught:
        explicit.epsilon0_for(0.4, 0.2)
    assert caught.value.best == explicit.t_cdf(0.4, k=1)
    with pytest.raises(InfeasibleError):
        explicit.epsilon0_for(0.4, 0.0)


# --- extremes, shapes, bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 7, 10_000, explicit.LARGEST_K])
def test_extremes_never_give_nan(k):
    values = np.array(EXTREMES)
    for function in (explicit.t_cdf, explicit.t_pdf):
        found = function(values, k=k)
        assert ((found >= 0.0) & (found <= 1.0)).all()
    found = explicit.confidence(values[:, None], values, k=k)
    assert ((found >= 0.0) & (found <= 1.0)).all()
    np.testing.assert_allclose(explicit.risk(values[:, None], values, k=k) + found, 1.0, atol=ROUNDING)
    wishes = np.array([0.0, 5e-324, 1e-300, 1e-17, 0.5, 1.0 - 2.0**-53, 1.0])
    epsilon = explicit.epsilon_at(wishes[:, None], values, k=k)
    assert ((epsilon >= 0.0) & (epsilon <= values)).all()
    assert (explicit.confidence(epsilon, values, k=k) >= wishes[:, None]).all()
    epsilon0 = explicit.epsilon0_for(values, wishes[:, None], k=k)
    assert (epsilon0 >= values).all()
    assert explicit.t_cdf(1e300, k=k) == 1.0
    assert explicit.t_pdf(1e300, k=k) == 0.0
    assert explicit.confidence(1e-300, 4e-300, k=k) == pytest.approx(0.25, rel=1e-12)


def test_far_tail_does_not_overflow():
    # k = 10,000 at 2,000: fourteen standard deviations out, where exp(2000) is no float
    order = mp.mpf(10_000) - mp.mpf(1) / 2
    with mp.workdps(30):
        logarithm = order * mp.log(2000) + mp.log(mp.besselk(order, 2000)) - mp.loggamma(10_000)
        expected = mp.exp(logarithm + (2 - 10_000) * mp.log(2) - mp.log(2 * mp.pi) / 2)
    assert explicit.t_pdf(2000.0, k=10_000) == pytest.approx(float(expected), rel=1e-11)


def test_scalars_give_floats_and_arrays_broadcast():
    assert type(explicit.confidence(0.5, 1)) is float
    assert type(explicit.t_cdf(np.float64(0.5), k=2)) is float
    found = explicit.confidence([[0.1], [0.2]], [1.0, 2.0, 3.0], k=[1, 2, 3])
    assert found.shape == (2, 3)
    assert found[1, 2] == explicit.confidence(0.2, 3.0, k=3)
    assert explicit.epsilon_at([0.3, 0.6], 1.0, k=[[1], [4]]).shape == (2, 2)
    with pytest.raises(ValueError, match="shape"):
        explicit.confidence([1.0, 2.0], [1.0, 2.0, 3.0])


BAD_LEVELS = [-1.0, math.nan, math.inf, "1", None, [], [0.5, -1.0], 1j, True]


@pytest.mark.parametrize("bad", BAD_LEVELS)
def test_bad_levels_are_named(bad):
    shown = "-1" if isinstance(bad, list) and bad else "empty" if bad == [] else str(bad).strip("()").rstrip(".0")
    for name, call in {
        "x": lambda: explicit.t_cdf(bad, k=1),
        "x ": lambda: explicit.t_pdf(bad, k=1),
        "epsilon": lambda: explicit.confidence(bad, 1.0),
        "epsilon ": lambda: explicit.risk(bad, 1.0),
        "epsilon  ": lambda: explicit.epsilon0_for(bad, 0.5),
        "epsilon0": lambda: explicit.confidence(0.5, bad),
        "epsilon0 ": lambda: explicit.risk(0.5, bad),
        "epsilon0  ": lambda: explicit.epsilon_at(0.5, bad),
        "epsilon1": lambda: explicit.overlap(bad, 1.0),
        "epsilon2": lambda: explicit.overlap(1.0, bad),
        "sensitivity": lambda: explicit.calibrate(epsilon=0.5, epsilon0=1.0, sensitivity=bad),
    }.items():
        with pytest.raises(ParameterError, match=rf"^{name.strip()} must be .*got .*{shown}"):
            call()


def test_zero_is_refused_where_it_has_no_meaning():
    for call in (
        lambda: explicit.confidence(0.5, 0.0),
        lambda: explicit.risk(0.5, 0.0),
        lambda: explicit.epsilon_at(0.5, 0.0),
        lambda: explicit.epsilon0_for(0.0, 0.5),
        lambda: explicit.overlap(0.0, 1.0),
        lambda: explicit.calibrate(epsilon=0.0, epsilon0=1.0),
        lambda: explicit.calibrate(wanted=0.0, epsilon0=1.0),
    ):
        with pytest.raises(ParameterError, match=r"must be above 0 .*, got 0$"):
            call()


@pytest.mark.parametrize("bad", [0, -1, 1.5, math.nan, math.inf, "2", 100_001, [1, 0]])
def test_bad_dimensions_are_named(bad):
    for call in (
        lambda: explicit.t_cdf(1.0, k=bad),
        lambda: explicit.t_pdf(1.0, k=bad),
        lambda: explicit.confidence(0.5, 1.0, k=bad),
        lambda: explicit.risk(0.5, 1.0, k=bad),
        lambda: explicit.epsilon_at(0.5, 1.0, k=bad),
        lambda: explicit.epsilon0_for(0.5, 0.5, k=bad),
        lambda: explicit.calibrate(epsilon=0.5, epsilon0=1.0, k=bad),
    ):
        with pytest.raises(ParameterError, match=r"^k must be a whole number at least 1 and at most 100000, got "):
            call()


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, math.inf, "0.5"])
def test_bad_wishes_are_named(bad):
    for call in (
        lambda: explicit.epsilon_at(bad, 1.0),
        lambda: explicit.epsilon0_for(1.0, bad),
        lambda: explicit.calibrate(epsilon=0.5, wanted=bad),
    ):
        with pytest.raises(ParameterError, match=r"^wanted must be "):
            call()


# --- overlap and calibration -------------------------------------------------------------------------------------


@thorough
@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0))
def test_overlap_is_the_area_below_both_densities(log1, log2):
    one, two = math.exp(log1), math.exp(log2)
    crossing = math.log(one / two) / (one - two) if abs(one - two) > 1e-9 else 1.0 / one

    def lower(t):
        return min(one * math.exp(-one * t), two * math.exp(-two * t))  # of the noise's size

    area = sum(integrate.quad(lower, *ends, epsabs=1e-13)[0] for ends in ((0.0, crossing), (crossing, np.inf)))
    assert explicit.overlap(one, two) == pytest.approx(area, rel=1e-7)
    assert explicit.overlap(one, two) == explicit.overlap(two, one)


def test_overlap_at_the_ends():
    assert explicit.overlap(0.3, 0.3) == 1.0
    values = np.array(EXTREMES)
    found = explicit.overlap(values[:, None], values)
    assert ((found >= 0.0) & (found <= 1.0)).all()
    assert 1.0 - explicit.overlap(1.0, 1.0 + 1e-7) == pytest.approx(1e-7 / math.e, rel=1e-6)


@pytest.mark.parametrize("k", [1, 5])
def test_calibration_gives_the_third_from_any_two(k):
    first = explicit.calibrate(epsilon=0.4, wanted=0.7, k=k, sensitivity=3.0)
    assert first.epsilon0 == explicit.epsilon0_for(0.4, 0.7, k=k)
    second = explicit.calibrate(wanted=0.7, epsilon0=first.epsilon0, k=k, sensitivity=3.0)
    assert second.epsilon == pytest.approx(0.4, rel=1e-9)
    third = explicit.calibrate(epsilon=0.4, epsilon0=first.epsilon0, k=k, sensitivity=3.0)
    assert third.confidence == pytest.approx(0.7, rel=1e-9)
    assert third.error0 == 3.0 / first.epsilon0
    assert third.error == 3.0 / 0.4
    assert third.exact_confidence == Laplace(first.epsilon0).loss_within(0.4)
    assert third.exact_confidence < 0.5 * third.confidence
    assert third.evidence.basis is PUBLISHED
    assert third.k == k


def test_calibration_of_arrays():
    found = explicit.calibrate(epsilon=[0.1, 0.4], wanted=[[0.05], [0.6]])
    assert found.epsilon0.shape == found.epsilon.shape == found.confidence.shape == found.k.shape == (2, 2)
    assert np.isinf(found.epsilon0[0, 1])  # P(T <= 0.4) is 0.33: every epsilon0 will do
    assert found.error0[0, 1] == 0.0
    assert found.exact_confidence[0, 1] == 0.0
    assert np.isfinite(found.epsilon0[1]).all()


@pytest.mark.parametrize("given_names", [(), ("epsilon",), ("epsilon", "wanted", "epsilon0")])
def test_calibration_needs_exactly_two(given_names):
    with pytest.raises(ParameterError, match="exactly two of epsilon, wanted and epsilon0"):
        explicit.calibrate(**dict.fromkeys(given_names, 0.5))


def test_evidence():
    for function in (explicit.confidence, explicit.risk, explicit.epsilon_at, explicit.epsilon0_for):
        assert evidence_of(function).basis is PUBLISHED
        assert "same noise" in evidence_of(function).limits
    for function in (explicit.t_cdf, explicit.t_pdf, explicit.overlap):
        assert evidence_of(function).basis is PROVEN


def test_the_risk_is_a_probability():
    """The quotient of two sums of positive terms passes 1 by rounding in two of a hundred random cases."""
    rng = np.random.default_rng(19)
    for k in (1, 2, 3, 5, 17, 400):
        epsilon0 = np.exp(rng.uniform(-30, 8, size=4000))
        epsilon = epsilon0 * np.exp(-rng.uniform(0, 60, size=4000))
        for level in (epsilon, 0.0):
            found = explicit.risk(level, epsilon0, k=k)
            assert ((found >= 0) & (found <= 1)).all()


def test_the_risk_next_to_epsilon0():
    """There it is the density of T at epsilon0, over P(T <= epsilon0), times the distance, which two floats have exactly."""
    for k in (1, 2, 5, 40):
        for epsilon0 in (0.01, 0.3, 1.0, 4.0, 30.0):
            for share in (1e-15, 1e-14, 1e-13, 1e-12, 1e-11):
                epsilon = epsilon0 * (1 - share)
                slope = explicit.t_pdf(epsilon0, k=k) / explicit.t_cdf(epsilon0, k=k)
                wanted = (epsilon0 - epsilon) * slope
                assert explicit.risk(epsilon, epsilon0, k=k) == pytest.approx(wanted, rel=1e-9, abs=0)


def test_every_number_of_a_calibration_carries_its_claim():
    found = explicit.calibrate(epsilon=0.4, wanted=0.5)
    assert {found.quantity(name).claim for name in ("epsilon0", "error0")} == {"par-theorem-4"}
