"""Errors of a release against 10^6 simulated releases, against sums and integrals, and against themselves inverted.

Simulations have fixed seeds. A right answer fails each comparison with a simulation with probability 1e-6 at most, were
the seed drawn anew.
"""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, evidence_of
from par_core.export import release_meaning
from par_core.mechanisms import Laplace
from par_core.published import explicit
from par_core.queries import Condition, Count, CountBy, Mean, Sum
from par_core.release import (
    Measure,
    epsilon_for_error,
    epsilon_for_query,
    error_curves,
    error_of,
    plan_release,
    plan_release_of,
    processed_error,
    quotient_error,
    release_error,
    share_within,
    split_by_weight,
    split_evenly,
)
from par_core.release.splitting import decimal_fraction
from par_core.scenario import FIELDS, Neighbours, Scenario

FALSE_ALARM = 1e-6
RELEASES = 1_000_000
REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
thorough = settings(deadline=None, derandomize=True, max_examples=100)

levels = st.floats(math.log(1e-6), math.log(1e3)).map(math.exp)
scales = st.floats(math.log(0.05), math.log(200.0)).map(math.exp)


def agrees(hits, size, chance):
    """Whether a number of hits is likely under a binomial distribution (two-sided, false alarm 1e-6)."""
    return stats.binomtest(int(hits), size, chance).pvalue > FALSE_ALARM


def near(sample, mean):
    """Whether a sample has the mean (normal approximation, two-sided, false alarm 1e-6; a second 1e-12 for rounding)."""
    width = stats.norm.isf(FALSE_ALARM / 2) * sample.std() / math.sqrt(sample.size)
    return abs(sample.mean() - mean) <= width + 1e-12 * abs(mean)


# --- against simulated releases ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "sensitivity", "k"), [(0.5, 1.0, 1), (1.0, 2.0, 7), (3.0, 2.0, 20)])
def test_errors_are_those_of_simulated_releases(epsilon, sensitivity, k):
    rng = np.random.default_rng([k, 1])
    error = release_error(epsilon, sensitivity, k=k)
    first = np.empty(RELEASES)
    largest = np.empty(RELEASES)
    total = np.empty(RELEASES)
    for part in np.split(np.arange(RELEASES), 10):
        noise = rng.laplace(scale=sensitivity / epsilon, size=(part.size, k))
        first[part], total[part] = np.abs(noise[:, 0]), np.abs(noise.sum(axis=1))
        largest[part] = np.abs(noise).max(axis=1)
    assert near(first, error.expected)
    assert near(total, error.total_expected)
    for share in (0.5, 0.95, 0.999):
        assert agrees((first <= error.range(share)).sum(), RELEASES, share)
        assert agrees((largest <= error.range_of_all(share)).sum(), RELEASES, share)
        assert agrees((total <= error.range_of_total(share)).sum(), RELEASES, share)


def discrete_noise(rng, scale, size):
    """Draw what the release scripts draw for counts, without the code that is tested: the law, added up and looked up."""
    reach = int(45 * scale) + 3
    law = stats.dlaplace(1 / scale).cdf(np.arange(-reach, reach + 1))
    return np.searchsorted(law, rng.random(size)) - reach


@pytest.mark.parametrize(("epsilon", "sensitivity", "k"), [(5.0, 1, 1), (1.4, 1, 3), (0.5, 1, 7), (1.0, 13, 2)])
def test_errors_of_whole_numbers_are_those_of_simulated_releases(epsilon, sensitivity, k):
    noise = discrete_noise(np.random.default_rng([k, 2]), sensitivity / epsilon, (RELEASES, k))
    error = release_error(epsilon, sensitivity, k=k, whole=True)
    assert near(np.abs(noise[:, 0]), error.expected)
    total = np.abs(noise.sum(axis=1))
    assert total.mean() <= error.total_expected * (1 + 5e-3)
    for share in (0.5, 0.95, 0.999):
        for off, width, is_smallest in (
            (np.abs(noise[:, 0]), error.range(share), True),
            (np.abs(noise).max(axis=1), error.range_of_all(share), True),
            (total, error.range_of_total(share), False),
        ):
            assert width == math.floor(width) >= 0
            assert stats.binomtest(int((off <= width).sum()), RELEASES, share, alternative="less").pvalue > FALSE_ALARM
            fewer = int((off <= width - 1 - (not is_smallest)).sum())
            assert stats.binomtest(fewer, RELEASES, share, alternative="greater").pvalue > FALSE_ALARM


