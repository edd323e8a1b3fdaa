"""Two answers together: against quadrature of the plane, and where a direction has no spread, exact."""

import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import integrate, stats

from par_core.audit import Panel, audit, individual_deltas
from par_core.audit.joint import _bandwidth, _Plane, _values, joint_audit
from par_core.audit.queries import Noisy, PanelCount, PanelMean, PanelSum
from par_core.errors import DataError

QUERY = PanelSum()


def joint_deltas(answers, without, *, epsilon, bandwidth=None):
    """delta_i of pairs of answers, (n, 2), against those without each individual, (N, n, 2), at one level or several."""
    of_all = np.ascontiguousarray(np.asarray(answers).T)
    width = _bandwidth(of_all) if bandwidth is None else bandwidth
    found = _values(_Plane(of_all, np.moveaxis(np.asarray(without), 2, 0)), np.atleast_1d(epsilon), width)
    value, error = (found[..., at] if np.ndim(epsilon) else found[:, 0, at] for at in (0, 1))
    return SimpleNamespace(value=value, error=error, disclosed=found[:, 0, 2])


def sums(seed, n, *, move=1.0, angle=0.3):
    """Two correlated answers on n databases, and those without three individuals."""
    rng = np.random.default_rng(seed)
    answers = rng.normal(size=(n, 2)) @ np.array([[3.0, 40.0], [0.0, 25.0 * angle]])
    return answers, answers - rng.exponential(size=(3, n, 2)) * np.array([move, 12.0 * move])


def whitened(answers, other):
    """The axes by the definition: standardised sum and difference, over the smaller of both spreads; by plain loops."""
    spread = [np.std(answers[:, c]) for c in (0, 1)]
    turned = [
        np.array([[row[0] / spread[0] + s * row[1] / spread[1] for s in (1, -1)] for row in sample])
        for sample in (answers, other)
    ]
    smaller = np.minimum(turned[0].std(axis=0), turned[1].std(axis=0))
    return [each / smaller for each in turned]


def density(points, width):
    return lambda x, y: (
        np.exp(-(np.abs(x[..., None] - points[:, 0]) + np.abs(y[..., None] - points[:, 1])) / width).mean(axis=-1)
        / (4 * width**2)
    )


def by_cubature(answers, other, level, width):
    """Both excesses, by adaptive cubature of the plane, cell by cell between the coordinates of the answers."""
    both = np.concatenate(pair := whitened(answers, other))
    sides = np.repeat(np.eye(2), [len(each) for each in pair], axis=0) / (len(answers) * 4 * width**2)
    far = width * np.array([-14, -3, 3, 14])
    ends = np.repeat([both.min(axis=0), both.max(axis=0)], 2, axis=0) + far[:, None]
    edges = [np.unique(column) for column in np.concatenate([both, ends]).T]
    found = np.zeros(2)
    for (left, right), (low, high) in itertools.product(itertools.pairwise(edges[0]), itertools.pairwise(edges[1])):

        def excess(at):
            heights = np.exp(-np.abs(at[:, None] - both).sum(axis=2) / width) @ sides
            return np.maximum(heights - math.exp(level) * heights[:, ::-1], 0)

        found += integrate.cubature(
            excess, [left, low], [right, high], rule="gk15", rtol=1e-6, atol=2e-8, max_subdivisions=300
        ).estimate
    return found.max()


CASES = [
    *((seed, n, level, 0.5) for seed, n, level in ((1, 3, 0.0), (2, 4, 0.1), (3, 5, 0.3), (4, 4, 1.0), (5, 3, 2.0))),
    *((6, 5, 0.2, width) for width in (0.2, 1.5)),
    *((7, n, 0.5, 0.8) for n in (3, 4, 5)),
]


@pytest.mark.parametrize(("seed", "n", "level", "width"), CASES)
def test_against_quadrature_of_the_plane(seed, n, level, width):
    answers, without = sums(seed, n)
    found = joint_deltas(answers, without[:1], epsilon=level, bandwidth=width)
    assert found.disclosed[0] == 0
    expected = by_cubature(answers, without[0], level, width)
    assert expected > 1e-3
    assert found.value[0] == pytest.approx(expected, abs=2e-6)
    assert found.error[0] < 1e-7


@pytest.mark.parametrize("wider_first", [True, False])
def test_against_quadrature_where_one_density_is_wider_on_all_sides(wider_first):
    """At this level only the wider one is beyond the other, and in its tails most of all."""
    answers, _ = sums(17, 3)
    middle = answers.mean(axis=0)
    pair = (answers, middle + 0.3 * (answers - middle))[:: 1 if wider_first else -1]
    found = joint_deltas(pair[0], pair[1][None], epsilon=2.5, bandwidth=0.5).value[0]
    assert found == pytest.approx(by_cubature(*pair, 2.5, 0.5), abs=2e-6)


