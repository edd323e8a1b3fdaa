"""The statistics are described once: whoever asks for one takes its name, its limits and its definition from there."""

import numpy as np
import pandas as pd
import pytest

from par_core.audit.queries import PANEL_QUERIES, PLAIN
from par_core.audit.variance_and_quantile import PanelQuantile
from par_core.errors import ParameterError
from par_core.queries import AMOUNTS, Condition, Count, CountBy, Sum, statistics
from par_core.questions.sample_planner.table_sample import EXAMPLES
from par_core.sampling import QuantileOf, SumOf
from par_core.sampling.pair_queries import PAIR_QUERIES

EVERY = {each for kind in (statistics.Statistic, statistics.OfNumbers) for each in kind.__subclasses__()}
CONCRETE = EVERY - {statistics.OfNumbers}


def test_every_statistic_has_a_name_of_its_own_and_a_user():
    assert len({each.name for each in CONCRETE}) == len(CONCRETE)
    assert set(PAIR_QUERIES) == CONCRETE
    assert set(PANEL_QUERIES) == CONCRETE - {statistics.Histogram}
    assert {kind.asks for kind in (Count, CountBy, *AMOUNTS.values())} <= CONCRETE


def test_whoever_offers_statistics_offers_those_that_are_answered():
    assert all(kind.asks.name == name for name, kind in AMOUNTS.items())
    assert {type(each) for each in EXAMPLES} >= set(PAIR_QUERIES.values())
    assert list(PLAIN) == ["mean", "sum", "count", "variance"]
    assert [query("x").label for query in map(PAIR_QUERIES.get, (statistics.Mean, statistics.Variance))] == [
        "mean of x",
        "variance of x",
    ]


@pytest.mark.parametrize("lower", [5, 5.5, -1.1e12, np.nan, "0", None])
def test_no_user_takes_bounds_that_another_refuses(lower):
    for ask in (
        lambda: statistics.Bounds(lower, 5),
        lambda: Sum("x", lower, 5),
        lambda: SumOf("x", (lower, 5)),
        lambda: statistics.Bounds.of_pair((lower, 5), name="ends"),
    ):
        with pytest.raises(ParameterError, match="^(lower|bounds|ends) must "):
            ask()


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan, "0.5", None, [0.5]])
def test_no_user_takes_a_share_that_another_refuses(share):
    for ask in (
        lambda: statistics.Quantile(share=share),
        lambda: PanelQuantile(share),
        lambda: QuantileOf("x", at=share),
    ):
        with pytest.raises(ParameterError, match="^(share|at) must be "):
            ask()


@pytest.mark.parametrize("wrong", [(1, 2), [1, 2], "1 to 2"])
def test_a_statistic_takes_bounds_and_conditions_of_their_own_kind(wrong):
    with pytest.raises(ParameterError, match="^bounds must be a Bounds"):
        statistics.Mean(wrong)
    with pytest.raises(ParameterError, match="^condition must be a Condition"):
        statistics.Count(wrong)
    assert statistics.Count(Condition("x", ">", 1)).condition.column == "x"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0, 1])
def test_panel_and_pairs_have_the_quantile_of_numpy(share):
    values = np.random.default_rng(1).normal(size=23)
    for rows in range(1, len(values) + 1):
        some = values[:rows]
        query = PanelQuantile(share)
        assert query.answer(query.summary(some, most=1)) == pytest.approx(np.quantile(some, share), rel=1e-12)
        assert QuantileOf("x", at=share)(pd.DataFrame({"x": some})) == np.quantile(some, share)
        lower, part = statistics.Quantile(share=share).place(rows)
        ranked = np.sort(some)
        between = ranked[lower] + part * (ranked[min(lower + 1, rows - 1)] - ranked[lower])
        assert between == pytest.approx(np.quantile(some, share), rel=1e-12)


def test_the_unit_of_a_variance_is_squared():
    assert [kind.unit("dollars") for kind in (statistics.Sum, statistics.Variance)] == ["dollars", "(dollars)²"]
