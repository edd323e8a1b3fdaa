"""Sums and means in groups: the exact answers, by how much one person moves them, and how far off they are said to be."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from par_core.datasets import census2000
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.plan import Plan, Release, in_words, totals
from par_core.queries import Condition, Groups, Mean, Sum, cap_rows, columns
from par_core.queries.shapes import MeanShape, SumShape
from par_core.release import cells, error_curves, plan_release
from par_core.release.planned_release import epsilon_for_query
from par_core.scenario import Neighbours

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
WARDS = ("a", "b", "c")
DRAWS = 10_000
FALSE_ALARM = (
    1e-6 / 200
)  # of each of some 100 bounds: in fewer than one of a million runs of the file does one fail by chance
LIMIT = float(stats.binom.isf(FALSE_ALARM, DRAWS, 0.05))  # so many of 10,000 releases may be farther off than 95 of 100


def wards(number):
    return Groups("ward", WARDS[:number])


# --- the exact answers -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(34)
    rows = 3000
    found = pd.DataFrame(
        {
            "who": rng.integers(0, 900, rows),
            "ward": rng.choice([*WARDS, "unlisted", None], rows),
            "cost": rng.normal(20, 30, rows),
            "night": rng.choice([True, False], rows),
        }
    )
    found.loc[rng.random(rows) < 0.1, "cost"] = np.nan
    return found


def by_pandas(table, kind, lower, upper, *, skips):
    counted = table[table["cost"].notna()] if skips else table
    values = counted["cost"].fillna(0.0).clip(lower, upper)
    return values.groupby(counted["ward"]).agg(kind).reindex(WARDS)


NIGHT = Condition("night", "==", True)
EVERY = [((-20, 35.5), *each) for each in itertools.product((170, 50_000), (None, 2), (None, NIGHT))]


@pytest.mark.parametrize(
    ("bounds", "batch", "most", "where"),
    [*EVERY, ((0, 50), 170, None, NIGHT), ((10, 30), 50_000, 2, None), ((-30, -10), 170, 2, NIGHT)],
)
def test_answers_are_those_of_pandas(bounds, batch, most, where, table):
    kept = table if most is None else cap_rows(table, "who", rows_per_person=most)
    kept = kept if where is None else kept[kept["night"]]
    given = {} if most is None else {"person": "who", "rows_per_person": most}
    with mock.patch.object(columns, "BATCH", batch):
        total = Sum("cost", *bounds, where, groups=wards(3)).answer(table, **given)
        means = [Mean("cost", *bounds, where, groups=wards(3), skip_missing=skips) for skips in (False, True)]
        averages = [query.answer(table, **given) for query in means]
        blank = means[0].blanks(table, **given)
    assert total.exact == pytest.approx(by_pandas(kept, "sum", *bounds, skips=False).to_numpy(), rel=1e-12)
    for found, skips in zip(averages, (False, True), strict=True):
        assert found.exact == pytest.approx(by_pandas(kept, "mean", *bounds, skips=skips).to_numpy(), rel=1e-12)
        sizes = by_pandas(kept, "count", *bounds, skips=skips)
        assert found.sizes.tolist() == sizes.tolist()
    assert total.labels == WARDS
    assert total.absent == (kept["ward"] == "unlisted").sum()
    assert blank == (kept["cost"].isna() & kept["ward"].isin(WARDS)).sum()


def test_one_group_is_what_a_condition_chooses(table):
    only = Condition("ward", "==", "a")
    for kind in (Sum, Mean):
        alone, chosen = kind("cost", -5, 30, groups=wards(1)), kind("cost", -5, 30, only)
        assert alone.answer(table).exact.tolist() == chosen.answer(table).exact.tolist()
        assert alone.shape == chosen.shape
    one = pd.DataFrame({"cost": [7.0] * 4, "ward": ["a"] * 4})
    assert Mean("cost", 0, 9, groups=wards(3)).answer(one).exact.tolist() == [7.0, 0.0, 0.0]
    assert Mean("cost", 0, 9, groups=wards(3)).answer(one).sizes.tolist() == [4, 0, 0]


def test_groups_are_numbers_truth_values_and_dates_as_well():
    day = pd.to_datetime(["2020-01-31", "2020-01-01", "2021-02-03", None])
    table = pd.DataFrame({"x": [1.0, 2.0, 4.0, 8.0], "n": [1, 2, 1, 3], "t": [True, False, True, True], "day": day})
    for column, listed, sums in (
        ("n", (1, 2), [5.0, 2.0]),
        ("t", (False, True), [2.0, 13.0]),
        ("day", ("2020-01", "2021-02"), [3.0, 4.0]),
        ("x", (4.0, 3.0), [4.0, 0.0]),
    ):
        assert Sum("x", 0, 99, groups=Groups(column, listed)).answer(table).exact.tolist() == sums


def test_what_cannot_be_asked_is_said():
    for listed, message in (
        ((), "must hold at least one, got an empty list"),
        (("a", "a"), "must not repeat, got 'a' twice"),
        (("a", 1), "must be all of one kind, got 'a' and 1"),
        (tuple(range(10_001)), "must make at most 10000 cells, got 10001"),
        ("abc", "must be a list"),
    ):
        with pytest.raises(ParameterError, match=message):
            Groups("ward", listed)
    with pytest.raises(ParameterError, match="must be the name of a column, got 3"):
        Groups(3, ("a",))
    with pytest.raises(ParameterError, match="groups must be a Groups"):
        Sum("x", 0, 1, groups=("ward", ("a",)))
    with pytest.raises(ParameterError, match="lower must be below upper, got lower 2 and upper 1"):
        Sum("x", 2, 1, groups=wards(2))
    with pytest.raises(DataError, match="row 1 below the heading, column 'ward': a number where text is expected"):
        Sum("x", 0, 1, groups=wards(2)).answer(pd.DataFrame({"x": [1.0], "ward": [20200131]}))
    with pytest.raises(DataError, match="text where a number is expected"):
        Sum("x", 0, 1, groups=wards(2)).answer(pd.DataFrame({"x": ["2020-01-31"], "ward": ["a"]}))
    with pytest.raises(DataError, match="the table has no rows, so there is no mean"):
        Mean("x", 0, 1, groups=wards(2)).answer(pd.DataFrame({"x": [], "ward": []}))


def test_a_column_of_one_value_or_of_none_is_a_table_like_others():
    table = pd.DataFrame({"x": [np.nan, np.nan], "ward": ["a", "b"]})
    assert Sum("x", -1, 1, groups=wards(3)).answer(table).exact.tolist() == [0.0, 0.0, 0.0]
    assert Mean("x", -1, 1, groups=wards(2), skip_missing=True).answer(table).sizes.tolist() == [0, 0]
    none = pd.DataFrame({"x": [1.0, 2.0], "ward": [None, None]})
    assert Sum("x", 0, 9, groups=wards(2)).answer(none).missing == 2


# --- by how much one person moves them -------------------------------------------------------------------------------

BOUNDS = [(0.0, 5.0), (-40.0, 30.0), (10.0, 30.0), (-40.0, -30.0), (-5.0, 5.0), (-1.0, 9.0)]


def contributions(query, *, centred):
    """Return what every kind of row adds to a sum, or to the sums of distances from the middle, and to the counts."""
    low, high = query.lower, query.upper
    added, counted = [], []
    for ward, value in itertools.product([*WARDS[: query.k], "unlisted"], [low, high, (low + high) / 2, 0.0]):
        row = pd.DataFrame({"cost": [value], "ward": [ward]})
        total = Sum("cost", low, high, groups=query.groups).answer(row).exact
        count = np.array([float(ward == each) for each in WARDS[: query.k]])
        added.append(total - centred * (low + high) / 2 * count)
        counted.append(count)
    return np.array(added), np.array(counted)


def farthest(rows, neighbours, most):
    """Return how far apart the answers on neighbouring tables are at most: in L1, in L2, and any single number."""
    held = [rows[list(each)].sum(axis=0) for each in itertools.combinations_with_replacement(range(len(rows)), most)]
    held.append(np.zeros(rows.shape[1]))
    others = held[:-1] if neighbours is REPLACE else [np.zeros(rows.shape[1])]
    moved = np.array([one - other for one, other in itertools.product(held[:-1], others)])
    return np.abs(moved).sum(axis=1).max(), np.sqrt((moved**2).sum(axis=1)).max(), np.abs(moved).max()


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize(("number", "most"), [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)])
@pytest.mark.parametrize("neighbours", Neighbours)
def test_a_sensitivity_is_the_farthest_of_all_small_tables(bounds, number, most, neighbours):
    for kind in (Sum, Mean):
        query = kind("cost", *bounds, groups=wards(number))
        parts = query.parts(neighbours, most)
        for part, rows in zip(parts, contributions(query, centred=kind is Mean), strict=False):
            in_l1, in_l2, each = farthest(rows, neighbours, most)
            assert part.k == number
            assert (part.moves("L1"), part.moves("L2")) == pytest.approx((in_l1, in_l2), rel=1e-12)
            assert part.each in (None, pytest.approx(each, rel=1e-12))
            assert part.each is not None or each == pytest.approx(in_l1)
        assert len(parts) == 1 + (kind is Mean)
        assert not query.needs_as_many(neighbours, most)


def test_sensitivities_in_numbers_and_rounded_up():
    parts = SumShape(12, lower=0, upper=2000).parts(REPLACE, 3)
    assert [(each.sensitivity, each.l2, each.each, each.copies) for each in parts] == [
        (12000.0, pytest.approx(6000 * math.sqrt(2)), 6000.0, 2)
    ]
    assert SumShape(12, lower=-2000, upper=2000).parts(REPLACE)[0].copies == 1  # one sum may move by as much as two
    assert SumShape(12, lower=-2000, upper=2000).parts(REPLACE)[0].l2 == 4000.0
    parts = MeanShape(3, lower=10, upper=30).parts(REPLACE)
    assert [(each.name, each.sensitivity, each.l2) for each in parts] == [
        ("sums", 20.0, 20.0),
        ("counts", 2.0, pytest.approx(math.sqrt(2))),
    ]
    part = SumShape(2, lower=-0.1, upper=0.7).parts(REPLACE, 3)[0]
    assert Fraction(part.sensitivity) >= 6 * Fraction(0.7)
    assert Fraction(part.l2) ** 2 >= 2 * (3 * Fraction(0.7)) ** 2
    assert SumShape(2, lower=-1e-300, upper=1e-300).parts(REPLACE)[0].l2 == 2e-300


def test_groups_are_choices_of_rows_and_their_means_are_pairs():
    assert (
        SumShape(4, upper=5.0)
        == SumShape(4, upper=5.0, chooses=True)
        == Sum("x", 0, 5, groups=Groups("g", (1, 2, 3, 4))).shape
    )
    assert MeanShape(4).is_pair(REPLACE)
    assert in_words(Release(SumShape(4, upper=5.0))) == "4 sums of values from 0 to 5"


# --- what a plan of them spends ----------------------------------------------------------------------------------------


def test_sums_above_0_are_hidden_by_two_groups_at_half_the_level():
    plan = Plan((Release(SumShape(5, upper=9.0), times=12),), 0.5, REPLACE, 1e-6)
    ((lost, copies),) = plan.lost(0)
    assert (copies, float(lost.sensitivity), float(lost.epsilon0)) == (2, 9.0, 0.25)
    as_one = replace(plan, releases=(Release(SumShape(5, lower=-9.0, upper=9.0), times=12),))
    assert plan.together.epsilon(1e-6) < as_one.together.epsilon(1e-6)
    assert float(plan.noises(0)[0].scale) == 18.0 / 0.5


# --- how far off they are ------------------------------------------------------------------------------------------------


def released(planned, truth, rng):
    """Return 10,000 releases of sums or means, shape (10,000, k), of a true sum and, of a mean, count for each group."""
    noise = [part.error.noise.sample(np.zeros(planned.query.k), DRAWS, rng) for part in planned.parts]
    if not planned.is_pair:
        return truth[0] + noise[0]
    query = planned.query
    middle = query.shape.middle
    found = (truth[0] - middle * truth[1] + noise[0]) / np.maximum(truth[1] + noise[1], 1.0)
    return np.clip(middle + found, query.lower, query.upper)


def worst_case(planned):
    """Return groups of 60 rows with the most error: means as near to the bounds as can be for their error to show on both sides."""
    query, counts = planned.query, np.full(planned.query.k, 60.0)
    if isinstance(query, Sum):
        return counts * query.upper, counts
    off = min(planned.quotient_error(size=60.0).range95, (query.upper - query.lower) / 2)
    return counts * np.resize([query.upper - off, query.lower + off, query.upper], query.k), counts


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_ten_thousand_releases_stay_within_the_said_error(mechanism, neighbours, epsilon):
    rng = np.random.default_rng(95)
    census = census2000().table
    for bounds, groups, real in (
        ((-3.0, 9.0), wards(3), False),
        ((0.0, 3000.0), Groups("education", (9, 12, 16)), True),
    ):
        for kind in (Sum, Mean):
            query = kind("weekly_income" if real else "cost", *bounds, groups=groups)
            planned = plan_release(query, epsilon, neighbours=neighbours, mechanism=mechanism, delta=1e-6)
            truth = worst_case(planned)
            if real:
                of_mean = replace(Mean("weekly_income", *bounds), groups=groups).answer(census)
                truth = Sum("weekly_income", *bounds, groups=groups).answer(census).exact, of_mean.sizes
            exact = truth[0] if kind is Sum else truth[0] / truth[1]
            off = np.abs(released(planned, truth, rng) - exact)
            if kind is Sum:
                each, every = planned.error.range95, planned.error.all95
            else:
                bound = planned.quotient_error(size=float(truth[1].min()))
                each, every = bound.range95, bound.range_of_all(0.95, query.k)
            assert ((off > each).sum(axis=0) <= LIMIT).all()
            assert (off > every).any(axis=1).sum() <= LIMIT


def test_the_said_error_would_be_noticed_to_be_too_small():
    rng = np.random.default_rng(95)
    query = Mean("cost", -3.0, 9.0, groups=wards(3))
    planned = plan_release(query, 0.5, neighbours=ADD)
    truth = worst_case(planned)
    off = np.abs(released(planned, truth, rng) - truth[0] / truth[1])
    assert (off > 0.8 * planned.quotient_error(size=60.0).range95).sum(axis=0).max() > LIMIT


def test_means_of_groups_are_planned_for_the_smallest_one():
    query = Mean("cost", 0.0, 100.0, groups=wards(3))
    planned = plan_release(query, 0.5, neighbours=REPLACE)
    bound = planned.quotient_error(size=200)
    assert bound.range95 < bound.range_of_all(0.95, 3) < planned.quotient_error(size=199).range_of_all(0.95, 3)
    assert error_curves(planned, epsilon0=0.5, size=200).k == 3
    rows = cells(planned, size=200)
    assert rows["cell"].tolist() == list(WARDS)  # the total of means means nothing
    assert set(rows["all at once within, 95 of 100"]) == {bound.range_of_all(0.95, 3)}
    for measure, found in (("range95", "range95"), ("all95", None)):
        level = epsilon_for_query(5.0, query, neighbours=REPLACE, size=200, measure=measure)
        again = planned.planned_anew(level).quotient_error(size=200)
        assert (again.range95 if found else again.range_of_all(0.95, 3)) == pytest.approx(5.0, rel=1e-6)
    with pytest.raises(ParameterError, match="measure must be expected, range95 or all95 for a quotient"):
        epsilon_for_query(5.0, query, neighbours=REPLACE, size=200, measure="total95")
    with pytest.raises(InfeasibleError, match="every one will do"):
        epsilon_for_query(101.0, query, neighbours=REPLACE, size=200)
    release = Release(query.shape, size=200)
    assert totals(Plan((release,), 0.5, REPLACE)).errors == (pytest.approx(bound.range95, rel=1e-9),)