def test_repeated_pairs_make_no_kernel_a_needle():
    """The likelihood of the one left out would grow without end as its twin's kernel gets narrower."""
    once = np.random.default_rng(18).normal(size=(2, 20))
    assert _bandwidth(np.concatenate([once, once[:, :12]], axis=1)) > 0.3 * _bandwidth(once)


def test_against_a_sample_of_the_density():
    """P(S) − e^ε·P_i(S) of the best set S, from 400,000 draws of each density; wrong for one seed in 10^6 (4.9 deviations)."""
    answers, without = sums(8, 30)
    level, width, size = 0.4, 0.4, 400_000
    found = joint_deltas(answers, without[:1], epsilon=level, bandwidth=width)
    pair, rng = whitened(answers, without[0]), np.random.default_rng(2)
    heights = [density(each, width) for each in pair]
    shares = []
    for first, second in ((0, 1), (1, 0)):
        drawn = [each[rng.integers(30, size=size)] + rng.laplace(scale=width, size=(size, 2)) for each in pair]
        inside = [heights[first](*each.T) > math.exp(level) * heights[second](*each.T) for each in drawn]
        shares.append(inside[first].mean() - math.exp(level) * inside[second].mean())
    assert max(shares) == pytest.approx(found.value[0], abs=4.9 * 0.5 * (1 + math.exp(level)) / math.sqrt(size))


def test_levels_units_and_the_order_of_queries_play_no_part():
    answers, without = sums(9, 12)
    levels = [0.0, 0.2, 1.0, 3.0]
    found = joint_deltas(answers, without, epsilon=levels).value
    assert (np.diff(found, axis=1) < 0).all()
    np.testing.assert_allclose(found[:, 1], joint_deltas(answers, without, epsilon=0.2).value, atol=1e-7)
    scaled = np.array([-1e6, 1e-3])
    np.testing.assert_allclose(
        joint_deltas(answers * scaled + 5, without * scaled + 5, epsilon=levels).value, found, atol=1e-6
    )
    np.testing.assert_allclose(
        joint_deltas(answers[:, ::-1], without[:, :, ::-1], epsilon=levels).value, found, atol=1e-6
    )


@pytest.mark.parametrize("level", [0.0, 0.1, 5.0, 500.0])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_sum_and_the_sum_without_somebody_disclose_exactly(level, size):
    rng = np.random.default_rng(3)
    values = size * rng.integers(1, 10_000, size=(50, 41)).astype(float)
    panel = Panel.from_arrays(values)
    both = joint_audit(audit(panel, QUERY), audit(panel.lacking(7), QUERY))
    found = both.at(level)
    assert found.ranking[0] == 7
    assert found.together[0] == 1.0
    assert found.disclosed[0] == 1.0
    assert found.first.max() < 1 or level == 0
    curve = both.curve(7, epsilons=[0.0, 1.0, 500.0])
    assert (curve.together == 1.0).all()


def test_who_is_in_some_databases_is_disclosed_in_these():
    rng = np.random.default_rng(4)
    values = rng.normal(100, 20, size=(30, 40))
    values[3, 10:] = np.nan
    panel = Panel.from_arrays(values)
    both = joint_audit(audit(panel, QUERY), audit(panel.lacking(3), QUERY))
    found = both.curve(3, epsilons=[0.01, 2.0, 500.0])
    assert found.disclosed == 10 / 40
    assert (found.together >= 10 / 40).all()
    assert found.together[-1] == 10 / 40, "beyond that, nothing is left at a large epsilon"


@pytest.mark.parametrize("constant", [5.0, -1e9])
def test_one_line_beside_another_discloses_everybody(constant):
    """A contribution that never changes: both samples lie on lines, which do not meet."""
    rng = np.random.default_rng(5)
    rest = rng.normal(size=20)
    pairs = np.column_stack([rest + constant, rest])
    found = joint_deltas(pairs, [np.column_stack([rest, rest])], epsilon=[0.0, 100.0])
    assert (found.value == 1.0).all()
    assert found.disclosed[0] == 1.0


@pytest.mark.parametrize("part", [1.0, 1e-3, 1e-6])
def test_a_small_contribution_that_varies_is_disclosed_as_a_large_one(part):
    rng = np.random.default_rng(16)
    rest = rng.normal(size=20)
    own = part * rng.uniform(1, 2, size=20)
    found = joint_deltas(np.column_stack([rest + own, rest]), [np.column_stack([rest, rest])], epsilon=[0.1, 500.0])
    assert (found.value == 1.0).all()
    assert found.disclosed[0] == 1.0