@pytest.mark.parametrize("truth", [0, 1, 4, 50])
@pytest.mark.parametrize("scale", [0.4, 3.0])
def test_processed_errors_are_those_of_simulated_releases(truth, scale):
    noisy = truth + np.random.default_rng([truth, 3]).laplace(scale=scale, size=RELEASES)
    counted = truth + discrete_noise(np.random.default_rng([truth, 7]), scale, RELEASES)
    for whole, clamped in itertools.product((False, True), repeat=2):
        released = counted if whole else noisy
        released = np.maximum(released, 0.0) if clamped else released
        found = processed_error(truth, scale, whole=whole, clamped=clamped)
        assert near(np.abs(released - truth), found.expected)
        assert near(released - truth, found.bias)
        assert found.expected <= found.worst_expected
        assert found.bias <= found.worst_bias
        near_truth = share_within(truth, scale, whole=whole, clamped=clamped).share
        hits = (np.abs(released - truth) <= truth / 10).sum()
        assert agrees(hits, RELEASES, near_truth)


@pytest.mark.parametrize(
    ("mean", "size", "lower", "upper"),
    [(800.0, 1000, 0.0, 2000.0), (20.0, 20, 18.0, 90.0), (-3.0, 40, -5.0, 10.0), (18.0, 100, 18.0, 90.0)],
)
def test_a_quotient_stays_within_its_range(mean, size, lower, upper):
    rng = np.random.default_rng([size, 4])
    of_sum, of_count = 1.5 * max(abs(lower), abs(upper)), 1.5
    counts = np.maximum(size + of_count * rng.laplace(size=RELEASES), 1.0)
    released = np.clip((mean * size + of_sum * rng.laplace(size=RELEASES)) / counts, lower, upper)
    off = np.abs(released - mean)
    found = quotient_error(of_sum, of_count, size=size, mean=mean, lower=lower, upper=upper)
    few = 0.5 * math.exp(-(size - 1) / of_count)
    for share in (0.5, 0.95, 0.99):
        inside = (off <= found.range(share)).sum()
        assert stats.binomtest(int(inside), RELEASES, share, alternative="less").pvalue > FALSE_ALARM
        clipped = math.isclose(found.range(share), mean - lower)  # many releases are just that far off
        if mean > lower and few < 1e-4 and not clipped:  # nearly exact, too
            assert stats.binomtest(int(inside), RELEASES, share + few, alternative="greater").pvalue > FALSE_ALARM
    slack = stats.norm.isf(FALSE_ALARM) * off.std() / math.sqrt(RELEASES)
    assert off.mean() - slack <= found.expected <= (off.mean() + slack) * 1.003 + few * found.farthest
    anywhere = quotient_error(of_sum, of_count, size=size, lower=lower, upper=upper)
    assert anywhere.range95 >= found.range95
    assert anywhere.expected >= found.expected


def test_a_quotient_over_few_rows_has_the_range_from_bound_to_bound():
    rng = np.random.default_rng(5)
    for size in (0, 0.5, 1, 3):
        found = quotient_error(90.0, 1.0, size=size, mean=50.0, lower=18.0, upper=90.0)
        counts = np.maximum(size + rng.laplace(size=100_000), 1.0)
        released = np.clip((50.0 * size + 90.0 * rng.laplace(size=100_000)) / counts, 18.0, 90.0)
        off = np.abs(released - 50.0)
        assert found.range95 == found.farthest == 40.0
        assert off.mean() <= found.expected <= 40.0
        assert found.exceeded([0.0, 39.9, 40.0])[-1] == 0.0


