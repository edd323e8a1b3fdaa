"""Densities of samples, the bandwidths that left-out answers choose, and deltas by quadrature.

Every seed is fixed: no test raises a false alarm.
"""

import dataclasses
import math

import numpy as np
import pytest
from scipy import integrate, stats

from par_core.audit import fit_density, individual_deltas, quadrature_deltas
from par_core.audit.bandwidths import held_out
from par_core.audit.quadrature import _integrate, _start
from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE

KERNELS = {"laplace": stats.laplace, "gaussian": stats.norm}
METHODS = ("fixed", "neighbours", "pilot", "slope", "best")


def normal_sample(size=41, *, seed=3):
    return np.random.default_rng(seed).normal(size=size)


# --- heights ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_given_bandwidth_is_the_mean_of_the_kernels(kernel):
    values, x = normal_sample(), np.linspace(-5, 5, 30)
    found = fit_density(values, kernel=kernel, bandwidth=0.4)
    expected = np.array([KERNELS[kernel](values, 0.4).pdf(each).mean() for each in x])
    np.testing.assert_allclose(found(x), expected, rtol=1e-12)
    np.testing.assert_allclose(found.log(x), np.log(expected), rtol=1e-12)
    assert isinstance(found(0.0), float)
    assert found(x.reshape(5, 6)).shape == (5, 6)
    assert (found.method, found.evidence.basis) == ("given", ESTIMATE)
    assert found.source
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.kernel = "other"


def test_the_log_density_holds_far_out():
    assert fit_density([0.0], bandwidth=1.0).log(5000.0) == pytest.approx(-5000 - math.log(2), rel=1e-14)
    assert fit_density([0.0], kernel="gaussian", bandwidth=1.0).log(100.0) == pytest.approx(
        -5000.918938533205, rel=1e-14
    )


@pytest.mark.parametrize(
    "values",
    [
        normal_sample(),
        np.round(normal_sample(), 1),
        np.repeat(normal_sample(20), 2),
        np.zeros(5),
        np.full(7, 1e9),
        [3.0],
        [1.0, 2.0],
        np.concatenate([normal_sample(), normal_sample() + 1e6]),
        np.random.default_rng(1).standard_cauchy(41),
    ],
    ids=["normal", "rounded", "twice", "zeros", "large and equal", "one", "two", "two clusters", "heavy tails"],
)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_every_density_has_area_one(values, method, kernel):
    found = fit_density(values, kernel=kernel, bandwidth=method)
    area, error = _integrate([found], _start([found]), lambda logs: np.exp(logs[:1]), 1e-12)
    assert area[0] == pytest.approx(1.0, abs=1e-10)
    assert abs(area[0] - 1) <= error[0]
    assert found.words
    assert (found.bandwidths >= 0).all()


# --- the choice of bandwidths -------------------------------------------------------------------------------------


def left_out_one_by_one(values, kernel, bandwidths):
    """Log likelihood of left-out values, from a fresh density for each of them."""
    total = 0.0
    for i in range(len(values)):
        rest = np.arange(len(values)) != i
        total += math.log(KERNELS[kernel](values[rest], bandwidths[rest]).pdf(values[i]).mean())
    return total


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_fixed_bandwidth_is_the_likeliest_for_left_out_values(kernel):
    found = fit_density(normal_sample(), kernel=kernel, bandwidth="fixed")
    best, chosen = found.held_out, found.bandwidths[0]
    assert best == pytest.approx(left_out_one_by_one(found.values, kernel, found.bandwidths), rel=1e-12)
    for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2.0):
        assert fit_density(found.values, kernel=kernel, bandwidth=chosen * factor).held_out < best