def test_the_mean_and_the_sum_give_away_who_is_there():
    """With one number of records in every database, the pair tells that one record is missing."""
    rng = np.random.default_rng(6)
    values = np.where(rng.permuted(np.tile(np.arange(60) < 20, (25, 1)), axis=1).T, rng.normal(50, 9, (60, 25)), np.nan)
    panel = Panel.from_arrays(values)
    both = joint_audit(audit(panel, PanelMean()), audit(panel, QUERY))
    found = both.at(200.0, listed=60)
    np.testing.assert_allclose(found.together, panel.presence()[found.ranking] / 25, rtol=1e-12)
    alone = joint_audit(audit(panel, PanelMean()), audit(panel, PanelCount())).at(200.0, listed=60)
    np.testing.assert_allclose(np.sort(alone.together), np.sort(found.together), rtol=1e-12)


def test_the_same_answer_twice_shows_what_it_shows_once():
    panel = Panel.from_arrays(np.random.default_rng(7).normal(size=(15, 30)) + 3 * np.eye(15)[:, :1])
    once = audit(panel, QUERY)
    scaled = audit(panel, lambda values: 7.0 - 1e3 * float(values.sum()))
    for other in (once, scaled):
        found = joint_audit(once, other).at(0.2, listed=15)
        np.testing.assert_allclose(found.together, once.at(0.2).deltas[found.ranking], rtol=1e-6, atol=1e-9)
        assert not found.disclosed.any()


def test_what_is_almost_a_line_is_seen_without_being_called_one():
    """The sum, and the sum without somebody rounded to hundredths: the difference has a spread, and is far from 0."""
    rng = np.random.default_rng(8)
    values = rng.normal(100, 10, size=(40, 41))
    total, rest = values.sum(axis=0), values[1:].sum(axis=0)
    found = joint_deltas(
        np.column_stack([total, rest.round(2)]), [np.column_stack([rest, rest.round(2)])], epsilon=[0.1, 3.0]
    )
    assert found.disclosed[0] == 0
    assert (found.value > 0.9).all()


def test_the_most_exposed_are_found_without_integrating_everybody():
    rng = np.random.default_rng(9)
    values = np.where(rng.random((120, 25)) < 0.2, rng.exponential(3, (120, 25)), np.nan)
    values[:5] = rng.normal(40, 12, (5, 25))
    panel = Panel.from_arrays(values)
    first, second = audit(panel, QUERY), audit(panel, lambda each: float((each**2).sum()))
    both = joint_audit(first, second)
    pairs = np.column_stack([first.answers, second.answers])
    for level in (0.0, 0.1, 1.0, 400.0):
        found = both.at(level, listed=6)
        everybody = joint_deltas(
            pairs, np.stack([first.without, second.without], axis=2), epsilon=level, bandwidth=both.bandwidth
        ).value
        alone = np.maximum(first.at(level).deltas, second.at(level).deltas)
        np.testing.assert_allclose(found.together, np.sort(np.maximum(everybody, alone))[::-1][:6], atol=1e-6)
        assert (found.together >= np.maximum(found.first, found.second)).all()
        for place, individual in enumerate(found.ranking):
            curve = both.curve(int(individual), epsilons=[level])
            assert curve.together[0] == pytest.approx(found.together[place], abs=1e-9)


@pytest.mark.parametrize("level", [0.1, 0.5, 1.0])
def test_two_answers_never_show_less_than_one_of_them(level):
    """The kernels of the plane are wider, and alone show less of the second individual than the first answer does."""
    values = np.random.default_rng(1).normal(size=(6, 40)) + 4 * np.eye(6)[:, :1]
    panel = Panel.from_arrays(values)
    first, second = audit(panel, QUERY), audit(panel, lambda each: float(np.abs(each).min()))
    both = joint_audit(first, second)
    plane = joint_deltas(
        np.column_stack([first.answers, second.answers]),
        np.stack([first.without, second.without], axis=2),
        epsilon=level,
        bandwidth=both.bandwidth,
    ).value
    alone = np.maximum(first.at(level).deltas, second.at(level).deltas)
    assert plane[1] < alone[1]
    found = both.at(level, listed=6)
    np.testing.assert_allclose(found.together, np.maximum(plane, alone)[found.ranking], atol=1e-6)
    assert both.curve(1, epsilons=[level]).together[0] == alone[1]


