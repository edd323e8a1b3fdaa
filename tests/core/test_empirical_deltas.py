"""Exact deltas of individuals, held against 40 to 60 digits, closed forms, and what every delta has to do.

Nothing is random from run to run: every seed is fixed, so that no test raises a false alarm.
"""

import math
import threading
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numbers
from mpmath import mp, mpf

from par_core.audit import individual_deltas, largest_loss
from par_core.errors import ParameterError
from par_core.mechanisms import Laplace

DATABASES = 41


def sums(place, points):
    """Sums of the kernels at and left of a place, and right of it."""
    left = mp.fsum(shrunk(place - point) for point in points if point <= place)
    return left, mp.fsum(shrunk(point - place) for point in points if point > place)


def by_quadrature(first, second, factor):
    """2n·∫(p - factor·q)+ with tanh-sinh quadrature between the sample points and where the integrand changes its sign."""
    points = sorted({*first, *second})

    def height(place):
        return sum(sums(place, first)) - factor * sum(sums(place, second))

    total = max(height(points[0]), 0) + max(height(points[-1]), 0)
    for low, high in pairwise(points):
        ends = [low, high]
        if (height(low) > 0) != (height(high) > 0):
            ends.insert(1, mp.findroot(height, (low, high), solver="anderson"))
        for one, other in pairwise(ends):
            if height((one + other) / 2) > 0:
                total += mp.quad(height, [one, other])
    return total


def in_many_digits(with_all, without, epsilon, bandwidth, *, quadrature=False):
    """delta with 60 digits: by quadrature, or by the integral between two sample points written out."""
    with mp.workdps(60):
        a = [mpf(float(x)) / mpf(float(bandwidth)) for x in with_all]
        b = [mpf(float(x)) / mpf(float(bandwidth)) for x in without]
        factor = mp.exp(mpf(float(epsilon)))
        way = by_quadrature if quadrature else written_out
        return max(way(a, b, factor), way(b, a, factor)) / (2 * len(a))


def written_out(first, second, factor):
    """The same with the integral of L·exp(-t) + R·exp(t - gap) between two sample points, which has one zero at most."""
    points = sorted({*first, *second})
    places = [[p - factor * q for p, q in zip(sums(z, first), sums(z, second), strict=True)] for z in points]
    total = max(sum(places[0]), 0) + max(sum(places[-1]), 0)
    for at, (low, high) in enumerate(pairwise(points)):
        gap, left = high - low, places[at][0]
        right = sum(places[at + 1]) - left * shrunk(gap)

        def integral(t, gap=gap, left=left, right=right):
            return left * (1 - shrunk(t)) + right * (shrunk(gap - t) - shrunk(gap))

        here, there = left + right * shrunk(gap), left * shrunk(gap) + right
        if gap > 10_000:
            total += max(left, 0) + max(right, 0)
        elif here > 0 and there > 0:
            total += integral(gap)
        elif here > 0 or there > 0:
            crossing = (mp.log(-left / right) + gap) / 2
            total += integral(crossing) if here > 0 else integral(gap) - integral(crossing)
    return total


def shrunk(distance):
    return mp.exp(-distance) if distance < 10_000 else mpf(0)


def delta(with_all, without, epsilon, bandwidth):
    return float(individual_deltas(with_all, [without], epsilon=epsilon, bandwidth=bandwidth)[0])


def agrees(found, truth):
    """Keep what `individual_deltas` promises."""
    assert abs(found - float(truth)) < 1e-12
    if truth > 1e-6:
        assert found == pytest.approx(float(truth), rel=1e-9, abs=0.0)