@pytest.mark.parametrize(
    ("of_sum", "of_count", "size"), [(0.01, 0.1, 0.5), (90.0, 1.0, 2), (1.0, 3.0, 8), (200.0, 0.3, 1)]
)
def test_few_rows_are_never_flattered(of_sum, of_count, size):
    """However few the rows, the error is no larger than any width more often than the bound says."""
    rng = np.random.default_rng(8)
    counts = np.maximum(size + of_count * rng.laplace(size=RELEASES), 1.0)
    for mean in (20.0, 50.0, 90.0):
        off = np.abs(np.clip((mean * size + of_sum * rng.laplace(size=RELEASES)) / counts, 18.0, 90.0) - mean)
        found = quotient_error(of_sum, of_count, size=size, mean=mean, lower=18.0, upper=90.0)
        for width in np.linspace(0.0, found.farthest, 12):
            hits, bound = int((off > width * (1 + 1e-12)).sum()), found.exceeded(width)
            assert stats.binomtest(hits, RELEASES, bound, alternative="greater").pvalue > FALSE_ALARM


def test_a_quotient_with_whole_noise_on_the_count():
    """The exact share of releases in range, summed over all counts: with discrete noise as stated, with rounded noise short of it."""
    rng, short = np.random.default_rng(21), {"discrete": 0.0, "rounded": 0.0}
    for _ in range(150):
        scale, size, mean = float(np.exp(rng.uniform(-2, 3))), int(rng.integers(5, 2000)), rng.uniform(0.0, 1000.0)
        part = float(rng.choice([0.5, 0.75, 1.0, 2.0]))  # epsilon of the count over that of the sum
        wanted = float(rng.choice([0.5, 0.9, 0.95]))
        found = quotient_error(1000.0 * scale * part, scale, size=size, mean=mean, lower=0.0, upper=1000.0)
        noise = np.arange(-int(60 * scale) - 3, int(60 * scale) + 4)
        decay = math.exp(-1 / scale)
        laws = {
            "discrete": (1 - decay) / (1 + decay) * decay ** np.abs(noise),
            "rounded": np.diff(stats.laplace.cdf(np.append(noise - 0.5, noise[-1] + 0.5), scale=scale)),
        }
        counts, width = np.maximum(size + noise, 1), found.range(wanted)
        inside = np.ones(len(noise))
        if mean + width < 1000.0:
            inside -= stats.laplace.sf((mean + width) * counts - size * mean, scale=found.sum_scale)
        if mean - width > 0.0:
            inside -= stats.laplace.cdf((mean - width) * counts - size * mean, scale=found.sum_scale)
        for kind, law in laws.items():
            missing = wanted - float(law @ inside)
            short[kind] = max(short[kind], missing)
    assert short["discrete"] < 1e-9
    assert short["rounded"] > 0.02
    assert "no more than twice the epsilon of the count" in found.limits
    assert "rounded after continuous noise" in found.limits


@pytest.mark.parametrize("mean", [None, 18.0, 40.0])
@pytest.mark.parametrize(("of_sum", "of_count", "size"), [(90.0, 1.0, 100), (90.0, 1.0, 1e6), (3.0, 2.0, 4)])
def test_the_expected_error_is_the_area_under_its_bound(of_sum, of_count, size, mean):
    found = quotient_error(of_sum, of_count, size=size, mean=mean, lower=18.0, upper=90.0)
    kinks = [found.farthest] if mean is None else sorted({mean - 18.0, 90.0 - mean} - {0.0})
    ends = [0.0, *np.geomspace(1e-8, kinks[0], 40), *kinks[1:]]
    area = sum(integrate.quad(found.exceeded, low, high, limit=200)[0] for low, high in itertools.pairwise(ends))
    assert area <= found.expected <= area * 1.003