@pytest.mark.parametrize("level", [0.0, 0.1, 1.0, 20.0])
def test_nobody_is_above_the_bound_by_which_they_are_left_out(level):
    answers, without = sums(14, 8, move=0.02)
    for move in (1.0, 10.0, 300.0, 1e4):
        plane = _Plane(answers.T, np.moveaxis(answers + move * (without - answers), 2, 0))
        bounds = plane.bound(level, 0.5)
        values = joint_deltas(answers, answers + move * (without - answers), epsilon=level, bandwidth=0.5).value
        assert (values <= bounds).all()
    assert (bounds < 1 + 2e-7).all()


def test_one_database_that_moves_far_reaches_the_bound():
    answers, _ = sums(15, 20)
    moved = answers.copy()
    moved[3] += [1e3, 1e4]
    found = joint_deltas(answers, [moved], epsilon=0.3).value[0]
    (bound,) = _Plane(answers.T, np.moveaxis(moved[None], 2, 0)).bound(0.3, 0.5)
    assert found == pytest.approx(1 / 20, abs=2e-3)
    assert bound == pytest.approx(1 / 20, abs=1e-6)


def test_whoever_is_in_no_database_shows_nothing():
    values = np.random.default_rng(10).normal(size=(10, 12))
    values[4] = np.nan
    panel = Panel.from_arrays(values)
    both = joint_audit(audit(panel, PanelMean()), audit(panel, lambda each: float(each.max())))
    curve = both.curve(4, epsilons=[0.0, 0.1])
    assert (curve.together == 0).all()
    assert curve.disclosed == 0


def test_large_shifts_and_the_largest_level():
    answers, without = sums(11, 6, move=1e8)
    found = joint_deltas(answers, without, epsilon=[0.0, 500.0])
    assert (found.value > 0.99).all()
    answers, without = sums(11, 6, move=1e-8)
    assert (joint_deltas(answers, without, epsilon=[0.0, 500.0]).value < 1e-6).all()


def test_a_difference_of_spread_alone_is_seen():
    """Without somebody both answers spread less, about the same middle: a normal distribution of twice the spread has TV = 0.32."""
    grid = stats.qmc.MultivariateNormalQMC([0, 0], rng=np.random.default_rng(1)).random(256)
    found = joint_deltas(2 * grid, [grid], epsilon=0.0).value[0]
    assert 0.3 < found < 0.55


def test_what_cannot_be_looked_at_together():
    panel = Panel.from_arrays(np.random.default_rng(11).normal(size=(5, 8)))
    once = audit(panel, QUERY)
    with pytest.raises(DataError, match="same databases"):
        joint_audit(once, audit(Panel.from_arrays(np.ones((5, 8)), databases=list("abcdefgh")), QUERY))
    with pytest.raises(DataError, match="draws"):
        joint_audit(once, audit(panel, Noisy(QUERY, scale=1.0, draws=2)))
    few = audit(Panel.from_arrays(np.random.default_rng(12).normal(size=(5, 2))), QUERY)
    with pytest.raises(DataError, match="at least 3 databases, got 2"):
        joint_audit(few, few)


def test_a_panel_without_somebody_keeps_them_in_the_list():
    for panel in (
        Panel.from_arrays([[1.0, 2.0], [3.0, 4.0]]),
        Panel.from_arrays([[1.0, 2.0], [np.nan, 4.0]]),
    ):
        rest = panel.lacking(1)
        assert rest.individuals.equals(panel.individuals)
        assert rest.presence().tolist() == [2, 0]
    import pandas as pd

    table = pd.DataFrame({"who": list("aabba"), "year": [1, 2, 1, 1, 1], "x": [1.0, 2.0, 3.0, 4.0, 5.0]})
    long = Panel.from_long(table, database="year", individual="who", value="x")
    assert audit(long.lacking(1), QUERY).answers.tolist() == [6.0, 2.0]
    with pytest.raises(DataError, match="no record"):
        long.lacking(0)


def test_one_line_is_the_audit_of_one_answer():
    """Where nothing stands beside the line, the deltas are those along it."""
    rng = np.random.default_rng(13)
    answers, without = rng.normal(size=25), rng.normal(size=(2, 25))
    found = joint_deltas(
        np.column_stack([answers, 2 * answers]), np.stack([without, 2 * without], axis=2), epsilon=[0.1, 1.0]
    )
    width = float(audit(Panel.from_arrays(answers[None] + np.zeros((2, 1)) / 1), PanelMean()).bandwidth)
    np.testing.assert_allclose(
        found.value, individual_deltas(answers, without, epsilon=[0.1, 1.0], bandwidth=width), atol=1e-9
    )