def hard_case(rng):
    """Samples of any size and spread, often rounded or partly equal, and an epsilon that may be close to the largest loss."""
    n = int(rng.choice([1, 2, 3, 8, DATABASES]))
    bandwidth = 10 ** rng.uniform(-6, 3)
    a = rng.normal(size=n) * 10 ** rng.uniform(-2, 2)
    b = a + rng.normal(size=n) * 10 ** rng.uniform(-6, 1) * bandwidth
    if rng.random() < 0.25:
        a, b = np.round(a, 1), np.round(b, 1)
    if rng.random() < 0.25:
        b = np.where(rng.random(n) < 0.7, a, b)
    shift = np.abs(np.sort(a) - np.sort(b)).max() / bandwidth
    share = rng.choice([0.0, 0.03, 0.1, 0.5, 0.9, 0.99, 1 - 1e-6, 1 - 1e-10])
    return a, b, min(shift * share, 500.0), bandwidth


# --- against many digits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_quadrature_in_60_digits(seed):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=3)
    b = a + rng.normal(scale=0.3, size=3)
    epsilon = float(rng.uniform(0.05, 0.5))
    truth = in_many_digits(a, b, epsilon, 0.7, quadrature=True)
    assert (
        abs(truth - in_many_digits(a, b, epsilon, 0.7)) < mpf(10) ** -25
    )  # the written-out integral is the same number
    agrees(delta(a, b, epsilon, 0.7), truth)


@pytest.mark.parametrize("seed", range(80))
def test_agrees_with_many_digits_on_hard_cases(seed):
    case = hard_case(np.random.default_rng(seed))
    agrees(delta(*case), in_many_digits(*case))


def test_range_of_a_million_bandwidths_and_far_more():
    a = np.array([0.0, 1e6, 3e9, 3e9 + 1])
    b = np.array([2.0, 1e6, 3e9 + 0.5, 3e9 + 1])
    for epsilon in (0.0, 0.1, 1.0, 1.9, 2.0, 100.0, 500.0):
        agrees(delta(a, b, epsilon, 1.0), in_many_digits(a, b, epsilon, 1.0))
    assert delta([-1e300, 1e300], [1e300, -1e300], 0.5, 1e-300) == 0.0
    assert delta([-1e308, 1e308], [1e308, 1e308], 0.5, 1.0) == pytest.approx(0.5)


@pytest.mark.parametrize("closeness", [1e-3, 1e-6, 1e-9, 1e-11])
def test_where_the_densities_nearly_cancel(closeness):
    a, b = np.array([0.3, 1.0, 1.7]), np.array([0.1, 1.1, 1.6])
    epsilon = float(0.25 * (1 - closeness))
    agrees(delta(a - 0.25, a, epsilon, 1.0), in_many_digits(a - 0.25, a, epsilon, 1.0))
    agrees(delta(a, b, epsilon * 0.1, 1e5), in_many_digits(a, b, epsilon * 0.1, 1e5))


@pytest.mark.parametrize("shift", [0.01, 1.0, 30.0, 100.0, 490.0])
@pytest.mark.parametrize("n", [1, 2, 8])
def test_small_deltas_close_to_the_largest_loss(n, shift):
    """Here the rounding of a gap counts as many times as there are bandwidths in it."""
    rng = np.random.default_rng(3)
    for _ in range(3):
        bandwidth = 10 ** rng.uniform(-3, 3)
        a = rng.normal(size=n) * bandwidth
        for missing in (3e-6, 1e-4):
            case = a, a + shift * bandwidth, shift - missing, bandwidth
            agrees(delta(*case), in_many_digits(*case))


# --- closed forms ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [1e-7, 0.3, 2.0, 50.0, 1e4])
@pytest.mark.parametrize("share", [0.0, 0.2, 0.999, 1.0, 1.5])
def test_two_shifted_single_answers_are_the_laplace_mechanism(shift, share):
    epsilon, bandwidth = min(shift * share, 500.0), 3.0
    expected = -math.expm1(-(shift - epsilon) / 2) if epsilon < shift else 0.0
    assert delta([5.0], [5.0 + shift * bandwidth], epsilon, bandwidth) == pytest.approx(expected, rel=1e-9, abs=1e-16)
    assert delta([0.0], [shift], epsilon, 1.0) == pytest.approx(Laplace(shift).delta(epsilon), rel=1e-9, abs=1e-16)


