"""The audit given what an adversary knows: buckets, what is refused, and what random groups show."""

import itertools

import numpy as np
import pytest

from par_core.audit import Panel, answers, audit, individual_deltas, intervals
from par_core.audit.adversary import audit_given, contribution, random_groups
from par_core.audit.density import fit_density
from par_core.audit.queries import Noisy, PanelMean, PanelSum
from par_core.errors import DataError, ParameterError

QUERY = PanelSum()


@pytest.fixture(scope="module")
def panel():
    rng = np.random.default_rng(1)
    values = np.where(rng.random((40, 60)) < 0.8, rng.exponential(3, (40, 60)), np.nan)
    values[0] += 12
    return Panel.from_arrays(values)


@pytest.fixture(scope="module")
def result(panel):
    return audit(panel, QUERY)


def test_each_bucket_is_audited_by_itself_with_a_bandwidth_of_its_own(panel, result):
    sizes = panel.sizes()
    found = audit_given(result, sizes, buckets=3, fewest=10)
    seen = np.concatenate([each.places for each in found.buckets])
    assert sorted(seen) == list(range(60)), "each database stands in one bucket"
    at = found.at(0.1)
    for place, each in enumerate(found.buckets):
        known = sizes[each.places]
        assert (each.lowest, each.highest) == (known.min(), known.max())
        answers, without = result.answers[each.places], result.without[:, each.places]
        width = fit_density(answers, bandwidth="fixed").bandwidths[0]
        deltas = individual_deltas(answers, without, epsilon=0.1, bandwidth=width)
        assert at.deltas[place] == deltas.max() > 0
        assert deltas[at.who[place]] == deltas.max()
        assert found.of(3, 0.1)[place] == pytest.approx(deltas[3], abs=1e-12)
    assert at.worst == at.deltas.max()
    assert at.without_knowledge == result.at(0.1).delta