@pytest.mark.parametrize(
    "values", [[0.0, 1.0], [0.0, 0.0, 1e-300, 3.0], [-1e299, 5.0, 6.0, 1e299], [0.0, *np.geomspace(1e-9, 1e9, 30)]]
)
def test_the_fixed_bandwidth_is_as_likely_from_neighbour_to_neighbour_as_by_pairs(values):
    found = fit_density(values, bandwidth="fixed")
    assert found.held_out == pytest.approx(held_out(found.values, found.bandwidths, kernel="laplace"), rel=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_neighbours_of_a_left_out_value_do_not_count_it(kernel):
    """The reported likelihood comes from distances measured without the value that is left out."""
    found = fit_density(normal_sample(15), kernel=kernel, bandwidth="neighbours")
    values = found.values
    distances = np.sort(np.abs(values[:, None] - values), axis=1)
    k = next(k for k in range(1, 15) if np.ptp(found.bandwidths / distances[:, k]) < 1e-9)
    multiple = found.bandwidths[0] / distances[0, k]
    total = 0.0
    for i in range(15):
        rest = np.delete(values, i)
        widths = multiple * np.sort(np.abs(rest[:, None] - rest), axis=1)[:, k]
        total += math.log(KERNELS[kernel](rest, widths).pdf(values[i]).mean())
    assert found.held_out == pytest.approx(total, rel=1e-12)


def test_the_fifth_neighbour_is_tried():
    found = fit_density(normal_sample(40, seed=8), bandwidth="neighbours")
    assert "neighbour 5" in found.words


def test_the_pilot_widens_where_answers_are_thin():
    found = fit_density(np.concatenate([normal_sample(), [12.0]]), bandwidth="pilot")
    assert found.bandwidths[-1] == found.bandwidths.max()
    assert found.bandwidths[-1] > 1.5 * np.median(found.bandwidths)


def test_the_best_is_the_likeliest_of_the_three():
    for seed in range(4):
        values = np.random.default_rng(seed).standard_t(2, size=41)
        each = {method: fit_density(values, bandwidth=method) for method in METHODS}
        best = each["best"]
        assert best.held_out == max(each[name].held_out for name in ("fixed", "neighbours", "pilot"))
        assert each[best.method].held_out == best.held_out
        assert each["slope"].held_out == -math.inf


def test_repeated_answers_hold_the_bandwidth_up_and_say_why():
    """Each value twice: the likelihood has no maximum above 0."""
    values = np.repeat(normal_sample(20), 2)
    narrow = [held_out(values, np.array(h), kernel="laplace") for h in (1e-4, 1e-6, 1e-8)]
    assert narrow == sorted(narrow)
    found = fit_density(values, bandwidth="fixed")
    assert found.bandwidths[0] == pytest.approx(np.median(np.diff(np.unique(values))) / 2)
    assert "repeated" in found.words
    assert "equal" in fit_density([2.0, 2.0], bandwidth="best").words
    assert "repeated" not in fit_density(normal_sample(), bandwidth="fixed").words


def test_the_slope_of_the_distribution():
    values = np.arange(100) / 100
    found = fit_density(values, bandwidth="slope")
    np.testing.assert_allclose(found(np.linspace(0.0, 0.98, 50)), 1 / 0.99, rtol=1e-9)
    assert found(-0.01) == 0.0
    assert found(1.0) == 0.0
    assert found.log(2.0) == -math.inf
    assert "over 10 answers" in found.words


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": []}, "values"),
        ({"values": [[1.0]]}, "one row"),
        ({"values": [math.nan]}, "values"),
        ({"values": np.zeros(2001)}, "at most 2000"),
        ({"kernel": "box"}, "kernel must be laplace or gaussian"),
        ({"bandwidth": "silverman"}, "bandwidth must be a number"),
        ({"bandwidth": 0.0}, "bandwidth"),
        ({"bandwidth": math.inf}, "bandwidth"),
    ],
)
def test_errors_name_what_is_wrong(arguments, message):
    arguments = {"values": [0.0, 1.0]} | arguments
    with pytest.raises(ParameterError, match=message):
        fit_density(arguments.pop("values"), **arguments)


# --- deltas by quadrature -----------------------------------------------------------------------------------------


def pairs(number=6):
    rng = np.random.default_rng(0)
    a = rng.normal(size=41)
    table = a + rng.normal(scale=0.05, size=(number, 41))
    table[0] = a
    return a, table


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.2])
def test_quadrature_agrees_with_the_closed_form_within_its_error(epsilon):
    a, table = pairs()
    exact = individual_deltas(a, table, epsilon=epsilon, bandwidth=0.3)
    found = quadrature_deltas(
        fit_density(a, bandwidth=0.3), [fit_density(row, bandwidth=0.3) for row in table], epsilon=epsilon
    )
    assert (np.abs(found.value - exact) <= found.error).all()
    assert (found.error < 1e-8).all()
    assert found.value[0] == 0.0
    assert found.evidence.basis is ESTIMATE


def test_the_error_of_quadrature_is_never_understated():
    """Random samples of one to four answers against the closed form, at every tolerance."""
    rng = np.random.default_rng(3)
    for _ in range(120):
        n = int(rng.integers(1, 5))
        first = rng.normal(size=n) * 10 ** rng.uniform(-1, 1)
        second = first + rng.normal(size=n) * 10 ** rng.uniform(-2, 1)
        width, epsilon = 10 ** rng.uniform(-1.5, 0.5), 10 ** rng.uniform(-2, 0.8)
        found = quadrature_deltas(
            fit_density(first, bandwidth=width),
            [fit_density(second, bandwidth=width)],
            epsilon=epsilon,
            tolerance=10.0 ** rng.integers(-12, -2),
        )
        exact = individual_deltas(first, [second], epsilon=epsilon, bandwidth=width)
        assert abs(found.value[0] - exact[0]) <= found.error[0] + 1e-9 * exact[0], (first, second, width, epsilon)