def test_far_apart_pairs_are_averages():
    assert delta([0.0, 1e5], [1.0, 1e5 + 2], 0.5, 1.0) == pytest.approx(
        (2 - math.exp(-0.25) - math.exp(-0.75)) / 2, rel=1e-13
    )


# --- what every delta has to do -----------------------------------------------------------------------------------


def panel(individuals=200, databases=DATABASES, *, seed=5, scale=0.1):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=databases)
    return a, a + rng.normal(scale=scale, size=(individuals, databases))


def test_an_individual_without_data_has_none():
    a, table = panel(5)
    table[2] = a
    found = individual_deltas(a, table, epsilon=[0.0, 0.1], bandwidth=0.3)
    assert (found[2] == 0).all()
    assert (found[[0, 1, 3, 4], 0] > 0).all()
    assert (
        individual_deltas(a, [a[::-1]], epsilon=0.0, bandwidth=0.3) == 0
    ).all()  # the order of databases says nothing


def test_falls_with_epsilon_and_does_not_depend_on_side_or_order():
    a, table = panel(30)
    levels = np.linspace(0, 0.5, 40)
    found = individual_deltas(a, table, epsilon=levels, bandwidth=0.3)
    assert found.shape == (30, 40)
    assert (np.diff(found, axis=1) <= 0).all()
    assert ((found >= 0) & (found <= 1)).all()
    mixed = np.random.default_rng(0).permutation(DATABASES)
    np.testing.assert_allclose(individual_deltas(a[mixed], table, epsilon=levels, bandwidth=0.3), found, rtol=1e-11)
    for row in table[:5]:
        assert delta(a, row, 0.1, 0.3) == pytest.approx(delta(row, a, 0.1, 0.3), rel=1e-12)
        assert delta(-a, -row, 0.1, 0.3) == pytest.approx(delta(a, row, 0.1, 0.3), rel=1e-11)


def test_one_epsilon_gives_one_column():
    a, table = panel(7)
    several = individual_deltas(a, table, epsilon=[0.3, 0.0, 0.1], bandwidth=0.3)
    for at, epsilon in enumerate((0.3, 0.0, 0.1)):
        np.testing.assert_array_equal(individual_deltas(a, table, epsilon=epsilon, bandwidth=0.3), several[:, at])
    assert individual_deltas(a, table[:0], epsilon=0.1, bandwidth=1).shape == (0,)
    np.testing.assert_array_equal(
        individual_deltas(a, np.asfortranarray(table), epsilon=0.1, bandwidth=0.3), several[:, 2]
    )


def test_rounding_to_buckets_never_raises_the_delta_of_known_densities():
    """The answer is post-processed, p and p_i are known: summed over buckets of any width, the excess can only fall."""
    rng = np.random.default_rng(8)
    for _ in range(20):
        a = rng.normal(size=6)
        b = a + rng.normal(scale=0.5, size=6)
        epsilon, width = rng.uniform(0, 0.5), 10 ** rng.uniform(-2, 1)
        edges = np.append(np.arange(-60, 60, width), np.inf)
        p, q = (np.diff(cdf(edges, sample), prepend=0.0) for sample in (a, b))
        c = math.exp(epsilon)
        rounded = max(np.maximum(p - c * q, 0).sum(), np.maximum(q - c * p, 0).sum())
        exact = delta(a, b, epsilon, 1.0)
        assert rounded <= exact + 1e-13
        if width < 0.02:
            assert rounded == pytest.approx(exact, rel=0.05, abs=1e-4)


def cdf(x, sample):
    ahead = np.asarray(x)[:, None] - sample
    return np.where(ahead < 0, np.exp(np.minimum(ahead, 0)) / 2, 1 - np.exp(-np.maximum(ahead, 0)) / 2).mean(axis=1)


hard_numbers = st.one_of(
    st.floats(-3, 3),
    st.sampled_from([0.0, -0.0, 1.0, 1 + 1e-15, 1e-300, -1e6, 1e6, 1e15, 5e-324]),
    st.integers(-3, 3).map(float),
)