def test_equal_numbers_stay_together_and_others_are_spread_evenly(result):
    found = audit_given(result, np.arange(60) // 20, buckets=7, fewest=2)
    assert [(each.lowest, len(each.places)) for each in found.buckets] == [(0, 20), (1, 20), (2, 20)]
    found = audit_given(result, np.random.default_rng(2).normal(size=60), buckets=4, fewest=2)
    assert [len(each.places) for each in found.buckets] == [15, 15, 15, 15]
    ends = [(each.lowest, each.highest) for each in found.buckets]
    assert all(high < low for (_, high), (low, _) in itertools.pairwise(ends))
    many = np.repeat([0, 1, 2, 3], [10, 29, 11, 10])  # a number goes where the middle of its databases is
    assert [len(each.places) for each in audit_given(result, many, buckets=3, fewest=2).buckets] == [10, 29, 21]


def test_too_few_databases_are_refused_by_name(result):
    known = np.where(np.arange(60) < 57, 1.0, 2.0)
    found = audit_given(result, known, buckets=2, fewest=4)
    (refused,) = found.refused
    assert refused.lowest == 2.0
    assert refused.places.tolist() == [57, 58, 59]
    at = found.at(0.1)
    assert np.isnan(at.deltas[1])
    assert at.who.tolist()[1] == -1
    assert at.worst == at.deltas[0]
    assert found.intervals(0.1)[1] is None
    assert np.isnan(found.of(0, 0.1)[1])
    assert not audit_given(result, known, buckets=2, fewest=3).refused
    nothing = audit_given(result, np.arange(60), buckets=20, fewest=10)
    assert len(nothing.refused) == 20
    assert np.isnan(nothing.at(0.1).worst), "nothing can be said, which is not 0"
    with pytest.raises(DataError, match="every bucket has fewer than 10 databases"):
        random_groups(nothing, 0.1, rng=np.random.default_rng(1))


def test_an_adversary_who_knows_the_answer_but_for_little_sees_more_than_chance(result):
    """f(X) without the first individual is known: within a bucket hardly anything but their part is left."""
    rest = result.without[0]
    found = audit_given(result, rest, buckets=6, fewest=5)
    own = found.of(0, 0.1)
    assert own.max() > 3 * result.at(0.1).deltas[0]
    rng = np.random.default_rng(3)
    groups = random_groups(found, 0.1, times=99, rng=rng)
    assert groups.share == 1 / 100
    assert groups.times == 99
    assert groups.median <= groups.largest < found.at(0.1).worst


def test_what_has_nothing_to_do_with_the_answers_is_seldom_taken_for_knowledge():
    """A permutation test: of 12 panels at most 3 say "at most 5 %"; wrong with a probability of 2e-3 (binomial)."""
    alarms = 0
    for seed in range(12):
        rng = np.random.default_rng([4, seed])
        found = audit(Panel.from_arrays(rng.normal(size=(6, 30)) + 3 * np.eye(6)[:, :1]), QUERY)
        given = audit_given(found, rng.normal(size=30), buckets=2, fewest=5)
        alarms += random_groups(given, 0.1, times=19, rng=rng).share <= 0.05
    assert alarms <= 3


def test_random_groups_have_the_sizes_of_the_buckets_and_a_delta_as_the_audit(result):
    """With one bucket of all databases, every random group is that of all."""
    found = audit_given(result, np.zeros(60), buckets=1, fewest=2)
    groups = random_groups(found, 0.05, times=3, rng=np.random.default_rng(5))
    np.testing.assert_allclose(groups.worst, result.at(0.05).delta, rtol=1e-9)
    assert groups.share == 1.0


def test_random_groups_by_auditing_them(result):
    """The same permutations, and every individual of every group; one bucket is refused and takes no part."""
    found = audit_given(result, np.repeat([1, 2, 3], [20, 34, 6]), buckets=3, fewest=7)
    for level in (0.0, 0.1, 0.5):
        groups = random_groups(found, level, times=4, rng=np.random.default_rng(6))
        rng, expected = np.random.default_rng(6), []
        for _ in range(4):
            mixed = rng.permutation(60)
            expected.append(max(result.among(part).at(level).delta for part in (mixed[:20], mixed[20:54])))
        np.testing.assert_allclose(groups.worst, sorted(expected), rtol=1e-9)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_random_groups_leave_nobody_out_who_moves_an_answer_far_enough(share):
    """All alike, at levels that only the furthest shifts exceed."""
    found = audit(Panel.from_arrays(np.random.default_rng(7).uniform(1, 2, size=(5, 20))), QUERY)
    level = share * float(found.losses.max())
    groups = random_groups(audit_given(found, np.zeros(20)), level, times=1, rng=np.random.default_rng(6))
    assert groups.worst == pytest.approx(found.at(level).delta)
    assert groups.worst > 0


def test_a_common_bandwidth_never_shows_less_in_parts_than_in_all(result):
    """Mixing lowers every δ: the mean of the buckets' deltas by their sizes is at least that of all, for one bandwidth."""
    width = result.bandwidth
    for level in (0.01, 0.1, 0.4):
        whole = individual_deltas(result.answers, result.without, epsilon=level, bandwidth=width)
        found = audit_given(result, result.answers, buckets=4, fewest=2)
        parts = sum(
            len(each.places)
            / 60
            * individual_deltas(
                result.answers[each.places], result.without[:, each.places], epsilon=level, bandwidth=width
            )
            for each in found.buckets
        )
        assert (parts >= whole - 1e-12).all()


def test_a_contribution_is_a_sum_and_missing_where_there_is_none(panel):
    own = contribution(panel, 4)
    np.testing.assert_array_equal(np.isnan(own), np.isnan(panel.matrix[4]))
    np.testing.assert_array_equal(own[~np.isnan(own)], panel.matrix[4][~np.isnan(own)])
    import pandas as pd

    table = pd.DataFrame({"who": list("aab"), "year": [1, 1, 2], "x": [1.0, 2.0, 3.0]})
    long = Panel.from_long(table, database="year", individual="who", value="x")
    assert contribution(long, 0)[0] == 3.0
    assert np.isnan(contribution(long, 0)[1])


def test_where_nobody_is_there_nothing_shows(panel, result):
    """The databases without the individual are a bucket of their own, the last one, in which it shows nothing."""
    found = audit_given(result, contribution(panel, 0), buckets=2, fewest=2)
    last = found.buckets[-1]
    assert not last.known
    np.testing.assert_array_equal(np.isnan(panel.matrix[0][last.places]), True)
    assert found.of(0, 0.0)[-1] == 0
    assert all(each.known for each in found.buckets[:-1])


def test_limits_are_those_of_the_bucket_alone(result):
    found = audit_given(result, np.arange(60), buckets=2, fewest=2)
    for each, ends in zip(found.buckets, found.intervals(0.1, level=0.9), strict=True):
        alone = intervals(each.audit, 0.1, level=0.9)
        assert ends.delta == alone.delta
        assert ends.databases == 30


def test_several_draws_of_a_database_stay_together(panel):
    noisy = audit(panel, Noisy(QUERY, scale=2.0, draws=3, seed=1))
    part = noisy.among([5, 2, 5])
    assert part.answers.tolist() == [*noisy.answers[6:9], *noisy.answers[15:18]]
    assert list(part.databases) == [3, 6]
    assert part.without.shape == (40, 6)
    whole = noisy.among(range(60))
    np.testing.assert_array_equal(whole.losses, noisy.losses)
    groups = random_groups(audit_given(noisy, np.arange(60)), 0.1, times=2, rng=np.random.default_rng(1))
    assert groups.worst.shape == (2,)


def test_known_numbers_that_cannot_be_used(panel, result):
    for wrong in ([1.0, 2.0], np.full(60, np.inf), ["a"] * 60):
        with pytest.raises(ParameterError, match="^known must be"):
            audit_given(result, wrong)
    with pytest.raises(ParameterError, match="buckets"):
        audit_given(result, np.arange(60), buckets=21)
    with pytest.raises(DataError, match="at least two databases"):
        result.among([3])
    assert len(answers(panel, PanelMean())) == 60