def test_a_planned_release_has_the_planned_spread():
    """A histogram by hand: draw the noise that the plan asks for and look at all cells and at the total."""
    query = CountBy(("x",), (("a", "b", "c"),), other=True)
    planned = plan_release(query, 0.8, neighbours=REPLACE, rows_per_person=2)
    (part,) = planned.parts
    assert (part.part.sensitivity, part.part.k, part.epsilon) == (4.0, 4, 0.8)
    noise = discrete_noise(np.random.default_rng(6), planned.error.scale, (RELEASES // 4, 4))
    for off, width in (
        (np.abs(noise).max(axis=1), planned.error.all95),
        (np.abs(noise.sum(axis=1)), planned.error.total95),
    ):
        held, fewer = int((off <= width).sum()), int((off <= width - 2).sum())
        assert stats.binomtest(held, RELEASES // 4, 0.95, alternative="less").pvalue > FALSE_ALARM
        assert stats.binomtest(fewer, RELEASES // 4, 0.95, alternative="greater").pvalue > FALSE_ALARM


# --- against sums and integrals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_no_range_holds_with_a_share_of_none_or_all(share):
    error = release_error(0.5, 1.0)
    for ask in (error.range, error.range_of_all, error.range_of_total):
        with pytest.raises(ParameterError, match="^share must be above 0 and below 1, got [01]$"):
            ask(share)


@pytest.mark.parametrize(("scale", "k"), [(0.3, 2), (1.0, 5), (2.0, 40), (6.0, 3), (0.15, 200)])
def test_the_total_of_whole_numbers_by_its_law(scale, k):
    """The sum of discrete noise, convolved exactly: range and mean are upper bounds, close unless nearly all noise is 0."""
    reach = int(60 * scale) + 3
    x = np.arange(-reach, reach + 1)
    law = np.ones(1)
    for _ in range(k):
        law = np.convolve(law, stats.dlaplace(1 / scale).pmf(x))
        cut = max((len(law) - 6001) // 2, 0)
        law = law[cut : len(law) - cut]
    off = np.abs(np.arange(len(law)) - len(law) // 2)
    error = release_error(1 / scale, 1, k=k, whole=True)
    for share in (0.3, 0.5, 0.9, 0.95, 0.999):
        width = error.range_of_total(share)
        assert law[off <= width].sum() >= share - 1e-12
        assert scale < 0.3 or law[off <= width - 2].sum() < share
    assert law @ off <= error.total_expected <= law @ off + 1.5 * scale + 0.5 * math.sqrt(k)


@thorough
@given(scales, st.integers(0, 30), st.booleans())
def test_bias_and_error_are_sums_over_what_can_come_out(scale, truth, clamped):
    reach = int(60 * scale) + 2
    off = np.arange(-reach, reach + 1)
    chance = stats.dlaplace(1 / scale).pmf(off)
    published = np.maximum(truth + off, 0) if clamped else truth + off
    found = processed_error(truth, scale, whole=True, clamped=clamped)
    assert found.expected == pytest.approx(float(np.abs(published - truth) @ chance), abs=1e-9 * scale)
    assert found.bias == pytest.approx(float((published - truth) @ chance), abs=1e-9 * scale)
    near_truth = np.abs(published - truth) * 10 <= truth
    found_share = share_within([truth], scale, whole=True, clamped=clamped)
    assert found_share.share == pytest.approx(float(chance[near_truth].sum()), abs=1e-9)


@thorough
@given(scales, st.floats(0.0, 100.0))
def test_clamped_errors_are_integrals(scale, truth):
    found = processed_error(truth, scale, clamped=True)
    below = truth * stats.laplace.cdf(-truth, scale=scale)
    inside = integrate.quad(lambda x: abs(x) * stats.laplace.pdf(x, scale=scale), -truth, 0, epsabs=1e-12)[0]
    assert found.expected == pytest.approx(below + inside + 0.5 * scale, rel=1e-7)
    assert found.bias == pytest.approx(0.5 * scale + below * -1.0 - inside + 0.0, abs=1e-7 * scale)


@thorough
@given(scales, st.one_of(scales, st.just(0.0)), st.floats(0.0, 30.0))
def test_the_tail_of_a_difference_is_an_integral(scale1, scale2, reach):
    value = reach * scale1
    found = float(Laplace.difference_tail(np.float64(value), scale1, scale2))
    assert found == pytest.approx(float(Laplace.difference_tail(np.float64(value), scale2, scale1)), rel=1e-12)
    one, two = mp.mpf(scale1), mp.mpf(scale2)
    if abs(scale1 - scale2) > 1e-6 * scale1:
        with mp.workdps(40):
            second = two**2 * mp.exp(-value / two) if scale2 else mp.mpf(0)
            exact = (one**2 * mp.exp(-value / one) - second) / (2 * (one**2 - two**2))
        assert found == pytest.approx(float(exact), rel=1e-9)
    same = float(Laplace.difference_tail(np.float64(value), scale1, scale1))
    assert same == pytest.approx(0.5 * math.exp(-reach) * (1 + reach / 2), rel=1e-12)
    closer = float(Laplace.difference_tail(np.float64(value), scale1, scale1 * (1 + 1e-9)))
    assert closer == pytest.approx(same, rel=1e-6)
    wider = float(Laplace.difference_tail(np.float64(value), scale1, scale2 * 1.1 + 0.01))
    assert wider >= found * (1 - 1e-12)  # what a bound for every mean relies on


def test_the_tail_of_a_difference_against_quadrature():
    for scale1, scale2, value in ((1.0, 1.0, 2.0), (2.0, 0.5, 3.0), (0.3, 4.0, 1.0)):
        exact, _ = integrate.quad(
            lambda y, a=scale1, b=scale2, v=value: stats.laplace.sf(v + y, scale=a) * stats.laplace.pdf(y, scale=b),
            -60 * scale2,
            60 * scale2,
            points=[0.0, -value],
            limit=500,
        )
        assert float(Laplace.difference_tail(np.float64(value), scale1, scale2)) == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize("k", [1, 2, 7, 51, 1000, 10_000])
def test_the_range_of_the_total_is_the_smallest(k):
    error = release_error(1.0, 1.0, k=k)
    for share in (0.05, 0.5, 0.95, 0.9999):
        width = error.range_of_total(share)
        assert explicit.t_cdf(width, k=k) >= share
        assert explicit.t_cdf(width * (1 - 1e-10), k=k) < share
    assert error.total_expected == pytest.approx(
        integrate.quad(lambda x: 1 - explicit.t_cdf(x, k=k), 0, 60 * math.sqrt(k), limit=200)[0], rel=1e-6
    )


def test_known_values():
    error = release_error(0.5, 1.0)
    assert (error.expected, release_error(0.5, 1, whole=True).range95) == (
        2.0,
        6.0,
    )  # within 6 of the truth 95 times out of 100
    assert error.range95 == error.all95 == pytest.approx(2.0 * math.log(20.0), rel=1e-12)
    assert error.total95 == pytest.approx(error.range95, rel=1e-11)
    assert error.total_expected == pytest.approx(2.0, rel=1e-12)
    assert processed_error(0, 2.0, clamped=True).bias == 1.0
    assert (error.evidence.basis, bool(error.source)) == (PROVEN, True)
    for function in (error_of, epsilon_for_error, epsilon_for_query):
        assert evidence_of(function).basis is PROVEN


# --- the epsilon for a wanted error ------------------------------------------------------------------------------

RANGES = [Measure.RANGE95, Measure.ALL95, Measure.TOTAL95]


@thorough
@given(levels, levels, st.sampled_from(list(Measure)), st.sampled_from([1, 2, 7, 51]))
def test_the_epsilon_found_meets_the_wish_and_hardly_more(wanted, sensitivity, measure, k):
    epsilon = epsilon_for_error(wanted, sensitivity, measure=measure, k=k)
    reached = error_of(epsilon, sensitivity, measure=measure, k=k)
    assert reached <= wanted
    assert error_of(epsilon * (1 - 1e-9), sensitivity, measure=measure, k=k) > wanted * (1 - 1e-12)
    assert reached == pytest.approx(wanted, rel=1e-12)
    assert epsilon_for_error(reached, sensitivity, measure=measure, k=k) == pytest.approx(epsilon, rel=1e-12)


@thorough
@given(levels, st.integers(1, 50), st.sampled_from(list(Measure)), st.sampled_from([1, 2, 7, 51]))
def test_the_epsilon_found_for_whole_numbers_meets_the_wish_and_hardly_more(wanted, sensitivity, measure, k):
    epsilon = epsilon_for_error(wanted, sensitivity, measure=measure, k=k, whole=True)
    assert error_of(epsilon, sensitivity, measure=measure, k=k, whole=True) <= wanted
    less = error_of(epsilon * (1 - 1e-9), sensitivity, measure=measure, k=k, whole=True)
    assert less > wanted * (1 - 1e-12)


@thorough
@given(st.integers(0, 1000), st.integers(1, 50), st.sampled_from(RANGES), st.sampled_from([1, 2, 7, 51]))
def test_whole_ranges_come_back(wanted, sensitivity, measure, k):
    epsilon = epsilon_for_error(wanted, sensitivity, measure=measure, k=k, whole=True)
    assert error_of(epsilon, sensitivity, measure=measure, k=k, whole=True) == wanted


def test_epsilons_broadcast():
    found = epsilon_for_error([[1.0], [2.0]], [1.0, 2.0, 3.0], measure="range95")
    assert found.shape == (2, 3)
    assert type(epsilon_for_error(1, 2)) is float
    assert type(error_of(1, 2)) is float
    error = release_error([0.1, 1.0], 1.0)
    assert release_error([0.1, 1.0], 1, whole=True).range95.tolist() == [30.0, 3.0]
    assert error.range95.shape == error.total95.shape == error.total_expected.shape == (2,)


@pytest.mark.parametrize("measure", list(Measure))
def test_extremes_never_give_nan(measure):
    extremes = np.array([1e-300, 1e-17, 1e-5, 1.0, 700.0, 1e17, 1e300])
    for k in (1, 1000):
        found = error_of(extremes[:, None], extremes, measure=measure, k=k)
        assert not np.isnan(found).any()
        assert (found >= 0.0).all()
    for wanted, sensitivity in itertools.product(extremes, extremes):
        try:
            epsilon = epsilon_for_error(wanted, sensitivity, measure=measure)
        except InfeasibleError:
            assert math.log(sensitivity) - math.log(wanted) > 299 * math.log(10)
        else:
            assert 0.0 < epsilon < math.inf
            assert error_of(epsilon, sensitivity, measure=measure) <= wanted
    moves = np.array([1e-300, 1.0, 1e5])
    epsilon = epsilon_for_error(extremes[:, None], moves, measure=measure)
    assert ((epsilon > 0.0) & np.isfinite(epsilon)).all()
    assert (error_of(epsilon, moves, measure=measure) <= extremes[:, None]).all()


def test_extremes_after_the_noise():
    for truth, scale in itertools.product([0.0, 1e-300, 1.0, 1e300], [1e-300, 1.0, 1e300]):
        found = processed_error(truth, scale, clamped=True)
        assert 0.0 <= found.bias <= found.worst_bias
        assert 0.0 <= found.expected <= found.worst_expected
        assert 0.0 <= share_within(truth, scale, clamped=True).share <= 1.0
    for scale, size in itertools.product([1e-100, 1.0, 1e100], [0.0, 1.0, 1e100]):
        for mean in (None, 0.0, 5.0):
            found = quotient_error(scale, scale, size=size, mean=mean, lower=-1.0, upper=1e12)
            assert 0.0 <= found.expected <= found.farthest
            assert 0.0 <= found.range95 <= found.farthest


@pytest.mark.parametrize("bad", [-1.0, 0.0, math.nan, math.inf, "1", None, [], True])
def test_bad_numbers_are_named(bad):
    for name, call in (
        ("epsilon", lambda: release_error(bad, 1.0)),
        ("sensitivity", lambda: release_error(1.0, bad)),
        ("k", lambda: release_error(1.0, 1.0, k=bad)),
        ("epsilon", lambda: error_of(bad, 1.0)),
        ("sensitivity", lambda: error_of(1.0, bad)),
        ("wanted", lambda: epsilon_for_error(bad, 1.0)),
        ("sensitivity", lambda: epsilon_for_error(1.0, bad)),
        ("share", lambda: release_error(1.0, 1.0).range(bad)),
        ("share", lambda: quotient_error(1, 1, size=9, lower=0, upper=1).range(bad)),
        ("scale", lambda: processed_error(1.0, bad)),
        ("scale", lambda: share_within(1.0, bad)),
        ("tolerance", lambda: share_within(1.0, 1.0, tolerance=bad)),
        ("sum_scale", lambda: quotient_error(bad, 1, size=1, lower=0, upper=1)),
        ("count_scale", lambda: quotient_error(1, bad, size=1, lower=0, upper=1)),
        ("epsilon", lambda: split_evenly(bad, 2)),
        ("statistics", lambda: split_evenly(1.0, bad)),
        ("epsilon", lambda: split_by_weight(bad, [1])),
        ("weights", lambda: split_by_weight(1.0, [bad])),
        ("epsilon", lambda: plan_release(Sum("x", 0, 1), bad, neighbours=ADD)),
    ):
        with pytest.raises(ParameterError, match=rf"^{name} must be .*got "):
            call()


def test_other_bad_parameters_are_named():
    for message, call in (
        ("measure must be expected, .*got 'best'", lambda: error_of(1.0, 1.0, measure="best")),
        ("measure must be expected, ", lambda: epsilon_for_error(1.0, 1.0, measure=None)),
        ("truth must be at least 0|truth must be a number at least 0", lambda: processed_error(-1, 1.0, clamped=True)),
        ("truth must be a whole number", lambda: processed_error(0.5, 1.0, whole=True)),
        ("lower must be below upper", lambda: quotient_error(1, 1, size=1, lower=1, upper=0)),
        ("mean must be .*got 2", lambda: quotient_error(1, 1, size=1, mean=2.0, lower=0, upper=1)),
        ("size must be .*got -1", lambda: quotient_error(1, 1, size=-1, lower=0, upper=1)),
        ("weights must be a list", lambda: split_by_weight(1.0, [[1.0]])),
        ("weights must leave every statistic a share", lambda: split_by_weight(1e-300, [1e-300, 1e300])),
        ("weights must be two numbers", lambda: plan_release(Sum("x", 0, 1), 1.0, neighbours=ADD, weights=[1])),
        ("neighbours must be", lambda: plan_release(Sum("x", 0, 1), 1.0, neighbours="x")),
    ):
        with pytest.raises(ParameterError, match=message):
            call()


def test_true_values_stay_out_of_repr():
    for result in (
        processed_error([1234567], 2.0, clamped=True),
        share_within([1234567.0], 2.0),
        quotient_error(1.0, 1.0, size=1234567, mean=1234567.0, lower=0, upper=1e12),
    ):
        assert "1234567" not in repr(result)
        assert result.evidence.basis is PROVEN
    assert "0.95" not in repr(share_within([29.957], 1.0))


# --- sharing out epsilon -----------------------------------------------------------------------------------------


def exactly(parts):
    return sum(map(Fraction, parts), Fraction(0))


def as_written(parts):
    return sum(map(decimal_fraction, parts), Fraction(0))


@thorough
@given(levels, st.lists(levels, min_size=1, max_size=12))
def test_shares_add_up_to_no_more_than_the_total(epsilon, weights):
    split = split_by_weight(epsilon, weights)
    assert exactly(split.parts) <= Fraction(epsilon)
    assert as_written(split.parts) <= decimal_fraction(epsilon)
    assert sum(split.parts) == pytest.approx(epsilon, rel=1e-12)
    for part, weight in zip(split.parts, weights, strict=True):
        assert part == pytest.approx(epsilon * weight / math.fsum(weights), rel=1e-12)


@pytest.mark.parametrize("statistics", [1, 2, 3, 7, 10, 49, 1000])
@pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.5, 1.0, 0.7])
def test_even_shares(epsilon, statistics):
    split = split_evenly(epsilon, statistics)
    assert len(set(split.parts)) == 1
    assert exactly(split.parts) <= Fraction(epsilon)
    assert as_written(split.parts) <= decimal_fraction(epsilon)
    assert split.total == epsilon
    assert split.evidence.basis is PROVEN


@pytest.mark.parametrize("epsilon", [1e-8, 0.1, 0.5, 700.0])
def test_as_many_statistics_as_a_scenario_has_share_alike(epsilon):
    number = next(int(field.at_most) for field in FIELDS if field.name == "statistics")
    share = split_evenly(epsilon, number).parts[0]
    assert Fraction(share) * number <= Fraction(epsilon)
    assert decimal_fraction(share) * number <= decimal_fraction(epsilon)
    assert share == pytest.approx(epsilon / number, rel=1e-15)
    planned = plan_release(CountBy(("x",), (("a", "b"),)), epsilon, neighbours=ADD, statistics=number)
    assert planned.epsilon == share
    assert error_curves(planned, epsilon0=epsilon, statistics=number).own_epsilon0 == epsilon


# --- plans -------------------------------------------------------------------------------------------------------


def test_a_plan_follows_the_scenario():
    scenario = Scenario(epsilon0=0.4, neighbours=ADD, rows_per_person=3, sensitivity=99.0, k=5)
    planned = plan_release_of(CountBy(("x",), (("a", "b"),)), scenario)
    assert (planned.error.scale, planned.error.k) == (pytest.approx(7.5), 2)
    assert (planned.neighbours, planned.rows_per_person, planned.epsilon) == (ADD, 3, 0.4)
    pair = plan_release_of(Mean("x", 0, 10), scenario, weights=(3, 1))
    assert pair.is_pair
    assert [part.epsilon for part in pair.parts] == pytest.approx([0.3, 0.1])
    assert exactly(part.epsilon for part in pair.parts) <= Fraction(0.4)
    assert [part.error.scale for part in pair.parts] == pytest.approx([50.0, 30.0])
    found = pair.quotient_error(size=5000, mean=4.0)
    around = {"mean": -1.0, "lower": -5, "upper": 5}  # as distances from the middle
    assert found.range95 == quotient_error(*(part.error.scale for part in pair.parts), size=5000, **around).range95
    with pytest.raises(ParameterError, match="depends on the data"):
        _ = pair.error
    with pytest.raises(ParameterError, match="only a mean over a private number of rows"):
        planned.quotient_error(size=10)
    single = plan_release(Mean("x", 0, 10), 0.5, neighbours=REPLACE, rows=200)
    assert (single.is_pair, single.error.scale) == (False, pytest.approx(0.1))


@pytest.mark.parametrize("measure", ["expected", "range95"])
@pytest.mark.parametrize("mean", [None, 0.0, 4.0])
def test_the_epsilon_of_a_quotient_meets_the_wish(measure, mean):
    query = Mean("x", 0, 10)

    def error(epsilon):
        found = plan_release(query, epsilon, neighbours=ADD, weights=(2, 1)).quotient_error(size=400, mean=mean)
        return found.expected if measure == "expected" else found.range95

    epsilon = epsilon_for_query(0.3, query, neighbours=ADD, measure=measure, size=400, mean=mean, weights=(2, 1))
    assert error(epsilon) <= 0.3
    assert error(epsilon * (1 - 1e-6)) > 0.3


def test_a_bound_has_all_its_digits_also_where_blanks_count_as_it():
    planned = plan_release(Sum("x", 1234567.89, 2e6), 0.5, neighbours=REPLACE)
    assert "count as 1,234,567.89, and values outside 1,234,567.89 to" in release_meaning.truth(planned, capped=False)


def test_the_epsilon_of_a_query():
    count = Count(Condition("x", "==", 1))
    assert epsilon_for_query(6, count, neighbours=REPLACE, measure="range95") == epsilon_for_error(
        6, 1, measure="range95", whole=True
    )
    mean = Mean("x", 0, 10)
    assert epsilon_for_query(0.1, mean, neighbours=REPLACE, rows=100, measure="expected") == pytest.approx(1.0)
    with pytest.raises(ParameterError, match="size must be given"):
        epsilon_for_query(0.1, mean, neighbours=ADD)
    with pytest.raises(ParameterError, match="measure must be expected, range95 or all95"):
        epsilon_for_query(0.1, mean, neighbours=ADD, size=10, measure="total95")
    with pytest.raises(InfeasibleError, match="every one will do") as caught:
        epsilon_for_query(10.0, mean, neighbours=ADD, size=10, mean=5.0)
    assert caught.value.best == 5.0