@settings(max_examples=75, deadline=None, derandomize=True)
@given(
    st.integers(1, 6).flatmap(lambda n: st.tuples(*[numbers.arrays(float, n, elements=hard_numbers)] * 2)),
    st.one_of(st.floats(0, 3), st.sampled_from([0.0, 1e-300, 1e-12, 30.0, 500.0])),
    st.sampled_from([1e-300, 1e-9, 0.1, 1.0, 7.0, 1e9, 1e300]),
)
def test_right_on_hard_inputs(samples, epsilon, bandwidth):
    agrees(delta(*samples, epsilon, bandwidth), in_many_digits(*samples, epsilon, bandwidth))


# --- long rows, several threads -----------------------------------------------------------------------------------


def test_more_databases():
    a, table = panel(20, 70)
    found = individual_deltas(a, table, epsilon=0.05, bandwidth=0.3)
    doubled = individual_deltas(np.repeat(a, 2), np.repeat(table, 2, axis=1), epsilon=0.05, bandwidth=0.3)
    np.testing.assert_allclose(found, doubled, rtol=1e-10)
    agrees(found[0], in_many_digits(a, table[0], 0.05, 0.3))


@pytest.mark.parametrize("bandwidth", [0.3, 30.0])
def test_a_hundred_thousand_answers(bandwidth):
    """Each answer 2,000 times: neither density changes."""
    a, table = panel(4, 50)
    top = largest_loss(a, table, bandwidth=bandwidth)
    for share in (0.0, 0.5, 0.999):
        few = individual_deltas(a, table, epsilon=top.max() * share, bandwidth=bandwidth)
        many = individual_deltas(
            np.repeat(a, 2000), np.repeat(table, 2000, axis=1), epsilon=top.max() * share, bandwidth=bandwidth
        )
        for one, other in zip(few, many, strict=True):
            agrees(other, one)
    np.testing.assert_allclose(
        largest_loss(np.repeat(a, 2000), np.repeat(table, 2000, axis=1), bandwidth=bandwidth), top, rtol=1e-11
    )


def test_several_threads_at_once():
    a, table = panel(5000)
    expected = individual_deltas(a, table, epsilon=0.1, bandwidth=0.3)
    found = [None] * 6

    def work(at):
        found[at] = individual_deltas(a, table, epsilon=0.1, bandwidth=0.3)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in found:
        np.testing.assert_array_equal(each, expected)


# --- batches and errors -------------------------------------------------------------------------------------------


def test_many_rows_are_done_in_batches():
    a, table = panel(40_000)
    told = []
    individual_deltas(a, table, epsilon=0.1, bandwidth=0.3, progress=told.append)
    assert len(told) >= 2
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"with_all": [0.0, math.nan]}, "with_all must be finite, got nan"),
        ({"with_all": [[0.0, 1.0]]}, "with_all must be one row"),
        ({"with_all": []}, "with_all must be"),
        ({"without": [[0.0, 1.0], [math.inf, 0.0]]}, r"individual 1, database 0"),
        ({"without": [[0.0, 1.0, 2.0]]}, "column for each of the 2 databases"),
        ({"without": [0.0, 1.0]}, "one row per individual"),
        ({"without": [["a", "b"]]}, "table of numbers"),
        ({"without": [[0.0], [1.0, 2.0]]}, "equal lengths"),
        ({"epsilon": -1.0}, "epsilon must be"),
        ({"epsilon": 501.0}, "at most 500"),
        ({"epsilon": [[0.1]]}, "one row of numbers"),
        ({"bandwidth": 0.0}, "bandwidth must be"),
        ({"bandwidth": [1.0]}, "single number"),
    ],
)
def test_errors_name_what_is_wrong(change, message):
    arguments = {"with_all": [0.0, 1.0], "without": [[0.0, 1.0]], "epsilon": 0.1, "bandwidth": 1.0} | change
    with pytest.raises(ParameterError, match=message):
        individual_deltas(**arguments)