def test_the_error_of_quadrature_is_never_understated_with_gaussian_kernels():
    rng = np.random.default_rng(4)
    for _ in range(60):
        distance, epsilon = 10 ** rng.uniform(-3, 1.2), 10 ** rng.uniform(-2, 1)
        both = [fit_density([at], kernel="gaussian", bandwidth=1.0) for at in (0.0, distance)]
        found = quadrature_deltas(both[0], [both[1]], epsilon=epsilon, tolerance=10.0 ** rng.integers(-13, -2))
        ahead = distance / 2 - epsilon / distance
        exact = stats.norm.cdf(ahead) - math.exp(epsilon) * stats.norm.cdf(ahead - distance)
        assert abs(found.value[0] - exact) <= found.error[0], (distance, epsilon)


def test_quadrature_of_single_gaussian_kernels_has_a_closed_form():
    """Two normal distributions a distance d apart: Φ(d/2 - ε/d) - exp(ε)·Φ(-d/2 - ε/d)."""
    first = fit_density([0.0], kernel="gaussian", bandwidth=2.0)
    for distance, epsilon in ((0.5, 0.1), (1.0, 1.0), (3.0, 0.0), (0.5, 2.0)):
        second = fit_density([2.0 * distance], kernel="gaussian", bandwidth=2.0)
        found = quadrature_deltas(first, [second], epsilon=epsilon)
        ahead = distance / 2 - epsilon / distance
        expected = stats.norm.cdf(ahead) - math.exp(epsilon) * stats.norm.cdf(ahead - distance)
        assert found.value[0] == pytest.approx(expected, abs=1e-9)
        assert abs(found.value[0] - expected) <= found.error[0]


@pytest.mark.parametrize("method", ["neighbours", "pilot", "slope"])
def test_quadrature_of_other_densities_against_a_fine_grid(method):
    a, table = pairs(2)
    first, second = fit_density(a, bandwidth=method), fit_density(table[1], bandwidth=method)
    found = quadrature_deltas(first, [second], epsilon=0.05)
    x = np.linspace(-25, 25, 100_001)
    p, q = first(x), second(x)
    grid = max(integrate.trapezoid(np.maximum(one - math.exp(0.05) * other, 0), x) for one, other in ((p, q), (q, p)))
    assert found.value[0] == pytest.approx(grid, abs=1e-3 if method == "slope" else 1e-6)
    assert found.value[0] > 0


def test_refitted_bandwidths_leave_a_delta_at_every_epsilon():
    """That delta reaches 0 is a property of one common Laplace bandwidth: with two, the tails differ without bound."""
    first, second = fit_density([0.0], bandwidth=1.0), fit_density([0.0], bandwidth=1.1)
    found = [quadrature_deltas(first, [second], epsilon=level).value[0] for level in (0.2, 0.5, 1.0, 2.0)]
    assert all(value > 0 for value in found)
    same = quadrature_deltas(first, [fit_density([0.1], bandwidth=1.0)], epsilon=0.2)
    assert same.value[0] == 0.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: quadrature_deltas(fit_density([0.0], bandwidth=1), [], epsilon=1, tolerance=0.0),
        lambda: quadrature_deltas("x", [fit_density([0.0], bandwidth=1)], epsilon=1),
        lambda: quadrature_deltas(fit_density([0.0], bandwidth=1), None, epsilon=1),
        lambda: fit_density([1e308, -1e308]),
        lambda: fit_density([0.0], bandwidth=5e-324),
        lambda: fit_density([0.0], bandwidth=1e308),
        lambda: fit_density([0.0], kernel=np.zeros(2)),
        lambda: fit_density(np.ma.array([1.0, 2.0], mask=[0, 1])),
    ],
)
def test_what_no_density_can_be_made_of_is_refused(call):
    with pytest.raises(ParameterError):
        call()


@pytest.mark.filterwarnings("error")
def test_answers_and_places_at_the_ends_of_the_floats():
    close = fit_density([5e-324, 0.0])
    assert close.bandwidths[0] == 1e-300
    assert close.log(1e300) == -np.inf
    apart = fit_density([-1e300, 1e300])
    assert np.isfinite(apart.bandwidths).all()
    assert apart(1e308) == 0.0


def test_quadrature_refuses_what_is_no_density():
    with pytest.raises(ParameterError, match="Density|list"):
        quadrature_deltas(np.zeros(3), [], epsilon=0.1)
    with pytest.raises(ParameterError, match="epsilon"):
        quadrature_deltas(fit_density([0.0], bandwidth=1), [], epsilon=-1)
    assert quadrature_deltas(fit_density([0.0], bandwidth=1), [], epsilon=1).value.shape == (0,)
